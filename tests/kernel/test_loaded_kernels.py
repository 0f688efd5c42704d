"""Kernels are there before a run needs them: none is compiled or loaded while it goes on, and what they brought with
them does not hold a run up either."""

from __future__ import annotations

import json
import subprocess
import sys

RUN = """
import gc
import json
import sys
import numpy as np
import windrow as wr
from numba.core.dispatcher import Dispatcher

scene = wr.Scene()
scene.add_material("soil", density=1600, friction_static=0.5, stiffness=1e5, damping=88.0)
scene.add_plane(normal=(0, 0, 1), offset=0.0, material="soil")
points = np.stack(np.meshgrid(*[np.arange(8) * 0.11] * 3, indexing="ij"), -1).reshape(-1, 3) + (0, 0, 0.06)
speed = np.zeros_like(points)
speed[-1] = (-30.0, -30.0, -30.0)  # lists are mended, substeps taken back, fast grains on a level of their own
scene.add_particles(position=points, velocity=speed, radius=0.05, material="soil")
simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=2)
ours = [m for name, m in list(sys.modules.items()) if name.startswith("windrow")]
values = [getattr(k, "entry", k) for m in ours for k in vars(m).values()]
kernels = {k for k in values if isinstance(k, Dispatcher)}
before = {k: len(k.overloads) for k in kernels}
for _ in range(60):
    simulation.step()
late = sorted({k.__name__ for k in kernels if len(k.overloads) > before[k]})
print("told:", json.dumps([len(kernels), late, gc.get_freeze_count(), len(gc.get_objects())]))
"""


def told() -> tuple[int, list[str], int, int]:
    """Of a run in a process of its own: number of kernels, names of those that came after the simulation was made, and
    how many objects the garbage collector leaves alone and how many it looks through."""
    done = subprocess.run(
        [sys.executable, "-c", RUN], capture_output=True, text=True, check=True, timeout=300
    )
    return tuple(json.loads(done.stdout.split("told:")[1]))


def test_no_kernel_is_loaded_while_a_run_goes_on() -> None:
    told()  # whatever is not in the cache yet is now
    kernels, late, aside, left = told()
    assert kernels > 100
    assert late == []
    assert aside > 50_000
    assert left < 0.1 * aside  # some are what the last steps left, which the collector has not looked at yet
