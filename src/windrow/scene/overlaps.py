"""Refuses grains that start inside of each other: the first step would throw them apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import norm
from windrow.scene.arrays import BoolArray, FloatArray, IntArray
from windrow.scene.cells import near_pairs, near_pairs_between, size_classes
from windrow.scene.clumps import Clumps
from windrow.scene.data import SceneData, Source
from windrow.scene.grains import Ball, Block, Column, largest_radius, smallest_radius

TOLERATED = 0.5
"""Overlap that is let through, of the smaller radius; solvers push it apart gently."""

MOST_COMPARED_SOURCES = 2000


def refuse_overlaps(scene: SceneData, parts: list[dict[str, NDArray[Any]]]) -> None:
    """Raises a SceneError naming the sources, grains and overlap of the worst pair found."""
    if not parts:
        return
    begin = np.cumsum([0, *(len(part["radius"]) for part in parts)])
    suspects = np.concatenate(
        [part_suspects + start for part_suspects, start in zip(_suspects(scene, parts), begin, strict=False)]
    )
    if len(suspects) < 2:
        return
    position = np.concatenate([part["position"] for part in parts])[suspects]
    radius = np.concatenate([part["radius"] for part in parts])[suspects]
    clump = _clumps(scene, parts)[suspects]
    liquid = _liquid(scene, parts)[suspects]
    for i, j in _pairs_of_all_sizes(position, radius):
        apart = ((clump[i] < 0) | (clump[i] != clump[j])) & (liquid[i] == liquid[j])
        i, j = i[apart], j[apart]
        overlap = radius[i] + radius[j] - norm(position[i] - position[j])
        excess = overlap / np.minimum(radius[i], radius[j])
        if not len(excess) or excess.max() <= TOLERATED:
            continue
        worst = int(excess.argmax())
        ids = sorted(int(suspects[index[worst]]) for index in (i, j))
        sources = [int(np.searchsorted(begin, grain, side="right")) - 1 for grain in ids]
        smaller = min(radius[i[worst]], radius[j[worst]])
        first, second = (f"particles[{source}] ({scene.particles[source].kind})" for source in sources)
        where = first if first == second else f"{first} and {second}"
        at = ", ".join(f"{value:.4g}" for value in position[i[worst]])
        raise SceneError(
            f"{where}: grains {ids[0]} and {ids[1]} overlap by {overlap[worst]:.4g} m near ({at}), more than "
            f"half of the smaller radius {smaller:.4g} m; move them apart or make them smaller"
        )


def _liquid(scene: SceneData, parts: list[dict[str, NDArray[Any]]]) -> BoolArray:
    """Which particles are liquid: grains may be inside of it."""
    kinds = [scene.materials[source.material].liquid for source in scene.particles]
    return np.repeat(np.array(kinds, np.bool_), [len(part["radius"]) for part in parts])


def _clumps(scene: SceneData, parts: list[dict[str, NDArray[Any]]]) -> IntArray:
    """Which clump each grain belongs to, whose balls may overlap; −1: none."""
    found = []
    for index, (source, part) in enumerate(zip(scene.particles, parts, strict=True)):
        numbers = np.arange(len(part["radius"]))
        found.append(numbers // len(source.centers) + (index << 40) if isinstance(source, Clumps) else 0 * numbers - 1)
    return np.concatenate(found)


def _suspects(scene: SceneData, parts: list[dict[str, NDArray[Any]]]) -> Iterator[IntArray]:
    """Per source, the grains that can overlap at all: a filling does so only with what is near it."""
    lower = np.array([_corner(part, -1) for part in parts])
    upper = np.array([_corner(part, 1) for part in parts])
    for index, (source, part) in enumerate(zip(scene.particles, parts, strict=True)):
        count = len(part["radius"])
        if len(parts) > MOST_COMPARED_SOURCES or not _is_free_of_overlap(source):
            yield np.arange(count)
            continue
        meets = ((lower <= upper[index]) & (upper >= lower[index])).all(axis=1)
        meets[index] = False
        near: BoolArray = np.zeros(count, dtype=np.bool_)
        reach = part["radius"][:, None]
        for other in np.flatnonzero(meets):
            inside = (part["position"] + reach >= lower[other]) & (part["position"] - reach <= upper[other])
            near |= inside.all(axis=1)
        yield np.flatnonzero(near)


def _corner(part: dict[str, NDArray[Any]], side: int) -> FloatArray:
    if not len(part["radius"]):
        return np.full(3, -side * np.inf)
    reached = part["position"] + side * part["radius"][:, None]
    return np.asarray(reached.max(axis=0) if side > 0 else reached.min(axis=0))


def _is_free_of_overlap(source: Source) -> bool:
    if not isinstance(source, Block | Column | Ball):
        return False
    if source.packing in ("random", "dense"):
        return True
    largest, smallest = largest_radius(source.radius), smallest_radius(source.radius)
    closest = source.lattice_spacing - 2 * source.jitter * largest
    return closest >= 2 * largest - TOLERATED * smallest


def _pairs_of_all_sizes(position: FloatArray, radius: FloatArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Near pairs, searched by classes of sizes: one boulder must not widen the search of the sand."""
    classes = size_classes(radius)
    for number, larger in enumerate(classes):
        reach = 2 * radius[larger].max()
        for i, j in near_pairs(position[larger], reach):
            yield larger[i], larger[j]
        for smaller in classes[number + 1 :]:
            reach = radius[larger].max() + radius[smaller].max()
            for i, j in near_pairs_between(position[larger], position[smaller], reach):
                yield larger[i], smaller[j]
