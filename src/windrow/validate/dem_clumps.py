"""Clumps of DEM against closed forms: mass properties, free rotation, impacts, weight, speed beside single grains."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from windrow.fixed_math import norm
from windrow.scene import DEM, Scene
from windrow.scene.ball_unions import ball_union
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario

TRIPLE = ([(0.0, 0.0, 0.0), (0.06, 0.0, 0.0), (0.03, 0.05, 0.02)], [0.05, 0.04, 0.03])
"""Three balls that overlap, m."""


def rocks(gravity: float = 0.0, **material: Any) -> Scene:
    """A scene of one material, without losses unless it says so."""
    scene = Scene(gravity=(0.0, 0.0, -gravity), seed=5)
    plain: dict[str, Any] = {"density": 2500.0, "stiffness": 1e6, "restitution": 1.0, "friction_static": 0.0}
    scene.add_material("rock", **plain | material)
    return scene


def energy(simulation: Simulation) -> float:
    """Of motion, J."""
    c = simulation.clumps
    flying = (c.mass * (c.velocity * c.velocity).sum(axis=1)).sum()
    return 0.5 * float(flying + (c.spin * c.angular_momentum).sum())


def mass_properties() -> list[Result]:
    """Two balls of radius r whose centres are d apart share a lens of π (4 r + d)(2 r − d)²/12.

    Its centre is halfway; about their axis the union has the moments of two balls less those of two caps of height
    h = r − d/2: π h³ (20 r² − 15 r h + 3 h²)/30 each.
    """
    r, d = 0.5, 0.6
    direction = np.array([0.48, 0.6, 0.64])
    union = ball_union(np.array([np.zeros(3), d * direction]), np.array([r, r]))
    h = r - 0.5 * d
    volume = 8.0 / 3.0 * math.pi * r**3 - math.pi * (4.0 * r + d) * (2.0 * r - d) ** 2 / 12.0
    cap = math.pi * h**3 * (20.0 * r * r - 15.0 * r * h + 3.0 * h * h) / 30.0
    along = 2.0 * (8.0 / 15.0 * math.pi * r**5 - cap)
    told = float(direction @ union.inertia @ direction)
    return [
        Check("volume of two balls", union.volume, volume, 1e-8 * volume, "m³"),
        Check("centre, along their axis", float(union.center @ direction), 0.5 * d, 1e-9, "m"),
        Check("moment about their axis", told, along, 1e-8 * along, "m⁵"),
    ]


def free_rotation() -> list[Result]:
    """A clump that nobody touches tumbles: angular momentum to the bit, energy stays."""
    scene = rocks()
    scene.add_clumps(*TRIPLE, (0, 0, 0), "rock", velocity=(1.0, 0, 0), spin=(1.0, 20.0, 3.0))
    simulation = Simulation(scene, solver=DEM(substeps=100), threads=1)
    before, momentum, first = energy(simulation), simulation.clumps.angular_momentum, simulation.clumps.spin
    while simulation.time < 2.0:
        simulation.step()
    now = simulation.clumps
    turned = float(norm(now.spin - first)[0]) / 20.0
    return [
        Bound("its axis has moved by, of the spin", turned, low=0.02),
        Check("energy", energy(simulation), before, 1e-7 * before, "J"),
        Check("angular momentum lost", float(np.abs(now.angular_momentum - momentum).max()), 0.0, 0.0, "kg m²/s"),
        Check("way of its centre", float(now.position[0, 0]), simulation.time, 1e-9, "m"),
    ]


def impacts() -> list[Result]:
    """Clumps and grains that fly into each other: momentum and angular momentum stay, and energy without losses."""
    scene = rocks()
    places = 0.16 * np.stack(np.meshgrid(*[np.arange(3)] * 3, indexing="ij"), -1).reshape(-1, 3).astype(float)
    flying = -3.0 * (places - 0.16)
    scene.add_clumps(*TRIPLE, places, "rock", random_rotation=True, velocity=flying, spin=(5.0, 0, -3.0))
    scene.add_particles(places + 0.08, -3.0 * (places - 0.08), 0.02, material="rock")
    simulation = Simulation(scene, solver=DEM(substeps=10), threads=1)

    def sums() -> tuple[np.ndarray, np.ndarray, float, float]:
        c, p = simulation.clumps, simulation.particles
        own = p.clump < 0
        rest = simulation.state.columns["rest"][simulation.state.by_id()].astype(float)
        x, v, m = (p.position + rest[:, :3])[own], (p.velocity + rest[:, 3:6])[own], p.mass[own]
        spin = 0.4 * (m * p.radius[own].astype(float) ** 2)[:, None] * (p.spin + rest[:, 6:9])[own]
        momentum = (c.mass[:, None] * c.velocity).sum(axis=0) + (m[:, None] * v).sum(axis=0)
        turning = (np.cross(c.position, c.mass[:, None] * c.velocity) + c.angular_momentum).sum(axis=0)
        turning = turning + (np.cross(x, m[:, None] * v) + spin).sum(axis=0)
        moved = float((c.mass * norm(c.velocity)).sum() + (m * norm(v)).sum())
        kinetic = energy(simulation) + float((0.5 * m * (v * v).sum(axis=1)).sum())
        return momentum, turning, moved, kinetic + float((0.5 * (p.spin[own] * spin).sum(axis=1)).sum())

    momentum, turning, moved, kinetic = sums()
    hits = 0
    while simulation.time < 0.5:
        hits = max(hits, len(simulation.contacts))
        simulation.step()
    after, turned, _, left = sums()
    lost = float(norm((turned - turning)[None])[0]) / (0.3 * moved)
    return [
        Bound("contacts at once, at most", float(hits), low=5.0),
        Bound("momentum lost, of all that moves", float(norm((after - momentum)[None])[0]) / moved, high=1e-7),
        Bound("angular momentum lost, of all that moves at 0.3 m", lost, high=1e-6),
        Check("energy", left, kinetic, 0.01 * kinetic, "J"),
    ]


def weight() -> list[Result]:
    """A clump at rest on a floor presses on it with its weight, wherever its balls touch."""
    scene = rocks(9.81, restitution=0.3, friction_static=0.6, rolling_friction=0.05)
    scene.add_plane((0, 0, 1), 0.0, "rock", name="floor")
    scene.add_clumps(*TRIPLE, [(0, 0, 0.08), (0.5, 0, 0.08)], "rock", rotation_deg=[(0, 0, 0), (90, 0, 0)])
    simulation = Simulation(scene, solver=DEM(substeps=100), threads=1)
    while simulation.time < 1.5:
        simulation.step()
    weight = float(simulation.clumps.mass.sum()) * 9.81
    touching = simulation.contacts.with_body.sum()
    return [
        Check("force on the floor", -float(simulation.body("floor")[0][2]), weight, 0.002 * weight, "N"),
        Bound("speed", float(norm(simulation.clumps.velocity).max()), high=1e-3, unit="m/s"),
        Bound("balls that touch the floor", float(touching), low=4.0, high=6.0),
    ]


SCENARIOS = [
    Scenario("dem-clump-mass", "dem", "two balls less a lens, two caps", mass_properties),
    Scenario("dem-clump-tumbling", "dem", "Euler's free top: energy and angular momentum stay", free_rotation),
    Scenario("dem-clump-impacts", "dem", "momentum, angular momentum and energy stay", impacts),
    Scenario("dem-clump-weight", "dem", "A floor carries the weight of the clumps that lie on it.", weight),
]
