"""Sparse LDLᵀ of symmetric positive definite matrices whose pattern never changes.

A machine's matrix S = G M⁻¹ Gᵀ + Σ has the same non-zeros at every step: two rows meet when they act on a
common body. Order, fill and the place of every single update are therefore found once, and a factorisation is
one pass over a list of places. Called from Python, a library's factorisation of a machine costs ten times as
much in call overhead as this one takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import kernel


class Pattern(NamedTuple):
    """Where the numbers of a symmetric matrix are kept: its diagonal, then its columns below the diagonal."""

    size: int
    start: I64
    """(size + 1,) first entry of each column in `row`"""
    row: I64
    """(entries,) row of each entry, ascending in each column"""
    target: I64
    """(updates,) place of the number that each update changes, in the order of the factorisation"""


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
    for column in columns:
        for p, r in enumerate(column):
            places = n + start[r] + np.searchsorted(columns[r], column[p + 1 :])
            targets.append(np.concatenate([[r], places]).astype(np.int64))
    target = np.concatenate([*targets, np.zeros(0, np.int64)])
    return Pattern(n, start, row, target)


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
    n = pattern.size
    t = 0
    least = np.inf
    for c in range(n):
        d = values[c]
        least = min(least, d)
        inverse = 1.0 / d
        end = n + pattern.start[c + 1]
        for p in range(n + pattern.start[c], end):
            l = values[p] * inverse
            for q in range(p, end):
                values[pattern.target[t]] -= l * values[q]
                t += 1
            values[p] = l
    return least


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
