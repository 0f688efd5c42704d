"""Builds a wheel that brings its kernels compiled, for this Python, this system and the target of `windrow.target`.

    python tools/wheel.py [FOLDER]       # `make wheel`; into dist/ if no folder is given

Kernels that the user's cache folder has already are taken from there, others are compiled and kept there. Only those
that Python calls go into the wheel: functions that are part of them are read only when a further kernel is compiled,
and are compiled with it then.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from windrow.compiler import compile_parts, listed
from windrow.kernel import called_by_python
from windrow.store import make_bundle

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "build" / "compiled"
MB = 1e6


def collect(folder: Path) -> int:
    """Makes the folder of kernels for the wheel; returns how many there are."""
    wanted = [item for item in listed() if called_by_python(item.dispatcher)]
    compile_parts(part for item in wanted for part in item.parts)
    for item in wanted:
        item.dispatcher.compile(item.types)  # also where there is one core, or little to do
    shutil.rmtree(folder, ignore_errors=True)
    make_bundle(folder, [(item.dispatcher._cache, item.types) for item in wanted])
    return len(wanted)


def build(out: Path, kernels: Path) -> Path:
    """Returns the wheel."""
    os.environ["WINDROW_KERNELS"] = str(kernels)  # hatch_build.py
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(out))))


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    count = collect(KERNELS)
    wheel = build(out, KERNELS)
    unpacked = sum(file.stat().st_size for file in KERNELS.rglob("*") if file.is_file())
    print(f"{wheel}: {wheel.stat().st_size / MB:.1f} MB, with {count} compiled kernels of {unpacked / MB:.1f} MB")


if __name__ == "__main__":
    main()
