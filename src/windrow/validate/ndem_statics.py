"""NDEM against closed forms: columns, slopes, loads on a truck, conservation, rest; `single_grain` has its laws."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from windrow.measure.heap import kinetic_energy, rms_speed
from windrow.scene import NDEM, Keyframes, Material, RadiusRange, Scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.ndem_scenes import MIXED, RADIUS, G, rest, sand, scene_of

RISE = 0.25
"""Time in which a truck bed's acceleration rises to its final value, s."""


def column(layers: int, stiffness: float = 1e5, mass: float = 0.838, side: int = 4) -> tuple[Scene, float]:
    """side² straight piles of grains that just touch, unloaded at the start, between smooth walls; and the height
    (m) of their top under the weight, by the springs in series."""
    wall = Material(friction_static=0.0, stiffness=stiffness)
    scene = scene_of(Material(friction_static=0.5, stiffness=stiffness), wall=wall)
    width = 2.0 * RADIUS * side
    scene.add_open_box((0.0, 0.0, 0.0), (width, width, 1.0), "wall")
    row = RADIUS * (2.0 * np.arange(side) + 1.0)
    z = RADIUS * (2.0 * np.arange(layers) + 1.0)
    grid = np.stack(np.meshgrid(row, row, z, indexing="ij"), axis=-1).reshape(-1, 3)
    scene.add_particles(grid, radius=RADIUS, mass=mass, material="soil")
    sag = mass * G / stiffness * layers * (layers + 1) / 2.0
    return scene, 2.0 * RADIUS * layers - sag


def columns() -> list[Result]:
    results: list[Result] = []
    for layers in (40, 80):
        scene, exact = column(layers)
        simulation = Simulation(scene, solver=NDEM())
        simulation.step()  # loads kernels
        begin, since = perf_counter(), simulation.time
        speed = rest(simulation, 12.0, speed=1e-5)
        factor = (simulation.time - since) / (perf_counter() - begin)
        top = float(simulation.particles.position[:, 2].max()) + RADIUS
        weight = float(simulation.particles.mass.sum()) * G
        carried = -simulation.frame().body_force.sum(axis=0)
        results += [
            Check(f"{layers} layers: height", top, exact, 0.005 * exact, "m"),
            Check(f"{layers} layers: floor and walls carry, of the weight", carried[2] / weight, 1.0, 1e-3),
            Bound(f"{layers} layers: root mean square speed", 1e3 * speed, high=1.0, unit="mm/s"),
            Bound(f"{layers} layers, {len(simulation.particles)} grains: × real time here", factor, low=1.0),
        ]
    return results


def slope_motion(tilt_deg: float, friction: float) -> float:
    """Share of a bed's grains that move by more than a diameter within 2 s after it was tilted."""
    scene = scene_of(sand(friction, wall_friction=1.0), wall=Material(friction_static=0.0))
    length, width = 60 * RADIUS, 10 * RADIUS
    scene.add_plane((0, 0, 1), 0.0, "soil", name="floor")
    scene.add_open_box((0.0, 0.0, 0.0), (length, width, 1.0), "wall")
    scene.add_block(
        (0.0, 0.0, 0.0), (length, width, 20 * RADIUS), MIXED, "soil", packing="hexagonal", velocity_spread=0.5
    )
    flat = Simulation(scene, solver=NDEM())
    rest(flat, 5.0)
    theta = math.radians(tilt_deg)
    tilted = scene.model_copy(
        update={"gravity": (G * math.sin(theta), 0.0, -G * math.cos(theta)), "particles": []}
    )
    start = flat.particles.position.copy()
    tilted.add_particles(start, radius=flat.particles.radius, mass=flat.particles.mass, material="soil")
    simulation = Simulation(tilted, solver=NDEM())
    simulation.run(seconds=2.0)
    way = np.linalg.norm(simulation.particles.position - start, axis=1)
    return float((way > 2.0 * RADIUS).mean())


def slope() -> list[Result]:
    """Heaps of this friction stand at 30°."""
    return [
        Bound("20°: share of the grains that slid", slope_motion(20.0, 0.2), high=0.01),
        Bound("25°: share of the grains that slid", slope_motion(25.0, 0.2), high=0.05),
        Bound("35°: share of the grains that slid", slope_motion(35.0, 0.2), low=0.3),
    ]


def ridden(time: NDArray[np.float64]) -> NDArray[np.float64]:
    """Way (s²) over the final acceleration, which is reached in proportion to time within `RISE`."""
    rising = np.minimum(time, RISE)
    after = time - rising
    return rising**3 / (6 * RISE) + 0.5 * RISE * after + 0.5 * after**2


def slipped(share: float, seconds: float) -> float:
    """Way (s²) over μ g of a load that slides on a bed which ends up accelerating by share > 1 of μ g."""
    sliding = RISE * (1.0 - 1.0 / share)
    speed, way = share / RISE * sliding**2 / 2, share / RISE * sliding**3 / 6
    after = seconds - RISE
    return way + speed * after + 0.5 * (share - 1.0) * after**2


def truck_ride(share: float, layers: int, friction: float = 0.5, seconds: float = 2.0) -> tuple[float, float]:
    """Slip (m) of a load on a bed that accelerates by a share of μ g, and its force on the bed over m a.

    The load stands still on the bed first, for 0.5 s; then the acceleration rises for `RISE`, since what is held by
    springs swings beyond its load when that comes at once.
    """
    acceleration = share * friction * G
    scene = scene_of(sand(friction))
    # between two keys speed is constant: they lie close, so that it hardly jumps
    time = np.arange(0.0, seconds + 1e-9, 1 / 1920)
    way = np.c_[acceleration * ridden(time), np.zeros((len(time), 2))]
    scene.add_box(
        (0.0, 0.0, -0.25),
        (40.0, 4.0, 0.5),
        "soil",
        name="bed",
        motion=Keyframes(time=time, position=way, start=0.5),
    )
    edge = 16 * RADIUS
    scene.add_block(
        (-0.5 * edge, -0.5 * edge, 0.0),
        (edge, edge, 2.1 * 1.2 * RADIUS * layers),
        MIXED if layers > 1 else RADIUS,
        "soil",
        packing="cubic",
    )
    simulation = Simulation(scene, solver=NDEM())
    simulation.run(seconds=0.5)
    start = simulation.particles.position[:, 0].astype(np.float64)
    forces = []
    for _ in range(round(seconds / simulation.solver.dt)):
        simulation.step()
        forces.append(-simulation.body("bed")[0][0])
    gone = float(way[-1, 0])
    slip = gone - (simulation.particles.position[:, 0].astype(np.float64) - start)
    needed = float(simulation.particles.mass.sum()) * acceleration
    return float(np.median(slip)), float(np.mean(forces[len(forces) // 4 :])) / needed


def truck_bed() -> list[Result]:
    results: list[Result] = []
    for layers in (1, 3):
        for share in (0.5, 0.7, 0.9):
            slip, force = truck_ride(share, layers)
            what = f"{layers} layer{'s' * (layers > 1)}, {share:g} of μ g"
            results.append(Bound(f"{what}: slip in 2 s", 1e3 * slip, high=5.0, unit="mm"))
            results.append(Check(f"{what}: force on the bed over m a", force, 1.0, 0.01))
    slip, force = truck_ride(1.2, 1)
    exact = 0.5 * G * slipped(1.2, 2.0)
    results.append(Check("1 layer, 1.2 of μ g: slip in 2 s", slip, exact, 0.02 * exact, "m"))
    results.append(Check("1 layer, 1.2 of μ g: force over m a", force, 1 / 1.2, 0.01))
    return results


def cloud(adhesion: float) -> tuple[float, float]:
    """Momentum gained by colliding grains in free space over the sum of |m v|, and the largest gain of energy over
    the energy at the start."""
    scene = Scene(gravity=(0.0, 0.0, 0.0), seed=3)
    scene.add_material("a", density=2650.0, friction_static=0.5, friction_kinetic=0.4, adhesion=adhesion)
    scene.add_material("b", density=1200.0, friction_static=0.3, adhesion=adhesion, stiffness=3e4)
    sizes = RadiusRange(min=0.4 * RADIUS, max=1.2 * RADIUS)
    for name, x, speed in (("a", 0.0, 2.0), ("b", 0.9, -2.0)):
        scene.add_ball((x, 0.1 * x, 0.0), 0.4, sizes, name, velocity=(speed, 0.0, 0.0), velocity_spread=1.0)
    simulation = Simulation(scene, solver=NDEM())

    def momentum() -> NDArray[np.float64]:
        return simulation.particles.mass @ simulation.particles.velocity.astype(np.float64)

    start, energy = momentum(), kinetic_energy(simulation.frame())
    scale = float(simulation.particles.mass @ np.linalg.norm(simulation.particles.velocity, axis=1))
    most = energy
    for _ in range(60):
        simulation.step()
        most = max(most, kinetic_energy(simulation.frame()))
    return float(np.abs(momentum() - start).max()) / scale, most / energy - 1.0


def conservation() -> list[Result]:
    results: list[Result] = []
    for adhesion in (0.0, 20_000.0):
        gained, energy = cloud(adhesion)
        results.append(Bound(f"adhesion {adhesion:g} Pa: momentum gained over Σ|m v|", gained, high=1e-6))
        results.append(Bound(f"adhesion {adhesion:g} Pa: largest gain of energy", energy, high=1e-6))
    return results


def small_heap(friction: float = 0.3) -> Scene:
    """A ball of some 600 grains that falls apart into a heap."""
    scene = scene_of(sand(friction))
    scene.add_plane((0, 0, 1), 0.0, "soil", name="ground")
    scene.add_ball((0.0, 0.0, 15 * RADIUS), 14 * RADIUS, MIXED, "soil", packing="hexagonal")
    return scene


def creep() -> list[Result]:
    simulation = Simulation(small_heap(), solver=NDEM())
    rest(simulation, 10.0, shortest=3.0)
    start = simulation.particles.position.copy()
    worst = 0.0
    for _ in range(60):
        simulation.run(seconds=1.0)
        worst = max(worst, rms_speed(simulation.frame()))
    way = np.linalg.norm(simulation.particles.position - start, axis=1)
    return [
        Bound("largest root mean square speed in 60 s", 1e3 * worst, high=1.0, unit="mm/s"),
        Bound("median way of a grain in 60 s, of its radius", float(np.median(way)) / RADIUS, high=0.01),
        Bound("longest way of a grain in 60 s, of its radius", float(way.max()) / RADIUS, high=0.1),
    ]


def invariance() -> list[Result]:
    def state(threads: int, broken: bool) -> str:
        simulation = Simulation(small_heap(), solver=NDEM(), threads=threads)
        simulation.run(seconds=0.5)
        if broken:
            simulation = Simulation.restore(simulation.snapshot(), threads=threads)
        simulation.run(seconds=0.5)
        return simulation.hash()

    whole = state(1, False)
    return [
        Check("same bits on two threads as on one (1: yes)", float(state(2, False) == whole), 1.0, 0.0),
        Check("same bits after a restart as without (1: yes)", float(state(1, True) == whole), 1.0, 0.0),
    ]


SCENARIOS = [
    Scenario(
        "ndem-columns",
        "NDEM",
        "Piles 40 and 80 grains high, k = 1e5 N/m: springs in series under the weight above them.",
        columns,
    ),
    Scenario(
        "ndem-slope",
        "NDEM",
        "A bed of grains whose heaps stand at 30° holds when tilted by less, and flows when tilted by more.",
        slope,
    ),
    Scenario(
        "ndem-truck-bed",
        "NDEM",
        "A load rides along on an accelerating bed up to μ g, and slides with a − μ g beyond.",
        truck_bed,
    ),
    Scenario(
        "ndem-conservation",
        "NDEM",
        "Momentum of a closed system stays, and its energy does not grow; mixed sizes and materials.",
        conservation,
    ),
    Scenario(
        "ndem-rest",
        "NDEM",
        "A small heap stands still for a minute without sleeping.",
        creep,
    ),
    Scenario(
        "ndem-invariance",
        "NDEM",
        "Same bits on any number of threads, and after a restart.",
        invariance,
    ),
]
