"""`fixed_math` inside of Numba: what kernels call instead of the C library, BLAS and LAPACK.

The series are those of `fixed_math`. A compiler that may fuse multiply-adds rounds them otherwise than NumPy does.
"""

from __future__ import annotations

from math import copysign, floor
from typing import Any

import numpy as np

from windrow import fixed_math
from windrow.fixed_math import BEND, F64, PI, PI_LOW, TWO_OVER_PI
from windrow.kernel import bare_inner, device, kernel

_quarter_remainder = bare_inner(fixed_math.quarter_remainder)
_sine_series = bare_inner(fixed_math.sine_series)
_cosine_series = bare_inner(fixed_math.cosine_series)
_arctangent_series = bare_inner(fixed_math.arctangent_series)

F: Any = np.float32
ONE: Any = F(1.0)


@bare_inner
def sine_cosine(x: float) -> tuple[float, float]:
    """Within 1 ulp up to 1.6e6 rad, see `fixed_math.sine`."""
    quarters = floor(x * TWO_OVER_PI + 0.5)
    rest, tail = _quarter_remainder(x, float(quarters))
    s, c = _sine_series(rest, tail), _cosine_series(rest, tail)
    turned = quarters & 3
    if turned == 0:
        return s, c
    if turned == 1:
        return c, -s
    if turned == 2:
        return -s, -c
    return -c, s


@bare_inner
def arctangent2(y: float, x: float) -> float:
    """Angle of the point (x, y) from the x axis, −π to π, within 3 ulp."""
    long, short = max(abs(y), abs(x)), min(abs(y), abs(x))
    if short > BEND * long:
        angle = 0.25 * PI + (_arctangent_series((short - long) / (short + long)) + 0.25 * PI_LOW)
    else:
        angle = _arctangent_series(short / long) if long > 0.0 else 0.0
    behind = copysign(1.0, x) < 0.0
    if abs(y) > abs(x):
        angle = 0.5 * PI - ((-angle if behind else angle) - 0.5 * PI_LOW)
    elif behind:
        angle = PI - (angle - PI_LOW)
    return copysign(angle, y)


@device
def power(a: float, exponent: float) -> float:
    """a**exponent in float32, for a normal positive a and |exponent| ≤ 1: the series of `simd.power`."""
    shifted = F(a).view(np.int32) - np.int32(0x3F3504F3)
    m = np.int32((shifted & np.int32(0x007FFFFF)) + np.int32(0x3F3504F3)).view(np.float32)
    e = F(shifted >> np.int32(23))
    s = (m - ONE) / (m + ONE)
    s2 = s * s
    series = ((F(0.3205989) * s2 + F(0.4121986)) * s2 + F(0.5770780)) * s2 + F(0.9617967)
    y = (e + s * (series * s2 + F(2.8853901))) * F(exponent)
    whole = np.int32(y + F(0.5))
    if F(whole) > y + F(0.5):
        whole = np.int32(whole - 1)  # rounded down, not towards zero
    f = y - F(whole)
    p = F(1.5403530e-4) * f + F(1.3333558e-3)
    p = (p * f + F(9.6181291e-3)) * f + F(5.5504109e-2)
    p = ((p * f + F(2.4022651e-1)) * f + F(6.9314718e-1)) * f + ONE
    return p * np.int32((whole + np.int32(127)) << np.int32(23)).view(np.float32)


@kernel
def product(a: F64, b: F64) -> F64:
    """a (n, k) times b (k, m)."""
    result = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                result[i, j] += a[i, k] * b[k, j]
    return result


@kernel
def solve(a: F64, b: F64) -> F64:
    """x (n, m) of a x = b for a regular a (n, n): Gauss's elimination, the largest of a column first."""
    n, a, x = len(a), a.copy(), b.copy()
    for k in range(n):
        first = k + np.argmax(np.abs(a[k:, k]))
        for j in range(n):
            a[k, j], a[first, j] = a[first, j], a[k, j]
        for j in range(x.shape[1]):
            x[k, j], x[first, j] = x[first, j], x[k, j]
        for i in range(k + 1, n):
            share = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= share * a[k, j]
            for j in range(x.shape[1]):
                x[i, j] -= share * x[k, j]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            for j in range(x.shape[1]):
                x[k, j] -= a[k, i] * x[i, j]
        for j in range(x.shape[1]):
            x[k, j] /= a[k, k]
    return x
