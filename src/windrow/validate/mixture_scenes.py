"""Scenes that liquid with grains is held against laws with, and the laws."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.scene.scene import Scene
from windrow.scene.settings import Mixture
from windrow.validate.fluid_scenes import WATER, G, block


def tank(d: float, side: float, depth: float, **settings: Any) -> Scene:
    """Water that fills a square tank with smooth walls."""
    scene = Scene(gravity=(0, 0, -G), solver=Mixture(**settings))
    scene.add_material("water", density=WATER, liquid=True)
    scene.add_material("wall")
    scene.add_plane((0, 0, 1), 0.0, "wall", name="floor")
    for normal, offset in (((1, 0, 0), 0.0), ((-1, 0, 0), -side), ((0, 1, 0), 0.0), ((0, -1, 0), -side)):
        scene.add_plane(normal, offset, "wall")
    scene.add_particles(block((side, side, depth), d), radius=0.5 * d, material="water")
    return scene


def di_felice(speed: float, radius: float, viscosity: float, voids: float = 1.0, density: float = WATER) -> float:
    """Force on a grain that liquid passes, N; Di Felice (1994), with Dallavalle's coefficient."""
    flow = voids * speed
    reynolds = 2.0 * radius * density * flow / viscosity
    beta = 3.7 - 0.65 * np.exp(-0.5 * (1.5 - np.log10(reynolds)) ** 2)
    c = (0.63 + 4.8 / np.sqrt(reynolds)) ** 2
    return float(0.5 * c * density * np.pi * radius**2 * flow**2 * voids**-beta)


def falling_speed(radius: float, density: float, viscosity: float, voids: float = 1.0) -> float:
    """Speed past the liquid at which drag carries what buoyancy leaves of a grain's weight, m/s.

    Among others the liquid's pressure carries a share 1 − ε of it: that of a mixture which is as heavy.
    """
    weight = voids * 4.0 / 3.0 * np.pi * radius**3 * (density - WATER) * G
    low, high = 1e-9, 50.0
    for _ in range(200):
        middle = float(np.sqrt(low * high))
        low, high = (middle, high) if di_felice(middle, radius, viscosity, voids) < weight else (low, middle)
    return low
