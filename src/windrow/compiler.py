"""Compiles the kernels that are needed, and no others, on all cores at once.

Which kernels a scene needs, with which argument types, is written down in `kernels.json`; `windrow warmup --record`
makes it by running a small scene of each kind. From that list, worker processes take what the store does not have yet.
They need no leader: a worker marks what it compiles, others pass over it (see `store.py`), and the parent counts files.

A kernel that is missing from the list is compiled when it is first called, on one core; a test finds those of the
built-in scenes.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

from numba.core import types as numba_types

from windrow import store
from windrow.kernel import at_first_call, called_by_python

types: Any = numba_types  # its stubs lack half of it
LIST = Path(__file__).resolve().parent / "kernels.json"
FEW_SECONDS = 1.0
"""What takes less to compile is not worth further processes."""
_POLL = 0.05
"""s, how long a worker waits that finds all taken"""
_LOOK = 0.25
"""s between two looks of the parent at what is done; each looks for every file that is left"""


@dataclass(frozen=True)
class ListedKernel:
    """A function to compile."""

    name: str
    """module:function, with `.body` behind it for what the members of a team run"""
    types: tuple[Any, ...]
    parts: frozenset[str]
    """of the program that need it"""
    seconds: float
    """that it took on one core when the list was made"""
    root: bool
    """whether it was compiled on nobody's behalf; those that it needs stand before it in the list"""

    @cached_property
    def known(self) -> bool:
        """Whether there is such a function; a list may be older than the program."""
        return self.name in dispatchers(self.name.partition(":")[0])

    @cached_property
    def dispatcher(self) -> Any:
        return dispatchers(self.name.partition(":")[0])[self.name]

    @cached_property
    def _files(self) -> list[Path]:
        return list(self.dispatcher._cache.files(self.types))

    @property
    def there(self) -> bool:
        return any(file.exists() for file in self._files)


@cache
def dispatchers(module: str) -> dict[str, Any]:
    """Compiled functions that stand in a module, by their names in the list; none if there is no such module."""
    found: dict[str, Any] = {}
    if find_spec(module) is None:
        return found
    for name, value in vars(importlib.import_module(module)).items():
        bare = getattr(value, "_kernel", value)  # kernel.SameTypes
        kernel: Any
        for suffix, kernel in (("", getattr(bare, "entry", bare)), (".body", getattr(bare, "body", None))):
            known = isinstance(getattr(kernel, "_cache", None), store.Store)
            if known and (kernel.py_func.__module__, kernel.py_func.__name__) == (module, name):
                found[f"{module}:{name}{suffix}"] = kernel
    return found


def _maker(module: str, name: str) -> Any:
    """Class of a tuple with names, or None if there is none."""
    return getattr(importlib.import_module(module), name, None) if find_spec(module) else None


class Types:
    """Argument types as numbers in a table of texts and back."""

    def __init__(self, table: Iterable[Any] = ()) -> None:
        self.table: list[Any] = []
        self._number: dict[str, int] = {}
        self._made: list[Any] = []
        for row in table:
            self._keep(row)

    def number(self, kind: Any) -> int:
        """Of a type, which is added to the table if it is new."""
        row: list[Any]
        if isinstance(kind, types.NamedTuple | types.NamedUniTuple):
            maker = kind.instance_class
            row = ["tuple", f"{maker.__module__}:{maker.__qualname__}", *map(self.number, kind.types)]
        elif isinstance(kind, types.BaseTuple):
            row = ["tuple", "", *map(self.number, kind.types)]
        elif isinstance(kind, types.Array):
            row = ["array", str(kind.dtype), kind.ndim, kind.layout, kind.mutable, kind.aligned]
        elif isinstance(kind, types.Literal):
            row = ["literal", kind.literal_value]
        elif isinstance(kind, types.Number | types.Boolean | types.NoneType):
            row = [str(kind)]
        else:
            raise TypeError(f"{kind!r}: arguments of this type have no place in the list of kernels")
        return self._keep(row)

    def _keep(self, row: list[Any]) -> int:
        text = json.dumps(row)
        if text not in self._number:
            self._number[text] = len(self.table)
            self.table.append(row)
            self._made.append(self._make(row))
        return self._number[text]

    def _make(self, row: list[Any]) -> Any:
        """The type; None if a tuple's class is no longer there: the list may be older than the program."""
        what, *rest = row
        if what == "tuple":
            parts = [self._made[k] for k in rest[1:]]
            if not rest[0] or None in parts:
                return types.BaseTuple.from_types(parts) if None not in parts else None
            maker = _maker(*rest[0].split(":"))
            fits = maker is not None and len(maker._fields) == len(parts)
            return types.BaseTuple.from_types(parts, maker) if fits else None
        if what == "array":
            return types.Array(getattr(types, rest[0]), rest[1], rest[2], readonly=not rest[3], aligned=rest[4])
        if what == "literal":
            return types.literal(rest[0])
        return getattr(types, {"bool": "boolean"}.get(what, what))

    def __getitem__(self, numbers: Iterable[int]) -> tuple[Any, ...]:
        return tuple(self._made[k] for k in numbers)


@cache
def listed() -> tuple[ListedKernel, ...]:
    """All items, in the order in which they are best compiled."""
    content = json.loads(LIST.read_text(encoding="utf-8"))
    kinds, parts = Types(content["types"]), content["parts"]
    return tuple(
        ListedKernel(name, kinds[given], frozenset(parts[k] for k in of), seconds, bool(root))
        for name, given, of, seconds, root in content["kernels"]
        if None not in kinds[given]
    )


def missing(parts: Iterable[str]) -> list[ListedKernel]:
    """What these parts of the program need and the store does not have."""
    wanted = set(parts)
    needed = (item for item in listed() if wanted & item.parts and item.known)
    return [item for item in needed if called_by_python(item.dispatcher) and not item.there]


QUIET: ContextVar[bool] = ContextVar("QUIET", default=False)
"""whether compiling is not to be told of"""
SEEN_TO: ContextVar[bool] = ContextVar("SEEN_TO", default=False)
"""whether somebody else sees to it that kernels are compiled"""


@contextmanager
def _shown(kernels: int) -> Iterator[Callable[[float, float], None]]:
    """A progress bar on standard error; a line where that is no terminal."""
    if QUIET.get() or sys.stderr is None or not sys.stderr.isatty():
        if not QUIET.get() and sys.stderr is not None:
            print(f"compiling {kernels} kernels (first run only)", file=sys.stderr, flush=True)
        yield lambda done, whole: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    what = TextColumn("{task.description}")
    columns = (what, BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"compiling {kernels} kernels (first run only)", total=1.0)
        yield lambda done, whole: progress.update(task, completed=done / max(whole, 1e-9))


def compile_parts(parts: Iterable[str]) -> int:
    """Compiles what is missing, on all cores; returns how many kernels that were.

    With one core, a disk that keeps nothing, or little to do, it is left to the first call of each kernel.
    """
    from windrow.team import available_cores

    wanted = sorted(set(parts))
    ahead = [] if SEEN_TO.get() else missing(wanted)
    if sum(item.seconds for item in ahead) < FEW_SECONDS or available_cores() == 1 or _left_to_calls():
        return 0
    Compiling(wanted, ahead).finish()
    store.prune()
    return len(ahead)


def compile_meanwhile(parts: Iterable[str]) -> Compiling | None:
    """Begins to compile what is missing, beside what this process does; None if it is left to the first calls."""
    wanted = sorted(set(parts))
    ahead = missing(wanted)
    return None if not ahead or _left_to_calls() else Compiling(wanted, ahead)


@contextmanager
def seen_to() -> Iterator[None]:
    """Within, `compile_parts` does nothing."""
    before = SEEN_TO.set(True)
    try:
        yield
    finally:
        SEEN_TO.reset(before)


def _left_to_calls() -> bool:
    return at_first_call() or not store.writable()


class Compiling:
    """Processes that compile what some parts of the program need, one for each core."""

    def __init__(self, wanted: list[str], ahead: list[ListedKernel]) -> None:
        from windrow.team import available_cores

        self._left = ahead
        command = [sys.executable, "-m", "windrow.compiler", *wanted]
        # What there is to warn of, this process has said already.
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "PYTHONWARNINGS": "ignore"}
        self._running = [
            subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            for _ in range(available_cores())
        ]

    def left(self) -> list[ListedKernel]:
        """What is not there yet; nothing more comes once the processes have ended."""
        # All are asked: one that has died and was not asked counts as alive, and its marks hold the others up.
        alive = None in [process.poll() for process in self._running]
        self._left = [item for item in self._left if not item.there]
        return self._left if alive else []

    def finish(self) -> None:
        """Waits until all is there, and shows how far it is."""
        try:
            left = self.left()
            if not left:
                return
            whole = sum(item.seconds for item in left)
            with _shown(len(left)) as tell:
                while left:
                    time.sleep(_LOOK)
                    left = self.left()
                    tell(whole - sum(item.seconds for item in left), whole)
        finally:
            self.end()

    def end(self) -> None:
        for process in self._running:
            process.terminate()
            process.wait()


def work(parts: Iterable[str]) -> None:
    """What a worker does: takes what nobody has taken, until there is nothing left.

    It takes a root with all that is compiled on its behalf: workers that share those out wait for each other most of
    the time. What is left then was compiled on behalf of something else when the list was made.
    """
    gc.set_threshold(1_000_000, 20, 20)  # as often as Python looks by itself, it takes a sixth of the time
    wanted = set(parts)
    needed = [item for item in listed() if wanted & item.parts and item.known]
    for roots in (True, False):
        _compile([item for item in needed if item.root or not roots])


def _compile(left: list[ListedKernel]) -> None:
    while left:
        rest = []
        for item in left:
            if item.there:
                continue
            if not item.dispatcher._cache.take(item.types):
                rest.append(item)
                continue
            try:
                item.dispatcher.compile(item.types)
            except Exception as problem:  # an old list: what the scene really needs is compiled when it is called
                store.give_up_all()
                print(f"{item.name}: not compiled: {str(problem).splitlines()[0]}", file=sys.stderr)
            item.dispatcher._cache.give_up(item.types)  # still marked if another process finished before we took it
        if len(rest) == len(left):
            time.sleep(_POLL)
        left = rest


def write_list(file: Path, found: dict[str, tuple[list[Any], list[Any]]]) -> None:
    """Writes the list of kernels from what each part compiled (name, types, seconds, on whose behalf) and called.

    The dearest come first, each behind those it needs, so that no core is left with a long one at the end.
    """
    parts_of: dict[str, set[int]] = {}
    for number, (_, called) in enumerate(found.values()):
        for name, given in called:
            parts_of.setdefault(f"{name}{given}", set()).add(number)
    groups: dict[str, list[Any]] = {}
    for made, _ in found.values():
        group: list[Any] = []
        for name, given, seconds, root in made:
            group.append((name, given, seconds))
            if name == root:
                groups[f"{name}{given}"] = group
                group = []
    kinds = Types()
    order = sorted(groups.items(), key=lambda pair: -sum(item[2] for item in pair[1]))
    rows = [
        [
            name,
            [kinds.number(kind) for kind in given],
            sorted(parts_of.get(key, ())),
            round(seconds, 2),
            int(k == len(group) - 1),
        ]
        for key, group in order
        for k, (name, given, seconds) in enumerate(group)
    ]
    text = ",\n".join(json.dumps(row) for row in rows)
    table = ",\n".join(json.dumps(row) for row in kinds.table)
    head = f'{{"parts": {json.dumps(list(found))},\n"types": [\n{table}\n],\n"kernels": [\n{text}\n]}}\n'
    file.write_text(head, encoding="utf-8")


def with_deep_stack(function: Callable[..., None]) -> Callable[..., None]:
    """The same function; its frame is so large that Python gives it a piece of stack with a megabyte to spare.

    Python takes memory for its stack in pieces of 16 kB and gives them back at once. Numba's calls are nested
    thousands deep, so that a loop often stands at the edge of a piece: a sixth of the time went into getting the next
    one from the system and handing it back.
    """
    slots = 2**17  # of 8 bytes: one more than half a piece of 2 MB
    return FunctionType(function.__code__.replace(co_stacksize=slots), function.__globals__)


if __name__ == "__main__":
    with_deep_stack(work)(sys.argv[1:])
