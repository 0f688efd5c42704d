"""Grains as they lie in a file: nine bytes each, and back.

Grains are in the order of cells, so that a block of them fills a small box. Places are 16 bits along each side of it:
steps of a micrometre for a block of centimetres.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.terms import F32
from windrow.kernel import device
from windrow.team import deal, parallel

F: Any = np.float32
PACKED = 256
"""Grains of a block"""
GONE = 255
"""Material of a grain that is gone"""
MOST_MATERIALS = 255
STEPS = F(65535.0)


class Packed(NamedTuple):
    """Some grains, packed."""

    box: F32
    """(blocks, 6) lowest corner and length of a step along each axis, m"""
    place: NDArray[np.uint16]
    """(n, 3) steps"""
    rank: NDArray[np.uint16]
    """(n,) rank of size in the lowest bits, then of colour"""
    kind: NDArray[np.uint8]
    """(n,) material; GONE"""


def room_for(grains: int) -> Packed:
    """Arrays for so many grains."""
    blocks = -(-grains // PACKED)
    return Packed(
        np.empty((blocks, 6), np.float32),
        np.empty((grains, 3), np.uint16),
        np.empty(grains, np.uint16),
        np.empty(grains, np.uint8),
    )


@device
def unpacked(packed, i):  # type: ignore[no-untyped-def]
    """Place of grain i, m."""
    b = i // PACKED
    return (
        packed.box[b, 0] + packed.box[b, 3] * F(packed.place[i, 0]),
        packed.box[b, 1] + packed.box[b, 4] * F(packed.place[i, 1]),
        packed.box[b, 2] + packed.box[b, 5] * F(packed.place[i, 2]),
    )


@parallel
def pack(team, grains, first, count, packed):  # type: ignore[no-untyped-def]
    """Packs grains `first` … `first + count − 1`; first is a multiple of PACKED."""
    x, y, z, look = grains.x, grains.y, grains.z, grains.look
    for block in deal(team, (count + PACKED - 1) // PACKED):
        begin, end = block * PACKED, min(count, block * PACKED + PACKED)
        x0, y0, z0 = F(np.inf), F(np.inf), F(np.inf)
        x1, y1, z1 = F(-np.inf), F(-np.inf), F(-np.inf)
        for k in range(begin, end):
            i = first + k
            if x[i] == x[i]:
                x0, y0, z0 = min(x0, x[i]), min(y0, y[i]), min(z0, z[i])
                x1, y1, z1 = max(x1, x[i]), max(y1, y[i]), max(z1, z[i])
        if x0 > x1:
            x0, y0, z0, x1, y1, z1 = F(0.0), F(0.0), F(0.0), F(0.0), F(0.0), F(0.0)
        s0, s1, s2 = (x1 - x0) / STEPS, (y1 - y0) / STEPS, (z1 - z0) / STEPS
        box = packed.box
        box[block, 0], box[block, 1], box[block, 2] = x0, y0, z0
        box[block, 3], box[block, 4], box[block, 5] = s0, s1, s2
        i0 = F(1.0) / s0 if s0 > F(0.0) else F(0.0)
        i1 = F(1.0) / s1 if s1 > F(0.0) else F(0.0)
        i2 = F(1.0) / s2 if s2 > F(0.0) else F(0.0)
        for k in range(begin, end):
            i = first + k
            there = x[i] == x[i]
            packed.place[k, 0] = np.uint16(min(np.rint((x[i] - x0) * i0), STEPS)) if there else np.uint16(0)
            packed.place[k, 1] = np.uint16(min(np.rint((y[i] - y0) * i1), STEPS)) if there else np.uint16(0)
            packed.place[k, 2] = np.uint16(min(np.rint((z[i] - z0) * i2), STEPS)) if there else np.uint16(0)
            packed.rank[k] = np.uint16(look[i] & np.uint32(0xFFFF))
            packed.kind[k] = (
                np.uint8((look[i] >> np.uint32(16)) & np.uint32(0xFF)) if there else np.uint8(GONE)
            )


def places(packed: Packed) -> NDArray[np.float32]:
    """(n, 3) m, of all of them."""
    box = np.repeat(packed.box, PACKED, axis=0)[: len(packed.kind)]
    return box[:, :3] + box[:, 3:] * packed.place.astype(np.float32)
