"""Water on ground in columns: it lies in a trench, weighs on it, and goes nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.validate.fluid_scenes import block

D = 0.08


@pytest.mark.slow
def test_a_trench_holds_water() -> None:
    x, y = np.linspace(-1.2, 1.2, 13), np.linspace(-0.8, 0.8, 9)
    along, across = np.meshgrid(x, y, indexing="ij")
    height = np.minimum(0.0, np.maximum(np.maximum(np.abs(across) - 0.7, np.abs(along) - 1.1), -0.4))
    scene = wr.Scene(solver=wr.Fluid())
    scene.add_material("water", density=1000.0)
    scene.add_terrain(cell=0.2, height=height, soil="clay", fidelity="field", depth=1.0)
    scene.add_particles(block((0.96, 0.4, 0.4), D) + np.array([-0.48, -0.2, -0.39]), radius=0.5 * D, material="water")
    simulation = wr.Simulation(scene, threads=1)
    weight = 9.81 * float(simulation.particles.mass.sum())
    load = 0.0
    for step in range(600):
        simulation.step()
        if step >= 500:
            load -= float(simulation.body("terrain")[0][2]) / 100
        place = simulation.particles.position.astype(np.float64)
        above = place[:, 2] - simulation.terrain.height_at(place[:, 0], place[:, 1])
        assert above.min() > 0.45 * D
    assert len(simulation.particles) == 12 * 5 * 5
    assert simulation.ledger["mass_error"] == 0.0
    # waves still run to and fro by then
    assert load == pytest.approx(weight, rel=0.03)
    upper = place[place[:, 2] > np.quantile(place[:, 2], 0.8)]
    assert abs(upper[upper[:, 0] < 0, 2].mean() - upper[upper[:, 0] > 0, 2].mean()) < 0.5 * D
