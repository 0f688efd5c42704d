"""Clumps: mass properties, what is kept of them, what comes and goes, what is refused, closed forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError, SceneError
from windrow.scene import Box, Clumps
from windrow.scene.ball_unions import ball_union
from windrow.validate import dem_clumps
from windrow.validate.check import Scenario
from windrow.validate.dem_clumps import TRIPLE, rocks


def test_five_balls_weigh_what_random_points_say() -> None:
    random = np.random.default_rng(0)
    centers, radii = random.uniform(-0.4, 0.4, (5, 3)), random.uniform(0.3, 0.5, 5)
    union = ball_union(centers, radii)
    points = random.uniform(-0.9, 0.9, (600_000, 3))
    inside = np.zeros(len(points), bool)
    for center, radius in zip(centers, radii, strict=True):
        inside |= ((points - center) ** 2).sum(axis=1) < radius**2
    volume, among = 1.8**3 * inside.mean(), points[inside]
    assert union.volume == pytest.approx(volume, rel=0.01)
    np.testing.assert_allclose(union.center, among.mean(axis=0), atol=0.003)
    spread = np.cov(among.T) * volume
    np.testing.assert_allclose(union.inertia, np.trace(spread) * np.eye(3) - spread, atol=0.004)
    # another axis to cut along gives the same, to what the integration leaves
    order = [2, 0, 1]
    turned = ball_union(centers[:, order], radii)
    assert turned.volume == pytest.approx(union.volume, rel=1e-9)
    np.testing.assert_allclose(turned.inertia, union.inertia[np.ix_(order, order)], atol=1e-10)


def heap(**fields: Any) -> wr.Scene:
    """Clumps that fall into a box, grains among them, a sink at one corner."""
    scene = rocks(9.81, restitution=0.4, friction_static=0.5, stiffness=1e5)
    scene.add_open_box((-0.4, -0.4, 0.0), (0.4, 0.4, 1.0), "rock")
    places = np.stack(np.meshgrid(*[np.linspace(-0.3, 0.3, 4)] * 2, [0.2, 0.4, 0.6], indexing="ij"), -1).reshape(-1, 3)
    scene.add_clumps(*TRIPLE, places, "rock", **{"random_rotation": True} | fields)
    scene.add_particles(places + np.array([0.0, 0.0, 0.9]), radius=0.03, material="rock")
    scene.add_sink(Box(size=(0.2, 0.2, 0.2)), position=(0.3, 0.3, 0.1))
    return scene


def stepped(simulation: wr.Simulation, steps: int) -> wr.Simulation:
    for _ in range(steps):
        simulation.step()
    return simulation


def test_threads_and_restarts_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wr.sim.simulation, "GRAINS_PER_THREAD", 10)
    solver = wr.DEM(substeps=100)
    one, two = (stepped(wr.Simulation(heap(), solver=solver, threads=n), 50) for n in (1, 2))
    assert one.hash() == two.hash()
    assert len(one.contacts) > 30
    assert one.ledger["sunk"] > 0
    again = wr.Simulation.restore(one.snapshot(), threads=1)
    np.testing.assert_array_equal(again.clumps.position, one.clumps.position)
    assert stepped(again, 20).hash() == stepped(one, 20).hash()


def test_clumps_go_as_a_whole_and_are_recorded(tmp_path: Path) -> None:
    scene = heap()
    wr.save_scene(scene, tmp_path / "heap.toml")
    simulation = wr.Simulation(wr.load_scene(tmp_path / "heap.toml"), solver=wr.DEM(substeps=100), threads=1)
    with simulation.record(tmp_path / "run.h5", frame_rate=20.0):
        stepped(simulation, 60)
    clump = simulation.particles.clump
    counts = np.unique(clump[clump >= 0], return_counts=True)
    assert set(counts[1].tolist()) == {3}
    assert len(counts[0]) < 48
    assert len(simulation.clumps) == len(counts[0])
    assert abs(simulation.ledger["mass_error"]) < 1e-6
    x, r = simulation.particles.position.astype(float), simulation.clumps.rotation
    arm = x[np.flatnonzero(clump == counts[0][0])] - simulation.clumps.position[0]
    local = np.array(TRIPLE[0]) - Clumps(
        centers=TRIPLE[0], radii=TRIPLE[1], position=[(0, 0, 0)], material="rock"
    ).shape().center
    np.testing.assert_allclose(arm, local @ r[0].T, atol=1e-6)
    with wr.Recording(tmp_path / "run.h5") as recording:
        np.testing.assert_array_equal(recording[0].columns["clump"][:6], [0, 0, 0, 1, 1, 1])


def test_clumps_that_make_no_sense_are_refused() -> None:
    simulation = wr.Simulation(heap(), solver=wr.DEM(), threads=1)
    with pytest.raises(SceneError, match="clumps: the solver 'p2' computes none; use 'dem'"):
        wr.Simulation(heap(), solver=wr.P2(), threads=1)
    with pytest.raises(SceneError, match="cannot be set in a scene with clumps"):
        simulation.particles.velocity = np.zeros((len(simulation.particles), 3))
    with pytest.raises(SceneError, match="3 centers but 2 radii"):
        Clumps(centers=TRIPLE[0], radii=[0.1, 0.1], position=[(0, 0, 0)], material="rock")
    with pytest.raises(SceneError, match="leave one out"):
        heap(rotation_deg=(0, 0, 1))
    crowded = heap()
    crowded.add_clumps(*TRIPLE, [(0, 0, 0.2), (0.01, 0, 0.2)], "rock")
    with pytest.raises(SceneError, match="overlap by"):
        wr.Simulation(crowded, solver=wr.DEM(), threads=1)
    snapshot = simulation.snapshot()
    with pytest.raises(FileFormatError, match="clump_balls"):
        wr.Simulation.restore(snapshot | {"links.clump_balls": snapshot["links.clump_balls"] + 1})
    with pytest.raises(FileFormatError, match="clump_motion"):
        wr.Simulation.restore(snapshot | {"memory.clump_motion": snapshot["memory.clump_motion"] * np.nan})


@pytest.mark.parametrize("scenario", dem_clumps.SCENARIOS, ids=lambda s: s.name)
def test_closed_forms_of_clumps_hold(scenario: Scenario) -> None:
    for result in scenario.run():
        assert result.passed, result
