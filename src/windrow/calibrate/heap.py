"""A heap poured from a spout that stays just above its top.

The spout is a row of emitters at rising heights that take turns, so that grains never fall far: a hard rain flattens
the top and throws grains out. All lengths, speeds and times scale with the grain radius, and so does the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from windrow.measure.heap import rms_speed
from windrow.measure.repose import Repose, angle_of_repose
from windrow.scene import Cylinder, Material, RadiusRange, Scene
from windrow.scene.settings import SolverSettings
from windrow.sim.simulation import Simulation

G = 9.81
SIZES = (0.8, 1.2)
"""Range of grain radii, of the mean one: equal balls would crystallise."""
STAGES = 6
"""Heights that the spout takes, one after the other."""
MOUTH = 5.0
"""Radius of the spout in grain radii."""
CLEARANCE = 6.0
"""Height of the spout above the top of the heap in grain radii."""
RATE = 25.0
"""Grains in a time of √(r/g): as many as the mouth passes without blocking."""
SPEED = 2.9
"""Speed at the mouth in √(g r)."""
LOOSE = 0.58
"""Solid fraction that the height of the growing heap is estimated with."""
AT_REST = 1e-3
"""Root mean square speed of a heap at rest in √(g r)."""
LONGEST_SETTLING = 70.0
"""Time, in √(r/g), after which a heap that never rests is measured all the same: 5 s for grains of 5 cm."""


@dataclass(frozen=True)
class PouredHeap:
    """A heap after pouring."""

    repose: Repose
    speed: float
    """root mean square speed when it was measured, m/s"""
    grains: int


def heap_height(grains: float, radius: float, angle_deg: float) -> float:
    """Height (m) of a cone of that slope made of so many grains."""
    volume = grains * 4.0 / 3.0 * math.pi * radius**3 / LOOSE
    return float((3.0 * volume * math.tan(math.radians(angle_deg)) ** 2 / math.pi) ** (1.0 / 3.0))


def pouring_scene(
    material: Material,
    expected_deg: float,
    grains: int = 3000,
    radius: float = 0.05,
    seed: int = 0,
    settling: float = LONGEST_SETTLING,
) -> Scene:
    """Grains of a material poured onto a plane of the same material; `expected_deg` places the spout."""
    scene = Scene(title="Poured heap", seed=seed)
    scene.add_material("soil", material)
    scene.add_plane((0, 0, 1), 0.0, "soil", name="ground")
    rate = RATE * math.sqrt(G / radius)
    turn = grains / rate / STAGES
    speed = SPEED * math.sqrt(G * radius)
    mouth = Cylinder(radius=MOUTH * radius, height=3 * radius)
    for stage in range(STAGES):
        top = heap_height(grains * (stage + 1) / STAGES, radius, expected_deg)
        scene.add_emitter(
            mouth,
            RadiusRange(min=SIZES[0] * radius, max=SIZES[1] * radius),
            "soil",
            position=(0.0, 0.0, top + (CLEARANCE + 1.5) * radius),
            rate=1.02 * rate,
            count=math.ceil(grains / STAGES),
            velocity=(0.0, 0.0, -speed),
            velocity_spread=0.1 * speed,
            start=stage * turn,
            stop=(stage + 1) * turn,
        )
    scene.run.seconds = STAGES * turn + settling * math.sqrt(radius / G)
    return scene


def poured_heap(
    scene: Scene,
    solver: SolverSettings,
    threads: int | None = None,
    seed: int | None = None,
    on_step: Callable[[Simulation], None] | None = None,
) -> PouredHeap:
    """Runs a scene of `pouring_scene` until its heap rests, at the latest until the scene's end."""
    radius = scene.emitters[0].radius
    assert isinstance(radius, RadiusRange)
    mean = 0.5 * (radius.min + radius.max)
    poured = scene.emitters[-1].stop
    simulation = Simulation(scene, solver=solver, threads=threads, seed=seed)
    pause = 14.0 * math.sqrt(mean / G)
    check = poured + pause
    while simulation.time < scene.run.seconds:
        simulation.step()
        if on_step is not None:
            on_step(simulation)
        if simulation.time >= check:
            if rms_speed(simulation.frame()) < AT_REST * math.sqrt(G * mean):
                break
            check += 0.5 * pause
    grains = simulation.particles
    repose = angle_of_repose(grains.position, grains.radius)
    return PouredHeap(repose, rms_speed(simulation.frame()), len(grains))
