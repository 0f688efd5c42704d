"""Scripted motion: where an obstacle is at a time, continuous, and a function of that time alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from windrow.fixed_math import arctangent2, norm, product, rotate, sine, sine_cosine, unit
from windrow.scene.arrays import (
    LARGEST_LENGTH,
    ArrayOf,
    Direction,
    FloatArray,
    LengthOrZero,
    NonNegative,
    Number,
    Time,
    TimeOrNever,
    Vector3,
)
from windrow.scene.part import Part

if TYPE_CHECKING:
    from windrow.scene.obstacles import Obstacle


class _Motion(Part):
    start: Time = Field(default=0.0, description="motion begins, s; the obstacle rests before")
    stop: TimeOrNever = Field(
        default=math.inf, description="motion ends, s; the obstacle rests after, where it is then"
    )

    @model_validator(mode="after")
    def _starts_before_stop(self) -> Self:
        if not self.start <= self.stop:
            raise ValueError(f"stop {self.stop:g} s comes before start {self.start:g} s")
        return self

    def elapsed(self, t: float) -> float:
        """Time spent moving until t, s."""
        return max(0.0, min(t, self.stop) - self.start)


class Linear(_Motion):
    """Steady straight motion."""

    kind: Literal["linear"] = "linear"
    velocity: Vector3 = Field(description="m/s")


class Spin(_Motion):
    """Steady rotation about an axis through `center`."""

    kind: Literal["spin"] = "spin"
    axis: Direction = Field(default=(0.0, 0.0, 1.0), description="right-hand axis in the world; any length")
    rate: Number = Field(description="rad/s")
    center: Vector3 | None = Field(
        default=None, description="a point on the axis, m; left out: the obstacle's position"
    )


class Oscillate(_Motion):
    """To and fro along a line, beginning at the position given.

    The offset is amplitude·(sin(2π frequency t + phase) − sin(phase)).
    """

    kind: Literal["oscillate"] = "oscillate"
    direction: Direction = Field(description="any length")
    amplitude: LengthOrZero = Field(description="m")
    frequency: NonNegative = Field(description="Hz")
    phase: Number = Field(default=0.0, description="rad; π/2 begins without a jump in speed")


class Keyframes(_Motion):
    """Straight from pose to pose; holds the first before and the last after.

    Poses are added to the obstacle's own: positions are offsets from it, rotations turn it about the moved
    position. An obstacle placed at the origin thus has world positions here.
    """

    kind: Literal["keyframes"] = "keyframes"
    time: Annotated[FloatArray, ArrayOf(((None,),), minimum=0, shortest=1)] = Field(
        description="ascending, counted from start, s"
    )
    position: Annotated[
        FloatArray, ArrayOf(((None, 3),), minimum=-LARGEST_LENGTH, maximum=LARGEST_LENGTH, shortest=1)
    ] = Field(description="offset at each time, m")
    rotation_deg: (
        Annotated[FloatArray, ArrayOf(((None, 3),), minimum=-1e9, maximum=1e9, shortest=1)] | None
    ) = Field(
        default=None,
        description="rotation vector (axis times angle) at each time, degrees; more than a turn is allowed",
    )

    @model_validator(mode="after")
    def _one_pose_per_time(self) -> Self:
        for name in ("position", "rotation_deg"):
            rows = getattr(self, name)
            if rows is not None and len(rows) != len(self.time):
                raise ValueError(
                    f"{len(self.time)} times but {len(rows)} rows of {name}; give one row per time"
                )
        if len(self.time) > 1 and np.diff(self.time).min() <= 0:
            raise ValueError("time must ascend from key to key")
        return self


Motion = Annotated[Linear | Spin | Oscillate | Keyframes, Field(discriminator="kind")]


def rotation_matrix(rotation_vector: tuple[float, float, float] | FloatArray) -> FloatArray:
    """Matrix (3, 3) that turns about `rotation_vector` by its length in radians (Rodrigues' formula)."""
    x, y, z = (float(component) for component in rotation_vector)
    angle = math.sqrt(x * x + y * y + z * z)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = x / angle, y / angle, z / angle
    s, c = sine_cosine(angle)
    rest = 1.0 - c
    return np.array(
        [
            [c + x * x * rest, x * y * rest - z * s, x * z * rest + y * s],
            [y * x * rest + z * s, c + y * y * rest, y * z * rest - x * s],
            [z * x * rest - y * s, z * y * rest + x * s, c + z * z * rest],
        ]
    )


def pose_at(obstacle: Obstacle, t: float) -> tuple[FloatArray, FloatArray]:
    """Position (3,) in m and rotation (3, 3), local to world, of an obstacle at time t in s."""
    position = np.array(obstacle.position, dtype=np.float64)
    rotation = rotation_matrix(np.deg2rad(obstacle.rotation_deg))
    motion = obstacle.motion
    if motion is None:
        return position, rotation
    elapsed = motion.elapsed(t)
    if isinstance(motion, Linear):
        return position + elapsed * np.array(motion.velocity), rotation
    if isinstance(motion, Spin):
        turn = rotation_matrix(unit(motion.axis) * math.remainder(motion.rate * elapsed, math.tau))
        if motion.center is None:
            return position, product(turn, rotation)
        center = np.array(motion.center)
        return center + rotate(turn, position - center), product(turn, rotation)
    if isinstance(motion, Oscillate):
        angle = math.tau * motion.frequency * elapsed + motion.phase
        offset = motion.amplitude * (sine(angle) - sine(motion.phase))
        return position + unit(motion.direction) * offset, rotation
    position = position + _between(motion.time, motion.position, elapsed)
    if motion.rotation_deg is not None:
        turn = rotation_matrix(np.deg2rad(_between(motion.time, motion.rotation_deg, elapsed)))
        rotation = product(turn, rotation)
    return position, rotation


def _between(times: FloatArray, rows: FloatArray, t: float) -> FloatArray:
    return np.array([np.interp(t, times, rows[:, column]) for column in range(3)])


def quaternion_of(rotation: FloatArray) -> FloatArray:
    """Unit quaternion (w, x, y, z), w ≥ 0, of a rotation matrix."""
    m = np.asarray(rotation, np.float64)
    diagonal = np.array([m.trace(), m[0, 0], m[1, 1], m[2, 2]])
    k = int(diagonal.argmax())
    q = np.empty(4)
    if k == 0:
        q[:] = 1 + m.trace(), m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    else:
        i, j, l = k - 1, k % 3, (k + 1) % 3
        q[0] = m[l, j] - m[j, l]
        q[1 + i] = 1 + m[i, i] - m[j, j] - m[l, l]
        q[1 + j] = m[j, i] + m[i, j]
        q[1 + l] = m[l, i] + m[i, l]
    q /= norm(q)
    return q if q[0] >= 0 else -q


def rotation_vector(rotation: FloatArray) -> FloatArray:
    """(3,) axis times angle, rad, of a rotation matrix; the inverse of `rotation_matrix` up to half a turn."""
    q = quaternion_of(rotation)
    sine = float(norm(q[1:]))
    return np.asarray(q[1:] * (2.0 if sine < 1e-12 else 2.0 * arctangent2(sine, q[0]) / sine))
