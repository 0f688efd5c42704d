"""Loops over the grains of an exchange: who is calm, who is there already, who would lie in another."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from windrow.geometry.terms import F32, F64, I32, I64, U8
from windrow.kernel import bare_inner, bare_kernel
from windrow.state.state import FREE, SKIN
from windrow.terrain.bricks import FREED, Laid, was_cut
from windrow.terrain.giving import COMES_FREE, GOES, STAYS, SoilRows
from windrow.terrain.nodes import (
    CUT,
    HELD,
    RESTLESS,
    ROUGH_NEXT,
    SKIN_NEXT,
    Grid,
    Nodes,
    inside,
    nearest,
    surface_at,
)

STANDS = 3
"""What becomes of a grain: it is part of the new face, too."""
HEADS = 1 << 14
"""Entries of the table of places."""


class Scratch(NamedTuple):
    """Workspace for the grains of one exchange."""

    table: I32
    """(power of two, twice the capacity at least) grains by key"""
    head: I32
    """(HEADS,) first grain of the cells with a number"""
    following: I32
    """(capacity,) the next one"""
    action: U8
    """(capacity,) what becomes of each grain"""
    soil: U8
    """(capacity,) of grains that become free"""
    mass: F64
    """(capacity,) kg"""
    hit: U8
    """(capacity,) grains that cannot be laid"""


def scratch_room(capacity: int) -> Scratch:
    size = 64
    while size < 2 * capacity:
        size *= 2
    return Scratch(
        np.zeros(size, np.int32),
        np.zeros(HEADS, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.uint8),
        np.zeros(capacity, np.uint8),
        np.zeros(capacity),
        np.zeros(capacity, np.uint8),
    )


@bare_kernel
def note_grains(rows: SoilRows, count: int, nodes: Nodes, grid: Grid, slow: float, looks: int) -> None:
    """Counts looks at which grains were slow (m/s); notes over which columns they are free, restless, near a body."""
    for g in range(count):
        if rows.V[g, 3] <= 0.0:
            continue
        square = 0.0
        for a in range(3):
            square += np.float64(rows.V[g, a]) * np.float64(rows.V[g, a])
        calm = square < slow * slow
        if rows.units[g] > 0:
            rows.calm[g] = min(rows.calm[g] + 1, 255) if calm else 0
            calm = rows.calm[g] >= looks
        i, j = nearest(grid, np.float64(rows.X[g, 0]), np.float64(rows.X[g, 1]))
        if not inside(grid, i, j):
            continue
        z = np.float32(rows.X[g, 2] - np.float32(grid.z))
        nodes.live[i, j] += 1
        nodes.low[i, j] = min(nodes.low[i, j], z - rows.X[g, 3])
        nodes.high[i, j] = max(nodes.high[i, j], z)
        if not calm:
            nodes.flags[i, j] |= RESTLESS
        if z > nodes.below[i, j]:
            nodes.flags[i, j] |= HELD


@bare_inner
def _slot(key: int, size: int) -> Any:
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(33)) & np.uint64(size - 1))


@bare_inner
def _find(table: I32, keys: I64, key: int) -> int:
    """Place of the grain with a key, −1 if there is none."""
    at = _slot(key, len(table))
    while table[at] >= 0:
        if keys[table[at]] == key:
            return int(table[at])
        at = (at + 1) & (len(table) - 1)
    return -1


@bare_kernel
def match(rows: SoilRows, count: int, nodes: Nodes, grid: Grid, laid: Laid, many: int, scratch: Scratch) -> int:
    """What becomes of the grains that are there, if those laid are to be there; leaves only those laid that are not,
    and returns how many."""
    table, action = scratch.table, scratch.action
    table[:] = -1
    for g in range(count):
        action[g] = STAYS
        if rows.key[g] >= 0:
            at = _slot(rows.key[g], len(table))
            while table[at] >= 0:
                at = (at + 1) & (len(table) - 1)
            table[at] = g
    fresh = 0
    for k in range(many):
        g = _find(table, rows.key, laid.key[k])
        if g >= 0:
            action[g] = COMES_FREE if laid.kind[k] == FREED else STANDS
            continue
        for a in range(4):
            laid.X[fresh, a] = laid.X[k, a]
        laid.key[fresh], laid.kind[fresh] = laid.key[k], laid.kind[k]
        fresh += 1
    for g in range(count):
        if rows.key[g] == FREE or action[g] == COMES_FREE:
            continue
        x, y, z = np.float64(rows.X[g, 0]), np.float64(rows.X[g, 1]), np.float64(rows.X[g, 2])
        i, j = nearest(grid, x, y)
        flags = nodes.flags[i, j] if inside(grid, i, j) else np.uint8(0)
        if rows.key[g] == SKIN:
            if flags & CUT and was_cut(nodes, grid, x, y, z):
                action[g] = COMES_FREE
            elif not flags & SKIN_NEXT:
                action[g] = GOES
        elif action[g] == STANDS:
            action[g] = STAYS
        elif not flags & ROUGH_NEXT or z - grid.z > surface_at(nodes.new, grid, x, y) + grid.radius:
            # Where the ground has risen the face is deeper than it need be, and stays: free grains may lie on it.
            action[g] = GOES
    return fresh


@bare_inner
def _head(i: int, j: int, k: int) -> int:
    return (i * 73856093 ^ j * 19349663 ^ k * 83492791) & (HEADS - 1)


@bare_kernel
def find_overlaps(rows: SoilRows, count: int, laid: Laid, fresh: int, slack: float, scratch: Scratch) -> None:
    """Marks those laid that would lie deeper than `slack` (m) in a grain that is free, or skin that stays."""
    head, following, action, hit = scratch.head, scratch.following, scratch.action, scratch.hit
    head[:] = -1
    if fresh == 0:
        return
    box = (1e30, -1e30, 1e30, -1e30, 1e30, -1e30)
    largest = 0.0
    for k in range(fresh):
        x, y, z, r = laid.X[k, 0], laid.X[k, 1], laid.X[k, 2], laid.X[k, 3]
        largest = max(largest, r)
        box = (min(box[0], x), max(box[1], x), min(box[2], y), max(box[3], y), min(box[4], z), max(box[5], z))
    widest = 0.0
    for g in range(count):
        widest = max(widest, np.float64(rows.X[g, 3]))
    reach = widest + largest
    for g in range(count):
        x, y, z = np.float64(rows.X[g, 0]), np.float64(rows.X[g, 1]), np.float64(rows.X[g, 2])
        free = rows.key[g] == FREE or (rows.key[g] == SKIN and action[g] != GOES)
        near = box[0] - reach <= x <= box[1] + reach and box[2] - reach <= y <= box[3] + reach
        if free and near and box[4] - reach <= z <= box[5] + reach:
            at = _head(int(x // reach), int(y // reach), int(z // reach))
            following[g], head[at] = head[at], g
    for k in range(fresh):
        hit[k] = 1 if _overlaps(rows, laid, k, reach, slack, head, following) else 0


@bare_inner
def _overlaps(rows: SoilRows, laid: Laid, k: int, reach: float, slack: float, head: I32, following: I32) -> bool:
    x, y, z, r = laid.X[k, 0], laid.X[k, 1], laid.X[k, 2], laid.X[k, 3]
    ci, cj, ck = int(x // reach), int(y // reach), int(z // reach)
    for i in range(ci - 1, ci + 2):
        for j in range(cj - 1, cj + 2):
            for m in range(ck - 1, ck + 2):
                g = head[_head(i, j, m)]
                while g >= 0:
                    dx, dy, dz = rows.X[g, 0] - x, rows.X[g, 1] - y, rows.X[g, 2] - z
                    apart = rows.X[g, 3] + r - slack
                    if dx * dx + dy * dy + dz * dz < apart * apart:
                        return True
                    g = following[g]
    return False


@bare_kernel
def leave_out(laid: Laid, fresh: int, hit: U8) -> int:
    """Leaves only those laid that are not marked; returns how many."""
    kept = 0
    for k in range(fresh):
        if hit[k]:
            continue
        for a in range(4):
            laid.X[kept, a] = laid.X[k, a]
        laid.key[kept], laid.kind[kept] = laid.key[k], laid.kind[k]
        kept += 1
    return kept


@bare_kernel
def fallen_off(X: F32, count: int, grid: Grid, depth: float, units: I64, out: U8) -> int:
    """Marks grains made of ground that are beyond its edge and below its bottom, m; returns how many."""
    many = 0
    for g in range(count):
        i, j = nearest(grid, np.float64(X[g, 0]), np.float64(X[g, 1]))
        beyond = not inside(grid, i, j) and np.float64(X[g, 2]) < depth and units[g] > 0
        out[g] = 1 if beyond else 0
        many += out[g]
    return many
