"""Grains that settle, a boulder on sand, and a wide grading: what NDEM is timed on, and held against at rest."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from windrow.scene import Scene

RADIUS = 0.05
DENSITY = 1600.0
STIFFNESS = 1e5
FRICTION = 0.5
RESTITUTION = 0.5


def _scene(half: float) -> Scene:
    """An open square box with its floor at z = 0; the dashpot gives two equal grains the restitution above."""
    mass = DENSITY * 4 / 3 * math.pi * RADIUS**3
    log = math.log(RESTITUTION)
    damping = 2.0 * -log / math.hypot(math.pi, log) * math.sqrt(STIFFNESS * mass / 2)
    scene = Scene(gravity=(0, 0, -9.81))
    scene.add_material(
        "soil",
        density=DENSITY,
        friction_static=FRICTION,
        friction_kinetic=FRICTION,
        stiffness=STIFFNESS,
        damping=damping,
    )
    for normal in ((0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add_plane(normal=normal, offset=0.0 if normal[2] else -half, material="soil")
    return scene


def settling(count: int, seed: int = 1) -> Scene:
    """Equal grains on a loose lattice twice as tall as wide, with up to ±1 m/s along each axis."""
    side = math.ceil((count / 2) ** (1 / 3) - 1e-9)
    spacing = 2.2 * RADIUS
    n = np.arange(count)
    cell = np.stack([n % side, n // side % side, n // side**2], axis=1)
    random = np.random.default_rng(seed)
    position = (cell + 0.5) * spacing - [side * spacing / 2, side * spacing / 2, 0.0]
    position += random.uniform(-0.05, 0.05, position.shape) * RADIUS
    scene = _scene(side * spacing / 2)
    scene.add_particles(
        position=position,
        velocity=random.uniform(-1.0, 1.0, position.shape),
        radius=RADIUS,
        material="soil",
    )
    return scene


def sand(count: int, boulder: float = 0.0, seed: int = 1) -> Scene:
    """Grains of 0.9 to 1 radii in a square box, about half as deep as wide; on top a boulder of so many radii."""
    side = math.ceil((2.0 * count) ** (1 / 3))
    spacing = 2.05 * RADIUS
    n = np.arange(count)
    cell = np.stack([n % side, n // side % side, n // side**2], axis=1)
    random = np.random.default_rng(seed)
    position = (cell + 0.5) * spacing - [side * spacing / 2, side * spacing / 2, 0.0]
    scene = _scene(side * spacing / 2)
    scene.add_particles(position=position, radius=RADIUS * random.uniform(0.9, 1.0, count), material="soil")
    if boulder:
        top = float(position[:, 2].max()) + 1.05 * RADIUS
        scene.add_particles(
            position=[(0.0, 0.0, top + boulder * RADIUS)], radius=boulder * RADIUS, material="soil"
        )
    return scene


def graded(count: int, octaves: int = 5, seed: int = 1) -> Scene:
    """About so many grains with radii of 1 : 1.25 × 2^(octaves − 1), the same mass in each octave, well mixed.

    Cubes of one size are either filled with one grain or cut into eight, until the smallest are reached.
    """
    random = np.random.default_rng(seed)
    finest = 2 ** (octaves - 1)
    per_cube = sum(8**k for k in range(octaves)) / octaves
    cubes = max(round(count / per_cube), 2)
    side = max(round((cubes / 2) ** (1 / 3)), 1)
    n = np.arange(cubes)
    corner = np.stack([n % side, n // side % side, n // side**2], axis=1).astype(np.float64)
    size = 2.1 * RADIUS * finest
    corner *= size
    half = side * size / 2
    positions: list[NDArray[np.float64]] = []
    radii: list[NDArray[np.float64]] = []
    for octave in range(octaves):
        # the same volume for each octave that is left
        whole = random.permutation(len(corner)) < max(round(len(corner) / (octaves - octave)), 1)
        positions.append(corner[whole] + size / 2)
        radii.append(size / 2.1 * random.uniform(0.8, 1.0, int(whole.sum())))
        parts = np.stack(np.meshgrid(*[[0.0, size / 2]] * 3, indexing="ij"), -1).reshape(-1, 3)
        corner = (corner[~whole][:, None] + parts).reshape(-1, 3)
        size /= 2
    radii[0][0], radii[-1][0] = finest * RADIUS, 0.8 * RADIUS  # however few there are: the whole range
    position = np.concatenate(positions) - [half, half, 0.0]
    scene = _scene(half)
    scene.add_particles(position=position, radius=np.concatenate(radii), material="soil")
    return scene
