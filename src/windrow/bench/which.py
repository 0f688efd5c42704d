"""Which solver when: the same soil as a heap, a column, a silo and before a blade, computed by every solver.

One soil, 32° and 1,600 kg/m³ in bulk. P² and NDEM get grain numbers by their calibration curves, SPH takes the bulk
numbers, and DEM gets the friction and rolling friction of grains with which its poured heap stands at that angle
(`DEM_GRAINS`).
Each is held against the same law; processor time is that of one thread.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from windrow.calibrate.heap import poured_heap, pouring_scene
from windrow.measure.earthmoving import earthmoving_factors
from windrow.measure.flow import steady_rate
from windrow.measure.heap import spread
from windrow.scene import DEM, NDEM, P2, SPH, Box, Linear, Material, Scene
from windrow.scene.settings import SolverSettings
from windrow.sim.simulation import Simulation
from windrow.validate import sph_scenes

ANGLE, BULK, G = 32.0, 1600.0, 9.81
RADIUS = 0.025
"""m, of grains, and half the side of particles of SPH"""
DEM_GRAINS = Material(
    density=2650.0, friction_static=0.6, friction_kinetic=0.54, wall_friction=1.0, rolling_friction=0.6
)
"""A heap of 1,444 of them stood at 32.6°."""
SOIL = Material(internal_friction_deg=ANGLE, bulk_density=BULK, wall_friction=1.0)
SMOOTH = Material(friction_static=0.0)


class SolverChoice(NamedTuple):
    """A solver, and its soil."""

    solver: SolverSettings
    soil: Material = SOIL


WAYS = {
    "p2": SolverChoice(P2()),
    "ndem": SolverChoice(NDEM()),
    "dem": SolverChoice(DEM(dt=1 / 120, substeps=None), DEM_GRAINS),
    "sph": SolverChoice(SPH()),
}


class Found(NamedTuple):
    """What a solver found, over what the law says; and the time that was simulated, s."""

    ratio: float
    seconds: float
    grains: int


def soil_scene(way: SolverChoice, **materials: Material) -> Scene:
    scene = Scene(seed=1)
    scene.add_material("soil", way.soil)
    for name, material in materials.items():
        scene.add_material(name, material)
    return scene


def _filled(scene: Scene, way: SolverChoice, low: Any, size: Any, within: float = math.inf) -> int:
    """Soil in a box, as far as `within` (m) of the z axis: grains that touch, or cubes without gaps; says how many."""
    if way.solver.continuum:
        place = sph_scenes.lattice(low, tuple(np.add(low, size)), 2 * RADIUS)
        radius: Any = np.full(len(place), 0.499 * 2 * RADIUS)
    else:
        packed = Scene(seed=1)
        packed.add_material("soil", density=BULK)
        packed.add_block(low, size, {"min": 0.85 * RADIUS, "max": 1.15 * RADIUS}, "soil", packing="dense")
        grains = packed.initial_particles()
        place, radius = grains["position"], grains["radius"]
    chosen = np.hypot(place[:, 0], place[:, 1]) < within
    scene.add_particles(place[chosen], radius=radius[chosen], material="soil")
    return int(chosen.sum())


def heap(way: SolverChoice) -> Found:
    """Angle of a poured heap of 1,500 grains; of SPH that of a cone cut 10° too steep."""
    if way.solver.continuum:
        simulation = sph_scenes.cone(ANGLE, ANGLE + 10.0, 2 * RADIUS)
        simulation.run(2.0)
        angle = sph_scenes.flank_angle(simulation.particles.position, 2 * RADIUS)
        return Found(angle / ANGLE, simulation.time, len(simulation.particles))
    scene = pouring_scene(way.soil, ANGLE, 1500, 2 * RADIUS, seed=3)
    found = poured_heap(scene, way.solver, threads=1)
    return Found(found.repose.mean / ANGLE, scene.run.seconds, found.grains)


def column(way: SolverChoice) -> Found:
    """Run-out of a column as high as its radius of 0.4 m: ΔR/R = 1.24 (Lube et al. 2004), of 99 % of the grains."""
    size = 0.4
    scene = soil_scene(way)
    scene.add_plane((0, 0, 1), 0.0, "soil", name="ground")
    corner, extent = (-size, -size, 0.0), (2 * size, 2 * size, size)
    many = _filled(scene, way, corner, extent, size - RADIUS)
    simulation = Simulation(scene, solver=way.solver, threads=1)
    before = spread(simulation.particles.position, (0.0, 0.0))
    while simulation.time < 1.5:
        simulation.step()
    after = spread(simulation.particles.position, (0.0, 0.0))
    return Found((after / before - 1.0) / 1.24, simulation.time, many)


def hopper(way: SolverChoice) -> Found:
    """Flow out of a silo of 20 grains across through an orifice of 9: 0.58 ρ √g (D − 1.4 d)^2.5 (Beverloo 1961)."""
    d = 2 * RADIUS
    silo, orifice, height = 10 * d, 9 * d, 18 * d
    scene = soil_scene(way, steel=Material(friction_static=0.3))
    profile = [(silo, height + 4 * d), (silo, 0.0), (0.5 * orifice, 0.0)]
    scene.add_revolution(profile, "steel", name="silo")
    corner, extent = (-silo, -silo, 0.0), (2 * silo, 2 * silo, height)
    many = _filled(scene, way, corner, extent, silo - 1.2 * RADIUS)
    scene.add_sink(Box(size=(8 * silo, 8 * silo, 1.0)), position=(0.0, 0.0, -1.0))
    simulation = Simulation(scene, solver=way.solver, threads=1)
    time, out = [], []
    while simulation.time < 2.5 and len(simulation.particles) > 0.4 * many:
        simulation.step()
        time.append(simulation.time)
        out.append(simulation.ledger["sunk_mass"])
    filled = simulation.ledger["initial_mass"] / (math.pi * (silo - RADIUS) ** 2 * height)
    bulk = BULK if way.solver.continuum else filled
    law = 0.58 * bulk * math.sqrt(G) * (orifice - 1.4 * d) ** 2.5
    return Found(steady_rate(time, out, start=0.7).value / law, simulation.time, many)


def blade(way: SolverChoice) -> Found:
    """Force of a bed of eight grains on a smooth blade that has moved 0.15 of its depth: T/(w γ d²) = N_γ (passive)."""
    d = 2 * RADIUS
    deep, width, speed, begin = 8 * d, 5 * d, 0.1, 0.3
    length = 4.5 * deep
    scene = soil_scene(way, wall=SMOOTH)
    scene.add_plane((0, 0, 1), 0.0, "soil", name="floor")
    for normal, offset in (((-1, 0, 0), -length), ((0, 1, 0), 0.0), ((0, -1, 0), -width)):
        scene.add_plane(normal, offset, "wall")
    many = _filled(scene, way, (0.0, 0.0, 0.0), (length, width, deep))
    seconds = 0.15 * deep / speed
    motion = Linear(velocity=(speed, 0.0, 0.0), start=begin, stop=begin + seconds)
    scene.add_box((-0.5, 0.5 * width, deep), (1.0, 2 * width, 3 * deep), "wall", name="blade", motion=motion)
    simulation = Simulation(scene, solver=way.solver, threads=1)
    while simulation.time < begin:
        simulation.step()
    p = simulation.particles
    depth = 2.0 * float(np.average(p.position[:, 2], weights=p.mass))
    weight = G * float(p.mass.sum()) / (length * width * depth)
    forces = []
    while simulation.time < begin + seconds:
        simulation.step()
        if simulation.time > begin + 0.85 * seconds:
            forces.append(-float(simulation.body("blade")[0][0]) / width)
    law = earthmoving_factors(ANGLE).weight * weight * depth * depth
    return Found(float(np.mean(forces)) / law, simulation.time, many)


CASES: dict[str, Callable[[SolverChoice], Found]] = {"heap": heap, "column": column, "hopper": hopper, "blade": blade}


def which_rows(
    cases: tuple[str, ...] = tuple(CASES), solvers: tuple[str, ...] = tuple(WAYS)
) -> list[dict[str, Any]]:
    """A row for each case and solver: grains, processor time per simulated second, and what came out over the law."""
    rows = []
    for case in cases:
        for name in solvers:
            begin = process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = CASES[case](WAYS[name])
            spent = process_time() - begin
            row: dict[str, Any] = {"case": f"{case}, {name}", "grains": found.grains}
            row |= {"simulated s": found.seconds, "processor s": spent, "s per s": spent / found.seconds}
            row |= {"over the law": found.ratio, "error %": 100.0 * (found.ratio - 1.0)}
            rows.append(row)
    return rows
