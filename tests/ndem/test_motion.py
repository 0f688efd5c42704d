"""Grains moved eight at a time do what each of them does alone."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.kernel import BLOCK, kernel
from windrow.solvers.ndem import motion

F = np.float32
H = F(1 / 600)
GRAVITY = np.array([0.3, -0.2, -9.81], np.float32)
COUNT = 2 * BLOCK + 45


@kernel
def start_alone(U, U0, count, h, gravity, recalled):
    for i in range(count):
        motion.start_one(U, U0, i, h, gravity, recalled)


@kernel
def move_alone(X, U, home, way, count, h, beyond):
    for i in range(count):
        beyond[i] = motion.move_one(X, U, home, way, i, h)


@pytest.fixture
def grains() -> dict[str, np.ndarray]:
    random = np.random.default_rng(3)
    made = {
        name: random.normal(size=(COUNT + 9, 4)).astype(np.float32)
        for name in ("X", "U", "U0", "home", "way")
    }
    made["U"][:, 3] = np.where(random.random(COUNT + 9) < 0.2, 0.0, random.uniform(0.1, 2.0, COUNT + 9))
    made["home"][:, :3] = made["X"][:, :3] + 0.1 * random.normal(size=(COUNT + 9, 3))
    made["home"][:, 3] = random.uniform(0.0, 0.4, COUNT + 9)
    made["way"][:, :3] /= np.linalg.norm(made["way"][:, :3], axis=1, keepdims=True)
    made["way"][:, 3] = random.uniform(0.0, 0.3, COUNT + 9)
    return made


@pytest.mark.parametrize("recalled", [False, True])
def test_velocities_of_eight_are_those_of_each(grains, recalled) -> None:
    U, U0 = grains["U"], grains["U0"]
    alone, alone0 = U.copy(), U0.copy()
    start_alone(alone, alone0, COUNT, H, GRAVITY, recalled)
    motion.start_substep(U, U0, COUNT, np.ones(3, np.uint8), H, GRAVITY, recalled)
    np.testing.assert_allclose(U, alone, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(U0, alone0)


def test_positions_of_eight_are_those_of_each(grains) -> None:
    X, U, home, way = (grains[name] for name in ("X", "U", "home", "way"))
    alone, beyond, partial = X.copy(), np.zeros(COUNT, np.float32), np.full((4, 2), 7.0, np.float32)
    move_alone(alone, U, home, way, COUNT, H, beyond)
    motion.move(X, U, home, way, COUNT, np.ones(3, np.uint8), H, partial)
    np.testing.assert_allclose(X, alone, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(X[:, 3], alone[:, 3])
    expected = [beyond[b * BLOCK : (b + 1) * BLOCK].max() for b in range(3)]
    assert min(expected) > 0.0
    np.testing.assert_allclose(partial[:3, 0], expected, rtol=1e-5, atol=1e-6)
    assert partial[3, 0] == 7.0


def test_the_one_of_eight_that_left_its_path_is_seen(grains) -> None:
    X, U, home, way = (grains[name] for name in ("X", "U", "home", "way"))
    home[:, 3] = 10.0
    for who in range(8):
        home[who, 3] = 0.0
        partial = np.zeros((4, 2), np.float32)
        motion.move(X, U, home, way, COUNT, np.ones(3, np.uint8), H, partial)
        assert (partial[:3, 0] > 0.0).tolist() == [True, False, False]
        home[who, 3] = 10.0


def test_blocks_where_nothing_can_move_are_left_alone(grains) -> None:
    before = {name: rows.copy() for name, rows in grains.items()}
    awake, partial = np.array([1, 0, 0], np.uint8), np.zeros((4, 2), np.float32)
    motion.start_substep(grains["U"], grains["U0"], COUNT, awake, H, GRAVITY, False)
    motion.move(grains["X"], grains["U"], grains["home"], grains["way"], COUNT, awake, H, partial)
    for name in ("X", "U", "U0"):
        assert (grains[name][:BLOCK, :3] != before[name][:BLOCK, :3]).any()
        np.testing.assert_array_equal(grains[name][BLOCK:], before[name][BLOCK:])
