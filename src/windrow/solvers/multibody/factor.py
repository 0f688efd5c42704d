"""Sparse LDLᵀ of symmetric positive definite matrices whose pattern never changes.

A machine's matrix S = G M⁻¹ Gᵀ + Σ has the same non-zeros at every step: two rows meet when they act on a
common body. Order, fill and the place of every single update are therefore found once. Rows of one joint have the
same pattern, so that its columns are eliminated together: a dense triangle of their own, and a tail of rows below that
they share. Tails are kept in fours, filled up with zeros, for `tiles`.
Called from Python, a library's factorisation of a machine costs ten times as much in call overhead as this one takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner, bare_kernel
from windrow.solvers.multibody.tiles import LANES, scale_line, take_line, take_tile


class Pattern(NamedTuple):
    """Where the numbers of a symmetric matrix are kept, in an array (lines, LANES).

    First its diagonal, then the triangles of the blocks, column by column, then the tails, each of whole lines; the
    last line takes what is of no use. `place` says where a number is in the flat array.
    """

    size: int
    lines: int
    block: I64
    """(blocks + 1,) first column of each block"""
    own: I64
    """(size,) place of row 0 in the block's triangle, were column c so long: row r of it is at own[c] + r"""
    tail: I64
    """(size,) first line of each column's tail"""
    tail_start: I64
    """(blocks + 1,) first entry of each block in `tail_row`"""
    tail_row: I64
    """rows of the tails, ascending in each block; zeros that fill up have the last row"""
    target: I64
    """(updates,) place of the number that each block changes for each pair of rows of its tail, in tiles"""
    left_start: I64
    """(size + 1,) first entry of each row in the two lists that follow"""
    left_column: I64
    """columns of the entries left of the diagonal"""
    left_place: I64
    """their places"""
    block_of: I64
    """(size,)"""
    near: F64
    """(size / LANES + 1, LANES) room for right sides"""


def elimination_order(neighbours: list[set[int]], sizes: list[int]) -> list[int]:
    """Order of nodes in which a factorisation fills little (fewest rows next to it first, ties by number)."""
    near = [set(others) - {node} for node, others in enumerate(neighbours)]
    left = set(range(len(near)))
    order = []
    while left:
        node = min(left, key=lambda n: (sum(sizes[other] for other in near[n]), n))
        left.discard(node)
        order.append(node)
        for other in near[node]:
            near[other] |= near[node]
            near[other] -= {node, other}
    return order


def block_pattern(sizes: list[int], neighbours: list[set[int]]) -> Pattern:
    """Pattern, fill included, of blocks of rows that are eliminated in the order given."""
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    n = int(first[-1])
    reach = [{other for other in others if other > node} for node, others in enumerate(neighbours)]
    for node in range(len(sizes)):
        if reach[node]:
            parent = min(reach[node])
            reach[parent] |= reach[node] - {parent}
    own, tail = np.zeros(n, np.int64), np.zeros(n, np.int64)
    tails: list[I64] = []
    at = n
    for node, size in enumerate(sizes):
        below = [np.arange(first[other], first[other + 1]) for other in sorted(reach[node])]
        tails.append(np.concatenate([*below, np.zeros(0, np.int64)]).astype(np.int64))
        for c in range(int(first[node]), int(first[node]) + size):
            own[c] = at - c - 1
            at += int(first[node + 1]) - c - 1
    line = -(-at // LANES)
    for node, size in enumerate(sizes):
        for c in range(int(first[node]), int(first[node]) + size):
            tail[c] = line
            line += -(-len(tails[node]) // LANES)
    filled = [np.append(rows, np.full(-len(rows) % LANES, n - 1)).astype(np.int64) for rows in tails]
    pattern = Pattern(
        size=n,
        lines=line + 1,
        block=first,
        own=own,
        tail=tail,
        tail_start=np.concatenate([[0], np.cumsum([len(rows) for rows in filled])]).astype(np.int64),
        tail_row=np.concatenate([*filled, np.zeros(0, np.int64)]).astype(np.int64),
        target=np.zeros(0, np.int64),
        left_start=np.zeros(0, np.int64),
        left_column=np.zeros(0, np.int64),
        left_place=np.zeros(0, np.int64),
        block_of=np.repeat(np.arange(len(sizes)), sizes).astype(np.int64),
        near=np.zeros((n // LANES + 1, LANES)),
    )
    targets = [_tiles(pattern, tails[node]) for node, size in enumerate(sizes) if size]
    left: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for node in range(len(sizes)):
        for c in range(int(first[node]), int(first[node + 1])):
            for r in [*range(c + 1, int(first[node + 1])), *tails[node].tolist()]:
                left[r].append((c, place(pattern, r, c)))
    flat = np.array([pair for pairs in left for pair in pairs], np.int64).reshape(-1, 2)
    return pattern._replace(
        target=np.concatenate([*targets, np.zeros(0, np.int64)]),
        left_start=np.concatenate([[0], np.cumsum([len(pairs) for pairs in left])]).astype(np.int64),
        left_column=flat[:, 0].copy(),
        left_place=flat[:, 1].copy(),
    )


def _tiles(pattern: Pattern, tail: I64) -> I64:
    """Places of all pairs of rows of a tail, in the order in which `factorise` comes by."""
    count = len(tail)
    nowhere = LANES * pattern.lines - 1
    places = np.full((count + -count % LANES,) * 2, nowhere, np.int64)
    for p in range(count):
        for q in range(p, count):
            places[p, q] = place(pattern, int(tail[p]), int(tail[q]))
    tiles = [
        places[p : p + LANES, q : q + LANES].ravel()
        for p in range(0, count, LANES)
        for q in range(p, count, LANES)
    ]
    return np.concatenate([*tiles, np.zeros(0, np.int64)]).astype(np.int64)


def place(pattern: Pattern, i: int, j: int) -> int:
    """Where the number in row i and column j is kept, in the flat array."""
    i, j = max(i, j), min(i, j)
    s = pattern.block_of[j]
    if i == j:
        return i
    if i < pattern.block[s + 1]:
        return int(pattern.own[j] + i)
    rows = pattern.tail_row[pattern.tail_start[s] : pattern.tail_start[s + 1]]
    return int(LANES * pattern.tail[j] + np.searchsorted(rows, i))


@bare_inner
def factorise(pattern: Pattern, values: F64) -> float:
    """Replaces the matrix by D (diagonal) and unit lower L; returns the least of D."""
    block, own, tail, target = pattern.block, pattern.own, pattern.tail, pattern.target
    flat, at, targets = values.reshape(values.size), values.ctypes.data, target.ctypes.data
    t = 0
    least = np.inf
    for s in range(block.shape[0] - 1):
        begin, end = block[s], block[s + 1]
        lines = (pattern.tail_start[s + 1] - pattern.tail_start[s]) // LANES
        # A column is d·l until all others have taken what it says.
        for k in range(begin, end):
            least = min(least, flat[k])
            inverse = 1.0 / flat[k]
            for c in range(k + 1, end):
                l = flat[own[k] + c] * inverse
                for r in range(c + 1, end):
                    flat[own[c] + r] -= l * flat[own[k] + r]
                flat[c] -= l * flat[own[k] + c]
                for q in range(lines):
                    take_line(at, tail[c] + q, l, at, tail[k] + q)
            for c in range(k + 1, end):
                flat[own[k] + c] *= inverse
            for q in range(lines):
                scale_line(at, tail[k] + q, inverse)
        # What all of them together do to the rows below, in tiles of 4 × 4.
        if lines > 0:
            for p in range(lines):
                for q in range(p, lines):
                    take_tile(at, at + 8 * begin, tail[begin], lines, end - begin, p, q, targets + 8 * t)
                    t += LANES * LANES
    return least


@bare_inner
def forward_all(pattern: Pattern, values: F64, Y: F64, lines: int, reached: I64) -> None:
    """Replaces the right sides Y (size · lines, LANES) by L⁻¹ Y, from what `factorise` left.

    `reached` (size,) says which rows of Y are not zero, and then which of the result.
    """
    block, own, tail_start, tail_row = pattern.block, pattern.own, pattern.tail_start, pattern.tail_row
    flat, at = values.reshape(values.size), Y.ctypes.data
    for s in range(block.shape[0] - 1):
        end, first = block[s + 1], tail_start[s]
        for c in range(block[s], end):
            if reached[c] == 0:
                continue
            place = LANES * pattern.tail[c] - first
            for p in range(first - (end - 1 - c), tail_start[s + 1]):
                # First the block's own rows, then those of its tail.
                r = tail_row[p] if p >= first else p - first + end
                l = flat[place + p] if p >= first else flat[own[c] + r]
                if l != 0.0:
                    reached[r] = 1
                    for k in range(lines):
                        take_line(at, r * lines + k, l, at, c * lines + k)


@bare_kernel
def solve(pattern: Pattern, values: F64, y: F64) -> None:
    """Replaces the right side y by the solution, from what `factorise` left."""
    block, own, tail, near = pattern.block, pattern.own, pattern.tail, pattern.near
    tail_start, tail_row = pattern.tail_start, pattern.tail_row
    flat = values.reshape(values.size)
    blocks = block.shape[0] - 1
    for s in range(blocks):
        begin, end, first = block[s], block[s + 1], tail_start[s]
        for c in range(begin, end):
            yc = y[c]
            for r in range(c + 1, end):
                y[r] -= flat[own[c] + r] * yc
        for q in range((tail_start[s + 1] - first) // LANES):
            a0 = a1 = a2 = a3 = 0.0
            for c in range(begin, end):
                yc, here = y[c], tail[c] + q
                a0 += values[here, 0] * yc
                a1 += values[here, 1] * yc
                a2 += values[here, 2] * yc
                a3 += values[here, 3] * yc
            p = first + LANES * q
            y[tail_row[p]] -= a0
            y[tail_row[p + 1]] -= a1
            y[tail_row[p + 2]] -= a2
            y[tail_row[p + 3]] -= a3
    for s in range(blocks - 1, -1, -1):
        begin, end, first = block[s], block[s + 1], tail_start[s]
        lines = (tail_start[s + 1] - first) // LANES
        for q in range(lines):
            for k in range(LANES):
                near[q, k] = y[tail_row[first + LANES * q + k]]
        for c in range(end - 1, begin - 1, -1):
            a0 = a1 = a2 = a3 = 0.0
            for q in range(lines):
                here = tail[c] + q
                a0 += values[here, 0] * near[q, 0]
                a1 += values[here, 1] * near[q, 1]
                a2 += values[here, 2] * near[q, 2]
                a3 += values[here, 3] * near[q, 3]
            total = (a0 + a1) + (a2 + a3)
            for r in range(c + 1, end):
                total += flat[own[c] + r] * y[r]
            y[c] = y[c] / flat[c] - total


@bare_inner
def times_row(pattern: Pattern, flat: F64, x: F64, r: int) -> float:
    """Row r of the matrix (not its factors) times x."""
    s = pattern.block_of[r]
    total = flat[r] * x[r]
    for c in range(r + 1, pattern.block[s + 1]):
        total += flat[pattern.own[r] + c] * x[c]
    place = LANES * pattern.tail[r] - pattern.tail_start[s]
    for p in range(pattern.tail_start[s], pattern.tail_start[s + 1]):
        total += flat[place + p] * x[pattern.tail_row[p]]
    for k in range(pattern.left_start[r], pattern.left_start[r + 1]):
        total += flat[pattern.left_place[k]] * x[pattern.left_column[k]]
    return total


@bare_inner
def take_column(pattern: Pattern, flat: F64, x: float, r: int, out: F64) -> None:
    """Takes column r of the matrix (not its factors), times x, from `out`."""
    s = pattern.block_of[r]
    out[r] -= flat[r] * x
    for c in range(r + 1, pattern.block[s + 1]):
        out[c] -= flat[pattern.own[r] + c] * x
    place = LANES * pattern.tail[r] - pattern.tail_start[s]
    for p in range(pattern.tail_start[s], pattern.tail_start[s + 1]):
        out[pattern.tail_row[p]] -= flat[place + p] * x
    for k in range(pattern.left_start[r], pattern.left_start[r + 1]):
        out[pattern.left_column[k]] -= flat[pattern.left_place[k]] * x


@bare_kernel
def product(pattern: Pattern, values: F64, x: F64, out: F64) -> None:
    """Matrix (not its factors) times x."""
    flat = values.reshape(values.size)
    for r in range(pattern.size):
        out[r] = times_row(pattern, flat, x, r)
