"""Small pure functions on three numbers, and on rotations, for use inside compiled loops."""

from __future__ import annotations

from math import sqrt

from windrow.fixed_kernels import sine_cosine
from windrow.geometry.terms import F64, Point
from windrow.kernel import bare_inner, bare_kernel


@bare_inner
def cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@bare_inner
def dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@bare_inner
def minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@bare_inner
def negative(a: Point) -> Point:
    return -a[0], -a[1], -a[2]


@bare_inner
def scaled(a: Point, factor: float) -> Point:
    return a[0] * factor, a[1] * factor, a[2] * factor


@bare_inner
def row(array: F64, i: int) -> Point:
    """Row i of an (n, 3) array."""
    return array[i, 0], array[i, 1], array[i, 2]


@bare_inner
def row_of(array: F64, i: int, j: int) -> Point:
    """Row (i, j) of an (n, m, 3) array; a slice of it would be counted as one more user of its memory."""
    return array[i, j, 0], array[i, j, 1], array[i, j, 2]


@bare_inner
def axis_of(array: F64, i: int, j: int, k: int) -> Point:
    """Row (i, j, k) of an (n, m, l, 3) array."""
    return array[i, j, k, 0], array[i, j, k, 1], array[i, j, k, 2]


@bare_inner
def turned_by(R: F64, i: int, v: Point) -> Point:
    """Product of matrix i of (n, 3, 3) and a vector."""
    return (
        R[i, 0, 0] * v[0] + R[i, 0, 1] * v[1] + R[i, 0, 2] * v[2],
        R[i, 1, 0] * v[0] + R[i, 1, 1] * v[1] + R[i, 1, 2] * v[2],
        R[i, 2, 0] * v[0] + R[i, 2, 1] * v[1] + R[i, 2, 2] * v[2],
    )


@bare_inner
def turned_back_by(R: F64, i: int, v: Point) -> Point:
    """Product of the transpose of matrix i of (n, 3, 3) and a vector."""
    return (
        R[i, 0, 0] * v[0] + R[i, 1, 0] * v[1] + R[i, 2, 0] * v[2],
        R[i, 0, 1] * v[0] + R[i, 1, 1] * v[1] + R[i, 2, 1] * v[2],
        R[i, 0, 2] * v[0] + R[i, 1, 2] * v[1] + R[i, 2, 2] * v[2],
    )


@bare_inner
def times(matrix: F64, v: Point) -> Point:
    """Product of a 3 × 3 matrix and a vector."""
    return (
        matrix[0, 0] * v[0] + matrix[0, 1] * v[1] + matrix[0, 2] * v[2],
        matrix[1, 0] * v[0] + matrix[1, 1] * v[1] + matrix[1, 2] * v[2],
        matrix[2, 0] * v[0] + matrix[2, 1] * v[1] + matrix[2, 2] * v[2],
    )


@bare_inner
def times_transposed(matrix: F64, v: Point) -> Point:
    """Product of the transpose of a 3 × 3 matrix and a vector."""
    return (
        matrix[0, 0] * v[0] + matrix[1, 0] * v[1] + matrix[2, 0] * v[2],
        matrix[0, 1] * v[0] + matrix[1, 1] * v[1] + matrix[2, 1] * v[2],
        matrix[0, 2] * v[0] + matrix[1, 2] * v[1] + matrix[2, 2] * v[2],
    )


@bare_kernel
def any_perpendicular(n: Point) -> Point:
    """A unit vector at right angles to a unit vector."""
    if abs(n[0]) < 0.57:
        length = sqrt(n[1] * n[1] + n[2] * n[2])
        return 0.0, n[2] / length, -n[1] / length
    length = sqrt(n[0] * n[0] + n[2] * n[2])
    return -n[2] / length, 0.0, n[0] / length


SMALL = 2.5e-3
"""Square of the angle, rad², up to which sines and cosines are short series, exact to rounding."""


@bare_inner
def slopes(square: float) -> tuple[float, float]:
    """sin(a)/a and (1 − cos a)/a² of an angle a, from its square."""
    if square < SMALL:
        return (
            1.0 - square * (1.0 - square * (1.0 - square / 42.0) / 20.0) / 6.0,
            0.5 * (1.0 - square * (1.0 - square * (1.0 - square / 56.0) / 30.0) / 12.0),
        )
    angle = sqrt(square)
    sine, cosine = sine_cosine(angle)
    return sine / angle, (1.0 - cosine) / square


@bare_kernel
def turned(v: Point, rotation: Point) -> Point:
    """v turned about a rotation vector by its length in radians (Rodrigues)."""
    square = dot(rotation, rotation)
    sine, bend = slopes(square)
    across = cross(rotation, v)
    along = dot(rotation, v) * bend
    c = 1.0 - square * bend
    return (
        v[0] * c + across[0] * sine + rotation[0] * along,
        v[1] * c + across[1] * sine + rotation[1] * along,
        v[2] * c + across[2] * sine + rotation[2] * along,
    )


@bare_inner
def solved(first: Point, second: Point, third: Point, v: Point) -> Point:
    """x of matrix · x = v for a regular matrix of three rows (Cramer)."""
    a, b, c = first
    d, e, f = second
    g, h, i = third
    ca, cb, cc = e * i - f * h, f * g - d * i, d * h - e * g
    inverse = 1.0 / (a * ca + b * cb + c * cc)
    return (
        (ca * v[0] + (c * h - b * i) * v[1] + (b * f - c * e) * v[2]) * inverse,
        (cb * v[0] + (a * i - c * g) * v[1] + (c * d - a * f) * v[2]) * inverse,
        (cc * v[0] + (b * g - a * h) * v[1] + (a * e - b * d) * v[2]) * inverse,
    )


@bare_kernel
def matrix_of(q: F64, R: F64) -> None:
    """Rotation matrix of a unit quaternion (w, x, y, z), written into R."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    R[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    R[0, 1] = 2.0 * (x * y - w * z)
    R[0, 2] = 2.0 * (x * z + w * y)
    R[1, 0] = 2.0 * (x * y + w * z)
    R[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    R[1, 2] = 2.0 * (y * z - w * x)
    R[2, 0] = 2.0 * (x * z - w * y)
    R[2, 1] = 2.0 * (y * z + w * x)
    R[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@bare_inner
def turn(q: F64, rotation: Point) -> None:
    """Turns a unit quaternion about a rotation vector in the world, and makes it of unit length again."""
    square = 0.25 * dot(rotation, rotation)
    sine, bend = slopes(square)
    s, c = 0.5 * sine, 1.0 - square * bend
    x, y, z = rotation[0] * s, rotation[1] * s, rotation[2] * s
    a, b, d, e = q[0], q[1], q[2], q[3]
    q[0] = c * a - x * b - y * d - z * e
    q[1] = c * b + x * a + y * e - z * d
    q[2] = c * d + y * a + z * b - x * e
    q[3] = c * e + z * a + x * d - y * b
    inverse = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    for k in range(4):
        q[k] *= inverse
