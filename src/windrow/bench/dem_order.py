"""What sorting saves DEM: the same substeps with the grains in the order of the grid, and in that of their ids.

Ids are given out in the order in which grains are packed, so that a scene begins with neighbours in space being
neighbours in memory in either order, and loses it in that of the ids as grains mix (Yasuda, Harada & Kawaguchi 2008,
figure 3). Both compute the same numbers.
"""

from __future__ import annotations

from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import WindrowError
from windrow.scene import load_scene
from windrow.sim.simulation import Simulation
from windrow.solvers.dem.kernels import STEPS, ContactLists, DEMRows, Joined, TouchedWalls
from windrow.solvers.dem.solver import DEMStepper
from windrow.state.room import room

FAR = np.float32(np.inf)
"""Lists are taken to hold, so that both orders make the same substeps."""


class OrderTimes(NamedTuple):
    """Processor time of forces and motion, ns per grain and substep."""

    by_grid: float
    by_id: float


class _Bed(NamedTuple):
    """All that a substep reads and writes, in one order of the grains."""

    rows: DEMRows
    lists: ContactLists
    walls: TouchedWalls


def order_times(simulation: Simulation, substeps: int = 20, rounds: int = 3) -> OrderTimes:
    """The best of some rounds, in turn, from where the grains of a DEM simulation are; they do not move by it."""
    stepper, state = simulation._stepper, simulation.state
    if not isinstance(stepper, DEMStepper) or len(stepper.bonds) or len(stepper.clumps.arrays.mass):
        raise WindrowError("the order of grains is compared for DEM without bonds and clumps")
    count = state.count
    orders = np.arange(count), np.argsort(state.id[:count])
    best, found = [np.inf, np.inf], [np.zeros(0)] * 2
    for _ in range(rounds):
        for k, order in enumerate(orders):
            bed = _in_order(stepper, state.flags, count, order)
            best[k] = min(best[k], _spent(stepper, bed, count, substeps))
            last = bed.rows.now if substeps % 2 == 0 else bed.rows.then
            found[k] = np.empty((count, last.shape[1]), np.float32)
            found[k][order] = last[:count]
    if not np.array_equal(found[0], found[1], equal_nan=True):
        raise WindrowError("grains in another order moved differently: this comparison is wrong, please report it")
    return OrderTimes(*(1e9 * spent / (count * substeps) for spent in best))


def order_rows(seconds: float = 1.2, moments: int = 4) -> list[dict[str, Any]]:
    """Of the scene `slug`, at equal times."""
    simulation, rows = Simulation(load_scene("slug"), threads=1), []
    for _ in range(moments):
        simulation.run(seconds=seconds / moments)
        times = order_times(simulation)
        row: dict[str, Any] = {"time": f"{simulation.time:.2f} s", "grains": len(simulation.particles)}
        row |= {"order of the grid, ns": times.by_grid, "order of ids, ns": times.by_id}
        rows.append(row | {"order of ids takes": times.by_id / times.by_grid})
    return rows


def _spent(stepper: DEMStepper, bed: _Bed, count: int, substeps: int) -> float:
    """Processor time of so many substeps, s."""
    plan = np.array([count, substeps, 0, stepper.model.kinds, stepper.pair], np.int64)
    watch, ended = np.zeros_like(stepper.watch), np.zeros(substeps + 2, stepper.ended.dtype)
    joined = Joined(stepper.bonds.arrays, stepper.clumps.arrays, stepper.pace)
    none = bed.walls._replace(start=np.zeros_like(bed.walls.start))
    begin = process_time()
    STEPS[stepper.law](
        bed.rows, bed.lists, bed.walls, none, joined, stepper.table, stepper.common, plan, FAR, watch, ended
    )
    return process_time() - begin


def _in_order(stepper: DEMStepper, flags: NDArray[np.uint8], count: int, order: NDArray[np.int64]) -> _Bed:
    """A copy of the solver's rows, lists and contacts with walls; order[k]: what grain comes k-th."""
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    now, then, own = (_copied(part, order) for part in stepper.rows[:3])
    return _Bed(DEMRows(now, then, own, flags[order]), _lists(stepper, count, place), _walls(stepper, place))


def _copied(part: NDArray[np.float32], order: NDArray[np.int64]) -> NDArray[np.float32]:
    copy = room(part.shape, np.float32)
    copy[: len(order)] = part[order]
    return copy


def _lists(stepper: DEMStepper, count: int, place: NDArray[np.int64]) -> ContactLists:
    lists, slices, columns = stepper.lists, (count + 7) // 8, stepper.lists.memory_columns
    depth = lists.depth[:slices].astype(np.int64)
    nth = np.concatenate([np.arange(d) for d in depth])
    entry = np.repeat(lists.first[:slices] // 8, depth) + nth
    grain = 8 * np.repeat(np.arange(slices), depth)[:, None] + np.arange(8)
    other = lists.neighbours.reshape(-1, 8)[entry]
    row, lane = np.nonzero((other != grain) & (grain < count))
    i, j, k = place[grain[row, lane]], place[other[row, lane]], nth[row]
    deepest = np.zeros(slices, np.int64)
    np.maximum.at(deepest, i // 8, k + 1)
    first = np.concatenate([[0], np.cumsum(deepest)])
    neighbours, memory = room((first[-1], 8), np.int32), room((first[-1], columns, 8), np.float32)
    neighbours[:] = 8 * np.repeat(np.arange(slices), deepest)[:, None] + np.arange(8)
    neighbours[first[i // 8] + k, i % 8] = j
    memory[first[i // 8] + k, :, i % 8] = lists.memory.reshape(-1, columns, 8)[entry[row], :, lane]
    return ContactLists(8 * first[:-1], deepest.astype(np.int32), neighbours.reshape(-1), memory.reshape(-1))


def _walls(stepper: DEMStepper, place: NDArray[np.int64]) -> TouchedWalls:
    walls, many = stepper.walls.now, stepper.walls.many
    order = np.argsort(place[walls.grain[:many]], kind="stable")
    grain = place[walls.grain[:many]][order].astype(np.int32)
    taken: dict[str, Any] = {}
    for name in TouchedWalls._fields[2:]:
        part = getattr(walls, name).copy()
        part[:many] = part[:many][order]
        taken[name] = part
    start = np.searchsorted(grain, np.arange(len(walls.start))).astype(np.int32)
    return TouchedWalls(start, np.concatenate([grain, walls.grain[many:]]), **taken)
