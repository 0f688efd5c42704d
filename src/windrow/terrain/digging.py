"""A step of one tool in the ground, in one call: where it is, what it cuts and carries, and what that takes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_kernels import sine_cosine
from windrow.geometry.terms import F32, F64, I64
from windrow.kernel import bare_inner, bare_kernel
from windrow.terrain.cutting import (
    AHEAD_WEIGHT,
    COT_SLIP,
    CREEP,
    DEAD_LOAD,
    DEPTH,
    FILL,
    FLOOR,
    FRICTION,
    INERTIA,
    IS_BUCKET,
    LOAD,
    PARTS,
    RAKE,
    SHARE,
    UNDERSIDE,
    Cut,
    LaidHeights,
    Plate,
    find_cut,
    heading_of,
    surface_at,
)
from windrow.terrain.earthmoving import TERMS
from windrow.terrain.field import ACROSS, ALONG, IN_LOAD, UP, Haul, cut_way, note_wall, press_floor, unload
from windrow.terrain.layers import CELL, GRAVITY, MASS_UNIT, TILE, Columns

MARGIN = 4.0
"""Cells around a tool that are kept ready."""

FORCES, EQUATION = 0, 3 * PARTS
TOLD_DEPTH, TOLD_RAKE, TOLD_SLIP, TOLD_MASS, TOLD_VOLUME, TOLD_MOMENT = (EQUATION + 3 * TERMS + k for k in range(6))
TOLD_VELOCITY, TOLD_MEAN = TOLD_MOMENT + 3, TOLD_MOMENT + 6
TOLD = TOLD_MEAN + 2
"""A row of readings: parts of the force (N), terms of the equation (N), mean depth (m), rake (rad), cot β, mass (kg)
and loose volume (m³) of the load, moment of the force about the carrier's origin (N m), velocity of the load (m/s), and
running means of the draft and of what the equation says of it (N)."""


class Local(NamedTuple):
    """A tool in the frame of what carries it."""

    edge: F64
    top: F64
    direction: F64
    centre: F64
    """(2, 3) of the load, empty, and how it moves until it is full, m"""


def plate_with_room(numbers: F64) -> Plate:
    return Plate(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros(3), np.zeros((2, 3)), numbers.copy())


@bare_inner
def _world(pose: F64, k: int, origin: F64, p: F64, out: F64) -> None:
    for a in range(3):
        out[a] = pose[k, 9 + a] - origin[a]
        for b in range(3):
            out[a] += pose[k, 3 * a + b] * p[b]


@bare_inner
def place(local: Local, pose: F64, k: int, origin: F64, plate: Plate) -> None:
    """Puts a plate where the pose with number k says; `origin`: the terrain's position."""
    for e in range(2):
        _world(pose, k, origin, local.edge[e], plate.edge[e])
        _world(pose, k, origin, local.top[e], plate.top[e])
    for a in range(3):
        plate.direction[a] = 0.0
        for b in range(3):
            plate.direction[a] += pose[k, 3 * a + b] * local.direction[b]


@bare_inner
def carry(columns: Columns, plate: Plate, dug: Haul) -> float:
    """Tells the plate what it carries; returns its mass, kg."""
    mass = 0.0
    for k in range(len(dug.load)):
        mass += dug.load[k] * columns.numbers[MASS_UNIT]
    weight = mass * columns.numbers[GRAVITY]
    bucket = plate.numbers[IS_BUCKET] > 0.0
    plate.numbers[LOAD] = weight if bucket else 0.0
    plate.numbers[AHEAD_WEIGHT] = 0.0 if bucket else weight
    return mass


@bare_inner
def _missing(columns: Columns, before: Plate, plate: Plate, box: I64) -> bool:
    """Whether tiles near the tool are not in memory; box: their first and the one after the last along x and y."""
    nx, ny, cell = columns.height.shape[0] - 2, columns.height.shape[1] - 2, columns.numbers[CELL]
    wide = MARGIN * cell + plate.numbers[FLOOR]
    tiles = columns.slot.shape
    for a in range(2):
        n = nx if a == 0 else ny
        low = min(before.edge[0, a], before.edge[1, a], plate.edge[0, a], plate.edge[1, a]) - wide
        high = max(before.edge[0, a], before.edge[1, a], plate.edge[0, a], plate.edge[1, a]) + wide
        first = int(np.floor((low / cell + 0.5 * n) / TILE))
        last = int(np.floor((high / cell + 0.5 * n) / TILE))
        box[2 * a], box[2 * a + 1] = max(first, 0), min(last + 1, tiles[a])
    for i in range(box[0], box[1]):
        for j in range(box[2], box[3]):
            if columns.slot[i, j] < 0:
                return True
    return False


@bare_inner
def _stand(columns: Columns, laid: LaidHeights, plate: Plate, cut: Cut) -> tuple[float, float]:
    """Mean depth of the edge, and its gap above the ground where it is not in it, m."""
    many = cut.many[0]
    if many == 0:
        return 0.0, 0.0
    depth = 0.0
    for k in range(many):
        depth += cut.slices[k, DEPTH] / many
    gap = 0.0
    if depth == 0.0:
        gap = 1e9
        hx, hy, _ = heading_of(plate)
        for e in range(3):
            last, first = 0.5 * e, 1.0 - 0.5 * e
            x = first * plate.edge[0, 0] + last * plate.edge[1, 0]
            y = first * plate.edge[0, 1] + last * plate.edge[1, 1]
            z = first * plate.edge[0, 2] + last * plate.edge[1, 2]
            surface = surface_at(columns, laid, x + columns.numbers[CELL] * hx, y + columns.numbers[CELL] * hy)
            if np.isfinite(surface):
                gap = min(gap, max(z - surface, 0.0))
    return depth, gap


@bare_kernel
def work(
    columns: Columns, cavity: F64, tile_mass: I64, local: Local, pose: F64, origin: F64, before: Plate, plate: Plate,
    dug: Haul, cut: Cut, told: F64, dt: float,
) -> int:  # fmt: skip
    """Digs on the way from one pose to the next; returns 1, with nothing done, where tiles have to be opened first.

    pose (2, 12): rotation, row by row, and position at the begin and the end of the step.
    """
    place(local, pose, 0, origin, before)
    place(local, pose, 1, origin, plate)
    if _missing(columns, before, plate, dug.box):
        return 1
    for e in range(2):
        for a in range(3):
            plate.velocity[e, a] = (plate.edge[e, a] - before.edge[e, a]) / dt
    cut_way(columns, tile_mass, before, plate, dug)
    press_floor(columns, tile_mass, plate, dug, True)
    floor = (dug.numbers[UP], dug.numbers[ALONG], dug.numbers[ACROSS])
    carry(columns, plate, dug)
    laid = LaidHeights(columns.borne[:0], dug.box)
    find_cut(columns, cavity, plate, laid, cut)
    depth, gap = _stand(columns, laid, plate, cut)
    unload(columns, tile_mass, plate, dug, depth, gap, dt)
    mass = carry(columns, plate, dug)
    _bear(plate, cut, floor)
    _tell(columns, local, pose, origin, plate, dug, cut, (mass, dt), told)
    note_wall(columns, plate, dug.wall)
    return 0


@bare_inner
def _bear(plate: Plate, cut: Cut, floor: tuple[float, float, float]) -> None:
    """Adds what the ground bears under the floor, with its friction against the motion."""
    up, along, across = floor
    if up <= 0.0:
        return
    hx, hy, length = heading_of(plate)
    v = plate.velocity
    vx, vy = 0.5 * (v[0, 0] + v[1, 0]), 0.5 * (v[0, 1] + v[1, 1])
    speed = np.sqrt(vx * vx + vy * vy)
    sine, cosine = sine_cosine(plate.numbers[FRICTION])
    rub = up * sine / cosine / max(speed, CREEP)
    force = (-rub * vx, -rub * vy, up)
    for a in range(3):
        cut.force[UNDERSIDE, a] += force[a]
    ex, ey = (plate.edge[1, 0] - plate.edge[0, 0]) / length, (plate.edge[1, 1] - plate.edge[0, 1]) / length
    x, y = (along * ex - across * hx) / up, (along * ey - across * hy) / up
    cut.moment[UNDERSIDE, 0] += y * force[2]
    cut.moment[UNDERSIDE, 1] -= x * force[2]
    cut.moment[UNDERSIDE, 2] += x * force[1] - y * force[0]


@bare_inner
def _tell(columns, local, pose, origin, plate, dug, cut, amount, told):  # type: ignore[no-untyped-def]
    """Writes the readings of the step, the load's weight and inertia among them."""
    mass, dt = amount
    told[TOLD_MASS], told[TOLD_VOLUME] = mass, dug.numbers[IN_LOAD]
    tell_cut(cut, told)
    held = mass if plate.numbers[IS_BUCKET] > 0.0 else 0.0
    fill = min(plate.numbers[FILL], 1.0)
    gravity = columns.numbers[GRAVITY]
    for a in range(3):
        point = was = 0.0
        for b in range(3):
            at = local.centre[0, b] + fill * local.centre[1, b]
            point += pose[1, 3 * a + b] * at
            was += pose[0, 3 * a + b] * at
        velocity = (point + pose[1, 9 + a] - was - pose[0, 9 + a]) / dt
        force = -held * (velocity - told[TOLD_VELOCITY + a]) / dt
        told[TOLD_VELOCITY + a] = velocity
        cut.force[INERTIA, a] += force
        cut.force[DEAD_LOAD, a] = -held * gravity if a == 2 else 0.0
    for p in range(PARTS):
        for a in range(3):
            told[FORCES + 3 * p + a] = cut.force[p, a]
    # Moment about the carrier's origin: that about the edge's middle, moved, and that of the load.
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        total = 0.0
        mb = 0.5 * (plate.edge[0, b] + plate.edge[1, b]) - (pose[1, 9 + b] - origin[b])
        mc = 0.5 * (plate.edge[0, c] + plate.edge[1, c]) - (pose[1, 9 + c] - origin[c])
        for p in range(PARTS):
            if p == DEAD_LOAD:
                continue
            total += cut.moment[p, a] + mb * cut.force[p, c] - mc * cut.force[p, b]
        lb = lc = 0.0
        for k in range(3):
            at = local.centre[0, k] + fill * local.centre[1, k]
            lb, lc = lb + pose[1, 3 * b + k] * at, lc + pose[1, 3 * c + k] * at
        total += lb * cut.force[DEAD_LOAD, c] - lc * cut.force[DEAD_LOAD, b]
        told[TOLD_MOMENT + a] = total


@bare_inner
def tell_cut(cut: Cut, told: F64) -> None:
    """Writes depth, rake, slip plane and the terms of the equation."""
    many, cutting = cut.many[0], 0
    told[TOLD_DEPTH] = told[TOLD_RAKE] = told[TOLD_SLIP] = 0.0
    for k in range(many):
        told[TOLD_DEPTH] += cut.slices[k, DEPTH] / many
        told[TOLD_RAKE] += cut.slices[k, RAKE] / many
        cutting += 1 if cut.slices[k, SHARE] > 0.0 else 0
    if cutting:
        cot = 0.0
        for k in range(many):
            if cut.slices[k, SHARE] > 0.0:
                cot += cut.slices[k, COT_SLIP] / cutting
        told[TOLD_SLIP] = cot
    for t in range(TERMS):
        for a in range(3):
            told[EQUATION + 3 * t + a] = cut.terms[t, a]


@bare_kernel
def look(
    columns: Columns, cavity: F64, local: Local, pose: F64, origin: F64, before: Plate, plate: Plate, laid: LaidHeights,
    dug: Haul, cut: Cut, told: F64, dt: float,
) -> None:  # fmt: skip
    """The cut where a tool is now, for those whom grains or bodies resist; the ground stays as it is."""
    place(local, pose, 0, origin, before)
    place(local, pose, 1, origin, plate)
    for e in range(2):
        for a in range(3):
            plate.velocity[e, a] = (plate.edge[e, a] - before.edge[e, a]) / dt
    carry(columns, plate, dug)
    find_cut(columns, cavity, plate, laid, cut)
    tell_cut(cut, told)


@bare_kernel
def lay_grains(X: F32, V: F32, count: int, columns: Columns, origin: F64, density: float, laid: LaidHeights) -> None:
    """Adds the height that grains make over the columns of a window, lying as dense as `density` (kg/m³)."""
    nx, ny, cell = columns.height.shape[0] - 2, columns.height.shape[1] - 2, columns.numbers[CELL]
    for a in range(laid.height.shape[0]):
        for b in range(laid.height.shape[1]):
            laid.height[a, b] = np.float32(0.0)
    for g in range(count):
        w = np.float64(V[g, 3])
        x, y = np.float64(X[g, 0]) - origin[0], np.float64(X[g, 1]) - origin[1]
        if not (w > 0.0 and np.isfinite(x + y)):
            continue
        i = int(np.floor(x / cell + 0.5 * nx)) - laid.corner[0]
        j = int(np.floor(y / cell + 0.5 * ny)) - laid.corner[1]
        if 0 <= i < laid.height.shape[0] and 0 <= j < laid.height.shape[1]:
            laid.height[i, j] += np.float32(1.0 / (w * density * cell * cell))

