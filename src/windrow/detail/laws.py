"""The equations of fine grains, after Ihmsen, Wahl and Teschner (2013), section 4, and where they are changed.

Numbers in brackets are those of the paper. Lengths are in radii of the coarse particle that each weight belongs to.

The paper lets a grain fall freely, in part, where the largest weight is at most w(r): that holds for 48 % of the inside
of a full lattice, and half of the sand sinks through itself. Here a grain is free where it lies outside the surface of
the coarse particles: further than `limit` from the mean place of those around it. Inside, the particles around a grain
pull their mean to where the grain is, however they lie. A grain with one particle alone is free there with 1 − w, so
that particles that fly keep their grains in clumps; here it is free wholly, and comes to be so without a jump.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.kernel import device

F: Any = np.float32
SUPPORT = 3.0
"""Reach of a coarse particle over its radius, h_HR = 3 r_LR"""
LONE, ALONE = F(0.6), F(0.85)
"""Shares of all weight that one particle has: from the first on a grain begins to be free, from the second on it is. A
particle that flies alone does not hold its grains together"""
LIMIT, LIMIT_SPREAD = F(1.0), F(0.35)
"""Distances from the mean place of the particles around, over their radius, at which grains begin to be free: from
LIMIT to LIMIT + LIMIT_SPREAD, another one for each grain, so that no smooth skin shows"""
RAMP = F(0.3)
"""Further distance over which a grain comes to be wholly free, so that none jumps"""
NO_WEIGHT = F(1e-9)


@device
def weight(square, inverse):  # type: ignore[no-untyped-def]
    """(23) w = max(0, 1 − d²/h²)³; square: d², inverse: 1/h²."""
    t = max(F(0.0), F(1.0) - square * inverse)
    return t * t * t


@device
def freedom(total, most, offset, limit):  # type: ignore[no-untyped-def]
    """α of (25): 0, carried by the particles around, to 1, falling alone.

    total, most: sum and largest of the weights; offset: distance to their mean place, in radii.
    """
    outside = min(max((offset - limit) / RAMP, F(0.0)), F(1.0))
    lone = min(max((most / total - LONE) / (ALONE - LONE), F(0.0)), F(1.0))
    return max((F(1.0) - most) * outside, lone)


@device
def limit_of(look):  # type: ignore[no-untyped-def]
    """Where a grain begins to be free, by bits that have nothing to do with its size and colour."""
    # in 64 bits, as Numba multiplies, and only the lower 32 of them
    bits = (np.uint64(look) * np.uint64(0x9E3779B1)) & np.uint64(0xFFFFFFFF)
    return LIMIT + LIMIT_SPREAD * F(bits >> np.uint64(23)) / F(512.0)


@device
def blended(alpha, carried, own, gravity, dt):  # type: ignore[no-untyped-def]
    """(25) along one axis: the velocity at the end of a step, and the mean velocity in it, (26).

    The paper moves grains with the velocity at the end. The mean makes free flight the exact parabola.
    """
    ahead = (F(1.0) - alpha) * carried + alpha * (own + dt * gravity)
    mean = (F(1.0) - alpha) * carried + alpha * (own + F(0.5) * dt * gravity)
    return ahead, mean
