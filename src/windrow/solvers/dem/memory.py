"""What DEM carries from step to step beyond the state: lists of neighbours, and what contacts remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.solvers.dem.rows import HOME
from windrow.solvers.dem.walls import WallTouches
from windrow.state.form import Array, Form, bad_snapshot, checked
from windrow.state.room import room
from windrow.state.state import IDS_MOST

if TYPE_CHECKING:
    from windrow.solvers.dem.solver import DEMStepper

# Memory may be anything: where a grain's numbers were no longer finite, so are those of its contacts.
FORM: Form = {
    "ids": Array(np.int64, ("grains",), low=0, below=IDS_MOST, unique=True),
    "home": Array(np.float32, ("grains", 3), finite=False),
    "margin": Array(np.float64, (1,), low=0),
    "near": Array(np.int32, ("grains near walls",), low=0, below="grains", rising=True),
    "depth": Array(np.int32, ("slices",), low=0),
    "neighbours": Array(np.int32, ("entries", 8), low=0, below="grains"),
    "memory": Array(np.float32, ("entries", "columns", 8), finite=False),
    "wall_start": Array(np.int32, ("grains+1",), runs_to="walls"),
    "wall_key": Array(np.int32, ("walls",), low=0, below="obstacles"),
    "wall_pair": Array(np.int32, ("walls",), low=0, below="pairs"),
    "wall_plane": Array(np.float32, ("walls", 4), finite=False),
    "wall_memory": Array(np.float32, ("walls", 8), finite=False),
    "wall_given": Array(np.float32, ("walls", 8), finite=False),
    "body_start": Array(np.int32, ("grains+1",), runs_to="meetings"),
    "body_key": Array(np.int32, ("meetings",), low=0, below="pieces"),
    "body_pair": Array(np.int32, ("meetings",), low=0, below="pairs"),
    "body_plane": Array(np.float32, ("meetings", 4), finite=False),
    "body_memory": Array(np.float32, ("meetings", 8), finite=False),
    "body_given": Array(np.float32, ("meetings", 8), finite=False),
}


def _touches_to_arrays(name: str, touches: WallTouches, count: int) -> dict[str, NDArray[Any]]:
    now, many = touches.now, touches.many
    return {
        f"{name}_start": now.start[: count + 1].copy(),
        f"{name}_key": now.key[:many].copy(),
        f"{name}_pair": now.pair[:many].copy(),
        f"{name}_plane": now.plane[:many].copy(),
        f"{name}_memory": now.memory[:many].copy(),
        f"{name}_given": now.given[:many].copy(),
    }


def _touches_from_arrays(name: str, touches: WallTouches, data: dict[str, NDArray[Any]]) -> None:
    start, key = data[f"{name}_start"], data[f"{name}_key"]
    many, count = len(key), len(start) - 1
    touches.forget()
    touches.grow(many)
    now = touches.now
    now.start[: count + 1], now.start[count + 1 :] = start, many
    now.key[:many], now.pair[:many] = key, data[f"{name}_pair"]
    now.plane[:many], now.memory[:many] = data[f"{name}_plane"], data[f"{name}_memory"]
    now.given[:many] = data[f"{name}_given"]
    now.speed[:many], now.total[:many] = 0.0, 0.0
    now.grain[:many] = np.repeat(np.arange(count), np.diff(start))
    touches.many = many


def to_arrays(stepper: DEMStepper) -> dict[str, NDArray[Any]]:
    """All that the stepper carries from step to step."""
    count, lists = len(stepper.ids), stepper.lists
    slices = (count + 7) // 8
    depth = lists.depth[:slices].copy()
    blocks = np.repeat(lists.first[:slices] // 8, depth) + _within(depth)
    return {
        "ids": stepper.ids.copy(),
        "home": stepper.rows.own[:count, HOME : HOME + 9 : 4].copy(),
        "margin": np.array([stepper.margin]),
        "near": stepper.near.copy(),
        "depth": depth,
        "neighbours": lists.neighbours.reshape(-1, 8)[blocks],
        "memory": lists.memory.reshape(-1, lists.memory_columns, 8)[blocks],
        **_touches_to_arrays("wall", stepper.walls, count),
        **_touches_to_arrays("body", stepper.bodies, count),
        **stepper.bonds.to_arrays(),
        **stepper.clumps.to_arrays(),
    }


def check(stepper: DEMStepper, data: dict[str, NDArray[Any]]) -> None:
    """Raises FileFormatError unless the stepper can go on from these arrays."""
    sizes = {
        "obstacles": len(stepper.model.obstacles),
        "pairs": len(stepper.table),
        "columns": stepper.lists.memory_columns,
        "pieces": len(stepper.owner),
    }
    sizes = checked("memory", data, {**FORM, **stepper.bonds.form(), **stepper.clumps.form()}, sizes)
    if sizes["grains"] > stepper.model.capacity:
        raise bad_snapshot("memory", "ids", f"are {sizes['grains']}, more than the capacity")
    if sizes["slices"] != (sizes["grains"] + 7) // 8:
        raise bad_snapshot("memory", "depth", f"is not that of {sizes['grains']} grains")
    if data["depth"].sum(dtype=np.int64) != sizes["entries"]:
        raise bad_snapshot("memory", "depth", f"does not add up to {sizes['entries']} entries")


def from_arrays(stepper: DEMStepper, data: dict[str, NDArray[Any]]) -> None:
    """The inverse of `to_arrays`, after `check`."""
    lists, depth = stepper.lists, data["depth"]
    count, slices, entries = len(data["ids"]), len(depth), len(data["neighbours"])
    stepper.ids = data["ids"].copy()
    stepper.margin = float(data["margin"][0])
    stepper.near = data["near"].copy()
    stepper.rows.own[:count, HOME : HOME + 9 : 4] = data["home"]
    if len(lists.neighbours) < 8 * entries:
        lists.neighbours = room(8 * entries, np.int32)
        lists.memory = room(lists.memory_columns * 8 * entries, np.float32)
    lists.depth[:slices] = depth
    lists.first[:slices] = 8 * (np.cumsum(depth, dtype=np.int64) - depth)
    lists.neighbours[: 8 * entries] = data["neighbours"].ravel()
    lists.memory[: lists.memory_columns * 8 * entries] = data["memory"].ravel()
    _touches_from_arrays("wall", stepper.walls, data)
    _touches_from_arrays("body", stepper.bodies, data)
    stepper.bonds.from_arrays(data)
    stepper.clumps.from_arrays(data)
    stepper.graded = (-1, -1)


def _within(lengths: NDArray[np.int32]) -> NDArray[np.int64]:
    """0 … length − 1 for each length, one after the other."""
    ends = np.cumsum(lengths, dtype=np.int64)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
