"""The wheel loader fills its bucket from a heap of grains, and dumps it."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.machines.loading import loading_operator


def _payload(simulation: wr.Simulation) -> float:
    """kg of grains in the bucket"""
    bodies, state = simulation.bodies, simulation.state
    assert bodies is not None
    pose = bodies.poses()[bodies.bodies.index["bucket"]]
    local = (state.X[: state.count, :3] - pose[9:]) @ pose[:9].reshape(3, 3)
    inside = (np.abs(local - (0.8, 0.0, 0.2)) < (0.9, 1.4, 0.7)).all(axis=1)
    return float((1.0 / state.V[: state.count, 3].astype(np.float64))[inside].sum())


@pytest.mark.slow
def test_a_load_of_gravel_is_dug_weighed_and_dumped() -> None:
    simulation = wr.Simulation(wr.load_scene("loader_gravel"))
    operator, dt = loading_operator(7.0), simulation.solver.dt
    carried, pressing = 0.0, []
    while not operator.finished and simulation.time < 60.0:
        operator.act(simulation, dt)
        simulation.step()
        if operator.phase == "weigh":
            carried = _payload(simulation)
            pressing.append(-simulation.body("bucket")[0][2])
    assert operator.finished
    assert carried > 1500.0
    assert np.mean(pressing) == pytest.approx(carried * 9.81, rel=0.1)
    assert _payload(simulation) < 0.05 * carried
