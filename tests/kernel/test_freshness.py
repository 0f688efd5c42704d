"""A compiled kernel is taken from the cache only if no file it is made of has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import windrow
from windrow import freshness

CODE = """
import sys
from windrow.kernel import compiling
from windrow.freshmade.outer import outer
told = []
with compiling(told.append):
    value = outer(2.0)
print(value, len(told))
"""


def run(root: Path) -> tuple[float, int]:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    value, compiled = done.stdout.split()
    return float(value), int(compiled)


def test_a_change_in_a_called_file_recompiles_the_caller(tmp_path: Path) -> None:
    package = tmp_path / "windrow"
    made = package / "freshmade"
    made.mkdir(parents=True)
    source = Path(windrow.__file__).parent
    for name in ("kernel.py", "freshness.py"):
        shutil.copy(source / name, package / name)
    (package / "__init__.py").touch()
    (made / "__init__.py").touch()
    header = "from windrow.kernel import kernel\n"
    (made / "inner.py").write_text(header + "@kernel\ndef inner(x):\n    return 3.0 * x\n")
    (made / "outer.py").write_text(
        header
        + "from windrow.freshmade.inner import inner\n@kernel\ndef outer(x):\n    return inner(x) + 1.0\n"
    )
    assert run(tmp_path) == (7.0, 2)
    assert run(tmp_path) == (7.0, 0)
    (made / "inner.py").write_text(header + "@kernel\ndef inner(x):\n    return 50.0 * x\n")
    assert run(tmp_path) == (101.0, 2)
    assert run(tmp_path) == (101.0, 0)


def test_the_stamp_covers_what_a_file_imports() -> None:
    package = Path(windrow.__file__).resolve().parent
    names = {name for name, _, _ in freshness.stamp(package / "solvers" / "p2" / "kernels.py")}
    assert {"kernels.py", "laws.py", "vector.py", "simd.py", "kernel.py"} <= names
    assert "picture.py" not in names
