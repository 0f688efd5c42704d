"""DEM against Beverloo's law: a flat-bottomed silo that empties through five orifices, C and k fitted together."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.measure.flow import steady_rate
from windrow.measure.packing import solid_fraction
from windrow.scene import DEM, Box, RadiusRange, Scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.ndem_flows import beverloo_fit, exponent

G = 9.81
DIAMETER = 0.1
"""Of the mean grain, m; in units of it and of √(d/g) nothing depends on it but how far grains overlap."""
SPREAD = 0.15
"""Radii are 1 ± this of the mean one: equal spheres would crystallise at the floor."""
SIZE = math.cbrt(1.0 + SPREAD**2)
"""Diameter of the grain of mean volume over the mean one: mean of (1 + s)³ for s even in ± SPREAD."""
UNIT = math.sqrt(DIAMETER / G)
"""s"""
ORIFICES = (5.0, 6.0, 7.0, 8.0, 9.5)
"""Diameters of the orifices in diameters of a grain; below some 5, round grains jam (Zuriguel et al. 2005)."""
SILO, HEIGHT = 24.0, 18.0
"""Diameter, 2.5 times the widest orifice, and height of the filling, in diameters of a grain."""
BEGIN, LONGEST, LEFT = 15.0, 70.0, 0.62
"""A flow is taken from this time, in √(d/g), until that one, or until this share of the grains is left."""
POURED = 0.6
"""Solid fraction that the number of grains is chosen by."""
FILLINGS = 2
PUBLISHED_C, PUBLISHED_K = (0.55, 0.65), (1.4, 1.5)
"""Beverloo, Leniger & van de Velde 1961; Mankoc et al. 2007."""


class Filling(NamedTuple):
    """Grains at rest in a closed silo."""

    position: NDArray[np.float32]
    radius: NDArray[np.float32]
    bulk: float
    """kg/m³"""


def silo_scene(orifice: float) -> Scene:
    """A silo with a round orifice (m; 0: closed) in its floor."""
    scene = Scene()
    grain: dict[str, Any] = {"density": 2650.0, "friction_static": 0.5, "stiffness": 1e5, "restitution": 0.5}
    scene.add_material("grain", rolling_friction=0.1, **grain)
    scene.add_material("steel", **(grain | {"friction_static": 0.3}))
    half, top = 0.5 * SILO * DIAMETER, 3.0 * HEIGHT * DIAMETER
    scene.add_revolution([(half, top), (half, 0.0), (0.5 * orifice, 0.0)], "steel", name="silo")
    return scene


def filled_silo(seed: int) -> Filling:
    """Grains that fell in: the law's density is that of a poured bed; dense packings are 6 % denser, and flow alike."""
    scene, half = silo_scene(0.0), 0.5 * SILO * DIAMETER
    scene.seed = seed
    radius = 0.5 * DIAMETER
    radii = RadiusRange(min=(1 - SPREAD) * radius, max=(1 + SPREAD) * radius)
    height, gap = HEIGHT * DIAMETER, 0.02 * DIAMETER
    count = round(POURED * 1.5 * SILO**2 * HEIGHT)
    scene.add_column(
        (0, 0, gap), half - gap, 2.5 * height, radius=radii, packing="random", count=count, material="grain"
    )
    simulation = Simulation(scene, solver=DEM(dt=1 / 120, substeps=None))
    simulation.run(seconds=25.0 * UNIT)
    grains = simulation.particles
    inside = 5 * DIAMETER
    share = solid_fraction(
        grains.position, grains.radius, (-inside, -inside, 2 * DIAMETER), (inside, inside, 0.7 * height)
    )
    return Filling(grains.position, grains.radius, 2650.0 * share)


def outflow(filling: Filling, orifice: float) -> float:
    """Steady mass flow, kg/s, through a round orifice (m)."""
    scene = silo_scene(orifice)
    scene.add_particles(filling.position, radius=filling.radius, material="grain")
    wide = SILO * DIAMETER
    scene.add_sink(Box(size=(wide, wide, 1.0)), position=(0.0, 0.0, -0.5 - 4 * DIAMETER))
    simulation = Simulation(scene, solver=DEM(dt=1 / 120, substeps=None))
    full = len(simulation.particles)
    time, out = [], []
    while simulation.time < LONGEST * UNIT:
        simulation.step()
        time.append(simulation.time)
        out.append(simulation.ledger["sunk_mass"])
        if simulation.time > 2.0 * BEGIN * UNIT and len(simulation.particles) < LEFT * full:
            break
    return steady_rate(time, out, start=BEGIN * UNIT).value


def strengths(seed: int) -> list[float]:
    """Flows of one filling through all orifices, over ρ_b √g d^2.5."""
    filling = filled_silo(seed)
    size = SIZE * DIAMETER
    return [outflow(filling, ratio * size) / (filling.bulk * math.sqrt(G) * size**2.5) for ratio in ORIFICES]


def beverloo() -> list[Result]:
    """Two numbers from five flows scatter; by how much is told beside them."""
    every = np.array([strengths(seed) for seed in range(1, FILLINGS + 1)])
    fits = np.array([beverloo_fit(list(ORIFICES), list(row)) for row in every])
    mean = every.mean(axis=0)
    c, k = beverloo_fit(list(ORIFICES), list(mean))
    spread_c, spread_k = np.ptp(fits, axis=0)
    results: list[Result] = [
        Check("exponent of D − 1.4 d", exponent([size - 1.4 for size in ORIFICES], list(mean)), 2.5, 0.15),
        Bound("C, fitted together with k", c, *PUBLISHED_C),
        Bound("k, fitted together with C", k, *PUBLISHED_K, unit="d"),
        Bound("C: one filling differs from the other by", float(spread_c)),
        Bound("k: one filling differs from the other by", float(spread_k), unit="d"),
    ]
    for size, flow in zip(ORIFICES, mean, strict=True):
        results.append(Bound(f"D {size:g} d: C with k 1.4", float(flow / (size - 1.4) ** 2.5)))
    return results


SCENARIOS = [
    Scenario(
        "dem-beverloo",
        "dem",
        "Beverloo: mass flow C ρ_b √g (D − k d)^2.5 through five orifices, C 0.55 to 0.65 and k 1.4 to 1.5",
        beverloo,
        slow=True,
    ),
]
