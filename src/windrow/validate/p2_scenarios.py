"""P² against a column of springs and the paper's figures (Holz 2014); `single_grain` has figure 2."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from windrow.measure.failure import MeasurementError
from windrow.measure.repose import angle_of_repose
from windrow.scene import P2, Scene, load_scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.single_grain import G, floor_scene


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


SCENARIOS = [
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
]
