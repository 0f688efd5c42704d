"""Tracks against Wong's thrust, Bekker's sinkage, and statics."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from windrow.scene.hydraulics import Pump
from windrow.scene.joints import Hinge, HydraulicDrive, Slider, Track, VelocityMotor
from windrow.scene.scene import Scene
from windrow.scene.soils import soil_named
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.check import Bound, Check, Result, Scenario

DT = 1 / 60
G = 9.81
LENGTH, WIDTH, MASS, RADIUS = 3.65, 0.6, 21600.0, 0.4
SPROCKET = 300.0


class Shear(NamedTuple):
    """What a soil bears."""

    cohesion: float
    """Pa"""
    friction_deg: float
    length: float
    """K, m"""


SOILS = {
    "dry sand": Shear(1040.0, 28.0, 0.025),
    "sandy loam": Shear(1720.0, 29.0, 0.025),
    "clay, 38 % water": Shear(4140.0, 13.0, 0.006),
    "LETE sand": Shear(1300.0, 31.1, 0.012),
}
"""Wong 2008, table 2.3"""


def tracked(
    slope_deg: float = 0.0, height: float = 0.05, towed: float | None = None, friction: float = 0.8
) -> Scene:
    """A frame on two tracks; `towed`: held at this speed (m/s) by a cart it can rise and sink on."""
    a = math.radians(slope_deg)
    scene = Scene(gravity=(-G * math.sin(a), 0.0, -G * math.cos(a)))
    scene.add_material("steel", density=7800.0, friction_static=friction)
    scene.add_plane((0, 0, 1), 0.0, "steel")
    add_tracks(scene, height)
    if towed is not None:
        scene.add_body("cart", "steel", mass=100.0, inertia=np.full(3, 10.0), position=(0, 0, height))
        motor = VelocityMotor(speed=towed)
        scene.add_joint(Slider(name="bar", first="cart", position=(0, 0, height), axis=(1, 0, 0), motor=motor))
        scene.add_joint(Slider(first="frame", second="cart", position=(0, 0, height), axis=(0, 0, 1)))
    return scene


def add_tracks(scene: Scene, height: float, z: float = 0.0) -> None:
    """The frame, its centre of mass so high above the ground at z, and its two tracks."""
    scene.pumps["main"] = Pump(flow=0.02, pressure_limit=3.5e7)
    inertia = np.array([3e4, 6e4, 6e4])
    mass = MASS - 2 * SPROCKET
    scene.add_body("frame", "steel", mass=mass, inertia=inertia, position=(0, 0, z + height))
    for name, y in (("left", 1.19), ("right", -1.19)):
        place = (-1.8, y, z + 0.4)
        inertia = np.array([200.0, 384.0, 200.0])
        scene.add_body(f"{name} sprocket", "steel", mass=SPROCKET, inertia=inertia, position=place)
        drive = HydraulicDrive(speed=4.0, max_force=4.1e4, brake_force=4e5, pump="main", control=name)
        scene.add_joint(
            Hinge(name=name, first=f"{name} sprocket", second="frame", position=place, axis=(0, 1, 0), motor=drive)
        )
        scene.add_joint(
            Track(
                name=f"{name} track",
                first="frame",
                second=f"{name} sprocket",
                position=(0, y, z),
                radius=RADIUS,
                length=LENGTH,
                width=WIDTH,
            )
        )


def on_soil(bodies: MultibodyStepper, soil: Shear) -> None:
    """Makes the plane a soil that is sheared but does not sink."""
    tracks = bodies.joints.tracks
    tracks.terrain[0] = 0
    tracks.soil[:] = soil.cohesion, math.tan(math.radians(soil.friction_deg)), soil.length


def thrust(soil: Shear, slip: float) -> float:
    """Wong: F = (A c + W tan φ)(1 − K/(iL)(1 − e^{−iL/K})), N."""
    a = slip * LENGTH / soil.length
    most = 2 * WIDTH * LENGTH * soil.cohesion + MASS * G * math.tan(math.radians(soil.friction_deg))
    return most * (1 - (1 - math.exp(-a)) / a)


def measured_thrust(soil: Shear, slip: float, belt: float = 0.8, seconds: float = 10.0) -> float:
    """N with which the tracks push a cart that holds them at a slip."""
    bodies = MultibodyStepper(tracked(towed=belt * (1 - slip)))
    on_soil(bodies, soil)
    for name in ("left", "right"):
        bodies.control(name, belt / (4.0 * RADIUS))
    for _ in range(round(seconds / DT)):
        bodies.step(DT)
    return -bodies.joint("bar").along["motor"]


def thrust_over_slip() -> list[Result]:
    results: list[Result] = []
    for name, soil in SOILS.items():
        for slip in (0.02, 0.05, 0.2):
            expected = thrust(soil, slip) / 1e3
            what = f"{name}, slip {100 * slip:.0f} %"
            results.append(Check(what, measured_thrust(soil, slip) / 1e3, expected, 0.025 * expected, "kN"))
    return results


def parked(slope_deg: float, soil: Shear | None) -> tuple[float, float]:
    """m gone after 10 s on a slope with levers let go, and m in 10 s more."""
    bodies = MultibodyStepper(tracked(slope_deg, 1.0))
    if soil is not None:
        on_soil(bodies, soil)
    gone = []
    for _ in range(2):
        for _ in range(600):
            bodies.step(DT)
        gone.append(float(bodies.position("frame")[0]))
    return -gone[0], gone[0] - gone[1]


def parking() -> list[Result]:
    results: list[Result] = []
    for slope in (10.0, 20.0):
        for name, soil in (("hard ground", None), ("dry sand", SOILS["dry sand"])):
            _, creep = parked(slope, soil)
            results.append(Bound(f"{slope:.0f}°, {name}: way in 10 s", 1e3 * creep, -0.01, 0.05, "mm"))
    return results


def spinning() -> list[Result]:
    """More load than soil bears: the belts spin, and the machine is drawn back; and a drive that stalls."""
    soil = SOILS["dry sand"]
    most = thrust(soil, 50.0)
    bodies = MultibodyStepper(tracked())
    on_soil(bodies, soil)
    for name in ("left", "right"):
        bodies.control(name, 0.5)
    push = 0.0
    for k in range(600):
        pull = 1.1 * most * min(1.0, k * DT / 5.0)
        bodies.push("frame", (-pull * DT, 0.0, 0.0))
        bodies.step(DT)
        push = float(bodies.joints.tracks.total[:, 1].sum() / DT)
    belt = bodies.joint("left").rate * RADIUS
    stalled = MultibodyStepper(tracked(towed=0.0, friction=1.5))
    for name in ("left", "right"):
        stalled.control(name, 1.0)
    for _ in range(240):
        stalled.step(DT)
    return [
        Check("thrust of spinning tracks: all that the soil bears", push / 1e3, most / 1e3, 0.02 * most / 1e3, "kN"),
        Check("belt, as the lever says", belt, 0.8, 0.01, "m/s"),
        Bound("frame is drawn back", float(bodies.velocity("frame")[0]), high=-0.1, unit="m/s"),
        Check("thrust of tracks that hold: torque over radius", -stalled.joint("bar").along["motor"] / 1e3, 205.0, 10.0,
              "kN"),
        Bound("belt then", abs(stalled.joint("left").rate) * RADIUS, high=0.01, unit="m/s"),
    ]  # fmt: skip


def turning_moment() -> list[Result]:
    """On the spot: shoes that slide across bear μ W L/4 where they slip little along (Wong, skid steering)."""
    bodies = MultibodyStepper(tracked())
    bodies.control("left", -0.3)
    bodies.control("right", 0.3)
    for _ in range(300):
        bodies.step(DT)
    torque = sum(abs(bodies.joint(name).along["motor"]) for name in ("left", "right"))
    moment, free = torque / RADIUS * 1.19, 0.3 * 4.0 * RADIUS / 1.19
    return [
        Bound("moment over μ W L/4", moment / (0.8 * MASS * G * LENGTH / 4), 0.6, 1.0),
        Bound("rate over that without slip", float(bodies.velocity("frame")[5]) / free, 0.5, 1.0),
        Bound("wandering of the middle", float(np.abs(bodies.velocity("frame")[:2]).max()), high=0.05, unit="m/s"),
    ]


def sinkage(name: str) -> tuple[float, float, float]:
    """m by which tracks stand in a soil of the library and by Bekker, and the mass error of the ground."""
    from windrow.sim.simulation import Simulation

    scene = Scene()
    scene.add_material("steel", density=7800.0, friction_static=0.8)
    scene.add_terrain((12.0, 8.0), 0.1, soil=name, depth=2.0)
    add_tracks(scene, 0.05)
    simulation = Simulation(scene)
    for _ in range(300):
        simulation.step()
    terrain, ground = simulation.terrain, soil_named(name).ground
    under = (np.abs(terrain.x[:, None]) < 0.4 * LENGTH) & (np.abs(np.abs(terrain.y[None, :]) - 1.19) < 0.2)
    pressure = MASS * G / (2 * LENGTH * WIDTH)
    stiffness = ground.sinkage_cohesive.value / WIDTH + ground.sinkage_frictional.value
    expected = (pressure / stiffness) ** (1 / ground.sinkage_exponent.value)
    return -float(terrain.height[under].mean()), expected, float(simulation.ledger["mass_error"])


def sinkages() -> list[Result]:
    results: list[Result] = []
    for name in ("dry_sand", "loam", "clay"):
        found, expected, error = sinkage(name)
        results.append(Check(name, 1e3 * found, 1e3 * expected, 0.1e3 * expected + 0.5, "mm"))
        results.append(Bound(f"{name}: mass of the ground", error, high=0.0))
    return results


WONG = "J. Y. Wong, Theory of Ground Vehicles, 4th ed., Wiley 2008"
SCENARIOS = [
    Scenario(
        "machine-tracks-thrust",
        "bodies",
        f"Thrust against slip, F = (Ac + W tan φ)(1 − K/(iL)(1 − e^(−iL/K))), four soils; {WONG}, section 2.",
        thrust_over_slip,
    ),
    Scenario(
        "machine-tracks-limits",
        "bodies",
        "All that the soil bears where belts spin, torque over radius where they stall, μWL/4 on the spot; "
        f"{WONG}, section 6.",
        lambda: [*spinning(), *turning_moment()],
    ),
    Scenario("machine-tracks-parking", "bodies", "Statics: a parked machine does not creep.", parking),
    Scenario(
        "machine-tracks-sinkage",
        "bodies",
        f"Bekker's z = (p/(k_c/b + k_φ))^(1/n) under standing tracks, mass kept; {WONG}, section 2.",
        sinkages,
    ),
]
