"""DEM's energy: what falls and spins goes into springs, dampers and friction, and nowhere else."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.scene import DEM
from windrow.sim.simulation import Simulation
from windrow.solvers.dem.materials import damping_factor
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.dem_laws import MASS, RADIUS, G, scene_of

Floats = NDArray[np.float64]
STIFFNESS, RESTITUTION = 1e5, 0.5
ACROSS, DAMPED_ACROSS = 2.0 / 7.0, 0.5
"""Stiffness and damper across a contact over those along it, as `DEM` has them."""
STEPS, STEP = 12_000, 5e-5
"""s; 1/128 of a collision"""


class Book:
    """What springs hold and what dampers and friction took, reckoned from places, velocities and spins alone.

    The laws are written here once more, so that the solver's forces are not what its energy is held against. Row k is
    a pair of grains, or a grain and the floor z = 0.
    """

    def __init__(self, count: int, friction: float) -> None:
        self.first, self.second = np.triu_indices(count, 1)
        self.friction = friction
        reduced = np.concatenate([np.full(len(self.first), 0.5 * MASS), np.full(count, MASS)])
        self.damper = damping_factor(RESTITUTION) * np.sqrt(reduced * STIFFNESS)
        self.spring = np.zeros((len(reduced), 3))
        """N, across the contacts"""
        self.overlap = np.zeros(len(reduced))
        self.damped, self.rubbed = 0.0, 0.0
        """J"""

    def add(self, x: Floats, v: Floats, spin: Floats) -> None:
        """Goes on by a step that ended with these places, velocities and spins."""
        i, j = self.first, self.second
        apart = x[i] - x[j]
        distance = np.sqrt((apart * apart).sum(axis=1))
        up = np.tile([0.0, 0.0, 1.0], (len(x), 1))
        n = np.concatenate([apart / distance[:, None], up])
        self.overlap = np.concatenate([2.0 * RADIUS - distance, RADIUS - x[:, 2]])
        touching = self.overlap > 0.0
        arm = (RADIUS - 0.5 * self.overlap)[:, None]
        turning = np.concatenate([spin[i] + spin[j], spin])
        u = np.concatenate([v[i] - v[j], v]) - arm * np.cross(turning, n)
        parting = (u * n).sum(axis=1)
        slip = u - parting[:, None] * n
        self.damped += STEP * float((self.damper * parting**2)[touching].sum())
        load = np.abs(STIFFNESS * self.overlap - self.damper * parting)
        before = self._across()
        self.spring += STEP * ACROSS * STIFFNESS * slip
        self.spring -= (self.spring * n).sum(axis=1)[:, None] * n
        drag = DAMPED_ACROSS * self.damper[:, None] * slip
        whole = self.spring + drag
        size = np.sqrt((whole * whole).sum(axis=1))
        whole *= np.minimum(1.0, self.friction * load / np.maximum(size, 1e-30))[:, None]
        held = touching if self.friction > 0.0 else np.zeros_like(touching)
        self.spring = np.where(held[:, None], whole - drag, 0.0)
        # what work of the force is not in the springs afterwards; those of contacts that ended are lost
        work = STEP * float((whole * slip)[touching].sum())
        self.rubbed += work - (self._across() - before)

    def _across(self) -> float:
        return 0.5 * float((self.spring**2).sum()) / (ACROSS * STIFFNESS)

    @property
    def elastic(self) -> float:
        """J"""
        return 0.5 * STIFFNESS * float((np.maximum(self.overlap, 0.0) ** 2).sum()) + self._across()


def bookkeeping() -> list[Result]:
    """Grains that fall onto each other, slide, spin and bounce until they hardly do: elastic + kinetic + dissipated
    is what was there at the beginning."""
    results: list[Result] = []
    for name, friction in (("smooth", 0.0), ("rough", 0.5)):
        scene = scene_of(restitution=RESTITUTION, friction_static=friction, stiffness=STIFFNESS)
        scene.add_plane((0, 0, 1), 0.0, "grain")
        random = np.random.default_rng(2)
        lattice = np.stack(np.meshgrid(*[np.arange(3.0)] * 3, indexing="ij"), -1).reshape(-1, 3)
        places = 0.12 * lattice + (0, 0, 0.1) + random.uniform(-0.005, 0.005, (27, 3))
        velocity, spin = random.uniform(-1.0, 1.0, (27, 3)), random.uniform(-20.0, 20.0, (27, 3))
        scene.add_particles(places, velocity, RADIUS, material="grain", spin=spin)
        simulation = Simulation(scene, solver=DEM(dt=STEP), threads=1)
        book = Book(27, friction)
        begin, least = _moving(simulation), math.inf
        for _ in range(STEPS):
            simulation.step()
            p = simulation.particles
            book.add(*(a.astype(np.float64) for a in (p.position, p.velocity, p.spin)))
            least = min(least, book.rubbed)
        released = begin - _moving(simulation)
        taken = book.damped + book.rubbed
        results += [
            Bound(f"{name}: dampers took, of what was released", book.damped / released, low=0.2),
            Bound(f"{name}: friction took, of it", book.rubbed / released, 0.2 * friction, 2.0 * friction),
            Bound(f"{name}: friction gave back at most, of it", -least / released, high=1e-3),
            Check(f"{name}: dissipated + elastic over released", (taken + book.elastic) / released, 1.0, 0.01),
        ]
    return results


def _moving(simulation: Simulation) -> float:
    """Energy of motion, spin and height, J."""
    p = simulation.particles
    v, spin, height = (a.astype(np.float64) for a in (p.velocity, p.spin, p.position[:, 2]))
    turning = 0.2 * MASS * RADIUS**2 * (spin * spin).sum()
    return float(0.5 * MASS * (v * v).sum() + turning + MASS * G * height.sum())


SCENARIOS = [
    Scenario(
        "dem-bookkeeping", "dem", "kinetic + elastic + dissipated = input, with friction and without", bookkeeping,
        slow=True,
    ),
]
