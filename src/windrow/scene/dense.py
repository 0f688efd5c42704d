"""Dense random places: grains that touch each other at rest, cut from copies of a brick."""

from __future__ import annotations

import numpy as np

from windrow.errors import SceneError
from windrow.scene.arrays import FloatArray
from windrow.scene.brick import SPREAD, Brick, brick_of, grains_in
from windrow.scene.grains import Grading, RadiusRange, largest_radius
from windrow.scene.rooms import Filling, room_of, wanted_of

LEFT_OUT = 0.05
"""Of a mean radius, at each side: how many grains a space holds varies with where the brick begins; so much smaller a
space always has its mean number."""
MOST_BEGINNINGS = 1000
ROUNDED = 1e-3
"""Relative error of a range that was meant to be that of the mixed brick."""


def densely_packed(source: Filling, random: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Centres (n, 3) and radii (n,), m, from below upwards; how many depends on the space alone."""
    brick, mean = _scaled_brick(source.radius)
    room, largest = room_of(source), largest_radius(source.radius)
    room.shrunk(largest)
    fitting = int(min(room.inner_volume((1 + LEFT_OUT) * mean) / mean / mean / mean * brick.density, 1e18))
    if fitting < 1:
        raise SceneError(
            "a dense packing has no grain for a space hardly larger than one; make the space larger, or use "
            'packing = "random"'
        )
    wanted = wanted_of(source, fitting)
    height = float(room.upper[2] - room.lower[2])
    needed = height
    if room.rounded != "all":
        needed = min(height, height * wanted / fitting + 4 * largest)
    for _ in range(MOST_BEGINNINGS):
        filled = room.up_to(needed)
        grains = grains_in(brick, mean, filled.lower, filled.upper, random.random(3) * brick.edge * mean)
        inside = np.flatnonzero(filled.contains(grains.position, grains.radius))
        if len(inside) >= wanted:
            break
        needed = min(height, 1.3 * needed)
    else:
        raise SceneError(f"only {len(inside)} of {wanted} grains found room; make the space larger")
    upwards = inside[np.argsort(grains.position[inside, 2], kind="stable")][:wanted]
    return grains.position[upwards], grains.radius[upwards]


def _scaled_brick(radius: float | RadiusRange | Grading) -> tuple[Brick, float]:
    """The brick with these radii, and its mean radius, m."""
    if isinstance(radius, float):
        return brick_of("even"), radius
    if isinstance(radius, RadiusRange):
        mean = 0.5 * (radius.min + radius.max)
        if radius.min == radius.max:
            return brick_of("even"), mean
        if abs(radius.max / mean - 1 - SPREAD) < ROUNDED:
            return brick_of("mixed"), mean
        found = f"from {radius.min:g} to {radius.max:g} m"
    else:
        mean, found = float(radius.radii.mean()), "of a grading"
    nearest = f"{{min = {(1 - SPREAD) * mean:.4g}, max = {(1 + SPREAD) * mean:.4g}}}"
    raise SceneError(
        f"dense packings have one radius, or radii within {SPREAD:.0%} of their mean, but those here are {found}; "
        f'use one radius, radius = {nearest}, or packing = "random"'
    )
