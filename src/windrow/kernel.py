"""How Numba is used here: one decorator, one threading layer, one place that tells the user what compiles.

Bits must not depend on the thread count, so two rules hold for every kernel:

* parallel loops run over blocks whose boundaries do not depend on the number of threads, because a
  compiler may treat the last elements of a vectorised loop differently from the others;
* the compiler may change no arithmetic: no fused multiply-adds of its own, no estimates of reciprocals and roots, no
  other order of sums. Numba has several copies of a function that others call, each optimised where it stands, and
  which copy runs depends on what was loaded before; with such freedoms, a process that compiles and one that loads
  what was compiled give different bits. Estimates differ between makers of processors, too. `simd.Lanes` fuses
  products and sums itself, where speed is decided.

Kernels let go of Python's lock, so that a station's server answers its pages while the simulation's thread computes;
an array is therefore the property of one thread at a time.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any

import numba
from numba import njit
from numba.core import event

from windrow.linked import LinkedCompiler, LinkedDispatcher
from windrow.store import Store
from windrow.target import fix_target

__all__ = [
    "BLOCK",
    "SameTypes",
    "at_first_call",
    "bare_inner",
    "bare_kernel",
    "called_by_python",
    "compile_times",
    "compiling",
    "device",
    "generator",
    "inner",
    "kernel",
    "load_kernels",
    "set_aside",
]

BLOCK = 256
"""Particles per block of a parallel loop: large enough to amortise a launch, small enough to balance."""

TARGET = fix_target()
"""LLVM's name of the processor that kernels are compiled for"""


def _compiled(function: Callable[..., Any], counted: bool = True, **options: Any) -> Any:
    # Said either way, because a function that says nothing about counting takes it over from its caller.
    options["_nrt"] = counted
    options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    inside = {"pipeline_class": LinkedCompiler} if options.get("no_cpython_wrapper") else {}
    dispatcher = njit(**options, **inside)(function)
    if inside:
        dispatcher.__class__ = LinkedDispatcher
    dispatcher._cache = Store(function, options)
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """A compiled, cached, serial function over arrays."""
    return _compiled(function)


def device(function: Callable[..., Any]) -> Any:
    """A small pure function, inlined into the kernels that call it."""
    return _compiled(function, inline="always")


def inner(function: Callable[..., Any]) -> Any:
    """A compiled, cached function that only compiled functions call.

    What Python can call needs code that unpacks every array of its arguments; for small functions on tables of
    many arrays that is most of the compile time.
    """
    return _compiled(function, no_cpython_wrapper=True)


def bare_kernel(function: Callable[..., Any]) -> Any:
    """A `kernel` that neither makes nor returns arrays, so that nobody need count who uses them.

    Numba counts, with an atomic instruction, each time an array is taken out of a tuple or a slice out of an array.
    In small functions on tables of many arrays that is most of the run time.
    """
    return _compiled(function, counted=False)


def bare_inner(function: Callable[..., Any]) -> Any:
    """An `inner` that neither makes nor returns arrays, see `bare_kernel`."""
    return _compiled(function, no_cpython_wrapper=True, counted=False)


def generator(function: Callable[..., Any]) -> Any:
    """A `bare_inner` that yields. Numba cannot cache those; they become part of the kernels that loop over them."""
    return njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, _nrt=False)(function)


class SameTypes:
    """A kernel that is only ever called with arguments of the types of the first call.

    Numba looks at the type of every array of the arguments at each call. For tables of a hundred arrays that takes
    four times as long as handing them over.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._code: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if self._code is not None:
            return self._code(*arguments)
        result = self._kernel(*arguments)
        self._code = self._kernel.overloads[tuple(numba.typeof(a) for a in arguments)].entry_point
        return result


def at_first_call() -> bool:
    """Whether the user wants each kernel to be compiled or loaded when it is first called, and not before."""
    return os.environ.get("WINDROW_COMPILE") == "here"


def called_by_python(kernel: Any) -> bool:
    """Whether a compiled function is called by Python, or only by other compiled functions."""
    return not kernel.targetoptions.get("no_cpython_wrapper") and "inline" not in kernel.targetoptions


@cache
def load_kernels(*packages: str) -> None:
    """Loads what the cache on disk has of the kernels in modules whose names begin so.

    Kernels that not every step needs would otherwise be loaded in the middle of a run, and one of them takes longer
    than a step may. Kernels that are not in the cache are compiled when they are first called. What has been loaded is
    set aside.
    """
    if at_first_call():
        return
    for name in [name for name in sys.modules if name.startswith(packages)]:
        for value in vars(sys.modules[name]).values():
            kernel: Any = getattr(value, "entry", value)
            known = getattr(kernel, "_cache", None)
            if isinstance(known, Store) and kernel.py_func.__module__ == name and called_by_python(kernel):
                for types in known.signatures():
                    kernel.compile(types)
    set_aside()


def set_aside() -> None:
    """What is there now is not looked through for garbage any more, until the next call.

    The garbage collector looks through every object of the process when it is thorough. Compilers and libraries leave
    some 170,000, which takes 60 ms, longer than three steps; they do not become garbage, so it need not look at them
    again.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.collect()  # also resets the number of objects whose quarter has to be new before it looks thoroughly


@dataclass
class Compiled:
    """A function that Numba has compiled."""

    kernel: Any
    types: tuple[Any, ...]
    seconds: float
    """without the functions that were compiled on its behalf"""
    root: Any
    """the one that it was compiled on behalf of, itself if on nobody's"""


@contextmanager
def compile_times() -> Iterator[list[Compiled]]:
    """What is compiled within, callees before callers."""
    done: list[Compiled] = []
    open_: list[tuple[float, list[float]]] = []
    roots: list[Any] = []

    class Listener(event.Listener):
        def on_start(self, happening: Any) -> None:
            open_.append((perf_counter(), []))
            roots.append(happening.data["dispatcher"])

        def on_end(self, happening: Any) -> None:
            begin, inner_times = open_.pop()
            whole = perf_counter() - begin
            if open_:
                open_[-1][1].append(whole)
            data = happening.data
            done.append(Compiled(data["dispatcher"], tuple(data["args"]), whole - sum(inner_times), roots[0]))
            roots.pop()

    with event.install_listener("numba:compile", Listener()):
        yield done


@contextmanager
def compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """Calls `tell(kernel name)` for each kernel compiled within, and for none that came from the cache."""

    class Listener(event.Listener):
        def on_start(self, happening: Any) -> None:
            dispatcher = happening.data.get("dispatcher")
            name = getattr(dispatcher, "__qualname__", None)
            module = getattr(getattr(dispatcher, "py_func", None), "__module__", "")
            if name and module.startswith("windrow"):
                tell(name)

        def on_end(self, happening: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield
