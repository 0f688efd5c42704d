"""Compiled kernels on disk: what was compiled once, here or for the wheel, is loaded and not compiled again.

A file holds one kernel for one set of argument types. Its folder's name is a digest of all that the code was made of:
the sources, Python, Numba, LLVM, the target and the compiler's options. What does not fit is therefore not found, and
clones of the same state share what one of them has compiled. Numba's own cache looks at the time stamp of one source
file, keeps an index that two processes can overwrite for each other, and cannot be shipped.

Kernels are looked for in the installation (`compiled/`, in wheels that bring it) and then in the user's cache folder,
`WINDROW_CACHE` or the system's own. A file is written under another name first and renamed; a SHA-256 tells a broken
one, which is made anew. A disk that is full or read-only costs a warning, and time.

While a process compiles a kernel it leaves a mark, and others that need the same one wait for it: processes that start
together share the work.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import platform
import re
import shutil
import sys
import time
import uuid
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from platformdirs import user_cache_path

from windrow.errors import FileFormatError, KernelWarning
from windrow.linked import linked

PACKAGE = Path(__file__).resolve().parent
BUNDLE = PACKAGE / "compiled"
"""kernels that a wheel brings"""
ABOUT = "about.json"
_MARK = b"windrow kernel 1\n"
_NO_BITCODE = llvm.parse_assembly("").as_bitcode()
_WAIT = 0.02
"""s between two looks for a kernel that another process compiles"""
_BUSY = ".busy"
_LEFT: set[Path] = set()
"""marks of this process; files, and so no state of a simulation"""
KEPT_DAYS = 60
"""days after which kernels that nobody has loaded are removed"""
_LONGEST = 1200.0
"""s, more than any kernel takes with all that it calls: a mark older than that was left by a process that is gone"""
_IMPORT = re.compile(r"^from (windrow[\w.]*) import ([^\n(]*|\([^)]*\))", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(#.*)?\n", re.MULTILINE)
_NOT_IN_KERNELS = {
    PACKAGE / name for name in ("errors.py", "kernel.py", "linked.py", "store.py", "target.py", "__init__.py")
}
"""sources that decide how kernels are compiled, not what is in them; their choices are among the compiler's options"""


def made_with() -> dict[str, str]:
    """What compiled code depends on besides the sources."""
    return {
        "python": f"{sys.implementation.cache_tag} {platform.machine()} {sys.platform}",
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "target": f"{config.CPU_NAME} {config.CPU_FEATURES}",
        "optimisation": f"{config.OPT} {config.LOOP_VECTORIZE} {config.SLP_VECTORIZE}",
        "inner functions": "linked",
    }


@cache
def _source(file: Path) -> tuple[bytes, tuple[Path, ...]]:
    """Digest of a source without its comments, and the files of this package that it imports from."""
    text = file.read_text(encoding="utf-8")
    found: set[Path] = set()
    for module, names in _IMPORT.findall(text):
        folder = PACKAGE.joinpath(*module.split(".")[1:])
        places = [folder.with_suffix(".py"), folder / "__init__.py"]
        places += [folder / f"{name}.py" for name in re.findall(r"\w+", names)]
        found.update(place for place in places if place.is_file())
    return hashlib.sha256(_COMMENT.sub("", text).encode()).digest(), tuple(sorted(found))


@cache
def sources_digest(file: Path) -> str:
    """Of a file and of all that it imports from this package, directly or not."""
    seen: set[Path] = set()
    ahead = [file]
    while ahead:
        here = ahead.pop()
        if here not in seen and here not in _NOT_IN_KERNELS:
            seen.add(here)
            ahead.extend(_source(here)[1])
    digest = hashlib.sha256()
    for source in sorted(seen):
        digest.update(source.name.encode())
        digest.update(_source(source)[0])
    return digest.hexdigest()


@cache
def user_folder() -> Path:
    """Where this user's compiled kernels are kept."""
    given = os.environ.get("WINDROW_CACHE")
    return Path(given) if given else user_cache_path("windrow") / "kernels"


@cache
def _folders() -> tuple[Path, ...]:
    return (BUNDLE, user_folder()) if _bundle_fits() else (user_folder(),)


def _bundle_fits() -> bool:
    """Whether the wheel's kernels are for this machine; says so if they are not."""
    try:
        about = dict(json.loads((BUNDLE / ABOUT).read_text(encoding="utf-8")))
    except OSError:
        return False
    except (TypeError, ValueError):
        about = {}
    here = made_with()
    other = [f"{key} {about.get(key)!r}, here {here[key]!r}" for key in here if about.get(key) != here[key]]
    if other:
        _warn(f"the kernels that Windrow was installed with do not fit ({'; '.join(other)}): compiling on first use")
    return not other


def make_bundle(folder: Path, kernels: Iterable[tuple[Store, Any]]) -> None:
    """Copies compiled kernels, given with their argument types, into a folder: a wheel's `compiled/`."""
    for store, types in kernels:
        content = next((file.read_bytes() for file in store.files(types) if _read(file)), None)
        if content is None:
            raise FileFormatError(f"{user_folder()}: {store.name} is not kept there, so no wheel can bring it")
        copy = store.file(folder, types)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
    (folder / ABOUT).write_text(json.dumps(made_with(), indent=2) + "\n", encoding="utf-8")


@cache
def _warn(text: str) -> None:
    """Once each."""
    warnings.warn(text, KernelWarning, stacklevel=3)


class Store(_Cache):
    """The compiled forms of one function, in the way that Numba asks for them."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self._function, self._options = function, options

    @cached_property
    def name(self) -> str:
        """Of the function's folder: its own name, and a digest of all that its code is made of."""
        function = self._function
        parts = [function.__module__, function.__qualname__, repr(sorted(self._options.items(), key=str))]
        file = Path(sys.modules[function.__module__].__file__ or "")
        parts += [sources_digest(file.resolve()), json.dumps(made_with())]
        return f"{function.__name__}-{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:20]}"

    def file(self, folder: Path, types: Any) -> Path:
        """Where a folder has the code for some argument types, if it has it."""
        return folder / self.name / hashlib.sha256(repr(types).encode()).hexdigest()[:20]

    def files(self, types: Any) -> list[Path]:
        return [self.file(folder, types) for folder in _folders()]

    @property
    def cache_path(self) -> str:
        return str(user_folder() / self.name)

    def signatures(self) -> Iterator[Any]:
        """Argument types that there is compiled code for."""
        for folder in _folders():
            with suppress(OSError):
                for file in sorted((folder / self.name).iterdir()):
                    found = _read(file)
                    if found is not None:
                        yield found[0]

    def has(self, types: Any) -> bool:
        return any(file.exists() for file in self.files(types))

    def take(self, types: Any) -> bool:
        """Marks it as this process's to compile; False if another process compiles it."""
        return _leave_mark(self.file(user_folder(), types).with_suffix(_BUSY))

    def load_overload(self, types: Any, target_context: Any) -> CompileResult | None:
        """Called by Numba before it compiles; waits for another process that compiles the same."""
        target_context.refresh()
        mark = self.file(user_folder(), types).with_suffix(_BUSY)
        marked = False
        while True:
            found = next(filter(None, map(_read, self.files(types))), None)
            if found is not None:
                if marked:  # another process finished between our look and our mark
                    _remove(mark)
                load = linked if self._options.get("no_cpython_wrapper") else _loaded
                return load(target_context, *found[1])
            if marked:
                return None
            marked = _leave_mark(mark)
            if not marked:
                time.sleep(_WAIT)

    def save_overload(self, types: Any, result: CompileResult) -> None:
        """Called by Numba after it has compiled."""
        file = self.file(user_folder(), types)
        for environment in result._find_referenced_environments():
            result.library.codegen.set_env(environment.env_name, environment)  # of those that have no machine code
        if not result.lifted and not result.library.has_dynamic_globals:
            # A listing of the types within, a fifth of the file, is for people who look into a function just compiled.
            _write(file, dumps((types, result._replace(type_annotation="")._reduce())))
        self.give_up(types)

    def give_up(self, types: Any) -> None:
        """Takes the mark back."""
        mark = self.file(user_folder(), types).with_suffix(_BUSY)
        _LEFT.discard(mark)
        _remove(mark)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...


def _loaded(target_context: Any, library: tuple[str, str, tuple[bytes, bytes]], *others: Any) -> CompileResult:
    """A kernel from its file, for Python to call.

    A file has machine code, and LLVM's bitcode for kernels that this one becomes part of. Few become part of others
    after they were loaded, and parsing bitcode takes as long as all other loading: it waits until it is needed.
    """
    name, kind, (machine_code, bitcode) = library
    described = others[0]
    # Numba asks the bitcode for these names before it looks for them in the machine code.
    names = described.llvm_func_name, described.llvm_cpython_wrapper_name, described.llvm_cfunc_wrapper_name
    target_context.codegen()._engine._defined_symbols.update(names)
    result = CompileResult._rebuild(target_context, (name, kind, (machine_code, _NO_BITCODE)), *others)
    result.library._get_module_for_linking = partial(_parsed, result.library, bitcode)
    return result


def _parsed(library: Any, bitcode: bytes) -> Any:
    """What Numba does when it loads a library; from then on, the library has its bitcode itself."""
    library._shared_module = llvm.parse_bitcode(bitcode)
    library.codegen._engine._load_defined_symbols(library._shared_module)
    del library._get_module_for_linking
    return library._shared_module


def _read(file: Path) -> tuple[Any, Any] | None:
    """Types and code; None if there is no such file, or a broken one."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    head = len(_MARK)
    digest, body = content[head : head + 32], content[head + 32 :]
    if file.suffix or content[:head] != _MARK or hashlib.sha256(body).digest() != digest:
        return None
    types, code = pickle.loads(body)
    if user_folder() in file.parents:
        with suppress(OSError):
            os.utime(file.parent)  # in use, see `prune`
    return types, code


def _write(file: Path, body: bytes) -> None:
    temporary = file.with_suffix(f".{uuid.uuid4().hex[:12]}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(_MARK + hashlib.sha256(body).digest() + body)
        os.replace(temporary, file)
    except OSError as problem:
        _remove(temporary)
        _warn(
            f"compiled kernels cannot be kept in {user_folder()} ({problem.strerror}): each start compiles them again. "
            "Make room there, or name another folder with WINDROW_CACHE"
        )


def _leave_mark(mark: Path) -> bool:
    """Whether this process is to compile: nobody else does, or nobody can tell."""
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        with open(mark, "x", encoding="ascii") as file:
            file.write(str(os.getpid()))
        _LEFT.add(mark)
        return True
    except FileExistsError:
        return _owner(mark) in (None, os.getpid())
    except OSError:
        _remove(mark)  # made, but not written: the disk is full
        return True


def _owner(mark: Path) -> int | None:
    """The process that left a mark; None if there is no mark, or a dead process's, which is removed."""
    try:
        text, age = mark.read_text(encoding="ascii"), time.time() - mark.stat().st_mtime
        owner = int(text) if text.isdigit() else -1
        if age > _LONGEST:
            raise ProcessLookupError
        if owner > 0 and sys.platform != "win32":
            os.kill(owner, 0)
        return owner
    except ProcessLookupError:
        _remove(mark)
        return None
    except PermissionError:
        return owner
    except OSError:
        return None


def give_up_all() -> None:
    """Takes all marks of this process back: when a kernel cannot be compiled, those inside it will not be either."""
    while _LEFT:
        _remove(_LEFT.pop())


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink()


def prune() -> None:
    """Removes what no process has loaded for `KEPT_DAYS`: kernels of versions that are gone."""
    oldest = time.time() - 86_400 * KEPT_DAYS
    with suppress(OSError):
        for folder in user_folder().iterdir():
            if folder.is_dir() and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def writable() -> bool:
    """Whether compiled kernels can be kept."""
    probe = user_folder() / f".probe{uuid.uuid4().hex[:12]}"
    try:
        user_folder().mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"windrow")
    except OSError:
        return False
    finally:
        _remove(probe)
    return True
