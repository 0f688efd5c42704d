"""Waking is exact: a leg that changes a sleeper's load is taken back, and begun again with the sleeper awake.

A leg begins with some grains asleep, immovable to the others. After each of its substeps the impulses of the sleepers
that touch what is awake are added up. While they carry the sleepers, nothing has happened to those. The first
substep that leaves one out of balance ends the leg: what it changed is put back, the sleeper and the grains around it
wake, with their impulses, and the leg begins again, as if they had never slept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import BLOCK, device, kernel
from windrow.scene.settings import NDEM
from windrow.simd import WIDTH
from windrow.solvers.ndem import sleeping
from windrow.solvers.ndem.bodies import BodyContacts, wake_at_bodies
from windrow.solvers.ndem.colouring import Batches
from windrow.solvers.ndem.sleeping import ASLEEP
from windrow.solvers.ndem.walls import WallBatches
from windrow.state.state import FROZEN, State

F = np.float32
ZERO = F(0.0)
PAIR, STRAY, LINK, BODY = range(4)
"""Kinds of contacts at the edge of sleep."""


TIMES_MOST = 4
"""Times that a leg is begun again before all wake."""
LONGER_MOST = 16
"""Times the ordinary rest before sleep that a restless bed may have to wait."""
SHARE_LEAST = 0.1
"""Share of the grains below which sleep saves less than looking after it costs."""


class Edge(NamedTuple):
    """Contacts of sleepers with what is awake."""

    flags: NDArray[np.uint8]
    V: NDArray[np.float32]
    """{v_x, v_y, v_z, w}, with the sleepers' own w"""
    entries: NDArray[np.int64]
    """(m, 4): kind, number (of pairs: batch × 8 + lane), the sleeper, and ±1 as the impulse acts on it"""
    sleepers: NDArray[np.int64]
    """Those of the entries, each once."""
    rest: NDArray[np.float32]
    """What gravity and all its other contacts give each sleeper in a substep, m/s."""
    sums: NDArray[np.float32]
    woken: NDArray[np.uint8]
    most: np.float32
    """Imbalance that leaves a sleeper asleep, m/s in a substep."""


@device
def _enter(entries, many, kind, q, i, sign):
    if many < entries.shape[0]:
        entries[many, 0], entries[many, 1], entries[many, 2], entries[many, 3] = kind, q, i, sign
    return many + 1


@device
def _enter_both(entries, many, kind, q, i, j, U, flags):
    """Enters whichever of two grains sleeps, if the other one can move."""
    if flags[i] & ASLEEP and U[j, 3] > ZERO:
        return _enter(entries, many, kind, q, i, 1)
    if flags[j] & ASLEEP and U[i, 3] > ZERO:
        return _enter(entries, many, kind, q, j, -1)
    return many


@kernel
def find_edge(U, flags, count, ends, alive, stray_ends, link_ends, grain, entries):
    """Writes the entries; returns how many there are. Sleepers have U[:, 3] = 0. alive: see `kernels.weigh_contacts`;
    grain: of each contact with a moving body."""
    many = 0
    for b in range(ends.shape[0]):
        if alive[b]:
            for lane in range(WIDTH):
                i, j = ends[b, 0, lane], ends[b, 1, lane]
                if i < count:
                    many = _enter_both(entries, many, PAIR, b * WIDTH + lane, i, j, U, flags)
    for q in range(stray_ends.shape[0]):
        many = _enter_both(entries, many, STRAY, q, stray_ends[q, 0], stray_ends[q, 1], U, flags)
    for q in range(link_ends.shape[0]):
        many = _enter_both(entries, many, LINK, q, link_ends[q, 0], link_ends[q, 1], U, flags)
    for q in range(len(grain)):
        if flags[grain[q]] & ASLEEP:
            many = _enter(entries, many, BODY, q, grain[q], 1)
    return many


@kernel
def _add_up(edge, impulse, stray_impulse, link_impulse, body_impulse):
    """sums: what the contacts of the edge give each of its sleepers."""
    for i in edge.sleepers:
        edge.sums[i, 0] = edge.sums[i, 1] = edge.sums[i, 2] = ZERO
    for e in range(edge.entries.shape[0]):
        kind, q, i = edge.entries[e, 0], edge.entries[e, 1], edge.entries[e, 2]
        w = F(edge.entries[e, 3]) * edge.V[i, 3]
        for a in range(3):
            if kind == PAIR:
                given = impulse[q >> 3, a, q & 7]
            elif kind == STRAY:
                given = stray_impulse[q, a]
            elif kind == LINK:
                given = link_impulse[q, a]
            else:
                given = body_impulse[q, a]
            edge.sums[i, a] += w * given


@kernel
def settle_edge(edge, impulse, stray_impulse, link_impulse, body_impulse):
    """Takes what the contacts of the edge give out of `rest`, which begins with what all contacts give."""
    _add_up(edge, impulse, stray_impulse, link_impulse, body_impulse)
    for i in edge.sleepers:
        for a in range(3):
            edge.rest[i, a] -= edge.sums[i, a]


@kernel
def stirs_sleepers(edge, impulse, stray_impulse, link_impulse, body_impulse):
    """Wakes the sleepers that a substep has left out of balance; returns how many."""
    _add_up(edge, impulse, stray_impulse, link_impulse, body_impulse)
    found = 0
    for i in edge.sleepers:
        square = ZERO
        for a in range(3):
            left = edge.rest[i, a] + edge.sums[i, a]
            square += left * left
        if not square < edge.most * edge.most:
            edge.flags[i] &= FROZEN
            edge.woken[i] = 1
            found += 1
    return found


class Patience:
    """Whether sleep pays: not for a few, and not for a bed that is woken as a whole again and again. Each time that it
    was, it is given twice as long to come to rest."""

    def __init__(self) -> None:
        self.wait = 0
        """Steps until anyone may fall asleep."""
        self.longer = 1
        """Times the ordinary wait that is next."""
        self.slept = 0
        """Steps for which many have slept."""
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
    """Who sleeps and who wakes, for one solver. gravity in m/s²; U, U0: see `kernels.py`."""

    def __init__(self, capacity: int, gravity: NDArray[np.float32]) -> None:
        self.gravity = gravity
        self.woken, self.stirred = np.zeros(capacity, np.uint8), np.zeros(capacity, np.uint8)
        self.rest, self.sums = np.zeros((capacity, 3), np.float32), np.zeros((capacity, 3), np.float32)
        self.many = np.zeros(((capacity + BLOCK - 1) // BLOCK, 1), np.float32)
        """Of each block of grains."""
        self.awake = np.ones(len(self.many), np.uint8)
        """Whether anything in each block can move."""
        self.patience = Patience()
        self._entries = np.zeros((0, 4), np.int64)
        self.none = self.edge = Edge(
            np.zeros(0, np.uint8), np.zeros((0, 4), np.float32), self._entries, np.zeros(0, np.int64),
            self.rest, self.sums, self.woken, F(0.0),
        )  # fmt: skip

    @property
    def any(self) -> bool:
        """Whether anyone was asleep when the step began."""
        return self.patience.asleep > 0

    def begin(self, state: State, settings: NDEM) -> None:
        """Before a step: without sleep all are awake, and where all are, the sweeps need not ask."""
        if settings.sleep_speed == 0.0:
            state.flags[: state.count] &= FROZEN
            self.patience.asleep = 0
        if not self.any:
            self.edge = self.none
            self.awake[:] = 1

    def wake(
        self,
        state: State,
        U: NDArray[np.float32],
        U0: NDArray[np.float32],
        h: float,
        batches: Batches,
        moving_walls: WallBatches | None,
        moving_bodies: BodyContacts | None,
    ) -> None:
        """Wakes whom a changed load or a moving wall asks for, and makes the other sleepers immovable."""
        most = F(sleeping.most_imbalance(h, self.gravity))
        sleeping.wake_unbalanced(
            U0, state.flags, state.count, F(h), self.gravity, most, self.rest, self.woken, self.many
        )
        many = self._total(state)
        if moving_walls is not None:
            walls = moving_walls
            many += sleeping.wake_at_moving_walls(
                walls.ends, walls.source, walls.face, state.flags, self.woken
            )
        if moving_bodies is not None:
            many += wake_at_bodies(moving_bodies.rows, state.flags, self.woken)
        if many:
            self.spread(state, batches, sleeping.RINGS)
        sleeping.lull(U, U0, state.flags, state.count, self.awake)

    def widen(self, state: State, batches: Batches, times: int) -> None:
        """Wakes more and more around the ones that a leg has stirred, the more often it was begun again already: a tool
        in a bed changes the load of all of it, and finding that out grain by grain would cost more than sleep saves."""
        if times >= TIMES_MOST:
            state.flags[: state.count] &= FROZEN
            return
        if times > 1:
            state.flags[self.edge.sleepers] &= FROZEN
            self.woken[self.edge.sleepers] = 1
        self.spread(state, batches, sleeping.RINGS)

    def spread(self, state: State, batches: Batches, rings: int) -> None:
        """Wakes those around the ones just woken."""
        strays = (batches.stray_ends, batches.stray_impulse)
        sleeping.spread_waking(
            batches.ends, batches.impulse, *strays, state.count, state.flags, self.woken, rings
        )

    def find_edge(self, state: State, h: float, contacts: tuple[Any, ...], impulses: tuple[Any, ...]) -> None:
        """`contacts`: what `find_edge` takes, without the entries; `impulses`: what `settle_edge` takes."""
        many = find_edge(*contacts, self._entries)
        if many > len(self._entries):
            self._entries = np.zeros((many + many // 2, 4), np.int64)
            find_edge(*contacts, self._entries)
        entries, most = self._entries[:many], F(sleeping.most_imbalance(h, self.gravity))
        self.edge = Edge(
            state.flags, state.V, entries, np.unique(entries[:, 2]), self.rest, self.sums, self.woken, most
        )
        settle_edge(self.edge, *impulses)

    def fall_asleep(
        self,
        state: State,
        U: NDArray[np.float32],
        U0: NDArray[np.float32],
        h: float,
        batches: Batches,
        settings: NDEM,
    ) -> int:
        """Puts to sleep what has been quiet, among quiet ones, for long enough; returns how many sleep now."""
        count = state.count
        most, calm = 0.5 * sleeping.most_imbalance(h, self.gravity), sleeping.steps_to_sleep(settings.dt)
        restless, speed = self.woken, F(settings.sleep_speed)
        sleeping.count_quiet(U, U0, state.flags, count, speed, F(most), calm, restless)
        strays = (batches.stray_ends, batches.stray_impulse)
        sleeping.stir(batches.ends, batches.impulse, *strays, count, restless, self.stirred)
        asleep = int(np.count_nonzero(state.flags[:count] & ASLEEP))
        if not self.patience.lets_sleep(asleep, int(np.count_nonzero(self.stirred[:count] == 0)), count, calm):
            self.stirred[:count] = 1
            if asleep < SHARE_LEAST * count:
                state.flags[:count][state.flags[:count] & ASLEEP != 0] &= FROZEN
        sleeping.fall_asleep(U, state.flags, count, self.stirred, self.many)
        self.patience.asleep = self._total(state)
        return self.patience.asleep

    def _total(self, state: State) -> int:
        return int(self.many[: (state.count + BLOCK - 1) // BLOCK].sum())


class Kept:
    """What a leg changes, as it was at its begin."""

    def __init__(self) -> None:
        self._kept: list[tuple[NDArray[Any], Any, NDArray[Any]]] = []

    def keep(self, *arrays: NDArray[Any], some: NDArray[np.bool_] | None = None) -> None:
        """Remembers arrays, or only `some` of their rows."""
        # many rows are copied faster all together
        few = some is not None and 4 * np.count_nonzero(some) < len(some)
        rows = np.flatnonzero(some) if few and some is not None else slice(None)
        self._kept += [(array, rows, array[rows].copy()) for array in arrays]

    def put_back(self) -> None:
        for array, rows, before in self._kept:
            array[rows] = before
