"""P² against closed forms and the paper's figures (Holz 2014)."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from windrow.calibrate.heap import poured_heap, pouring_scene
from windrow.calibrate.protocol import protocol_for
from windrow.measure.failure import MeasurementError
from windrow.measure.repose import angle_of_repose
from windrow.scene import P2, Material, Scene, load_scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario

G = 9.81
HEAPS = 6
"""Heaps of a soil of which means are taken."""


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


def heights(stiffness: float, damping: float, start: float, iterations: int, steps: int = 120) -> np.ndarray:
    """Height of one grain (1 kg, radius 0.05 m) over time, 60 steps a second: figure 2."""
    scene = floor_scene(stiffness, damping)
    scene.add_particles(position=[(0.0, 0.0, start)], radius=0.05, mass=1.0, material="m")
    simulation = Simulation(scene, solver=P2(dt=1 / 60, iterations=iterations))
    z = np.empty(steps)
    for k in range(steps):
        simulation.step()
        z[k] = simulation.particles.position[0, 2]
    return z


def implicit_euler(
    stiffness: float, damping: float, start: float, steps: int = 120, dt: float = 1 / 60
) -> np.ndarray:
    """The same grain by implicit Euler of m ẍ + c ẋ + k x = −m g over a ground that only pushes.

    The damper acts on the part of a step's way that lies below the surface.
    """
    x, v = start - 0.05, 0.0
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
        z[k] = x + 0.05
    return z


def spring_damper() -> list[Result]:
    results: list[Result] = []
    for stiffness, damping in ((1000.0, 100.0), (100.0, 0.0)):
        for start, how in ((0.05, "placed"), (0.3, "dropped")):
            exact = implicit_euler(stiffness, damping, start)
            for iterations in (1, 5, 20):
                off = float(np.abs(heights(stiffness, damping, start, iterations) - exact).max())
                what = f"k {stiffness:g}, c {damping:g}, {how}, {iterations} iterations: largest difference"
                results.append(Bound(what, 1e3 * off, high=0.2, unit="mm"))
    return results


def slide_acceleration(slope_deg: float, static: float, kinetic: float, solver: P2) -> float:
    """Mean acceleration along the incline over the second half of two seconds, m/s²."""
    theta = math.radians(slope_deg)
    scene = floor_scene(1e5, 2e3, static, kinetic, theta)
    rest = G * math.cos(theta) / 1e5
    scene.add_particles(position=[(0.0, 0.0, 0.05 - rest)], radius=0.05, mass=1.0, material="m")
    simulation = Simulation(scene, solver=solver)
    steps = round(1.0 / solver.dt)
    for _ in range(steps):
        simulation.step()
    begin = float(simulation.particles.velocity[0, 0])
    for _ in range(steps):
        simulation.step()
    return (float(simulation.particles.velocity[0, 0]) - begin) / (steps * solver.dt)


def incline() -> list[Result]:
    static, kinetic = 0.5, 0.3
    results: list[Result] = []
    for slope in (15.0, 25.0, 28.0, 35.0, 50.0):
        theta = math.radians(slope)
        slides = math.tan(theta) > static
        exact = G * (math.sin(theta) - kinetic * math.cos(theta)) if slides else 0.0
        measured = slide_acceleration(slope, static, kinetic, P2(dt=1 / 240))
        results.append(
            Check(f"{slope:g}°, μ_s 0.5, μ_k 0.3", measured, exact, max(0.01 * exact, 1e-3), "m/s²")
        )
    return results


def column_scene(
    layers: int, stiffness: float = 1e5, mass: float = 0.838, damping: float = 150.0
) -> tuple[Scene, float]:
    """A straight pile of grains at the exact equilibrium of its springs, and the height of its top grain."""
    scene = floor_scene(stiffness, damping, 0.5, 0.5)
    carried = np.arange(layers, 0, -1) * mass * G
    z = np.cumsum(np.r_[0.05 - carried[0] / stiffness, 0.1 - carried[1:] / stiffness])
    scene.add_particles(position=np.c_[np.zeros((layers, 2)), z], radius=0.05, mass=mass, material="m")
    return scene, float(z[-1])


def sinking(solver: P2, layers: int = 12, seconds: float = 2.0) -> float:
    """How far the top of a column sinks below its exact height, as a share of it."""
    scene, top = column_scene(layers)
    simulation = Simulation(scene, solver=solver)
    for _ in range(round(seconds / solver.dt)):
        simulation.step()
    return abs(float(simulation.particles.position[-1, 2]) - top) / top


def convergence() -> list[Result]:
    results: list[Result] = []
    for iterations in (10, 40, 160):
        for split in (False, True):
            solver = P2(dt=1 / 240, iterations=iterations, error_reduction=0.0, mass_splitting=split)
            error = 100 * sinking(solver)
            what = f"12 grains, {iterations} iterations, {'mass splitting' if split else 'averaging'}: height off by"
            if split and iterations == 160:
                results.append(Bound(what, error, high=0.1, unit="%"))
            else:
                results.append(Bound(what, error, unit="%"))
    return results


def pile_angle(friction_deg: float, adhesion: float) -> float:
    """Flank of the pile of figure 3 at rest with these numbers, degrees; 0 where there is no heap to speak of."""
    scene = load_scene("p2_figure3")
    friction = math.tan(math.radians(friction_deg))
    sand = scene.materials["sand"]
    numbers = {"friction_static": friction, "friction_kinetic": friction, "adhesion": adhesion}
    scene.materials = scene.materials | {"sand": sand.model_copy(update=numbers)}
    simulation = Simulation(scene)
    simulation.run()
    try:
        return angle_of_repose(simulation.particles.position, simulation.particles.radius).mean
    except MeasurementError:
        return 0.0


def three_piles() -> list[Result]:
    low, steep, sticky = pile_angle(5.0, 0.0), pile_angle(30.0, 0.0), pile_angle(5.0, 1000.0)
    return [
        Bound("θ_k 5°, a 0 Pa: angle", low, high=10.0, unit="°"),
        Bound("θ_k 30°, a 0 Pa: angle", steep, unit="°"),
        Bound("θ_k 5°, a 1000 Pa: angle", sticky, unit="°"),
        Bound("friction steepens the pile by", steep - low, low=5.0, unit="°"),
        Bound("adhesion steepens the pile by", sticky - low, low=5.0, unit="°"),
    ]


def wedge_angle(method: Literal["jacobi", "gauss_seidel"], iterations: int, reduction: float) -> float:
    """Slope after the run of figure 5's heap: that of the wedge with the same centre of mass, degrees."""
    solver = P2(method=method, iterations=iterations, error_reduction=reduction, sleep_threshold=3e-4)
    simulation = Simulation(load_scene("p2_figure5"), solver=solver)
    simulation.run()
    x, _, z = simulation.particles.position.mean(axis=0, dtype=np.float64)
    return math.degrees(math.atan2(z, x))


def slopes_by_method() -> list[Result]:
    gauss_10, gauss_40 = wedge_angle("gauss_seidel", 10, 0.0), wedge_angle("gauss_seidel", 40, 0.0)
    plain_10, reduced_10 = wedge_angle("jacobi", 10, 0.0), wedge_angle("jacobi", 10, 0.5)
    return [
        Bound("Gauss-Seidel, 10 iterations", gauss_10, unit="°"),
        Bound("Gauss-Seidel, 40 iterations", gauss_40, unit="°"),
        Bound("P², 10 iterations, ε 0", plain_10, unit="°"),
        Bound("P², 10 iterations, ε 0.5", reduced_10, unit="°"),
        Bound(
            "Gauss-Seidel is steeper than P² without ε at 10 iterations by",
            gauss_10 - plain_10,
            low=0.0,
            unit="°",
        ),
        Check("ε 0.5 with 10 iterations comes near Gauss-Seidel with 40", reduced_10, gauss_40, 7.0, "°"),
    ]


def soil_heaps() -> list[Result]:
    """Heaps as high as those of the calibration, as long after they were poured, from seeds that it did not use."""
    protocol = protocol_for("p2")
    results: list[Result] = []
    for soil, angle in (("dry_sand", 32.0), ("gravel", 38.0)):
        heaps = [
            poured_heap(
                pouring_scene(
                    Material(soil=soil), angle, protocol.heap_grains, seed=100 + seed, settling=protocol.settling
                ),
                protocol.solver,
            ).repose.mean
            for seed in range(HEAPS)
        ]
        results += [
            Check(f"{soil}, mean of {HEAPS} heaps, 2 s after they were poured", float(np.mean(heaps)), angle, 2.0, "°"),
            Bound(f"{soil}, standard deviation from heap to heap", float(np.std(heaps, ddof=1)), unit="°"),
        ]
    return results


SCENARIOS = [
    Scenario(
        "p2-spring-damper",
        "P²",
        "Figure 2: implicit Euler of m ẍ + c ẋ + k x = 0 with a unilateral ground, any number of iterations.",
        spring_damper,
    ),
    Scenario(
        "p2-incline",
        "P²",
        "Coulomb: slides exactly when tan θ > μ_s, then with g (sin θ − μ_k cos θ).",
        incline,
    ),
    Scenario(
        "p2-convergence",
        "P²",
        "A column at rest under its exact springs; averaging does not converge (section 9), mass splitting does.",
        convergence,
    ),
    Scenario(
        "p2-three-piles",
        "P²",
        "Figure 3: 2,000 poured grains; the angle of repose rises with friction and with adhesion.",
        three_piles,
        slow=True,
    ),
    Scenario(
        "p2-slopes",
        "P²",
        "Figure 5: slope angle by method, iterations and error reduction.",
        slopes_by_method,
        slow=True,
    ),
    Scenario(
        "p2-soil-heaps",
        "P²",
        "A heap of a soil stands at the soil's angle of internal friction.",
        soil_heaps,
        slow=True,
    ),
]
