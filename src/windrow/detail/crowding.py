"""How evenly fine grains lie: which share of them is in cells that hold more than they should."""

from __future__ import annotations

import numpy as np

from windrow.detail.detail import Detail

AT_ONCE = 1 << 21


def crowded(detail: Detail, times: float = 1.3) -> float:
    """Share of the grains in cells that hold more than `times` what sand at rest holds.

    Cells have the side of a coarse particle, two of its radii; at rest one holds the grains of one particle.
    """
    radius = float(np.median(detail._carriers.radius))
    side = 2.0 * radius
    rest = detail.each * radius * radius * radius
    low = np.array([np.fmin.reduce(column[: detail.count]) for column in detail.grains[:3]], np.float64)
    high = np.array([np.fmax.reduce(column[: detail.count]) for column in detail.grains[:3]], np.float64)
    # the ground is a side of cells, so that none is cut by it
    low = np.floor(low / side) * side
    cells = np.floor((high - low) / side).astype(np.int64) + 1
    counts = np.zeros(int(np.prod(cells)), np.int64)
    for first in range(0, detail.count, AT_ONCE):
        some = np.stack([column[first : min(first + AT_ONCE, detail.count)] for column in detail.grains[:3]], axis=1)
        some = some[~np.isnan(some[:, 0])].astype(np.float64)
        at = np.floor((some - low) / side).astype(np.int64)
        counts += np.bincount((at[:, 2] * cells[1] + at[:, 1]) * cells[0] + at[:, 0], minlength=len(counts))
    return float(counts[counts > times * rest].sum() / max(counts.sum(), 1))
