"""Frames as bytes: eight bytes a grain, so that many grains fit through a socket many times a second.

All numbers are little-endian. A frame is

    header      80 bytes, see HEADER
    bodies      b × 13 float32: position (m), quaternion x y z w, force (N), torque (N m)
    grains      n × 4 uint16: x, y, z as shares of the frame's box, and a colour quantity as share of its
                highest value; in the order of ids
    roster      only if flags has ROSTER: n × uint32 id (low 32 bits), n × uint16 radius as share of the
                largest, n × uint16 material. It is sent when it differs from the one the page has.
    notes       UTF-8 JSON: step, real-time factor, times, ledger, controls, gauges
    ground      only if flags has GROUND: tiles of the ground that the page does not have yet, see `ground.py`
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm, unit
from windrow.scene.scene import Scene
from windrow.state.frame import Frame
from windrow.terrain.patches import Patches
from windrow.view.ground import tiles_told
from windrow.view.rows import GrainRows, Grains

Quantity = str
"""What the fourth number of a grain tells: one of `QUANTITIES`, or a column that the solver records."""
QUANTITIES: tuple[Quantity, ...] = ("speed", "force", "moisture")

MAGIC = int.from_bytes(b"WRF1", "little")
ROSTER, GROUND = 1, 2

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


@dataclass(frozen=True)
class BodyPoses:
    """Where bodies are and what is done to them: obstacles first, then bodies."""

    position: NDArray[np.float64]
    """(b, 3) m"""
    rotation: NDArray[np.float64]
    """(b, 3, 3) local to world"""
    force: NDArray[np.float64]
    """(b, 3) N"""
    torque: NDArray[np.float64]
    """(b, 3) about the position, N m"""


@dataclass(frozen=True)
class Moment:
    """All that is to be shown of one moment."""

    time: float
    """s"""
    grains: Grains
    bodies: BodyPoses
    ground: Patches | None = None
    """tiles that are not as they were at the start; none: there is no ground"""
    columns: tuple[str, ...] = ()
    """that the solver records of each grain"""


def moistures(scene: Scene, names: Sequence[str]) -> NDArray[np.float32]:
    """(materials, 3) share of water of each material as a vector's length; 0 if it is not given."""
    told = [scene.materials[name].moisture if name in scene.materials else None for name in names]
    return np.array([[share or 0.0, 0.0, 0.0] for share in told], np.float32).reshape(-1, 3)


def quantities_of(columns: Collection[str]) -> list[Quantity]:
    """All that grains with these columns can be coloured by; a frame's header has the place in this list."""
    return [*QUANTITIES, *(name for name in columns if name not in QUANTITIES)]


def shown_of(wanted: Collection[Quantity], columns: Collection[str]) -> set[Quantity]:
    """Which of the quantities there are; pages that have not heard yet of another scene are shown the speed."""
    return set(wanted) & set(quantities_of(columns)) or {QUANTITIES[0]}


def as_vectors(column: NDArray[Any]) -> NDArray[np.float32]:
    """(n, 3) vectors whose length is the size of a column's values: those of a number, a vector, or more."""
    rows = np.asarray(column, np.float32).reshape(len(column), -1)
    vectors = np.zeros((len(rows), 3), np.float32)
    if rows.shape[1] <= 3:
        vectors[:, : rows.shape[1]] = rows
    else:
        vectors[:, 0] = norm(rows)
    return vectors


def moment_of(frame: Frame, quantities: Collection[Quantity], scene: Scene) -> Moment:
    """A frame, with the quantities that are to be shown."""
    quantities = shown_of(quantities, frame.columns)
    vectors = {"speed": frame.velocity, "force": frame.force}
    if "moisture" in quantities:
        vectors["moisture"] = moistures(scene, frame.material_names)[frame.material]
    vectors |= {name: as_vectors(rows) for name, rows in frame.columns.items() if name in quantities}
    return Moment(
        time=frame.time,
        grains=Grains(
            id=frame.id,
            position=np.ascontiguousarray(frame.position, np.float32),
            radius=frame.radius,
            material=frame.material,
            vectors={name: np.ascontiguousarray(vectors[name], np.float32) for name in quantities},
        ),
        bodies=BodyPoses(
            np.asarray(frame.body_position),
            np.asarray(frame.body_rotation),
            np.asarray(frame.body_force),
            np.asarray(frame.body_torque),
        ),
        ground=frame.ground,
        columns=tuple(frame.columns),
    )


@dataclass(frozen=True)
class PackedFrame:
    """A frame ready to be sent. Its bytes are put together once for all pages that want the same."""

    sequence: int
    generation: int
    epoch: int
    time: float
    grains: GrainRows
    bodies: NDArray[np.float32]
    notes: bytes
    ground: Patches | None = None
    quantities: Sequence[Quantity] = QUANTITIES
    """what there is to colour by"""
    _made: dict[tuple[Quantity, bool, int], bytes] = field(default_factory=dict, repr=False, compare=False)

    @property
    def roster(self) -> int:
        return self.grains.roster_number

    @property
    def ground_version(self) -> int:
        """Of the newest tile of the ground."""
        return 0 if self.ground is None else int(self.ground.version.max(initial=0))

    def message(self, quantity: Quantity, with_roster: bool, ground_since: int = 0) -> bytes:
        """The bytes that go to one page; a quantity that nobody wanted when the frame was made is shown as 0.

        `ground_since`: version of the ground that the page has.
        """
        key = quantity, with_roster, ground_since
        if key not in self._made:
            self._made[key] = self._message(*key)
        return self._made[key]

    def _message(self, quantity: Quantity, with_roster: bool, ground_since: int) -> bytes:
        rows, highest = self.grains.quantised(quantity)
        header = np.zeros((), HEADER)
        header["magic"] = MAGIC
        header["sequence"] = self.sequence
        header["generation"] = self.generation
        header["epoch"] = self.epoch
        header["time"] = self.time
        new = None if self.ground is None else self.ground.since(ground_since)
        ground = tiles_told(new) if new else b""
        header["flags"] = (ROSTER if with_roster else 0) | (GROUND if ground else 0)
        header["grains"] = self.grains.count
        header["bodies"] = len(self.bodies)
        header["notes"] = len(self.notes)
        header["lower"], header["size"] = self.grains.lower, self.grains.size
        header["highest"] = highest
        header["quantity"] = self.quantities.index(quantity) if quantity in self.quantities else 0
        header["largest_radius"] = self.grains.largest_radius
        header["roster"] = self.grains.roster_number
        roster = self.grains.roster if with_roster else b""
        return b"".join([header.tobytes(), self.bodies.tobytes(), rows, roster, self.notes, ground])


def written(notes: Mapping[str, Any]) -> bytes:
    """Notes as they travel."""
    return json.dumps(notes, ensure_ascii=False, separators=(",", ":")).encode()


def quaternions(rotation: NDArray[Any]) -> NDArray[np.float64]:
    """(b, 4) as x, y, z, w of rotation matrices (b, 3, 3); of four ways the one that divides by most (Shepperd)."""
    m = np.asarray(rotation, np.float64)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = m.transpose(1, 2, 0)
    ways = np.array(
        [
            [1 + xx - yy - zz, xy + yx, xz + zx, zy - yz],
            [xy + yx, 1 + yy - xx - zz, yz + zy, xz - zx],
            [xz + zx, yz + zy, 1 + zz - xx - yy, yx - xy],
            [zy - yz, xz - zx, yx - xy, 1 + xx + yy + zz],
        ]
    )
    best = np.stack([xx, yy, zz, xx + yy + zz]).argmax(axis=0)
    return unit(ways[best, :, np.arange(len(m))])


def body_rows(bodies: BodyPoses) -> NDArray[np.float32]:
    """(b, 13): where the bodies are, and what is done to them."""
    rows = np.zeros((len(bodies.position), BODY_FLOATS), "<f4")
    if len(rows):
        rows[:, :3] = bodies.position
        rows[:, 3:7] = quaternions(bodies.rotation)
        rows[:, 7:10] = bodies.force
        rows[:, 10:13] = bodies.torque
    return rows
