"""Contact memory across everything that changes the order of grains: sorts, arrivals, departures, restarts.

It also tells what the contacts carried: exactly the impulses that moved the grains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.geometry.terms import I64
from windrow.kernel import kernel
from windrow.simd import WIDTH
from windrow.solvers.ndem.batching import PairStore
from windrow.solvers.ndem.bodies import BodyContacts, nothing_known
from windrow.solvers.ndem.pencils import pencil_widths
from windrow.solvers.ndem.records import IDLE
from windrow.solvers.ndem.single import LinkStore
from windrow.solvers.ndem.walls import WallStore
from windrow.state.contacts import Contacts
from windrow.state.form import Array, bad_snapshot, checked
from windrow.state.model import Model
from windrow.state.state import IDS_MOST, State

if TYPE_CHECKING:
    from windrow.solvers.ndem.solver import NDEMStepper

# Impulses may be anything: where a grain's numbers were no longer finite, so are those of its contacts, and the guard
# of the next step freezes the grains that they reach.
FORM = {
    "ids": Array(np.int64, ("grains",), low=0, below=IDS_MOST, unique=True),
    "h": Array(np.float64, (2,), low=0),
    "gravity": Array(np.float32, (3,)),
    "origin": Array(np.float32, ("grains", 4)),
    "travel": Array(np.float32, ("grains", 4)),
    "level_frame": Array(np.float32, ("levels", 5)),
    "level_shape": Array(np.int64, ("levels", 4), low=0),
    "level_begin": Array(np.int64, ("levels+1",), runs_to="sorted"),
    "level_start": Array(np.int32, ("cells+1",), runs_to="sorted"),
    "pair_begin": Array(np.int64, ("pencils+1",), runs_to="batches"),
    "escaped": Array(np.uint8, ("grains",), below=2),
    "fixed": Array(np.uint8, ("grains",), below=2),
    "cutoff": Array(np.float64, (1,), low=0),
    "ends": Array(np.int32, ("batches", 2, WIDTH), low=0, below="rows"),
    "impulse": Array(np.float32, ("batches", 3, WIDTH), finite=False),
    "overflow_ends": Array(np.int32, ("overflow", 2), low=0, below="grains"),
    "overflow_impulse": Array(np.float32, ("overflow", 3), finite=False),
    "wall_count": Array(np.int32, ("grains",), low=0),
    "wall_body": Array(np.int32, ("walls",), low=0, below="obstacles"),
    "wall_plane": Array(np.float32, ("walls", 4), finite=False),
    "wall_impulse": Array(np.float32, ("walls", 3), finite=False),
    "body_key": Array(np.int64, ("meetings",), low=0, below="keys", rising=True),
    "body_normal": Array(np.float32, ("meetings", 3), finite=False),
    "body_impulse": Array(np.float32, ("meetings", 3), finite=False),
    "backoff": Array(np.int64, (4,), low=0, below=1 << 31),
}
"""What `to_arrays` gives, but for links."""


class ContactMemory:
    """What NDEM carries from step to step, beside the lists."""

    def __init__(self, model: Model) -> None:
        self.pairs, self.pairs_before = PairStore(model.capacity), PairStore(model.capacity)
        """Of the last search, and of the one before, which the next search overwrites."""
        self.walls = WallStore(model.capacity)
        self.bodies = BodyContacts(model.scene)
        self.gravity = np.zeros(3, np.float32)
        """In the last step that was computed, m/s²."""
        self.fixed = np.zeros(model.capacity, np.uint8)
        """Whether each grain could not move when its pairs were listed: two such grains are no pair."""
        self._links = model.links
        self.forget()

    @property
    def any_fixed(self) -> bool:
        return bool(self.fixed.any())

    def forget(self) -> None:
        self.ids: I64 = np.zeros(0, np.int64)
        """Ids in the order that lists and memory refer to."""
        self.listed = False
        """Whether there are lists."""
        self.listed_pairs = 0
        self.h = 0.0
        """Substep that the impulses belong to, s; 0: none are remembered."""
        self.h_kept = 0.0
        """Length of the last substep that was not undone, s; 0: there was none."""
        self.gravity[:] = 0.0
        self.fixed[:] = 0
        self.walls.remembers, self.walls.count = False, 0
        self.links = LinkStore(self._links)
        self.bodies.known = nothing_known()


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


def pairs_to_arrays(batches: PairStore) -> dict[str, NDArray[Any]]:
    return {
        "ends": batches.ends.copy(),
        "impulse": batches.impulse.copy(),
        "overflow_ends": batches.overflow_ends.copy(),
        "overflow_impulse": batches.overflow_impulse.copy(),
    }


def pairs_from_arrays(batches: PairStore, data: dict[str, NDArray[Any]], capacity: int) -> None:
    """The inverse of `pairs_to_arrays`; also makes the lists that the next search looks impulses up in."""
    batches.resize(len(data["ends"]), len(data["overflow_ends"]))
    batches.ends[:], batches.impulse[:] = data["ends"], data["impulse"]
    batches.overflow_ends[:], batches.overflow_impulse[:] = data["overflow_ends"], data["overflow_impulse"]
    first = batches.ends[:, 0].ravel()
    used = np.flatnonzero(first < capacity)
    overflow = np.arange(len(batches.overflow_ends)) + batches.ends.shape[0] * WIDTH
    grain = np.concatenate([first[used], batches.overflow_ends[:, 0]])
    other = np.concatenate([batches.ends[:, 1].ravel()[used], batches.overflow_ends[:, 1]])
    slot = np.concatenate([used, overflow])
    order = np.argsort(grain, kind="stable")
    lists = batches.lists
    if len(lists.other) < len(order):
        lists.other = np.zeros(len(order), np.int32)
    batches.slot = np.zeros(len(lists.other), np.int32)
    lists.other[: len(order)], batches.slot[: len(order)] = other[order], slot[order]
    lists.end = len(order)
    lists.length[:] = np.bincount(grain, minlength=capacity)
    lists.first[:] = np.cumsum(lists.length) - lists.length


def walls_to_arrays(walls: WallStore, count: int) -> dict[str, NDArray[Any]]:
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


def walls_from_arrays(walls: WallStore, data: dict[str, NDArray[Any]]) -> None:
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
    kept, count = stepper.kept, len(stepper.kept.ids)
    return {
        "ids": kept.ids.copy(),
        "h": np.array([kept.h, kept.h_kept]),
        "gravity": kept.gravity.copy(),
        "origin": stepper.grains.paths.origin[:count].copy(),
        "travel": stepper.grains.paths.travel[:count].copy(),
        "pair_begin": stepper.pencils.pair_begin.copy(),
        "fixed": kept.fixed[:count].copy(),
        **stepper.sorter.to_arrays(),
        **stepper.escaped.to_arrays(count),
        **pairs_to_arrays(kept.pairs),
        **walls_to_arrays(kept.walls, count),
        **kept.links.to_arrays(),
        **kept.bodies.to_arrays(),
        "backoff": stepper.sleepers.backoff.to_array(),
    }


def check(stepper: NDEMStepper, data: dict[str, NDArray[Any]]) -> None:
    """Raises FileFormatError unless the stepper can go on from these arrays."""
    capacity = stepper.model.capacity
    sizes = {
        "rows": capacity + IDLE,
        "obstacles": len(stepper.model.obstacles),
        "keys": IDS_MOST * stepper.kept.bodies.pieces,
        "sorted": _sorted_in(data, capacity),
    }
    sizes = checked("memory", data, FORM | stepper.kept.links.form(), sizes)
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
    if len(data["pair_begin"]) != pencils + 1:
        raise bad_snapshot("memory", "pair_begin", f"is not that of {pencils} pencils")


def _sorted_in(data: dict[str, NDArray[Any]], capacity: int) -> int:
    """Grains that the last search sorted; some may have left since, and others have come."""
    begin = data.get("level_begin")
    if not isinstance(begin, np.ndarray) or begin.ndim != 1 or begin.dtype != np.int64 or len(begin) == 0:
        return 0
    return int(min(begin[-1], capacity))


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
    kept, paths, count = stepper.kept, stepper.grains.paths, len(data["ids"])
    kept.ids = np.asarray(data["ids"], np.int64).copy()
    kept.h, kept.h_kept = (float(h) for h in data["h"])
    kept.gravity[:] = data["gravity"]
    paths.origin[:count], paths.travel[:count] = data["origin"], data["travel"]
    stepper.sorter.from_arrays(data)
    stepper.escaped.from_arrays(data)
    stepper.pencils.divide(stepper.sorter.levels, 1)
    stepper.pencils.present(count)
    kept.fixed[:count] = data["fixed"]
    stepper.pencils.pair_begin = np.asarray(data["pair_begin"], np.int64).copy()
    pairs_from_arrays(kept.pairs, data, stepper.model.capacity)
    kept.listed_pairs = int(kept.pairs.lists.length.sum())
    walls_from_arrays(kept.walls, data)
    kept.links.from_arrays(data, kept.ids)
    kept.bodies.from_arrays(data)
    stepper.sleepers.backoff.from_array(data["backoff"])
    kept.listed = True


def remembered_contacts(kept: ContactMemory, state: State) -> Contacts:
    """Contacts with their forces over the last substep: impulse over h. None before the first step.

    Contacts of grains that have left are left out. Points, and the normals of pairs, are those of the present
    positions: two grains touch half way between their surfaces, a grain and a wall at the grain's point deepest in it,
    where the reaction acts.
    """
    if kept.h <= 0.0:
        return Contacts.none()
    now, ids = state.id[: state.count], kept.ids
    place = np.arange(len(ids)) if np.array_equal(ids, now) else places_before(now, ids)
    place = np.append(place, -1).astype(np.int64)  # for idle lanes, whose grains are beyond the last one
    X = state.X[: state.count].astype(np.float64)
    movable = state.V[: state.count, 3] > 0
    found = _pairs(kept.pairs, place, X, now, kept.h), _walls(kept.walls, place, X, movable, now, kept.h)
    return Contacts.in_order(Contacts.in_order(*found), kept.bodies.contacts(state, kept.h))


def _pairs(
    batches: PairStore, place: NDArray[np.int64], X: NDArray[np.float64], id: NDArray[np.int64], h: float
) -> Contacts:
    ends = np.concatenate([batches.ends.transpose(0, 2, 1).reshape(-1, 2), batches.overflow_ends])
    impulse = np.concatenate([batches.impulse.transpose(0, 2, 1).reshape(-1, 3), batches.overflow_impulse])
    i, j = place[np.minimum(ends, len(place) - 1)].T
    loaded = (i >= 0) & (j >= 0) & impulse.any(axis=1)
    i, j = i[loaded], j[loaded]
    line = X[i, :3] - X[j, :3]
    distance = norm(line)
    normal = line / np.maximum(distance, 1e-30)[:, None]
    half_way = 0.5 * (distance + X[i, 3] - X[j, 3])
    return Contacts(
        first=id[i],
        second=id[j],
        body=np.full(len(i), -1),
        point=X[i, :3] - half_way[:, None] * normal,
        normal=normal,
        force=impulse[loaded].astype(np.float64) / h,
    )


def _walls(
    walls: WallStore,
    place: NDArray[np.int64],
    X: NDArray[np.float64],
    movable: NDArray[np.bool_],
    id: NDArray[np.int64],
    h: float,
) -> Contacts:
    kept = walls_to_arrays(walls, len(place) - 1)
    i = np.repeat(place[:-1], kept["wall_count"])
    # grains that cannot move are not swept: what the memory holds for them means nothing
    loaded = (i >= 0) & movable[i] & kept["wall_impulse"].any(axis=1)
    i, normal = i[loaded], kept["wall_plane"][loaded, :3].astype(np.float64)
    return Contacts(
        first=id[i],
        second=np.full(len(i), -1),
        body=kept["wall_body"][loaded].astype(np.int64),
        point=X[i, :3] - X[i, 3:] * normal,
        normal=normal,
        force=kept["wall_impulse"][loaded].astype(np.float64) / h,
    )
