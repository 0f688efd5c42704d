"""Bonds of DEM against closed forms: a cantilever, periods, strengths, momentum of a block that breaks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from windrow.fixed_math import norm
from windrow.scene import DEM, Scene
from windrow.sim.simulation import Simulation
from windrow.state.bonds import SHEAR, TENSION
from windrow.validate.check import Bound, Check, Result, Scenario

RADIUS = 0.05
LENGTH = 2.02 * RADIUS
"""of bonds, m: the grains do not touch"""
YOUNG = 1e7
AREA, INERTIA = math.pi * RADIUS**2, 0.25 * math.pi * RADIUS**4
SHEAR_MODULUS = YOUNG / 2.5
MASS = 2500.0 * 4.0 / 3.0 * math.pi * RADIUS**3


def rod(grains: int, gravity: tuple[float, float, float] = (0.0, 0.0, 0.0), **bonds: Any) -> Scene:
    """Grains in a row along x, bonded, the first of them held."""
    scene = Scene(gravity=gravity)
    scene.add_material("rock", density=2500.0, stiffness=1e6, restitution=0.5)
    x = [(k * LENGTH, 0.0, 0.0) for k in range(grains)]
    scene.add_particles(x, radius=RADIUS, material="rock", pinned=np.arange(grains) == 0)
    scene.add_bonds(YOUNG, **{"damping_ratio": 1.0} | bonds)
    return scene


def cantilever() -> list[Result]:
    """A row of grains held at one end droops under its weight as Timoshenko's beam does.

    Exactly so is a row of rigid pieces with springs in the middle of each bond: Σ M (l − c)/k_b + Q/k_s, with the
    moment M and the shear force Q at the middle c.
    """
    grains, gravity = 5, 0.01
    simulation = Simulation(rod(grains, (0.0, 0.0, -gravity)), solver=DEM(substeps=5000), threads=1)
    while simulation.time < 20.0:
        simulation.step()
    place = LENGTH * np.arange(grains)
    droop = 0.0
    for bond in range(grains - 1):
        middle, carried = place[bond] + 0.5 * LENGTH, place[bond + 1 :]
        moment = float((MASS * gravity * (carried - middle)).sum())
        droop += moment * (place[-1] - middle) * LENGTH / (YOUNG * INERTIA)
        droop += MASS * gravity * len(carried) * LENGTH / (SHEAR_MODULUS * AREA)
    readings = simulation.bonds
    root = float((MASS * gravity * (place[1:] - 0.5 * LENGTH)).sum())
    return [
        Check("droop of the free end", -float(simulation.particles.position[-1, 2]), droop, 0.002 * droop, "m"),
        Check("moment at the held end", float(readings.bending[0, 1]), root, 0.002 * root, "N m"),
        Check("shear force there", -float(readings.shear[0, 2]), 4.0 * MASS * gravity, 0.008 * MASS * gravity, "N"),
        Bound("speed at the end", float(np.abs(simulation.particles.velocity).max()), high=1e-6, unit="m/s"),
    ]


def periods() -> list[Result]:
    """A grain on a bond that is held swings along it with √(m/k_n), and turns about it with √(J/k_t)."""
    results: list[Result] = []
    cases = {
        "along": ({"velocity": (0.001, 0, 0)}, math.sqrt(MASS * LENGTH / (YOUNG * AREA))),
        "about": (
            {"spin": (0.01, 0, 0)},
            math.sqrt(0.4 * MASS * RADIUS**2 * LENGTH / (SHEAR_MODULUS * 2.0 * INERTIA)),
        ),
    }
    for name, (motion, swing) in cases.items():
        scene = Scene(gravity=(0.0, 0.0, 0.0))
        scene.add_material("rock", density=2500.0, stiffness=1e6, restitution=0.5)
        scene.add_particles([(0, 0, 0)], radius=RADIUS, material="rock", pinned=True)
        scene.add_particles([(LENGTH, 0, 0)], radius=RADIUS, material="rock", **motion)
        scene.add_bonds(YOUNG, damping_ratio=0.0)
        simulation = Simulation(scene, solver=DEM(), threads=1)
        crossings: list[float] = []
        before = value = 1.0
        while len(crossings) < 11:
            simulation.step()
            p = simulation.particles
            before, value = value, float(p.velocity[1, 0] if name == "along" else p.spin[1, 0])
            if before * value < 0.0:
                crossings.append(simulation.time - simulation.solver.dt * value / (value - before))
        period = (crossings[-1] - crossings[0]) / 5.0
        expected = 2.0 * math.pi * swing
        results.append(Check(f"period {name} the bond", period, expected, 0.005 * expected, "s"))
    return results


def strengths() -> list[Result]:
    """A bond breaks at σ A in tension, τ A in shear, σ I/R in bending, τ J/R in twisting, pulled slowly."""
    strong = 1e4
    results: list[Result] = []
    cases: dict[str, tuple[dict[str, Any], str, int, float]] = {
        "tension": ({"velocity": (0.01, 0, 0)}, "tensile_strength", TENSION, strong * AREA),
        "shear": ({"velocity": (0, 0, 0.01)}, "shear_strength", SHEAR, strong * AREA),
        "bending": ({"spin": (0, 0.5, 0)}, "tensile_strength", TENSION, strong * INERTIA / RADIUS),
        "twisting": ({"spin": (0.5, 0, 0)}, "shear_strength", SHEAR, 2.0 * strong * INERTIA / RADIUS),
    }
    for name, (motion, strength, mode, expected) in cases.items():
        scene = Scene(gravity=(0.0, 0.0, 0.0))
        scene.add_material("rock", density=2500.0, stiffness=1e6, restitution=0.5)
        scene.add_particles([(0, 0, 0)], radius=RADIUS, material="rock", pinned=True)
        # both are driven, so that each load comes alone
        other = {"velocity": (0, 0, 0), **motion}
        if name == "bending":
            other["velocity"] = (0.0, 0.0, -0.5 * LENGTH * 0.5)
        scene.add_particles([(LENGTH, 0, 0)], radius=RADIUS, material="rock", pinned=True, **other)
        limit: dict[str, Any] = {strength: strong}
        scene.add_bonds(YOUNG, **limit)
        simulation = Simulation(scene, solver=DEM(dt=1e-5, substeps=1), threads=1)
        while simulation.bonds.ended[0] == 0 and simulation.time < 1.0:
            simulation.step()
        found = simulation.bonds
        carried = {
            "tension": float(found.tension[0]),
            "shear": float(norm(found.shear)[0]),
            "bending": float(norm(found.bending)[0]),
            "twisting": abs(float(found.twisting[0])),
        }[name]
        unit = "N" if name in ("tension", "shear") else "N m"
        results.append(Check(f"{name}: it carried at most", carried, expected, 0.01 * expected, unit))
        results.append(Check(f"{name}: way it broke", float(found.ended[0]), float(mode), 0.0))
    return results


def block(**bonds: Any) -> Scene:
    """A block of bonded grains that flies and turns, and a grain that hits it; nothing else acts."""
    scene = Scene(gravity=(0.0, 0.0, 0.0), seed=3)
    scene.add_material("rock", density=2500.0, stiffness=1e6, restitution=0.5, friction_static=0.5)
    lattice = np.stack(np.meshgrid(*[np.arange(4)] * 3, indexing="ij"), -1).reshape(-1, 3)
    radius = np.where(np.arange(64) % 3 == 0, 0.04, RADIUS)
    scene.add_particles(LENGTH * lattice, (0.5, 0.2, 0.0), radius, material="rock")
    scene.add_bonds(YOUNG, particles=0, **{"reach": 0.5, "damping_ratio": 0.1} | bonds)
    scene.add_particles([(-0.3, 0.1, 0.12)], (20.0, 0, 0), 0.08, material="rock", spin=(0, 50.0, 0))
    return scene


def momenta(simulation: Simulation) -> tuple[Any, Any, float]:
    """Momentum (kg m/s), angular momentum about the origin (kg m²/s), and the sum of what is moved (kg m/s)."""
    p, rest = simulation.particles, simulation.state.columns["rest"][simulation.state.by_id()].astype(float)
    m, r = p.mass, p.radius.astype(float)
    x, v = p.position + rest[:, :3], p.velocity + rest[:, 3:6]
    spin = p.spin + rest[:, 6:9]
    own = (0.4 * m * r * r)[:, None] * spin
    turning = (np.cross(x, m[:, None] * v) + own).sum(axis=0)
    return (m[:, None] * v).sum(axis=0), turning, float((m * norm(v)).sum())


def conservation() -> list[Result]:
    """A block is hit by a grain and breaks: momentum and angular momentum are what they were."""
    results: list[Result] = []
    for name, strength in (("breaks", 3e4), ("holds", math.inf)):
        scene = block(tensile_strength=strength, shear_strength=strength)
        simulation = Simulation(scene, solver=DEM(), threads=1)
        before, turning, moved = momenta(simulation)
        while simulation.time < 0.1:
            simulation.step()
        after, turned, _ = momenta(simulation)
        share = 1.0 - float(simulation.bonds.holds.mean())
        lost = float(norm((after - before)[None])[0]) / moved
        lost_turning = float(norm((turned - turning)[None])[0]) / (moved * 0.2)
        results.append(Bound(f"{name}: bonds broken", share, *((0.05, 0.95) if name == "breaks" else (0.0, 0.0))))
        results.append(Bound(f"{name}: momentum lost, of all that moves", lost, high=2e-7))
        results.append(Bound(f"{name}: angular momentum lost, of all that moves at 0.2 m", lost_turning, high=1e-6))
    return results


SCENARIOS = [
    Scenario("dem-bond-beam", "dem", "Σ M (l − c)/k_b + Q/k_s of a row of bonds", cantilever),
    Scenario("dem-bond-periods", "dem", "Periods of a bonded pair, 2π √(m/k_n) and 2π √(J/k_t).", periods),
    Scenario("dem-bond-strength", "dem", "N/A + |B| R/I ≤ σ, |S|/A + |T| R/J ≤ τ (Potyondy & Cundall 2004)", strengths),
    Scenario("dem-bond-momentum", "dem", "momentum and angular momentum stay", conservation),
]
