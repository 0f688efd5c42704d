"""Scenes that granular SPH is held against laws with."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.scene import Box, Scene
from windrow.scene.settings import SPH
from windrow.sim.simulation import Simulation

GRAVITY = 9.81
DENSITY = 1600.0


def lattice(lower: tuple[float, float, float], upper: tuple[float, float, float], d: float) -> NDArray[np.float64]:
    """Centres of cubes of side d that fill a box from its lower corner on."""
    axes = [np.arange(a + d / 2, b, d) for a, b in zip(lower, upper, strict=True)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def sand(angle_deg: float, cohesion_pa: float = 0.0, wall_friction: float | None = None) -> Scene:
    """An empty scene over ground of the same sand."""
    scene = Scene()
    tangent = math.tan(math.radians(angle_deg))
    scene.add_material(
        "sand", density=DENSITY, friction_static=tangent, adhesion=cohesion_pa, wall_friction=wall_friction
    )
    scene.add_plane((0, 0, 1), 0.0, "sand")
    return scene


def jittered(place: NDArray[np.float64], d: float, seed: int) -> NDArray[np.float64]:
    """Places off the lattice by up to two per cent."""
    shift = np.random.Generator(np.random.PCG64(seed)).uniform(-0.02 * d, 0.02 * d, place.shape)
    moved = place + shift
    moved[:, 2] = np.maximum(moved[:, 2], 0.499 * d)
    return moved


def started(scene: Scene, place: NDArray[np.float64], d: float, settings: SPH | None = None) -> Simulation:
    scene.add_particles(place, radius=0.499 * d, material="sand")
    return Simulation(scene, solver=settings or SPH())


def cone(angle_deg: float, cut_deg: float, d: float, seed: int = 0, radius: float = 0.6) -> Simulation:
    """A cone of sand that was cut at an angle, on a plane."""
    place = lattice((-radius, -radius, 0.0), (radius, radius, 1.6 * radius), d)
    flank = np.tan(np.radians(cut_deg)) * (radius - np.hypot(place[:, 0], place[:, 1]))
    return started(sand(angle_deg), jittered(place[place[:, 2] < flank], d, seed), d)


def column(angle_deg: float, radius: float, height: float, d: float, seed: int = 0) -> Simulation:
    """A free-standing cylinder."""
    place = lattice((-radius, -radius, 0.0), (radius, radius, height), d)
    inside = np.hypot(place[:, 0], place[:, 1]) < radius
    return started(sand(angle_deg), jittered(place[inside], d, seed), d)


def flank_angle(place: NDArray[Any], d: float) -> float:
    """Slope (degrees) of a heap about the z axis, fitted between a fifth and four fifths of its height."""
    r = np.hypot(place[:, 0], place[:, 1])
    ring = (r / d).astype(np.int64)
    filled = [k for k in range(int(ring.max()) + 1) if (ring == k).sum() >= 3]
    middle = np.array([(k + 0.5) * d for k in filled])
    surface = np.array([np.percentile(place[ring == k, 2], 97) + d / 2 for k in filled])
    top = float(surface[:3].max())
    flank = (surface < 0.8 * top) & (surface > 0.2 * top)
    return math.degrees(math.atan(-float(np.polyfit(middle[flank], surface[flank], 1)[0])))


def box_of_sand(angle_deg: float, half: float, height: float, d: float, wall: float) -> Simulation:
    """A bed in a box with walls of their own friction."""
    scene = sand(angle_deg, wall_friction=wall)
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add_plane(normal, -half, "sand")
    place = lattice((-half, -half, 0.0), (half, half, height), d)
    # as at rest: pressure that comes all at once would overshoot, and rough walls keep it
    scene.add_particles(place, radius=d / 2, material="sand", pressure=DENSITY * GRAVITY * (height - place[:, 2]))
    return Simulation(scene, solver=SPH())


def bank(cohesion_pa: float, angle_deg: float, height: float, d: float) -> Simulation:
    """A bank with a vertical face at x = 0, between smooth walls behind it and beside it."""
    scene = sand(angle_deg, cohesion_pa)
    scene.add_material("smooth", friction_static=0.0)
    width, length = 6 * d, 1.2 * height
    for normal, offset in (((0, 1, 0), -width / 2), ((0, -1, 0), -width / 2), ((1, 0, 0), -length)):
        scene.add_plane(normal, offset, "smooth")
    return started(scene, lattice((-length, -width / 2, 0.0), (0.0, width / 2, height), d), d)


def bed_on_a_truck(acceleration: float, friction: float, d: float) -> Simulation:
    """A low heap on a plate that is still for 0.5 s and then accelerates along x, m/s²."""
    scene = Scene()
    scene.add_material("sand", density=DENSITY, friction_static=math.tan(math.radians(45.0)), wall_friction=friction)
    times = np.linspace(0.0, 1.2, 121)
    place = [(0.5 * acceleration * max(t - 0.5, 0.0) ** 2, 0.0, 0.0) for t in times]
    scene.add_obstacle(
        Box(size=(3.0, 2.0, 0.2)), "sand", name="bed", position=(0, 0, -0.1),
        motion={"kind": "keyframes", "time": times.tolist(), "position": place},
    )  # fmt: skip
    heap = lattice((-0.5, -0.5, 0.0), (0.5, 0.5, 0.25), d)
    r = np.hypot(heap[:, 0], heap[:, 1])
    return started(scene, heap[(heap[:, 2] < 0.36 * (0.5 - r) + 0.06) & (r < 0.5)], d)
