"""Contacts of NDEM with moving bodies: one after another, in the order of the grains, each body answering at once.

The law is that of all contacts (`laws`), with the body's own mobility at the point of contact in K. Impulses are
remembered by grain and piece, so that a load at rest is found solved.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.pieces import pieces_of
from windrow.geometry.terms import F32, F64, I64, U8
from windrow.kernel import device, kernel
from windrow.scene.scene import Scene
from windrow.solvers.movers.meeting import (
    Meetings,
    Moving,
    answer,
    book_impulse,
    no_meetings,
    nothing_moves,
    push_back,
    velocity_at,
)
from windrow.solvers.movers.movers import Movers
from windrow.solvers.ndem.laws import (
    ADHESION,
    CARRIED,
    CORE,
    DAMPING,
    KINETIC,
    ONE,
    STATIC,
    STIFFNESS,
    ZERO,
    adhesive_impulse,
    bias_and_softness,
    contact_impulse,
    contact_softness,
    held_shear,
    shear_grip,
    springs_back,
)
from windrow.solvers.ndem.sleeping import ASLEEP
from windrow.state.contacts import Contacts, rows_of
from windrow.state.state import FROZEN, State

F = np.float32
SAME_NORMAL = F(0.9)
"""Least cosine between two normals of one contact."""
PI = F(math.pi)
GRAVITY = 9.81
"""m/s²: a load that gives a body less speed than this in a substep is no blow."""
STILL = 1e-4
"""Speed, m/s, below which a body wakes nobody."""

# Columns of a contact's numbers.
K_ALONG, K_ACROSS, SOFT, EASY, SPRING, BIAS, REST, SOFT_NOW, EASY_NOW, MU_S, MU_K, STRENGTH, PULL = range(13)
GRIP, HELD_X, HELD_Y, HELD_Z, LAST_X, LAST_Y, LAST_Z = range(13, 20)
NUMBERS = 20


class BodyRows(NamedTuple):
    """What the sweeps read and write."""

    meetings: Meetings
    moving: Moving
    impulse: F32
    """(m, 3) on the grain in this substep, N s"""
    number: F32
    """(m, NUMBERS)"""
    begun: F64
    """(k, 6) velocities at the start of the substep"""


class Remembered(NamedTuple):
    """Contacts of the time before, sorted by key."""

    key: I64
    """(r,) grain's id times the number of pieces, plus the piece"""
    normal: F32
    """(r, 3)"""
    impulse: F32
    """(r, 3) N s"""


def nothing_known() -> Remembered:
    return Remembered(np.zeros(0, np.int64), np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))


@kernel
def recall_bodies(meetings: Meetings, key: I64, known: Remembered, impulse: F32) -> None:
    """Impulses that the same contacts had before; none for new ones."""
    for q in range(len(key)):
        at = np.searchsorted(known.key, key[q])
        best = SAME_NORMAL
        while at < len(known.key) and known.key[at] == key[q]:
            alike = ZERO
            for k in range(3):
                alike += known.normal[at, k] * meetings.plane[q, k]
            if alike > best:
                best = alike
                for k in range(3):
                    impulse[q, k] = known.impulse[at, k]
            at += 1


@kernel
def swiftest_meeting(X: F32, U: F32, rows: BodyRows, span: float) -> float:
    """Greatest closing speed over radius, 1/s, of a grain that meets a body within `span` s."""
    swiftest = 0.0
    meetings = rows.meetings
    for q in range(len(meetings.grain)):
        i, n = meetings.grain[q], meetings.plane[q]
        b0, b1, b2 = velocity_at(rows.moving.V, meetings.place[q], meetings.arm, q)
        gap = n[0] * X[i, 0] + n[1] * X[i, 1] + n[2] * X[i, 2] - n[3] - X[i, 3]
        closing = -((U[i, 0] - b0) * n[0] + (U[i, 1] - b1) * n[1] + (U[i, 2] - b2) * n[2])
        if closing * span > gap:
            swiftest = max(swiftest, closing / X[i, 3])
    return swiftest


@kernel
def give_bodies(U: F32, U0: F32, rows: BodyRows, scale: float) -> None:
    """Adds the impulses, scaled to the present substep, to the warm start of the grains, and counts them."""
    meetings, impulse = rows.meetings, rows.impulse
    for q in range(len(meetings.grain)):
        i = meetings.grain[q]
        size = ZERO
        for k in range(3):
            impulse[q, k] *= scale
            size += impulse[q, k] * impulse[q, k]
            U0[i, k] += U[i, 3] * impulse[q, k]
        if U[i, 3] > ZERO and size > ZERO:
            U0[i, 3] += ONE


@kernel
def weigh_meetings(U: F32, U0: F32, table: F32, rows: BodyRows, h: float, relaxation: float) -> None:
    """What of each contact's law holds for the leg; U0[:, 3]: loaded contacts of each grain."""
    meetings, number = rows.meetings, rows.number
    for q in range(len(meetings.grain)):
        i, values = meetings.grain[q], table[meetings.pair[q]]
        K = U[i, 3] + F(meetings.give[q, 0])
        l0, l1, l2 = rows.impulse[q, 0], rows.impulse[q, 1], rows.impulse[q, 2]
        own = ONE if U[i, 3] > ZERO and l0 * l0 + l1 * l1 + l2 * l2 > ZERO else ZERO
        number[q, K_ALONG], number[q, K_ACROSS] = K, U[i, 3] + F(meetings.give[q, 1])
        calmed = relaxation if U0[i, 3] - own > ZERO else ZERO
        number[q, SOFT], number[q, EASY], number[q, SPRING] = contact_softness(
            values[STIFFNESS], values[DAMPING], K, h, F(CARRIED), calmed
        )
        number[q, GRIP] = shear_grip(values[STIFFNESS], number[q, K_ACROSS], h, F(CARRIED))
        number[q, MU_S], number[q, MU_K] = values[STATIC], values[KINETIC]
        number[q, STRENGTH] = PI * h * values[ADHESION]


@device
def gap_and_approach(X: F32, U: F32, V: F64, rows: BodyRows, q: int) -> tuple[float, float]:
    """Gap of contact q now, and its speed with grains' velocities U and bodies' V."""
    meetings = rows.meetings
    i, s, n = meetings.grain[q], meetings.place[q], meetings.plane[q]
    m0, m1, m2 = velocity_at(rows.moving.moved, s, meetings.arm, q)
    gap = n[0] * (X[i, 0] - F(m0)) + n[1] * (X[i, 1] - F(m1)) + n[2] * (X[i, 2] - F(m2)) - n[3] - X[i, 3]
    b0, b1, b2 = velocity_at(V, s, meetings.arm, q)
    v = n[0] * (U[i, 0] - F(b0)) + n[1] * (U[i, 1] - F(b1)) + n[2] * (U[i, 2] - F(b2))
    return gap, v


@kernel
def kept_share(push: F64, before: F64, after: F64, gain: float) -> float:
    """Share of the impulses `push` (k, 6) that bodies start with; before, after: their velocities without and with it.

    A load that stays stops what the body would do without it. A blow is over: given once more, it throws a light body
    faster than a few sweeps take back. The two differ in the energy that they give. Of a push that gives more than
    `gain` (J), the share is kept that leaves the body with the least energy.
    """
    slowed = raised = 0.0
    for s in range(push.shape[0]):
        for k in range(6):
            slowed -= push[s, k] * before[s, k]
            raised += push[s, k] * (after[s, k] - before[s, k])
    if 0.5 * raised - slowed <= gain:
        return 1.0
    return min(max(slowed / raised, 0.0), 1.0)


@kernel
def start_bodies(U: F32, rows: BodyRows, h: float) -> None:
    """The bodies' velocities with what moves them and the impulses of the substep before, which U has already."""
    meetings, moving = rows.meetings, rows.moving
    bodies = moving.V.shape[0]
    push, before = np.zeros((bodies, 6)), np.zeros((bodies, 6))
    for q in range(len(meetings.grain)):
        book_impulse(push, meetings, q, rows.impulse[q, 0], rows.impulse[q, 1], rows.impulse[q, 2])
    for s in range(bodies):
        for k in range(6):
            rows.begun[s, k] = moving.V[s, k]
            moving.V[s, k] += h * moving.rate[s, k]
            before[s, k] = moving.V[s, k]
    for s in range(bodies):
        answer(moving, s, push[s, 0], push[s, 1], push[s, 2], push[s, 3], push[s, 4], push[s, 5])
    share = np.ones(bodies)
    first = 0
    cut = False
    while first < bodies:
        end = moving.end[first]
        weight = 0.0
        for s in range(first, end):
            weight += moving.mass[s]
        gain = weight * (GRAVITY * h) ** 2
        share[first:end] = kept_share(push[first:end], before[first:end], moving.V[first:end], gain)
        if share[first] < 1.0:
            cut = True
            for s in range(first, end):
                for k in range(6):
                    moving.V[s, k] = before[s, k] + share[s] * (moving.V[s, k] - before[s, k])
        first = end
    if cut:
        for q in range(len(meetings.grain)):
            i, kept = meetings.grain[q], F(share[meetings.place[q]])
            for k in range(3):
                U[i, k] -= U[i, 3] * (ONE - kept) * rows.impulse[q, k]
                rows.impulse[q, k] *= kept


@kernel
def sweep_bodies(X: F32, U: F32, U0: F32, rows: BodyRows, h: float, first: bool) -> float:
    """One pass; the first of a substep also computes the geometry, and returns the deepest overlap over radius."""
    meetings, moving, number, impulse = rows.meetings, rows.moving, rows.number, rows.impulse
    deepest = ZERO
    for q in range(len(meetings.grain)):
        i, s, n = meetings.grain[q], meetings.place[q], meetings.plane[q]
        K, w = number[q, K_ALONG], U[i, 3]
        if K <= ZERO:
            continue
        b0, b1, b2 = velocity_at(moving.V, s, meetings.arm, q)
        u0, u1, u2 = U[i, 0] - F(b0), U[i, 1] - F(b1), U[i, 2] - F(b2)
        n0, n1, n2 = n[0], n[1], n[2]
        v = u0 * n0 + u1 * n1 + u2 * n2
        l0, l1, l2 = impulse[q, 0], impulse[q, 1], impulse[q, 2]
        before = l0 * n0 + l1 * n1 + l2 * n2
        if first:
            gap, _ = gap_and_approach(X, U, moving.V, rows, q)
            number[q, BIAS], number[q, REST], number[q, SOFT_NOW] = bias_and_softness(
                gap, v, F(CORE) * X[i, 3], h, K, number[q, SOFT], number[q, SPRING]
            )
            back = springs_back(l0, l1, l2, n0, n1, n2, number[q, MU_K])
            number[q, EASY_NOW] = number[q, EASY] if back else number[q, SOFT_NOW]
            number[q, PULL] = adhesive_impulse(gap, X[i, 3], number[q, STRENGTH], before)
            m0, m1, m2 = velocity_at(rows.begun, s, meetings.arm, q)
            number[q, HELD_X], number[q, HELD_Y], number[q, HELD_Z] = held_shear(
                l0, l1, l2, n0, n1, n2, U0[i, 0] - F(m0), U0[i, 1] - F(m1), U0[i, 2] - F(m2),
                number[q, GRIP], number[q, K_ACROSS], number[q, SPRING], h,
            )  # fmt: skip
            number[q, LAST_X], number[q, LAST_Y], number[q, LAST_Z] = l0, l1, l2
            deepest = max(deepest, -gap / X[i, 3])
        a0, a1, a2 = contact_impulse(
            u0, u1, u2, n0, n1, n2, l0, l1, l2, number[q, HELD_X], number[q, HELD_Y], number[q, HELD_Z],
            K, number[q, K_ACROSS], number[q, BIAS], number[q, REST], number[q, SOFT_NOW], number[q, EASY_NOW],
            number[q, GRIP], number[q, MU_S], number[q, MU_K], number[q, PULL],
        )  # fmt: skip
        impulse[q, 0], impulse[q, 1], impulse[q, 2] = a0, a1, a2
        a0, a1, a2 = a0 - l0, a1 - l1, a2 - l2
        U[i, 0] += w * a0
        U[i, 1] += w * a1
        U[i, 2] += w * a2
        push_back(moving, meetings, q, a0, a1, a2)
    return float(deepest)


@kernel
def end_bodies(rows: BodyRows, h: float) -> None:
    """What this substep gave is final; bodies move."""
    meetings, moving = rows.meetings, rows.moving
    for q in range(len(meetings.grain)):
        l = rows.impulse[q]
        book_impulse(moving.given, meetings, q, l[0], l[1], l[2])
    for s in range(moving.V.shape[0]):
        for k in range(6):
            moving.moved[s, k] += h * moving.V[s, k]


@kernel
def undo_bodies(rows: BodyRows) -> None:
    """The substep begins again."""
    for q in range(len(rows.impulse)):
        if rows.number[q, K_ALONG] > ZERO:
            for k in range(3):
                rows.impulse[q, k] = rows.number[q, LAST_X + k]
    for s in range(rows.begun.shape[0]):
        for k in range(6):
            rows.moving.V[s, k] = rows.begun[s, k]


@kernel
def wake_at_bodies(rows: BodyRows, flags: U8, woken: U8) -> int:
    """Wakes sleepers at bodies that move; returns how many."""
    found = 0
    meetings = rows.meetings
    for q in range(len(meetings.grain)):
        i = meetings.grain[q]
        b0, b1, b2 = velocity_at(rows.moving.V, meetings.place[q], meetings.arm, q)
        if flags[i] & ASLEEP and b0 * b0 + b1 * b1 + b2 * b2 > STILL * STILL:
            flags[i] &= FROZEN
            woken[i] = 1
            found += 1
    return found


class BodyContacts:
    """Contacts with bodies of one step, and those of the time before as memory."""

    def __init__(self, scene: Scene) -> None:
        self.owner = pieces_of(scene).owner + len(scene.obstacles)
        """(pieces,) number of the body, after the obstacles"""
        self.pieces = max(len(self.owner), 1)
        self.known = nothing_known()
        self.rows = _rows(no_meetings(0), nothing_moves())
        self._key: NDArray[np.int64] = np.zeros(0, np.int64)

    def take(self, movers: Movers, ids: NDArray[np.int64]) -> None:
        """The contacts that the movers found; ids: of the grains, in their order."""
        self.rows = _rows(movers.meetings, movers.moving)
        self._key = ids[movers.meetings.grain] * self.pieces + movers.meetings.piece
        recall_bodies(movers.meetings, self._key, self.known, self.rows.impulse)

    def remember(self) -> None:
        """Makes the contacts the memory of those to be found next."""
        order = np.argsort(self._key, kind="stable")
        self.known = Remembered(
            self._key[order], self.rows.meetings.plane[order, :3].copy(), self.rows.impulse[order].copy()
        )

    def contacts(self, state: State, h: float) -> Contacts:
        """Contacts with their forces over the last substep, of length h (s), at the grains' present places."""
        order = np.argsort(state.id[: state.count], kind="stable")
        place = rows_of(self.known.key // self.pieces, state.id[order])
        loaded = (place >= 0) & self.known.impulse.any(axis=1)
        i = order[place[loaded]]
        X, normal = state.X[i].astype(np.float64), self.known.normal[loaded].astype(np.float64)
        return Contacts(
            first=state.id[i],
            second=np.full(len(i), -1),
            body=self.owner[self.known.key[loaded] % self.pieces],
            point=X[:, :3] - X[:, 3:] * normal,
            normal=normal,
            force=self.known.impulse[loaded].astype(np.float64) / h,
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {f"body_{name}": value.copy() for name, value in self.known._asdict().items()}

    def from_arrays(self, data: dict[str, NDArray[Any]]) -> None:
        self.known = Remembered(
            np.asarray(data["body_key"], np.int64).copy(),
            np.asarray(data["body_normal"], np.float32).copy(),
            np.asarray(data["body_impulse"], np.float32).copy(),
        )


def _rows(meetings: Meetings, moving: Moving) -> BodyRows:
    many = len(meetings.grain)
    return BodyRows(
        meetings,
        moving,
        np.zeros((many, 3), np.float32),
        np.zeros((many, NUMBERS), np.float32),
        np.zeros_like(moving.V),
    )
