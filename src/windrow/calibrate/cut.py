"""A vertical cut: a bed behind a smooth gate that is pulled away. It stands up to H = (4 c/γ) tan(45° + φ/2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.calibrate.bed import G, bed_scene, grains_below, settled
from windrow.scene import Linear, Material, Scene
from windrow.scene.settings import SolverSettings
from windrow.sim.simulation import Simulation

LENGTH = 1.3
"""Length of the bed behind the cut over its height: the wedge that fails reaches back half as far."""
WIDTH = 8.0
"""Width of the slab between smooth sides in grain radii."""
FELL = 0.05
"""Share of the grains that moved by more than a diameter in a cut that fell."""
FINENESS = 1.12
"""Factor between an adhesion that holds and one that does not at which the search ends."""


@dataclass(frozen=True)
class Bank:
    """A settled bed, cut off at a height."""

    position: NDArray[np.float32]
    radius: NDArray[np.float32]
    mass: NDArray[np.float64]
    height: float
    """m"""
    grain_radius: float
    """mean, m"""

    @property
    def length(self) -> float:
        """m"""
        return LENGTH * self.height

    @property
    def width(self) -> float:
        """m"""
        return WIDTH * self.grain_radius

    @property
    def weight(self) -> float:
        """Weight of the bulk, N/m³."""
        return G * float(self.mass.sum()) / (self.length * self.width * self.height)


def settled_bank(
    material: Material,
    height: float,
    solver: SolverSettings,
    radius: float = 0.05,
    seed: int = 0,
    threads: int | None = None,
) -> Bank:
    """Grains poured without adhesion, so that sticky ones do not lie more loosely; the top is cut level."""
    dry = material.model_copy(update={"adhesion": 0.0})
    size = (LENGTH * height, WIDTH * radius, 1.15 * height)
    longest = 20.0 * math.sqrt(height / G) + 2.0
    simulation = settled(bed_scene(dry, size, radius, seed), solver, radius, longest, threads)
    position, radii, mass = grains_below(simulation, height)
    return Bank(position, radii, mass, height, radius)


def cut_scene(bank: Bank, material: Material, pulled_at: float = 0.3) -> Scene:
    """The bank with another material's numbers; the gate in front of it leaves at `pulled_at` (s)."""
    scene = Scene(title="Vertical cut")
    scene.add_material("soil", material)
    scene.add_material(
        "wall",
        density=material.density,
        friction_static=0.0,
        stiffness=material.stiffness,
        damping=material.damping,
    )
    scene.add_plane((0, 0, 1), 0.0, "soil", name="floor")
    scene.add_plane((1, 0, 0), 0.0, "wall", name="back")
    scene.add_plane((0, 1, 0), 0.0, "wall", name="left")
    scene.add_plane((0, -1, 0), -bank.width, "wall", name="right")
    thick = 4.0 * bank.grain_radius
    scene.add_box(
        (bank.length + 0.5 * thick, 0.5 * bank.width, bank.height),
        (thick, 2.0 * bank.width, 3.0 * bank.height),
        "wall",
        name="gate",
        motion=Linear(velocity=(10.0, 0.0, 0.0), start=pulled_at, stop=pulled_at + bank.height),
    )
    scene.add_particles(bank.position, radius=bank.radius, mass=bank.mass, material="soil")
    return scene


def moved_share(
    bank: Bank, material: Material, solver: SolverSettings, threads: int | None = None, pulled_at: float = 0.3
) -> float:
    """Share of the grains that moved by more than a diameter after the gate was pulled away."""
    simulation = Simulation(cut_scene(bank, material, pulled_at), solver=solver, threads=threads)
    simulation.run(seconds=pulled_at)
    before = simulation.particles.position
    simulation.run(seconds=4.0 * math.sqrt(2.0 * bank.height / G))
    way = np.linalg.norm(simulation.particles.position - before, axis=1)
    return float((way > 2.0 * bank.grain_radius).mean())


def holding_adhesion(
    bank: Bank, material: Material, solver: SolverSettings, guess: float, threads: int | None = None
) -> float:
    """The least adhesion (Pa) between grains with which the bank stands, by bisection from a guess."""

    def stands(adhesion: float) -> bool:
        sticky = material.model_copy(update={"adhesion": adhesion})
        return moved_share(bank, sticky, solver, threads) < FELL

    low = high = guess
    if stands(guess):
        while stands(low):
            high, low = low, low / 1.6
    else:
        while not stands(high):
            low, high = high, high * 1.6
    while high / low > FINENESS:
        middle = math.sqrt(low * high)
        if stands(middle):
            high = middle
        else:
            low = middle
    return math.sqrt(low * high)
