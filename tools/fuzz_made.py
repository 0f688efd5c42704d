"""Scenes that trials of `fuzz.py` make of what one solver, or a machine, has: clumps and bonds, liquids, buckets."""

from __future__ import annotations

from typing import Any

import numpy as np
from fuzz_checks import Chance, check_resets, check_same, pick, slower

FALL = 5.0
"""m/s that anything in a box of these scenes may fall with"""
EXCHANGE = 4.0
"""How much faster than all before a light grain may leave: it is hit by several heavy ones one after the other"""
MACHINE_SPEED = 25.0
"""m/s of any part of a machine; the fastest drives 9"""


def try_joined(chance: Chance) -> None:
    import windrow as wr
    from windrow.scene.shapes import Box

    scene = wr.Scene(solver=wr.DEM(dt=1e-3, substeps=None, contact=pick(chance, ("linear", "linear", "hertz"))))
    rock = {"young_modulus": 10 ** chance.uniform(5.5, 7), "restitution": chance.uniform(0.1, 0.9)}
    if scene.solver.contact == "linear":
        rock = {"stiffness": 10 ** chance.uniform(4, 5.5), "damping": chance.uniform(1, 150)}
    scene.add_material("rock", density=2500.0, friction_static=float(chance.uniform(0, 1)), **rock)
    scene.add_open_box((-0.5, -0.5, 0), (0.5, 0.5, 1.5), "rock")
    speed = float(10 ** chance.uniform(-1, 1.3))
    size = tuple(chance.uniform(0.12, 0.35, 3).tolist())
    block = scene.add_block((-0.4, -0.4, 0.01), size, 0.03, "rock", velocity=(speed, 0, 0))
    if chance.random() < 0.8:
        strength = {"tensile_strength": 10 ** chance.uniform(2, 6), "shear_strength": 10 ** chance.uniform(2, 6)}
        more = strength if chance.random() < 0.7 else {}
        damping = float(chance.uniform(0, 1))
        scene.add_bonds(10 ** chance.uniform(5, 7), block, reach=0.5, damping_ratio=damping, **more)
    balls = int(chance.integers(2, 5))
    centers, radii = chance.uniform(-0.03, 0.03, (balls, 3)), chance.uniform(0.02, 0.04, balls)
    many = int(chance.integers(1, 9))
    grid = np.stack(np.meshgrid([0.1, 0.3], [-0.3, 0.0, 0.3], [0.15, 0.4], indexing="ij"), -1).reshape(-1, 3)
    spin = tuple(chance.uniform(-50, 50, 3).tolist())
    if chance.random() < 0.8:
        scene.add_clumps(centers, radii, grid[:many], "rock", random_rotation=True, velocity=(-speed, 0, 0), spin=spin)
    if chance.random() < 0.5:
        mass = float(10 ** chance.uniform(-1, 2))
        scene.add_body("box", "rock", shapes=[Box(size=(0.1, 0.2, 0.1))], position=(0, 0, 0.8), mass=mass,
                       velocity=(0, 0, -speed))  # fmt: skip
    try:
        simulation = check_same(scene, int(chance.integers(1, 60)))
    except wr.errors.WindrowError:
        return
    slower(simulation, EXCHANGE * (speed + FALL + 0.05 * float(np.abs(spin).sum())))
    check_resets(scene, simulation)


def try_wet(chance: Chance) -> None:
    import windrow as wr
    from windrow.scene.shapes import Box

    dt = float(pick(chance, (0.005, 0.01, 1 / 60)))
    method = pick(chance, ("gauss_seidel", "conjugate_gradient"))
    scene = wr.Scene(solver=wr.Mixture(dt=dt, method=method, viscosity=float(10 ** chance.uniform(-3, 1))))
    scene.add_material("water", density=1000.0, liquid=True)
    density = float(chance.uniform(300, 3000))
    scene.add_material("stone", density=density, stiffness=1e5, damping=50, friction_static=float(chance.uniform(0, 1)))
    scene.add_open_box((-0.3, -0.3, 0), (0.3, 0.3, 1.5), "stone")
    r = 0.025
    high = float(chance.uniform(0.1, 0.3))
    scene.add_block((-0.3, -0.3, 0), (float(chance.uniform(0.3, 0.6)), 0.6, high), r, "water", packing="cubic",
                    spacing=2 * r, jitter=0.0)  # fmt: skip
    grain, speed = float(chance.uniform(0.3, 1.9)) * r, float(10 ** chance.uniform(-1, 1))
    scene.add_block((-0.25, -0.25, 0.4), (0.5, 0.4, 0.15), grain, "stone", velocity=(0, 0, -speed))
    if chance.random() < 0.5:
        stirred = {"kind": "spin", "axis": (0, 0, 1), "rate": float(chance.uniform(-10, 10))}
        scene.add_box((0, 0, 0.65), (0.3, 0.03, 0.1), "stone", motion=stirred)
    if chance.random() < 0.5:
        what = pick(chance, ("water", "stone"))
        size = r if what == "water" else grain
        rate = float(chance.uniform(20, 500))
        scene.add_emitter(Box(size=(0.3, 0.3, 0.1)), size, what, position=(0, 0, 1.1), rate=rate)
        scene.capacity = 6000
    if chance.random() < 0.5:
        scene.add_sink(Box(size=(0.1, 0.1, 0.1)), position=(0.2, 0.2, 0.05), start=0.1)
    try:
        simulation = check_same(scene, int(chance.integers(1, 40)))
    except wr.errors.WindrowError:
        return
    slower(simulation, EXCHANGE * (speed + FALL))
    check_resets(scene, simulation)


def try_digging(chance: Chance) -> None:
    import windrow as wr

    machine = pick(chance, ("excavator", "bulldozer", "wheel_loader", "tipper"))
    soil = pick(chance, ("dry_sand", "wet_sand", "gravel", "loam", "clay"))
    fidelity = pick(chance, ("field", "hybrid"))
    more: dict[str, Any] = {} if fidelity == "field" else {"grain_radius": 0.1, "most_grains": 4000}
    scene = wr.Scene(seed=int(chance.integers(100)))
    heap = {"center": (5.0, 0.0), "height": 1.2, "slope_deg": 26.0}
    scene.add_terrain(size=(20.0, 20.0), cell=0.25, soil=soil, depth=3.0, fidelity=fidelity, heaps=[heap], **more)
    height = float(chance.uniform(0.0, 1.0)) if chance.random() < 0.3 else 0.02
    scene.add_machine(machine, position=(0.0, 0.0, height), heading_deg=float(chance.uniform(-180, 180)))
    seed, every = int(chance.integers(1 << 30)), int(chance.integers(3, 30))

    def levers(simulation: Any, k: int) -> None:
        """The same at the same step, also after a restart."""
        random = np.random.default_rng([seed, k // every])
        for name in simulation.controls:
            simulation.control(name, float(np.clip(random.normal(0.0, 0.8), -1.0, 1.0)))

    try:
        simulation = check_same(scene, int(chance.integers(5, 40)), 4, levers)
    except wr.errors.WindrowError:  # its bucket would start in the heap
        return
    slower(simulation, MACHINE_SPEED)
