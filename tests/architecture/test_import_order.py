"""Packages import only from themselves and from lower ones, and importing the face of Windrow is quick."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from project_checkout import ROOT

SOURCE = ROOT / "src" / "windrow"
ORDER = (
    "errors",
    "files",
    "fixed_math",
    "target",
    "linked",
    "store",
    "kernel",
    "fixed_kernels",
    "simd",
    "team",
    "compiler",
    "scene",
    "geometry",
    "terrain",
    "state",
    "collide",
    "solvers",
    "machines",
    "urdf",
    "record",
    "sim",
    "lammps",
    "measure",
    "detail",
    "render",
    "calibrate",
    "validate",
    "bench",
    "view",
    "cli",
)
"""From low to high."""
FACE = {"__init__", "__main__"}
"""The face and the entry point may name anything."""

MODULES = sorted(SOURCE.rglob("*.py"))
IMPORT_SECONDS = 1.0
"""Of processor time, which other programs change little; twice the promise of half a second even so."""


def part_of(module: Path) -> str:
    return module.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_parts(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Line and part of Windrow for each import; also those inside functions and for type checkers only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                home = package[: len(package) - node.level + 1] + home
            names = [(*home, alias.name) for alias in node.names]
        else:
            continue
        for name in names:
            if name[0] == "windrow" and name[1:] != ("__version__",):
                yield node.lineno, name[1] if len(name) > 1 else "__init__"


def test_every_part_has_a_place_in_the_order() -> None:
    parts = {part_of(module) for module in MODULES} - FACE
    assert parts <= set(ORDER), f"add {sorted(parts - set(ORDER))} to ORDER, and to ARCHITECTURE.md"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_downward(module: Path) -> None:
    part = part_of(module)
    if part in FACE:
        pytest.skip("the face and the entry point may name anything")
    tree = ast.parse(module.read_text(encoding="utf-8"))
    package = ("windrow", *module.relative_to(SOURCE).parts[:-1])
    for line, other in imported_parts(tree, package):
        assert other in ORDER, f"{module}:{line} imports windrow.{other}, which has no place in the order"
        assert ORDER.index(other) <= ORDER.index(part), f"{module}:{line}: {other} is above {part}"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import windrow.sim.run", [(1, "sim")]),
        ("import windrow", [(1, "__init__")]),
        ("from windrow import scene", [(1, "scene")]),
        ("def f():\n    from windrow.cli.app import main", [(2, "cli")]),
        ("from ..sim import run", [(1, "sim")]),
        ("from . import run", [(1, "record")]),
        ("import numpy", []),
        ("from windrow import __version__", []),
    ],
)
def test_the_reading_of_imports(code: str, expected: list[tuple[int, str]]) -> None:
    assert list(imported_parts(ast.parse(code), ("windrow", "record"))) == expected


def knows_the_bodies(code: str) -> list[int]:
    """Lines that import the solver of rigid bodies."""
    lines = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names]
        else:
            continue
        lines += [node.lineno for name in names if "multibody" in name.split(".")]
    return lines


@pytest.mark.parametrize(
    "module",
    [path for path in MODULES if path.parts[-3:-1] != ("solvers", "multibody") and part_of(path) == "solvers"],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_solvers_of_grains_know_of_bodies_only_that_they_answer(module: Path) -> None:
    assert not knows_the_bodies(module.read_text(encoding="utf-8")), "ask through solvers/movers/answering.py"


def test_the_reading_of_what_knows_the_bodies() -> None:
    for code in (
        "from windrow.solvers.multibody.stepper import MultibodyStepper",
        "from windrow.solvers import multibody",
        "def f():\n    import windrow.solvers.multibody.motion",
        "from ..multibody.motion import Motion",
    ):
        assert knows_the_bodies(code), code
    assert not knows_the_bodies("from windrow.solvers.movers.movers import Movers")


def test_importing_windrow_is_quick_and_loads_no_heavy_library() -> None:
    code = (
        "import sys, time; begin = time.process_time(); import windrow; spent = time.process_time() - begin;"
        "heavy = {'numba', 'h5py', 'matplotlib', 'trimesh', 'scipy', 'PIL'} & set(sys.modules);"
        "print(spent, *sorted(heavy))"
    )
    spent = []
    for _ in range(3):
        answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        seconds, *heavy = answer.stdout.split()
        assert heavy == []
        spent.append(float(seconds))
    assert min(spent) < IMPORT_SECONDS, f"import windrow took {min(spent):.2f} s at best"


def test_the_command_line_starts_without_a_compiler_or_plotter() -> None:
    code = (
        "import sys; import windrow.cli.app;"
        "print(*sorted({'numba', 'h5py', 'matplotlib', 'trimesh', 'scipy', 'PIL'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == []
