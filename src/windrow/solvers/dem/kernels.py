"""The loops of DEM; `laws.py` has the laws, `lanes.py` eight contacts at a time, `solver.py` the order of calls.

One step is velocity Verlet, as LAMMPS has it: half a kick by the old forces and a drift (`load_grains`), forces at the
new places, half a kick by them. Between the substeps of one call the two half kicks are one (`make_step`), so that
a substep reads each row once and writes it once. Forces see the velocities of the middle of the step.

Each grain adds up the forces of its own list of neighbours, in the order of the list: pairs are computed from both
sides, to the same bits, and no sum depends on threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.kernel import BLOCK, device, kernel
from windrow.solvers.dem.bonds import hang_on_bonds, pull_bonds
from windrow.solvers.dem.clumps import move_clumps
from windrow.solvers.dem.lanes import (
    COMMON,
    DRIFT,
    GRAVITY_X,
    KICK,
    ROW,
    STEP,
    live_lanes,
    lowest_bit,
    make_pair_slice,
    make_wall_batch,
)
from windrow.solvers.dem.laws import PAIR_COLUMNS, STATE, Law
from windrow.solvers.dem.rows import FORCE, HOME, LOW, MATERIAL, SPIN, SPIN_LOW, TORQUE, V_LOW, R, V, W, X
from windrow.state.state import FROZEN
from windrow.team import deal, parallel

F = np.float32
ZERO = F(0.0)
FAR = F(1e7)
"""Beyond this distance from the origin (m), speed (m/s) or spin (rad/s) float32 cannot carry a grain; it is frozen."""
REST = 12
"""Width of the state's column for what float32 leaves out of place, velocity and spin, and for the torque."""


class DEMRows(NamedTuple):
    """The grains while a step is made; the last eight rows are empty."""

    now: Any
    """(capacity + 8, 16)"""
    then: Any
    """(capacity + 8, 16) the rows of the substep before, or room for the next"""
    own: Any
    """(capacity + 8, 16) what only the grain itself reads"""
    flags: Any


class StateRows(NamedTuple):
    """The state's arrays."""

    X: Any
    V: Any
    spin: Any
    rest: Any
    force: Any
    material: Any
    flags: Any


class ContactLists(NamedTuple):
    """Neighbours in slices of eight grains (`collide.neighbours`), and the contacts' memory beside them."""

    first: Any
    depth: Any
    neighbours: Any
    memory: Any
    """(entries/8, columns, 8) flat"""


class TouchedWalls(NamedTuple):
    """Contacts with walls in the order of the grains: those of grain i are start[i] … start[i + 1] − 1."""

    start: Any
    grain: Any
    plane: Any
    """(m, 4) normal and offset now"""
    speed: Any
    """(m, 4) velocity of the wall's point, m/s"""
    pair: Any
    key: Any
    """which shape"""
    memory: Any
    """(m, 8)"""
    given: Any
    """(m, 8) force on the grain, N, overlap, m; torque, N m, lever, m"""
    total: Any
    """(m, 4) sum of the forces over the substeps, N"""


class Joined(NamedTuple):
    """What joins grains."""

    bonds: Any
    """`BondArrays`"""
    clumps: Any
    """`ClumpArrays`"""
    pace: Any
    """(2, 5) kick and drift, s, and gravity, m/s², of a substep, and of one that ends the step; for clumps"""


COUNT, TODO, ENDS, KINDS, PAIR = range(5)
"""Of the plan: grains; substeps; whether the last of them ends the step; kinds of partners in the table; the row of all
pairs of grains, where they have one material."""


@device
def _add(value, low, change):
    """value + low + change, and what the sum leaves out."""
    added = change + low
    total = value + added
    return total, added - (total - value)


@parallel
def load_grains(team, grains, count, common, rows, watch):
    """State to rows, half a kick by the forces of the step before, and a drift. watch[b]: as in `make_step`."""
    now, own, kick, drift = rows.now, rows.own, common[KICK], common[DRIFT]
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        farthest = ZERO
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                size = abs(grains.X[i, a]) + abs(grains.V[i, a]) + abs(grains.spin[i, a])
                if not size + abs(grains.rest[i, a]) + abs(grains.rest[i, 3 + a]) + abs(grains.rest[i, 6 + a]) < FAR:
                    grains.flags[i] |= FROZEN
            w = grains.V[i, 3]
            if grains.flags[i] & FROZEN:
                w = ZERO
                for a in range(3):
                    if not abs(grains.X[i, a]) < FAR:
                        grains.X[i, a] = ZERO
                    grains.V[i, a] = grains.spin[i, a] = grains.force[i, a] = ZERO
                    for k in range(4):
                        grains.rest[i, 3 * k + a] = ZERO
            r = grains.X[i, 3]
            turn = kick * (F(2.5) * w / (r * r))
            square = ZERO
            for a in range(3):
                change = kick * (w * grains.force[i, a] + common[GRAVITY_X + a]) if w > ZERO else ZERO
                v, v_low = _add(grains.V[i, a], grains.rest[i, 3 + a], change)
                spin, spin_low = _add(grains.spin[i, a], grains.rest[i, 6 + a], turn * grains.rest[i, 9 + a])
                x, low = _add(grains.X[i, a], grains.rest[i, a], drift * v)
                now[i, X + a], now[i, LOW + a], now[i, V + a], now[i, SPIN + a] = x, low, v, spin
                own[i, V_LOW + a], own[i, SPIN_LOW + a] = v_low, spin_low
                gone = x - own[i, HOME + 4 * a]
                square += gone * gone
            now[i, R], now[i, W], now[i, MATERIAL] = r, w, F(grains.material[i])
            farthest = farthest if square <= farthest else square
        watch[b, 0] = farthest
        for k in range(1, 8):
            watch[b, k] = ZERO
    for _ in deal(team, 1):
        for i in range(count, count + 8):
            for k in range(ROW):
                now[i, k] = own[i, k] = rows.then[i, k] = ZERO


@parallel
def store_grains(team, grains, count, rows):
    """Rows to state."""
    now, own = rows.now, rows.own
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                grains.X[i, a], grains.V[i, a], grains.spin[i, a] = now[i, X + a], now[i, V + a], now[i, SPIN + a]
                grains.rest[i, a] = now[i, LOW + a]
                grains.rest[i, 3 + a], grains.rest[i, 6 + a] = own[i, V_LOW + a], own[i, SPIN_LOW + a]
                grains.force[i, a], grains.rest[i, 9 + a] = own[i, FORCE + a], own[i, TORQUE + a]


@parallel
def keep_homes(team, rows, count, columns):
    """Where the grains are becomes their home; columns x, y, z, r for the search."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                rows.own[i, HOME + 4 * a] = rows.now[i, X + a]
            for k in range(4):
                columns[k, i] = rows.now[i, k]


@device
def _freeze(rows, out, own, flags, i):
    """Takes grain i out of the motion, where it was before the substep."""
    flags[i] |= FROZEN
    for a in range(3):
        out[i, X + a] = rows[i, X + a]
        out[i, V + a] = out[i, SPIN + a] = out[i, LOW + a] = ZERO
        own[i, V_LOW + a] = own[i, SPIN_LOW + a] = own[i, FORCE + a] = own[i, TORQUE + a] = ZERO
    out[i, W] = ZERO


@device
def _touch_walls(touches, own, begin, end):
    """Adds what the walls gave to the grains begin … end − 1."""
    for i in range(begin, end):
        for q in range(touches.start[i], touches.start[i + 1]):
            for a in range(3):
                own[i, FORCE + a] += touches.given[q, a]
                own[i, TORQUE + a] += touches.given[q, 4 + a]
                touches.total[q, a] += touches.given[q, a]


def make_step(name: str, law: Law) -> Any:
    """The kernel for one combination of laws, under the name that it has in this module."""
    pair_slice, wall_batch, columns = make_pair_slice(law), make_wall_batch(law), law.memory

    def step(team, rows, lists, walls, bodies, joined, table, common, plan, limit, watch, stop):
        """Substeps of all grains: forces, kick and drift, until all are made or a grain is far from home.

        common: its numbers (`lanes`) for a substep, and for one that ends the step. walls,
        bodies: `TouchedWalls`. joined:
        bonds and clumps. limit: m, squared. watch (blocks, 8): greatest squares of the distances from home. stop[k]: 1
        if substep k was the last one, 2 if grains must be listed again, or if the last number of `stop`, no
        substep's, says that the step is given up. Rows are in `now` after an even number of substeps, else `then`.
        """
        count, todo, kinds = plan[COUNT], plan[TODO], plan[KINDS]
        bonds, clumps = joined.bonds, joined.clumps
        source, target = rows.now, rows.then
        a, c, own = source.ctypes.data, target.ctypes.data, rows.own.ctypes.data
        entries, memory, pairs = lists.neighbours.ctypes.data, lists.memory.ctypes.data, table.ctypes.data
        grain_pairs = pairs + 4 * PAIR_COLUMNS * plan[PAIR]
        blocks = (count + BLOCK - 1) // BLOCK
        for k in range(todo):
            last = k + 1 == todo
            numbers = common.ctypes.data + (4 * COMMON if last and plan[ENDS] > 0 else 0)
            if len(bonds.ends) > 0:
                pull_bonds(team, source if k % 2 == 0 else target, bonds, np.float64(common[0, STEP]), k)
            for b in deal(team, blocks):
                begin, end = b * BLOCK, min(count, b * BLOCK + BLOCK)
                for i in range(begin, end):
                    for m in range(3):
                        rows.own[i, FORCE + m] = rows.own[i, TORQUE + m] = ZERO
                for touches in (walls, bodies):
                    q0, q1 = np.int64(touches.start[begin]), np.int64(touches.start[end])
                    for q in range(q0, q1, 8):
                        wall_batch(
                            a, touches.grain.ctypes.data, touches.plane.ctypes.data, touches.speed.ctypes.data,
                            touches.pair.ctypes.data, touches.memory.ctypes.data, touches.given.ctypes.data,
                            q, q1 - 1, pairs, numbers,
                        )  # fmt: skip
                    _touch_walls(touches, rows.own, begin, end)
                if len(bonds.ends) > 0:
                    hang_on_bonds(bonds, rows.own, begin, end)
                for m in range(8):
                    watch[b, m] = ZERO
                seen = watch.ctypes.data + 32 * b
                for s in range(begin // 8, (end + 7) // 8):
                    at = lists.first[s]
                    bad = pair_slice(
                        a, c, own, entries + 4 * at, memory + 4 * columns * at, np.int64(lists.depth[s]),
                        8 * s, grain_pairs, kinds, numbers, seen,
                    )  # fmt: skip
                    if bad != 0:
                        for m in range(8):
                            if (bad >> m) & 1 and 8 * s + m < count:
                                if k % 2 == 0:
                                    _freeze(source, target, rows.own, rows.flags, 8 * s + m)
                                else:
                                    _freeze(target, source, rows.own, rows.flags, 8 * s + m)
            if len(clumps.mass) > 0:
                pace = joined.pace[1 if last and plan[ENDS] > 0 else 0]
                move_clumps(team, target if k % 2 == 0 else source, rows.own, rows.flags, clumps, pace, True)
            for _ in deal(team, 1):
                farthest = ZERO
                for b in range(blocks):
                    for m in range(8):
                        farthest = max(farthest, watch[b, m])
                for b in range(len(clumps.watch)):
                    farthest = max(farthest, clumps.watch[b])
                stop[k] = 2 if farthest > limit or stop[len(stop) - 1] != 0 else (1 if last else 0)
            if stop[k] == 2:
                break
            a, c = c, a

    step.__name__ = step.__qualname__ = name
    return parallel(step)


linear_alike = make_step("linear_alike", Law(mixed=False))
linear_mixed = make_step("linear_mixed", Law())
linear_whole = make_step("linear_whole", Law(resists=True, coheres=True))
hertz_alike = make_step("hertz_alike", Law(hertz=True, mixed=False))
hertz_mixed = make_step("hertz_mixed", Law(hertz=True))
hertz_whole = make_step("hertz_whole", Law(hertz=True, resists=True, coheres=True))
hertz_stretched = make_step("hertz_stretched", Law(hertz=True, resists=True, coheres=True, stretches=True))

STEPS: dict[Law, Any] = {
    Law(mixed=False): linear_alike,
    Law(): linear_mixed,
    Law(resists=True, coheres=True): linear_whole,
    Law(hertz=True, mixed=False): hertz_alike,
    Law(hertz=True): hertz_mixed,
    Law(hertz=True, resists=True, coheres=True): hertz_whole,
    Law(hertz=True, resists=True, coheres=True, stretches=True): hertz_stretched,
}
"""Kernels by what they compute."""


@parallel
def gather_rows(team, order, count, source, target):
    """Rows in another order."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for k in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(ROW):
                target[k, a] = source[order[k], a]


@parallel
def count_live(team, lists, count, columns, many):
    """many[i]: contacts of grain i with later ones that remember something; both sides remember the same."""
    memory, neighbours = lists.memory.ctypes.data, lists.neighbours.ctypes.data
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for s in range(b * BLOCK // 8, (min(count, b * BLOCK + BLOCK) + 7) // 8):
            last = min(8, count - 8 * s)
            for lane in range(last):
                many[8 * s + lane] = 0
            for at in range(lists.first[s] // 8, lists.first[s] // 8 + lists.depth[s]):
                bits = live_lanes(memory + 32 * (at * columns + STATE), neighbours + 32 * at, 8 * s)
                bits &= (1 << last) - 1
                while bits != 0:
                    many[8 * s + lowest_bit(bits)] += 1
                    bits &= bits - 1


@parallel
def collect(team, lists, count, columns, place, other, memory):
    """Those contacts one after the other, from place[i] on: the partner, and what is remembered."""
    kept, neighbours = lists.memory.ctypes.data, lists.neighbours.ctypes.data
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for s in range(b * BLOCK // 8, (min(count, b * BLOCK + BLOCK) + 7) // 8):
            last = min(8, count - 8 * s)
            for at in range(lists.first[s] // 8, lists.first[s] // 8 + lists.depth[s]):
                bits = live_lanes(kept + 32 * (at * columns + STATE), neighbours + 32 * at, 8 * s)
                bits &= (1 << last) - 1
                while bits != 0:
                    lane = lowest_bit(bits)
                    bits &= bits - 1
                    q = place[8 * s + lane]
                    place[8 * s + lane] += 1
                    other[q] = lists.neighbours[8 * at + lane]
                    for c in range(columns):
                        memory[q, c] = lists.memory[(at * columns + c) * 8 + lane]


@device
def _entry(lists, i, j):
    """Where grain j is in the list of grain i, in columns of eight; −1: nowhere."""
    s, lane = i // 8, i % 8
    at = lists.first[s] // 8
    for k in range(lists.depth[s]):
        if lists.neighbours[8 * (at + k) + lane] == j:
            return at + k
    return np.int64(-1)


@parallel
def recall(team, lists, count, columns, before, now, start, other, memory, lost):
    """Puts what was collected back beside the new lists; `before`: old place of a new grain, `now`: the reverse.

    From the other side the shear spring is the opposite, all else the same. lost[b]: contacts of a block that are in no
    list any more, though both grains are there.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for s in range(b * BLOCK // 8, (min(count, b * BLOCK + BLOCK) + 7) // 8):
            at = lists.first[s] // 8
            for m in range(at * columns * 8, (at + lists.depth[s]) * columns * 8):
                lists.memory[m] = ZERO
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        missing = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            old = before[i]
            if old < 0:
                continue
            for q in range(start[old], start[old + 1]):
                j = now[other[q]]
                if j < 0:
                    continue
                mine, theirs = _entry(lists, i, j), _entry(lists, j, i)
                if mine < 0 or theirs < 0:
                    missing += 1
                    continue
                for c in range(columns):
                    value = memory[q, c]
                    lists.memory[(mine * columns + c) * 8 + i % 8] = value
                    lists.memory[(theirs * columns + c) * 8 + j % 8] = -value if c < STATE else value
        lost[b] = missing


@kernel
def reverse(before, count, now):
    """now[old] = place of the grain that was at `old`; −1: gone."""
    now[:] = -1
    for i in range(count):
        if before[i] >= 0:
            now[before[i]] = i
