"""Contacts of NDEM with moving bodies: one after another, in the order of the grains, each body answering at once.

The law is that of all contacts (`laws`), with the body's own mobility at the point of contact in K. Impulses are
remembered by grain and piece, so that a load at rest is found solved.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.pieces import pieces_of
from windrow.geometry.terms import F32, F64, I64
from windrow.kernel import bare_inner, device, kernel
from windrow.scene.scene import Scene
from windrow.solvers.formula import dot
from windrow.solvers.movers.loads import start_with
from windrow.solvers.movers.meeting import (
    Meetings,
    book_impulse,
    no_meetings,
    nothing_moves,
    push_back,
    velocity_at,
)
from windrow.solvers.movers.movers import Movers
from windrow.solvers.ndem.laws import ONE, ZERO
from windrow.solvers.ndem.records import BodyRows, WorkRows
from windrow.solvers.ndem.single import (
    add_warm,
    begin_contact,
    impulse_before,
    impulse_of,
    prepare_contact,
    undo_impulse,
)
from windrow.state.contacts import Contacts, rows_of
from windrow.state.state import State

F = np.float32
SAME_NORMAL = F(0.9)
"""Least cosine between two normals of one contact."""


class BodyMemory(NamedTuple):
    """Contacts of the time before, sorted by key."""

    key: I64
    """(r,) grain's id times the number of pieces, plus the piece"""
    normal: F32
    """(r, 3)"""
    impulse: F32
    """(r, 3) N s"""


def nothing_known() -> BodyMemory:
    return BodyMemory(np.zeros(0, np.int64), np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))


@kernel
def warm_bodies(meetings: Meetings, key: I64, known: BodyMemory, impulse: F32) -> None:
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


@bare_inner
def warm_start_bodies(grains: WorkRows, rows: BodyRows, scale: float) -> None:
    """Scales the impulses to the present substep, and adds them to the warm start of the grains."""
    grain, impulse = rows.meetings.grain, rows.impulse
    for q in range(len(grain)):
        for a in range(3):
            impulse[q, a] *= scale
        add_warm(grains.warm, grain[q], grains.U[grain[q], 3], impulse_before(impulse, q), ONE)


@bare_inner
def prepare_bodies(grains: WorkRows, table: F32, rows: BodyRows, h: float, relaxation: float) -> None:
    """What of each contact's law holds for the interval."""
    meetings, U = rows.meetings, grains.U
    for q in range(len(meetings.grain)):
        i, l = meetings.grain[q], impulse_before(rows.impulse, q)
        own = ONE if U[i, 3] > ZERO and dot(l, l) > ZERO else ZERO
        K = U[i, 3] + F(meetings.give[q, 0]), U[i, 3] + F(meetings.give[q, 1])
        rows.K[q, 0], rows.K[q, 1] = K
        values, others = table[meetings.pair[q]], grains.warm[i, 3] - own
        prepare_contact(rows.row, rows.law, q, values, K, others, h, relaxation)


@device
def gap_now(X: F32, rows: BodyRows, q: int) -> float:
    """Gap of contact q, m."""
    i, n = rows.meetings.grain[q], rows.meetings.plane[q]
    m0, m1, m2 = velocity_at(rows.moving.moved, rows.meetings.place[q], rows.meetings.arm, q)
    return n[0] * (X[i, 0] - F(m0)) + n[1] * (X[i, 1] - F(m1)) + n[2] * (X[i, 2] - F(m2)) - n[3] - X[i, 3]


@device
def relative_velocity(v: F32, i: int, V: F64, rows: BodyRows, q: int) -> tuple[float, float, float]:
    """Of grain i and the point of its body at contact q, m/s; v, V: velocities of grains and bodies."""
    b0, b1, b2 = velocity_at(V, rows.meetings.place[q], rows.meetings.arm, q)
    return v[i, 0] - F(b0), v[i, 1] - F(b1), v[i, 2] - F(b2)


@kernel
def start_bodies(U: F32, rows: BodyRows, h: float) -> None:
    """The bodies' velocities with what moves them and the impulses of the substep before, which U has already."""
    meetings, moving = rows.meetings, rows.moving
    bodies = moving.V.shape[0]
    push = np.zeros((bodies, 6))
    for q in range(len(meetings.grain)):
        book_impulse(push, meetings, q, rows.impulse[q, 0], rows.impulse[q, 1], rows.impulse[q, 2])
    for s in range(bodies):
        for k in range(6):
            rows.begun[s, k] = moving.V[s, k]
            moving.V[s, k] += h * moving.rate[s, k]
    share = start_with(moving, push, h)
    cut = False
    for s in range(bodies):
        cut = cut or share[s] < 1.0
    if cut:
        for q in range(len(meetings.grain)):
            i, kept = meetings.grain[q], F(share[meetings.place[q]])
            for k in range(3):
                U[i, k] -= U[i, 3] * (ONE - kept) * rows.impulse[q, k]
                rows.impulse[q, k] *= kept


@bare_inner
def sweep_bodies(grains: WorkRows, rows: BodyRows, h: float, first: bool) -> np.float32:
    """One pass; the first of a substep also computes the geometry, and returns the deepest overlap over radius."""
    X, U, impulse, meetings, moving = grains.X, grains.U, rows.impulse, rows.meetings, rows.moving
    deepest = ZERO
    for q in range(len(meetings.grain)):
        i, K = meetings.grain[q], (rows.K[q, 0], rows.K[q, 1])
        if K[0] <= ZERO:
            continue
        u, l = relative_velocity(U, i, moving.V, rows, q), impulse_before(impulse, q)
        if first:
            n = (meetings.plane[q, 0], meetings.plane[q, 1], meetings.plane[q, 2])
            gap, began = gap_now(X, rows, q), relative_velocity(grains.begun, i, rows.begun, rows, q)
            begin_contact(rows.row, rows.law, q, n, gap, X[i, 3], u, began, l, K, h)
            deepest = max(deepest, -gap / X[i, 3])
        after = impulse_of(rows.row, rows.law, q, u, l, K)
        change = after[0] - l[0], after[1] - l[1], after[2] - l[2]
        for a in range(3):
            impulse[q, a] = after[a]
            U[i, a] += U[i, 3] * change[a]
        push_back(moving, meetings, q, change[0], change[1], change[2])
    return deepest


@bare_inner
def end_bodies(rows: BodyRows, h: float) -> None:
    """What this substep gave is final; bodies move."""
    meetings, moving = rows.meetings, rows.moving
    for q in range(len(meetings.grain)):
        l = rows.impulse[q]
        book_impulse(moving.given, meetings, q, l[0], l[1], l[2])
    for s in range(moving.V.shape[0]):
        for k in range(6):
            moving.moved[s, k] += h * moving.V[s, k]


@bare_inner
def undo_bodies(rows: BodyRows) -> None:
    """The substep begins again."""
    for q in range(len(rows.impulse)):
        if rows.K[q, 0] > ZERO:
            undo_impulse(rows.row, rows.impulse, q)
    for s in range(rows.begun.shape[0]):
        for k in range(6):
            rows.moving.V[s, k] = rows.begun[s, k]


class BodyContacts:
    """Contacts with bodies of one step, and those of the time before as memory."""

    def __init__(self, scene: Scene) -> None:
        self.owner = pieces_of(scene).owner + len(scene.obstacles)
        """(pieces,) number of the body, after the obstacles"""
        self.pieces = max(len(self.owner), 1)
        self.known = nothing_known()
        self.rows = BodyRows.of(no_meetings(0), nothing_moves())
        self._key: NDArray[np.int64] = np.zeros(0, np.int64)

    def take(self, movers: Movers, ids: NDArray[np.int64]) -> None:
        """The contacts that the movers found; ids: of the grains, in their order."""
        self.rows = BodyRows.of(movers.meetings, movers.moving)
        self._key = ids[movers.meetings.grain] * self.pieces + movers.meetings.piece
        warm_bodies(movers.meetings, self._key, self.known, self.rows.impulse)

    def remember(self) -> None:
        """Makes the contacts the memory of those to be found next."""
        order = np.argsort(self._key, kind="stable")
        self.known = BodyMemory(
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
        self.known = BodyMemory(
            np.asarray(data["body_key"], np.int64).copy(),
            np.asarray(data["body_normal"], np.float32).copy(),
            np.asarray(data["body_impulse"], np.float32).copy(),
        )

