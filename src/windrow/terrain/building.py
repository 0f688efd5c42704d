"""Heights of a terrain: flat, given, from a picture or a survey, or hills."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import FileFormatError, SceneError
from windrow.fixed_math import dot, tangent
from windrow.geometry.terms import F32
from windrow.scene.terrain import MOST_CELLS, Heap, Hills, Terrain, hole_in

PIXEL_SCALE, NO_DATA = 33550, 42113
"""Tags of a GeoTIFF: metres of a pixel along x, y, z; the value that stands for no data, as text."""
ROWS = 256
"""Rows of cells that are computed at once: temporaries stay small."""
FLAT = 1e-12


def heights_of(terrain: Terrain, base_dir: Path | str = ".") -> F32:
    """(nx, ny) heights above the terrain's position, m."""
    given = terrain.height
    if isinstance(given, str):
        heights = _from_file(terrain, Path(base_dir) / given)
    elif isinstance(given, Hills):
        heights = hills(given, terrain.cells(), terrain.cell)
    elif isinstance(given, np.ndarray):
        heights = given
    else:
        heights = np.full(terrain.cells(), given, np.float32)
    if terrain.lowest is not None:
        heights = heights - (heights.min() - heights.dtype.type(terrain.lowest))
    for heap in terrain.heaps:
        heights = heaped(heights, heap, terrain.cell)
    return np.array(heights, np.float32, order="C")


def heaped(heights: NDArray[Any], heap: Heap, cell: float) -> NDArray[Any]:
    """Heights with a cone or a ridge on them, where it is higher."""
    x, y = (cell * (np.arange(n) - 0.5 * (n - 1)) for n in heights.shape)
    first = np.array(heap.center)
    way = np.array(heap.end or heap.center) - first
    long = float(dot(way, way))
    dx, dy = x[:, None] - first[0], y[None, :] - first[1]
    share = np.clip((dx * way[0] + dy * way[1]) / long, 0.0, 1.0) if long > 0.0 else np.zeros((1, 1))
    dx, dy = dx - share * way[0], dy - share * way[1]
    # The top is level: it is heaped on the ground below the first place.
    i, j = (int(np.argmin(np.abs(places - at))) for places, at in zip((x, y), first, strict=True))
    top = float(heights[i, j]) + heap.height
    cone = top - float(tangent(np.deg2rad(heap.slope_deg))) * np.sqrt(dx * dx + dy * dy)
    return np.maximum(heights, cone.astype(heights.dtype))


# --- files ------------------------------------------------------------------------------------------------


def _from_file(terrain: Terrain, path: Path) -> NDArray[Any]:
    """Heights of a file, north up: its uppermost row has the largest y."""
    pixels, pixel, heights_given = _pixels(path)
    if not heights_given:
        low, high = terrain.height_range
        pixels = low + (high - low) * pixels
    holes = ~np.isfinite(pixels)
    if holes.any():
        raise SceneError(f"terrain.height: {path}: {hole_in(holes.T[:, ::-1])}")
    heights = np.ascontiguousarray(pixels[::-1].T)
    if terrain.size is None and pixel is None:
        wanted = heights.shape
    elif terrain.size is None:
        assert pixel is not None
        wanted = tuple(round(n * edge / terrain.cell) for n, edge in zip(heights.shape, pixel, strict=True))
    else:
        wanted = terrain.cells()
    if min(wanted) < 3 or wanted[0] * wanted[1] > MOST_CELLS:
        raise SceneError(
            f"terrain.cell: {terrain.cell:g} m makes {wanted[0]} × {wanted[1]} cells of {path.name}; at least 3 × 3 "
            f"and at most {MOST_CELLS} are needed"
        )
    return heights if wanted == heights.shape else _resampled(heights, wanted)


def _pixels(path: Path) -> tuple[NDArray[Any], tuple[float, float] | None, bool]:
    """Rows of a picture from north to south, the size of a pixel (m) if it says so, and whether they are heights."""
    from PIL import Image

    limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, MOST_CELLS
    try:
        with Image.open(path) as image:
            if image.format not in ("PNG", "TIFF"):
                raise FileFormatError(f"{path}: a {image.format} picture; heights come from a 16-bit PNG or a GeoTIFF")
            if image.mode not in ("L", "I", "F") and not image.mode.startswith("I;16"):
                raise FileFormatError(
                    f"{path}: {image.mode} pixels are no heights; save it with one channel of 8, 16 or 32 bits"
                )
            # In a survey numbers are heights; in a picture they are grey, from black to white.
            survey = image.format == "TIFF"
            tags = dict(image.tag_v2) if survey else {}  # type: ignore[attr-defined]
            mode = image.mode
            pixels = np.array(image)
    except FileNotFoundError:
        raise FileFormatError(f"{path}: there is no such file") from None
    except FileFormatError:
        raise
    except Exception as error:  # what Pillow's readers raise at damaged files is not one kind
        raise FileFormatError(f"{path}: cannot be read as a picture: {error}") from None
    finally:
        Image.MAX_IMAGE_PIXELS = limit
    if not survey:
        return pixels.astype(np.float64) / (255.0 if mode == "L" else 65535.0), None, False
    heights = pixels.astype(np.float32)
    heights[~_known(heights, str(tags.get(NO_DATA, "")).strip("\x00 "))] = np.nan
    scale = tags.get(PIXEL_SCALE)
    return heights, None if scale is None else (float(scale[0]), float(scale[1])), True


def _known(heights: F32, no_data: str) -> NDArray[np.bool_]:
    """Which heights are measured."""
    known = np.isfinite(heights)
    with suppress(ValueError):  # the file names none
        known &= heights != np.float32(no_data)
    return np.asarray(known)


def _resampled(heights: NDArray[Any], wanted: tuple[int, ...]) -> F32:
    """Linear between the middles of the given cells; beyond them as at the edge."""
    result = np.empty(wanted, np.float32)
    (i, u), (j, v) = (_between(n, m) for n, m in zip(heights.shape, wanted, strict=True))
    for begin in range(0, wanted[0], ROWS):
        row, part = i[begin : begin + ROWS, None], u[begin : begin + ROWS, None]
        low = heights[row, j] + part * (heights[row + 1, j] - heights[row, j])
        high = heights[row, j + 1] + part * (heights[row + 1, j + 1] - heights[row, j + 1])
        result[begin : begin + ROWS] = low + v * (high - low)
    return result


def _between(given: int, wanted: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For the middles of the wanted cells: the given cell before, and how far they are on the way to the next."""
    place = np.clip((np.arange(wanted) + 0.5) * (given / wanted) - 0.5, 0.0, given - 1.0)
    first = np.minimum(place.astype(np.int64), given - 2)
    return first, place - first


# --- hills ------------------------------------------------------------------------------------------------


def hills(settings: Hills, cells: tuple[int, int], cell: float) -> F32:
    """Hills as sums of smooth noise, between 0 and their height. The same for the same seed on every machine."""
    nx, ny = cells
    x = cell * (np.arange(nx) - 0.5 * (nx - 1))
    y = cell * (np.arange(ny) - 0.5 * (ny - 1))
    heights = np.zeros(cells, np.float64)
    length, share = settings.length, 1.0
    for octave in range(settings.octaves):
        if length < 2 * cell:
            break
        for begin in range(0, nx, ROWS):
            heights[begin : begin + ROWS] += share * _noise(
                x[begin : begin + ROWS] / length, y / length, settings.seed + 7919 * octave
            )
        length, share = 0.5 * length, settings.roughness * share
    low, high = heights.min(), heights.max()
    if high - low < FLAT:
        return np.zeros(cells, np.float32)
    return ((heights - low) * (settings.height / (high - low))).astype(np.float32)


def _noise(x: NDArray[Any], y: NDArray[Any], seed: int) -> NDArray[np.float64]:
    """Gradient noise with period about 1 at all pairs of x and y; zero at whole numbers, with smooth slopes."""
    i, j = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    u, v = (x - i)[:, None], (y - j)[None, :]
    corner = []
    for di in (0, 1):
        for dj in (0, 1):
            gx, gy = _gradient((i + di)[:, None], (j + dj)[None, :], seed)
            corner.append(gx * (u - di) + gy * (v - dj))
    fade_u, fade_v = _fade(u), _fade(v)
    low = corner[0] + fade_u * (corner[2] - corner[0])
    high = corner[1] + fade_u * (corner[3] - corner[1])
    return np.asarray(low + fade_v * (high - low))


def _fade(t: NDArray[Any]) -> NDArray[Any]:
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0)


def _gradient(i: NDArray[np.int64], j: NDArray[np.int64], seed: int) -> tuple[Any, Any]:
    """A slope between −1 and 1 along x and y for each whole place, by a hash of it."""
    key = (seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) & (2**64 - 1)
    mixed = i.astype(np.uint64) * np.uint64(0xD6E8FEB86659FD93) + j.astype(np.uint64) * np.uint64(0xA0761D6478BD642F)
    mixed = _mixed(mixed ^ np.uint64(key))
    low, high = mixed & np.uint64(0xFFFFFFFF), mixed >> np.uint64(32)
    return low.astype(np.float64) * (2.0 / 2**32) - 1.0, high.astype(np.float64) * (2.0 / 2**32) - 1.0


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each bit of the result depends on all bits of x."""
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return x ^ (x >> np.uint64(32))
