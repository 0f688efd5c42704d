"""Grains moved eight at a time do what each of them does alone."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.collide.paths import Paths
from windrow.kernel import BLOCK, kernel
from windrow.solvers.ndem import motion
from windrow.solvers.ndem.records import WorkRows

F = np.float32
H = F(1 / 600)
GRAVITY = np.array([0.3, -0.2, -9.81], np.float32)
COUNT = 2 * BLOCK + 45


@kernel
def start_alone(grains, h, gravity, recalled):
    for i in range(grains.n):
        motion.start_one(grains.U, grains.begun, grains.warm, i, h, gravity, recalled)


@kernel
def move_alone(grains, h, beyond):
    for i in range(grains.n):
        beyond[i] = motion.move_one(grains.X, grains.U, grains.paths, i, h)


def copied(grains: WorkRows) -> WorkRows:
    X, U, begun, warm = (rows.copy() for rows in grains[1:5])
    return WorkRows(grains.n, X, U, begun, warm, grains.paths)


@pytest.fixture
def grains() -> WorkRows:
    random = np.random.default_rng(3)
    X, U, begun, warm, origin, travel = (random.normal(size=(COUNT + 9, 4)).astype(np.float32) for _ in range(6))
    U[:, 3] = np.where(random.random(COUNT + 9) < 0.2, 0.0, random.uniform(0.1, 2.0, COUNT + 9))
    origin[:, :3] = X[:, :3] + 0.1 * random.normal(size=(COUNT + 9, 3))
    origin[:, 3] = random.uniform(0.0, 0.4, COUNT + 9)
    travel[:, :3] /= np.linalg.norm(travel[:, :3], axis=1, keepdims=True)
    travel[:, 3] = random.uniform(0.0, 0.3, COUNT + 9)
    return WorkRows(COUNT, X, U, begun, warm, Paths(origin, travel))


@pytest.mark.parametrize("recalled", [False, True])
def test_velocities_of_eight_are_those_of_each(grains: WorkRows, recalled: bool) -> None:
    alone = copied(grains)
    start_alone(alone, H, GRAVITY, recalled)
    motion.start_substep(grains, np.ones(3, np.uint8), H, GRAVITY, recalled)
    np.testing.assert_allclose(grains.U, alone.U, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(grains.begun[:, :3], alone.begun[:, :3])
    np.testing.assert_array_equal(grains.warm, alone.warm)


def test_positions_of_eight_are_those_of_each(grains: WorkRows) -> None:
    alone, beyond, left = copied(grains), np.zeros(COUNT, np.float32), np.full(4, 7.0, np.float32)
    move_alone(alone, H, beyond)
    motion.move(grains, np.ones(3, np.uint8), H, left)
    np.testing.assert_allclose(grains.X, alone.X, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(grains.X[:, 3], alone.X[:, 3])
    expected = [beyond[b * BLOCK : (b + 1) * BLOCK].max() for b in range(3)]
    assert min(expected) > 0.0
    np.testing.assert_allclose(left[:3], expected, rtol=1e-5, atol=1e-6)
    assert left[3] == 7.0


def test_the_one_of_eight_that_left_its_skin_is_seen(grains: WorkRows) -> None:
    skin = grains.paths.origin[:, 3]
    skin[:] = 10.0
    for who in range(8):
        skin[who] = 0.0
        left = np.zeros(4, np.float32)
        motion.move(grains, np.ones(3, np.uint8), H, left)
        assert (left[:3] > 0.0).tolist() == [True, False, False]
        skin[who] = 10.0


def test_blocks_where_nothing_can_move_are_left_alone(grains: WorkRows) -> None:
    before, awake = copied(grains), np.array([1, 0, 0], np.uint8)
    motion.start_substep(grains, awake, H, GRAVITY, False)
    motion.move(grains, awake, H, np.zeros(4, np.float32))
    for name in ("X", "U", "begun"):
        now, then = getattr(grains, name), getattr(before, name)
        assert (now[:BLOCK, :3] != then[:BLOCK, :3]).any()
        np.testing.assert_array_equal(now[BLOCK:], then[BLOCK:])
