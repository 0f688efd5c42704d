"""Functions that only kernels call are part of the kernels' code, whether they were just compiled or loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import float64

from windrow.kernel import inner, kernel
from windrow.linked import LinkedLibrary

MODULE = """
import numpy as np
from windrow.kernel import inner, kernel

@inner
def root_of(x, k):
    if x[k] < 0.0:
        raise ValueError("negative")
    return np.sqrt(x[k])

@inner
def sum_of_roots(x):
    total = 0.0
    for k in range(len(x)):
        total += root_of(x, k)
    return total

@kernel
def twice(x):
    return 2.0 * sum_of_roots(x)

if __name__ == "__main__":
    import inside
    print(inside.twice(np.array([1.0, 4.0, 9.0])))
    try:
        inside.twice(np.array([1.0, -1.0]))
    except ValueError as problem:
        print(problem)
    print(sum(len(k.overloads) for k in (inside.root_of, inside.sum_of_roots, inside.twice)))
"""


def test_a_process_that_compiles_and_one_that_loads_do_the_same(tmp_path: Path) -> None:
    file = tmp_path / "inside.py"
    file.write_text(MODULE)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "WINDROW_CACHE": str(tmp_path / "store")}
    said = []
    for _ in range(2):
        done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.split())
    assert said[0] == ["12.0", "negative", "3"]
    assert said[1] == ["12.0", "negative", "1"]  # what is inside need not be loaded
    # One inside function is taken away, so that the caller is linked with one that comes from its file.
    next((tmp_path / "store").glob("twice-*/*")).unlink()
    done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True)
    assert done.stdout.split()[:2] == ["12.0", "negative"], done.stderr


@inner
def _cube(x):
    return x * x * x


@kernel
def _cubes(x):
    for k in range(len(x)):
        x[k] = _cube(x[k])


def test_only_kernels_have_machine_code() -> None:
    x = np.array([2.0, 3.0])
    _cubes(x)
    assert x.tolist() == [8.0, 27.0]
    (made,) = (overload.library for overload in _cubes.overloads.values())
    assert not isinstance(made, LinkedLibrary)
    _cube.compile((float64,))
    for overload in _cube.overloads.values():
        assert isinstance(overload.library, LinkedLibrary)


def test_python_is_told_that_it_cannot_call_what_is_inside() -> None:
    """Whether or not it is compiled already."""
    with pytest.raises(TypeError, match=r"test_linked\._cube is part of the kernels"):
        _cube(2)
    _cubes(np.array([2.0]))
    with pytest.raises(TypeError, match=r"_cube\.py_func"):
        _cube(2.0)
    assert _cube.py_func(2.0) == 8.0
