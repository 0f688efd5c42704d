"""What reaches a state, a packing, an inertia, a mesh or a picture is computed alike on every processor.

See `fixed_math` for why. This finds what would not be, in the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from project_checkout import ROOT

SOURCE = ROOT / "src" / "windrow"
FOLDERS = (
    "scene", "geometry", "terrain", "state", "collide", "solvers", "machines", "urdf", "record", "sim", "detail",
    "render", "view",
)  # fmt: skip
MODULES = sorted(path for folder in FOLDERS for path in (SOURCE / folder).rglob("*.py"))

ALLOWED = {
    ("scene/bodies.py", "np.linalg"): "tells only whether moments of inertia can be, within 1e-6",
    ("geometry/mesh.py", "import trimesh"): "reads files; moves parts only where a file asks for it",
    ("urdf/writing.py", "import trimesh"): "writes corners that it is given",
}
"""(file, what is found): why it may stay."""

FUNCTIONS = {
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "arcsin", "arccos", "arctan", "arctan2",
    "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "arcsinh", "arccosh", "arctanh", "sinc",
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "logspace", "geomspace",
    "pow", "power", "float_power", "cbrt", "hypot", "dist", "erf", "erfc", "gamma", "lgamma", "i0",
}  # fmt: skip
"""of NumPy and of Python's math, which come from vector libraries or the C library."""
PRODUCTS = {
    "dot", "vdot", "matmul", "inner", "tensordot", "linalg", "convolve", "correlate", "cov", "corrcoef",
    "polynomial", "polyfit", "poly1d", "roots", "fft",
}  # fmt: skip
"""of NumPy, made of BLAS, LAPACK or code by processor."""
DRAWS = {
    "normal", "standard_normal", "lognormal", "multivariate_normal", "exponential", "standard_exponential", "gamma",
    "standard_gamma", "beta", "poisson", "weibull", "rayleigh", "laplace", "logistic", "gumbel", "triangular",
}  # fmt: skip
"""Random numbers that the C library has a part in; uniform numbers and integers are exact."""
FROM_SCIPY = {"ConvexHull", "QhullError", "cKDTree"}
"""Plain arithmetic, compiled for the oldest processor."""
COMPILED = {"kernel", "parallel", "parallel_counted", "generator", "device", "inner", "bare_kernel", "bare_inner"}

Found = Iterator[tuple[int, str, str]]


def odd_arithmetic(tree: ast.AST) -> Found:
    """Line, what is there, and what to write instead."""
    compiled = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id in COMPILED for mark in function.decorator_list)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign):
            yield from _operator(node, id(node) in compiled)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _import(node)
        elif isinstance(node, ast.Call):
            yield from _call(node)


def _operator(node: ast.BinOp | ast.AugAssign, compiled: bool) -> Found:
    if isinstance(node.op, ast.MatMult):
        yield node.lineno, "@", "fixed_math.rotate, product or dot"
    elif isinstance(node.op, ast.Pow):
        base, exponent = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        # Numba multiplies; Python computes integers exactly, and asks the C library for all else.
        if not (_is_whole(exponent) and (compiled or _is_whole(base))):
            yield node.lineno, "**", "x * x, np.square, fixed_math.cube or power"


def _is_whole(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _attribute(node: ast.Attribute) -> Found:
    if isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy", "math"):
        what = f"{node.value.id}.{node.attr}"
        if node.attr in PRODUCTS and node.value.id != "math":
            yield node.lineno, what, "fixed_math.dot, norm, rotate, product, inverse; fixed_kernels.solve"
        elif node.attr in FUNCTIONS:
            yield node.lineno, what, "fixed_math or fixed_kernels; frexp for whole logarithms"


def _import(node: ast.Import | ast.ImportFrom) -> Found:
    home = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        package, name = (home or alias.name).split(".")[0], alias.name
        if package in ("math", "numpy") and home and name in FUNCTIONS | PRODUCTS:
            yield node.lineno, f"import {name}", "the function of fixed_math or fixed_kernels"
        elif package == "scipy" and name not in FROM_SCIPY:
            yield node.lineno, f"import {name}", "plain arithmetic with fixed_math"
        elif package == "trimesh":
            yield node.lineno, "import trimesh", "plain arithmetic with fixed_math"


def _call(node: ast.Call) -> Found:
    if isinstance(node.func, ast.Name) and node.func.id == "pow":
        yield node.lineno, "pow", "fixed_math.power"
    if not isinstance(node.func, ast.Attribute):
        return
    name, given = node.func.attr, {k.arg: k.value for k in node.keywords}
    of_numpy = isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "fixed_math")
    if name == "dot" and not of_numpy:
        yield node.lineno, ".dot", "fixed_math.dot, rotate or product"
    elif name in DRAWS:
        yield node.lineno, f".{name}", "uniform numbers, or fixed_math.random_directions"
    elif name == "einsum" and "optimize" in given:
        yield node.lineno, "optimize", "einsum without it, which never calls BLAS"
    elif name == "argpartition" or (name == "argsort" and "kind" not in given):
        yield node.lineno, f".{name}", 'argsort(kind="stable"): what is equal stays in order'


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_arithmetic_is_the_same_on_every_processor(module: Path) -> None:
    place = module.relative_to(SOURCE).as_posix()
    problems = [
        f"src/windrow/{place}:{line}: {what} depends on the processor; use {instead}"
        for line, what, instead in odd_arithmetic(ast.parse(module.read_text(encoding="utf-8")))
        if (place, what) not in ALLOWED
    ]
    assert not problems, "\n".join(problems)


def test_nothing_is_allowed_that_is_not_there() -> None:
    for place, what in ALLOWED:
        tree = ast.parse((SOURCE / place).read_text(encoding="utf-8"))
        assert what in {found for _, found, _ in odd_arithmetic(tree)}, (place, what)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a @ b", ["@"]),
        ("a @= b", ["@"]),
        ("r**3", ["**"]),
        ("2**63", []),
        ("x **= 2", ["**"]),
        ("@kernel\ndef f(x):\n    return x**2", []),
        ("@kernel\ndef f(x, y):\n    return x**y", ["**"]),
        ("@cache\ndef f(x):\n    return x**2", ["**"]),
        ("np.linalg.norm(a)", ["np.linalg"]),
        ("np.sqrt(np.square(a))", []),
        ("math.sin(x) + math.sqrt(x)", ["math.sin"]),
        ("from math import atan2, sqrt", ["import atan2"]),
        ("from scipy.spatial.transform import Rotation", ["import Rotation"]),
        ("from scipy.spatial import cKDTree", []),
        ("import scipy.linalg", ["import scipy.linalg"]),
        ("a.dot(b)", [".dot"]),
        ("fixed_math.dot(a, b)", []),
        ("np.dot(a, b)", ["np.dot"]),
        ("random.normal(size=3) + random.uniform()", [".normal"]),
        ("plane.normal + dot(a, b)", []),
        ("np.einsum('ij,ij->i', a, b)", []),
        ("np.einsum('ij,ij->i', a, b, optimize=True)", ["optimize"]),
        ("np.argsort(a)", [".argsort"]),
        ("np.argsort(a, kind='stable')", []),
    ],
)
def test_the_reading_of_arithmetic(code: str, expected: list[str]) -> None:
    assert [what for _, what, _ in odd_arithmetic(ast.parse(code))] == expected
