"""The same bits on other processors than this one, which qemu emulates instruction by instruction.

Needs Debian's `qemu-user` and compiled kernels; `make validate` runs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import windrow

QEMU = shutil.which("qemu-x86_64")
MODELS = ("Haswell", "EPYC", "Skylake-Client")
RUN = """
import warnings
warnings.simplefilter("ignore")
import windrow as wr
for name in ("pile", "column_collapse", "wheel_and_plank", "loader_gravel"):
    simulation = wr.Simulation(wr.load_scene(name), threads=2)
    for _ in range(40):
        simulation.step()
    print(name, simulation.hash())
"""
TARGET = """
import warnings
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from windrow.kernel import TARGET
print(TARGET, len(said), "AVX2" in str(said[0].message) if said else "")
"""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(QEMU is None, reason="needs qemu-x86_64, Debian's package qemu-user"),
]


def told(code: str, model: str | None = None) -> str:
    """What a program prints, on this processor or on an emulated one."""
    paths = [str(Path(windrow.__file__).parent.parent), *(path for path in sys.path if path.endswith("packages"))]
    emulator = [str(QEMU), "-cpu", model] if model else []
    done = subprocess.run(
        [*emulator, os.path.realpath(sys.executable), "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def here() -> str:
    return told(RUN)


@pytest.mark.parametrize("model", MODELS)
def test_another_processor_gives_the_same_bits(model: str, here: str) -> None:
    assert told(RUN, model) == here


def test_an_old_processor_gets_plain_code_and_a_warning() -> None:
    assert told(TARGET, "Nehalem").split() == ["x86-64", "1", "True"]
