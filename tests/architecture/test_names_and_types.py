"""A class name means one thing, and every module is type-checked."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter

from project_checkout import ROOT

SOURCE = ROOT / "src" / "windrow"


def class_names(text: str) -> list[str]:
    """Classes of a module that others may import."""
    return [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name[0] != "_"]


def test_a_class_name_means_one_thing() -> None:
    found = Counter(name for path in SOURCE.rglob("*.py") for name in class_names(path.read_text(encoding="utf-8")))
    twice = {name for name, times in found.items() if times > 1}
    assert twice == set(), "another class has this name: give the new one a name of its own"


def test_the_reading_of_class_names() -> None:
    text = "class A: ...\nclass _B: ...\ndef f():\n    class C: ..."
    assert class_names(text) == ["A"]


def test_every_module_is_type_checked() -> None:
    mypy = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert mypy["packages"] == ["windrow"]
    assert "exclude" not in mypy
    ours = [one for one in mypy["overrides"] if any(name.startswith("windrow") for name in one["module"])]
    for one in [mypy, *ours]:
        assert one.get("check_untyped_defs", True), "the insides of loops for Numba are checked, too"
        assert not one.get("ignore_errors")
        assert not one.get("disable_error_code")
    assert mypy["check_untyped_defs"]
    for name in (name for one in ours for name in one["module"]):
        place = SOURCE.joinpath(*name.split(".")[1:])
        assert place.with_suffix(".py").is_file(), f"pyproject.toml: {name} is no more"
