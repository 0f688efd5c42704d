"""Where the picture is taken from: pinhole cameras, the light's parallel view, and automatic framing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm, rotate, sine_cosine, tangent, unit
from windrow.scene.settings import Camera

if TYPE_CHECKING:
    from windrow.state.frame import Frame

Vector = NDArray[np.float64]
Box = tuple[Vector, Vector]

UP = np.array([0.0, 0.0, 1.0])
AZIMUTH_DEG = -62.0
ELEVATION_DEG = 24.0
FIELD_OF_VIEW_DEG = 35.0
AIR_AROUND = 1.12
"""Free space left around the subject, as a factor on the distance."""


@dataclass(frozen=True)
class PixelRays:
    """A rectangle of samples and the rays through them.

    In view axes x points right, y down and z forward. Column i of the samples has u = (i + ½ − width/2)/focal
    and row j likewise v. A pinhole view looks along (u, v, 1), a parallel one along z from (u, v, 0).
    """

    eye: Vector
    axes: Vector
    """Rows are right, down and forward in world axes."""
    focal: float
    """Samples per unit of u: per tangent of angle (pinhole) or per metre (parallel)."""
    width: int
    height: int
    parallel: bool = False

    def seen(self, points: Vector) -> Vector:
        """World points (n, 3) in view axes."""
        return rotate(self.axes, points - self.eye)


def view_axes(forward: Vector) -> Vector:
    """Right, down and forward for a direction of sight; up in the picture is world z if that is possible."""
    forward = unit(forward)
    right = np.cross(forward, UP)
    length = float(norm(right))
    right = right / length if length > 1e-6 else np.array([1.0, 0.0, 0.0])
    return np.stack([right, np.cross(forward, right), forward])


def pinhole(camera: Camera, width: int, height: int) -> PixelRays:
    """The view of a camera on an image of that many samples; its field of view is the vertical angle."""
    eye = np.asarray(camera.eye, np.float64)
    toward = np.asarray(camera.target, np.float64) - eye
    angle = math.radians(camera.field_of_view_deg)
    return PixelRays(eye, view_axes(toward), 0.5 * height / float(tangent(0.5 * angle)), width, height)


def light_view(toward_light: Vector, region: Box, samples: int) -> PixelRays:
    """Parallel view along the light that just covers a box in world axes."""
    lower, upper = region
    center = 0.5 * (lower + upper)
    reach = 0.5 * float(norm(upper - lower)) + 1e-9
    axes = view_axes(-toward_light)
    return PixelRays(
        center + toward_light * reach * 4.0, axes, 0.5 * samples / reach, samples, samples, parallel=True
    )


def joined(boxes: list[Box]) -> Box:
    """The smallest box around several."""
    return np.min([box[0] for box in boxes], axis=0), np.max([box[1] for box in boxes], axis=0)


def grains_box(frame: Frame) -> Box | None:
    """Box around the grains without the few that flew off; None when there are no grains."""
    finite = np.isfinite(frame.position).all(axis=1)
    position = np.asarray(frame.position[finite], np.float64)
    if len(position) == 0:
        return None
    radius = float(np.max(frame.radius[finite]))
    low, high = np.percentile(position, [1.0, 99.0], axis=0)
    # A heap's toe lies a little outside of these percentiles, a stray grain far outside.
    slack = 0.25 * (high - low) + 4.0 * radius
    lower = np.maximum(position.min(axis=0), low - slack)
    upper = np.minimum(position.max(axis=0), high + slack)
    return lower - radius, upper + radius


def subject_box(grains: Box | None, bodies: list[Box]) -> Box:
    """What the picture is about: the grains, and the obstacles that are not far larger than they are."""
    if grains is None:
        lower, upper = joined(bodies) if bodies else (np.zeros(3), np.zeros(3))
        # An emitter that has not begun is a single point.
        return (lower, upper) if np.any(upper > lower) else (lower - 0.5, upper + 0.5)
    size = float(norm(grains[1] - grains[0]))
    near = [
        body
        for body in bodies
        if norm(body[1] - body[0]) < 3.0 * size
        and norm(np.maximum(0.0, np.maximum(body[0] - grains[1], grains[0] - body[1]))) < size
    ]
    return joined([grains, *near])


def automatic_camera(subject: Box, aspect: float) -> Camera:
    """A camera that shows the whole box from above and to the side; `aspect` is width over height."""
    lower, upper = subject
    aside, ahead = sine_cosine(math.radians(AZIMUTH_DEG))
    up, level = sine_cosine(math.radians(ELEVATION_DEG))
    toward_eye = np.array([level * ahead, level * aside, up])
    corners = np.array(np.meshgrid(*zip(lower, upper, strict=True), indexing="ij")).reshape(3, -1).T
    target = 0.5 * (lower + upper)
    slope = float(tangent(math.radians(0.5 * FIELD_OF_VIEW_DEG)))
    axes = view_axes(-toward_eye)
    distance = 0.0
    # Nearer corners look wider, so the middle of the picture is not that of the box: recentre a few times.
    for _ in range(5):
        seen = rotate(axes, corners - target)
        across, along = seen[:, :2] / np.array([aspect * slope, slope]), seen[:, 2]
        distance = max(AIR_AROUND * float(np.max(np.abs(across) - along[:, None])), 1e-6)
        slopes = seen[:, :2] / (along + distance)[:, None]
        middle = 0.5 * (slopes.min(axis=0) + slopes.max(axis=0))
        target = target + distance * rotate(axes[:2].T, middle)
    eye = target + distance * toward_eye
    return Camera.model_validate(
        {"eye": eye.tolist(), "target": target.tolist(), "field_of_view_deg": FIELD_OF_VIEW_DEG}
    )
