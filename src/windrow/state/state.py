"""State: if losing it changes the next step, it is here; everything else is workspace.

Arrays have room for `capacity` grains, of which the first `count` exist, in the order of the grid (sorted by
cell, so that neighbours in space are neighbours in memory). `id` tells who is who.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import CapacityError
from windrow.state.columns import StateColumn
from windrow.state.form import Array, Form, Number, bad_snapshot, checked
from windrow.state.model import capacity_of
from windrow.state.room import room
from windrow.terrain.ground import Ground

if TYPE_CHECKING:
    from windrow.scene.scene import Scene

FROZEN = np.uint8(1)
"""Flag of a grain taken out of the motion because its numbers were no longer finite."""

FREE, SKIN = -1, -2
"""Values of the column `key`."""
GROUND_COLUMNS = (
    StateColumn(
        "units", np.int64, unit="units of the ground", low=0, below=float(1 << 53), settable=False,
        description="mass of a grain made of ground; 0: it is none, or lies fixed",
    ),
    StateColumn(
        "key", np.int64, low=SKIN, default=FREE, settable=False,
        description="-1; of a grain that stands for ground: its place in the brick, or -2 where it was free before",
    ),
    StateColumn(
        "calm", np.uint8, unit="looks", settable=False, description="in a row, at which a grain made of ground was slow"
    ),
)  # fmt: skip
"""What grains have in scenes whose terrain turns into grains."""
BOND_COLUMNS = (
    StateColumn(
        "bonds", np.int32, unit="bonds", low=0, settable=False, sorted=False, recorded=True,
        description="that hold a grain",
    ),
)  # fmt: skip
"""What grains have in scenes with bonds."""
CLUMP_COLUMNS = (
    StateColumn(
        "clump", np.int32, low=-1, default=-1, settable=False, recorded=True,
        description="number of the clump that a ball belongs to; -1: it is a grain of its own",
    ),
)  # fmt: skip
"""What grains have in scenes with clumps."""

PER_GRAIN = ("X", "V", "id", "material", "flags", "force")
"""The arrays that every grain has, whatever the solver; they are resized together with its columns."""


@dataclass
class Ledger:
    """Where every grain and every kilogram went; `missing` is zero but for rounding, or something is lost."""

    initial: int = 0
    initial_mass: float = 0.0
    """kg at the start."""
    emitted: int = 0
    emitted_mass: float = 0.0
    sunk: int = 0
    sunk_mass: float = 0.0
    left_domain: int = 0
    left_domain_mass: float = 0.0
    dug: int = 0
    """made of ground, those that lie fixed at its face included"""
    returned: int = 0
    """that became ground"""

    @property
    def expected(self) -> int:
        return self.initial + self.emitted + self.dug - self.sunk - self.left_domain - self.returned

    @property
    def expected_mass(self) -> float:
        return self.initial_mass + self.emitted_mass - self.sunk_mass - self.left_domain_mass

    def as_dict(self) -> dict[str, float]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


IDS_MOST = 1 << 48
"""No run makes so many grains; keys made of an id and a piece of a body still fit into 64 bits."""

FORM: Form = {
    # places and velocities may be anything: the guard of the next step freezes grains whose numbers are not finite
    "X": Array(np.float32, ("grains", 4), finite=False),
    "V": Array(np.float32, ("grains", 4), finite=False),
    "id": Array(np.int64, ("grains",), low=0, below="next_id", unique=True),
    "material": Array(np.int32, ("grains",), low=0, below="materials"),
    "flags": Array(np.uint8, ("grains",), below=2),
    # forces are only looked at
    "force": Array(np.float32, ("grains", 3), finite=False),
    "emitter_carry": Array(np.float64, ("emitters",), low=0),
    "emitter_count": Array(np.int64, ("emitters",), low=0),
    "body_force": Array(np.float64, ("bodies", 3), finite=False),
    "body_torque": Array(np.float64, ("bodies", 3), finite=False),
    "time": Number(float, low=0),
    "step": Number(int, low=0, below=1 << 62),
    "next_id": Number(int, low=0, below=IDS_MOST),
    "capacity": Number(int, low=1),
    **{
        f"ledger.{f.name}": Number(float if f.type == "float" else int, low=0) for f in fields(Ledger)
    },
}
PARTS = {
    # what a scene allows, but for rounding
    "radius": Array(np.float32, ("grains",), low=0.999e-6, below=1.001e4),
    "inverse mass": Array(np.float32, ("grains",), low=0),
}


@dataclass
class State:
    """Everything that continuing needs."""

    X: NDArray[np.float32]
    """(capacity, 4): position x, y, z and radius, m."""
    V: NDArray[np.float32]
    """(capacity, 4): velocity, m/s, and inverse mass, 1/kg (0: pinned, moves by its velocity only)."""
    id: NDArray[np.int64]
    """(capacity,): the grain's number since it was made."""
    material: NDArray[np.int32]
    """(capacity,): index into the model's materials."""
    flags: NDArray[np.uint8]
    """(capacity,): FROZEN, or 0; solvers keep what is their own in columns."""
    force: NDArray[np.float32]
    """(capacity, 3): contact force of the last step, N (kept so that it can be read after a restart)."""
    count: int
    declared: tuple[StateColumn, ...] = ()
    """What the solver keeps of each grain beyond that."""
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)
    """(capacity,) or (capacity, width): the declared columns by name."""
    time: float = 0.0
    """s"""
    step: int = 0
    next_id: int = 0
    emitter_carry: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """(emitters,): grains owed since the last emission, a fraction of one."""
    emitter_count: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """(emitters,): grains made so far."""
    ledger: Ledger = field(default_factory=Ledger)
    body_force: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    """(bodies, 3): force of the grains on each body over the last step, N."""
    body_torque: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    """(bodies, 3): its torque about the body's position, N m."""
    ground: Ground | None = None
    """Columns of the terrain; saved by the simulation, as what has changed since the start."""

    @classmethod
    def empty(cls, capacity: int, emitters: int, bodies: int, columns: tuple[StateColumn, ...] = ()) -> State:
        taken = [column.name for column in columns if column.name in FORM]
        if taken:
            raise ValueError(f"column {taken[0]!r}: the state has something else of that name")
        return cls(
            X=room((capacity, 4), np.float32),
            V=room((capacity, 4), np.float32),
            id=room(capacity, np.int64),
            material=room(capacity, np.int32),
            flags=room(capacity, np.uint8),
            force=room((capacity, 3), np.float32),
            count=0,
            declared=columns,
            columns={column.name: column.rows(capacity) for column in columns},
            emitter_carry=np.zeros(emitters),
            emitter_count=np.zeros(emitters, np.int64),
            body_force=np.zeros((bodies, 3)),
            body_torque=np.zeros((bodies, 3)),
        )

    @property
    def capacity(self) -> int:
        return len(self.X)

    def per_grain(self) -> dict[str, NDArray[Any]]:
        """All arrays with a row for each grain, by name."""
        return {name: getattr(self, name) for name in PER_GRAIN} | self.columns

    def append(
        self,
        position: NDArray[np.float64],
        velocity: NDArray[np.float64],
        radius: NDArray[np.float64],
        mass: NDArray[np.float64],
        material: NDArray[np.int32],
        pinned: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int64]:
        """Adds grains at the end; returns their ids. Nothing is added when they do not all fit."""
        n = len(position)
        if self.count + n > self.capacity:
            raise CapacityError(
                f"no room for {n} more grains: {self.count} of {self.capacity} are in use. "
                f"Raise the scene's 'capacity' to at least {self.count + n}."
            )
        new = slice(self.count, self.count + n)
        self.X[new, :3] = position
        self.X[new, 3] = radius
        self.V[new, :3] = velocity
        self.V[new, 3] = 1.0 / mass if pinned is None else np.where(pinned, 0.0, 1.0 / mass)
        self.material[new] = material
        self.flags[new] = 0
        for column in self.declared:
            self.columns[column.name][new] = column.default
        self.force[new] = 0
        ids = np.arange(self.next_id, self.next_id + n, dtype=np.int64)
        self.id[new] = ids
        self.count += n
        self.next_id += n
        return ids

    def keep(self, kept: NDArray[np.bool_]) -> None:
        """Removes the grains that are not kept; the last ones take their places, and all others stay where they are."""
        n = int(np.count_nonzero(kept))
        gaps, last = np.flatnonzero(~kept[:n]), n + np.flatnonzero(kept[n:])
        for array in self.per_grain().values():
            array[gaps] = array[last]
        self.count = n

    @property
    def units(self) -> NDArray[np.int64]:
        """(capacity,): see GROUND_COLUMNS."""
        return self.columns["units"]

    @property
    def key(self) -> NDArray[np.int64]:
        """(capacity,): see GROUND_COLUMNS."""
        return self.columns["key"]

    @property
    def calm(self) -> NDArray[np.uint8]:
        """(capacity,): see GROUND_COLUMNS."""
        return self.columns["calm"]

    def mass(self, chosen: NDArray[np.bool_] | slice | None = None) -> float:
        """Of all grains that can move, or of some, kg. That of grains made of ground is exact."""
        chosen = slice(None) if chosen is None else chosen
        w = self.V[: self.count, 3][chosen].astype(np.float64)
        if self.ground is None or "units" not in self.columns:
            return float((1.0 / w[w > 0]).sum())
        units = self.units[: self.count][chosen]
        return float((1.0 / w[(w > 0) & (units == 0)]).sum()) + int(units.sum()) * self.ground.mass_unit

    def shown(self) -> slice | NDArray[np.int64]:
        """Places of the grains that are seen: all but those that stand for ground below its surface."""
        if "key" in self.columns and (self.key[: self.count] >= 0).any():
            return np.flatnonzero(self.key[: self.count] < 0)
        return slice(0, self.count)

    def masses(self) -> dict[str, float]:
        """Where all mass is and went, kg, and the relative error of their sum; see `Simulation.ledger`."""
        ground, book = self.ground, self.ledger
        unit = 0.0 if ground is None else ground.mass_unit
        start = book.initial_mass + (0.0 if ground is None else ground.start_mass * unit)
        masses = {
            "ground_mass": 0.0 if ground is None else ground.mass_units() * unit,
            "grain_mass": self.mass(),
            "held_mass": 0.0 if ground is None else ground.held_units() * unit,
            "left_mass": book.sunk_mass + book.left_domain_mass + unit * (0 if ground is None else ground.booked.taken),
            "added_mass": book.emitted_mass + unit * (0 if ground is None else ground.booked.added),
        }
        added = masses["added_mass"]
        total = sum(masses.values()) - 2.0 * added
        return masses | {"mass_error": (total - start) / max(start + added, 1e-300)}

    def by_id(self) -> NDArray[np.int64]:
        """Places of the grains in ascending order of their ids."""
        return np.argsort(self.id[: self.count], kind="stable")

    def snapshot(self) -> dict[str, Any]:
        """All of it as plain arrays and numbers, without the unused room."""
        data: dict[str, Any] = {name: array[: self.count].copy() for name, array in self.per_grain().items()}
        for name in ("emitter_carry", "emitter_count", "body_force", "body_torque"):
            data[name] = getattr(self, name).copy()
        data.update(time=self.time, step=self.step, next_id=self.next_id, capacity=self.capacity)
        data.update({f"ledger.{k}": v for k, v in self.ledger.as_dict().items()})
        return data

    def take(self, data: dict[str, Any]) -> None:
        """Becomes, to the bit, what `snapshot` of a state of the same capacity gave, after `check_state`."""
        self.count = len(data["id"])
        for name, array in self.per_grain().items():
            array[: self.count] = data[name]
        for name in ("emitter_carry", "emitter_count", "body_force", "body_torque"):
            getattr(self, name)[:] = data[name]
        self.time, self.step, self.next_id = data["time"], data["step"], data["next_id"]
        self.ledger = _ledger_in(data)


def check_state(data: dict[str, Any], scene: Scene, columns: tuple[StateColumn, ...]) -> None:
    """Raises FileFormatError unless this is what `State.snapshot` gives in a simulation of the (assembled) scene.

    columns: those that its solver declares.
    """
    sizes = {
        "materials": len(scene.materials),
        "emitters": len(scene.emitters),
        "bodies": len(scene.obstacles) + len(scene.bodies),
    }
    form = {**FORM, **{column.name: column.form() for column in columns_in(scene, columns)}}
    count = checked("state", data, form, sizes)["grains"]
    parts = {"radius": data["X"][:, 3], "inverse mass": data["V"][:, 3]}
    checked("state", parts, PARTS, {"grains": count})
    ledger = _ledger_in(data)
    if ledger.expected != count or ledger.initial + ledger.emitted + ledger.dug != data["next_id"]:
        raise bad_snapshot("state", "ledger", f"does not account for the {count} grains that are there")
    if not count <= data["capacity"] == capacity_of(scene, ledger.initial):
        raise bad_snapshot("state", "capacity", f"is {data['capacity']}, which is not that of the scene")


def columns_in(scene: Scene, columns: tuple[StateColumn, ...]) -> tuple[StateColumn, ...]:
    """All columns of a state of the (assembled) scene with a solver that declares these."""
    return (
        *columns,
        *(GROUND_COLUMNS if scene.terrain_grains else ()),
        *(BOND_COLUMNS if scene.bonds else ()),
        *(CLUMP_COLUMNS if scene.has_clumps else ()),
    )


def _ledger_in(data: dict[str, Any]) -> Ledger:
    return Ledger(**{f.name: data[f"ledger.{f.name}"] for f in fields(Ledger)})


COARSEST = 0.01
"""Largest distance of neighbouring numbers at a grain's place, over its radius; contacts are a few times finer."""
FASTEST = 1e4
"""m/s; faster grains are no granular matter"""


def too_far(position: NDArray[Any], radius: NDArray[Any]) -> str | None:
    """What is wrong with places so far from the origin that float32 cannot tell neighbours apart; None: nothing."""
    farthest = np.abs(np.asarray(position, np.float64)).max(axis=1, initial=0.0)
    limit = COARSEST * float(1 << 23) * np.asarray(radius, np.float64)
    beyond = np.flatnonzero(~(farthest <= limit))
    if len(beyond) == 0:
        return None
    k = int(beyond[0])
    return (
        f"grain {k} is at {np.asarray(position)[k].tolist()} m; with a radius of {float(radius[k]):.3g} m it must be "
        f"within {limit[k]:.4g} m of the origin, where places are told apart to {COARSEST:.0%} of the radius. "
        "Move the scene to the origin."
    )


def digest(data: dict[str, Any]) -> str:
    """A fingerprint of named arrays and numbers, to the bit."""
    sha = hashlib.sha256()
    for name, value in sorted(data.items()):
        array = np.ascontiguousarray(value)
        sha.update(f"{name}:{array.dtype.str}:{array.shape}".encode())
        sha.update(array.tobytes())
    return sha.hexdigest()
