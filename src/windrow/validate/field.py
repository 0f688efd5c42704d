"""Digging without grains: what a bucket takes up and meets, against swept volume and the earthmoving equation."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.measure.earthmoving import earthmoving_factors
from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario

WIDTH, SPEED = 1.0, 0.5
FRICTION = 0.3
CUTS = (("dry_sand", 0.2, 90.0), ("dry_sand", 0.3, 60.0), ("loam", 0.2, 60.0), ("clay", 0.1, 45.0))
"""soil, depth (m) and rake (°) of the plates whose force is compared"""


def plate_scene(soil: str, depth: float, rake_deg: float = 90.0) -> Scene:
    """A plate of 1 m width that is drawn through level ground, leaning back to a rake."""
    scene = Scene(title="field dig")
    scene.add_material("steel", density=7800.0, friction_static=FRICTION)
    scene.add_terrain(size=(6.4, 4.0), cell=0.05, soil=soil, fidelity="field", avalanche=False)
    turn = np.deg2rad(rake_deg)
    up = 0.8 * np.array([-np.cos(turn), 0.0, np.sin(turn)])
    cutting: dict[str, Any] = {
        "edge": [(0.0, -0.5, 0.0), (0.0, 0.5, 0.0)],
        "top": [(up[0], -0.5, up[2]), (up[0], 0.5, up[2])],
        "direction": (1.0, 0.0, 0.0),
        "thickness": 0.0,
    }
    scene.add_box(
        (-2.0, 0.0, -depth), (0.02, WIDTH, 0.8), "steel", name="plate", digs=True, cutting=cutting,
        motion={"kind": "linear", "velocity": (0.02, 0.0, 0.0)},
    )  # fmt: skip
    return scene


def force_of(soil: str, depth: float, rake_deg: float) -> tuple[float, float]:
    """Size of the cutting force at the first step, and what `measure.earthmoving` says, N."""
    simulation = Simulation(plate_scene(soil, depth, rake_deg), threads=1)
    simulation.step()
    ground = simulation.state.ground
    assert ground is not None
    density, tangent, cohesion = (float(ground.columns.soils[0, k]) for k in (0, 3, 6))
    phi = float(np.rad2deg(np.arctan(tangent)))
    friction = simulation.assembled.pair_values("steel", soil).friction_static
    delta = min(float(np.rad2deg(np.arctan(friction))), phi)
    known = earthmoving_factors(phi, rake_deg, delta).force_per_width(depth, 9.81 * density, cohesion)
    parts = simulation.tools["plate"].earthmoving_parts
    return float(np.linalg.norm(parts["weight"] + parts["cohesion"])), WIDTH * known


def bucket_scene(soil: str) -> Scene:
    """A bucket that goes out of a pit 1 m through the ground, is lifted, turned over, and left so."""
    scene = Scene(title="field bucket")
    scene.add_material("steel", density=7800.0, friction_static=FRICTION)
    scene.add_terrain(
        size=(6.4, 6.4), cell=0.1, soil=soil, fidelity="field", height=lambda x, y: np.where(x < -1.7, -0.4, 0.0)
    )
    scene.add_box(
        (0.0, 0.0, 0.0), (0.1, WIDTH, 0.6), "steel", name="bucket", digs=True,
        cutting={
            "edge": [(0.8, -0.5, 0.0), (0.8, 0.5, 0.0)], "top": [(0.3, -0.5, 0.6), (0.3, 0.5, 0.6)],
            "direction": (1.0, 0.0, 0.0), "volume": 0.6,
        },
        motion={
            "kind": "keyframes", "time": [0.0, 1.0 / SPEED, 1.0 / SPEED + 1.0, 4.0, 5.0],
            "position": [(-2.5, 0, -0.3), (-1.5, 0, -0.3), (-1.2, 0, 0.8), (-1.2, 0, 0.8), (-1.2, 0, 0.8)],
            "rotation_deg": [(0, 0, 0), (0, 0, 0), (0, -30, 0), (0, -30, 0), (0, 80, 0)],
        },
    )  # fmt: skip
    return scene


def run_field_dig() -> list[Result]:
    results: list[Result] = []
    for soil, depth, rake in CUTS:
        force, known = force_of(soil, depth, rake)
        results.append(Check(f"{soil}, {depth:g} m, rake {rake:g}°: cutting force", force, known, 0.01 * known, "N"))
    for soil in ("dry_sand", "clay"):
        simulation = Simulation(bucket_scene(soil), threads=1)
        tool, ground = simulation.tools["bucket"], simulation.state.ground
        assert ground is not None
        worst, carried, weight = 0, 0.0, 0.0
        while simulation.time < 9.0:
            simulation.step()
            worst = max(worst, abs(ground.mass_units() + ground.held_units() - ground.start_mass))
            if 3.2 < simulation.time < 3.8:
                carried, weight = tool.payload, -float(tool.force[2])
        swept = 1.0 * 0.3 * WIDTH * float(ground.columns.soils[0, 0])
        results += [
            Check(f"{soil}: units of mass missing at any step", float(worst), 0.0, 0.0),
            Check(f"{soil}: taken up over 1 m at 0.3 m", carried, swept, 0.15 * swept, "kg"),
            Check(f"{soil}: weight on the bucket, lifted", weight, 9.81 * carried, 0.001 * 9.81 * carried, "N"),
            Bound(f"{soil}: left in the bucket", tool.payload, high=1.0, unit="kg"),
        ]
    return results


SCENARIOS = [
    Scenario(
        "field-dig",
        "none: columns",
        "A plate meets the fundamental earthmoving equation (McKyes 1985) for level ground; a bucket takes up what it "
        "sweeps, but for what slides, and loses nothing.",
        run_field_dig,
    )
]
