"""Sleep: resting grains are left out of the sweeps until their load changes.

A grain falls asleep after it, and all that it touches, have been slower than the sleep speed for a while. Asleep, it is
immovable to its neighbours, and contacts between two sleepers keep their impulses unswept. At the begin of every
leg each sleeper's impulses are added up: as long as they carry its weight, nothing has happened; when they do not, it
wakes, with its impulses, as if it had never slept. A support that is taken away, a wall that leaves, gravity
that tilts: all show in that sum. A wall that moves while touching it wakes it at once. Waking spreads over
loaded contacts, several grains far. What happens within a leg is the concern of `waking.py`.

The bits of `flags` beyond FROZEN hold it, so that sleep is sorted, saved and restored with the grains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.kernel import BLOCK, device, kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.vector import FACE_X, GAIN_Z
from windrow.state.state import FROZEN
from windrow.team import deal, parallel

F = np.float32
ZERO = F(0.0)

ASLEEP = np.uint8(2)
AWAKE = np.uint8(253)
"""All bits but ASLEEP."""
QUIET = np.uint8(4)
"""One step of being quiet, in the bits above ASLEEP."""
QUIET_MOST = 63
CALM_SECONDS = 0.5
"""Time that a grain is quiet before it sleeps, s."""
WAKE_SHARE = 0.02
"""Share of gravity's pull by which a sleeper's load may be out of balance."""
RINGS = 4
"""Contacts over which waking spreads at first; see `waking.Sleepers.widen`."""


def most_imbalance(h: float, gravity: NDArray[np.float32]) -> float:
    """What a substep h (s) may change a sleeper's velocity by, if it were awake, m/s."""
    return WAKE_SHARE * h * max(float(norm(gravity)), 1.0)


def steps_to_sleep(dt: float) -> int:
    return int(min(max(round(CALM_SECONDS / dt), 2), QUIET_MOST))


@device
def _loaded(impulse, b, lane):
    return impulse[b, 0, lane] != ZERO or impulse[b, 1, lane] != ZERO or impulse[b, 2, lane] != ZERO


@device
def _stray_loaded(impulse, q):
    return impulse[q, 0] != ZERO or impulse[q, 1] != ZERO or impulse[q, 2] != ZERO


@parallel
def wake_unbalanced(team, U0, flags, count, h, gravity, most, rest, woken, partial):
    """Wakes sleepers whose impulses no longer carry them: woken[i] = 1. partial[b, 0]: how many in block b.

    U0: sums of w λ. rest[i]: what they and gravity give sleeper i, m/s.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        found = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            woken[i] = 0
            if flags[i] & ASLEEP:
                d0, d1, d2 = U0[i, 0] + h * gravity[0], U0[i, 1] + h * gravity[1], U0[i, 2] + h * gravity[2]
                rest[i, 0], rest[i, 1], rest[i, 2] = d0, d1, d2
                if not d0 * d0 + d1 * d1 + d2 * d2 < most * most:
                    flags[i] &= FROZEN
                    woken[i] = 1
                    found += 1
        partial[b, 0] = F(found)


@kernel
def wake_at_moving_walls(wall_ends, wall_source, face, flags, woken):
    """Wakes sleepers at walls that move; returns how many. face: see `vector.OFFSET` and those after it."""
    found = 0
    for b in range(wall_ends.shape[0]):
        for lane in range(WIDTH):
            moves = False
            for column in range(FACE_X, GAIN_Z + 1):
                moves = moves or face[b, column, lane] != ZERO
            if wall_source[b, lane] >= 0 and moves:
                i = wall_ends[b, lane]
                if flags[i] & ASLEEP:
                    flags[i] &= FROZEN
                    woken[i] = 1
                    found += 1
    return found


@device
def _wake_other(flags, woken, i, j):
    """Wakes the one of the two that sleeps if the other was woken; returns how many."""
    if woken[i] and flags[j] & ASLEEP:
        flags[j] &= FROZEN
        woken[j] = 1
        return 1
    if woken[j] and flags[i] & ASLEEP:
        flags[i] &= FROZEN
        woken[i] = 1
        return 1
    return 0


@kernel
def spread_waking(ends, impulse, stray_ends, stray_impulse, count, flags, woken, rings):
    """Wakes the loaded neighbours of what was woken, and theirs, some rings far. Serial, because order matters."""
    for _ in range(rings):
        found = 0
        for b in range(ends.shape[0]):
            for lane in range(WIDTH):
                i, j = ends[b, 0, lane], ends[b, 1, lane]
                if i < count and (woken[i] or woken[j]) and _loaded(impulse, b, lane):
                    found += _wake_other(flags, woken, i, j)
        for q in range(stray_ends.shape[0]):
            i, j = stray_ends[q, 0], stray_ends[q, 1]
            if (woken[i] or woken[j]) and _stray_loaded(stray_impulse, q):
                found += _wake_other(flags, woken, i, j)
        if found == 0:
            return


@parallel
def lull(team, U, U0, flags, count, awake):
    """Makes sleepers immovable for the sweeps, and leaves them without a warm start.

    awake[b]: whether anyone in block b is awake.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        awake[b] = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if flags[i] & ASLEEP:
                U[i, 0] = U[i, 1] = U[i, 2] = U[i, 3] = ZERO
                U0[i, 0] = U0[i, 1] = U0[i, 2] = ZERO
            else:
                awake[b] = 1


@parallel
def rouse(team, V, flags, count, U):
    """Gives sleepers their mass back."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if not flags[i] & FROZEN:
                U[i, 3] = V[i, 3]


@parallel
def count_quiet(team, U, U0, flags, count, speed, most, calm, restless):
    """Counts the steps that each grain has been quiet; restless[i]: it has not been so for long.

    A grain is quiet if it is slow, and the last substep left it as it was (U0): a sleeper must be in balance.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            restless[i] = 0
            if flags[i] & (ASLEEP | FROZEN) or U[i, 3] <= ZERO:
                continue
            square = U[i, 0] * U[i, 0] + U[i, 1] * U[i, 1] + U[i, 2] * U[i, 2]
            quiet = flags[i] // QUIET
            change = ZERO
            for a in range(3):
                gained = U[i, a] - U0[i, a]
                change += gained * gained
            slow = square < speed * speed and change < most * most
            quiet = min(quiet + 1, QUIET_MOST) if slow else 0
            flags[i] = np.uint8(quiet * QUIET)
            restless[i] = 1 if quiet < calm else 0


@kernel
def stir(ends, impulse, stray_ends, stray_impulse, count, restless, stirred):
    """stirred[i]: grain i is restless, or shares a loaded contact with one that is."""
    for i in range(count):
        stirred[i] = restless[i]
    for b in range(ends.shape[0]):
        for lane in range(WIDTH):
            i, j = ends[b, 0, lane], ends[b, 1, lane]
            if i < count and (restless[i] or restless[j]) and _loaded(impulse, b, lane):
                stirred[i] = stirred[j] = 1
    for q in range(stray_ends.shape[0]):
        i, j = stray_ends[q, 0], stray_ends[q, 1]
        if (restless[i] or restless[j]) and _stray_loaded(stray_impulse, q):
            stirred[i] = stirred[j] = 1


@parallel
def fall_asleep(team, U, flags, count, stirred, partial):
    """Puts to sleep what is calm among calm neighbours; partial[b, 0]: sleepers."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        asleep = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if flags[i] & FROZEN or U[i, 3] <= ZERO:
                continue
            if not stirred[i]:
                flags[i] = ASLEEP
                U[i, 0] = U[i, 1] = U[i, 2] = ZERO
            asleep += 1 if flags[i] & ASLEEP else 0
        partial[b, 0] = F(asleep)
