"""Dense linear complementarity problems with a positive definite matrix, by block principal pivoting.

Wanted is x ≥ 0 with w = (A + diag σ) x − b ≥ 0 and x·w = 0. Guess which rows carry (x > 0), solve for them with
w = 0, move rows that contradict the guess (`pivoting`), repeat. A guess that is right costs one factorisation.
"""

from __future__ import annotations

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner
from windrow.solvers.multibody.pivoting import FALLBACK_SWEEPS, PATIENCE, pivot

PIVOTS_MOST = 200
ROUNDING = 1e-12
"""of the largest number that a row of either sign may be off by"""


@bare_inner
def factorise_dense(U: F64, n: int) -> None:
    """Replaces the upper triangle of a matrix (n², row by row) by the U of Uᵀ D⁻¹ U, D its diagonal."""
    for k in range(n):
        inverse = 1.0 / U[k * n + k]
        for i in range(k + 1, n):
            l = U[k * n + i] * inverse
            for j in range(i, n):
                U[i * n + j] -= l * U[k * n + j]


@bare_inner
def solve_dense(U: F64, n: int, y: F64) -> None:
    """Replaces the right side y by the solution, from what `factorise_dense` left."""
    for k in range(n):
        l = y[k] / U[k * n + k]
        for j in range(k + 1, n):
            y[j] -= l * U[k * n + j]
    for k in range(n - 1, -1, -1):
        rest = y[k]
        for j in range(k + 1, n):
            rest -= U[k * n + j] * y[j]
        y[k] = rest / U[k * n + k]


@bare_inner
def factorise_carrying(A: F64, n: int, sigma: F64, carries: I64, factored: I64, U: F64) -> None:
    """Factors of the rows that carry; `factored` (n,) then says which those are."""
    m = 0
    for i in range(n):
        factored[i] = carries[i]
        if carries[i] == 1:
            m += 1
    p = 0
    for i in range(n):
        if carries[i] == 1:
            q = p * m + p
            U[q] = A[i * n + i] + sigma[i]
            for j in range(i + 1, n):
                if carries[j] == 1:
                    q += 1
                    U[q] = A[i * n + j]
            p += 1
    factorise_dense(U, m)


@bare_inner
def solve_carrying(n: int, b: F64, x: F64, carries: I64, U: F64, work: F64) -> None:
    """x of the rows that carry, from their factors; zero elsewhere."""
    m = 0
    for i in range(n):
        if carries[i] == 1:
            work[m] = b[i]
            m += 1
    solve_dense(U, m, work)
    m = 0
    for i in range(n):
        x[i] = 0.0
        if carries[i] == 1:
            x[i] = work[m]
            m += 1


@bare_inner
def find_contradictions(A: F64, n: int, b: F64, x: F64, carries: I64, wanted: I64) -> int:
    """Where each row belongs, judged by x, into `wanted`; returns how many belong elsewhere."""
    largest, highest, wrong = 0.0, 0.0, 0
    for i in range(n):
        largest, highest = max(largest, abs(b[i])), max(highest, abs(x[i]))
    for i in range(n):
        if carries[i] == 1:
            wanted[i] = 0 if x[i] < -ROUNDING * highest else 1
        else:
            speed = -b[i]
            for j in range(n):
                speed += A[i * n + j] * x[j]
            wanted[i] = 1 if speed < -ROUNDING * largest else 0
        wrong += abs(wanted[i] - carries[i])
    return wrong


@bare_inner
def solve_complementary(
    A: F64,
    n: int,
    sigma: F64,
    b: F64,
    x: F64,
    carries: I64,
    wanted: I64,
    factored: I64,
    U: F64,
    work: F64,
    fresh: bool,
) -> int:
    """x (n,), from a guess of the rows that carry; returns how often it was solved, negative if sweeps finished it.

    A (n²) row by row; `carries` (n,) 1 where x may be positive, and then where it is; `wanted` (n,) and `work` (n,) are
    room. U (n²) and `factored` (n,) are factors and what rows they are of; unless `fresh`, those of the last call hold
    for this matrix and σ, too.
    """
    fewest, patience, solves = n + 1, PATIENCE, 0
    while solves < PIVOTS_MOST:
        for i in range(n):
            fresh = fresh or factored[i] != carries[i]
        if fresh:
            factorise_carrying(A, n, sigma, carries, factored, U)
            fresh = False
        solve_carrying(n, b, x, carries, U, work)
        solves += 1
        wrong = find_contradictions(A, n, b, x, carries, wanted)
        if wrong == 0:
            for i in range(n):
                x[i] = max(x[i], 0.0)
            return solves
        fewest, patience = pivot(carries, wanted, n, wrong, fewest, patience)
    sweep_complementary(A, n, sigma, b, x)
    return -solves


@bare_inner
def sweep_complementary(A: F64, n: int, sigma: F64, b: F64, x: F64) -> None:
    """Projected Gauss-Seidel: never negative, and nearer with every sweep."""
    for i in range(n):
        x[i] = max(x[i], 0.0)
    for _ in range(FALLBACK_SWEEPS):
        for i in range(n):
            rest = b[i] - sigma[i] * x[i]
            for j in range(n):
                rest -= A[i * n + j] * x[j]
            x[i] = max(x[i] + rest / (A[i * n + i] + sigma[i]), 0.0)
