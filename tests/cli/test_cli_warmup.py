"""After `windrow warmup`, nothing that users commonly do compiles anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from cli_scenes import windrow

AFTERWARDS = """
import sys, warnings
warnings.simplefilter("ignore")
import windrow as wr
from windrow.kernel import compiling
from windrow.render.picture import draw
from windrow.scene import built_in_scenes

compiled = []
with compiling(compiled.append):
    for name in built_in_scenes():
        scene = wr.load_scene(name)
        simulation = wr.Simulation(scene, threads=2)
        for _ in range(3):
            simulation.step()
        if name == "pile":
            simulation.save(sys.argv[1])
            wr.Simulation.load(sys.argv[1]).step()
            draw(simulation.frame(), scene, size=(64, 36), color_by="speed")
print(*compiled)
"""


def test_runs_start_from_the_cache_after_a_warm_up(tmp_path: Path) -> None:
    warm = subprocess.run(windrow("warmup"), capture_output=True, text=True)
    assert warm.returncode == 0, warm.stderr
    assert "P² with parallel Jacobi" in warm.stderr
    again = subprocess.run(windrow("warmup"), capture_output=True, text=True)
    assert "in the cache already" in again.stderr
    words = [sys.executable, "-c", AFTERWARDS, str(tmp_path / "now.h5")]
    after = subprocess.run(words, capture_output=True, text=True)
    assert after.returncode == 0, after.stderr
    assert after.stdout.split() == []


def test_quiet_warm_up_says_nothing() -> None:
    done = subprocess.run(windrow("warmup", "--quiet"), capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout + done.stderr == ""
