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
GRAIN: dict[str, Any] = {"density": 2650.0, "friction_static": 0.3, "stiffness": 4e5, "restitution": 0.5}
"""Smooth round seeds, as most of Beverloo's were. The lowest grains of the filling overlap by 1 % of d: with a quarter
of the stiffness it is 4 %, and a bed that is denser than one of hard spheres has a smaller C."""
ROLLING = 0.02
SPREAD = 0.15
"""Radii are 1 ± this of the mean one: equal spheres would crystallise at the floor."""
SIZE = math.cbrt(1.0 + SPREAD**2)
"""Diameter of the grain of mean volume over the mean one: mean of (1 + s)³ for s even in ± SPREAD."""
UNIT = math.sqrt(DIAMETER / G)
"""s"""
ORIFICES = (6.0, 7.0, 8.0, 9.0, 10.0)
"""Diameters of the orifices in diameters of a grain; below some 5, round grains jam (Zuriguel et al. 2005)."""
SILO, HEIGHT = 25.0, 25.0
"""Diameter, 2.5 times the widest orifice, and height of the filling, in diameters of a grain."""
BEGIN, ENOUGH, LONGEST, LEFT = 10.0, 16.0, 24.0, 0.8
"""A flow is taken from the first time, in √(d/g), until the third one, or from the second one on until this share of
the grains is left: as the filling falls below 1.2 of the silo's diameter, the flow through wide orifices falls, too."""
POURED = 0.57
"""Solid fraction that the number of grains is chosen by."""
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
    scene.add_material("grain", rolling_friction=ROLLING, **GRAIN)
    scene.add_material("steel", **GRAIN)
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
    simulation = Simulation(scene, solver=DEM(dt=1 / 120, substeps=None), threads=1)
    # the uppermost grains fall from 2.5 times the height
    simulation.run(seconds=(15.0 + 2.0 * math.sqrt(2.4 * HEIGHT)) * UNIT)
    grains = simulation.particles
    inside = 0.25 * SILO * DIAMETER
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
    simulation = Simulation(scene, solver=DEM(dt=1 / 120, substeps=None), threads=1)
    full = len(simulation.particles)
    time, out = [], []
    while simulation.time < LONGEST * UNIT:
        simulation.step()
        time.append(simulation.time)
        out.append(simulation.ledger["sunk_mass"])
        if simulation.time > ENOUGH * UNIT and len(simulation.particles) < LEFT * full:
            break
    return steady_rate(time, out, start=BEGIN * UNIT).value


def beverloo() -> list[Result]:
    """Flows of one filling through all orifices, over ρ_b √g d^2.5."""
    filling, size = filled_silo(1), SIZE * DIAMETER
    flows = [outflow(filling, ratio * size) / (filling.bulk * math.sqrt(G) * size**2.5) for ratio in ORIFICES]
    c, k = beverloo_fit(list(ORIFICES), flows)
    results: list[Result] = [
        Check("exponent of D − 1.4 d", exponent([size - 1.4 for size in ORIFICES], flows), 2.5, 0.15),
        Bound("C, fitted together with k", c, *PUBLISHED_C),
        Bound("k, fitted together with C", k, *PUBLISHED_K, unit="d"),
        Bound("solid fraction of the poured bed", filling.bulk / GRAIN["density"]),
    ]
    for ratio, flow in zip(ORIFICES, flows, strict=True):
        results.append(Bound(f"D {ratio:g} d: C with k 1.4", flow / (ratio - 1.4) ** 2.5))
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
