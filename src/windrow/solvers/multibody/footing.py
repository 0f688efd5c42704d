"""What the footprints of tracks stand on, looked for once a step.

On ground of heights, it is a plane through the mean of some heights below the footprint: single cells, which are
smaller than a shoe, do not jolt it. On everything else it is the nearest surface.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from windrow.geometry.distance import closest
from windrow.geometry.height import beyond_edge, ground_under
from windrow.geometry.kinds import HEIGHT_FIELD, KIND
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F64, I32, Point
from windrow.kernel import inner, kernel
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.touch import in_body, in_world
from windrow.solvers.multibody.tracks import COHESION, SHEAR_LENGTH, TANGENT, Tracks
from windrow.solvers.multibody.vectors import cross, minus, row, times, turned_by

REACH = 0.3
"""m above or below ground within which a footprint feels it"""
AHEAD, ASIDE = 0.25, 0.3
"""How far from its middle, over its length and width, heights below a footprint are taken: what is beside does not
carry."""
STEEPEST = 3.0
"""Slope of the ground below a footprint at most, as a tangent."""


@inner
def mean_ground(place: Point, along: Point, left: Point, long: float, wide: float, param: F64, numbers: F64, s: int):  # type: ignore[no-untyped-def]
    """Distance and normal of the plane below a footprint, in the frame of height field s."""
    total, rise_along, rise_across = 0.0, 0.0, 0.0
    for a in range(-1, 2, 2):
        for b in range(-1, 2):
            x = place[0] + AHEAD * a * long * along[0] + ASIDE * b * wide * left[0]
            y = place[1] + AHEAD * a * long * along[1] + ASIDE * b * wide * left[1]
            height, _, _ = ground_under(x, y, param, numbers, s)
            total += height
            rise_along += a * height
            rise_across += b * height
    # Slopes along the two directions over ground; then those along x and y.
    p = rise_along / (6.0 * AHEAD * long)
    q = rise_across / (4.0 * ASIDE * wide)
    det = along[0] * left[1] - along[1] * left[0]
    if abs(det) < 0.1:
        return place[2] - total / 6.0, (0.0, 0.0, 1.0)
    sx = (p * left[1] - q * along[1]) / det
    sy = (q * along[0] - p * left[0]) / det
    steep = sqrt(sx * sx + sy * sy)
    if steep > STEEPEST:
        sx, sy = sx * STEEPEST / steep, sy * STEEPEST / steep
    length = sqrt(1.0 + sx * sx + sy * sy)
    return (place[2] - total / 6.0) / length, (-sx / length, -sy / length, 1.0 / length)


@inner
def look_below(tracks, f, b, s, motion, body, fields, filters, stack):  # type: ignore[no-untyped-def]
    """Gap between footprint f and obstacle s, and its normal in the world; `b` is the obstacle, `body` the frame."""
    param, numbers = fields.param, fields.numbers
    local = in_body(motion, b, row(tracks.place, f))
    if int(param[s, KIND]) == HEIGHT_FIELD:
        if beyond_edge(local[0], local[1], param, s):
            return 1e30, (0.0, 0.0, 1.0)
        t = tracks.track[f]
        along = turned_by(motion.R, body, row(tracks.forward, f))
        left = turned_by(motion.R, body, row(tracks.across, t))
        R = motion.R[b]
        along = (
            R[0, 0] * along[0] + R[1, 0] * along[1] + R[2, 0] * along[2],
            R[0, 1] * along[0] + R[1, 1] * along[1] + R[2, 1] * along[2],
            0.0,
        )
        left = (
            R[0, 0] * left[0] + R[1, 0] * left[1] + R[2, 0] * left[2],
            R[0, 1] * left[0] + R[1, 1] * left[1] + R[2, 1] * left[2],
            0.0,
        )
        shift = tracks.inset[f]
        middle = (local[0] + shift * along[0], local[1] + shift * along[1], local[2])
        gap, normal = mean_ground(middle, along, left, tracks.size[f, 0], tracks.size[f, 1], param, numbers, s)
        return gap, times(R, normal)
    d, nx, ny, nz, _, _, _ = closest(param, numbers, s, local, REACH, filters, 0, 0.0, stack)
    return d, times(motion.R[b], (nx, ny, nz))


@kernel
def find_footing(tracks: Tracks, frame: I32, motion: Motion, fields: ShapeTable, bodies: int, stack: I32) -> None:
    """What each footprint stands on; `frame` (t,) body of each track, `bodies`: how many come before the obstacles."""
    filters = np.empty((1, 4))
    tracks.total[:] = 0.0
    for f in range(tracks.track.shape[0]):
        t = tracks.track[f]
        body = frame[t]
        place = in_world(motion, body, row(tracks.point, f))
        tracks.place[f, 0], tracks.place[f, 1], tracks.place[f, 2] = place
        best, found = REACH, -1
        normal = (0.0, 0.0, 1.0)
        for s in range(fields.param.shape[0]):
            gap, n = look_below(tracks, f, bodies + s, s, motion, body, fields, filters, stack)
            if gap < best and gap > -REACH:
                best, found, normal = gap, s, n
        tracks.obstacle[f], tracks.gap[f] = found, best
        tracks.normal[f, 0], tracks.normal[f, 1], tracks.normal[f, 2] = normal
        if found < 0:
            continue
        b = bodies + found
        arm = minus(place, row(motion.x, b))
        turning = cross((motion.V[b, 3], motion.V[b, 4], motion.V[b, 5]), arm)
        for k in range(3):
            tracks.drag[f, k] = motion.V[b, k] + turning[k]
        law = tracks.law[f]
        if found == tracks.terrain[0] and tracks.soil[f, SHEAR_LENGTH] > 0.0:
            law[COHESION], law[TANGENT] = tracks.soil[f, COHESION], tracks.soil[f, TANGENT]
            law[SHEAR_LENGTH] = tracks.soil[f, SHEAR_LENGTH]
        else:
            law[COHESION], law[TANGENT] = 0.0, tracks.friction[t, found]
            law[SHEAR_LENGTH] = tracks.numbers[t, 1]
