"""Grains push whatever answers as `AnsweringBodies` asks; here one free ball, written without the bodies' solver."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import windrow as wr
from windrow.geometry.terms import F64, I64
from windrow.scene import Sphere
from windrow.scene.motion import rotation_matrix
from windrow.scene.settings import SolverSettings
from windrow.solvers.movers.answering import AnsweringBodies, BodyPlaces, Mobility
from windrow.solvers.movers.movers import Movers

MASS, RADIUS, DT = 5.0, 0.2, 1 / 60


class FreeBall:
    """One ball that nothing holds, and how often it was asked where it would go."""

    def __init__(self) -> None:
        self.center, self.mass = np.zeros((1, 3)), np.array([MASS])
        self.inertia = np.eye(3)[None] * (0.4 * MASS * RADIUS * RADIUS)
        self.places = BodyPlaces(np.zeros((1, 3)), np.eye(3)[None].copy(), np.zeros((1, 6)))
        self.inverse = np.diag([1 / MASS] * 3 + [1 / (0.4 * MASS * RADIUS * RADIUS)] * 3)
        self.impulse, self.asked = np.zeros((1, 6)), 0

    def now(self) -> BodyPlaces:
        return self.places

    def yielding(self) -> F64:
        return np.array([0.5 * np.sqrt(MASS * 3 * self.inverse[3, 3])])

    def preview(self, dt: float, impulse: F64) -> BodyPlaces:
        self.asked += 1
        V = self.places.V + impulse @ self.inverse
        return BodyPlaces(self.places.x + dt * V[:, :3], rotation_matrix(dt * V[0, 3:])[None] @ self.places.R, V)

    def mobility(self, touched: I64) -> Mobility:
        return Mobility(np.array([0]), np.array([0]), np.array([1]), self.inverse[None, None])

    def push(self, impulse: F64) -> None:
        self.impulse += impulse

    def alone(self) -> NDArray[np.bool_]:
        return np.array([True])

    def near(self) -> I64:
        return np.zeros(0, np.int64)

    def put(self, chosen: I64, x: F64, R: F64) -> None:
        self.places.x[chosen], self.places.R[chosen] = x[chosen], R[chosen]

    def step(self, dt: float) -> None:
        self.places.V[:] += self.impulse @ self.inverse
        self.places.x[:] += dt * self.places.V[:, :3]
        self.impulse[:] = 0.0


def thrown(solver: SolverSettings, distance: float) -> wr.Simulation:
    """A grain that flies at a ball in free space, a little off its middle, and too slow to need a step in parts."""
    scene = wr.Scene(gravity=(0, 0, 0))
    scene.add_material("m", density=2000.0, friction_static=0.5, friction_kinetic=0.4, stiffness=1e5, damping=10.0)
    scene.add_body("ball", "m", shapes=[Sphere(radius=RADIUS)], mass=MASS)
    scene.add_particles([(distance, 0.05, 0.0)], radius=0.05, mass=1.0, velocity=(-1.5, 0, 0), material="m")
    return wr.Simulation(scene, solver=solver, threads=1)


@pytest.mark.parametrize("solver", [wr.NDEM(), wr.P2()], ids=lambda solver: solver.name)
def test_a_ball_of_another_kind_takes_what_the_grain_loses(solver: SolverSettings) -> None:
    ball, ours, known = FreeBall(), thrown(solver, 0.3), thrown(solver, 0.3)
    bodies: AnsweringBodies = ball
    movers = Movers(bodies, ours.model)
    for _ in range(12):
        movers.begin(solver.dt)
        movers.preview(ours.state)
        ours._stepper.step(ours.state, solver.dt, movers)
        movers.hand_over()
        ball.step(solver.dt)
        movers.settle()
        known.step()
    v = ours.particles.velocity[0].astype(np.float64)
    assert v[0] > -0.5, "the grain was stopped or thrown back"
    np.testing.assert_allclose(v + MASS * ball.places.V[0, :3], [-1.5, 0.0, 0.0], atol=1e-5)
    # the bodies' own solver answers alike; its ball spins, which the step here takes no gyroscopic terms of
    assert known.bodies is not None
    np.testing.assert_allclose(ball.places.V[0], known.bodies.velocity("ball"), rtol=0.02, atol=0.01)


def test_bodies_are_asked_only_where_grains_may_meet_them() -> None:
    near, far = FreeBall(), FreeBall()
    for ball, distance in ((near, 0.3), (far, 3.0)):
        simulation = thrown(wr.NDEM(), distance)
        movers = Movers(ball, simulation.model)
        movers.begin(DT)
        movers.preview(simulation.state)
    assert (near.asked, far.asked) == (1, 0)
