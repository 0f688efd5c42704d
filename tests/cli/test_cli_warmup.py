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
dozing = wr.Scene()
dozing.add_material("sand", density=1600.0)
dozing.add_plane((0, 0, 1), 0.0, "sand")
dozing.add_block((-0.2, -0.2, 0.05), (0.4, 0.4, 0.3), 0.04, "sand")
dozing.add_particles([(0.0, 0.0, 6.0)], radius=0.04, material="sand")
with compiling(compiled.append):
    for name in built_in_scenes():
        scene = wr.load_scene(name)
        simulation = wr.Simulation(scene, threads=2)
        for step in range(120 if scene.machines else 30):
            for lever in simulation.controls:
                simulation.control(lever, 1.0 if step % 50 < 30 else -1.0)
            simulation.step()
        if name == "pile":
            simulation.save(sys.argv[1])
            wr.Simulation.load(sys.argv[1]).step()
            draw(simulation.frame(), scene, size=(64, 36), color_by="speed")
    simulation = wr.Simulation(dozing, solver=wr.NDEM(sleep_speed=0.05), threads=2)
    asleep = [simulation.step().asleep for _ in range(90)]
    assert max(asleep) > 20 and min(asleep[asleep.index(max(asleep)):]) < 10, asleep
print(*compiled)
"""


def test_runs_start_from_the_cache_after_a_warm_up(tmp_path: Path) -> None:
    warm = subprocess.run(windrow("warmup"), capture_output=True, text=True)
    assert warm.returncode == 0, warm.stderr
    assert "compiled" in warm.stderr  # by this one or by somebody before
    again = subprocess.run(windrow("warmup"), capture_output=True, text=True)
    assert "everything was compiled already" in again.stderr
    words = [sys.executable, "-c", AFTERWARDS, str(tmp_path / "now.h5")]
    after = subprocess.run(words, capture_output=True, text=True)
    assert after.returncode == 0, after.stderr
    assert after.stdout.split() == []


def test_quiet_warm_up_says_nothing() -> None:
    done = subprocess.run(windrow("warmup", "--quiet"), capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout + done.stderr == ""
