"""Block principal pivoting: which rows to move when a guess of the active set is contradicted.

All rows that contradict the guess move at once. When that stops making progress, only the last one does: Murty's rule,
which ends for every positive definite matrix.
"""

from __future__ import annotations

from windrow.geometry.terms import I64
from windrow.kernel import bare_inner

PATIENCE = 5
"""Solves without progress before single rows are moved."""
FALLBACK_SWEEPS = 200
"""Of projected Gauss-Seidel, where pivoting has not ended."""


@bare_inner
def pivot(state: I64, wanted: I64, n: int, wrong: int, fewest: int, patience: int) -> tuple[int, int]:
    """Moves rows of `state` to where they are wanted; returns the fewest contradictions so far, and the patience left.

    wrong: of the n rows so many are wanted elsewhere. Begin with fewest = n + 1 and patience = PATIENCE.
    """
    if wrong < fewest:
        fewest, patience = wrong, PATIENCE
    elif patience > 0:
        patience -= 1
    for r in range(n - 1, -1, -1):
        if wanted[r] != state[r]:
            state[r] = wanted[r]
            if patience == 0:
                break
    return fewest, patience
