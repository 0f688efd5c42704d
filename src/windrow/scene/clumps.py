"""Clumps: balls that move as one rigid grain."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from windrow.fixed_math import random_directions, rotate, sine_cosine
from windrow.scene.arrays import ArrayOf, FloatArray, Positions, Switch, Velocities
from windrow.scene.ball_unions import MOST_BALLS, Union, ball_union
from windrow.scene.materials import Name
from windrow.scene.motion import rotation_matrix
from windrow.scene.part import Part

Angles = Annotated[FloatArray, ArrayOf(((None, 3), (3,)), minimum=-1e6, maximum=1e6)]


class Clumps(Part):
    """Copies of one shape made of balls, which may overlap; each copy is one rigid grain.

    Mass, centre and moments of inertia are those of the union of the balls: what two of them share counts once.
    """

    kind: Literal["clumps"] = "clumps"
    centers: Annotated[Positions, Field(description="of the balls of the shape (m, 3), m")]
    radii: Annotated[float | FloatArray, ArrayOf(((), (None,)), minimum=1e-6, maximum=1e4)] = Field(
        description="of the balls, (m,), or one for all, m"
    )
    position: Positions = Field(description="centres of mass of the copies (n, 3), m")
    rotation_deg: Angles | None = Field(
        default=None, description="(n, 3), or one for all: axis times angle, degrees; none: as the shape is given"
    )
    random_rotation: Switch = Field(default=False, description="true: each copy is turned at random, by the seed")
    velocity: Velocities | None = Field(default=None, description="(n, 3), or one for all, m/s; none: at rest")
    spin: Velocities | None = Field(default=None, description="(n, 3), or one for all, rad/s; none: none")
    material: Name = Field(description="name of a material")

    @model_validator(mode="after")
    def _one_row_each(self) -> Self:
        balls, copies = len(self.centers), len(self.position)
        if not 1 <= balls <= MOST_BALLS:
            raise ValueError(f"centers: {balls} balls; a clump has 1 to {MOST_BALLS}")
        if isinstance(self.radii, np.ndarray) and len(self.radii) != balls:
            raise ValueError(f"{balls} centers but {len(self.radii)} radii; give one for each, or one number")
        for name in ("rotation_deg", "velocity", "spin"):
            rows = getattr(self, name)
            if rows is not None and rows.ndim == 2 and len(rows) != copies:
                raise ValueError(f"{copies} positions but {len(rows)} rows of {name}; give one each, or one for all")
        if self.random_rotation and self.rotation_deg is not None:
            raise ValueError("rotation_deg and random_rotation both say how the copies are turned; leave one out")
        return self

    @property
    def columns(self) -> dict[str, Any]:
        """What the solver keeps of each ball: the clump's spin."""
        if self.spin is None:
            return {}
        spin = np.broadcast_to(self.spin, (len(self.position), 3))
        return {"spin": np.repeat(spin, len(self.centers), axis=0)}

    def ball_radii(self) -> FloatArray:
        return np.broadcast_to(np.asarray(self.radii, np.float64), len(self.centers))

    def shape(self) -> Union:
        """Volume, centre and moments of the shape, at unit density."""
        return _union(self.centers.tobytes(), np.ascontiguousarray(self.ball_radii()).tobytes())


@cache
def _union(centers: bytes, radii: bytes) -> Union:
    return ball_union(np.frombuffer(centers).reshape(-1, 3), np.frombuffer(radii))


class Placed(NamedTuple):
    """Copies of a clump where they begin."""

    turn: FloatArray
    """(n, 3, 3) from the shape's frame to the world"""
    local: FloatArray
    """(m, 3) balls about the centre of mass, in the shape's frame"""
    position: FloatArray
    """(n m, 3) of all balls, copy after copy"""
    velocity: FloatArray


def placed(clumps: Clumps, random: np.random.Generator) -> Placed:
    """Balls of all copies, where they begin."""
    copies = len(clumps.position)
    local = clumps.centers - clumps.shape().center
    if clumps.random_rotation:
        turn = _random_turns(random, copies)
    else:
        given = np.zeros(3) if clumps.rotation_deg is None else clumps.rotation_deg
        rows: Any = np.deg2rad(np.broadcast_to(given, (copies, 3)))
        turn = np.array([rotation_matrix(row) for row in rows]).reshape(copies, 3, 3)
    arms = np.stack([rotate(turn[k], local) for k in range(copies)]) if copies else np.zeros((0, len(local), 3))
    velocity = np.zeros(3) if clumps.velocity is None else clumps.velocity
    spin = np.zeros(3) if clumps.spin is None else clumps.spin
    v = np.broadcast_to(velocity, (copies, 3))[:, None] + np.cross(np.broadcast_to(spin, (copies, 3))[:, None], arms)
    x = clumps.position[:, None] + arms
    return Placed(turn, local, x.reshape(-1, 3), v.reshape(-1, 3))


def _random_turns(random: np.random.Generator, count: int) -> FloatArray:
    """(count, 3, 3) rotations, evenly distributed: a random axis z, and a random turn about it."""
    z = random_directions(random, count)
    help_ = random_directions(random, count)
    x = np.cross(help_, z)
    x /= np.sqrt((x * x).sum(axis=1))[:, None]
    y = np.cross(z, x)
    s, c = sine_cosine(random.uniform(-np.pi, np.pi, count))
    return np.stack([c[:, None] * x + s[:, None] * y, c[:, None] * y - s[:, None] * x, z], axis=2)


def clump_arrays(clumps: Clumps, first: int, density: float, random: np.random.Generator) -> dict[str, NDArray[Any]]:
    """What solvers need of the copies, whose first ball has the id `first`; see `state.model.Links`."""
    copies, balls, shape = len(clumps.position), len(clumps.centers), clumps.shape()
    at = placed(clumps, random)
    motion = (clumps.velocity, clumps.spin)
    velocity, spin = (np.broadcast_to(np.zeros(3) if m is None else m, (copies, 3)) for m in motion)
    return {
        "clump_first": first + balls * np.arange(copies),
        "clump_balls": np.full(copies, balls, np.int64),
        "clump_mass": np.full(copies, density * shape.volume),
        "clump_inertia": np.repeat(density * shape.inertia.reshape(1, 9), copies, axis=0),
        "clump_start": np.concatenate([clumps.position, velocity, at.turn.reshape(copies, 9), spin], axis=1),
        "clump_local": np.tile(at.local, (copies, 1)),
    }


NO_CLUMPS: dict[str, NDArray[Any]] = {
    "clump_first": np.zeros(0, np.int64),
    "clump_balls": np.zeros(0, np.int64),
    "clump_mass": np.zeros(0),
    "clump_inertia": np.zeros((0, 9)),
    "clump_start": np.zeros((0, 18)),
    "clump_local": np.zeros((0, 3)),
}
