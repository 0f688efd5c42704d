"""Working rows of the grains: taken from the state at the begin of a step, sorted, predicted, and written back.

X {x, y, z, r} and U {v_x, v_y, v_z, w} are what contacts read and write; see `kernels.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide.paths import direction_and_length, leaves_path
from windrow.kernel import BLOCK
from windrow.solvers.ndem.laws import ZERO
from windrow.solvers.ndem.sleeping import AWAKE
from windrow.state.state import FROZEN, State
from windrow.team import deal, parallel

F = np.float32
HALF = F(0.5)
FAR = F(1e7)
"""Beyond this distance from the origin (m) float32 cannot carry a grain; it is frozen where it was."""


@parallel
def begin(team, state_X, state_V, flags, count, dt, same, X, U):
    """Copies the state to working rows. What is not finite, or would leave the world in this step, is frozen.

    A sleeper that was moved or pushed from outside wakes; `same`: X still holds the rows of the last step.
    """
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(3):
                if not abs(state_X[i, a] + dt * state_V[i, a]) < FAR:
                    flags[i] |= FROZEN
                if not abs(state_X[i, a]) < FAR:
                    state_X[i, a] = ZERO
            for a in range(3):
                if state_V[i, a] != ZERO or (same and X[i, a] != state_X[i, a]):
                    flags[i] &= AWAKE
            for a in range(4):
                X[i, a] = state_X[i, a]
                U[i, a] = ZERO if flags[i] & FROZEN else state_V[i, a]


def hold_lost(state: State, X: NDArray[np.float32], U: NDArray[np.float32], U0: NDArray[np.float32]) -> None:
    """Between two legs of a step, freezes what is no longer finite where the step began: it could not be sorted."""
    count = state.count
    size = np.abs(X[:count, :3]).sum(axis=1) + np.abs(U[:count, :3]).sum(axis=1)
    lost = np.flatnonzero(~(size < FAR))
    if len(lost):
        state.flags[lost] |= FROZEN
        X[lost, :3] = state.X[lost, :3]
        U[lost] = U0[lost] = ZERO


@parallel
def join_rows(team, X, U, count, rows):
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(4):
                rows[i, a], rows[i, a + 4] = X[i, a], U[i, a]


@parallel
def split_rows(team, rows, count, X, U):
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            for a in range(4):
                X[i, a], U[i, a] = rows[i, a], rows[i, a + 4]


@parallel
def predict(team, X, U, count, time, gravity, rows):
    """Rows {p, r, p − x, w} for the search of walls: where each grain would be without contacts."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            fall = time * time if U[i, 3] > ZERO else ZERO
            for a in range(3):
                way = time * U[i, a] + fall * gravity[a]
                rows[i, a], rows[i, a + 4] = X[i, a] + way, way
            rows[i, 3], rows[i, 7] = X[i, 3], U[i, 3]


@parallel
def strayed_and_fastest(team, X, U, home, way, count, time, partial):
    """How many grains will be off their paths when the time is up, and the greatest speed: into partial[0]."""
    blocks = (count + BLOCK - 1) // BLOCK
    for b in deal(team, blocks):
        strayed, fast = 0, ZERO
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            if leaves_path(X, U, home, way, i, time):
                strayed += 1
            fast = max(fast, U[i, 0] * U[i, 0] + U[i, 1] * U[i, 1] + U[i, 2] * U[i, 2])
        partial[b, 0], partial[b, 1] = F(strayed), np.sqrt(fast)
    for _ in deal(team, 1):
        for b in range(1, blocks):
            partial[0, 0] += partial[b, 0]
            partial[0, 1] = max(partial[0, 1], partial[b, 1])


@parallel
def farthest_from_middle(team, U, count, bounds, partial):
    """Greatest distance (m/s) of a velocity from the middle of their bounds, bounds[0]: into partial[0, 0]."""
    blocks = (count + BLOCK - 1) // BLOCK
    m0, m1 = HALF * (bounds[0, 0] + bounds[0, 3]), HALF * (bounds[0, 1] + bounds[0, 4])
    m2 = HALF * (bounds[0, 2] + bounds[0, 5])
    for b in deal(team, blocks):
        square = ZERO
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            d0, d1, d2 = U[i, 0] - m0, U[i, 1] - m1, U[i, 2] - m2
            square = max(square, d0 * d0 + d1 * d1 + d2 * d2)
        partial[b, 0] = np.sqrt(square)
    for _ in deal(team, 1):
        for b in range(1, blocks):
            partial[0, 0] = max(partial[0, 0], partial[b, 0])


@parallel
def remember_paths(team, columns, count, home, way):
    """The paths that the lists were made for: where they begin, covers, directions and lengths."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            home[i, 0], home[i, 1], home[i, 2] = columns[0, i], columns[1, i], columns[2, i]
            home[i, 3] = columns[7, i]
            way[i, 0], way[i, 1], way[i, 2], way[i, 3] = direction_and_length(
                columns[4, i], columns[5, i], columns[6, i]
            )


@parallel
def finish(team, X, U, state_X, state_V, flags, force, count, dt, gravity, partial):
    """Writes the state and the mean contact force; freezes what is not finite. partial[b, 0]: frozen grains."""
    for b in deal(team, (count + BLOCK - 1) // BLOCK):
        frozen = 0
        for i in range(b * BLOCK, min(count, b * BLOCK + BLOCK)):
            size = abs(X[i, 0]) + abs(X[i, 1]) + abs(X[i, 2]) + abs(U[i, 0]) + abs(U[i, 1]) + abs(U[i, 2])
            if not size < FAR:
                flags[i] |= FROZEN
            if flags[i] & FROZEN:
                frozen += 1
                for a in range(3):
                    state_V[i, a] = ZERO
                    force[i, a] = ZERO
                continue
            w = U[i, 3]
            for a in range(3):
                force[i, a] = (U[i, a] - state_V[i, a] - dt * gravity[a]) / (w * dt) if w > ZERO else ZERO
                state_X[i, a], state_V[i, a] = X[i, a], U[i, a]
        partial[b, 0] = F(frozen)
