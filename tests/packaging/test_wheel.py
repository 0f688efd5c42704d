"""The wheel of `make wheel`, installed into an empty environment: its first run compiles nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WINDROW = """
import json, os, sys, time
from windrow.cli.app import app
from windrow.kernel import compile_times
from windrow.sim.simulation import Simulation

first, step = [], Simulation.step

def timed(simulation):
    report = step(simulation)
    first.append((time.time() - float(os.environ["BEGIN"]), time.process_time()))
    return report

Simulation.step = timed
try:
    with compile_times() as compiled:
        app()
finally:
    names = [c.kernel.__name__ for c in compiled]
    print("told:", json.dumps({"first": first[0], "compiled": names}), file=sys.stderr)
"""
"""the command `windrow`, which tells at its end what it compiled, and when its first step was done"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kernels that are in the user's cache folder are taken from there."""
    out = tmp_path_factory.mktemp("dist")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, str(ROOT / "tools" / "wheel.py"), str(out)], env=environment, check=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the wheel and what it requires, and nothing else."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=True)
    found = place / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    command = ["-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt"), str(wheel)]
    subprocess.run([str(found), *command], cwd=place, env=clean(), check=True)
    return found


def clean(**more: str) -> dict[str, str]:
    """Environment variables without those that lead to the sources or to compiled kernels."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "WINDROW"))}
    return {**kept, **more}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_wheel_is_for_this_interpreter_and_brings_no_part_twice(wheel: Path) -> None:
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{tag}-{tag}-" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    assert "windrow/compiled/about.json" in names
    assert "windrow/kernels.json" in names
    assert wheel.stat().st_size < 20e6


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("scene", ["pile", "loader_rocks"])
def test_the_first_run_compiles_nothing(
    python: Path, wheel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], scene: str
) -> None:
    kept = tmp_path / "kept"
    environment = clean(WINDROW_CACHE=str(kept), BEGIN=str(time.time()))
    command = [str(python), "-c", WINDROW, "run", scene, "--seconds", "1", "--json"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said, _, told = done.stderr.partition("told:")
    result, told = json.loads(done.stdout), json.loads(told)
    assert (told["compiled"], said, result["warnings"]) == ([], "", [])
    assert result["time"] == pytest.approx(1.0)
    assert not kept.exists()
    seconds, processor = told["first"]
    with capsys.disabled():
        print(
            f"\n{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB: the first step of {scene} was done "
            f"{seconds:.1f} s after the start ({processor:.1f} s of processor time)"
        )
