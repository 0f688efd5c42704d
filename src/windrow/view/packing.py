"""Frames as bytes: eight bytes a grain, so that many grains fit through a socket many times a second.

All numbers are little-endian. A frame is

    header      80 bytes, see HEADER
    bodies      b × 13 float32: position (m), quaternion x y z w, force (N), torque (N m)
    grains      n × 4 uint16: x, y, z as shares of the frame's box, and a colour quantity as share of its
                highest value
    roster      only if flags has ROSTER: n × uint32 id (low 32 bits), n × uint16 radius as share of the
                largest, n × uint16 material. It is sent when it differs from the one the page has.
    notes       UTF-8 JSON: step, real-time factor, times, ledger
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import kernel
from windrow.state.frame import Frame

Quantity = Literal["speed", "force"]
QUANTITIES: tuple[Quantity, ...] = ("speed", "force")

MAGIC = int.from_bytes(b"WRF1", "little")
ROSTER = 1
TOP = 65535
"""Highest uint16: the far side of the box."""

HEADER = np.dtype(
    [
        ("magic", "<u4"),
        ("sequence", "<u4"),
        ("generation", "<u4"),
        ("epoch", "<u4"),
        ("time", "<f8"),
        ("flags", "<u4"),
        ("grains", "<u4"),
        ("bodies", "<u4"),
        ("notes", "<u4"),
        ("lower", "<f4", (3,)),
        ("size", "<f4", (3,)),
        ("highest", "<f4"),
        ("quantity", "<u4"),
        ("largest_radius", "<f4"),
        ("roster", "<u4"),
    ]
)
"""generation: which scene description it belongs to; epoch: changes when time jumps, so that nothing is
drawn between two frames on either side; roster: number of the list of grains."""
BODY_FLOATS = 13


@dataclass
class PackedFrame:
    """A frame ready to be sent; each form of it is made at most once, when somebody wants it."""

    frame: Frame
    sequence: int
    generation: int
    epoch: int
    roster: int
    notes: dict[str, Any]
    _grains: dict[Quantity, tuple[bytes, float]] = field(default_factory=dict, repr=False)

    def message(self, quantity: Quantity, with_roster: bool) -> bytes:
        """The bytes that go to one page."""
        grains, highest = self._quantised(quantity)
        header = np.zeros((), HEADER)
        header["magic"] = MAGIC
        header["sequence"] = self.sequence
        header["generation"] = self.generation
        header["epoch"] = self.epoch
        header["time"] = self.frame.time
        header["flags"] = ROSTER if with_roster else 0
        header["grains"] = len(self.frame.position)
        header["bodies"] = len(self.frame.body_position)
        header["notes"] = len(self._notes)
        header["lower"], header["size"] = self._box
        header["highest"] = highest
        header["quantity"] = QUANTITIES.index(quantity)
        header["largest_radius"] = self._largest_radius
        header["roster"] = self.roster
        roster = self._roster if with_roster else b""
        return b"".join([header.tobytes(), self._bodies, grains, roster, self._notes])

    def _quantised(self, quantity: Quantity) -> tuple[bytes, float]:
        if quantity not in self._grains:
            lower, size = self._box
            vector = self.frame.velocity if quantity == "speed" else self.frame.force
            self._grains[quantity] = quantised(self.frame.position, vector, lower, size)
        return self._grains[quantity]

    @cached_property
    def _box(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return box_around(self.frame.position)

    @cached_property
    def _bodies(self) -> bytes:
        return body_rows(self.frame).tobytes()

    @cached_property
    def _largest_radius(self) -> float:
        return float(self.frame.radius.max()) if len(self.frame.radius) else 0.0

    @cached_property
    def _roster(self) -> bytes:
        share = self.frame.radius * (TOP / max(self._largest_radius, 1e-30))
        return b"".join(
            [
                (self.frame.id & 0xFFFFFFFF).astype("<u4").tobytes(),
                np.rint(share).astype("<u2").tobytes(),
                self.frame.material.astype("<u2").tobytes(),
            ]
        )

    @cached_property
    def _notes(self) -> bytes:
        return json.dumps(self.notes, ensure_ascii=False, separators=(",", ":")).encode()


def box_around(position: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lower corner and size, m, of the box around all positions that are finite."""
    bounds = np.empty((2, 3), np.float32)
    _bounds(np.ascontiguousarray(position, np.float32), bounds)
    if not np.isfinite(bounds).all():
        return np.zeros(3, np.float32), np.zeros(3, np.float32)
    return bounds[0], bounds[1] - bounds[0]


def quantised(
    position: NDArray[np.float32],
    vector: NDArray[np.float32],
    lower: NDArray[np.float32],
    size: NDArray[np.float32],
) -> tuple[bytes, float]:
    """Rows of four uint16, and the length of the vectors that the highest of them stands for."""
    rows = np.empty((len(position), 4), np.uint16)
    highest = _quantise(
        np.ascontiguousarray(position, np.float32),
        np.ascontiguousarray(vector, np.float32),
        lower,
        size,
        rows,
    )
    return rows.astype("<u2", copy=False).tobytes(), float(highest)


def body_rows(frame: Frame) -> NDArray[np.float32]:
    """(b, 13): where the bodies are, and what the grains do to them."""
    rows = np.zeros((len(frame.body_position), BODY_FLOATS), "<f4")
    if len(rows):
        from scipy.spatial.transform import Rotation

        rows[:, :3] = frame.body_position
        rows[:, 3:7] = Rotation.from_matrix(frame.body_rotation).as_quat()
        rows[:, 7:10] = frame.body_force
        rows[:, 10:13] = frame.body_torque
    return rows


@kernel
def _bounds(position, bounds):  # type: ignore[no-untyped-def]
    """Serial: pages are served beside the simulation, whose threads should not wait for them."""
    for axis in range(3):
        low, high = np.float32(np.inf), np.float32(-np.inf)
        for i in range(position.shape[0]):
            x = position[i, axis]
            if np.isfinite(x):
                low = min(low, x)
                high = max(high, x)
        bounds[0, axis] = low
        bounds[1, axis] = high


@kernel
def _quantise(position, vector, lower, size, rows):  # type: ignore[no-untyped-def]
    """Shares of the box, rounded; what is not finite goes to the lower corner with the value zero."""
    top = np.float32(TOP)
    highest = np.float32(0.0)
    for i in range(vector.shape[0]):
        square = vector[i, 0] * vector[i, 0] + vector[i, 1] * vector[i, 1] + vector[i, 2] * vector[i, 2]
        if np.isfinite(square):
            highest = max(highest, square)
    highest = np.sqrt(highest)
    value_scale = top / highest if highest > np.float32(0.0) else np.float32(0.0)
    for i in range(position.shape[0]):
        for axis in range(3):
            share = np.float32(0.0)
            if size[axis] > np.float32(0.0):
                share = (position[i, axis] - lower[axis]) / size[axis]
            if not np.isfinite(share):
                share = np.float32(0.0)
            share = min(max(share, np.float32(0.0)), np.float32(1.0))
            rows[i, axis] = np.uint16(share * top + np.float32(0.5))
        square = vector[i, 0] * vector[i, 0] + vector[i, 1] * vector[i, 1] + vector[i, 2] * vector[i, 2]
        value = np.sqrt(square) * value_scale if np.isfinite(square) else np.float32(0.0)
        rows[i, 3] = np.uint16(min(value, top) + np.float32(0.49))
    return highest
