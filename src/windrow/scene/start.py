"""The grains and links a simulation of a scene begins with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import CapacityError, SceneError
from windrow.fixed_math import cube, norm
from windrow.scene.bonding import initial_bonds
from windrow.scene.clumps import NO_CLUMPS, Clumps, clump_arrays, placed
from windrow.scene.data import SceneData, Source
from windrow.scene.grains import MOST_GRAINS, Points
from windrow.scene.nets import Cloth, Rope, RopeLadder
from windrow.scene.overlaps import refuse_overlaps
from windrow.scene.packing import Filling, packed

Arrays = dict[str, NDArray[Any]]
NETS = (Rope, Cloth, RopeLadder)


def initial_particles(scene: SceneData, cubes: bool = False) -> Arrays:
    """All grains, source after source; see `Scene.initial_particles`."""
    material_index = {name: index for index, name in enumerate(scene.materials)}
    parts: list[Arrays] = []
    total = 0
    for index, source in enumerate(scene.particles):
        part = _grains_of(scene, index, source)
        if isinstance(source, Filling):
            scene._counted[_key(scene, index)] = len(part["radius"])
        total += len(part["radius"])
        if total > MOST_GRAINS:
            raise SceneError(
                f"particles[{index}]: {total} grains are more than {MOST_GRAINS}; use larger grains"
            )
        part["material"] = np.full(len(part["radius"]), material_index[source.material], dtype=np.int64)
        if part["mass"] is None:
            made_of = scene.materials[source.material]
            part["mass"] = particle_mass(made_of.density, part["radius"], cubes or made_of.liquid)
        parts.append(part)
    if scene.capacity is not None and total > scene.capacity:
        raise CapacityError(
            f"the scene starts with {total} grains, but capacity is {scene.capacity}; "
            "raise capacity or start with fewer"
        )
    refuse_overlaps(scene, parts)
    return {
        name: np.concatenate([part[name] for part in parts]) if parts else empty
        for name, empty in _NOTHING.items()
    }


def particle_mass(density: float, radius: NDArray[np.float64], cubes: bool) -> NDArray[np.float64]:
    """kg, of balls, or of cubes around them."""
    return density * 8 * cube(radius) if cubes else density * 4 / 3 * np.pi * cube(radius)


_NOTHING: Arrays = {
    "position": np.zeros((0, 3)),
    "velocity": np.zeros((0, 3)),
    "radius": np.zeros(0),
    "mass": np.zeros(0),
    "material": np.zeros(0, dtype=np.int64),
    "pinned": np.zeros(0, dtype=np.bool_),
}


def grain_count(scene: SceneData, index: int) -> int:
    """Grains that source number `index` puts into the scene."""
    source = scene.particles[index]
    if isinstance(source, Points):
        return len(source.position)
    if isinstance(source, NETS):
        return source.node_count
    if isinstance(source, Clumps):
        return len(source.position) * len(source.centers)
    # Builders ask again and again; placing a million grains each time to number one more would be slow.
    key = _key(scene, index)
    if key not in scene._counted:
        scene._counted[key] = len(_packed(scene, index, source)[1])
    return scene._counted[key]


class GivenColumn(NamedTuple):
    """What a scene says of a solver's column for some grains."""

    place: str
    """in the scene, for messages"""
    name: str
    first: int
    """id of the first of the grains"""
    grains: int
    values: Any


def given_columns(scene: SceneData) -> list[GivenColumn]:
    """What sources of grains say of the solver's columns."""
    found, first = [], 0
    last = max((k for k, source in enumerate(scene.particles) if getattr(source, "columns", None)), default=-1)
    for index, source in enumerate(scene.particles[: last + 1]):
        count = grain_count(scene, index)
        for name, values in getattr(source, "columns", {}).items():
            found.append(GivenColumn(f"particles[{index}].columns.{name}", name, first, count, values))
        first += count
    return found


def _key(scene: SceneData, index: int) -> str:
    """What decides how many grains a filling gives."""
    return f"{scene.seed} {index} {scene.particles[index].model_dump_json()}"


def initial_links(scene: SceneData, position: NDArray[np.float64] | None = None) -> Arrays:
    """All links; see `Scene.initial_links`. `position`: of the grains at the start, where they are placed already."""
    last = max((k for k, source in enumerate(scene.particles) if isinstance(source, NETS)), default=-1)
    if position is None:
        # Without links no grain needs to be placed to know that.
        position = initial_particles(scene)["position"] if last >= 0 or scene.links else np.zeros((0, 3))
    for index, link in enumerate(scene.links):
        if max(link.first, link.second) >= len(position):
            raise SceneError(
                f"links[{index}]: grain {max(link.first, link.second)} does not exist; "
                f"the scene starts with {len(position)} grains, numbered from 0"
            )
    first = [np.array([link.first for link in scene.links], dtype=np.int64)]
    second = [np.array([link.second for link in scene.links], dtype=np.int64)]
    length = [
        np.array([np.nan if link.length is None else link.length for link in scene.links], dtype=np.float64)
    ]
    stiffness = [np.array([link.stiffness for link in scene.links], dtype=np.float64)]
    damping = [np.array([link.damping for link in scene.links], dtype=np.float64)]
    offset = 0
    for index, source in enumerate(scene.particles[: last + 1]):
        if isinstance(source, NETS):
            pairs = source.net().links + offset
            first.append(pairs[:, 0])
            second.append(pairs[:, 1])
            length.append(np.full(len(pairs), np.nan))
            stiffness.append(np.full(len(pairs), source.stiffness))
            damping.append(np.full(len(pairs), source.damping))
        offset += grain_count(scene, index)
    joined = {
        "first": np.concatenate(first),
        "second": np.concatenate(second),
        "length": np.concatenate(length),
        "stiffness": np.concatenate(stiffness),
        "damping": np.concatenate(damping),
    }
    at_start = norm(position[joined["first"]] - position[joined["second"]])
    joined["length"] = np.where(np.isnan(joined["length"]), at_start, joined["length"])
    if len(at_start) and joined["length"].min() <= 1e-9:
        worst = int(joined["length"].argmin())
        raise SceneError(
            f"links: grains {joined['first'][worst]} and {joined['second'][worst]} start at the same place; "
            "move one, or give the link a length"
        )
    return joined


def initial_joins(scene: SceneData, grains: Arrays) -> Arrays:
    """All that joins the grains of the start: links, bonds (`bonding.initial_bonds`), clumps (`clump_arrays`)."""
    starts = np.zeros(len(scene.particles) + 1, np.int64)
    if scene.bonds or scene.has_clumps:
        starts[1:] = np.cumsum([grain_count(scene, index) for index in range(len(scene.particles))])
    clumps = [
        clump_arrays(source, int(starts[k]), scene.materials[source.material].density, _random(scene, k))
        for k, source in enumerate(scene.particles)
        if isinstance(source, Clumps)
    ]
    joined = {name: np.concatenate([part[name] for part in (NO_CLUMPS, *clumps)]) for name in NO_CLUMPS}
    return {**initial_links(scene, grains["position"]), **initial_bonds(scene, grains, starts), **joined}


def clump_numbers(scene: SceneData) -> NDArray[np.int32]:
    """(grains,) clump that each grain of the start belongs to, counted through the scene; −1: none."""
    found, clumps = [], 0
    for index, source in enumerate(scene.particles):
        count = grain_count(scene, index)
        if isinstance(source, Clumps):
            found.append(clumps + np.arange(count) // len(source.centers))
            clumps += len(source.position)
        else:
            found.append(np.full(count, -1))
    return np.concatenate([np.zeros(0, np.int32), *found]).astype(np.int32)


def _grains_of(scene: SceneData, index: int, source: Source) -> Any:
    if isinstance(source, Points):
        count = len(source.position)
        velocity = np.zeros(3) if source.velocity is None else source.velocity
        return {
            "position": source.position,
            "velocity": np.broadcast_to(velocity, (count, 3)),
            "radius": np.broadcast_to(np.asarray(source.radius, dtype=np.float64), count),
            "mass": None
            if source.mass is None
            else np.broadcast_to(np.asarray(source.mass, np.float64), count),
            "pinned": np.broadcast_to(np.asarray(source.pinned), count),
        }
    if isinstance(source, NETS):
        net = source.net()
        count = len(net.position)
        return {
            "position": net.position,
            "velocity": np.broadcast_to(np.array(source.velocity), (count, 3)),
            "radius": np.full(count, source.node_radius(source.shortest_link)),
            "mass": None if source.mass is None else np.full(count, source.mass),
            "pinned": net.pinned,
        }
    if isinstance(source, Clumps):
        at, copies = placed(source, _random(scene, index)), len(source.position)
        # solvers know the whole clump's mass; of all that counts grains each ball has its share
        share = scene.materials[source.material].density * source.shape().volume / len(source.centers)
        return {
            "position": at.position,
            "velocity": at.velocity,
            "radius": np.tile(source.ball_radii(), copies),
            "mass": np.full(len(at.position), share),
            "pinned": np.zeros(len(at.position), dtype=np.bool_),
        }
    position, radius, random = _packed(scene, index, source)
    spread = random.uniform(-1, 1, position.shape) * source.velocity_spread
    return {
        "position": position,
        "velocity": np.array(source.velocity) + spread,
        "radius": radius,
        "mass": None,
        "pinned": np.zeros(len(radius), dtype=np.bool_),
    }


def _random(scene: SceneData, index: int) -> np.random.Generator:
    """Each source has its own stream, so that adding one does not move the grains of the others."""
    return np.random.Generator(np.random.PCG64([scene.seed, index]))


def _packed(scene: SceneData, index: int, source: Filling) -> Any:
    """Places and radii of a filling, and the random numbers that go on from there."""
    random = _random(scene, index)
    try:
        position, radius = packed(source, random)
    except SceneError as error:
        raise SceneError(f"particles[{index}] ({source.kind}): {error}") from None
    return position, radius, random
