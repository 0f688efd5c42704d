"""Grains of NDEM on every shape of obstacle, at rest and moving: what one side gets, the other gives."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from made import MASS, G, R, lattice, soil

import windrow as wr
from windrow.scene import Linear, Spin

HILLS = 0.1 * np.array([[0.0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
CORNERS = np.array([[-0.6, -0.6, 0], [0.6, -0.6, 0], [0, 0.6, 0], [0, 0, -0.5]])
CLOSED = np.array([[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
FUNNEL = [(0.5, 0.3), (0.1, -0.2), (0.0, -0.2)]

SHAPES: dict[str, Callable[..., object]] = {
    "plane": lambda s, **m: s.add_plane((0, 0, 1), 0.0, "soil", **m),
    "box": lambda s, **m: s.add_box((0, 0, -0.25), (0.8, 0.8, 0.5), "soil", **m),
    "sphere": lambda s, **m: s.add_sphere((0, 0, -0.4), 0.4, "soil", **m),
    "cylinder": lambda s, **m: s.add_cylinder((0, 0, -0.25), 0.4, 0.5, "soil", **m),
    "capsule": lambda s, **m: s.add_capsule((0, 0, -0.5), 0.3, 0.4, "soil", **m),
    "cone": lambda s, **m: s.add_cone((0, 0, -0.45), 0.4, 0.5, "soil", **m),
    "bowl": lambda s, **m: s.add_sphere((0, 0, 0.4), 0.6, "soil", inside=True, **m),
    "height field": lambda s, **m: s.add_height_field((1.2, 1.2), HILLS, "soil", position=(0, 0, -0.1), **m),
    "closed mesh": lambda s, **m: s.add_mesh(SimpleNamespace(vertices=CORNERS, faces=CLOSED), "soil", **m),
    "open mesh": lambda s, **m: s.add_mesh(SimpleNamespace(vertices=CORNERS, faces=CLOSED[:1]), "soil", **m),
    "funnel": lambda s, **m: s.add_revolution(FUNNEL, "soil", **m),
    "distance function": lambda s, **m: s.add_distance_function(
        lambda p: np.linalg.norm(p, axis=1) - 0.4, (-0.5,) * 3, (0.5,) * 3, 0.05, "soil", position=(0, 0, -0.4), **m
    ),
}
MOTIONS = {
    "at rest": {},
    "lifted": {"motion": Linear(velocity=(0.2, 0.0, 0.5))},
    "turned": {"motion": Spin(axis=(0, 0, 1), rate=3.0)},
}


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_an_obstacle_gets_what_its_grains_lose(shape: str, motion: str) -> None:
    scene = soil()
    SHAPES[shape](scene, name="it", **MOTIONS[motion])
    scene.add_particles(position=lattice(3, 3, 3) + np.array([0.02, 0.01, 0.11]), radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    dt, count = simulation.solver.dt, 27
    most = 0.0
    for _ in range(40):
        before = simulation.particles.velocity.astype(float)
        substeps = simulation.step().notes["substeps"]
        after = simulation.particles.velocity.astype(float)
        gained = MASS * (after - before).sum(axis=0)
        given = simulation.body("it")[0].astype(float)
        # in each substep all velocities and impulses are rounded
        momenta = MASS * (np.abs(before) + np.abs(after)).sum() + dt * (np.abs(given).sum() + count * MASS * G)
        lost = dt * (count * MASS * np.array([0, 0, -G]) - given)
        np.testing.assert_allclose(gained, lost, rtol=0, atol=substeps * np.finfo(np.float32).eps * momenta)
        most = max(most, -given[2])
    assert most > count * MASS * G  # they landed on it


@pytest.mark.parametrize("shape", ["plane", "box", "bowl", "height field", "closed mesh", "open mesh", "funnel"])
def test_an_obstacle_carries_what_rests_on_it(shape: str) -> None:
    """Nothing leaks, sinks in or hovers: a grain in the middle of each comes to rest where its weight is carried."""
    scene = soil()
    SHAPES[shape](scene, name="it")
    scene.add_particles(position=[(0.0, 0.0, 0.3)], radius=R, material="soil")
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    simulation.run(seconds=2.0)
    assert np.abs(simulation.particles.velocity).max() < 1e-3
    assert simulation.body("it")[0][2] == pytest.approx(-MASS * G, rel=1e-3)
