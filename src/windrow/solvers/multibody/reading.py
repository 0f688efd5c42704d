"""What joints and contacts did over a step, for people to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import dot, rotate
from windrow.geometry.terms import F64, I64
from windrow.kernel import kernel
from windrow.solvers.multibody.bodies import Bodies
from windrow.solvers.multibody.contacts import ContactBuffers
from windrow.solvers.multibody.joints import Joints
from windrow.solvers.multibody.motion import Motion

READ_OF_CONTACTS = ("real", "point", "normal", "total")
"""What is read of contacts, see `contacts.Contacts`."""


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
    work: dict[str, float]
    """J that each of them gave to the motion"""

    def power(self, name: str = "motor") -> float:
        """W that a motor or cylinder gives"""
        return self.along[name] * self.rate


class JointStates(NamedTuple):
    """All joints over the last step, in their order."""

    position: F64
    """(j,) angle, rad, displacement or length, m; 0 if it has none"""
    rate: F64
    """(j,) rad/s or m/s"""
    force: F64
    """(j,) N or N m of its cylinder or motor; 0 if it has none"""


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
    along: dict[str, float] = {}
    work: dict[str, float] = {}
    used = list(range(table.first_row[j], table.first_row[j] + table.held[j]))
    for a, row in zip(joints.axials, joints.axial.row, strict=True):
        if a.owner == j:
            used.append(int(row))
            low, high = a.numbers[:2] if a.name == "limit" else (0.0, 0.0)
            at_high = a.name == "limit" and high - value < value - low
            along[a.name] = float((-1.0 if at_high else 1.0) * rows.total[row] / span)
            work[a.name] = float(rows.work[row])
    force, torque = _wrench(joints, motion, j, used)
    return JointReading(value, float(joints.coordinates.rate[j]), force / span, torque / span, along, work)


def read_joints(joints: Joints, span: float) -> JointStates:
    """All joints over a step of `span` s."""
    force = np.zeros(len(joints.names))
    driven = [k for k, a in enumerate(joints.axials) if a.name in ("motor", "cylinder")]
    force[joints.axial.joint[driven]] = joints.rows.total[joints.axial.row[driven]] / span
    return JointStates(joints.coordinates.value.copy(), joints.coordinates.rate.copy(), force)


def readings_of(joints: Joints, contacts: ContactBuffers, span: float) -> dict[str, NDArray[Any]]:
    """What readings of a step of `span` s are made of; the next step does without."""
    rows, loaded = joints.rows, _loaded(contacts)
    known = {"span": np.array(span), "rate": joints.coordinates.rate}
    known |= {"total": rows.total, "J": rows.J, "work": rows.work}
    touches = {f"contact_{name}": getattr(contacts, name)[loaded] for name in READ_OF_CONTACTS}
    return {f"reading_{name}": value.copy() for name, value in (known | touches).items()}


def recall_readings(joints: Joints, contacts: ContactBuffers, known: dict[str, NDArray[Any]]) -> float:
    """Takes back what `readings_of` gave; without it, nothing has been read yet. Returns the span.

    There must be room for the contacts; the next step finds others before it uses any.
    """
    rows = joints.rows
    joints.coordinates.rate[:] = known.get("reading_rate", 0.0)
    rows.total[:], rows.J[:] = known.get("reading_total", 0.0), known.get("reading_J", 0.0)
    rows.work[:] = known.get("reading_work", 0.0)
    n = contacts.found[0] = contacts_in(known)
    for name in READ_OF_CONTACTS if n else ():
        getattr(contacts, name)[:n] = known[f"reading_contact_{name}"]
    return float(known.get("reading_span", 0.0))


def contacts_in(known: dict[str, NDArray[Any]]) -> int:
    """How many contacts are among the readings."""
    return len(known.get("reading_contact_real", ()))


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
    arm = rotate(motion.R[b], joints.table.anchor[j, side])
    return sign * total[:3], sign * (total[3:] - np.cross(arm, total[:3]))


def _loaded(contacts: ContactBuffers) -> I64:
    """Contacts that gave something."""
    return np.flatnonzero((contacts.total[: int(contacts.found[0])] != 0).any(axis=1))


def read_contacts(contacts: ContactBuffers, span: float) -> ContactReading:
    loaded = _loaded(contacts)
    return ContactReading(
        contacts.real[loaded].astype(np.int64),
        contacts.point[loaded],
        contacts.normal[loaded],
        contacts.total[loaded] / span,
    )


@kernel
def _add_contacts(real: I64, point: F64, impulse: F64, x: F64, total: F64) -> None:
    """Each contact's impulse on its first thing, and the opposite on its second, about their centres."""
    for q in range(len(point)):
        p0, p1, p2 = impulse[q, 0], impulse[q, 1], impulse[q, 2]
        for side in range(2):
            k, sign = real[q, side], 1.0 - 2.0 * side
            a0, a1, a2 = point[q, 0] - x[k, 0], point[q, 1] - x[k, 1], point[q, 2] - x[k, 2]
            total[k, 0] += sign * p0
            total[k, 1] += sign * p1
            total[k, 2] += sign * p2
            total[k, 3] += sign * (a1 * p2 - a2 * p1)
            total[k, 4] += sign * (a2 * p0 - a0 * p2)
            total[k, 5] += sign * (a0 * p1 - a1 * p0)


def contact_forces(contacts: ContactBuffers, motion: Motion, rows: int, span: float) -> F64:
    """(rows, 6) force, N, and torque about the centre of mass, N m, of all contacts on each body and obstacle."""
    n = int(contacts.found[0])
    total = np.zeros((rows, 6))
    _add_contacts(contacts.real[:n], contacts.point[:n], contacts.total[:n], motion.x, total)
    return total / span


def add_track_forces(joints: Joints, motion: Motion, count: int, span: float, total: F64) -> None:
    """Adds what tracks did to `total`, on their frames and on the obstacles they stand on, as `contact_forces` does.

    `count`: bodies, which come before the obstacles.
    """
    tracks = joints.tracks
    standing = np.flatnonzero(tracks.obstacle >= 0)
    if len(standing) == 0:
        return
    force = np.einsum("fd,fdi->fi", tracks.total[standing], tracks.axis[standing]) / span
    frame = joints.table.body[tracks.joint, 0][tracks.track[standing]].astype(np.int64)
    for thing, sign in ((frame, 1.0), (count + tracks.obstacle[standing], -1.0)):
        torque = np.cross(tracks.place[standing] - motion.x[thing], force)
        np.add.at(total, thing, sign * np.concatenate([force, torque], axis=1))


def energy_of(bodies: Bodies, motion: Motion, gravity: F64) -> float:
    """Kinetic energy and potential energy in gravity of all moving bodies, J."""
    moving = np.flatnonzero(bodies.mass > 0)
    mass = bodies.mass[moving]
    v, w = motion.V[moving, :3], np.einsum("nji,nj->ni", motion.R[moving], motion.V[moving, 3:])
    spin = np.einsum("ni,nij,nj->", w, bodies.table.inertia[moving], w)
    return float(0.5 * ((mass * dot(v, v)).sum() + spin) - (mass * dot(motion.x[moving], gravity)).sum())
