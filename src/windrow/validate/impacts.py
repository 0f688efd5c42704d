"""Bodies that hit grains, and tools that pinch them: nobody gets more energy than there was."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F64
from windrow.scene.motion import Linear
from windrow.scene.scene import Scene
from windrow.scene.settings import Fluid, SolverSettings
from windrow.scene.shapes import Box, Sphere
from windrow.sim.simulation import Simulation
from windrow.solvers.fluid.pacing import pressure_carried
from windrow.solvers.registry import solver_class, variants
from windrow.solvers.smoothed.spline import spline_for
from windrow.validate.check import Bound, Result, Scenario

G = 9.81
SOLVERS: dict[str, SolverSettings] = {
    name: settings for name, settings in variants().items() if solver_class(settings.name).with_bodies
}
"""those whose grains meet bodies"""
MASSES = (0.01, 0.1, 0.6, 1.4, 20.0, 500.0, 1e4)
"""kg"""
SPEEDS = (1.0, 5.0, 20.0, 50.0, 100.0)
"""m/s"""
PHASES = (0.05, 0.3, 0.55, 0.8)
"""share of a step after which the body meets the grains"""
SHAPES: dict[str, Box | Sphere] = {"plank": Box(size=(0.4, 0.1, 0.02)), "ball": Sphere(radius=0.05)}
POSES: dict[str, tuple[F64, F64]] = {
    "flat": (np.zeros(3), np.zeros(3)),
    "edge": (np.array([90.0, 0, 0]), np.zeros(3)),
    "tilted": (np.array([20.0, 10, 0]), np.zeros(3)),
    "spinning": (np.array([20.0, 10, 0]), np.array([30.0, -60, 40])),
}
"""rotation, degrees, and angular velocity, rad/s"""
STEPS = 25
GAINED = 0.02
"""Share of the energy of an impact that there may be more: what follows from steps of finite length"""
SETTLES = 0.5
"""J, that the bed's own energy may rise by: P² pushes its grains apart where they overlap"""
RADIUS, HIGH, DENSITY = 0.03, 0.28, 1600.0
"""Of the grains, m; height of what is pinched, m; kg/m³"""


TOOLS = {"plates": 1.0, "press": 0.5, "tool": 50.0}
"""speed, m/s, of what pinches grains"""


def packing_for(solver: SolverSettings) -> dict[str, Any]:
    """Grains that touch; particles of a continuum fill their cubes."""
    if solver.continuum:
        return {"packing": "cubic", "spacing": 2.0 * RADIUS, "jitter": 0.0}
    return {"packing": "hexagonal"}


class Impact(NamedTuple):
    """A body that falls on a bed of sand."""

    shape: str
    mass: float
    speed: float
    pose: str
    phase: float

    def scene(self, solver: SolverSettings) -> Scene:
        rotation, spin = POSES[self.pose]
        scene = Scene(solver=solver)
        scene.add_material("sand", stiffness=1e5, damping=150)
        scene.add_open_box((-0.4, -0.4, 0), (0.4, 0.4, 1.0), "sand")
        scene.add_block((-0.4, -0.4, 0), (0.8, 0.8, 0.3), RADIUS, "sand", **packing_for(solver))
        # 0.05 m of the bed's surface are the lowest point of the body, and what it flies in the first step
        clear = 0.5 if self.pose == "edge" else 0.37
        scene.add_body(
            "body",
            "sand",
            shapes=[SHAPES[self.shape]],
            position=(0, 0, clear + self.phase * self.speed * solver.dt),
            rotation_deg=tuple(rotation.tolist()),
            mass=self.mass,
            velocity=(0, 0, -self.speed),
            angular_velocity=tuple(spin.tolist()),
        )
        return scene

    def gain(self, solver: SolverSettings, steps: int = STEPS) -> float:
        """Most energy there was beyond that at the start, of the body's own kinetic energy; ∞ if numbers are lost."""
        simulation = Simulation(self.scene(solver), threads=1)
        bodies = simulation.bodies
        assert bodies is not None
        start = energy(simulation)
        kinetic = bodies.energy() - float(self.mass * G * bodies.motion.x[0, 2])
        most = -np.inf
        for _ in range(steps):
            simulation.step()
            now = energy(simulation) - start
            if not np.isfinite(now):
                return float("inf")
            most = max(most, now)
        return max(most - SETTLES, 0.0) / kinetic


def energy(simulation: Simulation) -> float:
    """Kinetic energy and that of weight of all grains and bodies, J."""
    state, n = simulation.state, simulation.state.count
    mass, v = 1.0 / state.V[:n, 3].astype(np.float64), state.V[:n, :3].astype(np.float64)
    grains = (mass * (0.5 * (v * v).sum(axis=1) + G * state.X[:n, 2])).sum()
    return float(grains) + (simulation.bodies.energy() if simulation.bodies is not None else 0.0)


def every_impact(phases: Iterable[float] = PHASES) -> Iterator[Impact]:
    """All shapes, masses, speeds and poses; a ball has no edge."""
    for shape, mass, speed, pose, phase in itertools.product(SHAPES, MASSES, SPEEDS, POSES, phases):
        if shape == "plank" or pose in ("flat", "spinning"):
            yield Impact(shape, mass, speed, pose, phase)


def _impacts(solver: str) -> list[Result]:
    gains = [impact.gain(SOLVERS[solver]) for impact in every_impact()]
    return [
        Bound("impacts", len(gains), low=1),
        Bound("largest gain over the energy of the impact", max(gains), high=GAINED),
    ]


def pinched(solver: SolverSettings, how: str, liquid: bool = False) -> Scene:
    """Grains between two plates that close at 1 m/s each, in a box under a press, or between a fast tool and a wall."""
    scene = Scene(solver=solver)
    scene.add_material("sand", stiffness=1e5, damping=150, liquid=liquid)
    if how == "press":
        scene.add_open_box((-0.2, -0.2, 0), (0.2, 0.2, 1.0), "sand")
    else:
        scene.add_plane((0, 0, 1), 0.0, "sand")
    packing = packing_for(Fluid() if liquid else solver)
    scene.add_block((-0.2, -0.2, 0.0), (0.4, 0.4, HIGH), RADIUS, "sand", **packing)
    moving = {"kind": "linear"}
    if how == "plates":
        for side in (-1, 1):
            motion = {**moving, "velocity": (-side, 0, 0)}
            scene.add_box((side * 0.35, 0, 0.4), (0.1, 1.0, 0.8), "sand", motion=motion)
    elif how == "press":
        scene.add_box((0, 0, 0.5), (0.398, 0.398, 0.1), "sand", motion={**moving, "velocity": (0, 0, -0.5)})
    else:
        scene.add_plane((-1, 0, 0), -0.3, "sand")
        scene.add_box((-2.0, 0, 0.4), (0.1, 1.0, 0.8), "sand", motion={**moving, "velocity": (50, 0, 0)})
    return scene


class Pinch(NamedTuple):
    """What became of grains that had no room."""

    fastest: float
    """greatest speed of any grain, m/s"""
    over: float
    """the most that a speed was of the greatest that there was reason for until then"""
    held: int
    """grains that were held, at most"""
    given: float
    """most energy that the grains had gained beyond what there was reason for until then, J"""


def fastest_pinched(solver: SolverSettings, how: str, seconds: float = 1.0, liquid: bool = False) -> Pinch:
    """liquid: whether the grains are particles of one, with a solver that computes both."""
    simulation = Simulation(pinched(solver, how, liquid), threads=1)
    motions = [obstacle.motion for obstacle in simulation.assembled.obstacles]
    velocity = np.array([motion.velocity if isinstance(motion, Linear) else (0.0, 0.0, 0.0) for motion in motions])
    start, work, pressure = energy(simulation), 0.0, 0.0
    mass = float(simulation.particles.mass.sum())
    share = solver_class(solver.name).tolerance("speed of what a tool hits", 1.1)
    carried = 0.0
    if solver.liquid:
        carried = pressure_carried(solver, solver.dt, spline_for(2.0 * RADIUS))  # type: ignore[arg-type]
    fastest, over, held, given = 0.0, 0.0, 0, -np.inf
    for _ in range(round(seconds / solver.dt)):
        report = simulation.step()
        v = simulation.state.V[: simulation.state.count, :3].astype(np.float64)
        now = float(np.sqrt((v * v).sum(axis=1).max()))
        work -= float((simulation.state.body_force * velocity).sum()) * solver.dt
        most = max(spring_speed(), share * TOOLS[how])
        allowed = work
        if liquid or (solver.continuum and solver.liquid):
            # no more than the solver says that it carries
            pressure = max(pressure, min(float(simulation.state.columns["pressure"].max()), DENSITY * carried))
            squeezed = max(squeezed_speed(how, simulation.time), np.sqrt(2.0 * pressure / DENSITY))
            most = np.sqrt((share * TOOLS[how]) ** 2 + squeezed**2 + 2.0 * G * HIGH)
            # what is squeezed from between walls is the faster the further out: the mean of u² is a third of the edge's
            allowed = min(work, 0.5 * mass * (TOOLS[how] ** 2 + squeezed**2 / 3.0))
        fastest, over = max(fastest, now), max(over, float(now / most))
        held = max(held, int(report.notes.get("pinched", 0)))
        given = max(given, energy(simulation) - start - allowed)
    return Pinch(fastest, over, held, given)


def squeezed_speed(how: str, time: float) -> float:
    """What liquid between two walls that close has at its edge, m/s: U L/g, by continuity.

    U: how fast they close; L: half of the width over which it is squeezed; g: the gap at that time, s, one radius at
    least, because no thinner film is told. A closed box has no edge. Until the gap is as wide as the liquid was at the
    start, nothing is squeezed.
    """
    if how == "press":
        return 0.0
    closing, half, gap = {"plates": (2.0, 0.5, 0.6 - 2.0 * time), "tool": (50.0, 0.2, 2.25 - 50.0 * time)}[how]
    return closing * half / max(gap, RADIUS) if gap < 0.4 + 2.0 * RADIUS else 0.0


def spring_speed() -> float:
    """What springs pressed to their cores give a grain at most, m/s: it has up to twelve neighbours, each a half."""
    mass = 4.0 / 3.0 * np.pi * RADIUS * RADIUS * RADIUS * 1600.0
    return float(0.5 * RADIUS * np.sqrt(6.0 * 1e5 / mass))


def _pinches() -> list[Result]:
    results: list[Result] = []
    for (name, solver), how in itertools.product(SOLVERS.items(), TOOLS):
        found = fastest_pinched(solver, how)
        label = f"{name}, {how}: fastest grain ({found.fastest:.1f} m/s) over what it may be"
        results.append(Bound(label, found.over, high=1.0))
        results.append(Bound(f"{name}, {how}: energy beyond the work done", found.given, high=SETTLES, unit="J"))
    return results


SCENARIOS = [
    *(
        Scenario(
            f"impacts-{name.replace(' ', '-')}",
            name.split()[0],
            "a body of 10 g to 10 t that hits sand at 1 to 100 m/s, flat, on edge or spinning, gains no energy",
            lambda name=name: _impacts(name),  # type: ignore[misc]
            slow=True,
        )
        for name in SOLVERS
    ),
    Scenario("pinched-grains", "ndem", "grains without room get no more than the work done on them", _pinches),
]
