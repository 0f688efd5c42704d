"""Scenes and runs that several NDEM scenarios share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.measure.heap import rms_speed
from windrow.scene import NDEM, Material, RadiusRange, Scene
from windrow.sim.simulation import Simulation

G = 9.81
RADIUS = 0.05
"""m, mean radius of the grains of all scenarios."""
MIXED = RadiusRange(min=0.8 * RADIUS, max=1.2 * RADIUS)


@dataclass(frozen=True)
class TakenGrains:
    """Grains taken from one run to begin another with."""

    position: NDArray[np.float32]
    radius: NDArray[np.float32]
    mass: NDArray[np.float64]

    @classmethod
    def of(cls, simulation: Simulation, below: float = math.inf) -> TakenGrains:
        """Those that lie wholly below a height, m."""
        grains = simulation.particles
        position, radius, mass = grains.position, grains.radius, grains.mass
        chosen = position[:, 2] + radius < below
        return cls(position[chosen], radius[chosen], mass[chosen])

    def add_to(
        self, scene: Scene, material: str, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> None:
        scene.add_particles(
            self.position.astype(np.float64) + np.array(shift),
            radius=self.radius,
            mass=self.mass,
            material=material,
        )


def sand(friction: float, **numbers: Any) -> Material:
    """Grains of 2,650 kg/m³ with equal static and kinetic friction."""
    return Material(density=2650.0, friction_static=friction, friction_kinetic=friction, **numbers)


def scene_of(material: Material, **others: Material) -> Scene:
    """A scene with the material "soil" and others by name."""
    scene = Scene(gravity=(0.0, 0.0, -G))
    scene.add_material("soil", material)
    for name, other in others.items():
        scene.add_material(name, other)
    return scene


def rest(simulation: Simulation, longest: float, speed: float = 1e-3, shortest: float = 0.5) -> float:
    """Runs until the grains rest (root mean square speed below `speed`, m/s); returns the speed at the end."""
    end = simulation.time + longest
    simulation.run(seconds=shortest)
    while (now := rms_speed(simulation.frame())) > speed and simulation.time < end:
        simulation.run(seconds=0.25)
    return now


def filled_cylinder(
    material: Material, wall: Material, radius: float, height: float, seed: int = 0, floor: str = "wall"
) -> Simulation:
    """Grains at rest in an upright cylinder that stands on z = 0, a little higher than `height`; lengths in m."""
    scene = scene_of(material, wall=wall)
    tall = _tall_enough(height)
    scene.add_plane((0, 0, 1), 0.0, floor, name="floor")
    scene.add_cylinder((0.0, 0.0, 0.5 * tall), radius, 1.5 * tall, "wall", inside=True, name="silo")
    scene.add_column((0.0, 0.0, 0.0), radius, tall, MIXED, "soil", **_loose(math.pi * radius**2 * height))
    return _settled(scene, tall, seed)


def add_channel(scene: Scene, width: float) -> None:
    """Two walls along x, at y = 0 and y = width (m), of the material "wall"."""
    scene.add_plane((0, 1, 0), 0.0, "wall", name="right")
    scene.add_plane((0, -1, 0), -width, "wall", name="left")


def filled_channel(
    material: Material, wall: Material, length: float, width: float, height: float, seed: int = 0
) -> Simulation:
    """Grains at rest in a channel between x = 0 and x = length, on rough ground, a little higher than `height`; m."""
    scene = scene_of(material, wall=wall)
    tall = _tall_enough(height)
    scene.add_plane((0, 0, 1), 0.0, "soil", name="floor")
    add_channel(scene, width)
    scene.add_plane((1, 0, 0), 0.0, "wall", name="back")
    scene.add_plane((-1, 0, 0), -length, "wall", name="front")
    scene.add_block((0.0, 0.0, 0.0), (length, width, tall), MIXED, "soil", **_loose(length * width * height))
    return _settled(scene, tall, seed)


def _tall_enough(height: float) -> float:
    """Height, m, in which grains lie loosely that fill `height` at rest."""
    return 2.8 * height + 14.0 * RADIUS


def _loose(volume: float) -> dict[str, Any]:
    """How grains begin that are to fill a volume, m³, at rest."""
    count = math.ceil(0.66 * volume / (4.0 / 3.0 * math.pi * RADIUS**3))
    return {"packing": "hexagonal", "jitter": 0.04, "velocity_spread": 1.0, "count": count}


def _settled(scene: Scene, tall: float, seed: int) -> Simulation:
    scene.seed = seed
    simulation = Simulation(scene, solver=NDEM())
    rest(simulation, 6.0 + 2.0 * math.sqrt(2.0 * tall / G), shortest=math.sqrt(2.0 * tall / G))
    return simulation
