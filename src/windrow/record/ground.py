"""Ground in a recording: with each frame the tiles that changed since the frame before.

    ground/frames   (F,)     rows of the pools that belong to the frames up to this one
    ground/tile     (P, 2)   number of a tile along x and y
    ground/height   (P, T, T)
    ground/soil     (P, T, T)

A row of a pool is one chunk, written once. What no row tells is as the scene says it.
"""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np

from windrow.terrain.layers import TILE
from windrow.terrain.patches import Patches

KINDS = {"tile": ("<i4", (2,)), "height": ("<f4", (TILE, TILE)), "soil": ("u1", (TILE, TILE))}


def create_ground(file: h5py.File) -> None:
    """Makes room for ground in a new recording."""
    file.create_dataset("ground/frames", (0,), "<i8", maxshape=(None,), chunks=(64,))
    for name, (dtype, tail) in KINDS.items():
        options: dict[str, Any] = {}
        rows = 64
        if name != "tile":
            rows, options = 1, {"compression": "gzip", "compression_opts": 1, "shuffle": True}
        file.create_dataset(
            f"ground/{name}", (0, *tail), dtype, maxshape=(None, *tail), chunks=(rows, *tail), **options
        )


def is_ground_layout(file: h5py.File) -> bool:
    """Whether the ground of a recording that has any can be read."""
    return all(
        isinstance(file.get(f"ground/{name}"), h5py.Dataset)
        and file[f"ground/{name}"].dtype == np.dtype(dtype)
        and file[f"ground/{name}"].shape[1:] == tail
        for name, (dtype, tail) in (*KINDS.items(), ("frames", ("<i8", ())))
    )


def add_ground(file: h5py.File, frame: int, patches: Patches, end: int) -> int:
    """Writes the patches of a frame from row `end` on; returns the row after them."""
    for name in KINDS:
        dataset = file[f"ground/{name}"]
        if len(patches):
            dataset.resize(end + len(patches), axis=0)
            dataset[end:] = getattr(patches, name)
        dataset.flush()
    ends = file["ground/frames"]
    ends.resize(frame + 1, axis=0)
    ends[frame] = end + len(patches)
    ends.flush()
    return end + len(patches)


def read_ground(file: h5py.File, frame: int) -> Patches:
    """All tiles that differ from the start at a frame; their version is the row they were last written to."""
    end = int(file["ground/frames"][frame])
    tile = file["ground/tile"][:end]
    last = {(int(x), int(y)): row for row, (x, y) in enumerate(tile)}
    rows = np.array(sorted(last.values()), np.int64)
    height, soil = (np.zeros((len(rows), TILE, TILE), KINDS[name][0]) for name in ("height", "soil"))
    for k, row in enumerate(rows):
        height[k], soil[k] = file["ground/height"][row], file["ground/soil"][row]
    return Patches(tile[rows] if len(rows) else np.zeros((0, 2), np.int32), height, soil, rows + 1)


def copy_ground(source: h5py.File, target: h5py.File, frames: int) -> int:
    """Copies the ground of the first so many frames; returns the row after theirs."""
    end = int(source["ground/frames"][frames - 1])
    for name, rows in (*((name, end) for name in KINDS), ("frames", frames)):
        target[f"ground/{name}"].resize(rows, axis=0)
        for row in range(0, rows, 64):
            target[f"ground/{name}"][row : row + 64] = source[f"ground/{name}"][row : min(row + 64, rows)]
    return end
