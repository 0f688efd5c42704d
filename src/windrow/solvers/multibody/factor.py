"""Sparse LDLᵀ of symmetric positive definite matrices whose pattern never changes.

A machine's matrix S = G M⁻¹ Gᵀ + Σ has the same non-zeros at every step: two rows meet when they act on a
common body. Order, fill and the place of every single update are therefore found once. Rows of one joint have the
same pattern, so that its columns are eliminated together: dense and without looking up places among themselves,
and with one look-up for the sum of what they do to all others. Called from Python, a library's factorisation of
a machine costs ten times as much in call overhead as this one takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import inner, kernel


class Pattern(NamedTuple):
    """Where the numbers of a symmetric matrix are kept: its diagonal, then its columns below the diagonal."""

    size: int
    start: I64
    """(size + 1,) first entry of each column in `row`"""
    row: I64
    """(entries,) row of each entry, ascending in each column"""
    block: I64
    """(blocks + 1,) first column of each block of columns that share the rows below their block"""
    target: I64
    """(updates,) place of the number that each block changes for each pair of rows below it, in order"""
    sum: F64
    """(size,) room for the sums of one block"""


def elimination_order(neighbours: list[set[int]]) -> list[int]:
    """Order of nodes in which a factorisation fills little (least degree first, ties by number)."""
    near = [set(others) - {node} for node, others in enumerate(neighbours)]
    left = set(range(len(near)))
    order = []
    while left:
        node = min(left, key=lambda n: (len(near[n]), n))
        left.discard(node)
        order.append(node)
        for other in near[node]:
            near[other] |= near[node]
            near[other] -= {node, other}
    return order


def block_pattern(sizes: list[int], neighbours: list[set[int]]) -> Pattern:
    """Pattern, fill included, of blocks of rows that are eliminated in the order given."""
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    reach = [{other for other in others if other > node} for node, others in enumerate(neighbours)]
    for node in range(len(sizes)):
        if reach[node]:
            parent = min(reach[node])
            reach[parent] |= reach[node] - {parent}
    columns: list[I64] = []
    for node, size in enumerate(sizes):
        below = [np.arange(first[other], first[other + 1]) for other in sorted(reach[node])]
        tail = np.concatenate(below) if below else np.zeros(0, np.int64)
        for k in range(size):
            own = np.arange(first[node] + k + 1, first[node + 1])
            columns.append(np.concatenate([own, tail]).astype(np.int64))
    n = int(first[-1])
    start = np.concatenate([[0], np.cumsum([len(column) for column in columns])]).astype(np.int64)
    row = np.concatenate([*columns, np.zeros(0, np.int64)])
    targets: list[I64] = []
    for node in range(len(sizes)):
        lower = columns[first[node + 1] - 1] if sizes[node] else np.zeros(0, np.int64)
        for p, r in enumerate(lower):
            places = n + start[r] + np.searchsorted(columns[r], lower[p + 1 :])
            targets.append(np.concatenate([[r], places]).astype(np.int64))
    target = np.concatenate([*targets, np.zeros(0, np.int64)])
    return Pattern(n, start, row, first, target, np.zeros(n))


def place(pattern: Pattern, i: int, j: int) -> int:
    """Where the number in row i and column j is kept."""
    i, j = max(i, j), min(i, j)
    if i == j:
        return i
    begin, end = pattern.start[j], pattern.start[j + 1]
    return int(pattern.size + begin + np.searchsorted(pattern.row[begin:end], i))


@kernel
def factorise(pattern: Pattern, values: F64) -> float:
    """Replaces the matrix by D (diagonal) and unit lower L; returns the least of D."""
    n, start, target, block, total = pattern.size, pattern.start, pattern.target, pattern.block, pattern.sum
    t = 0
    least = np.inf
    for s in range(block.shape[0] - 1):
        begin, end = block[s], block[s + 1]
        if begin == end:
            continue
        # Among the block's own columns, each of which goes on just where the next one begins.
        for c in range(begin, end):
            d = values[c]
            least = min(least, d)
            inverse = 1.0 / d
            here, own = n + start[c], end - 1 - c
            for p in range(own):
                r = c + 1 + p
                l = values[here + p] * inverse
                values[r] -= l * values[here + p]
                there, length = n + start[r], start[r + 1] - start[r]
                for q in range(length):
                    values[there + q] -= l * values[here + p + 1 + q]
            for p in range(here, n + start[c + 1]):
                values[p] *= inverse
        # What all of them together do to the rows below.
        below = start[end] - start[end - 1]
        for p in range(below):
            for q in range(below - p):
                total[q] = 0.0
            for c in range(begin, end):
                low = n + start[c] + end - 1 - c + p
                w = values[c] * values[low]
                for q in range(below - p):
                    total[q] += w * values[low + q]
            for q in range(below - p):
                values[target[t + q]] -= total[q]
            t += below - p
    return least


@inner
def forward_six(pattern: Pattern, values: F64, Y: F64, s: int) -> None:
    """Replaces the six right sides Y[s] (size, 6) by L⁻¹ Y, from what `factorise` left."""
    n, start, row = pattern.size, pattern.start, pattern.row
    for c in range(n):
        a0, a1, a2, a3, a4, a5 = Y[s, c, 0], Y[s, c, 1], Y[s, c, 2], Y[s, c, 3], Y[s, c, 4], Y[s, c, 5]
        if a0 == 0.0 and a1 == 0.0 and a2 == 0.0 and a3 == 0.0 and a4 == 0.0 and a5 == 0.0:
            continue
        for p in range(start[c], start[c + 1]):
            r, l = row[p], values[n + p]
            Y[s, r, 0] -= l * a0
            Y[s, r, 1] -= l * a1
            Y[s, r, 2] -= l * a2
            Y[s, r, 3] -= l * a3
            Y[s, r, 4] -= l * a4
            Y[s, r, 5] -= l * a5


@kernel
def solve(pattern: Pattern, values: F64, y: F64) -> None:
    """Replaces the right side y by the solution, from what `factorise` left."""
    n = pattern.size
    for c in range(n):
        yc = y[c]
        if yc != 0.0:
            for p in range(pattern.start[c], pattern.start[c + 1]):
                y[pattern.row[p]] -= values[n + p] * yc
    for c in range(n - 1, -1, -1):
        s = y[c] / values[c]
        for p in range(pattern.start[c], pattern.start[c + 1]):
            s -= values[n + p] * y[pattern.row[p]]
        y[c] = s


@kernel
def product(pattern: Pattern, values: F64, x: F64, out: F64) -> None:
    """Matrix (not its factors) times x."""
    n = pattern.size
    for c in range(n):
        out[c] = values[c] * x[c]
    for c in range(n):
        s = 0.0
        xc = x[c]
        for p in range(pattern.start[c], pattern.start[c + 1]):
            r = pattern.row[p]
            s += values[n + p] * x[r]
            out[r] += values[n + p] * xc
        out[c] += s
