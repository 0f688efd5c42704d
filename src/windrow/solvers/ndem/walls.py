"""Contacts with walls in batches, and their memory by grain, body and normal.

Contacts with walls are found anew in every step (bodies move, and surfaces curve). A contact takes over the impulse
that the same grain had with the same body before, if the two normals differ by less than 25 degrees. A wall contact
changes one grain only; the contacts of one grain come in different batches by their rank.

A body's motion within a leg is the parabola through its poses at the begin, the middle and the end. A velocity that
is constant over a step jumps by a Δt from step to step; the friction of one substep cannot follow such a jump, and a
load would creep on any bed that accelerates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.walls import WallContacts
from windrow.errors import CapacityError
from windrow.kernel import device, kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.colouring import IDLE_GROUPS, RANKS, begin_of_each, count_walls
from windrow.solvers.ndem.laws import CORE, LAW, NX, NY, NZ, ROW
from windrow.solvers.ndem.pencils import Pencils
from windrow.solvers.ndem.vector import DEEPEST, FACE, FACE_X, FACE_Y, FACE_Z, GAIN_X, GAIN_Y, GAIN_Z, OFFSET
from windrow.team import deal, parallel_counted

F = np.float32
ZERO = F(0.0)
SAME_NORMAL = F(0.9)
"""Least cosine between two normals of one contact."""
BATCHES_LEAST = 64
"""Room for batches that there is from the beginning."""
Poses = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@device
def _gain(pose, turn, s, x, y, z):
    """Acceleration of the point of body s that is at (x, y, z) now; turn: of its rotation and position."""
    x, y, z = x - pose[s, 9], y - pose[s, 10], z - pose[s, 11]
    c0 = pose[s, 0] * x + pose[s, 3] * y + pose[s, 6] * z
    c1 = pose[s, 1] * x + pose[s, 4] * y + pose[s, 7] * z
    c2 = pose[s, 2] * x + pose[s, 5] * y + pose[s, 8] * z
    return (
        F(turn[s, 0] * c0 + turn[s, 1] * c1 + turn[s, 2] * c2 + turn[s, 9]),
        F(turn[s, 3] * c0 + turn[s, 4] * c1 + turn[s, 5] * c2 + turn[s, 10]),
        F(turn[s, 6] * c0 + turn[s, 7] * c1 + turn[s, 8] * c2 + turn[s, 11]),
    )


@parallel_counted
def _fill_walls(
    team, spans, tally, begin, idle, X, V, time, wall_start, wall_end, plane, slide, body, pair,
    pose, turn, old, start0, end0, plane0, body0, impulse0, remembers,
    ends, source, kind, impulse, row, face, found,
):  # fmt: skip
    """Puts the contacts into their batches; found[p]: greatest speed over radius (1/s) of a meeting within `time`."""
    pencils, width = spans.shape[0], spans.shape[1]
    per_time, half = F(1.0) / time, F(0.5) * time
    for p in deal(team, pencils):
        place = np.empty(RANKS, np.int64)
        at = begin[p] * WIDTH
        dummy = idle + 4 * (p % IDLE_GROUPS)
        for r in range(RANKS):
            place[r] = at
            rounded = (tally[p, r] + WIDTH - 1) // WIDTH * WIDTH
            for q in range(at + tally[p, r], at + rounded):
                b, lane = q >> 3, q & 7
                ends[b, lane] = dummy
                source[b, lane] = -1
                kind[b, lane] = 0
                for a in range(3):
                    impulse[b, a, lane] = ZERO
                for a in range(ROW):
                    row[b, a, lane] = ZERO
                for a in range(FACE):
                    face[b, a, lane] = ZERO
            at += rounded
        swiftest = ZERO
        for k in range(width):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                if V[i, 3] <= ZERO:
                    continue
                o = old[i]
                for q in range(wall_start[i], wall_end[i]):
                    r = q - wall_start[i]
                    if r >= RANKS:
                        break
                    b, lane = place[r] >> 3, place[r] & 7
                    place[r] += 1
                    n0, n1, n2 = plane[q, 0], plane[q, 1], plane[q, 2]
                    u0, u1, u2 = slide[q, 0] * per_time, slide[q, 1] * per_time, slide[q, 2] * per_time
                    offset = plane[q, 3] - (n0 * slide[q, 0] + n1 * slide[q, 1] + n2 * slide[q, 2])
                    gap = n0 * X[i, 0] + n1 * X[i, 1] + n2 * X[i, 2] - offset - X[i, 3]
                    closing = -((V[i, 0] - u0) * n0 + (V[i, 1] - u1) * n1 + (V[i, 2] - u2) * n2)
                    if closing * time > gap:
                        swiftest = max(swiftest, closing / X[i, 3])
                    # the surface goes x + u τ + ½ g τ² from where it is now to where the pose at the end says
                    d = gap + X[i, 3]
                    g0, g1, g2 = _gain(
                        pose, turn, body[q], X[i, 0] - d * n0, X[i, 1] - d * n1, X[i, 2] - d * n2
                    )
                    u0, u1, u2 = u0 - half * g0, u1 - half * g1, u2 - half * g2
                    face[b, GAIN_X, lane], face[b, GAIN_Y, lane], face[b, GAIN_Z, lane] = g0, g1, g2
                    ends[b, lane], source[b, lane], kind[b, lane] = i, q, pair[q]
                    row[b, NX, lane], row[b, NY, lane], row[b, NZ, lane] = n0, n1, n2
                    face[b, OFFSET, lane] = offset
                    face[b, FACE_X, lane], face[b, FACE_Y, lane], face[b, FACE_Z, lane] = u0, u1, u2
                    face[b, DEEPEST, lane] = F(CORE) * X[i, 3]
                    l0 = l1 = l2 = ZERO
                    if remembers and o >= 0:
                        best = SAME_NORMAL
                        for m in range(start0[o], end0[o]):
                            alike = n0 * plane0[m, 0] + n1 * plane0[m, 1] + n2 * plane0[m, 2]
                            if body0[m] == body[q] and alike > best:
                                best = alike
                                l0, l1, l2 = impulse0[m, 0], impulse0[m, 1], impulse0[m, 2]
                    impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane] = l0, l1, l2
        found[p] = swiftest


@kernel
def _keep_impulses(source, impulse, kept):
    for b in range(source.shape[0]):
        for lane in range(WIDTH):
            q = source[b, lane]
            if q >= 0:
                kept[q, 0], kept[q, 1], kept[q, 2] = (
                    impulse[b, 0, lane],
                    impulse[b, 1, lane],
                    impulse[b, 2, lane],
                )


@kernel
def _add_reactions(ends, source, total, row, body, X, poses, per_time, force, torque):
    """Serial over contacts, in double precision: the sum must not depend on the thread count.

    A body receives exactly the opposite of what its contacts gave the grains, at the points of contact, p − n r.
    """
    for b in range(source.shape[0]):
        for lane in range(WIDTH):
            q = source[b, lane]
            if q < 0:
                continue
            k, i = body[q], ends[b, lane]
            f0 = -per_time * np.float64(total[b, 0, lane])
            f1 = -per_time * np.float64(total[b, 1, lane])
            f2 = -per_time * np.float64(total[b, 2, lane])
            r = np.float64(X[i, 3])
            a0 = X[i, 0] - r * row[b, NX, lane] - poses[k, 9]
            a1 = X[i, 1] - r * row[b, NY, lane] - poses[k, 10]
            a2 = X[i, 2] - r * row[b, NZ, lane] - poses[k, 11]
            force[k, 0] += f0
            force[k, 1] += f1
            force[k, 2] += f2
            torque[k, 0] += a1 * f2 - a2 * f1
            torque[k, 1] += a2 * f0 - a0 * f2
            torque[k, 2] += a0 * f1 - a1 * f0


class WallBatches:
    """The contacts with walls: as found, in batches, and those of the time before as memory."""

    def __init__(self, capacity: int) -> None:
        self.contacts, self.before = WallContacts(capacity), WallContacts(capacity)
        self.kept: NDArray[np.float32] = np.zeros((0, 3), np.float32)
        """Impulse of each row of `before`, N s."""
        self.remembers = False
        self.count = 0
        """Contacts in the batches."""
        self._room: list[NDArray[Any]] = []
        self._resize(0)

    def _resize(self, batches: int) -> None:
        if not self._room or len(self._room[0]) < batches:
            room = max(2 * batches, BATCHES_LEAST)
            self._room = [
                np.zeros((room, WIDTH), np.int32),
                np.zeros((room, WIDTH), np.int32),
                np.zeros((room, WIDTH), np.int32),
                np.zeros((room, 3, WIDTH), np.float32),
                np.zeros((room, 3, WIDTH), np.float32),
                np.zeros((room, ROW, WIDTH), np.float32),
                np.zeros((room, LAW, WIDTH), np.float32),
                np.zeros((room, FACE, WIDTH), np.float32),
                np.zeros(room, np.uint8),
                np.zeros(room, np.uint8),
            ]
        (
            self.ends,
            self.source,
            self.kind,
            self.impulse,
            self.total,
            self.row,
            self.law,
            self.face,
            self.alive,
            self.busy,
        ) = (array[:batches] for array in self._room)

    def fill(
        self,
        pencils: Pencils,
        old: NDArray[np.int32],
        idle: int,
        X: NDArray[np.float32],
        V: NDArray[np.float32],
        time: float,
        poses: Poses,
    ) -> tuple[NDArray[np.int64], float]:
        """Batches the contacts found; `time` is what the walls' slides span, s, and `poses` are those of the bodies at
        its begin, middle and end.

        Returns the batches of each pencil and the greatest closing speed over radius (1/s) of a meeting within it.
        """
        found = self.contacts
        tally = np.zeros((pencils.count, RANKS), np.int32)
        batches, most = np.zeros(pencils.count, np.int64), np.zeros(pencils.count, np.int32)
        count_walls(pencils.spans, V, found.start, found.end, tally, batches, most)
        if most.max(initial=0) > RANKS:
            raise CapacityError(
                f"a grain is in contact with {most.max()} walls at once; {RANKS} is the most. "
                "Merge obstacles that lie on top of each other."
            )
        self.count = int(tally.sum())
        pencils.wall_begin = np.zeros(pencils.count + 1, np.int64)
        self._resize(begin_of_each(batches, pencils.wall_begin))
        begin, middle, end = poses
        turn = (end - 2.0 * middle + begin) * (4.0 / (time * time))
        then, speeds = self.before, np.zeros(pencils.count, np.float32)
        _fill_walls(
            pencils.spans, tally, pencils.wall_begin, idle, X, V, F(time),
            found.start, found.end, found.plane, found.slide, found.body, found.pair,
            begin, turn, old, then.start, then.end, then.plane, then.body, self.kept, self.remembers,
            self.ends, self.source, self.kind, self.impulse, self.row, self.face, speeds,
        )  # fmt: skip
        self.total[:] = 0.0
        return batches, float(speeds.max(initial=0.0))

    def quicken(self, h: float) -> None:
        """Begins a leg of substeps h: velocities are means over a substep, and the first sweep of each adds h g."""
        motion = self.face[:, FACE_X : GAIN_Z + 1]
        motion[:, :3] -= F(0.5 * h) * motion[:, 3:]

    def react(
        self, X: NDArray[np.float32], poses: NDArray[np.float64], time: float, force: Any, torque: Any
    ) -> None:
        """Adds what the bodies received, as a mean force (N) and torque (N m) over `time` (s)."""
        _add_reactions(
            self.ends,
            self.source,
            self.total,
            self.row,
            self.contacts.body,
            X,
            poses,
            1.0 / time,
            force,
            torque,
        )

    def remember(self) -> None:
        """Makes the contacts the memory of those to be found next."""
        if len(self.kept) < len(self.contacts.body):
            self.kept = np.zeros((len(self.contacts.body), 3), np.float32)
        _keep_impulses(self.source, self.impulse, self.kept)
        self.contacts, self.before = self.before, self.contacts
        self.remembers = True
