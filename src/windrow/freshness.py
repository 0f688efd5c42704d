"""Compiled code must belong to the sources that are here now.

Numba keeps compiled kernels on disk and looks only at the file a kernel stands in. A kernel contains the
functions it calls, so that after an update of another file the old code would be loaded and, if a signature
has changed, crash. The stamp here covers all files of this package that a kernel's file imports, directly or
not.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_IMPORT = re.compile(r"^from (windrow[\w.]*) import ([^\n(]*|\([^)]*\))", re.MULTILINE)


@cache
def _stat(file: Path) -> tuple[str, int, int]:
    status = file.stat()
    return file.name, status.st_mtime_ns, status.st_size


@cache
def _imports(file: Path) -> tuple[Path, ...]:
    """Files of this package that a file imports from."""
    found: set[Path] = set()
    for module, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
        folder = PACKAGE.joinpath(*module.split(".")[1:])
        places = [folder.with_suffix(".py"), folder / "__init__.py"]
        places += [folder / f"{name}.py" for name in re.findall(r"\w+", names)]
        found.update(place for place in places if place.is_file())
    return tuple(sorted(found))


@cache
def stamp(file: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, time and size of a file and of all it imports from this package."""
    seen: set[Path] = set()
    ahead = [file]
    while ahead:
        here = ahead.pop()
        if here not in seen:
            seen.add(here)
            ahead.extend(_imports(here))
    return tuple(sorted(_stat(f) for f in seen))
