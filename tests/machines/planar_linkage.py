"""A Z-bar in its plane, worked out by trigonometry from the pins of a machine description."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from windrow.scene import MachineDescription

Array = np.ndarray


def pins(machine: MachineDescription) -> dict[str, Array]:
    """(x, z) of each joint by name."""
    return {
        joint.name: np.array(joint.position)[[0, 2]] for joint in machine.joints if joint.kind != "cylinder"
    }


def length(vector: Array) -> Array:
    return np.hypot(vector[..., 0], vector[..., 1])


def bearing(vector: Array) -> Array:
    return np.arctan2(vector[..., 1], vector[..., 0])


def corner(opposite: Array, a: Array, b: Array) -> Array:
    """Angle between sides a and b of a triangle; nan where it does not close."""
    cosine = (a**2 + b**2 - opposite**2) / (2 * a * b)
    return np.arccos(np.where(np.abs(cosine) <= 1, cosine, np.nan))


def along(start: Array, angle: Array, distance: float) -> Array:
    return start + distance * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


@dataclass
class Linkage:
    """Where everything is for lift and tilt displacements (arrays that broadcast), m."""

    bucket: Array
    """angle of the bucket against its start, rad; positive: rolled back"""
    pin: Array
    """(…, 2) bucket pin"""
    angles: dict[str, Array]
    """between cylinder and bellcrank, bellcrank and link, link and bucket, lift cylinder and arms; rad"""


def solved(machine: MachineDescription, lift: Array, tilt: Array) -> Linkage:
    p = pins(machine)
    pivot, foot, head = p["arm pivot"], p["lift foot"], p["lift head"]
    stay, reach = length(foot - pivot), length(head - pivot)
    lift_length = length(head - foot) + lift
    # The angle at the arms' pivot between the lift cylinder's two ends says how far the arms are up.
    opening = corner(lift_length, stay, reach)
    raised = opening - corner(length(head - foot), stay, reach)
    turn = np.stack(
        [np.stack([np.cos(raised), -np.sin(raised)], -1), np.stack([np.sin(raised), np.cos(raised)], -1)], -2
    )

    def on_arms(name: str) -> Array:
        return pivot + (turn @ (p[name] - pivot)[:, None])[..., 0]

    crank, pin = on_arms("bellcrank pivot"), on_arms("bucket pin")
    tilt_length = length(p["tilt head"] - p["tilt foot"]) + tilt
    upper = length(p["tilt head"] - p["bellcrank pivot"])
    back = p["tilt foot"] - crank
    crank_angle = bearing(back) % (2 * np.pi) - corner(tilt_length, length(back), upper)
    bend = bearing(p["link rear"] - p["bellcrank pivot"]) - bearing(p["tilt head"] - p["bellcrank pivot"])
    rear = along(crank, crank_angle + bend, length(p["link rear"] - p["bellcrank pivot"]))
    link, lever = length(p["link front"] - p["link rear"]), length(p["link front"] - p["bucket pin"])
    across = pin - rear
    front = along(rear, bearing(across) + corner(lever, length(across), link), link)
    start = bearing(p["link front"] - p["bucket pin"])
    bucket = (bearing(front - pin) - start + np.pi) % (2 * np.pi) - np.pi
    angles = {
        "tilt cylinder and bellcrank": corner(length(back), tilt_length, upper),
        "bellcrank and link": _between(crank - rear, front - rear),
        "link and bucket": _between(rear - front, pin - front),
        "lift cylinder and arms": corner(stay, lift_length, reach),
    }
    return Linkage(bucket, pin, angles)


def _between(u: Array, v: Array) -> Array:
    return np.arccos((u * v).sum(-1) / (length(u) * length(v)))
