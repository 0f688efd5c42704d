"""Kernels are there before a run needs them: none is compiled or loaded while it goes on."""

from __future__ import annotations

import subprocess
import sys

RUN = """
import gc
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
kernels = [k for k in gc.get_objects() if isinstance(k, Dispatcher) and k.__module__.startswith("windrow")]
before = {k: len(k.overloads) for k in kernels}
for _ in range(60):
    simulation.step()
print("late:", *sorted({k.__name__ for k in kernels if len(k.overloads) > before[k]}))
"""


def late() -> set[str]:
    """Names of the kernels that came after the simulation was made, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", RUN], capture_output=True, text=True, check=True, timeout=300
    )
    return set(done.stdout.split("late:")[1].split())


def test_no_kernel_is_loaded_while_a_run_goes_on() -> None:
    late()  # whatever is not in the cache yet is now
    assert late() == set()
