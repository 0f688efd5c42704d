"""Contact memory across everything that changes the order of grains: sorts, arrivals, departures, restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.colouring import IDLE, Batches
from windrow.solvers.ndem.pencils import pencil_widths
from windrow.solvers.ndem.walls import WallBatches
from windrow.state.form import Array, bad_snapshot, checked
from windrow.state.state import IDS_MOST

if TYPE_CHECKING:
    from windrow.solvers.ndem.solver import NDEMStepper

# Impulses may be anything: where a grain's numbers were no longer finite, so are those of its contacts, and the guard
# of the next step freezes whom they reach.
FORM = {
    "ids": Array(np.int64, ("grains",), low=0, below=IDS_MOST, unique=True),
    "h": Array(np.float64, (2,), low=0),
    "gravity": Array(np.float32, (3,)),
    "home": Array(np.float32, ("grains", 4)),
    "way": Array(np.float32, ("grains", 4)),
    "level_frame": Array(np.float32, ("levels", 5)),
    "level_shape": Array(np.int64, ("levels", 4), low=0),
    "level_begin": Array(np.int64, ("levels+1",), runs_to="grains"),
    "level_start": Array(np.int32, ("cells+1",), runs_to="grains"),
    "begin": Array(np.int64, ("pencils+1",), runs_to="batches"),
    "roaming": Array(np.uint8, ("grains",), below=2),
    "reach": Array(np.float64, (1,), low=0),
    "ends": Array(np.int32, ("batches", 2, WIDTH), low=0, below="rows"),
    "impulse": Array(np.float32, ("batches", 3, WIDTH), finite=False),
    "stray_ends": Array(np.int32, ("strays", 2), low=0, below="grains"),
    "stray_impulse": Array(np.float32, ("strays", 3), finite=False),
    "wall_count": Array(np.int32, ("grains",), low=0),
    "wall_body": Array(np.int32, ("walls",), low=0, below="obstacles"),
    "wall_plane": Array(np.float32, ("walls", 4), finite=False),
    "wall_impulse": Array(np.float32, ("walls", 3), finite=False),
    "body_key": Array(np.int64, ("meetings",), low=0, below="keys", rising=True),
    "body_normal": Array(np.float32, ("meetings", 3), finite=False),
    "body_impulse": Array(np.float32, ("meetings", 3), finite=False),
    "patience": Array(np.int64, (4,), low=0, below=1 << 31),
}
"""What `to_arrays` gives, but for links."""


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


def check(stepper: NDEMStepper, data: dict[str, NDArray[Any]]) -> None:
    """Raises FileFormatError unless the stepper can go on from these arrays."""
    capacity = stepper.model.capacity
    sizes = {
        "rows": capacity + IDLE,
        "obstacles": len(stepper.model.obstacles),
        "keys": IDS_MOST * stepper.bodies.pieces,
    }
    sizes = checked("memory", data, FORM | stepper.links.form(), sizes)
    grains, ends = sizes["grains"], data["ends"]
    if grains > capacity:
        raise bad_snapshot("memory", "ids", f"are {grains}, more than the capacity of {capacity}")
    # a lane is either that of a pair of grains or idle
    if not (np.where(ends[:, :1] < grains, ends < grains, ends >= capacity)).all():
        raise bad_snapshot("memory", "ends", f"holds a grain of {grains} that does not exist")
    if data["wall_count"].sum(dtype=np.int64) != sizes["walls"]:
        raise bad_snapshot("memory", "wall_count", f"does not add up to {sizes['walls']}")
    _check_levels(data, sizes["cells"])
    pencils = _pencils_of(data)
    if len(data["begin"]) != pencils + 1:
        raise bad_snapshot("memory", "begin", f"is not that of {pencils} pencils")


def _check_levels(data: dict[str, NDArray[Any]], cells: int) -> None:
    """Raises unless the cells of all levels are numbered through, and have a size."""
    first = 0
    for gx, gy, gz, begin in data["level_shape"].tolist():
        if min(gx, gy, gz) < 1 or begin != first:
            first = -1
            break
        first += gx * gy * gz
    if first != cells or len(data["level_shape"]) == 0:
        raise bad_snapshot("memory", "level_shape", f"does not number {cells} cells")
    if not (data["level_frame"][:, 3:] > 0).all():
        raise bad_snapshot("memory", "level_frame", "has a cell or grain without size")


def _pencils_of(data: dict[str, NDArray[Any]]) -> int:
    """How many pencils `Pencils.divide` cuts the grids into."""
    count = 0
    grains = np.diff(data["level_begin"]).tolist()
    for level, (gx, gy, *_) in enumerate(data["level_shape"].tolist()):
        wide_x, wide_y = pencil_widths(grains[level], gx, gy, level)
        count += -(-gx // wide_x) * -(-gy // wide_y)
    return count


def from_arrays(stepper: NDEMStepper, data: dict[str, NDArray[Any]]) -> None:
    """The inverse of `to_arrays`, after `check`."""
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
    stepper.links.from_arrays(data, stepper.ids)
    stepper.bodies.from_arrays(data)
    stepper.sleepers.patience.from_array(data["patience"])
    stepper.listed = True
