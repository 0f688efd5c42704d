"""Where emitters place grains: against a plain reference, beside boulders, walls and bodies, and how much they try."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.geometry.query import distance_to_obstacles, inside_region
from windrow.scene import Box, Cylinder, Sphere
from windrow.scene.motion import rotation_matrix
from windrow.sim.exchange import AT_ONCE
from windrow.sim.placing import free_places, mouth_of

REGIONS = [Box(size=(0.8, 0.5, 0.3)), Sphere(radius=0.4), Cylinder(radius=0.3, height=0.6)]


def spout(region: Any, **more: Any) -> wr.Scene:
    scene = wr.Scene()
    scene.gravity = (0, 0, 0)
    scene.add_material("sand", density=1600.0)
    options = {"radius": 0.02, "material": "sand", "rate": 600.0, "count": 100_000, **more}
    scene.add_emitter(region=region, **options)
    return scene


def reference(simulation: wr.Simulation, radius: np.ndarray, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same by looking at everything, one place after the other."""
    emitter = simulation.scene.emitters[0]
    rotation = rotation_matrix(np.deg2rad(emitter.rotation_deg))
    half = mouth_of(emitter, 0.1).half
    known = simulation.state.X[: simulation.state.count].astype(np.float64)
    poses = simulation.model.poses(0.0)
    found = np.zeros(len(radius), bool)
    places = []
    for grain, tries in enumerate(chance):
        for luck in tries:
            place = (rotation @ (half * luck) + np.asarray(emitter.position)).astype(np.float32)
            inside = inside_region(emitter.region, emitter.position, rotation, place)[0]
            wall = distance_to_obstacles(simulation.model.shapes, poses, place)[0][0]
            gaps = np.linalg.norm(known[:, :3] - place, axis=1) - known[:, 3] - radius[grain]
            if inside and wall > radius[grain] and gaps.min(initial=1.0) >= 0:
                known = np.vstack([known, [*place, radius[grain]]])
                places.append(place)
                found[grain] = True
                break
    return np.array(places, np.float32).reshape(-1, 3), found


@pytest.mark.parametrize("region", REGIONS, ids=lambda region: region.kind)
@pytest.mark.parametrize("position", [(0.0, 0.0, 0.0), (40.0, -30.0, 7.0)], ids=["here", "far"])
def test_places_are_those_of_the_plain_search(region: Any, position: tuple[float, float, float]) -> None:
    """Boulders, sand and dust around and in a region that is turned, beside two walls."""
    random = np.random.default_rng(3)
    scene = spout(region, radius={"min": 0.01, "max": 0.03}, position=position, rotation_deg=(20, 40, -70))
    scene.add_plane((0, 0, 1), position[2] - 0.15, "sand")
    scene.add_sphere(tuple(np.add(position, (0.15, 0.1, 0.1))), 0.1, "sand")
    simulation = wr.Simulation(scene, threads=1)
    for size, many in ((0.25, 2), (0.02, 60), (0.003, 300)):
        centres = position + random.uniform(-0.5, 0.5, (many, 3))
        simulation.state.append(
            centres, np.zeros((many, 3)), np.full(many, size), np.ones(many), np.zeros(many, np.int32)
        )
    radius = random.uniform(0.01, 0.03, 500).astype(np.float32)
    chance = random.uniform(-1.0, 1.0, (500, 8, 3))
    expected, found = reference(simulation, radius, chance)
    walls = [(simulation.model.shapes, simulation.model.poses(0.0))]
    mouth = mouth_of(simulation.scene.emitters[0], float(radius.max()))
    places, who = free_places(mouth, simulation.state.X, simulation.state.count, walls, radius, chance)
    assert 20 < found.sum() < 480
    assert np.array_equal(who, found)
    assert np.abs(places - expected).max() < 1e-5 * max(1.0, *np.abs(position))


def test_a_grain_that_is_nowhere_is_no_obstacle() -> None:
    simulation = wr.Simulation(spout(REGIONS[0]), threads=1)
    simulation.step()
    state = simulation.state
    mouth = mouth_of(simulation.scene.emitters[0], 0.02)
    state.X[:1, :3] = np.nan
    state.X[1:2, :3] = np.inf
    places, found = free_places(mouth, state.X, 2, [], np.full(1, 0.02, np.float32), np.zeros((1, 1, 3)))
    assert found.all()
    assert np.array_equal(places, np.zeros((1, 3)))


def test_steps_draw_places_of_their_own() -> None:
    scene = spout(REGIONS[0], velocity=(0, 0, -500.0))
    simulation = wr.Simulation(scene, threads=1)
    seen = np.zeros((0, 2))
    for _ in range(12):
        before = simulation.state.next_id
        simulation.step()
        new = simulation.particles.id >= before
        seen = np.vstack([seen, simulation.particles.position[new, :2]])
    assert len(seen) > 100
    assert len(np.unique(np.round(seen, 6), axis=0)) == len(seen)


def test_no_more_than_so_many_are_tried_in_a_step() -> None:
    """Neither where there is room for all of them nor where there is none."""
    simulation = wr.Simulation(spout(Box(size=(9, 9, 9)), rate=1e6, count=AT_ONCE + 500), threads=1)
    assert simulation.step().emitted <= AT_ONCE
    for _ in range(5):
        simulation.step()
    assert simulation.ledger["emitted"] == AT_ONCE + 500


def test_a_full_scene_owes_a_second_s_worth_at_most() -> None:
    scene = spout(REGIONS[0], rate=600.0)
    scene.capacity = 10
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(150):
        report = simulation.step()
    assert simulation.state.count == 10
    assert report.waiting <= 610


def test_no_grain_is_placed_into_a_rigid_body() -> None:
    scene = spout(Box(size=(0.6, 0.6, 0.6)), rate=6000.0)
    scene.add_body("block", "sand", shapes=[Box(size=(0.6, 0.6, 0.3))], position=(0, 0, 0.15), density=1600.0)
    simulation = wr.Simulation(scene, threads=1)
    placed: list[np.ndarray] = []
    simulation.on_phase = lambda phase: phase == "exchange" and placed.append(simulation.particles.position.copy())
    simulation.step()
    assert len(placed[0]) > 20
    assert placed[0][:, 2].max() <= -0.02
