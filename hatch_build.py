"""Puts compiled kernels into the wheel, if WINDROW_KERNELS names their folder (see tools/wheel.py).

Without it the wheel has sources only, and fits every machine.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernels(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = os.environ.get("WINDROW_KERNELS")
        if not folder or version == "editable":
            return
        made_with = json.loads((Path(folder) / "about.json").read_text(encoding="utf-8"))
        build_data["force_include"][folder] = "windrow/compiled"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        # Kernels fit one version of Numba. With another, the first run would compile them all again.
        build_data["dependencies"] = [f"{name}=={made_with[name]}" for name in ("numba", "llvmlite")]
