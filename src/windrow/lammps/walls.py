"""Obstacles as LAMMPS regions, at rest or in motion.

Boxes lie along the axes of LAMMPS, cylinders and cones along one of them; what lies otherwise is turned about its
position by an angle that does not change. A region turns about one axis only, so that what lies askew cannot spin, too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import norm, rotate, unit
from windrow.lammps.contacts import number
from windrow.lammps.shells import pieces_inside
from windrow.scene.motion import Linear, Oscillate, Spin, rotation_matrix
from windrow.scene.shapes import Box, Cone, Cylinder, Plane, Revolution, Sphere

if TYPE_CHECKING:
    from windrow.lammps.refusing import Approximations
    from windrow.scene.obstacles import Obstacle

AXES = "xyz"
NEAR = 1e-9
"""Of a unit vector: along an axis of the coordinates."""


class Wall(NamedTuple):
    """Lines of the deck that make a region."""

    region: str
    """its name"""
    lines: list[str]
    curved: bool
    """whether LAMMPS reckons with its curvature"""


class _Placed(NamedTuple):
    """A shape in words of LAMMPS, and how it must be turned about its position to lie right."""

    words: str
    turn: NDArray[np.float64]
    """axis times angle, rad"""


def place_of(obstacle: Obstacle, index: int) -> str:
    """The obstacle, as messages call it."""
    return f"obstacles[{index}]" + (f" ({obstacle.name})" if obstacle.name else "")


def wall_of(obstacle: Obstacle, index: int) -> Wall:
    """The region of an obstacle; raises SceneError where LAMMPS has none like it."""
    field, name = place_of(obstacle, index), f"wall{index}"
    position = np.array(obstacle.position, np.float64)
    turned = rotation_matrix(np.deg2rad(obstacle.rotation_deg))
    placed = _placed(obstacle, field, position, turned)
    lines, options = _motion(obstacle, field, name, placed.turn)
    side = "in" if obstacle.inside or isinstance(obstacle.shape, Plane) else "out"
    lines.append(" ".join([f"region {name} {placed.words} side {side} units box", *options]))
    curved = isinstance(obstacle.shape, Sphere | Cylinder | Cone)
    return Wall(name, lines, curved)


def shell_of(obstacle: Obstacle, index: int, reach: float, approximations: Approximations) -> list[Wall]:
    """Regions of the inner side of a turned shell, which only stand in for it; reach: largest radius of grains, m."""
    assert isinstance(obstacle.shape, Revolution)
    field = place_of(obstacle, index)
    if rotation_matrix(np.deg2rad(obstacle.rotation_deg))[2, 2] < 1.0 - NEAR:
        raise SceneError(f"{field}.rotation_deg: a shell of LAMMPS regions stands upright; turn the scene instead")
    approximations.make(
        f"{field}.shape",
        "a revolution has no equivalent in LAMMPS",
        "its inner side is written as a cone for each part of its profile; at a bend both push, and grains outside of "
        "it meet nothing",
        "make it of planes, boxes, spheres, cylinders and cones",
    )
    x, y, z = obstacle.position
    walls = []
    for k, piece in enumerate(pieces_inside(obstacle.shape, reach, field)):
        name = f"wall{index}_{k}"
        lines, options = _motion(obstacle, field, name, np.zeros(3))
        low, high = z + piece.low, z + piece.high
        straight = abs(piece.radius_low - piece.radius_high) < NEAR
        radii = [piece.radius_low] if straight else [piece.radius_low, piece.radius_high]
        words = f"{'cylinder' if straight else 'cone'} z {_words([x, y, *radii, low, high])}"
        lines.append(" ".join([f"region {name} {words} side in units box", *options, piece.opened]))
        walls.append(Wall(name, lines, True))
    return walls


def _placed(obstacle: Obstacle, field: str, position: NDArray[np.float64], R: NDArray[np.float64]) -> _Placed:
    shape, none = obstacle.shape, np.zeros(3)
    if isinstance(shape, Plane):
        normal = rotate(R, unit(shape.normal))
        return _Placed(f"plane {_words(position + shape.offset * normal)} {_words(normal)}", none)
    if isinstance(shape, Sphere):
        return _Placed(f"sphere {_words(position)} {number(shape.radius)}", none)
    askew = np.deg2rad(np.array(obstacle.rotation_deg, np.float64))
    if isinstance(shape, Box):
        along = np.abs(R)
        straight = bool((along.max(axis=1) > 1.0 - NEAR).all())
        half = 0.5 * (rotate(along.round(), np.array(shape.size)) if straight else np.array(shape.size))
        faces = np.stack([position - half, position + half], axis=1).ravel()
        return _Placed(f"block {_words(faces)}", none if straight else askew)
    if isinstance(shape, Cylinder | Cone):
        axis = R[:, 2]
        k = int(np.abs(axis).argmax())
        # the ends of a cone along y push along z in LAMMPS (22Jul2025)
        straight = abs(axis[k]) > 1.0 - NEAR and not (isinstance(shape, Cone) and k == 1)
        k, sign = (k, math.copysign(1.0, axis[k])) if straight else (2, 1.0)
        if isinstance(shape, Cylinder):
            ends, radii = (-0.5 * shape.height, 0.5 * shape.height), [shape.radius]
        else:
            ends, radii = (0.0, shape.height), [shape.radius, shape.radius_top]
        low, high = sorted(position[k] + sign * end for end in ends)
        across = np.delete(position, k)
        words = _words([*across, *(radii if sign > 0 else radii[::-1]), low, high])
        return _Placed(f"{shape.kind} {AXES[k]} {words}", none if straight else askew)
    raise SceneError(
        f"{field}.shape: a {shape.kind} has no equivalent in LAMMPS; make it of planes, boxes, spheres, cylinders and "
        "cones, or run the scene without --engine"
    )


def _motion(obstacle: Obstacle, field: str, name: str, turn: NDArray[np.float64]) -> tuple[list[str], list[str]]:
    """Variables, and words of the region that use them."""
    motion = obstacle.motion
    angle, lines, options = float(norm(turn)), [], []
    if angle > 0:
        lines.append(f"variable {name}_angle equal {number(angle)}")
        options.append(f"rotate v_{name}_angle {_words(obstacle.position)} {_words(turn / angle)}")
    if motion is None:
        return lines, options
    elapsed = "(step*dt)"
    if motion.start > 0 or math.isfinite(motion.stop):
        t0, t1 = number(motion.start), number(min(motion.stop, 1e30))
        elapsed = f"ternary(step*dt<{t0},0,ternary(step*dt>{t1},{t1},step*dt)-{t0})"
    if isinstance(motion, Spin):
        if angle > 0:
            raise SceneError(
                f"{field}.motion: a LAMMPS region turns about one axis only, and this one lies askew already; place it "
                "along the axes x, y and z"
            )
        center = obstacle.position if motion.center is None else motion.center
        lines.append(f"variable {name}_angle equal {number(motion.rate)}*{elapsed}")
        options.append(f"rotate v_{name}_angle {_words(center)} {_words(unit(motion.axis))}")
    elif isinstance(motion, Linear | Oscillate):
        way = np.array(motion.velocity) if isinstance(motion, Linear) else unit(motion.direction)
        path = elapsed
        if isinstance(motion, Oscillate):
            phase = number(motion.phase)
            path = f"{number(motion.amplitude)}*(sin(2*PI*{number(motion.frequency)}*{elapsed}+({phase}))-sin({phase}))"
        moved = [AXES[k] if way[k] else "" for k in range(3)]
        lines += [f"variable {name}_{a} equal ({number(way[k])})*{path}" for k, a in enumerate(moved) if a]
        options.append("move " + " ".join(f"v_{name}_{a}" if a else "NULL" for a in moved))
    else:
        raise SceneError(
            f"{field}.motion: {motion.kind} have no equivalent in LAMMPS; use a linear, spin or oscillate motion"
        )
    return lines, options


def _words(numbers: NDArray[np.float64] | list[float] | tuple[float, ...]) -> str:
    return " ".join(number(float(value) + 0.0) for value in numbers)
