"""Bodies that nothing can be computed with any more are held where they last were, and the run goes on.

A place or speed that is not finite, or beyond anything that a scene can mean, would spread over contacts and joints to
all others within a few steps. Such a body becomes part of the world: in its last sound place, at rest, immovable. With
a body of a machine the whole machine is held, because a joint cannot let go of one of its bodies.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.terms import F64, I64
from windrow.kernel import SameTypes, bare_kernel
from windrow.solvers.multibody.bodies import Bodies
from windrow.solvers.multibody.contacts import ContactBuffers
from windrow.solvers.multibody.machine import Machine
from windrow.solvers.multibody.merging import Merger
from windrow.solvers.multibody.motion import BodyTable, Motion, refresh_these
from windrow.solvers.multibody.rows import UNBOUNDED
from windrow.state.state import FASTEST

FARTHEST = 1e7
"""m from the origin, the same as for grains"""


class HeldBodyWarning(UserWarning):
    """Bodies are held because nothing could be computed with their numbers."""


class Sound(NamedTuple):
    """What the bodies and joints were when all of it was last sound."""

    x: F64
    q: F64
    value: F64
    """(j,) coordinates of the joints"""
    command: F64
    """(a,) and where motors wanted them"""


@bare_kernel
def find_unsound(
    table: BodyTable, motion: Motion, outer: F64, value: F64, command: F64, sound: Sound, unsound: I64
) -> int:
    """Marks bodies in `unsound` (n,) whose numbers are not, and keeps the places of the others; returns how many."""
    count = 0
    for i in range(unsound.shape[0]):
        place, turn, speed, spin, push = 0.0, 0.0, 0.0, 0.0, 0.0
        # Sums, because the larger of a number and of what is none may be the number.
        for k in range(3):
            place += abs(motion.x[i, k])
            speed += abs(motion.V[i, k])
            spin += abs(motion.V[i, 3 + k])
        for k in range(4):
            turn += abs(motion.q[i, k])
        for k in range(3):
            push += abs(outer[i, k]) * table.inverse_mass[i] + 0.0 * outer[i, 3 + k]
        # A comparison with what is not a number is false.
        good = place < FARTHEST and turn < 4.0 and speed < FASTEST and spin < FASTEST and push < FASTEST
        unsound[i] = 0 if good else 1
        count += unsound[i]
    if count > 0:
        return count
    for i in range(unsound.shape[0]):
        for k in range(3):
            sound.x[i, k] = motion.x[i, k]
        for k in range(4):
            sound.q[i, k] = motion.q[i, k]
    for j in range(value.shape[0]):
        sound.value[j] = value[j]
    for a in range(command.shape[0]):
        sound.command[a] = command[a]
    return 0


class Holding:
    """Which bodies are held."""

    def __init__(self, bodies: Bodies, motion: Motion, machine: Machine, number: I64, merger: Merger) -> None:
        """`number` (bodies,): of the machine that each belongs to, −1: none."""
        n = bodies.count
        self.bodies, self.motion, self.machine, self.merger = bodies, motion, machine, merger
        self.held = np.zeros(n, np.bool_)
        self.count = 0
        """of them"""
        self.dead: I64 = np.zeros(0, np.int64)
        """rows of joints between held bodies"""
        self._number = number[:n]
        table = bodies.table
        self._masses = table.inverse_mass[:n].copy(), table.inverse_inertia[:n].copy()
        self._joining = merger.can_join.copy(), merger.still[:n].copy()
        self._sound = Sound(
            motion.x[:n].copy(),
            motion.q[:n].copy(),
            machine.coordinates.value.copy(),
            machine.coordinates.command.copy(),
        )
        self._start = Sound(*(array.copy() for array in self._sound))
        self._unsound = np.zeros(n, np.int64)
        self._find, self._told = SameTypes(find_unsound), False

    def watch(self, outer: F64) -> bool:
        """Holds bodies whose place, speed or outer impulse is not sound; whether there are new ones."""
        coordinates = self.machine.coordinates
        table, sound = self.bodies.table, self._sound
        if not self._find(
            table, self.motion, outer, coordinates.value, coordinates.command, sound, self._unsound
        ):
            return False
        bad = self._with_machines(self._unsound == 1)
        outer[: len(bad)][bad] = 0.0
        self._put_back(bad)
        self.hold(self.held | bad)
        if not self._told:
            self._told = True
            names = [self.bodies.names[k] for k in np.flatnonzero(bad)]
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            warnings.warn(
                f"bodies held in place from now on: {', '.join(names[:3])}{more}. Numbers of them, or of a machine "
                "that they belong to, were no longer finite, or beyond anything possible. The run goes on; a shorter "
                "dt or more multibody.substeps may avoid it.",
                HeldBodyWarning,
                stacklevel=4,
            )
        return True

    def _with_machines(self, bad: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return bad | ((self._number >= 0) & np.isin(self._number, self._number[bad]))

    def _put_back(self, bad: NDArray[np.bool_]) -> None:
        """Bodies where they were when everything was sound; at rest."""
        chosen = np.flatnonzero(bad)
        self.merger.split(chosen)
        motion, rows, coordinates = self.motion, self.machine.rows, self.machine.coordinates
        motion.x[chosen], motion.q[chosen] = self._sound.x[chosen], self._sound.q[chosen]
        motion.V[chosen] = 0.0
        joints, axials, dead = self._joints_of(bad)
        coordinates.value[joints], coordinates.rate[joints] = self._sound.value[joints], 0.0
        coordinates.command[axials] = self._sound.command[axials]
        for array in (rows.impulse, rows.carried, rows.total, rows.work, rows.bend):
            array[dead] = 0.0
        rows.active[dead] = 0

    def _joints_of(self, held: NDArray[np.bool_]) -> tuple[I64, I64, I64]:
        """Joints between such bodies, and numbers and rows of what acts along them."""
        live, table, axial = self.machine.live, self.machine.joints, self.machine.axial
        flags = np.append(held, False)
        between = flags[live[:, 0]] | flags[live[:, 1]]
        coupled = np.flatnonzero(axial.other >= 0)
        axials = between[axial.joint]
        axials[coupled] |= between[axial.other[coupled]]
        joints = np.flatnonzero(between)
        own = [np.arange(table.first_row[j], table.first_row[j] + table.held[j]) for j in joints]
        rows = np.concatenate([*own, axial.row[axials]]).astype(np.int64)
        return joints, np.flatnonzero(axials), rows

    def hold(self, held: NDArray[np.bool_]) -> None:
        """Makes these bodies, and no others, part of the world."""
        n, table, merger = self.bodies.count, self.bodies.table, self.merger
        chosen = np.flatnonzero(held)
        table.inverse_mass[:n], table.inverse_inertia[:n] = self._masses
        merger.can_join[:], merger.still[:n] = self._joining
        # What follows from the orientation, of those that are let go, too.
        refresh_these(table, self.motion, np.flatnonzero(held | self.held))
        table.inverse_mass[chosen] = 0.0
        table.inverse_inertia[chosen] = self.motion.inverse_inertia[chosen] = 0.0
        self.machine.turning[chosen] = 0.0
        merger.can_join[chosen], merger.still[chosen] = False, 1
        merger.search.stale[chosen] = 1
        self.held, self.count = held.copy(), len(chosen)
        self.dead = self._joints_of(held)[2]
        merger._arrange()

    def clean(self, contacts: ContactBuffers) -> None:
        """Contacts in which something was not finite gave nothing."""
        n = int(contacts.found[0])
        given = (contacts.impulse, contacts.twist, contacts.total, contacts.point, contacts.normal)
        bad = np.flatnonzero((~np.isfinite(np.concatenate([array[:n] for array in given], axis=1))).sum(axis=1))
        for array in (contacts.impulse, contacts.twist, contacts.total):
            array[bad] = 0.0

    def sound_speeds(self, V: F64) -> F64:
        """(bodies, 6) velocities, those that are none replaced by rest."""
        return np.where(np.abs(V).max(axis=1, keepdims=True) < FASTEST, V, 0.0)

    @property
    def may_join(self) -> NDArray[np.bool_]:
        """(bodies,) which of them may be joined with others unless they are held"""
        return self._joining[0]

    def memory(self) -> dict[str, NDArray[Any]]:
        return {"held": self.held.astype(np.uint8)}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """After places and speeds were taken back."""
        for now, start in zip(self._sound, self._start, strict=True):
            now[:] = start
        self._told = False
        # Rows of joints that were held had no room; those that hold bodies together never get other bounds.
        self.machine.rows.low[:], self.machine.rows.high[:] = -UNBOUNDED, UNBOUNDED
        held = memory["held"] == 1
        if held.any() or self.held.any():
            self.hold(held)
