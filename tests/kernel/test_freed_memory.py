"""Kernels read nothing that was freed or never written: with memory that is overwritten then, runs keep their bits."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

RUN = """
import numpy as np
import windrow as wr

scene = wr.Scene()
scene.add_material("soil", density=2650.0, friction_static=0.5)
scene.add_open_box(lower=(-0.3, -0.3, 0.0), upper=(0.3, 0.3, 3.0), material="soil")
g = np.random.default_rng(1)
x, y, z = np.meshgrid(*[np.arange(10) * 0.055 - 0.25] * 2, 0.03 + np.arange(6) * 0.055)
points = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
scene.add_particles(position=points, velocity=g.normal(0, 0.5, points.shape), radius=0.025, material="soil")
for solver in (wr.NDEM(), wr.P2()):
    simulation = wr.Simulation(scene, solver=solver, threads=2)
    for _ in range(15):
        simulation.step()
    print(simulation.hash())
"""


def hashes(tunables: str) -> list[str]:
    environment = os.environ | {"GLIBC_TUNABLES": tunables}
    run = subprocess.run(
        [sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.split()


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's malloc overwrites on request")
def test_overwriting_freed_memory_changes_no_bit() -> None:
    """Without the small caches of each thread, which would keep freed memory as it is."""
    ordinary = hashes("")
    assert len(ordinary) == 2
    assert hashes("glibc.malloc.tcache_count=0:glibc.malloc.perturb=165") == ordinary
