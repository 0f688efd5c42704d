"""Arrays travel in structures: no function has a wall of arguments."""

from __future__ import annotations

import ast

from project_checkout import ROOT, tracked_files

MOST_PARAMETERS = 12


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> int:
    given = function.args
    return len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)


def crowded(text: str) -> list[str]:
    """Functions with too many parameters, as `name (number)`."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return [
        f"{getattr(node, 'name', 'lambda')} ({parameters(node)})"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, functions) and parameters(node) > MOST_PARAMETERS
    ]


def test_no_function_has_too_many_parameters() -> None:
    source = ROOT / "src"
    found = {
        str(path.relative_to(source)): names
        for path in tracked_files()
        if path.suffix == ".py" and source in path.parents and (names := crowded(path.read_text(encoding="utf-8")))
    }
    assert found == {}, f"more than {MOST_PARAMETERS} parameters: put what belongs together into a NamedTuple"


def test_all_kinds_of_parameters_count() -> None:
    names = [f"p{k}" for k in range(MOST_PARAMETERS)]
    assert crowded(f"def f({', '.join(names)}, *rest, **more): ...") == []
    assert crowded(f"def f({', '.join(names)}, *, last): ...") == ["f (13)"]
    assert crowded(f"def f({', '.join(names)}, /, last): ...") == ["f (13)"]
