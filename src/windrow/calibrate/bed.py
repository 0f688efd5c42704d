"""A bed of grains that fell into a box, for its solid fraction and as the start of other tests."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.measure.heap import rms_speed
from windrow.measure.packing import solid_fraction
from windrow.scene import Material, RadiusRange, Scene
from windrow.scene.settings import SolverSettings
from windrow.sim.simulation import Simulation

G = 9.81
SIZES = (0.8, 1.2)
"""Range of grain radii, of the mean one."""
LOOSE = 0.14
"""Solid fraction of the grains before they fall."""
DENSE = 0.62
"""Solid fraction that the number of grains is chosen for: rather too many than too few."""
AT_REST = 1e-3
"""Root mean square speed of a bed at rest in √(g r)."""


def bed_scene(material: Material, size: tuple[float, float, float], radius: float, seed: int = 0) -> Scene:
    """Grains in the air above a floor of their own material, between smooth walls; a bed as large as `size`."""
    length, width, height = size
    scene = Scene(title="Bed", seed=seed)
    scene.add_material("soil", material)
    scene.add_material(
        "wall",
        density=material.density,
        friction_static=0.0,
        stiffness=material.stiffness,
        damping=material.damping,
    )
    scene.add_plane((0, 0, 1), 0.0, "soil", name="floor")
    for name, normal, offset in (
        ("-x", (1, 0, 0), 0.0),
        ("+x", (-1, 0, 0), -length),
        ("-y", (0, 1, 0), 0.0),
        ("+y", (0, -1, 0), -width),
    ):
        scene.add_plane(normal, offset, "wall", name=f"side {name}")
    mean_cube = 0.25 * (SIZES[0] + SIZES[1]) * (SIZES[0] ** 2 + SIZES[1] ** 2) * radius**3
    count = math.ceil(DENSE * length * width * height / (4.0 / 3.0 * math.pi * mean_cube))
    scene.add_block(
        (0.0, 0.0, 0.0),
        (length, width, DENSE * height / LOOSE + 6.0 * radius),
        RadiusRange(min=SIZES[0] * radius, max=SIZES[1] * radius),
        "soil",
        packing="random",
        count=count,
        velocity_spread=0.5 * math.sqrt(G * radius),
    )
    return scene


def settled(
    scene: Scene, solver: SolverSettings, radius: float, longest: float, threads: int | None = None
) -> Simulation:
    """The scene after its grains came to rest, at the latest after `longest` seconds."""
    simulation = Simulation(scene, solver=solver, threads=threads)
    pause = 4.0 * math.sqrt(radius / G)
    while simulation.time < longest:
        simulation.run(seconds=max(pause, simulation.solver.dt))
        fallen = simulation.time > 10.0 * pause
        if fallen and rms_speed(simulation.frame()) < AT_REST * math.sqrt(G * radius):
            break
    return simulation


def bed_solid_fraction(
    material: Material,
    solver: SolverSettings,
    seed: int = 0,
    radius: float = 0.05,
    height: float = 24.0,
    threads: int | None = None,
) -> float:
    """Solid fraction inside of a bed 24 radii wide and `height` radii high."""
    edge = 24.0 * radius
    scene = bed_scene(material, (edge, edge, height * radius), radius, seed)
    simulation = settled(scene, solver, radius, 70.0 * math.sqrt(radius / G), threads)
    grains = simulation.particles
    top = float(np.quantile(grains.position[:, 2], 0.95))
    away, above = 4.0 * radius, min(4.0, height / 4.0) * radius
    return solid_fraction(
        grains.position, grains.radius, (away, away, above), (edge - away, edge - away, top - above)
    )


def grains_below(
    simulation: Simulation, height: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float64]]:
    """Position, radius and mass of the grains that lie wholly below a height."""
    grains = simulation.particles
    position, radius, mass = grains.position, grains.radius, grains.mass
    low = position[:, 2] + radius < height
    return position[low], radius[low], mass[low]
