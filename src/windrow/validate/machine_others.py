"""Bulldozer and tipper beside the published figures of their classes."""

from __future__ import annotations

import math

import numpy as np

from windrow.fixed_math import norm
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.machine_excavator import near
from windrow.validate.machine_rigs import DT, HeldMachine, on_plane, on_stand

G = 9.81


def blade() -> list[Result]:
    """On a stand: how far the cutting edge goes."""
    rig = HeldMachine(on_stand("bulldozer", ("chassis",)))
    ends = (0.0, 1.63, 0.0), (0.0, -1.63, 0.0)
    rig.hold(6.0, blade_lift=-1.0)
    depth = -float(rig.place("blade")[2])
    seconds = 0.0
    while rig.stroke("blade_lift") < 0.98 and seconds < 20.0:
        rig.step(blade_lift=1.0)
        seconds += DT
    rig.hold(2.0, blade_lift=1.0)
    height = float(rig.place("blade")[2])
    rig.hold(5.0, blade_lift=-0.6)
    rig.hold(5.0, blade_tilt=1.0)
    tilt = float(rig.place("blade", ends[0])[2] - rig.place("blade", ends[1])[2])
    rig.hold(8.0, blade_tilt=-1.0)
    other = float(rig.place("blade", ends[1])[2] - rig.place("blade", ends[0])[2])
    rig.hold(6.0, blade_angle=1.0)
    across = rig.place("blade", ends[0]) - rig.place("blade", ends[1])
    angle = math.degrees(math.atan2(-float(across[0]), float(across[1])))
    return [
        near("digging depth", depth, 0.47, "m"),
        near("lift of the blade", height, 1.10, "m"),
        near("tilt, one corner above the other, left", tilt, 0.74, "m"),
        near("tilt, right", other, 0.74, "m"),
        near("angle", angle, 24.0, "°"),
        Bound("time of the lift", seconds, unit="s"),
    ]


def pulled(load: float, seconds: float = 10.0) -> float:
    """m/s at which the bulldozer pulls so much (N) on hard ground, blade up."""
    rig = HeldMachine(on_plane("bulldozer", 0.9))
    rig.hold(2.0, blade_lift=1.0)
    for k in range(round(seconds / DT)):
        force = load * min(1.0, k * DT / 3.0)
        ahead = rig.heading("chassis")
        back = np.array([-ahead[0], -ahead[1], 0.0])
        rig.bodies.push("chassis", DT * force * back, rig.place("chassis", (-1.8, 0.0, -0.2)))
        rig.step(left_track=1.0, right_track=1.0)
    return float(norm(rig.bodies.velocity("chassis")[:2]))


def dozer_travel() -> list[Result]:
    power = 0.75 * 149e3
    results: list[Result] = [near("travel speed", 3.6 * pulled(0.0), 11.4, "km/h")]
    for load in (61e3, 106e3):
        what = f"speed at a drawbar pull of {load / 1e3:.0f} kN, by 75 % of the engine's power"
        results.append(near(what, 3.6 * pulled(load), 3.6 * power / load, "km/h"))
    return results


def bed() -> list[Result]:
    """Tipping by 70°, empty and with 29 t in it, whose weight is put where a load's centre would be."""
    results: list[Result] = []
    for load, lever, published in ((0.0, 1.0, 12.0), (29e3, 1.0, 12.0), (0.0, -1.0, 10.0)):
        rig = HeldMachine(on_stand("tipper", ("rear frame", "front frame")))
        if lever < 0:
            rig.hold(18.0, tip=1.0)
        seconds = 0.0
        while seconds < 30.0 and (rig.stroke("tip") < 0.98 if lever > 0 else rig.stroke("tip") > 0.02):
            rig.bodies.push("bed", (0.0, 0.0, -G * load * DT), rig.place("bed", (2.1, 0.0, 0.7)))
            rig.step(tip=lever)
            seconds += DT
        what = "tips empty" if lever > 0 else "comes down"
        results.append(near(f"tips with {load / 1e3:.0f} t" if load else what, seconds, published, "s"))
        if lever > 0 and not load:
            results.append(near("angle", math.degrees(rig.bodies.joint("bed hinge").coordinate), 70.0, "°"))
    return results


def tipper_drives() -> list[Result]:
    rig = HeldMachine(on_plane("tipper", 0.8))
    rig.hold(1.0, brake=1.0)
    height = float(rig.place("bed", (2.4, 1.33, 1.4))[2])
    rig.hold(12.0, throttle=1.0)
    speed = 3.6 * float(norm(rig.bodies.velocity("front frame")[:2]))
    before = rig.heading("front frame")
    rig.hold(7.0, throttle=0.4, steer=1.0)
    after = rig.heading("front frame")
    turned = math.degrees(math.atan2(before[0] * after[1] - before[1] * after[0], float((before * after).sum())))
    angle = math.degrees(rig.bodies.joint("steering hinge").coordinate)
    rig.hold(4.0, brake=1.0)
    return [
        Check("loading height", height, 2.9, 0.2, "m"),
        Bound("speed", speed, unit="km/h"),
        Check("steering angle", angle, 45.0, 4.5, "°"),
        Bound("turned meanwhile", abs(turned), unit="°"),
        Bound("speed after braking", float(norm(rig.bodies.velocity("front frame")[:2])), high=0.05, unit="m/s"),
    ]


SCENARIOS = [
    Scenario(
        "machine-bulldozer-blade",
        "bodies",
        "Published figures of a Cat D6 with a blade of 5.6 m³, each within a tenth: depth, lift, tilt; angle as of a "
        "Komatsu D37PXi.",
        blade,
    ),
    Scenario(
        "machine-bulldozer-travel",
        "bodies",
        "Published travel speed of a Cat D6; drawbar pull times speed is the power that reaches the tracks.",
        dozer_travel,
    ),
    Scenario(
        "machine-tipper-bed",
        "bodies",
        "Published figures of an articulated dumper of 29 t, each within a tenth: tips by 70° in 12 s, down in 10 s.",
        bed,
    ),
    Scenario(
        "machine-tipper-drive", "bodies", "A tipper of 23 t drives, steers and brakes.", tipper_drives
    ),
]
