"""Fine grains against closed forms, the plain reference, and what they may not be in."""

from __future__ import annotations

import numpy as np
from fine_scenes import RADIUS, frame_of, lattice, scene_with

import windrow as wr
from windrow.detail.coarse import CoarsePaths, carriers_of, laid_out
from windrow.detail.detail import Detail
from windrow.detail.laws import limit_of
from windrow.detail.reference import carried_step
from windrow.team import TEAM

EYE = np.eye(3)
FLOOR = (("floor", (0.0, 0.0, 0.0), EYE),)
EACH = 40.0 / RADIUS**3


def begun(scene: wr.Scene, place: np.ndarray, bodies: tuple = FLOOR, **more: object) -> Detail:
    return Detail(scene, frame_of(place, bodies=bodies), EACH, **more)  # type: ignore[arg-type]


def test_grains_fill_the_sand_evenly_and_in_no_rows() -> None:
    fine = begun(scene_with(), lattice(8))
    assert abs(len(fine) / (40 * 512) - 1.0) < 0.01
    cells = np.floor(fine.position / (2.0 * RADIUS) + np.array([0.5, 0.5, 0.0])).astype(int)
    inside = ((cells >= 1) & (cells < 7)).all(axis=1)
    counts = np.unique(cells[inside] @ np.array([64, 8, 1]), return_counts=True)[1]
    # a third of the scatter of grains thrown at random, √40
    assert len(counts) == 6**3
    assert counts.std() < 0.35 * np.sqrt(40.0)
    # within the cells of the lattice no place is preferred: no rows
    deep = ((cells >= 1) & (cells < 7)).all(axis=1)
    for axis in range(3):
        within = (fine.position[deep, axis] / (2.0 * RADIUS) + (0.5 if axis < 2 else 0.0)) % 1.0
        share = np.bincount((10 * within).astype(int), minlength=10) / deep.sum()
        assert abs(share - 0.1).max() < 0.01


def test_sand_that_moves_as_one_carries_its_grains_exactly() -> None:
    """Also where it speeds up between two frames: x = v t + a t²/2."""
    scene = scene_with(plane=False)
    place = lattice(6)
    fine = begun(scene, place, bodies=())
    fine._sort = lambda: None  # type: ignore[method-assign]
    keeps = np.linalg.norm(fine.position - place.mean(axis=0), axis=1) < 3.5 * RADIUS
    before = fine.position[keeps]
    v, a = np.array([0.4, -0.2, 0.1]), np.array([3.0, 1.0, 2.0])
    for frame in range(1, 4):
        t = 0.03 * frame
        now = frame_of(place + v * t + 0.5 * a * t * t, v + a * t, time=t)
        if frame == 1:
            fine._carriers = fine._carriers._replace(velocity=np.broadcast_to(v, place.shape))
        fine.follow(now)
    t = 0.09
    assert np.abs(fine.position[keeps] - before - (v * t + 0.5 * a * t * t)).max() < 2e-6


def test_a_grain_far_from_all_particles_flies_a_parabola() -> None:
    place = np.array([[0.0, 0.0, 5.0]])
    fine = begun(scene_with(plane=False), place, bodies=())
    fine._sort = lambda: None  # type: ignore[method-assign]
    begin, v = fine.position.copy(), np.array([1.0, 0.5, 2.0], np.float32)
    for column, value in zip(fine.grains[3:6], v, strict=True):
        column[:] = value
    # the particle is gone far away at once
    fine._carriers = fine._carriers._replace(place=place + 1.0)
    fine.follow(frame_of(place + 1.0, time=0.5))
    expected = begin + 0.5 * v + 0.125 * np.array([0.0, 0.0, -9.81])
    assert np.abs(fine.position - expected).max() < 1e-5
    assert np.abs(fine.velocity - v - [0.0, 0.0, -4.905]).max() < 1e-5


def test_the_kernel_agrees_with_the_plain_reference() -> None:
    rng = np.random.default_rng(3)
    place = lattice(4) + rng.uniform(-0.02, 0.02, (64, 3))
    velocity = rng.uniform(-1.0, 1.0, (64, 3))
    fine = begun(scene_with(plane=False), place, bodies=())
    fine._sort = lambda: None  # type: ignore[method-assign]
    # some are in the air
    fine.grains.z[: fine.count : 7] += np.float32(0.12)
    fine.grains.w[: fine.count : 5] = np.float32(-0.3)
    x, u = fine.position.astype(np.float64), fine.velocity.astype(np.float64)
    limit = np.array([limit_of.py_func(look) for look in fine.grains.look[: fine.count]], np.float64)
    ahead = frame_of(place + 0.01 * velocity, velocity, time=0.01)
    fine._carriers = fine._carriers._replace(velocity=velocity)
    way = CoarsePaths(fine._carriers, carriers_of(ahead, np.zeros(0), np.ones(64, bool)), 0.01)
    moves = (way.at(1.0) - way.at(0.0)) / 0.01
    radius = np.full(64, RADIUS)
    expected, ahead_velocity, alpha = carried_step(x, u, limit, place, moves, radius, fine.gravity, 0.01)
    fine.follow(ahead)
    assert 0.05 < (alpha > 0).mean() < 0.95
    assert np.abs(fine.position - expected).max() < 2e-6
    assert np.abs(fine.velocity - ahead_velocity).max() < 2e-4
    assert fine.free == (alpha > 0).sum()


def test_no_particle_is_missed_by_the_cells() -> None:
    place = np.random.default_rng(1).uniform(-1.0, 1.0, (300, 3))
    carriers = carriers_of(frame_of(place), np.zeros(0), np.ones(300, bool))
    coarse, order = laid_out(carriers.place, carriers.velocity, carriers, np.zeros(300, bool))
    assert np.array_equal(np.sort(order), np.arange(300))
    cell = np.floor((coarse.row[:, :3] - coarse.place[:3]) * coarse.place[3]).astype(int)
    number = (cell[:, 2] * coarse.cells[1] + cell[:, 1]) * coarse.cells[0] + cell[:, 0]
    assert (np.diff(number) >= 0).all()
    assert np.array_equal(coarse.start, np.searchsorted(number, np.arange(len(coarse.start))))


def test_no_grain_is_in_the_ground_a_wall_or_a_body() -> None:
    """Sand falls on a slope, a ball and a plate that moves through it."""
    scene = scene_with()
    scene.add_plane((-1, 0, 1), -0.4, "sand")
    scene.add_sphere((0.3, 0.3, 0.0), 0.2, "sand")
    scene.add_box((-0.3, 0.25, 0.2), (0.02, 1.0, 0.4), "sand")
    scene.add_box((0.2, 0.2, 0.5), (1.6, 1.6, 1.4), "sand", inside=True)
    place = lattice(7, (0.0, 0.0, 0.3))
    base = [("floor", (0, 0, 0), EYE), ("slope", (0, 0, 0), EYE), ("ball", (0.3, 0.3, 0.0), EYE)]

    def bodies(t: float) -> tuple:
        return (*base, ("plate", (-0.3 + 0.5 * t, 0.25, 0.2), EYE), ("box", (0.2, 0.2, 0.5), EYE))

    fine = begun(scene, place, bodies=bodies(0.0))
    for frame in range(1, 25):
        t = frame / 30.0
        fine.follow(frame_of(place - [0.0, 0.0, min(4.9 * t * t, 0.28)], time=t, bodies=bodies(t)))
        x, radius = fine.position.astype(np.float64), fine.radius.astype(np.float64)
        # a thousandth of its radius may touch, and float32 rounds
        room = radius * (1.0 - 2e-3) - 1e-6
        assert (x[:, 2] >= room).all()
        assert ((x[:, 2] - x[:, 0]) / np.sqrt(2.0) + 0.4 >= room).all()
        assert (np.linalg.norm(x - [0.3, 0.3, 0.0], axis=1) - 0.2 >= room).all()
        off = np.abs(x - [-0.3 + 0.5 * t, 0.25, 0.2]) - [0.01, 0.5, 0.2]
        assert (np.linalg.norm(np.maximum(off, 0.0), axis=1) + np.minimum(off.max(axis=1), 0.0) >= room).all()
        assert (np.abs(x - [0.2, 0.2, 0.5]) <= [0.8 - room.min(), 0.8 - room.min(), 0.7 - room.min()]).all()
    # particles that do not heed the walls press some grains into corners
    assert fine.lost < 0.03 * fine.count


def test_a_body_takes_grains_along_by_friction() -> None:
    """A grain that lies alone on a moving plate moves as the plate; on a slope below friction it stays."""
    scene = scene_with(plane=False)
    scene.add_box((0.0, 0.0, -0.1), (4.0, 4.0, 0.2), "sand")
    place = np.array([[0.0, 0.0, 0.1]])
    away = place + 2.0

    def at(t: float) -> tuple:
        return (("plate", (0.5 * t, 0.0, -0.1), EYE),)

    fine = begun(scene, place, bodies=at(0.0))
    fine._carriers = fine._carriers._replace(place=away)
    fine.follow(frame_of(away, time=0.4, bodies=at(0.4)))
    rest = fine.position.copy()
    fine.follow(frame_of(away, time=0.8, bodies=at(0.8)))
    order, same = np.lexsort(fine.position.T), np.lexsort(rest.T)
    assert np.abs(fine.position[order] - rest[same] - [0.2, 0.0, 0.0]).max() < 1e-5

    slope = scene_with(plane=False)
    slope.add_plane((-0.3, 0, 1), 0.0, "sand")
    still = begun(slope, np.array([[0.0, 0.0, 0.1]]))
    still._carriers = still._carriers._replace(place=away)
    still.follow(frame_of(away, time=0.5, bodies=FLOOR))
    before = still.position.copy()
    still.follow(frame_of(away, time=1.5, bodies=FLOOR))
    assert np.abs(np.sort(still.position, axis=0) - np.sort(before, axis=0)).max() < 1e-6


def test_particles_that_come_and_go_bring_and_take_their_grains() -> None:
    place = lattice(4)
    fine = begun(scene_with(), place)
    first = len(fine)
    fewer = frame_of(place[:32], time=0.02, bodies=FLOOR)
    fine.follow(fewer)
    assert abs(len(fine) / first - 0.5) < 0.1
    fine.follow(frame_of(place, time=0.04, bodies=FLOOR))
    assert abs(len(fine) / first - 1.0) < 0.1
    assert fine.left > 0
    assert fine.lost == 0


def test_any_number_of_threads_gives_the_same_bits() -> None:
    """Also beside terrain that is dug away."""
    scene = scene_with(plane=False)
    scene.add_terrain(size=(3.2, 3.2), cell=0.1, soil="dry_sand", fidelity="field")
    place = lattice(6, (-0.3, -0.3, 0.1))
    bodies = (("ground", (0.0, 0.0, 0.0), EYE),)
    found = []
    try:
        for threads in (1, 2):
            TEAM.use(threads)
            fine = begun(scene, place, bodies=bodies)
            for frame in range(1, 8):
                t = frame / 25.0
                fine.follow(frame_of(place - [0.1 * t, 0.0, 0.3 * t], (-0.1, 0.0, -0.3), t, bodies))
            assert fine.position[:, 2].min() > 0.0
            found.append(b"".join(column[: fine.count].tobytes() for column in fine.grains))
    finally:
        TEAM.use(2)
    assert found[0] == found[1]

