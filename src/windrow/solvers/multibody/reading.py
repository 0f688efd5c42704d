"""What joints and contacts did over a step, for people to read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.solvers.multibody.contacts import Contacts
from windrow.solvers.multibody.joints import Joints
from windrow.solvers.multibody.motion import Motion


@dataclass(frozen=True)
class JointReading:
    """A joint over the last step."""

    coordinate: float
    """angle, rad, displacement or length, m; 0 if it has none"""
    rate: float
    """rad/s or m/s"""
    force: F64
    """(3,) on first, N, in the world"""
    torque: F64
    """(3,) on first about the joint's place there, N m, in the world"""
    along: dict[str, float]
    """force (N) or torque (N m) of its motor, brake, spring, limit, cylinder, by name"""

    def power(self, name: str = "motor") -> float:
        """W that a motor or cylinder gives"""
        return self.along[name] * self.rate


@dataclass(frozen=True)
class ContactReading:
    """All contacts with a force over the last step."""

    bodies: I64
    """(c, 2) numbers of the bodies; from the number of bodies on, obstacles"""
    point: F64
    """(c, 3) m"""
    normal: F64
    """(c, 3) from the second to the first"""
    force: F64
    """(c, 3) on the first, mean over the step, N"""


def read_joint(joints: Joints, motion: Motion, j: int, span: float) -> JointReading:
    """Joint j over a step of `span` s."""
    rows, table = joints.rows, joints.table
    value = float(joints.coordinates.value[j])
    along, used = {}, list(range(table.first_row[j], table.first_row[j] + table.held[j]))
    for a, row in zip(joints.axials, joints.axial.row, strict=True):
        if a.owner == j:
            used.append(int(row))
            low, high = a.numbers[:2] if a.name == "limit" else (0.0, 0.0)
            at_high = a.name == "limit" and high - value < value - low
            along[a.name] = float((-1.0 if at_high else 1.0) * rows.total[row] / span)
    force, torque = _wrench(joints, motion, j, used)
    return JointReading(value, float(joints.coordinates.rate[j]), force / span, torque / span, along)


def _wrench(joints: Joints, motion: Motion, j: int, used: list[int]) -> tuple[F64, F64]:
    """Impulse of rows on the joint's first body, or minus that on its second, about its anchor there."""
    rows, live = joints.rows, joints.live[j]
    side = 0 if live[0] >= 0 else 1
    b, sign = int(live[side]), 1.0 if side == 0 else -1.0
    if b < 0:
        return np.zeros(3), np.zeros(3)
    total = np.zeros(6)
    for row in used:
        for block in range(rows.blocks[row]):
            if rows.body[row, block] == b:
                total += rows.J[row, 6 * block : 6 * block + 6] * rows.total[row]
    arm = motion.R[b] @ joints.table.anchor[j, side]
    return sign * total[:3], sign * (total[3:] - np.cross(arm, total[:3]))


def read_contacts(contacts: Contacts, span: float) -> ContactReading:
    n = int(contacts.found[0])
    loaded = np.flatnonzero((contacts.total[:n] != 0).any(axis=1))
    return ContactReading(
        contacts.real[loaded].astype(np.int64),
        contacts.point[loaded],
        contacts.normal[loaded],
        contacts.total[loaded] / span,
    )


def contact_forces(contacts: Contacts, motion: Motion, rows: int, span: float) -> F64:
    """(rows, 6) force, N, and torque about the centre of mass, N m, of all contacts on each body and obstacle."""
    n = int(contacts.found[0])
    total = np.zeros((rows, 6))
    force, point = contacts.total[:n] / span, contacts.point[:n]
    for side, sign in ((0, 1.0), (1, -1.0)):
        body = contacts.real[:n, side]
        arm = point - motion.x[body]
        np.add.at(total[:, :3], body, sign * force)
        np.add.at(total[:, 3:], body, sign * np.cross(arm, force))
    return total
