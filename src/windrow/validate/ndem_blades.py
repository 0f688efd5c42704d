"""NDEM against the laws of earth pressure: the force of a bed of soil on a smooth upright blade across a channel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from windrow.measure.earthmoving import earthmoving_factors
from windrow.scene import NDEM, Linear, Material
from windrow.scene.grain_numbers import material_for
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.ndem_scenes import RADIUS, G, TakenGrains, add_channel, filled_channel, scene_of

DIAMETER = 2.0 * RADIUS
WIDTH = 6 * DIAMETER
SMOOTH = Material(friction_static=0.0, stiffness=5e5)
FRICTION_DEG = 32.0
BEGIN = 0.2
"""s, when the blade begins to move"""
SPEED = 0.1
"""m/s"""
STEP = 1 / 60
"""s"""
PASSIVE_WAY, ACTIVE_WAY = 0.15, 0.04
"""Ways of the blade, of the depth, at which its force is held against the law, which has no way in it. The force of the
loose bed still rises there when it is pushed, so that forces at other ways are reported."""
OTHER_WAYS = (0.05, 0.1, 0.25)
WINDOW = 0.02
"""Of the depth: the way over which a force is a mean."""
MISS = 0.25
"""What a force may differ from the law by, of it: as much as Servin, Berglund & Nystedt (Adv. Model. Simul. Eng. Sci.
8, 2021) found between such models and fine DEM."""


@dataclass(frozen=True)
class Push:
    """A bed and the force per width that it puts against a moving blade."""

    depth: float
    """m"""
    unit_weight: float
    """γ, N/m³"""
    force: float
    """N/m"""

    @property
    def factor(self) -> float:
        """Force over γ d²."""
        return self.force / (self.unit_weight * self.depth**2)


def soil_of(cohesion_pa: float) -> Material:
    bulk = Material(internal_friction_deg=FRICTION_DEG, cohesion_pa=cohesion_pa, bulk_density=1600.0)
    return material_for(bulk, "ndem")


@cache
def bed(layers: int) -> tuple[TakenGrains, float]:
    """Grains at rest, so many deep, and the length of their channel, m: more than a wedge is long.

    They are filled in without cohesion, as the banks of cuts by which cohesion is calibrated: sticky grains lie more
    loosely, and what cohesion adds would be mixed up with what looseness takes away.
    """
    deep = layers * DIAMETER
    length = 4.5 * deep
    return TakenGrains.of(filled_channel(soil_of(0.0), SMOOTH, length, WIDTH, deep)), length


@cache
def push(
    layers: int, way: float, cohesion_pa: float = 0.0, speed: float = SPEED, dt: float = STEP
) -> Push:
    """Moves the blade into the bed (way > 0) or back from it by `way` of its depth."""
    grains, length = bed(layers)
    # a level bed is twice as deep as its centre of mass is high
    depth = 2.0 * float(np.average(grains.position[:, 2], weights=grains.mass))
    seconds, last = abs(way) * depth / speed, WINDOW * depth / speed
    top = 2.0 * float(grains.position[:, 2].max())
    scene = scene_of(soil_of(cohesion_pa), wall=SMOOTH)
    scene.add_plane((0, 0, 1), 0.0, "soil", name="floor")
    scene.add_plane((-1, 0, 0), -length, "wall", name="end")
    add_channel(scene, WIDTH)
    motion = Linear(velocity=(math.copysign(speed, way), 0.0, 0.0), start=BEGIN, stop=BEGIN + seconds)
    scene.add_box((-0.5, 0.5 * WIDTH, 0.5 * top), (1.0, 2 * WIDTH, 1.5 * top), "wall", name="blade", motion=motion)
    grains.add_to(scene, "soil")
    simulation = Simulation(scene, solver=NDEM(dt=dt))
    simulation.run(seconds=BEGIN + seconds - last)
    forces = []
    while simulation.time < BEGIN + seconds - 0.5 * simulation.solver.dt:
        simulation.step()
        forces.append(-float(simulation.body("blade")[0][0]) / WIDTH)
    weight = G * float(grains.mass.sum()) / (length * WIDTH * depth)
    return Push(depth, weight, float(np.mean(forces)))


def blade() -> list[Result]:
    law = earthmoving_factors(FRICTION_DEG)
    active_law = 0.5 * math.tan(math.radians(45.0 - 0.5 * FRICTION_DEG)) ** 2
    low, high = push(10, PASSIVE_WAY), push(20, PASSIVE_WAY)
    back = push(20, -ACTIVE_WAY)
    fast = push(20, PASSIVE_WAY, speed=3 * SPEED)
    cohesion = 4000.0
    added_law = cohesion * high.depth * law.cohesion

    def finer(times: int) -> Push:
        return push(20, PASSIVE_WAY, dt=STEP / times)

    def added(way: float) -> float:
        """What cohesion adds to the force, of what the law adds."""
        return (push(20, way, cohesion).force - push(20, way).force) / added_law

    results: list[Result] = [
        Check(
            f"pushed {PASSIVE_WAY:g} d, {p.depth:.1f} m deep: T/(w γ d²) over N_γ = {law.weight:.3f}",
            p.factor / law.weight,
            1.0,
            MISS,
        )
        for p in (low, high)
    ]
    for way in OTHER_WAYS:
        results.append(
            Bound(f"the same, {high.depth:.1f} m deep, at a way of {way:g} d", push(20, way).factor / law.weight)
        )
    return [
        *results,
        Check(
            "pushed: exponent of the depth",
            math.log(high.force / high.unit_weight / (low.force / low.unit_weight))
            / math.log(high.depth / low.depth),
            2.0,
            0.15,
        ),
        Check("pushed three times as fast: force over that before", fast.force / high.force, 1.0, 0.05),
        *(
            Check(f"{n} times shorter steps: force over that before", finer(n).force / high.force, 1.0, 0.03)
            for n in (2, 4)
        ),
        Check(
            f"drawn back, {back.depth:.1f} m deep: T/(w γ d²) over K_a/2 = {active_law:.3f}",
            back.factor / active_law,
            1.0,
            MISS,
        ),
        Check(
            f"cohesion of {cohesion / 1e3:g} kPa adds, over c d N_c = {added_law / 1e3:.3g} kN/m",
            added(PASSIVE_WAY),
            1.0,
            MISS,
        ),
        *(Bound(f"the same at a way of {way:g} d", added(way)) for way in OTHER_WAYS),
    ]


SCENARIOS = [
    Scenario(
        "ndem-blade",
        "NDEM",
        f"Force of soil of {FRICTION_DEG:g}° on a smooth upright blade: T/w = γ d² N_γ + c d N_c (McKyes 1985) when it "
        "is pushed into it, ½ K_a γ d² (Rankine) when it is drawn back, whatever its speed and the "
        "length of a step.",
        blade,
    )
]
