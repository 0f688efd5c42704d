"""Scenes that the constraint fluid is held against laws with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.scene.scene import Scene
from windrow.scene.settings import Fluid
from windrow.scene.shapes import Box

WATER = 1000.0
G = 9.81
F64 = NDArray[np.float64]


def block(size: tuple[float, float, float], d: float) -> F64:
    """Centres of a lattice of cubes of side d that fills a box at the origin."""
    axes = (np.arange(0.5 * d, length - 0.25 * d, d) for length in size)
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def basin(
    length: float, width: float, place: F64, d: float, velocity: F64 | None = None, settings: Fluid | None = None
) -> Scene:
    """Water in a tank with smooth walls: floor, x = 0, x = length, y = 0, y = width."""
    scene = Scene(gravity=(0, 0, -G), solver=settings or Fluid())
    scene.add_material("water", density=WATER)
    scene.add_plane((0, 0, 1), 0.0, "water", name="floor")
    for normal, offset in (((1, 0, 0), 0), ((-1, 0, 0), -length), ((0, 1, 0), 0), ((0, -1, 0), -width)):
        scene.add_plane(normal, float(offset), "water")
    scene.add_particles(place, velocity=velocity, radius=0.5 * d, material="water")
    return scene


def floating_box(d: float, density: float, side: float = 0.8, depth: float = 0.4) -> Scene:
    """A box of 0.4 × 0.4 × 0.2 m where it should float, or in mid-water if it is denser than that."""
    place = block((side, side, depth), d)
    low = depth - 0.2 * min(density / WATER, 0.9) if density < WATER else 0.15
    near = np.abs(place[:, :2] - 0.5 * side).max(axis=1) < 0.2
    place = place[~(near & (place[:, 2] > low) & (place[:, 2] < low + 0.2))]
    scene = basin(side, side, place, d)
    scene.add_material("box", density=density)
    scene.add_body("box", "box", shapes=[Box(size=(0.4, 0.4, 0.2))], position=(0.5 * side, 0.5 * side, low + 0.1))
    return scene


def sloshing(d: float, amplitude: float, length: float = 1.0, depth: float = 0.4) -> Scene:
    """The first mode of a tank, with a level surface and all its energy in motion."""
    width = 5 * d
    place = block((length, width, depth), d)
    k = np.pi / length
    speed = amplitude * slosh_frequency(length, depth) / np.sinh(k * depth)
    x, z = place[:, 0], place[:, 2]
    v = np.stack([-np.cosh(k * z) * np.sin(k * x), 0 * x, np.sinh(k * z) * np.cos(k * x)], axis=-1)
    return basin(length, width, place, d, speed * v)


def slosh_frequency(length: float, depth: float) -> float:
    """ω of the first mode, rad/s: ω² = g k tanh(k H), k = π/L."""
    k = np.pi / length
    return float(np.sqrt(G * k * np.tanh(k * depth)))


def channel(d: float, layers: int, viscosity: float, push: float, top_speed: float) -> Scene:
    """Liquid between two plates, without weight: driven along x by a force per mass, or by the upper plate.

    Its sides are free, and it is so long that its middle does not feel its ends.
    """
    height = layers * d
    scene = Scene(gravity=(push, 0, 0), solver=Fluid(viscosity=viscosity, smoothing=0.0))
    scene.add_material("water", density=WATER)
    scene.add_plane((0, 0, 1), 0.0, "water", name="floor")
    motion = {"motion": {"kind": "linear", "velocity": (top_speed, 0, 0)}} if top_speed else {}
    scene.add_plane((0, 0, -1), -height, "water", name="lid", **motion)
    scene.add_particles(block((40 * d, 6 * d, height), d), radius=0.5 * d, material="water")
    return scene


def outlet(d: float, depth: float, opening: float = 0.2) -> Scene:
    """A tank 1 m long whose floor, at z = 0.6 m, has a slot across its middle."""
    scene = basin(1.0, 0.4, block((1.0, 0.4, depth), d) + np.array([0.0, 0.0, 0.6]), d)
    length = 0.5 * (1.0 - opening)
    for name, middle in (("left", 0.5 * length), ("right", 1.0 - 0.5 * length)):
        scene.add_box((middle, 0.2, 0.55), (length, 0.4, 0.1), "water", name=name)
    scene.add_sink(Box(size=(1.2, 0.6, 0.2)), position=(0.5, 0.2, 0.1))
    return scene
