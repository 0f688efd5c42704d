"""Which grains the bonds of a scene join at the start."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import norm
from windrow.scene.arrays import FloatArray, IntArray
from windrow.scene.bonds import Bonds
from windrow.scene.cells import near_pairs
from windrow.scene.data import SceneData

MOST_BONDS = 50_000_000


def initial_bonds(scene: SceneData, grains: dict[str, NDArray[Any]], starts: IntArray) -> dict[str, NDArray[Any]]:
    """Bonds at the start, in the order of the scene, each pair of grains once.

    starts (sources + 1,): id of the first grain of each entry of `particles`.
    bond_first < bond_second (b,) ids; bond_group (b,) entry of `bonds`; bond_length (b,) m; bond_radius (b,) m.
    """
    position, radius = grains["position"], grains["radius"]
    pairs: list[IntArray] = []
    group: list[IntArray] = []
    for index, bonds in enumerate(scene.bonds):
        if bonds.pairs is not None:
            found = _given(index, bonds.pairs, len(position))
        else:
            found = _near(index, bonds, position, radius, starts)
        pairs.append(found)
        group.append(np.full(len(found), index, np.int64))
    joined = np.concatenate([*pairs, np.zeros((0, 2), np.int64)])
    groups = np.concatenate([*group, np.zeros(0, np.int64)])
    if len(joined) > MOST_BONDS:
        raise SceneError(f"bonds: {len(joined)} are more than {MOST_BONDS}; use a smaller `reach`")
    _refuse_repeated(joined, groups)
    first, second = joined[:, 0], joined[:, 1]
    ratio = np.array([bonds.radius_ratio for bonds in scene.bonds])
    return {
        "bond_first": first,
        "bond_second": second,
        "bond_group": groups,
        "bond_length": norm(position[first] - position[second]),
        "bond_radius": (ratio[groups] if len(groups) else np.zeros(0)) * np.minimum(radius[first], radius[second]),
    }


def _given(index: int, pairs: IntArray, count: int) -> IntArray:
    missing = np.flatnonzero(pairs.max(axis=1) >= count)
    if len(missing):
        raise SceneError(
            f"bonds[{index}].pairs[{missing[0]}]: grain {pairs[missing[0]].max()} does not exist; the scene starts "
            f"with {count} grains, numbered from 0"
        )
    return np.sort(pairs, axis=1)


def _near(index: int, bonds: Bonds, position: FloatArray, radius: FloatArray, starts: IntArray) -> IntArray:
    """All pairs of the source whose gap is within reach, in the order of ids."""
    begin, end = 0, int(starts[-1])
    if bonds.particles is not None:
        if bonds.particles >= len(starts) - 1:
            raise SceneError(
                f"bonds[{index}].particles: there is no particles[{bonds.particles}]; the scene has {len(starts) - 1} "
                "sources of grains, numbered from 0"
            )
        begin, end = int(starts[bonds.particles]), int(starts[bonds.particles + 1])
    x, r = position[begin:end], radius[begin:end]
    parts = [np.zeros((0, 2), np.int64)]
    widest = float(r.max(initial=0.0)) * (2.0 + bonds.reach)
    for i, j in near_pairs(x, widest) if len(x) else ():
        gap = norm(x[i] - x[j]) - (r[i] + r[j])
        # a lattice is not exact: grains that touch are bonded with reach = 0, too
        near = gap <= (bonds.reach + 1e-6) * np.minimum(r[i], r[j])
        parts.append(np.sort(np.stack([i[near], j[near]], axis=1), axis=1) + begin)
    found = np.concatenate(parts)
    if len(found) == 0:
        raise SceneError(
            f"bonds[{index}]: no two grains are within a gap of {bonds.reach:g} radii; give a larger `reach`, or "
            "`pairs`"
        )
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def _refuse_repeated(pairs: IntArray, groups: IntArray) -> None:
    if len(pairs) == 0:
        return
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    same = np.flatnonzero((np.diff(pairs[order], axis=0) == 0).all(axis=1))
    if len(same):
        one, other = order[same[0]], order[same[0] + 1]
        raise SceneError(
            f"bonds[{groups[other]}]: grains {pairs[one, 0]} and {pairs[one, 1]} are bonded already, by "
            f"bonds[{groups[one]}]; bond a pair once"
        )
