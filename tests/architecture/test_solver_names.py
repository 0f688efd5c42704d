"""Solvers tell the rest what it needs to know: nobody else asks which one it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from project_checkout import ROOT

from windrow.scene.settings import BUILT_IN, name_of
from windrow.solvers.registry import solver_class, solver_names

SOURCE = ROOT / "src" / "windrow"
NAMES = {name_of(settings) for settings in BUILT_IN}
CLASSES = {settings.__name__ for settings in BUILT_IN}
OWN = {SOURCE / "scene" / "settings.py", SOURCE / "solvers" / "registry.py"}
"""Where solvers are named: their settings, and the registry; beside each one's own folder."""
ABOUT_ONE = ("validate", "bench")
"""Scenarios about one solver may make it and name it; asking which one it is, they may not either."""


def sources() -> list[Path]:
    folders = [SOURCE / "solvers" / name for name in NAMES]
    return sorted(
        path
        for path in SOURCE.rglob("*.py")
        if path not in OWN and not any(path.is_relative_to(folder) for folder in folders)
    )


def asked(tree: ast.AST) -> Iterator[int]:
    """Lines that compare with the name of a solver, or ask whose settings these are."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue):
            if any(isinstance(one, ast.Constant) and one.value in NAMES for one in ast.walk(node)):
                yield node.lineno
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            kinds = {one.id for one in ast.walk(node.args[1]) if isinstance(one, ast.Name)}
            yield from [node.lineno] if kinds & CLASSES else []


def named(tree: ast.AST) -> Iterator[int]:
    """Lines that name a solver in a text of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in NAMES:
            yield node.lineno


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_nobody_asks_which_solver_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not list(asked(tree)), "let the solver say it: solvers/interface.py"
    if path.relative_to(SOURCE).parts[0] not in ABOUT_ONE:
        assert not list(named(tree)), "let the solver say it: solvers/interface.py"


def test_the_search_would_find_it() -> None:
    for text in ("s.name == 'p2'", "s.name in ('ndem', 'other')", "isinstance(s, P2)", "isinstance(s, NDEM | P2)"):
        assert list(asked(ast.parse(text))), text
    assert list(named(ast.parse("table = {'p2': 1}")))


def test_settings_and_registry_name_the_same_solvers() -> None:
    assert set(solver_names()) == NAMES
    for settings in BUILT_IN:
        assert solver_class(name_of(settings)).settings_class is settings
