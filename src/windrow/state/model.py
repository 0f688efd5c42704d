"""Model: what a scene means to the solvers, in arrays. It does not change during a run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.geometry.table import ShapeTable, shape_table
from windrow.scene.materials import PairValues, combine
from windrow.scene.motion import pose_at
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.state.form import Array

CAPACITY_MOST = 100_000_000
LINKS_FORM = {
    "first": Array(np.int64, ("links",), low=0, below="grains"),
    "second": Array(np.int64, ("links",), low=0, below="grains"),
    "length": Array(np.float64, ("links",), low=0),
    "stiffness": Array(np.float64, ("links",), low=0, finite=False),
    "damping": Array(np.float64, ("links",), low=0),
    "bond_first": Array(np.int64, ("bonds",), low=0, below="grains"),
    "bond_second": Array(np.int64, ("bonds",), low=0, below="grains"),
    "bond_group": Array(np.int64, ("bonds",), low=0, below="bond groups"),
    "bond_length": Array(np.float64, ("bonds",), low=0),
    "bond_radius": Array(np.float64, ("bonds",), low=0),
    "clump_first": Array(np.int64, ("clumps",), low=0, below="grains"),
    "clump_balls": Array(np.int64, ("clumps",), low=1, below="grains+1"),
    "clump_mass": Array(np.float64, ("clumps",), low=0),
    "clump_inertia": Array(np.float64, ("clumps", 9)),
    "clump_start": Array(np.float64, ("clumps", 18)),
    "clump_local": Array(np.float64, ("balls of clumps", 3)),
}
"""What `Links` are made of; grains: those of the start; bond groups: entries of the scene's `bonds`."""


@dataclass(frozen=True)
class Links:
    """What joins grains of the start, by id: distance constraints, and bonds that break."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    length: NDArray[np.float64]
    """m"""
    stiffness: NDArray[np.float64]
    """N/m, may be infinite"""
    damping: NDArray[np.float64]
    """N s/m"""
    bond_first: NDArray[np.int64]
    bond_second: NDArray[np.int64]
    bond_group: NDArray[np.int64]
    """entry of the scene's `bonds`"""
    bond_length: NDArray[np.float64]
    """m, unstressed"""
    bond_radius: NDArray[np.float64]
    """m"""
    clump_first: NDArray[np.int64]
    """(c,) id of its first ball; the others follow"""
    clump_balls: NDArray[np.int64]
    """(c,) how many it has"""
    clump_mass: NDArray[np.float64]
    """(c,) kg"""
    clump_inertia: NDArray[np.float64]
    """(c, 9) about its centre of mass, in the shape's frame, kg m²"""
    clump_start: NDArray[np.float64]
    """(c, 18) place, velocity, rotation row by row, and spin at the start"""
    clump_local: NDArray[np.float64]
    """(balls, 3) about the centre of mass, in the shape's frame, m"""

    def places(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the grains of each link are among ids; −1: gone."""
        return places_of(ids, self.first, self.second)

    def bond_places(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same for bonds."""
        return places_of(ids, self.bond_first, self.bond_second)


def places_of(
    ids: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where grains of pairs are among ids; −1: gone."""
    place = np.full(int(max(first.max(initial=-1), second.max(initial=-1))) + 1, -1, np.int64)
    there = np.flatnonzero(ids < len(place))
    place[ids[there]] = there
    return place[first], place[second]


@dataclass(frozen=True)
class Model:
    """Constants and sizes."""

    scene: Scene
    gravity: NDArray[np.float32]
    """(3,) m/s²"""
    material_names: tuple[str, ...]
    pairs: NDArray[np.float32]
    """(kinds², 5): stiffness N/m, damping N s/m, static and kinetic friction, adhesion Pa; row a·kinds + b."""
    shapes: ShapeTable
    obstacles: tuple[Obstacle, ...]
    """One kinematic body per obstacle, in the scene's order."""
    links: Links
    capacity: int
    continuum: bool = False
    """Whether particles are cubes of the bulk; see `SolverBase.continuum`."""

    @property
    def kinds(self) -> int:
        """Kinds of partners in a contact: grains of each material, then obstacles of each material."""
        return 2 * len(self.material_names)

    def poses(self, time: float) -> NDArray[np.float64]:
        """(bodies, 12): rotation, row by row, and position of every obstacle at a time."""
        rows = self._poses_at_rest.copy()
        for k in self._moving:
            rows[k] = _pose_row(self.obstacles[k], time)
        return rows

    @cached_property
    def _moving(self) -> tuple[int, ...]:
        return tuple(k for k, obstacle in enumerate(self.obstacles) if obstacle.motion is not None)

    @cached_property
    def _poses_at_rest(self) -> NDArray[np.float64]:
        """(bodies, 12) without their motion."""
        return np.array([_pose_row(obstacle, 0.0) for obstacle in self.obstacles]).reshape(-1, 12)


def _pose_row(obstacle: Obstacle, time: float) -> NDArray[np.float64]:
    position, rotation = pose_at(obstacle, time)
    return np.concatenate([np.asarray(rotation).ravel(), position])


def model_of(
    scene: Scene, grains: int, links: Links, base_dir: Path | str = ".", continuum: bool = False
) -> Model:
    """Builds the model of a checked scene that starts with so many grains."""
    names = tuple(scene.materials)
    return Model(
        scene=scene,
        gravity=np.asarray(scene.gravity, np.float32),
        material_names=names,
        pairs=pairs_of(scene),
        shapes=shape_table(scene.obstacles, {name: len(names) + k for k, name in enumerate(names)}, base_dir),
        obstacles=tuple(scene.obstacles),
        links=links,
        capacity=capacity_of(scene, grains),
        continuum=continuum,
    )


def pairs_of(scene: Scene) -> NDArray[np.float32]:
    """Rows for grains and grains, grains and obstacles; obstacles do not meet each other."""
    overrides = {frozenset(pair.materials): pair for pair in scene.material_pairs}
    count = len(scene.materials)
    table = np.zeros((2 * count, 2 * count, 5), np.float32)
    for k, (a, first) in enumerate(scene.materials.items()):
        for m, (b, second) in enumerate(scene.materials.items()):
            override = overrides.get(frozenset((a, b)))
            table[k, m] = _row(combine(first, second, override))
            table[k, count + m] = table[count + m, k] = _row(combine(first, second, override, at_wall=True))
    return table.reshape(-1, 5)


def _row(values: PairValues) -> tuple[float, ...]:
    return (
        values.stiffness,
        values.damping,
        values.friction_static,
        values.friction_kinetic,
        values.adhesion,
    )


def capacity_of(scene: Scene, grains: int) -> int:
    """Room for grains: what the scene says, else what it starts with plus what its emitters and its terrain may add."""
    if scene.capacity is not None:
        if scene.capacity < grains:
            raise SceneError(
                f"capacity: {scene.capacity} is less than the {grains} grains the scene starts with; "
                "raise it or leave it out"
            )
        return scene.capacity
    total = float(grains) + scene.terrain_grains
    for number, emitter in enumerate(scene.emitters):
        limit = emitter.count if emitter.count is not None else np.inf
        if emitter.rate is not None:
            limit = min(limit, np.ceil(emitter.rate * (emitter.stop - emitter.start)) + 1)
        if not np.isfinite(limit):
            raise SceneError(
                f"emitters[{number}]: nothing limits how many grains it makes; give it 'count' or 'stop', "
                "or give the scene a 'capacity'"
            )
        total += limit
    if total > CAPACITY_MOST:
        raise SceneError(
            f"capacity: the scene may grow to {total:.0f} grains, more than {CAPACITY_MOST}; lower it"
        )
    return max(int(total), 1)
