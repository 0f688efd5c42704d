"""The excavator beside the published figures of its class: ranges, dig forces, times, swing, travel, tipping."""

from __future__ import annotations

import math

import numpy as np

from windrow.fixed_math import norm
from windrow.machines.readings import pose_of
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.machine_rigs import DT, HeldMachine, on_plane, on_stand, stroke_time

TIP = (1.47, 0.0, 0.0)
"""Of the teeth, in the bucket's frame, m"""
G = 9.81
SHARE = 0.1
"""Of a published figure that ours may be off."""
AT_BEST = 0.95
"""Stroke of the bucket's cylinder at which its teeth push hardest."""
ALL = ("boom", "stick", "bucket")


def near(what: str, measured: float, published: float, unit: str) -> Check:
    return Check(what, measured, published, SHARE * published, unit)


def working_ranges() -> list[Result]:
    rig = HeldMachine(on_stand("excavator", ("undercarriage",)))
    rig.reach(20, boom=0.0, stick=0.0, bucket=0.26)
    depth = 0.0
    for _ in range(round(9 / DT)):
        rig.step(stick=0.7, boom=-0.3)
        depth = max(depth, -float(rig.place("bucket", TIP)[2]))
    rig.reach(20, boom=0.65, stick=0.0, bucket=0.115)
    ground, before = 0.0, rig.place("bucket", TIP)
    for _ in range(round(9 / DT)):
        rig.step(boom=-0.7, stick=-0.3)
        now = rig.place("bucket", TIP)
        if before[2] > 0 >= now[2]:
            ground = float(before[0] + before[2] / (before[2] - now[2]) * (now[0] - before[0]))
            break
        before = now
    rig.reach(20, boom=1.0, stick=0.0, bucket=0.26)
    cut = dump = 0.0
    for k in range(round(10 / DT)):
        rig.step(boom=0.3, stick=-0.3, bucket=-0.7 if k < 180 else 1.0)
        cut = max(cut, float(rig.place("bucket", TIP)[2]))
        if pose_of(rig.bodies, "bucket")[0][2, 0] < -0.98:
            dump = max(dump, float(rig.place("bucket", TIP)[2]))
    return [
        near("digging depth", depth, 6.72, "m"),
        near("reach on the ground", ground, 9.86, "m"),
        near("cutting height", cut, 9.37, "m"),
        near("dumping height", dump, 6.49, "m"),
        Bound("problems left to sweeps", rig.unsolved, high=0),
    ]


def dig_force(held: tuple[str, ...], lever: str, about: str, least: float, **strokes: float) -> float:
    """N across the radius from a pin to the teeth at which a cylinder with its lever fully out stands still.

    Without weight, the rest of the machine locked, as in ISO 6015; the load grows from `least` on.
    """
    rig = HeldMachine(on_stand("excavator", held, weight=False))
    rig.reach(**strokes)
    force = least
    for k in range(round(10 / DT)):
        force += 400.0
        tip = rig.place("bucket", TIP)
        arm = tip - rig.place(about)
        arm[1] = 0.0
        arm /= norm(arm)
        # Curling and crowding turn the teeth clockwise in x, z; the ground turns them back.
        rig.bodies.push("bucket", DT * force * np.array([-arm[2], 0.0, arm[0]]), tip)
        rig.step(**{lever: 1.0})
        if k > 20 and rig.bodies.joint(lever).rate < 0.002:
            return force
    return math.inf


def dig_forces() -> list[Result]:
    house = ("undercarriage", "house", "boom")
    bucket = max(
        dig_force((*house, "stick"), "bucket", "bucket", 120e3, bucket=x) for x in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
    )
    stick = max(dig_force(house, "stick", "stick", 70e3, stick=x, bucket=0.3) for x in (0.1, 0.2, 0.3, 0.4, 0.5))
    return [near("bucket", bucket / 1e3, 150.0, "kN"), near("stick", stick / 1e3, 106.0, "kN")]


def cycle_times() -> list[Result]:
    stand = ("undercarriage",)

    def time(name: str, lever: float, **pose: float) -> float:
        return stroke_time(on_stand("excavator", stand), name, lever, pose)

    rig = HeldMachine(on_stand("excavator", stand))
    rig.reach(20, boom=0.05, stick=0.9, bucket=0.1)
    most = 0.0
    for _ in range(150):
        rig.step(boom=1.0, stick=-1.0, bucket=1.0, swing=1.0)
        joints = {name: rig.bodies.joint(name) for name in (*ALL, "swing")}
        given = sum(max(joints[name].power("cylinder"), 0.0) for name in ALL)
        most = max(most, (given + max(joints["swing"].power(), 0.0)) / 1e3)
    return [
        near("boom up", time("boom", 1.0, stick=0.45, bucket=0.45), 4.0, "s"),
        near("stick in", time("stick", 1.0, boom=0.65, bucket=0.45), 3.2, "s"),
        near("bucket curl", time("bucket", 1.0, boom=0.65, stick=0.45), 3.5, "s"),
        # With the load: no faster than all oil fills the rods' sides, and no slower than the same way against it.
        Bound("boom down", time("boom", -1.0, stick=0.45, bucket=0.45), 2.0, 4.0, "s"),
        Bound("stick out", time("stick", -1.0, boom=0.65, bucket=0.45), 1.7, 3.5, "s"),
        Bound("bucket dump", time("bucket", -1.0, boom=0.65, stick=0.45), 1.7, 3.5, "s"),
        Bound("power of four functions at once; the engine gives 103 to the oil", most, 40.0, 113.0, "kW"),
    ]


def swing_and_travel() -> list[Result]:
    rig = HeldMachine(on_plane("excavator"))
    rig.hold(1.0)
    angle, seconds = 0.0, 0.0
    # Let go so that it comes to rest after a quarter turn.
    while seconds < 10.0:
        joint = rig.bodies.joint("swing")
        stops = joint.coordinate + 0.5 * joint.rate * abs(joint.rate) / 0.5
        rig.step(swing=1.0 if stops < math.pi / 2 else 0.0)
        seconds += DT
        if seconds > 1.0 and abs(rig.bodies.joint("swing").rate) < 0.02:
            break
    angle = math.degrees(rig.bodies.joint("swing").coordinate)
    rig.hold(6.0, swing=1.0)
    speed = rig.bodies.joint("swing").rate * 30 / math.pi
    rig = HeldMachine(on_plane("excavator"))
    rig.hold(6.0, left_track=1.0, right_track=1.0)
    travel = 3.6 * float(norm(rig.bodies.velocity("undercarriage")[:2]))
    pull = drawbar(1.2)
    turning = HeldMachine(on_plane("excavator"))
    turning.hold(6.0, left_track=-1.0, right_track=1.0)
    spin = float(turning.bodies.velocity("undercarriage")[5])
    return [
        Check("swing by a quarter turn, from rest to rest", seconds, 4.0, 0.8, "s"),
        Check("angle then", angle, 90.0, 9.0, "°"),
        near("swing speed", speed, 11.3, "rpm"),
        near("travel speed", travel, 5.7, "km/h"),
        near("drawbar pull, tracks that hold", pull / 1e3, 205.0, "kN"),
        Bound("turning on the spot, hard ground", spin, 0.35, 1.3, "rad/s"),
    ]


def drawbar(friction: float) -> float:
    """N that holds the machine back at full lever."""
    rig = HeldMachine(on_plane("excavator", friction))
    rig.hold(1.0)
    force, start = 0.0, float(rig.bodies.position("undercarriage")[0])
    for _ in range(round(8 / DT)):
        gone = float(rig.bodies.position("undercarriage")[0]) - start
        speed = float(rig.bodies.velocity("undercarriage")[0])
        force = max(3e5 * gone + 1e6 * speed, 0.0)
        rig.bodies.push("undercarriage", (-DT * force, 0.0, 0.0), rig.place("undercarriage", (-2.0, 0.0, 0.0)))
        rig.step(left_track=1.0, right_track=1.0)
    return force


def tipping(angle: float, edge: float) -> list[Result]:
    """Arm stretched out over the front or the side: load at the bucket's pin that lifts the other tracks off."""
    rig = HeldMachine(on_plane("excavator"))
    rig.reach(25, boom=0.64, stick=0.01, bucket=0.68)
    while math.degrees(rig.bodies.joint("swing").coordinate) < angle - 3.0:
        rig.step(swing=0.4)
    rig.hold(2.0)
    axis = 0 if angle == 0.0 else 1
    mass, x = rig.bodies.bodies.mass, rig.bodies.motion.x[: rig.bodies.bodies.count, axis]
    radius = abs(float(rig.place("bucket")[axis]))
    expected = float((mass * (edge - x)).sum()) / (radius - edge)
    load, start = 0.7 * expected, rig.tilt("undercarriage")
    while load < 2.0 * expected and rig.tilt("undercarriage") < start + 2.0:
        load += 0.0005 * expected
        rig.bodies.push("bucket", (0.0, 0.0, -G * load * DT), rig.place("bucket"))
        rig.step()
    where = "front" if angle == 0.0 else "side"
    return [
        near(f"over the {where}, at {radius:.2f} m: as moments say", load, expected, "kg"),
        Bound(f"rated over the {where}: 75 % of it", 0.75 * load, unit="kg"),
    ]


def tipping_loads() -> list[Result]:
    return [*tipping(0.0, 1.825), *tipping(90.0, 1.19)]


PUBLISHED = "Published figures of the Cat 320 (21.6 t, 5.7 m boom, 2.9 m stick), each within a tenth"
SCENARIOS = [
    Scenario("machine-excavator-ranges", "bodies", f"{PUBLISHED}: working ranges.", working_ranges),
    Scenario(
        "machine-excavator-forces",
        "bodies",
        f"{PUBLISHED}: dig forces as of ISO 6015, 35 MPa, without weight.",
        dig_forces,
    ),
    Scenario(
        "machine-excavator-times",
        "bodies",
        f"{PUBLISHED}: strokes over pump flow; all functions together take no more than the engine gives.",
        cycle_times,
    ),
    Scenario(
        "machine-excavator-travel", "bodies", f"{PUBLISHED}: swing, travel, drawbar.", swing_and_travel
    ),
    Scenario(
        "machine-excavator-tipping",
        "bodies",
        "ISO 10567: load that tips it over front and side, beside the moments of its own masses; within a tenth.",
        tipping_loads,
    ),
]
