"""How a recording lies in its HDF5 file, and why.

    header            JSON bytes: id, frame rate, names of bodies, materials, joints and controls
    scene             JSON bytes: the scene that was run
    frames     (F,)   one row per frame: time, step, where its rows lie in the pools, and a seal
    grains/*   (R,3)  pool: position, velocity, force of every grain in every frame
    columns/*  (R,…)  the same pool: what the solver records beyond that; the header has units and descriptions
    roster/*   (Q,)   pool: id, radius, mass, material; a new block only when one of them changed
    bodies     (F,B)  pose, force and torque of every body
    joints     (F,J)  position, rate and driving force of every joint
    controls   (F,C)  how each control is set
    notes      (N,)   JSON bytes: ledger and timings of each frame
    ground/*          in scenes with terrain, see `ground.py`
    finished   (1,)   1 once the writer has closed the file

Grain counts vary from frame to frame, so grains lie in flat pools that the frame rows point into. In the
pools every block of rows starts at a chunk boundary: a compressed chunk is then written once and never
again. A chunk shared by two frames would be rewritten, which loses the first frame when the writer dies at
that moment, and HDF5 leaks its old place in the file. The unused rows at the end of a block are zeros and
compress to nothing.

The file is written in HDF5's single-writer/multiple-readers mode: pools are flushed first, the frame row
last. A reader counts the frames whose seal is right, so a frame is there completely or not at all.

Compression is shuffle + gzip at level 1, which every HDF5 reader knows; LZF files are a tenth larger, and
only h5py reads them. The chunks are compressed on two threads outside of HDF5 (zlib lets threads run, HDF5
does not), which makes up for the speed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from windrow.record.container import RECORDING, bytes_of

VERSION = 1
CHUNK = 4096
"""Rows in one compressed chunk of the pools."""
LEVEL = 1
"""zlib level: higher ones save two percent for twice the time."""

FRAME_ROW = np.dtype(
    [
        ("time", "<f8"),
        ("step", "<i8"),
        ("grains_start", "<i8"),
        ("grains_count", "<i8"),
        ("roster_start", "<i8"),
        ("notes_start", "<i8"),
        ("notes_count", "<i8"),
        ("seal", "<u4"),
    ]
)
BODY_ROW = np.dtype(
    [("position", "<f8", 3), ("rotation", "<f8", (3, 3)), ("force", "<f8", 3), ("torque", "<f8", 3)]
)
JOINT_ROW = np.dtype([("position", "<f8"), ("rate", "<f8"), ("force", "<f8")])
TABLES = {"bodies": BODY_ROW, "joints": JOINT_ROW, "controls": np.dtype("<f8")}
"""What there is a row of in every frame, with a column for each thing of its kind; left out where there is none."""
Columns = dict[str, tuple[np.dtype, tuple[int, ...]]]
"""Type and further dimensions of each column of a pool."""
GRAINS: Columns = {name: (np.dtype("<f4"), (3,)) for name in ("position", "velocity", "force")}
ROSTER: Columns = {
    "id": (np.dtype("<i8"), ()),
    "radius": (np.dtype("<f4"), ()),
    "mass": (np.dtype("<f4"), ()),
    "material": (np.dtype("<i4"), ()),
}
POOLS = {"grains": GRAINS, "roster": ROSTER}
COLUMNS = "columns"
"""Group of the solver's columns; their rows lie as those of the grains."""
COLUMN_KINDS = "fiu"
"""Kinds of numbers that they hold: real, whole, whole and not negative."""


def pool_names(columns: Iterable[str] = ()) -> list[str]:
    """Paths of all pool datasets, with those of the solver's columns."""
    return [f"{group}/{name}" for group, names in (*POOLS.items(), (COLUMNS, columns)) for name in names]


def pool_of(name: str) -> str:
    """Which pool the rows of a dataset lie as."""
    group = name.split("/")[0]
    return "grains" if group == COLUMNS else group


def create_layout(
    path: Path, scene: str, header: str, counts: dict[str, int], columns: Columns | None = None
) -> h5py.File:
    """A new, empty recording, open for writing; nothing may be added to it later but rows.

    counts: things in each of `TABLES`; columns: those of the solver.
    """
    file = h5py.File(path, "w", libver=("v110", "v110"), locking="best-effort")
    file.attrs["format"] = np.bytes_(RECORDING)
    file.attrs["version"] = VERSION
    file.create_dataset("header", data=bytes_of(header))
    file.create_dataset("scene", data=bytes_of(scene))
    file.create_dataset("frames", (0,), FRAME_ROW, maxshape=(None,), chunks=(64,))
    file.create_dataset("notes", (0,), np.uint8, maxshape=(None,), chunks=(4096,))
    file.create_dataset("finished", data=np.zeros(1, np.uint8))
    for name, dtype in TABLES.items():
        if counts[name]:
            size = counts[name]
            file.create_dataset(name, (0, size), dtype, maxshape=(None, size), chunks=(1, size))
    for group, kinds in (*POOLS.items(), (COLUMNS, columns or {})):
        for name, (dtype, tail) in kinds.items():
            file.create_dataset(
                f"{group}/{name}",
                (0, *tail),
                dtype,
                maxshape=(None, *tail),
                chunks=(CHUNK, *tail),
                compression="gzip",
                compression_opts=LEVEL,
                shuffle=True,
            )
    return file


def is_recording_layout(file: h5py.File) -> bool:
    """Whether all datasets are there with the types this version writes."""
    expected: Columns = {
        "header": (np.dtype("u1"), ()),
        "scene": (np.dtype("u1"), ()),
        "frames": (FRAME_ROW, ()),
        "notes": (np.dtype("u1"), ()),
        "finished": (np.dtype("u1"), ()),
    }
    expected |= {
        f"{group}/{name}": kind for group, columns in POOLS.items() for name, kind in columns.items()
    }
    return all(
        isinstance(file.get(name), h5py.Dataset)
        and file[name].dtype == dtype
        and file[name].ndim == 1 + len(tail)
        and file[name].shape[1:] == tail
        for name, (dtype, tail) in expected.items()
    )


def columns_in(file: h5py.File, names: Iterable[str]) -> Columns | None:
    """Types and shapes of the solver's columns of these names; None: one is missing, or holds no rows of numbers."""
    found: Columns = {}
    for name in names:
        held = file.get(f"{COLUMNS}/{name}") if name.isidentifier() else None
        if not isinstance(held, h5py.Dataset) or held.dtype.kind not in COLUMN_KINDS or held.ndim not in (1, 2):
            return None
        found[name] = held.dtype, held.shape[1:]
    return found


def whole_chunks(rows: int) -> int:
    """Rows of the pool that `rows` rows of one frame take."""
    return -(-rows // CHUNK) * CHUNK


def write_block(dataset: Any, start: int, rows: np.ndarray, workers: Executor) -> Callable[[], None]:
    """Begins to compress `rows` for row `start` (a chunk boundary); the returned call writes and flushes
    them."""
    dtype = dataset.dtype
    chunks = workers.map(
        lambda first: _packed(rows[first : first + CHUNK], dtype), range(0, len(rows), CHUNK)
    )

    def finish() -> None:
        dataset.resize(start + whole_chunks(len(rows)), axis=0)
        for number, chunk in enumerate(chunks):
            dataset.id.write_direct_chunk((start + number * CHUNK,) + (0,) * (rows.ndim - 1), chunk)
        dataset.flush()

    return finish


def copy_chunks(source: Any, target: Any, rows: int) -> None:
    """Copies the first `rows` rows (whole chunks) of a pool as they are, without unpacking them."""
    target.resize(rows, axis=0)
    for start in range(0, rows, CHUNK):
        at = (start,) + (0,) * (target.ndim - 1)
        mask, chunk = source.id.read_direct_chunk(at)
        target.id.write_direct_chunk(at, chunk, mask)


def seals(rows: np.ndarray, first: int = 0) -> np.ndarray:
    """The seal of each frame row: CRC-32 of its other fields and of its number in the file."""
    sealed = np.empty(len(rows), np.uint32)
    length = FRAME_ROW.fields["seal"][1] if FRAME_ROW.fields else 0
    for k, row in enumerate(rows):
        sealed[k] = zlib.crc32(row.tobytes()[:length], first + k)
    return sealed


def _packed(rows: np.ndarray, dtype: np.dtype) -> bytes:
    """One chunk as HDF5's shuffle and gzip filters store it: all first bytes, all second bytes, ...,
    deflated."""
    block = np.zeros((CHUNK, *rows.shape[1:]), dtype)
    block[: len(rows)] = rows
    shuffled = block.reshape(-1).view(np.uint8).reshape(-1, dtype.itemsize).T
    return zlib.compress(shuffled.tobytes(), LEVEL)
