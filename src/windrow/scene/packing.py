"""Places for the grains of a filling: cubic and hexagonal lattices here, random places in `scatter` and `dense`."""

from __future__ import annotations

import math

import numpy as np

from windrow.fixed_math import cube, cube_root, dot, norm, random_directions
from windrow.scene.arrays import FloatArray
from windrow.scene.dense import densely_packed
from windrow.scene.grains import largest_radius, sampled_radii
from windrow.scene.rooms import Filling, Room, refuse_too_many, room_of, wanted_of
from windrow.scene.scatter import scattered

__all__ = ["Filling", "packed"]


def packed(source: Filling, random: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Centres (n, 3) and radii (n,) of the grains of a filling, m, from below upwards.

    Grains lie wholly inside. A `count` that does not fit is a SceneError.
    """
    if source.packing == "random":
        return scattered(source, random)
    if source.packing == "dense":
        return densely_packed(source, random)
    largest = largest_radius(source.radius)
    room = room_of(source).shrunk(largest)
    position = _lattice(source, room)
    radius = sampled_radii(source.radius, len(position), random)
    if source.jitter > 0:
        # A shift inside of a ball brings two neighbours nearer by at most twice its radius.
        shift = random_directions(random, len(position))
        shift *= source.jitter * largest * cube_root(random.random(len(position)))[:, None]
        shift += position
        position = room.clipped(shift)
    return position, radius


def _lattice(source: Filling, room: Room) -> FloatArray:
    hexagonal = source.packing == "hexagonal"
    spacing = source.lattice_spacing
    rise = spacing * math.sqrt(2 / 3) if hexagonal else spacing
    height = float(room.upper[2] - room.lower[2])
    if room.rounded == "all":
        half = _steps(height / 2, rise)
        return _ball_layers(source, room, spacing, rise, half)
    layers = _steps(height, rise) + 1
    patterns = _patterns(room, spacing, hexagonal)
    sizes = [len(pattern) for pattern in patterns]
    total = (layers // 2) * (sizes[0] + sizes[-1]) + (layers % 2) * sizes[0]
    wanted = wanted_of(source, total)
    rounds = -(-wanted // (sizes[0] + sizes[-1]))
    # One round is a layer of each pattern; cut to size, so that a tall room with a small count costs little.
    both = np.concatenate(
        [
            np.column_stack([pattern, np.full(len(pattern), level * rise)])
            for level, pattern in enumerate(patterns[:2])
        ]
        if hexagonal
        else [np.column_stack([patterns[0], np.full(sizes[0], level * rise)]) for level in range(2)]
    )
    position = np.repeat(both[None], rounds, axis=0)
    position[..., 2] += room.lower[2] + 2 * rise * np.arange(rounds)[:, None]
    return np.asarray(position.reshape(-1, 3)[:wanted])


def _ball_layers(source: Filling, room: Room, spacing: float, rise: float, half: int) -> FloatArray:
    hexagonal = source.packing == "hexagonal"
    middle, radius = room.middle, float(room.upper[0] - room.lower[0]) / 2
    density = 1 / (spacing * spacing * rise * (math.sqrt(3 / 4) if hexagonal else 1))
    expected = 4 / 3 * math.pi * cube(radius) * density
    refuse_too_many(expected)
    patterns = _patterns(room, spacing, hexagonal)
    layers = []
    for level in range(-half, half + 1):
        pattern = patterns[level % 2]
        across, up = pattern - middle[:2], level * rise
        kept = pattern[dot(across, across) <= radius * radius * (1 + 1e-9) - up * up]
        layers.append(np.column_stack([kept, np.full(len(kept), middle[2] + level * rise)]))
    position = np.concatenate(layers)
    return position[: wanted_of(source, len(position))]


def _patterns(room: Room, spacing: float, hexagonal: bool) -> tuple[FloatArray, FloatArray]:
    """Places (m, 2) in the even and in the odd layers."""
    extent = (room.upper - room.lower)[:2]
    refuse_too_many(float(np.prod(extent / spacing + 1)))
    row = spacing * math.sqrt(3) / 2 if hexagonal else spacing
    if room.rounded == "none":
        origin, counts = room.lower[:2], (_steps(extent[0], spacing) + 1, _steps(extent[1], row) + 1)
        first = (0, 0)
    else:
        # A place on the axis, so that even the narrowest column has one in each layer.
        half = (_steps(extent[0] / 2, spacing) + 1, _steps(extent[1] / 2, row) + 1)
        origin, counts = room.middle[:2], (2 * half[0] + 1, 2 * half[1] + 1)
        first = (-half[0], -half[1])
    i, j = (np.arange(counts[axis]) + first[axis] for axis in (0, 1))
    patterns = []
    for layer in range(2 if hexagonal else 1):
        x = i[:, None] * spacing + (((j + layer) % 2) * (spacing / 2) if hexagonal else 0 * j)
        y = np.broadcast_to(j * row + layer * spacing / math.sqrt(12), x.shape)
        patterns.append(np.column_stack([x.T.ravel(), y.T.ravel()]))
    if room.rounded == "none":
        fitting = [_within(pattern, extent) for pattern in patterns]
        # What is left over at the far sides is shared with the near ones.
        slack = extent - np.concatenate(fitting).max(axis=0)
        fitting = [pattern + slack / 2 + origin for pattern in fitting]
    else:
        limit = extent[0] / 2 * (1 + 1e-9)
        fitting = [pattern[norm(pattern) <= limit] + origin for pattern in patterns]
    return fitting[0], fitting[-1]


def _within(pattern: FloatArray, extent: FloatArray) -> FloatArray:
    return pattern[(pattern <= extent * (1 + 1e-9)).all(axis=1)]


def _steps(length: float, step: float) -> int:
    """Steps that fit into a length, the last bit forgiven."""
    return int(length / step * (1 + 1e-9) + 1e-9)
