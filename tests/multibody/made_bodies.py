"""A machine for the tests of bodies and joints; the scenes that scenarios share are in `validate`."""

from __future__ import annotations

import math

import numpy as np

from windrow.scene import Box, Fixed, Hinge, HydraulicMotor, Scene, Slider, VelocityMotor
from windrow.validate.multibody_scenes import Point, Y, empty


def excavator(base_fixed: bool = True) -> Scene:
    """13 bodies and 17 joints with three closed loops: base, swing, boom, stick, bucket, three cylinders."""
    scene = empty()

    def block(name: str, position: Point, mass: float, size: Point) -> None:
        scene.add_body(name, "steel", mass=mass, shapes=[Box(size=size)], position=position, group="digger")

    block("base", (0, 0, 0.5), 8000, (3, 3, 1))
    block("swing", (-0.5, 0, 1.5), 9000, (3, 2.5, 1.2))
    block("boom", (2.75, 0, 3.15), 2000, (5.2, 0.5, 0.7))
    block("stick", (5.4, 0, 3.3), 1000, (0.5, 0.4, 3.4))
    block("bucket", (6.3, 0, 1.2), 800, (1.0, 1.2, 1.0))
    block("rocker", (6.25, 0, 2.4), 60, (0.5, 0.2, 0.1))
    block("link", (6.55, 0, 2.2), 40, (0.1, 0.2, 0.6))
    if base_fixed:
        scene.add_joint(Fixed(first="base", position=(0, 0, 0)))
    turn = VelocityMotor(speed=1.0, max_force=2e5, control="swing")
    scene.add_joint(
        Hinge(name="turn", first="base", second="swing", position=(0, 0, 1), axis=(0, 0, 1), motor=turn)
    )
    for first, second, position in (
        ("swing", "boom", (0.5, 0, 1.8)),
        ("boom", "stick", (5.0, 0, 4.5)),
        ("stick", "bucket", (6.2, 0, 1.8)),
        ("stick", "rocker", (6.0, 0, 2.3)),
        ("rocker", "link", (6.5, 0, 2.5)),
        ("link", "bucket", (6.6, 0, 1.9)),
    ):
        scene.add_joint(Hinge(first=first, second=second, position=position, axis=Y))
    for name, first, foot, second, head, area in (
        ("lift", "swing", (1.0, 0, 1.3), "boom", (2.7, 0, 3.2), 0.032),
        ("arm", "boom", (2.6, 0, 4.0), "stick", (4.6, 0, 5.1), 0.024),
        ("curl", "stick", (5.3, 0, 4.4), "rocker", (6.5, 0, 2.5), 0.02),
    ):
        a, b = np.array(foot), np.array(head)
        axis = (b - a) / np.linalg.norm(b - a)
        length = float(np.linalg.norm(b - a))
        for part, share, mass in (("barrel", 0.3, 120), ("rod", 0.75, 60)):
            scene.add_body(
                f"{name} {part}",
                "steel",
                mass=mass,
                shapes=[Box(size=(0.6 * length, 0.2, 0.2))],
                position=a + share * (b - a),
                rotation_deg=(0, math.degrees(math.atan2(-axis[2], axis[0])), 0),
                group="digger",
            )
        scene.add_joint(Hinge(first=first, second=f"{name} barrel", position=foot, axis=Y))
        scene.add_joint(Hinge(first=f"{name} rod", second=second, position=head, axis=Y))
        drive = HydraulicMotor(area=area, pressure_limit=25e6, flow_limit=0.3 * area, control=name)
        scene.add_joint(
            Slider(
                name=name,
                first=f"{name} barrel",
                second=f"{name} rod",
                position=a + 0.5 * (b - a),
                axis=axis,
                range=(-0.32 * length, 0.45 * length),
                motor=drive,
            )
        )
    return scene
