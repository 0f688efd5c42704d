"""Contacts with walls in batches, and their memory by grain, obstacle and normal.

Contacts with walls are found anew in every step (obstacles move, and surfaces curve). A contact takes over the impulse
that the same grain had with the same obstacle before, if the two normals differ by less than 25 degrees. A wall contact
changes one grain only; the contacts of one grain come in different batches by their rank.

An obstacle's motion within an interval is the parabola through its poses at the begin, the middle and the end. A
velocity that is constant over a step jumps by a Δt from step to step; the friction of one substep cannot follow such a
jump, and a load would creep on any bed that accelerates.

Two rigid surfaces that close on a grain ask for the impossible. Whatever a contact law answers, it would press the
grain through one of them, or store a force that throws it out later. So a grain whose centre is under a surface is
*pinched*: held where it is, immovable and counted, until the surface has left it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.collide.walls import WallContacts
from windrow.errors import CapacityError
from windrow.geometry.terms import F32, F64, I32, I64
from windrow.kernel import BLOCK, bare_inner, device, kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem import records as col
from windrow.solvers.ndem.laws import CORE
from windrow.solvers.ndem.pencils import Pencils, begin_of_each
from windrow.solvers.ndem.records import IDLE_GROUPS, WallBatches, WorkRows
from windrow.state.model import Model
from windrow.team import deal, parallel, parallel_counted

F = np.float32
ZERO = F(0.0)
RANKS = 24
"""Contacts with walls that one grain can have at the same time."""
SAME_NORMAL = F(0.9)
"""Least cosine between two normals of one contact."""
BATCHES_LEAST = 64
"""Room for batches that there is from the beginning."""
POSES_KEPT = 4
"""Times whose poses are kept: those of the end of an interval are asked for again at the begin of the next."""
NO_ROOM = F(0.25)
"""Depth of its centre under a surface, of its radius, from which on a grain has no room."""
Poses = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


class FoundWalls(NamedTuple):
    """Contacts with walls as `find_walls` found them; those of grain i are the rows start[i] … end[i]."""

    start: I32
    end: I32
    plane: F32
    slide: F32
    obstacle: I32
    pair: I32

    @classmethod
    def of(cls, found: WallContacts) -> FoundWalls:
        return cls(found.start, found.end, found.plane, found.slide, found.body, found.pair)


class WallMemory(NamedTuple):
    """Contacts of the time before, as `FoundWalls`, and their impulses."""

    there: bool
    """False: nothing is remembered"""
    start: I32
    end: I32
    plane: F32
    obstacle: I32
    impulse: F32


class WallMotion(NamedTuple):
    """How obstacles move in an interval."""

    time: np.float32
    """length of the interval, s"""
    pose: F64
    """(obstacles, 12) when it begins"""
    turn: F64
    """(obstacles, 12) second derivative of the poses, 1/s²"""


@device
def _gain(pose, turn, s, x, y, z):
    """Acceleration, m/s², of the point of obstacle s that is at (x, y, z) now; pose, turn: see `WallMotion`."""
    x, y, z = x - pose[s, 9], y - pose[s, 10], z - pose[s, 11]
    c0 = pose[s, 0] * x + pose[s, 3] * y + pose[s, 6] * z
    c1 = pose[s, 1] * x + pose[s, 4] * y + pose[s, 7] * z
    c2 = pose[s, 2] * x + pose[s, 5] * y + pose[s, 8] * z
    return (
        F(turn[s, 0] * c0 + turn[s, 1] * c1 + turn[s, 2] * c2 + turn[s, 9]),
        F(turn[s, 3] * c0 + turn[s, 4] * c1 + turn[s, 5] * c2 + turn[s, 10]),
        F(turn[s, 6] * c0 + turn[s, 7] * c1 + turn[s, 8] * c2 + turn[s, 11]),
    )


@parallel
def count_walls(team, spans, V, wall_start, wall_end, tally, batches, most):
    """tally[p, r]: how many grains of pencil p have an r-th contact with a wall; batches[p]: what that needs.

    most[p]: contacts of the grain that has most of them.
    """
    pencils, width = spans.shape[0], spans.shape[1]
    for p in deal(team, pencils):
        for r in range(RANKS):
            tally[p, r] = 0
        greatest = 0
        for k in range(width):
            for i in range(spans[p, k, 0], spans[p, k, 1]):
                if V[i, 3] > ZERO:
                    greatest = max(greatest, wall_end[i] - wall_start[i])
                    for r in range(min(wall_end[i] - wall_start[i], RANKS)):
                        tally[p, r] += 1
        most[p] = greatest
        full = 0
        for r in range(RANKS):
            full += (tally[p, r] + WIDTH - 1) // WIDTH
        batches[p] = full


@bare_inner
def _fill_pencil(p, place, spans, tally, begin, idle, grains, found, motion, old, before, walls):
    """`fill_walls` for one pencil: returns the swiftest meeting, and whether a grain has no room.

    place: RANKS numbers to work with.
    """
    X, V, plane, slide = grains.X, grains.U, found.plane, found.slide
    ends, source, kind, impulse, row, face = walls.ends, walls.source, walls.kind, walls.impulse, walls.row, walls.face
    time = motion.time
    per_time, half = F(1.0) / time, F(0.5) * time
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
            for a in range(col.ROW):
                row[b, a, lane] = ZERO
            for a in range(col.FACE):
                face[b, a, lane] = ZERO
        at += rounded
    swiftest, no_room = ZERO, False
    for k in range(spans.shape[1]):
        for i in range(spans[p, k, 0], spans[p, k, 1]):
            if V[i, 3] <= ZERO:
                continue
            o = old[i]
            for q in range(found.start[i], found.end[i]):
                r = q - found.start[i]
                if r >= RANKS:
                    break
                b, lane = place[r] >> 3, place[r] & 7
                place[r] += 1
                n0, n1, n2 = plane[q, 0], plane[q, 1], plane[q, 2]
                u0, u1, u2 = slide[q, 0] * per_time, slide[q, 1] * per_time, slide[q, 2] * per_time
                offset = plane[q, 3] - (n0 * slide[q, 0] + n1 * slide[q, 1] + n2 * slide[q, 2])
                over = n0 * X[i, 0] + n1 * X[i, 1] + n2 * X[i, 2] - offset
                gap = over - X[i, 3]
                no_room = no_room or over < -NO_ROOM * X[i, 3]
                closing = -((V[i, 0] - u0) * n0 + (V[i, 1] - u1) * n1 + (V[i, 2] - u2) * n2)
                if closing * time > gap:
                    swiftest = max(swiftest, closing / X[i, 3])
                # the surface goes x + u τ + ½ g τ² from where it is now to where the pose at the end says
                d = gap + X[i, 3]
                g0, g1, g2 = _gain(
                    motion.pose, motion.turn, found.obstacle[q], X[i, 0] - d * n0, X[i, 1] - d * n1, X[i, 2] - d * n2
                )
                u0, u1, u2 = u0 - half * g0, u1 - half * g1, u2 - half * g2
                face[b, col.GAIN_X, lane], face[b, col.GAIN_Y, lane], face[b, col.GAIN_Z, lane] = g0, g1, g2
                ends[b, lane], source[b, lane], kind[b, lane] = i, q, found.pair[q]
                row[b, col.NX, lane], row[b, col.NY, lane], row[b, col.NZ, lane] = n0, n1, n2
                face[b, col.OFFSET, lane] = offset
                face[b, col.FACE_X, lane], face[b, col.FACE_Y, lane], face[b, col.FACE_Z, lane] = u0, u1, u2
                face[b, col.DEEPEST, lane] = F(CORE) * X[i, 3]
                l0 = l1 = l2 = ZERO
                if before.there and o >= 0:
                    best = SAME_NORMAL
                    for m in range(before.start[o], before.end[o]):
                        alike = n0 * before.plane[m, 0] + n1 * before.plane[m, 1] + n2 * before.plane[m, 2]
                        if before.obstacle[m] == found.obstacle[q] and alike > best:
                            best = alike
                            l0, l1, l2 = before.impulse[m, 0], before.impulse[m, 1], before.impulse[m, 2]
                impulse[b, 0, lane], impulse[b, 1, lane], impulse[b, 2, lane] = l0, l1, l2
    return swiftest, no_room


@parallel_counted
def fill_walls(team, spans, tally, begin, idle, grains, found, motion, old, before, walls, met):
    """Puts the contacts into their batches, each with the impulse it had before.

    tally: see `count_walls`; begin: first batch of each pencil; old[i]: where grain i was in the memory, or −1.
    met[2 p]: greatest speed over radius (1/s) of a meeting within the interval; met[2 p + 1]: 1 if a grain has no room.
    """
    place = np.empty(RANKS, np.int64)
    for p in deal(team, spans.shape[0]):
        swiftest, no_room = _fill_pencil(
            p, place, spans, tally, begin, idle, grains, found, motion, old, before, walls
        )  # fmt: skip
        met[2 * p], met[2 * p + 1] = swiftest, F(1.0) if no_room else ZERO


@kernel
def _keep_impulses(walls, kept):
    for b in range(walls.source.shape[0]):
        for lane in range(WIDTH):
            q = walls.source[b, lane]
            if q >= 0:
                for a in range(3):
                    kept[q, a] = walls.impulse[b, a, lane]


@kernel
def _add_reactions(walls, obstacle, X, poses, per_time, force, torque):
    """Serial over contacts, in double precision: the sum must not depend on the thread count.

    An obstacle receives exactly the opposite of what its contacts gave the grains, at the points of contact, p − n r.
    """
    ends, source, total, row = walls.ends, walls.source, walls.total, walls.row
    for b in range(source.shape[0]):
        for lane in range(WIDTH):
            q = source[b, lane]
            if q < 0:
                continue
            k, i = obstacle[q], ends[b, lane]
            f0 = -per_time * np.float64(total[b, 0, lane])
            f1 = -per_time * np.float64(total[b, 1, lane])
            f2 = -per_time * np.float64(total[b, 2, lane])
            r = np.float64(X[i, 3])
            a0 = X[i, 0] - r * row[b, col.NX, lane] - poses[k, 9]
            a1 = X[i, 1] - r * row[b, col.NY, lane] - poses[k, 10]
            a2 = X[i, 2] - r * row[b, col.NZ, lane] - poses[k, 11]
            force[k, 0] += f0
            force[k, 1] += f1
            force[k, 2] += f2
            torque[k, 0] += a1 * f2 - a2 * f1
            torque[k, 1] += a2 * f0 - a0 * f2
            torque[k, 2] += a0 * f1 - a1 * f0


@device
def has_no_room(X: F32, i: int, begin: int, end: int, plane: F32, slide: F32) -> bool:
    """Whether the surface of any of its contacts, where it is at the begin of the interval, lies over the centre."""
    for row in range(begin, end):
        n0, n1, n2 = plane[row, 0], plane[row, 1], plane[row, 2]
        offset = plane[row, 3] - (n0 * slide[row, 0] + n1 * slide[row, 1] + n2 * slide[row, 2])
        if n0 * X[i, 0] + n1 * X[i, 1] + n2 * X[i, 2] - offset < -NO_ROOM * X[i, 3]:
            return True
    return False


@parallel
def hold_pinched(team: Any, grains: WorkRows, found: FoundWalls, held: I64) -> None:
    """Holds grains without room, by U {v, 1/m} = 0. held[b]: how many of block b."""
    X, U = grains.X, grains.U
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        held[b] = 0
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            if U[i, 3] > ZERO and has_no_room(X, i, found.start[i], found.end[i], found.plane, found.slide):
                U[i, 0] = U[i, 1] = U[i, 2] = U[i, 3] = ZERO
                held[b] += 1


def pinched_by(found: WallContacts, grains: WorkRows, held: I64) -> int:
    """Makes grains without room under these surfaces immovable; returns how many they are."""
    hold_pinched(grains, FoundWalls.of(found), held)
    return int(held[: (grains.n + BLOCK - 1) // BLOCK].sum())


class ObstaclePoses:
    """Poses of a model's obstacles at the times that a step asks for."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.fixed = all(obstacle.motion is None for obstacle in model.obstacles)
        """No obstacle ever moves."""
        self._known: dict[float, F64] = {}

    def at(self, time: float) -> F64:
        if self.fixed:
            time = 0.0
        if time not in self._known:
            if len(self._known) > POSES_KEPT:
                self._known.clear()
            self._known[time] = self.model.poses(time)
        return self._known[time]

    def rest(self, time: float, dt: float) -> bool:
        """Whether no obstacle moves in the step of dt (s) that begins at `time` (s)."""
        now = self.at(time)
        return all(np.array_equal(now, self.at(time + share * dt)) for share in (0.5, 1.0))


class WallStore:
    """The contacts with walls: as found, in batches, and those of the time before as memory."""

    def __init__(self, capacity: int) -> None:
        self.contacts, self.before = WallContacts(capacity), WallContacts(capacity)
        self.kept: F32 = np.zeros((0, 3), np.float32)
        """Impulse of each row of `before`, N s."""
        self.remembers = False
        self.count = 0
        """Contacts in the batches."""
        self.no_room = False
        """Whether any of their grains has no room."""
        self._room = WallBatches.of(BATCHES_LEAST)
        self.batches = self._room.first(0)

    def _resize(self, batches: int) -> None:
        if len(self._room.ends) < batches:
            self._room = WallBatches.of(2 * batches)
        self.batches = self._room.first(batches)

    def fill(
        self, pencils: Pencils, old: I32, idle: int, grains: WorkRows, time: float, poses: Poses
    ) -> tuple[I64, float]:
        """Batches the contacts found; `time` is what the walls' slides span, s, and `poses` are those of the obstacles
        at its begin, middle and end.

        Returns the batches of each pencil and the greatest closing speed over radius (1/s) of a meeting within it.
        """
        found = FoundWalls.of(self.contacts)
        tally = np.zeros((pencils.count, RANKS), np.int32)
        batches, most = np.zeros(pencils.count, np.int64), np.zeros(pencils.count, np.int32)
        count_walls(pencils.spans, grains.U, found.start, found.end, tally, batches, most)
        if most.max(initial=0) > RANKS:
            raise CapacityError(
                f"a grain is in contact with {most.max()} walls at once; {RANKS} is the most. "
                "Merge obstacles that lie on top of each other."
            )
        self.count = int(tally.sum())
        pencils.wall_begin = np.zeros(pencils.count + 1, np.int64)
        self._resize(begin_of_each(batches, pencils.wall_begin))
        begin, middle, end = poses
        motion = WallMotion(F(time), begin, (end - 2.0 * middle + begin) * (4.0 / (time * time)))
        then, met = self.before, np.zeros(2 * pencils.count, np.float32)
        before = WallMemory(self.remembers, then.start, then.end, then.plane, then.body, self.kept)
        fill_walls(
            pencils.spans, tally, pencils.wall_begin, idle, grains, found, motion, old, before, self.batches, met
        )
        self.batches.total[:] = 0.0
        swiftest, no_room = met.reshape(-1, 2).max(axis=0, initial=0.0)
        self.no_room = bool(no_room)
        return batches, float(swiftest)

    def quicken(self, h: float) -> None:
        """Begins an interval: velocities are means over a substep h, and the first sweep of each adds h g."""
        motion = self.batches.face[:, col.FACE_X : col.GAIN_Z + 1]
        motion[:, :3] -= F(0.5 * h) * motion[:, 3:]

    def react(self, X: F32, poses: F64, time: float, force: Any, torque: Any) -> None:
        """Adds what the obstacles received, as a mean force (N) and torque (N m) over `time` (s)."""
        _add_reactions(self.batches, self.contacts.body, X, poses, 1.0 / time, force, torque)

    def remember(self) -> None:
        """Makes the contacts the memory of those to be found next."""
        if len(self.kept) < len(self.contacts.body):
            self.kept = np.zeros((len(self.contacts.body), 3), np.float32)
        self.kept[:] = 0.0  # fixed grains touch walls, too, and nobody computes what they bear
        _keep_impulses(self.batches, self.kept)
        self.contacts, self.before = self.before, self.contacts
        self.remembers = True
