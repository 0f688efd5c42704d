"""Arithmetic that gives the same bits on every processor.

NumPy, BLAS, LAPACK and the C library choose their code by the processor they find: a sum of products is taken in
another order, or with fused multiply-adds, and a sine differs in its last bit. What reaches a state, a packing, an
inertia or a mesh is therefore computed from what IEEE 754 rounds correctly everywhere: +, −, ·, /, square roots,
comparisons, and the splitting of a number into mantissa and exponent. NumPy never fuses elementwise operations.

All functions take numbers or arrays of float64, and give an array the very bits that its elements have one by one.
Series are those of FDLIBM (Sun Microsystems 1993). One ulp is the distance of neighbouring numbers at the result.

`fixed_kernels` has the same for compiled code.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

F64 = NDArray[np.float64]

# --- vectors and small matrices ----------------------------------------------------------------------


def dot(a: ArrayLike, b: ArrayLike) -> Any:
    """Sums of products over a short last axis, in its order."""
    products = np.multiply(a, b)
    total = products[..., 0]
    for k in range(1, products.shape[-1]):
        total = total + products[..., k]
    return total


def norm(a: ArrayLike) -> Any:
    """Lengths of vectors along the last axis."""
    return np.sqrt(dot(a, a))


def unit(a: ArrayLike) -> F64:
    """Vectors along the last axis, divided by their lengths."""
    return np.asarray(np.asarray(a) / norm(a)[..., None])


def rotate(matrix: F64, vectors: ArrayLike) -> F64:
    """matrix (..., n, k) times vectors (..., k): one matrix for all vectors, or one for each."""
    v = np.asarray(vectors)
    total = matrix[..., :, 0] * v[..., 0, None]
    for k in range(1, matrix.shape[-1]):
        total = total + matrix[..., :, k] * v[..., k, None]
    return np.asarray(total)


def product(a: F64, b: F64) -> F64:
    """Products of small matrices (..., n, k) and (..., k, m)."""
    total = a[..., :, 0, None] * b[..., 0, None, :]
    for k in range(1, a.shape[-1]):
        total = total + a[..., :, k, None] * b[..., k, None, :]
    return np.asarray(total)


def inverse(a: F64) -> F64:
    """Of a regular (3, 3) matrix, by cofactors; that of a symmetric one is symmetric to the bit."""
    cofactors = np.stack([np.cross(a[1], a[2]), np.cross(a[2], a[0]), np.cross(a[0], a[1])], axis=1)
    return np.asarray(cofactors / dot(a[0], cofactors[:, 0]))


# --- powers ------------------------------------------------------------------------------------------


def cube(x: Any) -> Any:
    """x³, within 1 ulp; `x ** 3` asks the C library."""
    return x * x * x


LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
LOG_SERIES = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
EXP_SERIES = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)


def power(x: ArrayLike, exponent: float) -> Any:
    """x**exponent for x ≥ 0 and exponent > 0, within 1 + 2 |ln of the result| ulp."""
    base = np.asarray(x, np.float64)
    result = _exp(exponent * _log(np.where(base > 0, base, 1.0)))
    return np.where(base > 0, result, 0.0)[()]


def cube_root(x: ArrayLike) -> Any:
    """Of x ≥ 0, within 1 ulp: one step of Newton's method brings the power to rounding."""
    base = np.asarray(x, np.float64)
    root = power(np.where(base > 0, base, 1.0), 1 / 3)
    root = root - (cube(root) - base) / (3 * root * root)
    return np.where(base > 0, root, 0.0)[()]


def logarithm(x: ArrayLike) -> Any:
    """Natural, of x > 0, within 1 ulp."""
    return _log(np.asarray(x, np.float64))[()]


def decade(x: float) -> float:
    """The largest power of ten that is not more than x > 0."""
    return float(Decimal(1).scaleb(Decimal(float(x)).adjusted()))


def _log(x: F64) -> Any:
    mantissa, exponent = np.frexp(x)
    low = mantissa < 0.7071067811865476
    f = np.where(low, 2 * mantissa, mantissa) - 1
    k = exponent - low
    s = f / (2 + f)
    half = 0.5 * f * f
    rest = s * (half + _series(LOG_SERIES, s * s) * (s * s)) + k * LN2_LOW
    return k * LN2_HIGH - ((half - rest) - f)


def _exp(x: F64) -> Any:
    k = np.floor(x / (LN2_HIGH + LN2_LOW) + 0.5)
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    c = r - r * r * _series(EXP_SERIES, r * r)
    return np.ldexp(1 - ((low - r * c / (2 - c)) - high), k.astype(np.int64))


def _series(coefficients: tuple[float, ...], x: Any) -> Any:
    total = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        total = total * x + coefficient
    return total


# --- angles ------------------------------------------------------------------------------------------

TWO_OVER_PI = 6.36619772367581382433e-01
# π/2 in three parts; the first two have 33 bits, so that up to 2²⁰ quarter turns times them are exact.
QUARTER_1, QUARTER_2 = 1.57079632673412561417, 6.07710050630396597660e-11
QUARTER_3 = 2.02226624879595063154e-21
PI, PI_LOW = 3.1415926535897931160, 1.2246467991473531772e-16
BEND = 0.41421356237309503
"""tan(π/8)"""


def sine(x: ArrayLike) -> Any:
    """Within 1 ulp up to 1.6e6 rad; beyond, up to 1e15 rad, the absolute error stays below 3e-16 |x|."""
    return sine_cosine(x)[0]


def cosine(x: ArrayLike) -> Any:
    """As near as `sine`."""
    return sine_cosine(x)[1]


def tangent(x: ArrayLike) -> Any:
    """Within 3 ulp, up to 1.6e6 rad."""
    s, c = sine_cosine(x)
    return s / c


def sine_cosine(x: ArrayLike) -> tuple[Any, Any]:
    """`sine` and `cosine`, for little more than the price of one."""
    angle = np.asarray(x, np.float64)
    quarters = np.floor(angle * TWO_OVER_PI + 0.5)
    rest, tail = quarter_remainder(angle, quarters)
    s, c = sine_series(rest, tail), cosine_series(rest, tail)
    odd, back = np.mod(quarters, 2) == 1, np.mod(quarters, 4)
    return (
        (np.where(odd, c, s) * np.where(back >= 2, -1.0, 1.0))[()],
        (np.where(odd, s, c) * np.where((back == 1) | (back == 2), -1.0, 1.0))[()],
    )


def arctangent2(y: ArrayLike, x: ArrayLike) -> Any:
    """Angle of the point (x, y) from the x axis, −π to π, within 3 ulp; 0 or π, signed, at the origin."""
    up, right = np.asarray(y, np.float64), np.asarray(x, np.float64)
    long, short = np.maximum(np.abs(up), np.abs(right)), np.minimum(np.abs(up), np.abs(right))
    wide = short > BEND * long
    angle = arctangent_series(
        np.where(wide, short - long, short) / np.where(wide, short + long, np.where(long > 0, long, 1.0))
    )
    angle = np.where(wide, 0.25 * PI + (angle + 0.25 * PI_LOW), angle)
    behind, steep = np.signbit(right), np.abs(up) > np.abs(right)
    flat = np.where(behind, PI - (angle - PI_LOW), angle)
    upright = 0.5 * PI - (np.where(behind, -angle, angle) - 0.5 * PI_LOW)
    return np.copysign(np.where(steep, upright, flat), up)[()]


# The rest are series that `fixed_kernels` compiles, too: plain arithmetic on numbers or arrays.


def quarter_remainder(x: Any, quarters: Any) -> tuple[Any, Any]:
    """x − quarters·π/2 as a number and what rounding it left out."""
    near, part = x - quarters * QUARTER_1, quarters * QUARTER_2
    rest = near - part
    # What the subtraction lost (Knuth's two-sum).
    back = near - rest
    lost = (near - (rest + back)) + (back - part)
    low = lost - quarters * QUARTER_3
    high = rest + low
    return high, (rest - high) + low


def sine_series(x: Any, tail: Any) -> Any:
    """sin(x + tail) for |x| ≤ π/4 and a tail below rounding."""
    z = x * x
    r = 2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    r = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * r)
    v = z * x
    return x - ((z * (0.5 * tail - v * r) - tail) + v * 1.66666666666666324348e-01)


def cosine_series(x: Any, tail: Any) -> Any:
    """cos(x + tail) for |x| ≤ π/4 and a tail below rounding."""
    z = x * x
    r = 2.08757232129817482790e-09 - z * 1.13596475577881948265e-11
    r = 2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * r)
    r = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * r)
    half = 0.5 * z
    near = 1.0 - half
    return near + (((1.0 - near) - half) + (z * (z * r) - x * tail))


def arctangent_series(x: Any) -> Any:
    """The angle whose tangent is x, |x| ≤ 7/16."""
    z = x * x
    r = 4.97687799461593236017e-02 + z * (-3.65315727442169155270e-02 + z * 1.62858201153657823623e-02)
    r = 6.66107313738753120669e-02 + z * (-5.83357013379057348645e-02 + z * r)
    r = 9.09088713343650656196e-02 + z * (-7.69187620504482999495e-02 + z * r)
    r = 1.42857142725034663711e-01 + z * (-1.11111104054623557880e-01 + z * r)
    r = 3.33333333333329318027e-01 + z * (-1.99999999998764832476e-01 + z * r)
    return x - x * (z * r)


# --- chance ------------------------------------------------------------------------------------------


def random_directions(random: np.random.Generator, count: int) -> F64:
    """(count, 3) unit vectors, evenly distributed; normal numbers from NumPy have tails of the C library."""
    z, turn = random.uniform(-1.0, 1.0, count), random.uniform(-PI, PI, count)
    s, c = sine_cosine(turn)
    ring = np.sqrt(1.0 - z * z)
    return np.stack([ring * c, ring * s, z], axis=1)
