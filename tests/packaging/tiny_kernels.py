"""A module with two tiny kernels, a store of its own, and what starting a process anew does to both."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from numba import float64

from windrow import store
from windrow.errors import KernelWarning
from windrow.kernel import compile_times

NAME = "tiny_kernels_of_a_test"
SOURCE = """
from windrow.kernel import kernel

@kernel
def thrice(x):
    return 3.0 * x

@kernel
def one_more(x):
    return thrice(x) + 1.0
"""
TYPES = (float64,)


class Tiny:
    """The module's source is in `folder`, the user's kernels in `kept`, the wheel's in `bundle`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.source = folder / "tiny.py"
        self.source.write_text(SOURCE)
        self.kept, self.bundle = folder / "kept", folder / "bundle"
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(store, "BUNDLE", self.bundle)
        self.keep_in(self.kept)

    def keep_in(self, folder: Path) -> None:
        self.kept = folder
        self._monkeypatch.setenv("WINDROW_CACHE", str(folder))

    def module(self) -> ModuleType:
        """As a process that has just started sees it."""
        for known in ("_source", "sources_digest", "user_folder", "_folders", "_warn"):
            self._monkeypatch.setattr(store, known, cache(getattr(store, known).__wrapped__))
        spec = importlib.util.spec_from_file_location(NAME, self.source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        self._monkeypatch.setitem(sys.modules, NAME, module)
        spec.loader.exec_module(module)
        return module

    def start(self, x: float = 2.0) -> tuple[float, list[str], list[str]]:
        """one_more(x) in a process that has just started: its value, what was compiled, and warnings."""
        with warnings.catch_warnings(record=True) as told, compile_times() as compiled:
            warnings.simplefilter("always")
            value = self.module().one_more(x)
        texts = [str(w.message) for w in told if issubclass(w.category, KernelWarning)]
        return value, [c.kernel.__name__ for c in compiled], texts

    def make_bundle(self) -> None:
        """Compiles the kernels, leaves them in the bundle only."""
        module = self.module()
        assert module.one_more(2.0) == 7.0
        store.make_bundle(self.bundle, [(module.one_more._cache, TYPES)])
        self.keep_in(self.kept.with_name("kept by somebody else"))

    def files(self, folder: Path) -> list[Path]:
        return sorted(path for path in folder.rglob("*") if path.is_file())
