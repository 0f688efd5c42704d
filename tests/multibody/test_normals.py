"""Contact normals of machines, solved at once: the dense solver, its matrix, and what machines then stand on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_kernels import as_kernel
from windrow.machines.yard import rock_yard
from windrow.scene import Box, Fixed, Scene, Sphere
from windrow.scene.bodies import Spheres
from windrow.solvers.multibody.complementarity import solve_complementary, sweep_complementary
from windrow.solvers.multibody.normals import NORMALS_MOST
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.solvers.multibody.sweeps import ARM_A, ARM_B, BIAS, FADE, MASS, SOFT
from windrow.validate.multibody_scenes import DT, G, empty, on_ground, run

# --- the dense solver ------------------------------------------------------------------------------------


def murty(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Plain reference: one row at a time, the last that contradicts; ends for every positive definite matrix."""
    n = len(right)
    carries = np.zeros(n, bool)
    while True:
        x = np.zeros(n)
        x[carries] = np.linalg.solve(matrix[np.ix_(carries, carries)], right[carries])
        w = matrix @ x - right
        scale = 1e-11 * (np.abs(right).max() + 1e-300)
        wrong = np.flatnonzero(np.where(carries, x < -1e-11 * np.abs(x).max(initial=0.0), w < -scale))
        if len(wrong) == 0:
            return np.maximum(x, 0.0)
        carries[wrong[-1]] ^= True


def problem(seed: int, n: int, rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Matrix of a rank at most `rank`, as of many points on one body, compliances and right side."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(n, rank))
    return J @ J.T, 10.0 ** rng.uniform(-4, 0, n), rng.normal(size=n)


def solve(
    A: np.ndarray, sigma: np.ndarray, right: np.ndarray, guess: np.ndarray
) -> tuple[np.ndarray, np.ndarray, int]:
    n = len(right)
    x, carries, numbers = np.zeros(n), guess.astype(np.int64), np.zeros(n)
    wanted, factored = np.zeros(n, np.int64), np.zeros(n, np.int64)
    solves = as_kernel(solve_complementary)(
        A.ravel().copy(), n, sigma, right, x, carries, wanted, factored, np.zeros(n * n), numbers, True
    )
    return x, carries, solves


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 24), st.integers(1, 8))
def test_pivoting_agrees_with_one_row_at_a_time(seed: int, n: int, rank: int) -> None:
    A, sigma, right = problem(seed, n, rank)
    guess = np.random.default_rng(seed + 1).integers(0, 2, n)
    x, carries, solves = solve(A, sigma, right, guess)
    assert solves > 0
    expected = murty(A + np.diag(sigma), right)
    np.testing.assert_allclose(x, expected, rtol=1e-7, atol=1e-8 * (1 + expected.max()))
    assert ((x > 0) <= (carries == 1)).all()
    again, _, once = solve(A, sigma, right, carries)
    assert once == 1
    assert (again == x).all()


def test_factors_are_used_again_for_another_right_side() -> None:
    A, sigma, right = problem(3, 8, 4)
    n, x, wanted, numbers = 8, np.zeros(8), np.zeros(8, np.int64), np.zeros(8)
    carries, factored, U = np.ones(8, np.int64), np.zeros(8, np.int64), np.zeros(64)
    flat = A.ravel().copy()
    as_kernel(solve_complementary)(flat, n, sigma, right, x, carries, wanted, factored, U, numbers, True)
    right = right + 0.1 * np.random.default_rng(0).normal(size=8)
    as_kernel(solve_complementary)(flat, n, sigma, right, x, carries, wanted, factored, U, numbers, False)
    np.testing.assert_allclose(x, murty(A + np.diag(sigma), right), rtol=1e-9, atol=1e-12)


def test_sweeps_that_finish_what_pivoting_did_not_come_close() -> None:
    A, sigma, right = problem(5, 10, 10)
    x = np.zeros(10)
    as_kernel(sweep_complementary)(A.ravel().copy(), 10, sigma + 1.0, right, x)
    np.testing.assert_allclose(x, murty(A + np.diag(sigma + 1.0), right), atol=1e-3)


# --- the matrix, and the problem that a step poses -------------------------------------------------------


def rows_of(bodies: MultibodyStepper, contacts: np.ndarray) -> np.ndarray:
    """(contacts, 6 · slots) normals as rows over the velocities of touched bodies."""
    slots, rows, body = bodies._slots, bodies._sweeps.row, bodies.contacts.body
    J = np.zeros((len(contacts), int(slots.used[0]), 6))
    for i, c in enumerate(contacts):
        for side, (sign, arm) in enumerate(((1.0, ARM_A), (-1.0, ARM_B))):
            s = slots.of_body[body[c, side]]
            if s >= 0:
                J[i, s] += np.concatenate([sign * rows[c, :3], rows[c, arm : arm + 3]])
    return J.reshape(len(contacts), -1)


def contradiction(A: np.ndarray, sigma: np.ndarray, right: np.ndarray, x: np.ndarray) -> float:
    """How far impulses are from solving their problem, of the largest number in it."""
    w = A @ x + sigma * x - right
    worst = np.where(x > 0, np.abs(w), np.maximum(-w, 0.0)).max()
    return float(worst / (np.abs(right).max() + np.abs(A @ x).max()))


MANOEUVRES = {
    "standing": {"brake": 1.0},
    "pressing": {"brake": 1.0, "lift": -1.0},
    "steering": {"throttle": 0.5, "steer": 1.0},
    "braking": {"brake": 1.0, "lift": 1.0},
}


def test_a_loaders_normals_complement_at_every_step() -> None:
    """The last problem of each step holds to rounding; so do the speeds that the step ends with, at rest."""
    bodies = MultibodyStepper(rock_yard(0, merging=False))
    bodies.control("brake", 1.0)
    run(bodies, 2.0)
    normals, sweeps = bodies._normals, bodies._sweeps
    for what, controls in MANOEUVRES.items():
        for name in bodies.joints.controls:
            bodies.control(name, controls.get(name, 0.0))
        for _ in range(50):
            report = bodies.step(DT)
            assert report.unsolved == 0
            assert report.swept_normals == 0
            n = int(normals.size[0])
            chosen = normals.contact[0, :n]
            assert (sweeps.direct[: report.contacts] == 1).all()
            assert n == report.contacts
            A = normals.matrix[0, : n * n].reshape(n, n)
            J, W = rows_of(bodies, chosen), bodies._slots.W
            used = J.shape[1] // 6
            W = W[:used, :used].transpose(0, 2, 1, 3).reshape(6 * used, 6 * used)
            np.testing.assert_allclose(A, J @ W @ J.T, rtol=1e-9, atol=1e-9 * A.max())
            impulse = sweeps.impulse[chosen, 0]
            assert (impulse == normals.impulse[:n]).all()
            assert (impulse >= 0).all()
            assert contradiction(A, normals.sigma[:n], normals.right[:n], impulse) < 1e-11
            # What the bodies do in the end, joints solved anew with what the contacts gave.
            V = bodies.motion.V[bodies._slots.body[:used]].ravel()
            K, soft = sweeps.row[chosen, MASS], sweeps.soft[chosen]
            w = J @ V + K * soft[:, FADE] / soft[:, SOFT] * impulse - soft[:, BIAS]
            off = np.where(impulse > 0, np.abs(w), np.maximum(-w, 0.0)).max()
            assert off < (1e-8 if what == "standing" else 2e-3)


def test_normals_beyond_the_limit_are_swept_and_counted() -> None:
    scene = on_ground()
    across = np.stack(np.meshgrid(np.arange(11), np.arange(10)), -1).reshape(-1, 2)
    raft = Spheres(centers=[(0.2 * x, 0.2 * y, 0.0) for x, y in across], radii=[0.1] * len(across))
    scene.add_body("raft", "steel", mass=500, shapes=[raft], position=(0, 0, 0.1))
    scene.add_body("lid", "steel", mass=100, shapes=[Box(size=(1, 1, 0.1))], position=(1, 1, 0.3))
    scene.add_joint(Fixed(first="lid", second="raft", position=(0.5, 1, 0.3)))
    bodies = MultibodyStepper(scene)
    for _ in range(30):
        report = bodies.step(DT)
    assert report.contacts == len(across)
    assert report.swept_normals == len(across) - NORMALS_MOST
    assert report.notes()["normals_swept"] == report.swept_normals
    assert bodies.contact_force("raft")[2] == pytest.approx(600 * G, rel=1e-3)


# --- closed forms ----------------------------------------------------------------------------------------

LEGS = ((1.0, 0.8), (-1.0, 0.8), (-1.0, -0.8), (1.0, -0.8))


def table(load_at: tuple[float, float], stiffness: float = 4e6) -> Scene:
    """A table of 200 kg on four legs that end in springs, with 1 t bolted onto it."""
    scene = on_ground()
    scene.add_body("top", "steel", mass=200, shapes=[Box(size=(2.4, 2.0, 0.1))], position=(0, 0, 1))
    for k, (x, y) in enumerate(LEGS):
        scene.add_body(
            f"leg {k}", "steel", mass=10, shapes=[Sphere(radius=0.1)], position=(x, y, 0.1),
            contact_stiffness=stiffness, contact_damping=1e5,
        )  # fmt: skip
        scene.add_joint(Fixed(first=f"leg {k}", second="top", position=(x, y, 0.5)))
    scene.add_body("load", "steel", mass=1000, shapes=[Box(size=(0.3,) * 3)], position=(*load_at, 1.25))
    scene.add_joint(Fixed(first="load", second="top", position=(*load_at, 1.05)))
    return scene


def centre_of(bodies: MultibodyStepper) -> np.ndarray:
    """(2,) of all mass, m; the table yields and leans a little."""
    return bodies.bodies.mass @ bodies.motion.x[: bodies.bodies.count, :2] / bodies.bodies.mass.sum()


def test_four_legs_share_a_load_off_centre_as_springs_do() -> None:
    bodies = MultibodyStepper(table((0.4, -0.2)))
    run(bodies, 4.0)
    weight, (x, y) = 1240 * G, centre_of(bodies)
    shares = [weight * (0.25 + x * a / 4.0 + y * b / (4 * 0.64)) for a, b in LEGS]
    forces = [bodies.contact_force(f"leg {k}")[2] for k in range(4)]
    np.testing.assert_allclose(forces, shares, atol=1e-4 * weight)


def test_three_legs_carry_when_the_load_lifts_the_fourth() -> None:
    """Springs would have to pull there; the others follow from statics alone."""
    bodies = MultibodyStepper(table((0.7, 0.6)))
    run(bodies, 4.0)
    weight, (x, y) = 1240 * G, centre_of(bodies)
    feet = np.array([LEGS[k] for k in (0, 1, 3)])
    shares = np.linalg.solve(np.vstack([np.ones(3), feet.T]), weight * np.array([1.0, x, y]))
    forces = [bodies.contact_force(f"leg {k}")[2] for k in range(4)]
    assert forces[2] == 0.0
    np.testing.assert_allclose([forces[0], forces[1], forces[3]], shares, atol=1e-4 * weight)


def test_five_tonnes_on_a_bucket_of_twenty_kilograms_stand_on_the_ground() -> None:
    """The bucket alone touches the ground; its contacts feel the mass that is bolted onto it."""
    scene = on_ground()
    scene.add_body("bucket", "steel", mass=20, shapes=[Box(size=(1, 1, 0.2))], position=(0, 0, 0.1))
    scene.add_body("load", "steel", mass=5000, shapes=[Box(size=(0.8,) * 3)], position=(0.1, 0, 0.6))
    scene.add_joint(Fixed(first="load", second="bucket", position=(0.1, 0, 0.2)))
    bodies = MultibodyStepper(scene)
    run(bodies, 2.0)
    heights = []
    for _ in range(60):
        bodies.step(DT)
        heights.append(float(bodies.position("bucket")[2]))
    assert bodies.contact_force("bucket")[2] == pytest.approx(5020 * G, rel=1e-6)
    assert 0.1 - min(heights) < 1e-3
    assert max(heights) - min(heights) < 1e-8


def test_a_scene_without_machines_has_nothing_to_solve() -> None:
    scene = empty()
    scene.add_body("ball", "steel", shapes=[Sphere(radius=0.1)], position=(0, 0, 1))
    bodies = MultibodyStepper(scene)
    bodies.step(DT)
    assert bodies._normals.size.shape == (0,)
