"""NDEM with grains of very different sizes and masses, and beds that wake."""

from __future__ import annotations

import json

import numpy as np

from windrow.collide.touching import touching_pairs
from windrow.scene import NDEM, Linear, Material, Scene
from windrow.sim.simulation import Simulation
from windrow.solvers.ndem.sleep import most_imbalance
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.ndem_scenes import G, scene_of
from windrow.validate.size_scenes import DENSITY, RADIUS, STIFFNESS, graded
from windrow.validate.size_scenes import sand as sand_and_boulder


def deepest(simulation: Simulation) -> float:
    """Greatest overlap of two grains, of the smaller radius."""
    position, radius = (simulation.particles.position.astype(float), simulation.particles.radius.astype(float))
    first, second, distance = touching_pairs(position, radius)
    overlap = (radius[first] + radius[second] - distance) / np.minimum(radius[first], radius[second])
    return float(overlap.max(initial=0.0))


def carried_share(simulation: Simulation) -> float:
    """What floor and walls carry, of the weight."""
    return float(-simulation.state.body_force[:, 2].sum() / (simulation.particles.mass.sum() * G))


def heavy() -> list[Result]:
    """A boulder a thousand times as heavy as a grain, which lands on sand."""
    simulation = Simulation(sand_and_boulder(6_000, boulder=10.0), solver=NDEM())
    simulation.run(seconds=4.0)
    boulder = int(simulation.particles.radius.argmax())
    before = float(simulation.particles.position[boulder, 2])
    simulation.run(seconds=2.0)
    mass = simulation.particles.mass
    contacts = simulation.contacts
    ids = simulation.state.id[: simulation.state.count]
    known = int(ids[np.argmax(simulation.state.X[: len(ids), 3])])
    force = contacts.force[contacts.first == known].sum(axis=0) - contacts.force[contacts.second == known].sum(axis=0)
    sunk = before - float(simulation.particles.position[boulder, 2])
    return [
        Bound("its mass over a grain's", float(mass.max() / np.median(mass)), low=1000.0),
        Check("force of its contacts over its weight", float(force[2] / (mass.max() * G)), 1.0, 0.005),
        Bound("sinks in the last 2 s, of a grain's radius", sunk / RADIUS, high=0.02),
        Bound("greatest overlap at rest, of the smaller radius", deepest(simulation), high=0.5),
        Check("floor and walls carry, of the weight", carried_share(simulation), 1.0, 1e-3),
    ]


def wide_grading() -> list[Result]:
    """Five octaves of radii, dropped into a box."""
    simulation = Simulation(graded(3_000), solver=NDEM())
    missed, falling = 0, 0.0
    while simulation.time < 5.0:
        notes = simulation.step().notes
        missed += int(notes["missed_pairs"])
        falling = max(falling, float(notes["overlap_peak"]))
    radius = simulation.particles.radius
    return [
        Bound("largest radius over the smallest", float(radius.max() / radius.min()), low=19.999),
        Bound("greatest overlap while they fall, of the smaller radius", falling, high=1.0),
        Bound("greatest overlap at rest, of the smaller radius", deepest(simulation), high=0.52),
        Check("pairs that overlapped before they were listed", float(missed), 0.0, 0.0),
        Check("floor and walls carry, of the weight", carried_share(simulation), 1.0, 2e-3),
    ]


def sleeping_bed(start: float) -> Scene:
    """Grains on a table that sinks from the given time on, s."""
    scene = scene_of(Material(density=DENSITY, friction_static=0.5, stiffness=STIFFNESS, damping=88.0))
    side = 11 * RADIUS
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add_plane(normal=normal, offset=-side / 2, material="soil")
    scene.add_box(
        position=(0, 0, -0.1),
        size=(2, 2, 0.2),
        material="soil",
        motion=Linear(velocity=(0, 0, -1.0), start=start),
    )
    cell = np.stack(np.meshgrid(*[np.arange(n) for n in (5, 5, 12)], indexing="ij"), -1).reshape(-1, 3)
    random = np.random.default_rng(1)
    position = (cell + 0.5) * 2.2 * RADIUS - [side / 2, side / 2, 0.0]
    velocity = random.uniform(-1.0, 1.0, position.shape)
    scene.add_particles(position=position, velocity=velocity, radius=RADIUS, material="soil")
    return scene


def waking() -> list[Result]:
    """Awake, a bed trembles by rounding; asleep it does not. Grains that collide or begin to slide multiply so small a
    difference, a few of them a thousandfold, and which ones is chance: the greatest difference says nothing about
    sleep. What most grains do says it. A sleeper may be out of balance by a share of what gravity gives it in a
    substep, and not by more when it wakes; one that woke a substep late would lag behind by all of that."""
    asleep = Simulation(sleeping_bed(3.0), solver=NDEM(sleep_speed=1e-4))
    sleepers = 0
    while asleep.time < 2.97:
        sleepers = asleep.step().asleep
    snapshot = asleep.snapshot()
    snapshot["solver"] = json.dumps({**json.loads(snapshot["solver"]), "sleep_speed": 0.0})
    awake = Simulation.restore(snapshot)
    apart, substeps = [], 0.0
    for _ in range(8):
        asleep.step()
        substeps = awake.step().notes["substeps"]
        difference = asleep.particles.velocity - awake.particles.velocity
        apart.append(1e3 * np.linalg.norm(difference, axis=1))
    unfelt = 1e3 * most_imbalance(awake.solver.dt / substeps, awake.model.gravity)
    while_they_wake, farthest = np.max(apart[:2], axis=0), np.max(apart, axis=0)
    return [
        Check("asleep before, of all", sleepers / asleep.state.count, 1.0, 0.0),
        Bound("speed to which they fall", float(np.abs(awake.particles.velocity).max()), low=0.9, unit="m/s"),
        Bound(
            "difference to grains kept awake while they wake, nine of ten",
            float(np.quantile(while_they_wake, 0.9)),
            high=unfelt,
            unit="mm/s",
        ),
        Bound("and while they fall, half of them", float(np.median(farthest)), high=unfelt, unit="mm/s"),
        Bound("and while they fall, the greatest", float(farthest.max()), unit="mm/s"),
    ]


SCENARIOS = [
    Scenario("ndem-heavy", "NDEM", "A boulder of ten radii that lands on sand is carried by it.", heavy),
    Scenario(
        "ndem-wide-grading",
        "NDEM",
        "Grains of five octaves of radii fall into a box: none is missed, pressed flat or sinks.",
        wide_grading,
    ),
    Scenario(
        "ndem-waking",
        "NDEM",
        "A bed asleep whose table sinks falls like the same bed kept awake, but for what sleepers do not feel.",
        waking,
    ),
]
