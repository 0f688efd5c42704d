"""How bright each sample is: sun with soft shadows, sky with ambient occlusion, glass, grid and background.

All of it happens after visibility is known, so that hidden grains cost nothing.

* Shadows: parallel depth map from the sun. The mean distance of what stands in the way decides how soft the
  edge is, so shadows are sharp at contacts and soft far from them (Fernando, "Percentage-closer soft
  shadows", 2005). Depths are compared with the receiver's tangent plane; a sphere lies behind its tangent
  planes, so it never speckles.
* Ambient occlusion: what rises above the tangent plane nearby on the screen takes away sky, by the sine of
  its elevation and less with distance (after McGuire, Mara and Luebke, "Scalable ambient obscurance", 2012).
  Each sample of a 4 × 4 pattern looks to other places, and a mean over the pattern, within one surface,
  removes it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow import fixed_math
from windrow.fixed_kernels import sine_cosine
from windrow.fixed_math import norm, product, rotate
from windrow.kernel import device
from windrow.render.camera import PixelRays
from windrow.render.raster import (
    TILE,
    Floats,
    Ints,
    Triangles,
    tiles_of,
    triangle_depth,
)
from windrow.team import deal, parallel, parallel_counted

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)

# Linear red, green and blue of the light from each side, and of the background.
SUN = np.array([0.96, 0.91, 0.83], np.float32)
SKY = np.array([0.50, 0.54, 0.60], np.float32)
GROUND = np.array([0.26, 0.25, 0.235], np.float32)
HORIZON = np.array([0.86, 0.88, 0.885], np.float32)
ZENITH = np.array([0.50, 0.60, 0.71], np.float32)
OCCLUSION = np.float32(5.0)
"""Strength of ambient occlusion."""
WIDEST_LOOK = np.float32(200.0)
"""Samples on the screen within which ambient occlusion looks around."""
SUN_SIZE = np.float32(0.07)
"""Tangent of the sun's half angle: softness of a shadow's edge per distance of what casts it."""
SHADOW_BIAS = np.float32(1.5)
"""Texels by which a surface must lie behind another to be in its shadow."""
GRID_LINE = np.float32(0.006)
"""Half the width of a floor line, as a share of their distance."""
GRID_INK = np.float32(0.28)
PANE = np.float32(0.07)
"""Share of light that glass takes away when seen face on."""
PANE_RIM = np.float32(0.5)
"""What is added to it when seen edge on."""
PANE_LINE = np.float32(0.35)
"""Share of light that the creases and borders of glass take away."""
WIDEST_EDGE = np.float32(16.0)
"""Largest half-width of a shadow's edge, in texels of the depth map."""


class Seen(NamedTuple):
    """What each sample of a picture shows."""

    depth: Floats
    thing: Ints
    sky: Floats
    """share of the sky that the surroundings leave to it"""


class Scenery(NamedTuple):
    """What the samples may hit, in view axes, with its colours."""

    ball: Floats
    """(n, 4) grains."""
    edge: Floats
    """(m, 12) opaque triangles, those of soil first, the floors' last."""
    corner: Floats
    """(m, 9) corner normals times the weights of `Triangles`."""
    color: Floats
    """(n + m, 3) linear."""
    soil: NDArray[np.int64]
    """(1) how many of the triangles are soil, which does not shine."""
    floor: Floats
    """(f, 9) origin and two axes of each floor; floor j is triangles m − 2f + 2j and the next."""
    glass_start: NDArray[np.int64]
    glass_items: Ints
    """Panes listed for each tile, see `TileLists`."""
    glass_edge: Floats
    glass_corner: Floats
    glass_color: Floats
    glass_line: Floats
    """(g, 3) samples per unit of each edge function where the edge is drawn as a line; elsewhere huge."""


class Sun(NamedTuple):
    """The light and its depth map."""

    toward: Floats
    """(3) unit vector to the light in view axes."""
    turn: Floats
    """(3, 4) from view axes to the light's axes: rotation and shift."""
    depth: Floats
    texels: np.float32
    """Texels per metre."""


class Mood(NamedTuple):
    """Numbers that set how the picture looks."""

    up: Floats
    """(3) in view axes."""
    focus: Floats
    """(5) centre of the scene in view axes, distances at which the floor starts to fade and is gone, m."""
    grid: np.float32
    """Distance of the floor's lines, m."""
    reach: np.float32
    """Radius of ambient occlusion, m."""


def corner_weights(triangles: Triangles, view: PixelRays, normals: NDArray[np.float64]) -> Floats:
    """Corner normals (m, 3, 3) in world axes as the shading wants them."""
    return np.ascontiguousarray(
        (rotate(view.axes, normals) * triangles.weight[:, :, None]).reshape(-1, 9).astype(np.float32)
    )


def outline_scale(triangles: Triangles, view: PixelRays, outlined: NDArray[np.bool_]) -> Floats:
    """For each edge what turns its edge function into a distance in samples; huge where no line is wanted."""
    slope = norm(triangles.edge.reshape(-1, 4, 3)[:, :3, :2])
    return np.where(outlined, view.focal / np.maximum(slope, 1e-12), 1e12).astype(np.float32)


def sun_of(view: PixelRays, light: PixelRays, depth: Floats) -> Sun:
    """The light as seen in a view."""
    turn = np.empty((3, 4), np.float32)
    turn[:, :3] = product(light.axes, view.axes.T)
    turn[:, 3] = rotate(light.axes, view.eye - light.eye)
    toward = rotate(view.axes, -light.axes[2]).astype(np.float32)
    return Sun(toward, turn, depth, np.float32(light.focal))


def disc(points: int, power: float = 0.5) -> Floats:
    """Points of the unit disc on a golden-angle spiral: spread evenly, or for power 1 evenly in radius."""
    k = np.arange(points) + 0.5
    s, c = fixed_math.sine_cosine(k * math.pi * (3.0 - math.sqrt(5.0)))
    return np.asarray(fixed_math.power(k / points, power)[:, None] * np.stack([c, s], axis=1), np.float32)


def looks(points: int) -> Floats:
    """(16, points, 2): one disc dealt out to the 4 × 4 pattern, so that neighbours look to other places."""
    order = np.array([0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5])
    return np.ascontiguousarray(disc(16 * points, 1.0).reshape(points, 16, 2).transpose(1, 0, 2)[order])


def shaded(
    view: PixelRays, scenery: Scenery, sun: Sun, mood: Mood, depth: Floats, thing: Ints, supersample: int
) -> NDArray[np.uint8]:
    """The picture: means of `supersample`² samples, as display colours."""
    tiles, focal = tiles_of(view), np.float32(view.focal)
    sky = np.ones((view.height, view.width), np.float32)
    _see_sky(scenery, depth, thing, focal, mood.reach, looks(12), tiles, sky)
    image = np.empty((view.height // supersample, view.width // supersample, 3), np.uint8)
    tones = _display_table()
    _light_tiles(scenery, sun, mood, Seen(depth, thing, sky), focal, disc(16), tones, supersample, tiles, image)
    return image


def _display_table() -> NDArray[np.uint8]:
    """sRGB bytes for 4096 intensities, indexed by the square root of the intensity."""
    c = np.square(np.arange(4096) / 4095.0)
    shown = np.where(c <= 0.0031308, 12.92 * c, 1.055 * fixed_math.power(c, 1 / 2.4) - 0.055)
    return np.rint(255.0 * shown).astype(np.uint8)


@device
def _corner_normal(edge, corner, k, u, v):  # type: ignore[no-untyped-def]
    """Unit normal of triangle k at (u, v), turned toward the eye."""
    e0 = edge[k, 0] * u + edge[k, 1] * v + edge[k, 2]
    e1 = edge[k, 3] * u + edge[k, 4] * v + edge[k, 5]
    e2 = edge[k, 6] * u + edge[k, 7] * v + edge[k, 8]
    x = e0 * corner[k, 0] + e1 * corner[k, 3] + e2 * corner[k, 6]
    y = e0 * corner[k, 1] + e1 * corner[k, 4] + e2 * corner[k, 7]
    z = e0 * corner[k, 2] + e1 * corner[k, 5] + e2 * corner[k, 8]
    scale = _ONE / np.sqrt(max(x * x + y * y + z * z, np.float32(1e-30)))
    if x * u + y * v + z > _ZERO:
        scale = -scale
    return x * scale, y * scale, z * scale


@device
def _normal(ball, edge, corner, t, u, v, z):  # type: ignore[no-untyped-def]
    """Unit normal of thing t at depth z of the ray (u, v, 1)."""
    if t < ball.shape[0]:
        scale = _ONE / ball[t, 3]
        nx, ny, nz = (u * z - ball[t, 0]) * scale, (v * z - ball[t, 1]) * scale, (z - ball[t, 2]) * scale
    else:
        nx, ny, nz = _corner_normal(edge, corner, t - ball.shape[0], u, v)
    return nx, ny, nz


@parallel
def _see_sky(team,   # type: ignore[no-untyped-def]
    scenery, depth, thing, focal, reach, taps, order, sky
):
    """Share of the sky that the surroundings leave to each sample, still with the 4 × 4 pattern."""
    across, tiles, stride = order
    ball, edge, corner = scenery.ball, scenery.edge, scenery.corner
    height, width = depth.shape
    unit = _ONE / focal
    left, top = _HALF - _HALF * np.float32(width), _HALF - _HALF * np.float32(height)
    gain = OCCLUSION / np.float32(taps.shape[1])
    for n in deal(team, tiles):
        tile = (n * stride) % tiles
        x0, y0 = (tile % across) * TILE, (tile // across) * TILE
        for y in range(y0, min(y0 + TILE, height)):
            v = (np.float32(y) + top) * unit
            for x in range(x0, min(x0 + TILE, width)):
                t = thing[y, x]
                if t < 0:
                    continue
                u = (np.float32(x) + left) * unit
                z = depth[y, x]
                span = min(reach * focal / z, WIDEST_LOOK)
                if span < _TWO:
                    continue
                per_reach = focal / (span * z)
                nx, ny, nz = _normal(ball, edge, corner, t, u, v, z)
                pattern = (y & 3) * 4 + (x & 3)
                hidden = _ZERO
                for k in range(taps.shape[1]):
                    i = min(max(x + int(np.rint(taps[pattern, k, 0] * span)), 0), width - 1)
                    j = min(max(y + int(np.rint(taps[pattern, k, 1] * span)), 0), height - 1)
                    w = depth[j, i]
                    dx = ((np.float32(i) + left) * unit * w - u * z) * per_reach
                    dy = ((np.float32(j) + top) * unit * w - v * z) * per_reach
                    dz = (w - z) * per_reach
                    square = dx * dx + dy * dy + dz * dz
                    rise = dx * nx + dy * ny + dz * nz - np.float32(0.01)
                    if square < _ONE and rise > _ZERO:
                        hidden += (_ONE - square) * (_ONE - square) * rise / np.sqrt(square)
                sky[y, x] = max(_ZERO, _ONE - hidden * gain)


@device
def _sunlit(sun, taps, x, y, z, nx, ny, nz, turn_c, turn_s):  # type: ignore[no-untyped-def]
    """Share of the sun seen from a point with that normal (view axes)."""
    turn, depth, texels = sun.turn, sun.depth, sun.texels
    size = depth.shape[0]
    lx = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z + turn[0, 3]
    ly = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z + turn[1, 3]
    lz = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z + turn[2, 3]
    ax = turn[0, 0] * nx + turn[0, 1] * ny + turn[0, 2] * nz
    ay = turn[1, 0] * nx + turn[1, 1] * ny + turn[1, 2] * nz
    az = min(turn[2, 0] * nx + turn[2, 1] * ny + turn[2, 2] * nz, np.float32(-0.2))
    slope_x, slope_y = -ax / az, -ay / az
    column = lx * texels + _HALF * np.float32(size)
    row = ly * texels + _HALF * np.float32(size)
    bias = SHADOW_BIAS / texels
    lit = _ONE
    edge = WIDEST_EDGE
    # First pass: how far away are the things in between? Second pass: how much of the sun do they cover?
    for search in (True, False):
        blocked, away = _ZERO, _ZERO
        first = 1 if search else 0
        step = 2 if search else 1
        tried = _ZERO
        for k in range(first, taps.shape[0], step):
            i = int(np.floor(column + (taps[k, 0] * turn_c - taps[k, 1] * turn_s) * edge))
            j = int(np.floor(row + (taps[k, 0] * turn_s + taps[k, 1] * turn_c) * edge))
            tried += _ONE
            if i >= 0 and j >= 0 and i < size and j < size:
                dx = (np.float32(i) + _HALF - column) / texels
                dy = (np.float32(j) + _HALF - row) / texels
                gap = lz + slope_x * dx + slope_y * dy - bias - depth[j, i]
                if gap > _ZERO:
                    blocked += _ONE
                    away += gap
        if blocked == _ZERO:
            lit = _ONE
            break
        lit = _ONE - blocked / tried
        edge = min(max(SUN_SIZE * away / blocked * texels, np.float32(1.3)), edge)
    return lit


@device
def _floor_line(floor, f, grid, x, y, z, footprint):  # type: ignore[no-untyped-def]
    """How much of a sample's footprint (m) on floor f is covered by grid lines."""
    px, py, pz = x - floor[f, 0], y - floor[f, 1], z - floor[f, 2]
    covered = _ZERO
    for axis in range(2):
        s = px * floor[f, 3 + 3 * axis] + py * floor[f, 4 + 3 * axis] + pz * floor[f, 5 + 3 * axis]
        off = abs(s - grid * np.rint(s / grid))
        half = GRID_LINE * grid
        wide = half + footprint
        share = min(_ONE, max(_ZERO, (wide - off) / footprint)) * half / max(half, footprint)
        covered = max(covered, share)
    return covered * max(_ZERO, _ONE - np.float32(2.0) * footprint / grid)


@device
def _open_sky(depth, sky, reach, x, y):  # type: ignore[no-untyped-def]
    """Mean of `sky` over the 4 × 4 pattern, without samples of other surfaces."""
    z = depth[y, x]
    weight, seen = np.float32(1e-6), np.float32(1e-6)
    for j in range(max(y - 2, 0), min(y + 2, depth.shape[0])):
        for i in range(max(x - 2, 0), min(x + 2, depth.shape[1])):
            near = max(_ZERO, reach - np.float32(3.0) * abs(depth[j, i] - z))
            weight += near
            seen += near * sky[j, i]
    return seen / weight


@device
def _spin(x, y):  # type: ignore[no-untyped-def]
    """Cosine and sine of an angle per sample: interleaved gradient noise (Jimenez, 2014)."""
    noise = np.float32(0.06711056) * np.float32(x) + np.float32(0.00583715) * np.float32(y)
    noise = np.float32(52.9829189) * (noise - np.floor(noise))
    angle = np.float32(6.2831853) * (noise - np.floor(noise))
    s, c = sine_cosine(np.float64(angle))
    return np.float32(c), np.float32(s)


@device
def _glint(toward, u, v, nx, ny, nz):  # type: ignore[no-untyped-def]
    """Highlight of a smooth solid: the 24th power of the cosine between normal and half-way direction."""
    ray = _ONE / np.sqrt(u * u + v * v + _ONE)
    hx, hy, hz = toward[0] - u * ray, toward[1] - v * ray, toward[2] - ray
    size = np.sqrt(max(hx * hx + hy * hy + hz * hz, np.float32(1e-12)))
    c = max(_ZERO, nx * hx + ny * hy + nz * hz) / size
    c = c * c * c
    c = c * c
    c = c * c
    return c * c


@device
def _far_share(focus, x, y, z):  # type: ignore[no-untyped-def]
    """How much of a floor has faded into the background."""
    dx, dy, dz = x - focus[0], y - focus[1], z - focus[2]
    far = (np.sqrt(dx * dx + dy * dy + dz * dz) - focus[3]) / (focus[4] - focus[3])
    far = min(_ONE, max(_ZERO, far))
    return far * far * (np.float32(3.0) - _TWO * far)


@device
def _pane_cover(scenery, g, u, v, slant, line):  # type: ignore[no-untyped-def]
    """Share of light that pane g takes away; `slant` is the cosine of view, `line` the width of creases."""
    rim = _ONE - slant
    cover = PANE + PANE_RIM * rim * rim * rim
    edge = scenery.glass_edge
    for i in range(3):
        away = edge[g, 3 * i] * u + edge[g, 3 * i + 1] * v + edge[g, 3 * i + 2]
        if away * scenery.glass_line[g, i] < line:
            cover = max(cover, PANE_LINE)
    return cover


@parallel_counted
def _light_tiles(team,   # type: ignore[no-untyped-def]
    scenery, sun, mood, seen, focal, taps, table, supersample, order, image
):
    depth, thing, sky = seen
    across, tiles, stride = order
    ball, edge, corner, color = scenery.ball, scenery.edge, scenery.corner, scenery.color
    toward, up = sun.toward, mood.up
    height, width = depth.shape
    unit = _ONE / focal
    left, top = _HALF - _HALF * np.float32(width), _HALF - _HALF * np.float32(height)
    share = _ONE / np.float32(supersample * supersample)
    floors_from = color.shape[0] - 2 * scenery.floor.shape[0]
    line = np.float32(0.7 * supersample)
    for n in deal(team, tiles):
        tile = (n * stride) % tiles
        x0, y0 = (tile % across) * TILE, (tile // across) * TILE
        total, rgb, veil = np.empty(3, np.float32), np.empty(3, np.float32), np.empty(3, np.float32)
        for row in range(y0 // supersample, min(y0 + TILE, height) // supersample):
            for column in range(x0 // supersample, min(x0 + TILE, width) // supersample):
                total[:] = _ZERO
                for sample in range(supersample * supersample):
                    y = row * supersample + sample // supersample
                    x = column * supersample + sample % supersample
                    u, v = (np.float32(x) + left) * unit, (np.float32(y) + top) * unit
                    ray = _ONE / np.sqrt(u * u + v * v + _ONE)
                    z, t = depth[y, x], thing[y, x]

                    fall = np.float32(y) / np.float32(height)
                    fall = fall * (_TWO - fall)
                    for k in range(3):
                        rgb[k] = ZENITH[k] + (HORIZON[k] - ZENITH[k]) * fall

                    if t >= 0:
                        px, py = u * z, v * z
                        nx, ny, nz = _normal(ball, edge, corner, t, u, v, z)
                        open_sky = _open_sky(depth, sky, mood.reach, x, y)
                        sunny = max(_ZERO, nx * toward[0] + ny * toward[1] + nz * toward[2])
                        if sunny > _ZERO:
                            c, s = _spin(x, y)
                            sunny *= _sunlit(sun, taps, px, py, z, nx, ny, nz, c, s)
                        above = _HALF + _HALF * (nx * up[0] + ny * up[1] + nz * up[2])
                        fade, shine, ink = _ZERO, _ZERO, _ZERO
                        if t >= floors_from:
                            fade = _far_share(mood.focus, px, py, z)
                            slant = max(-(nx * u + ny * v + nz) * ray, np.float32(0.02))
                            f = (t - floors_from) // 2
                            wide = z * unit / slant
                            ink = GRID_INK * _floor_line(scenery.floor, f, mood.grid, px, py, z, wide)
                        elif t >= ball.shape[0] + scenery.soil[0]:
                            shine = np.float32(0.25) * sunny * _glint(toward, u, v, nx, ny, nz)
                        for k in range(3):
                            bright = (GROUND[k] + (SKY[k] - GROUND[k]) * above) * open_sky
                            bright += SUN[k] * sunny * (np.float32(0.6) + np.float32(0.4) * open_sky)
                            surface = color[t, k] * (_ONE - ink) * bright + shine
                            rgb[k] = surface + (rgb[k] - surface) * fade

                    # Panes mix without an order: their mean colour veils what is behind all of them.
                    through, covers = _ONE, np.float32(1e-9)
                    veil[:] = _ZERO
                    for item in range(scenery.glass_start[tile], scenery.glass_start[tile + 1]):
                        g = scenery.glass_items[item]
                        if triangle_depth(scenery.glass_edge, g, u, v, False) < z:
                            nx, ny, nz = _corner_normal(scenery.glass_edge, scenery.glass_corner, g, u, v)
                            cover = _pane_cover(scenery, g, u, v, -(nx * u + ny * v + nz) * ray, line)
                            sunny = max(_ZERO, nx * toward[0] + ny * toward[1] + nz * toward[2])
                            through *= _ONE - cover
                            covers += cover
                            for k in range(3):
                                glow = np.float32(0.75) + np.float32(0.35) * sunny
                                veil[k] += cover * glow * scenery.glass_color[g, k]
                    for k in range(3):
                        total[k] += rgb[k] * through + veil[k] / covers * (_ONE - through)
                for k in range(3):
                    level = min(_ONE, max(_ZERO, total[k] * share))
                    image[row, column, k] = table[int(np.sqrt(level) * np.float32(4095.0) + _HALF)]
