"""Ground for a page: its heights once, coarse if it is large, and after that the tiles that change.

A description holds every q-th height, the last of each row and column included. A frame's block of tiles is

    count       uint32
    count times uint16 number along x, along y; float32 lowest height and range of heights, m; TILE² uint16 heights as
                shares of that range; TILE² uint8 soils

A page that has a tile draws it at full resolution. When time jumps, a page forgets all tiles and gets those it needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.scene.scene import Scene
from windrow.scene.soils import soil_named
from windrow.terrain.layers import TILE
from windrow.terrain.patches import Patches, Relief
from windrow.view.pool import Pool

MOST_NODES = 300_000
"""Heights of a description."""
TOP = 65535
ROW = np.dtype(
    [
        ("tile", "<u2", (2,)),
        ("low", "<f4"),
        ("size", "<f4"),
        ("height", "<u2", (TILE, TILE)),
        ("soil", "u1", (TILE, TILE)),
    ]
)


def ground_told(scene: Scene, relief: Relief, pool: Pool) -> dict[str, Any]:
    """What a page needs to know of the ground of an assembled scene."""
    nx, ny = relief.height.shape
    stride = 1
    while stride < TILE and (nx // stride + 2) * (ny // stride + 2) > MOST_NODES:
        stride *= 2
    rows, columns = (np.unique(np.append(np.arange(0, n, stride), n - 1)) for n in (nx, ny))
    soils = []
    for k, layer in enumerate(relief.terrain.layers_down()):
        name = relief.terrain.touched if k == 0 else layer.soil
        own = scene.materials[name].color if name in scene.materials else None
        soils.append({"name": layer.soil, "color": list(own or soil_named(layer.soil).color)})
    return {
        "position": relief.position.tolist(),
        "cell": relief.cell,
        "shape": [nx, ny],
        "tile": TILE,
        "stride": stride,
        "base": relief.base,
        "soils": soils,
        "nodes": [len(rows), len(columns)],
        "heights": pool.add(relief.height[np.ix_(rows, columns)]),
    }


def tiles_told(patches: Patches) -> bytes:
    """The block of tiles of a frame."""
    rows = np.zeros(len(patches), ROW)
    low = patches.height.min(axis=(1, 2), initial=np.inf) if len(patches) else np.zeros(0, np.float32)
    size = np.maximum(patches.height.max(axis=(1, 2), initial=-np.inf) - low, 1e-6) if len(patches) else low
    rows["tile"], rows["low"], rows["size"], rows["soil"] = patches.tile, low, size, patches.soil
    if len(patches):
        share = (patches.height - low[:, None, None]) / size[:, None, None]
        rows["height"] = np.rint(TOP * np.clip(share, 0.0, 1.0))
    return np.uint32(len(rows)).astype("<u4").tobytes() + rows.tobytes()
