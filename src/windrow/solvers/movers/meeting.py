"""The arrays through which grains and moving bodies push each other, and how a body answers.

A body's velocity in the middle of a step is

    V = V₀ + t/Δt (V_free − V₀ − W J_expected) + W J,

with V_free the velocity that it would end the step with if the grains gave it J_expected (what they gave in the step
before), and W its mobility with all that holds it (`multibody.mobility`). So grains on a loaded bucket find it where
it will be, and any change of their load moves it as much as its machine lets it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_kernels import sine_cosine
from windrow.geometry.terms import F32, F64, I32, I64, Point
from windrow.kernel import device, inner, kernel

TURN = 0.25
"""rad, that a body may turn while its contacts with grains, and its mobility, are taken as they were"""


class Moving(NamedTuple):
    """Bodies that are touched; k of them. Impulses are about the centres of mass, N s and N m s."""

    V: F64
    """(k, 6) velocity now, m/s and rad/s"""
    rate: F64
    """(k, 6) at which it changes by itself, per s"""
    mass: F64
    """(k,) kg"""
    first: I64
    """(k,) first of the bodies that move with it"""
    end: I64
    """(k,) one after the last of them"""
    W: F64
    """(k, widest, 6, 6) see `Mobility`"""
    moved: F64
    """(k, 6) displacement and small rotation since the contacts were found, m and rad"""
    given: F64
    """(k, 6) impulse of the grains in this step so far"""


class Meetings(NamedTuple):
    """Contacts of grains with moving bodies; m of them, in the order of the grains."""

    grain: I64
    """(m,)"""
    place: I64
    """(m,) of the body in `Moving`"""
    piece: I32
    """(m,) shape that is touched"""
    pair: I32
    """(m,) row of the pair of materials"""
    plane: F32
    """(m, 4) normal toward the grain, and offset when the contacts were found: gap = n·p − offset − r"""
    arm: F64
    """(m, 3) from the body's centre of mass to the point of contact, m"""
    give: F64
    """(m, 2) speed of the body's point per impulse: along the normal, and at most across it, 1/kg"""


@device
def velocity_at(V: F64, s: int, arm: F64, q: int) -> Point:
    """Of the point of body s at contact q."""
    a0, a1, a2 = arm[q, 0], arm[q, 1], arm[q, 2]
    return (
        V[s, 0] + V[s, 4] * a2 - V[s, 5] * a1,
        V[s, 1] + V[s, 5] * a0 - V[s, 3] * a2,
        V[s, 2] + V[s, 3] * a1 - V[s, 4] * a0,
    )


@kernel
def answer(moving: Moving, s: int, p0: float, p1: float, p2: float, q0: float, q1: float, q2: float) -> None:
    """Changes the velocities of body s, and of all that moves with it, by an impulse p and a torque impulse q."""
    V = moving.V
    for t in range(moving.first[s], moving.end[s]):
        W = moving.W[s, t - moving.first[s]]
        for k in range(6):
            V[t, k] += W[k, 0] * p0 + W[k, 1] * p1 + W[k, 2] * p2 + W[k, 3] * q0 + W[k, 4] * q1 + W[k, 5] * q2


@kernel
def push_back(moving: Moving, meetings: Meetings, q: int, l0: float, l1: float, l2: float) -> None:
    """The body of contact q answers to the opposite of an impulse on the grain."""
    a0, a1, a2 = meetings.arm[q, 0], meetings.arm[q, 1], meetings.arm[q, 2]
    p0, p1, p2 = -np.float64(l0), -np.float64(l1), -np.float64(l2)
    answer(
        moving,
        meetings.place[q],
        p0,
        p1,
        p2,
        a1 * p2 - a2 * p1,
        a2 * p0 - a0 * p2,
        a0 * p1 - a1 * p0,
    )


@inner
def book_impulse(given: F64, meetings: Meetings, q: int, l0: float, l1: float, l2: float) -> None:
    """Adds the opposite of an impulse on the grain to what the body was given."""
    s = meetings.place[q]
    a0, a1, a2 = meetings.arm[q, 0], meetings.arm[q, 1], meetings.arm[q, 2]
    p0, p1, p2 = -np.float64(l0), -np.float64(l1), -np.float64(l2)
    given[s, 0] += p0
    given[s, 1] += p1
    given[s, 2] += p2
    given[s, 3] += a1 * p2 - a2 * p1
    given[s, 4] += a2 * p0 - a0 * p2
    given[s, 5] += a0 * p1 - a1 * p0


@kernel
def turned_far(moving: Moving) -> bool:
    """Whether a body has turned so far that its contacts no longer hold."""
    moved = moving.moved
    for s in range(moved.shape[0]):
        if moved[s, 3] * moved[s, 3] + moved[s, 4] * moved[s, 4] + moved[s, 5] * moved[s, 5] > TURN * TURN:
            return True
    return False


@kernel
def turned(R: F64, angles: F64) -> F64:
    """Rotations (n, 3, 3) after small turns about axes of the world, angles (n, 3) in rad."""
    out, Q = np.empty_like(R), np.empty((3, 3))
    for n in range(len(R)):
        a0, a1, a2 = angles[n, 0], angles[n, 1], angles[n, 2]
        angle = math.sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        if angle < 1e-12:
            s, c = 1.0, 0.5
        else:
            sine, cosine = sine_cosine(angle)
            s, c = sine / angle, (1.0 - cosine) / (angle * angle)
        # Rodrigues: 1 + s [a] + c [a]²
        Q[0, 0], Q[0, 1], Q[0, 2] = 1 - c * (a1 * a1 + a2 * a2), c * a0 * a1 - s * a2, c * a0 * a2 + s * a1
        Q[1, 0], Q[1, 1], Q[1, 2] = c * a0 * a1 + s * a2, 1 - c * (a0 * a0 + a2 * a2), c * a1 * a2 - s * a0
        Q[2, 0], Q[2, 1], Q[2, 2] = c * a0 * a2 - s * a1, c * a1 * a2 + s * a0, 1 - c * (a0 * a0 + a1 * a1)
        for i in range(3):
            for j in range(3):
                out[n, i, j] = Q[i, 0] * R[n, 0, j] + Q[i, 1] * R[n, 1, j] + Q[i, 2] * R[n, 2, j]
    return out


@kernel
def place_pieces(x: F64, R: F64, owner: I64, turn: F64, place: F64, poses: F64) -> None:
    """Poses (pieces, 12) of pieces that their bodies' centres of mass have at `place`, turned by `turn`."""
    for p in range(len(owner)):
        b = owner[p]
        for i in range(3):
            poses[p, 9 + i] = x[b, i]
            for k in range(3):
                poses[p, 9 + i] += R[b, i, k] * place[p, k]
                for j in range(3):
                    poses[p, 3 * i + j] += R[b, i, k] * turn[p, k, j]


@kernel
def mark_bodies(start: I32, end: I32, count: int, piece: I32, owner: I64, met: NDArray[np.bool_]) -> None:
    """Bodies that any grain is near."""
    for i in range(count):
        for row in range(start[i], end[i]):
            met[owner[piece[row]]] = True


@kernel
def count_meetings(start: I32, end: I32, count: int) -> int:
    total = 0
    for i in range(count):
        total += end[i] - start[i]
    return total


@kernel
def gather(
    start: I32, end: I32, count: int, plane: F32, slide: F32, piece: I32, pair: I32, P: F32,
    place_of_piece: I64, x: F64, meetings: Meetings,
) -> None:  # fmt: skip
    """Contacts as they are at the start of the time they were found for; x: places of the centres of mass then."""
    m = 0
    for i in range(count):
        for row in range(start[i], end[i]):
            s = place_of_piece[piece[row]]
            meetings.grain[m], meetings.place[m] = i, s
            meetings.piece[m], meetings.pair[m] = piece[row], pair[row]
            n0, n1, n2 = plane[row, 0], plane[row, 1], plane[row, 2]
            beyond = n0 * P[i, 0] + n1 * P[i, 1] + n2 * P[i, 2] - plane[row, 3]
            for axis in range(3):
                meetings.plane[m, axis] = plane[row, axis]
                point = P[i, axis] - beyond * plane[row, axis] - slide[row, axis]
                meetings.arm[m, axis] = np.float64(point) - x[s, axis]
            meetings.plane[m, 3] = plane[row, 3] - (
                n0 * slide[row, 0] + n1 * slide[row, 1] + n2 * slide[row, 2]
            )
            m += 1


@kernel
def weigh_bodies(moving: Moving, meetings: Meetings) -> None:
    """Inverse masses of the bodies at their contacts: n·A n, and the trace of A across n, A the point's own W."""
    for q in range(len(meetings.grain)):
        s = meetings.place[q]
        W = moving.W[s, s - moving.first[s]]
        a0, a1, a2 = meetings.arm[q, 0], meetings.arm[q, 1], meetings.arm[q, 2]
        T = np.zeros((3, 6))
        T[0, 0] = T[1, 1] = T[2, 2] = 1.0
        T[0, 4], T[0, 5] = a2, -a1
        T[1, 3], T[1, 5] = -a2, a0
        T[2, 3], T[2, 4] = a1, -a0
        along = across = 0.0
        for i in range(3):
            for j in range(3):
                A = 0.0
                for k in range(6):
                    for m in range(6):
                        A += T[i, k] * W[k, m] * T[j, m]
                along += meetings.plane[q, i] * A * meetings.plane[q, j]
                if i == j:
                    across += A
        meetings.give[q, 0] = max(along, 0.0)
        meetings.give[q, 1] = max(across - along, 0.0)


def no_meetings(many: int) -> Meetings:
    return Meetings(
        grain=np.zeros(many, np.int64),
        place=np.zeros(many, np.int64),
        piece=np.zeros(many, np.int32),
        pair=np.zeros(many, np.int32),
        plane=np.zeros((many, 4), np.float32),
        arm=np.zeros((many, 3)),
        give=np.zeros((many, 2)),
    )


def nothing_moves() -> Moving:
    none, numbers = np.zeros((0, 6)), np.zeros(0, np.int64)
    W = np.zeros((0, 1, 6, 6))
    return Moving(V=none, rate=none, mass=np.zeros(0), first=numbers, end=numbers, W=W, moved=none, given=none)
