"""One grain against closed forms, with each solver whose contact is a spring and a damper: figure 2, Coulomb's law.

What is asked is the same for all; how close a solver comes it says itself (`Solver.tolerance`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.scene import NDEM, P2, Scene, SolverSettings
from windrow.sim.simulation import Simulation
from windrow.solvers.registry import solver_class
from windrow.validate.check import Bound, Check, Result, Scenario

G = 9.81
RADIUS = 0.05
"""m"""
STATIC, KINETIC = 0.5, 0.3
"""Friction of the incline."""


def floor_scene(
    stiffness: float, damping: float, static: float = 0.0, kinetic: float = 0.0, slope: float = 0.0
) -> Scene:
    """A plane; gravity turned by `slope` radians so that it pulls along +x."""
    scene = Scene(gravity=(G * math.sin(slope), 0.0, -G * math.cos(slope)))
    scene.add_material(
        "m",
        density=1600.0,
        friction_static=static,
        friction_kinetic=kinetic,
        adhesion=0.0,
        stiffness=stiffness,
        damping=damping,
    )
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="m", name="floor")
    return scene


def implicit_euler(
    stiffness: float, damping: float, start: float, steps: int = 120, dt: float = 1 / 60
) -> NDArray[np.float64]:
    """Height of 1 kg by implicit Euler of m ẍ + c ẋ + k x = −m g over a ground that only pushes.

    The damper acts on the part of a step's way that lies below the surface.
    """
    x, v = start - RADIUS, 0.0
    z = np.empty(steps)
    for k in range(steps):
        free = x + dt * v - dt * dt * G
        end = free
        if free <= 0:
            inside = min(x, 0.0)
            touching = (free + dt * damping * inside) / (1 + dt * damping + dt * dt * stiffness)
            if stiffness * touching + damping * (touching - inside) / dt <= 0:
                end = touching
        x, v = end, (end - x) / dt
        z[k] = x + RADIUS
    return z


def heights(stiffness: float, damping: float, start: float, solver: SolverSettings) -> NDArray[np.float64]:
    """Height of one grain (1 kg) after each of 120 steps of 1/60 s, m."""
    scene = floor_scene(stiffness, damping)
    scene.add_particles(position=[(0.0, 0.0, start)], radius=RADIUS, mass=1.0, material="m")
    simulation = Simulation(scene, solver=solver)
    z = np.empty(120)
    for k in range(len(z)):
        simulation.step()
        z[k] = simulation.particles.position[0, 2]
    return z


class SpringCase(NamedTuple):
    """What a solver computes a single spring with."""

    settings: Mapping[str, SolverSettings]
    materials: tuple[tuple[float, float], ...]
    """stiffness, N/m, and damping, N s/m"""
    drop: float
    """height that the grain is dropped from, m"""
    substeps: int
    law: str


def spring_damper(case: SpringCase) -> list[Result]:
    results: list[Result] = []
    n = case.substeps
    for stiffness, damping in case.materials:
        for start, how in ((RADIUS, "placed"), (case.drop, "dropped")):
            exact = implicit_euler(stiffness, damping, start, 120 * n, 1 / 60 / n)[n - 1 :: n]
            for name, solver in case.settings.items():
                off = float(np.abs(heights(stiffness, damping, start, solver) - exact).max())
                what = f"k {stiffness:g}, c {damping:g}, {how}, {name}: largest difference"
                most = solver_class(solver.name).tolerance("height on a spring, mm", 0.2)
                results.append(Bound(what, 1e3 * off, high=most, unit="mm"))
    return results


def slide_acceleration(slope_deg: float, solver: SolverSettings) -> float:
    """Mean acceleration along the incline over the second of two seconds, m/s²."""
    theta = math.radians(slope_deg)
    scene = floor_scene(1e5, 2e3, STATIC, KINETIC, theta)
    sunk = G * math.cos(theta) / 1e5
    scene.add_particles(position=[(0.0, 0.0, RADIUS - sunk)], radius=RADIUS, mass=1.0, material="m")
    simulation = Simulation(scene, solver=solver)
    simulation.run(seconds=1.0)
    begin = float(simulation.particles.velocity[0, 0])
    simulation.run(seconds=1.0)
    return float(simulation.particles.velocity[0, 0]) - begin


def incline(solver: SolverSettings, slopes: tuple[float, ...]) -> list[Result]:
    share = solver_class(solver.name).tolerance("acceleration on an incline", 0.01)
    results: list[Result] = []
    for slope in slopes:
        theta = math.radians(slope)
        slides = math.tan(theta) > STATIC
        exact = G * (math.sin(theta) - KINETIC * math.cos(theta)) if slides else 0.0
        what = f"{slope:g}°, μ_s {STATIC:g}, μ_k {KINETIC:g}"
        results.append(Check(what, slide_acceleration(slope, solver), exact, max(share * exact, 1e-3), "m/s²"))
    return results


SPRINGS = {
    "p2": SpringCase(
        {f"{n} iterations": P2(dt=1 / 60, iterations=n) for n in (1, 5, 20)},
        ((1000.0, 100.0), (100.0, 0.0)),
        drop=0.3,
        substeps=1,
        law="Figure 2: implicit Euler of m ẍ + c ẋ + k x = 0 with a unilateral ground, any number of iterations.",
    ),
    "ndem": SpringCase(
        {f"{n} sweeps": NDEM(substeps=8, sweeps=n) for n in (1, 5)},
        ((1000.0, 100.0), (10_000.0, 0.0)),
        drop=0.15,
        substeps=8,
        law="Implicit Euler of m ẍ + c ẋ + k x = 0 with a unilateral ground, with the substep, for any number of "
        "sweeps. SpringCase end at half a radius, so that the cases are stiffer than P²'s.",
    ),
}
SLOPES: dict[str, tuple[SolverSettings, tuple[float, ...]]] = {
    "p2": (P2(dt=1 / 240), (15.0, 25.0, 28.0, 35.0, 50.0)),
    "ndem": (NDEM(), (15.0, 25.0, 26.0, 27.0, 35.0, 50.0)),
}
"""Settings, and degrees: near the limit of 26.6° as near as the solver tells the two sides apart."""
WRITTEN = {"p2": "P²", "ndem": "NDEM"}

SCENARIOS = [
    *(
        Scenario(f"{name}-spring-damper", WRITTEN[name], case.law, lambda case=case: spring_damper(case))  # type: ignore[misc]
        for name, case in SPRINGS.items()
    ),
    *(
        Scenario(
            f"{name}-incline",
            WRITTEN[name],
            "Coulomb: slides exactly when tan θ > μ_s, then with g (sin θ − μ_k cos θ).",
            lambda case=case: incline(*case),  # type: ignore[misc]
        )
        for name, case in SLOPES.items()
    ),
]
