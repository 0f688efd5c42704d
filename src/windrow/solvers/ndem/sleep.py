"""Sleep: resting grains are left out of the sweeps until their load changes.

A grain falls asleep after it, and all that it touches, have been slower than the sleep speed for a while. Asleep, it is
immovable to its neighbours, and contacts between two sleepers keep their impulses unswept. When an interval begins,
each sleeper's impulses are added up: as long as they carry its weight, nothing has happened; when they do not, it
wakes, with its impulses, as if it had never slept. A support that is taken away, a wall that leaves, gravity
that tilts: all show in that sum. A wall that moves while touching it wakes it at once. Waking spreads over
loaded contacts, several grains far.

Waking is exact. After each substep the impulses of the sleepers at the *boundary* of sleep, those that touch grains
that are awake, are added up. The first substep that leaves one of them out of balance ends the interval: what it
changed is rolled back, the sleeper and the grains around it wake, with their impulses, and the interval begins again.

The column `sleep` holds it, so that sleep is sorted, saved and restored with the grains.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.geometry.terms import F32, I64, U8
from windrow.kernel import BLOCK, bare_inner, bare_kernel, device
from windrow.scene.settings import NDEM
from windrow.simd import WIDTH
from windrow.solvers.movers.meeting import velocity_at
from windrow.solvers.ndem.laws import ZERO
from windrow.solvers.ndem.records import FACE_X, GAIN_Z, ContactSet, WorkRows
from windrow.state.columns import StateColumn
from windrow.state.state import FROZEN, State
from windrow.team import deal, parallel

F = np.float32

ASLEEP = np.uint8(255)
AWAKE = np.uint8(0)
"""Awake, and not quiet."""
QUIET_MOST = 63
"""Most steps of being quiet that are counted."""
SLEEP = StateColumn(
    "sleep",
    np.uint8,
    description=f"steps that a grain has been quiet, at most {QUIET_MOST}; {ASLEEP}: it sleeps",
    settable=False,
)
CALM_SECONDS = 0.5
"""Time that a grain is quiet before it sleeps, s."""
WAKE_SHARE = 0.02
"""Share of gravity's pull by which a sleeper's load may be out of balance."""
RINGS = 4
"""Contacts over which waking spreads at first; see `Sleepers.widen`."""
STILL = 1e-4
"""Speed, m/s, below which a body wakes no sleeper."""
TIMES_MOST = 4
"""Times that an interval is begun again before all wake."""
LONGER_MOST = 16
"""Times the ordinary rest before sleep that a restless bed may have to wait."""
SHARE_LEAST = 0.1
"""Share of the grains below which sleep saves less than looking after it costs."""
PAIR, OVERFLOW, LINK, BODY = range(4)
"""Kinds of contacts at the boundary of sleep."""


class Boundary(NamedTuple):
    """Contacts of sleepers with what is awake."""

    sleep: U8
    V: F32
    """{v_x, v_y, v_z, w}, with the sleepers' own w"""
    entries: I64
    """(m, 4): kind, number (of pairs: batch × 8 + lane), the sleeper, and ±1 as the impulse acts on it"""
    sleepers: I64
    """Those of the entries, each once."""
    rest: F32
    """What gravity and all its other contacts give each sleeper in a substep, m/s."""
    sums: F32
    woken: U8
    most: np.float32
    """Imbalance that leaves a sleeper asleep, m/s in a substep."""


def most_imbalance(h: float, gravity: NDArray[np.float32]) -> float:
    """What a substep h (s) may change a sleeper's velocity by, if it were awake, m/s."""
    return WAKE_SHARE * h * max(float(norm(gravity)), 1.0)


def steps_to_sleep(dt: float) -> int:
    return int(min(max(round(CALM_SECONDS / dt), 2), QUIET_MOST))


@device
def _loaded(impulse, b, lane):
    return impulse[b, 0, lane] != ZERO or impulse[b, 1, lane] != ZERO or impulse[b, 2, lane] != ZERO


@device
def _overflow_loaded(impulse, q):
    return impulse[q, 0] != ZERO or impulse[q, 1] != ZERO or impulse[q, 2] != ZERO


@parallel
def wake_unbalanced(team, grains, sleep, h, gravity, most, rest, woken, many):
    """Wakes sleepers whose impulses no longer carry them: woken[i] = 1. many[b]: how many in block b.

    rest[i]: what they and gravity give sleeper i, m/s.
    """
    warm = grains.warm
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        found = 0
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            woken[i] = 0
            if sleep[i] == ASLEEP:
                d0, d1, d2 = warm[i, 0] + h * gravity[0], warm[i, 1] + h * gravity[1], warm[i, 2] + h * gravity[2]
                rest[i, 0], rest[i, 1], rest[i, 2] = d0, d1, d2
                if not d0 * d0 + d1 * d1 + d2 * d2 < most * most:
                    sleep[i] = AWAKE
                    woken[i] = 1
                    found += 1
        many[b] = found


@bare_kernel
def wake_at_moving_walls(walls, sleep, woken):
    """Wakes sleepers at walls that move; returns how many."""
    found = 0
    for b in range(walls.ends.shape[0]):
        for lane in range(WIDTH):
            moves = False
            for column in range(FACE_X, GAIN_Z + 1):
                moves = moves or walls.face[b, column, lane] != ZERO
            if walls.source[b, lane] >= 0 and moves:
                i = walls.ends[b, lane]
                if sleep[i] == ASLEEP:
                    sleep[i] = AWAKE
                    woken[i] = 1
                    found += 1
    return found


@bare_kernel
def wake_at_bodies(bodies, sleep, woken):
    """Wakes sleepers at bodies that move; returns how many."""
    found = 0
    meetings = bodies.meetings
    for q in range(len(meetings.grain)):
        i = meetings.grain[q]
        b0, b1, b2 = velocity_at(bodies.moving.V, meetings.place[q], meetings.arm, q)
        if sleep[i] == ASLEEP and b0 * b0 + b1 * b1 + b2 * b2 > STILL * STILL:
            sleep[i] = AWAKE
            woken[i] = 1
            found += 1
    return found


@device
def _wake_other(sleep, woken, i, j):
    """Wakes the one of the two that sleeps if the other was woken; returns how many."""
    if woken[i] and sleep[j] == ASLEEP:
        sleep[j] = AWAKE
        woken[j] = 1
        return 1
    if woken[j] and sleep[i] == ASLEEP:
        sleep[i] = AWAKE
        woken[i] = 1
        return 1
    return 0


@bare_kernel
def spread_waking(contacts, count, sleep, woken, rings):
    """Wakes the loaded neighbours of what was woken, and theirs, some rings far. Serial, because order matters."""
    pairs, overflow = contacts.pairs, contacts.overflow
    for _ in range(rings):
        found = 0
        for b in range(pairs.ends.shape[0]):
            for lane in range(WIDTH):
                i, j = pairs.ends[b, 0, lane], pairs.ends[b, 1, lane]
                if i < count and (woken[i] or woken[j]) and _loaded(pairs.impulse, b, lane):
                    found += _wake_other(sleep, woken, i, j)
        for q in range(len(overflow.ends)):
            i, j = overflow.ends[q, 0], overflow.ends[q, 1]
            if (woken[i] or woken[j]) and _overflow_loaded(overflow.impulse, q):
                found += _wake_other(sleep, woken, i, j)
        if found == 0:
            return


@parallel
def hold_sleepers(team, grains, sleep, awake):
    """Makes sleepers immovable for the sweeps, and leaves them without a warm start.

    awake[b]: whether any grain of block b is awake.
    """
    U, begun, warm = grains.U, grains.begun, grains.warm
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        awake[b] = 0
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            if sleep[i] == ASLEEP:
                U[i, 0] = U[i, 1] = U[i, 2] = U[i, 3] = ZERO
                warm[i, 0] = warm[i, 1] = warm[i, 2] = ZERO
                begun[i, 0] = begun[i, 1] = begun[i, 2] = ZERO
            else:
                awake[b] = 1


@parallel
def release_sleepers(team, V, flags, grains):
    """Gives sleepers their mass back."""
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            if not flags[i] & FROZEN:
                grains.U[i, 3] = V[i, 3]


@bare_inner
def _enter(entries, many, kind, q, i, sign):
    if many < entries.shape[0]:
        entries[many, 0], entries[many, 1], entries[many, 2], entries[many, 3] = kind, q, i, sign
    return many + 1


@bare_inner
def _enter_both(entries, many, kind, q, i, j, U, sleep):
    """Enters whichever of two grains sleeps, if the other one can move."""
    if sleep[i] == ASLEEP and U[j, 3] > ZERO:
        return _enter(entries, many, kind, q, i, 1)
    if sleep[j] == ASLEEP and U[i, 3] > ZERO:
        return _enter(entries, many, kind, q, j, -1)
    return many


@bare_kernel
def find_boundary(U, sleep, count, contacts, entries):
    """Writes the entries of a `Boundary`; returns how many there are. Sleepers have U[:, 3] = 0."""
    pairs, overflow, links, grain = contacts.pairs, contacts.overflow, contacts.links, contacts.bodies.meetings.grain
    many = 0
    for b in range(pairs.ends.shape[0]):
        if pairs.movable[b]:
            for lane in range(WIDTH):
                i, j = pairs.ends[b, 0, lane], pairs.ends[b, 1, lane]
                if i < count:
                    many = _enter_both(entries, many, PAIR, b * WIDTH + lane, i, j, U, sleep)
    for q in range(len(overflow.ends)):
        many = _enter_both(entries, many, OVERFLOW, q, overflow.ends[q, 0], overflow.ends[q, 1], U, sleep)
    for q in range(len(links.ends)):
        many = _enter_both(entries, many, LINK, q, links.ends[q, 0], links.ends[q, 1], U, sleep)
    for q in range(len(grain)):
        if sleep[grain[q]] == ASLEEP:
            many = _enter(entries, many, BODY, q, grain[q], 1)
    return many


@bare_inner
def _add_up(boundary, contacts):
    """sums: what the contacts of the boundary give each of its sleepers."""
    sums, entries = boundary.sums, boundary.entries
    for i in boundary.sleepers:
        sums[i, 0] = sums[i, 1] = sums[i, 2] = ZERO
    for e in range(entries.shape[0]):
        kind, q, i = entries[e, 0], entries[e, 1], entries[e, 2]
        w = F(entries[e, 3]) * boundary.V[i, 3]
        for a in range(3):
            if kind == PAIR:
                given = contacts.pairs.impulse[q >> 3, a, q & 7]
            elif kind == OVERFLOW:
                given = contacts.overflow.impulse[q, a]
            elif kind == LINK:
                given = contacts.links.impulse[q, a]
            else:
                given = contacts.bodies.impulse[q, a]
            sums[i, a] += w * given


@bare_kernel
def settle_boundary(boundary, contacts):
    """Takes what the contacts of the boundary give out of `rest`, which begins with what all contacts give."""
    _add_up(boundary, contacts)
    for i in boundary.sleepers:
        for a in range(3):
            boundary.rest[i, a] -= boundary.sums[i, a]


@bare_inner
def disturbs_sleepers(boundary, contacts):
    """Wakes the sleepers that a substep has left out of balance; returns how many."""
    _add_up(boundary, contacts)
    found = 0
    for i in boundary.sleepers:
        square = ZERO
        for a in range(3):
            left = boundary.rest[i, a] + boundary.sums[i, a]
            square += left * left
        if not square < boundary.most * boundary.most:
            boundary.sleep[i] = AWAKE
            boundary.woken[i] = 1
            found += 1
    return found


@parallel
def count_quiet(team, grains, flags, sleep, speed, most, calm, restless):
    """Counts the steps that each grain has been quiet; restless[i]: it has not been so for long.

    A grain is quiet if it is slow, and the last substep left it as it was: a sleeper must be in balance.
    """
    U, begun = grains.U, grains.begun
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            restless[i] = 0
            if sleep[i] == ASLEEP or flags[i] & FROZEN or U[i, 3] <= ZERO:
                continue
            square = U[i, 0] * U[i, 0] + U[i, 1] * U[i, 1] + U[i, 2] * U[i, 2]
            quiet = np.int64(sleep[i])
            change = ZERO
            for a in range(3):
                gained = U[i, a] - begun[i, a]
                change += gained * gained
            slow = square < speed * speed and change < most * most
            quiet = min(quiet + 1, np.int64(QUIET_MOST)) if slow else np.int64(0)
            sleep[i] = np.uint8(quiet)
            restless[i] = 1 if quiet < calm else 0


@bare_kernel
def mark_disturbed(contacts, count, restless, disturbed):
    """disturbed[i]: grain i is restless, or shares a loaded contact with one that is."""
    pairs, overflow = contacts.pairs, contacts.overflow
    for i in range(count):
        disturbed[i] = restless[i]
    for b in range(pairs.ends.shape[0]):
        for lane in range(WIDTH):
            i, j = pairs.ends[b, 0, lane], pairs.ends[b, 1, lane]
            if i < count and (restless[i] or restless[j]) and _loaded(pairs.impulse, b, lane):
                disturbed[i] = disturbed[j] = 1
    for q in range(len(overflow.ends)):
        i, j = overflow.ends[q, 0], overflow.ends[q, 1]
        if (restless[i] or restless[j]) and _overflow_loaded(overflow.impulse, q):
            disturbed[i] = disturbed[j] = 1


@parallel
def fall_asleep(team, grains, flags, sleep, disturbed, many):
    """Puts to sleep what is calm among calm neighbours; many[b]: sleepers of block b."""
    U = grains.U
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        asleep = 0
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            if flags[i] & FROZEN or U[i, 3] <= ZERO:
                continue
            if not disturbed[i]:
                sleep[i] = ASLEEP
                U[i, 0] = U[i, 1] = U[i, 2] = ZERO
            asleep += 1 if sleep[i] == ASLEEP else 0
        many[b] = asleep


class SleepBackoff:
    """Whether sleep pays: not for a few grains, and not for a bed that is woken as a whole again and again. After each
    time that a bed was, it has to rest twice as long before it may sleep."""

    def __init__(self) -> None:
        self.wait = 0
        """Steps until any grain may fall asleep."""
        self.longer = 1
        """Times the ordinary wait that is next."""
        self.slept = 0
        """Steps for which many grains have slept."""
        self.asleep = 0
        """Sleepers at the end of the last step."""

    def lets_sleep(self, asleep: int, many: int, count: int, calm: int) -> bool:
        """Whether so `many` of `count` grains may sleep now; once a step, after which so many are still `asleep`.

        calm: steps of rest that sleep takes.
        """
        if asleep < 0.5 * self.asleep:
            self.wait, self.longer, self.slept = self.longer * calm, min(2 * self.longer, LONGER_MOST), 0
        self.wait = max(self.wait - 1, 0)
        if self.wait or many < SHARE_LEAST * count:
            return False
        self.slept += 1
        if self.slept > calm * self.longer:
            self.longer = 1
        return True

    def to_array(self) -> NDArray[np.int64]:
        return np.array([self.wait, self.longer, self.slept, self.asleep])

    def from_array(self, numbers: NDArray[np.int64]) -> None:
        self.wait, self.longer, self.slept, self.asleep = (int(number) for number in numbers)


class Sleepers:
    """Which grains sleep and wake, for one solver. gravity in m/s²."""

    def __init__(self, capacity: int, gravity: F32) -> None:
        self.gravity = gravity
        self.woken, self.disturbed = np.zeros(capacity, np.uint8), np.zeros(capacity, np.uint8)
        self.rest, self.sums = np.zeros((capacity, 3), np.float32), np.zeros((capacity, 3), np.float32)
        self.many = np.zeros((capacity + BLOCK - 1) // BLOCK, np.int64)
        """Of each block of grains."""
        self.awake = np.ones(len(self.many), np.uint8)
        """Whether anything in each block can move."""
        self.backoff = SleepBackoff()
        self._entries = np.zeros((0, 4), np.int64)
        self.none = self.boundary = Boundary(
            np.zeros(0, np.uint8), np.zeros((0, 4), np.float32), self._entries, np.zeros(0, np.int64),
            self.rest, self.sums, self.woken, F(0.0),
        )  # fmt: skip

    @property
    def any(self) -> bool:
        """Whether any grain was asleep when the step began."""
        return self.backoff.asleep > 0

    def begin(self, state: State, settings: NDEM) -> None:
        """Before a step: without sleep all are awake, and where all are, the sweeps need not look."""
        if settings.sleep_speed == 0.0:
            state.columns["sleep"][: state.count] = AWAKE
            self.backoff.asleep = 0
        if not self.any:
            self.boundary = self.none
            self.awake[:] = 1

    def wake(self, state: State, grains: WorkRows, h: float, contacts: ContactSet, walls_move: bool) -> None:
        """Wakes the sleepers whose load has changed, or whose wall or body moves; makes the others immovable."""
        most, sleep = F(most_imbalance(h, self.gravity)), state.columns["sleep"]
        wake_unbalanced(grains, sleep, F(h), self.gravity, most, self.rest, self.woken, self.many)
        many = self._total(state)
        if walls_move:
            many += wake_at_moving_walls(contacts.walls, sleep, self.woken)
        many += wake_at_bodies(contacts.bodies, sleep, self.woken)
        if many:
            spread_waking(contacts, state.count, sleep, self.woken, RINGS)
        hold_sleepers(grains, sleep, self.awake)

    def widen(self, state: State, contacts: ContactSet, times: int) -> None:
        """Wakes more and more grains around those that an interval has disturbed, the more often it was begun again: a
        tool in a bed changes the load of all of it, and finding that out grain by grain would cost more than sleep
        saves."""
        if times >= TIMES_MOST:
            state.columns["sleep"][: state.count] = AWAKE
            return
        if times > 1:
            state.columns["sleep"][self.boundary.sleepers] = AWAKE
            self.woken[self.boundary.sleepers] = 1
        spread_waking(contacts, state.count, state.columns["sleep"], self.woken, RINGS)

    def find_boundary(self, state: State, grains: WorkRows, h: float, contacts: ContactSet) -> None:
        where = grains.U, state.columns["sleep"], state.count, contacts
        many = find_boundary(*where, self._entries)
        if many > len(self._entries):
            self._entries = np.zeros((many + many // 2, 4), np.int64)
            find_boundary(*where, self._entries)
        entries, most = self._entries[:many], F(most_imbalance(h, self.gravity))
        self.boundary = Boundary(
            state.columns["sleep"], state.V, entries, np.unique(entries[:, 2]), self.rest, self.sums, self.woken, most
        )
        settle_boundary(self.boundary, contacts)

    def fall_asleep(self, state: State, grains: WorkRows, h: float, contacts: ContactSet, settings: NDEM) -> int:
        """Puts to sleep what has been quiet, among quiet ones, for long enough; returns how many sleep now."""
        count, sleep = state.count, state.columns["sleep"]
        most, calm = 0.5 * most_imbalance(h, self.gravity), steps_to_sleep(settings.dt)
        restless, speed = self.woken, F(settings.sleep_speed)
        count_quiet(grains, state.flags, sleep, speed, F(most), calm, restless)
        mark_disturbed(contacts, count, restless, self.disturbed)
        asleep = int(np.count_nonzero(sleep[:count] == ASLEEP))
        if not self.backoff.lets_sleep(asleep, int(np.count_nonzero(self.disturbed[:count] == 0)), count, calm):
            self.disturbed[:count] = 1
            if asleep < SHARE_LEAST * count:
                sleep[:count][sleep[:count] == ASLEEP] = AWAKE
        fall_asleep(grains, state.flags, sleep, self.disturbed, self.many)
        self.backoff.asleep = self._total(state)
        return self.backoff.asleep

    def _total(self, state: State) -> int:
        return int(self.many[: (state.count + BLOCK - 1) // BLOCK].sum())


class Rollback:
    """What an interval changes, as it was when it began."""

    def __init__(self) -> None:
        self._kept: list[tuple[NDArray[Any], Any, NDArray[Any]]] = []

    def keep(self, *arrays: NDArray[Any], some: NDArray[np.bool_] | None = None) -> None:
        """Remembers arrays, or only `some` of their rows."""
        # many rows are copied faster all together
        few = some is not None and 4 * np.count_nonzero(some) < len(some)
        rows = np.flatnonzero(some) if few and some is not None else slice(None)
        self._kept += [(array, rows, array[rows].copy()) for array in arrays]

    def restore(self) -> None:
        for array, rows, before in self._kept:
            array[rows] = before
