"""Forces of tracks on the ground: pressed springs, and soil that is sheared.

Normal: a spring, N = k A d, that only pushes; soil sinks by itself, see `sim.track_ruts`.

Tangential: Janosi and Hanamoto's law τ = (c + p tan φ)(1 − e^{−j/K}) as a rate, so that it holds when the way back is
taken, too: with the share s = τ/τ_max of the shear stress that is at work, a vector along and across,

    ds/dt + |u| ∂s/∂ξ = (w − |w| s)/K,

w the speed at which the shoes slip over ground, u that of the belt, ξ the way from where shoes come down. Steady slip
i gives s = 1 − e^{−iξ/K}, and with it Wong's thrust, F = (A c + W tan φ)(1 − K/(iL)(1 − e^{−iL/K})); the way back has
the slope of fresh soil (Dahl's friction). On hard ground c is 0, tan φ the friction coefficient, K a few millimetres.

All forces of a track are linear in the speeds at the end of the substep, f = f₀ − κ g·v'. Together they are a spring
and damper of the frame's six speeds and the belt's, y:  impulse = b − A y',  A = Σ h κ gᵀg,  b = Σ h f₀ gᵀ. With
A = L Lᵀ they become seven rows of the joints' equations, G = Lᵀ, σ = 1, rhs = L⁻¹ b, however many footprints there are.
"""

from __future__ import annotations

from math import sqrt

from windrow.geometry.terms import F64, I32
from windrow.kernel import bare_inner
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.rows import UNBOUNDED, Coordinates, JointTable, Rows
from windrow.solvers.multibody.touch import in_world
from windrow.solvers.multibody.tracks import (
    ACROSS,
    ALONG,
    COHESION,
    NORMAL,
    SHEAR_LENGTH,
    TANGENT,
    TRACK_ROWS,
    Tracks,
)
from windrow.solvers.multibody.vectors import cross, dot, minus, row, row_of, turned_by

DEEPEST = 0.05
"""m of overlap that is pushed apart at once; more of it, slower"""
BACK = 5.0
"""Damping of shear that is taken back, over that of fresh soil."""
TINY = 1e-12


@bare_inner
def belt_speed(tracks: Tracks, t: int, coordinates: Coordinates) -> float:
    """Of the belt on the ground, backwards as seen from the frame, m/s."""
    return tracks.reach[t] * coordinates.rate[tracks.hinge[t]]


@bare_inner
def before(tracks: Tracks, f: int, u: float, k: int) -> float:
    """Shear of the footprint that the belt brings soil from; none where shoes come down."""
    t = tracks.track[f]
    other = f - 1 if u >= 0.0 else f + 1
    if other < tracks.first[t] or other >= tracks.first[t + 1]:
        return 0.0
    return tracks.shear[other, k]


@bare_inner
def footprint_law(tracks: Tracks, f: int, motion: Motion, body: int, u: float, h: float) -> bool:
    """Axes, and f₀ and κ of all three forces of a footprint; whether it touches."""
    base, slope, t = tracks.base[f], tracks.slope[f], tracks.track[f]
    for k in range(3):
        base[k], slope[k] = 0.0, 0.0
    if tracks.obstacle[f] < 0:
        return False
    n, law = row(tracks.normal, f), tracks.law[f]
    place = in_world(motion, body, row(tracks.point, f))
    depth = -(tracks.gap[f] + dot(n, minus(place, row(tracks.place, f))))
    arm = minus(place, row(motion.x, body))
    V = motion.V[body]
    turning = cross((V[3], V[4], V[5]), arm)
    v = (
        V[0] + turning[0] - tracks.drag[f, 0],
        V[1] + turning[1] - tracks.drag[f, 1],
        V[2] + turning[2] - tracks.drag[f, 2],
    )
    tau = tracks.numbers[t, 2]
    area = tracks.size[f, 0] * tracks.size[f, 1]
    k = tracks.numbers[t, 0] * area
    if depth - (h + tau) * dot(n, v) <= 0.0:
        return False
    base[NORMAL], slope[NORMAL] = k * min(depth, DEEPEST), k * (h + tau)
    along = turned_by(motion.R, body, row(tracks.forward, f))
    off = dot(n, along)
    along = (along[0] - off * n[0], along[1] - off * n[1], along[2] - off * n[2])
    length = sqrt(dot(along, along))
    if length < 1e-6:
        return False
    along = (along[0] / length, along[1] / length, along[2] / length)
    across = cross(n, along)
    for i in range(3):
        tracks.axis[f, NORMAL, i], tracks.axis[f, ALONG, i], tracks.axis[f, ACROSS, i] = n[i], along[i], across[i]
    load = tracks.load[f]
    if load <= 0.0:
        load = base[NORMAL] - slope[NORMAL] * dot(n, v)
    most = law[COHESION] * area + load * law[TANGENT]
    slip_along, slip_across = u - dot(along, v), -dot(across, v)
    slip = sqrt(slip_along * slip_along + slip_across * slip_across)
    carried = abs(u) * h / tracks.size[f, 0]
    share = 1.0 + h * slip / law[SHEAR_LENGTH] + carried
    a, b = tracks.shear[f, 0], tracks.shear[f, 1]
    still = max(1.0 - sqrt(a * a + b * b), 0.0)
    # Sheared soil hardly damps; on its way back it does, or a machine that is put on a slope would rock down it.
    damping = BACK * tau if a * slip_along + b * slip_across < 0.0 else tau * still * still
    gain = (h / share + damping / (1.0 + damping * slip / law[SHEAR_LENGTH])) / law[SHEAR_LENGTH]
    base[ALONG] = most * (a + carried * before(tracks, f, u, 0)) / share
    base[ACROSS] = most * (b + carried * before(tracks, f, u, 1)) / share
    slope[ALONG] = slope[ACROSS] = most * gain
    return True


@bare_inner
def gradient(tracks: Tracks, f: int, d: int, arm, g: F64) -> None:  # type: ignore[no-untyped-def]
    """How fast a footprint moves along its axis d per speed of frame and belt, into `g` (7,)."""
    e = row_of(tracks.axis, f, d)
    turn = cross(arm, e)
    for k in range(3):
        g[k], g[3 + k] = e[k], turn[k]
    g[6] = -1.0 if d == ALONG else 0.0


@bare_inner
def factorise_small(A: F64) -> None:
    """A = L Lᵀ of a positive semidefinite matrix, in place; columns without a pivot are zero."""
    n = A.shape[0]
    for k in range(n):
        pivot = A[k, k]
        least = TINY * A[k, k]
        for i in range(k):
            pivot -= A[k, i] * A[k, i]
        if pivot <= max(least, 1e-30):
            for i in range(k, n):
                A[i, k] = 0.0
            continue
        root = sqrt(pivot)
        A[k, k] = root
        for i in range(k + 1, n):
            rest = A[i, k]
            for m in range(k):
                rest -= A[i, m] * A[k, m]
            A[i, k] = rest / root


@bare_inner
def track_rows(
    tracks: Tracks, joints: JointTable, live: I32, motion: Motion, coordinates: Coordinates, rows: Rows, h: float
) -> None:
    """Rows of all tracks."""
    for t in range(tracks.joint.shape[0]):
        j, hinge, r = tracks.joint[t], tracks.hinge[t], joints.first_row[tracks.joint[t]]
        frame = joints.body[j, 0]
        u = belt_speed(tracks, t, coordinates)
        A, b, g = tracks.matrix, tracks.right, tracks.gradient
        A[:] = 0.0
        b[:] = 0.0
        for f in range(tracks.first[t], tracks.first[t + 1]):
            if not footprint_law(tracks, f, motion, frame, u, h):
                continue
            arm = minus(in_world(motion, frame, row(tracks.point, f)), row(motion.x, frame))
            for d in range(3):
                gradient(tracks, f, d, arm, g)
                kappa = tracks.slope[f, d]
                force = tracks.base[f, d] + kappa * dot(row_of(tracks.axis, f, d), row(tracks.drag, f))
                for i in range(TRACK_ROWS):
                    b[i] += h * force * g[i]
                    for k in range(i + 1):
                        A[i, k] += h * kappa * g[i] * g[k]
        factorise_small(A)
        for k in range(TRACK_ROWS):
            rest = b[k]
            for m in range(k):
                rest -= A[k, m] * b[m]
            b[k] = rest / A[k, k] if A[k, k] > 0.0 else 0.0
            write_row(tracks, t, live, coordinates.J, hinge, rows, r + k, k)
            rows.sigma[r + k], rows.rhs[r + k] = 1.0, b[k]
            rows.low[r + k], rows.high[r + k] = -UNBOUNDED, UNBOUNDED


@bare_inner
def write_row(tracks: Tracks, t: int, live: I32, J: F64, hinge: int, rows: Rows, r: int, c: int) -> None:
    """Column c of L as a row on frame and sprocket; the belt's way is the hinge's coordinate."""
    j, block = tracks.joint[t], 0
    L = tracks.matrix
    belt = tracks.reach[t] * L[6, c]
    for side in range(2):
        b = live[j, side]
        if b < 0:
            continue
        for k in range(6):
            rows.J[r, 6 * block + k] = L[k, c] if side == 0 and k >= c else 0.0
            for end in range(2):
                if live[hinge, end] == b:
                    rows.J[r, 6 * block + k] += belt * J[hinge, 6 * end + k]
        block += 1


@bare_inner
def shear_ground(tracks: Tracks, joints: JointTable, motion: Motion, coordinates: Coordinates, h: float) -> None:
    """What the footprints did with the velocities that move the bodies: loads, shear and sums over the step."""
    for t in range(tracks.joint.shape[0]):
        frame, hinge = joints.body[tracks.joint[t], 0], tracks.hinge[t]
        u = 0.0
        for side in range(2):
            b = joints.body[hinge, side]
            if b >= 0:
                for k in range(6):
                    u += tracks.reach[t] * coordinates.J[hinge, 6 * side + k] * motion.V[b, k]
        first, end = tracks.first[t], tracks.first[t + 1]
        for step in range(end - first):
            # From where shoes come down, so that what is carried on is that of this substep.
            f = first + step if u >= 0.0 else end - 1 - step
            settle(tracks, f, frame, motion, u, h)


@bare_inner
def settle(tracks: Tracks, f: int, frame: int, motion: Motion, u: float, h: float) -> None:
    if tracks.slope[f, NORMAL] == 0.0:
        tracks.load[f] = 0.0
        tracks.shear[f, 0] = tracks.shear[f, 1] = 0.0
        return
    arm = minus(in_world(motion, frame, row(tracks.point, f)), row(motion.x, frame))
    V = motion.V[frame]
    turning = cross((V[3], V[4], V[5]), arm)
    v = (
        V[0] + turning[0] - tracks.drag[f, 0],
        V[1] + turning[1] - tracks.drag[f, 1],
        V[2] + turning[2] - tracks.drag[f, 2],
    )
    away, along, across = (
        dot(row_of(tracks.axis, f, NORMAL), v),
        dot(row_of(tracks.axis, f, ALONG), v) - u,
        dot(row_of(tracks.axis, f, ACROSS), v),
    )
    base, slope = tracks.base[f], tracks.slope[f]
    tracks.total[f, NORMAL] += h * (base[NORMAL] - slope[NORMAL] * away)
    tracks.total[f, ALONG] += h * (base[ALONG] - slope[ALONG] * along)
    tracks.total[f, ACROSS] += h * (base[ACROSS] - slope[ACROSS] * across)
    tracks.load[f] = max(base[NORMAL] - slope[NORMAL] * away, 0.0)
    K = tracks.law[f, SHEAR_LENGTH]
    slip = sqrt(along * along + across * across)
    carried = abs(u) * h / tracks.size[f, 0]
    share = 1.0 + h * slip / K + carried
    a, b = before(tracks, f, u, 0), before(tracks, f, u, 1)
    tracks.shear[f, 0] = (tracks.shear[f, 0] + carried * a - h * along / K) / share
    tracks.shear[f, 1] = (tracks.shear[f, 1] + carried * b - h * across / K) / share
