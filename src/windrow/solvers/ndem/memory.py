"""Contact memory across everything that changes the order of grains: sorts, arrivals, departures, restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.colouring import Batches
from windrow.solvers.ndem.walls import WallBatches

if TYPE_CHECKING:
    from windrow.solvers.ndem.solver import NDEMStepper


@kernel
def _walk_along(before, now, places):
    """places[k] = where now[k] was in `before`, or −1, if both have the same order; returns whether they do.

    Grains leave without changing the order of the others, and new ones, with larger ids, come at the end.
    """
    at = 0
    largest = np.int64(-1)
    for k in range(len(before)):
        largest = max(largest, before[k])
    for k in range(len(now)):
        if now[k] > largest:
            places[k] = -1
            continue
        while at < len(before) and before[at] != now[k]:
            at += 1
        if at == len(before):
            return False
        places[k] = at
        at += 1
    return True


def places_before(before: NDArray[np.int64], now: NDArray[np.int64]) -> NDArray[np.int32]:
    """Where each of the ids `now` was among the ids `before`; −1 for those that were not there."""
    places = np.full(len(now), -1, np.int32)
    if _walk_along(before, now, places):
        return places
    order = np.argsort(before, kind="stable")
    at = np.minimum(np.searchsorted(before, now, sorter=order), max(len(before) - 1, 0))
    there = before[order[at]] == now if len(before) else np.zeros(len(now), np.bool_)
    return np.where(there, order[at] if len(before) else -1, -1).astype(np.int32)


def batches_to_arrays(batches: Batches) -> dict[str, NDArray[Any]]:
    return {
        "ends": batches.ends.copy(),
        "impulse": batches.impulse.copy(),
        "stray_ends": batches.stray_ends.copy(),
        "stray_impulse": batches.stray_impulse.copy(),
    }


def batches_from_arrays(batches: Batches, data: dict[str, NDArray[Any]], capacity: int) -> None:
    """The inverse of `batches_to_arrays`; also makes the lists that the next search looks impulses up in."""
    batches.resize(len(data["ends"]), len(data["stray_ends"]))
    batches.ends[:], batches.impulse[:] = data["ends"], data["impulse"]
    batches.stray_ends[:], batches.stray_impulse[:] = data["stray_ends"], data["stray_impulse"]
    first = batches.ends[:, 0].ravel()
    used = np.flatnonzero(first < capacity)
    strays = np.arange(len(batches.stray_ends)) + batches.ends.shape[0] * WIDTH
    grain = np.concatenate([first[used], batches.stray_ends[:, 0]])
    other = np.concatenate([batches.ends[:, 1].ravel()[used], batches.stray_ends[:, 1]])
    slot = np.concatenate([used, strays])
    order = np.argsort(grain, kind="stable")
    lists = batches.lists
    if len(lists.other) < len(order):
        lists.other = np.zeros(len(order), np.int32)
    batches.slot = np.zeros(len(lists.other), np.int32)
    lists.other[: len(order)], batches.slot[: len(order)] = other[order], slot[order]
    lists.end = len(order)
    lists.length[:] = np.bincount(grain, minlength=capacity)
    lists.first[:] = np.cumsum(lists.length) - lists.length


def walls_to_arrays(walls: WallBatches, count: int) -> dict[str, NDArray[Any]]:
    """The walls' memory without unused rows."""
    before = walls.before
    many = (before.end[:count] - before.start[:count]) if walls.remembers else np.zeros(count, np.int32)
    begin = np.cumsum(many) - many
    rows = np.repeat(before.start[:count] - begin, many) + np.arange(int(many.sum()))
    rows = rows.astype(np.int64)
    return {
        "wall_count": many.astype(np.int32),
        "wall_body": before.body[rows],
        "wall_plane": before.plane[rows],
        "wall_impulse": walls.kept[rows] if len(rows) else np.zeros((0, 3), np.float32),
    }


def walls_from_arrays(walls: WallBatches, data: dict[str, NDArray[Any]]) -> None:
    many = data["wall_count"].astype(np.int64)
    before, rows = walls.before, len(data["wall_body"])
    before.grow(rows)
    before.end[: len(many)] = np.cumsum(many)
    before.start[: len(many)] = before.end[: len(many)] - many
    before.body[:rows], before.plane[:rows] = data["wall_body"], data["wall_plane"]
    walls.kept = np.zeros((max(len(before.body), 1), 3), np.float32)
    walls.kept[:rows] = data["wall_impulse"]
    walls.remembers = True


def to_arrays(stepper: NDEMStepper) -> dict[str, NDArray[Any]]:
    """All that the stepper carries from step to step."""
    count = len(stepper.ids)
    return {
        "ids": stepper.ids.copy(),
        "h": np.array([stepper.h, stepper.h_kept]),
        "gravity": stepper.felt.copy(),
        "home": stepper.home[:count].copy(),
        "way": stepper.way[:count].copy(),
        "begin": stepper.pencils.begin.copy(),
        **stepper.sorter.to_arrays(),
        **stepper.roamers.to_arrays(count),
        **batches_to_arrays(stepper.batches),
        **walls_to_arrays(stepper.walls, count),
        **stepper.links.to_arrays(),
        **stepper.bodies.to_arrays(),
        "patience": stepper.sleepers.patience.to_array(),
    }


def from_arrays(stepper: NDEMStepper, data: dict[str, NDArray[Any]]) -> None:
    """The inverse of `to_arrays`."""
    stepper.ids = np.asarray(data["ids"], np.int64).copy()
    stepper.h, stepper.h_kept = (float(h) for h in data["h"])
    stepper.felt[:] = data["gravity"]
    stepper.home[: len(stepper.ids)], stepper.way[: len(stepper.ids)] = data["home"], data["way"]
    stepper.sorter.from_arrays(data)
    stepper.roamers.from_arrays(data)
    stepper.pencils.divide(stepper.sorter.levels)
    stepper.pencils.begin = np.asarray(data["begin"], np.int64).copy()
    batches_from_arrays(stepper.batches, data, stepper.model.capacity)
    stepper.pairs = int(stepper.batches.lists.length.sum())
    walls_from_arrays(stepper.walls, data)
    stepper.links.from_arrays(data, stepper.ids, int(stepper.ids.max(initial=-1)) + 1)
    stepper.bodies.from_arrays(data)
    stepper.sleepers.patience.from_array(data["patience"])
    stepper.listed = True
