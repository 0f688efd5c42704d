"""Waking is exact: a bed that slept follows the same bed that never did, whatever ends its rest."""

from __future__ import annotations

import json

import numpy as np
import pytest
from made import MASS, G, R, lattice, soil

import windrow as wr
from windrow.solvers.ndem.sleep import most_imbalance

HALF = 0.25
RESTED = 2.5
"""Time, s, at which the bed has come to rest but for rounding errors."""
SLEEPY = wr.NDEM(sleep_speed=1e-4)
STEPS = 6
JOLT = 1e-5
"""m/s, root mean square: a bed at rest moves by as much, by rounding, if it is awake."""


def bed(disturbed_by: str) -> wr.Scene:
    """A rough bed, six grains wide, in a box of which a side or the floor can move."""
    scene = soil()
    motion = {"kind": "linear", "start": RESTED}
    for normal in ((0, 1, 0), (0, -1, 0), (1, 0, 0)):
        scene.add_plane(normal=normal, offset=-HALF, material="soil")
    sinking = {**motion, "velocity": (0, 0, -1.0)} if disturbed_by == "support" else None
    scene.add_box(position=(0, 0, -0.1), size=(2, 2, 0.2), material="soil", motion=sinking)
    pushing = {**motion, "velocity": (-0.2, 0, 0)} if disturbed_by == "wall" else None
    scene.add_box(position=(HALF + 0.1, 0, 1), size=(0.2, 2, 3), material="soil", motion=pushing)
    g = np.random.default_rng(1)
    points = lattice(4, 4, 12, spacing=2.2 * R)
    scene.add_particles(
        position=points + g.uniform(-0.05 * R, 0.05 * R, points.shape),
        velocity=g.uniform(-1, 1, points.shape),
        radius=R,
        material="soil",
    )
    if disturbed_by == "ball":
        # thrown up to come back in time
        thrown = (0, 0, 0.5 * G * RESTED)
        scene.add_particles(
            position=[(0.05, 0, 1.5)], velocity=[thrown], radius=R, mass=5 * MASS, material="soil"
        )
    return scene


def asleep_and_awake(disturbed_by: str, threads: int = 1) -> tuple[wr.Simulation, wr.Simulation]:
    """The bed just before it is disturbed, fully asleep, and the same wide awake."""
    asleep = wr.Simulation(bed(disturbed_by), solver=SLEEPY, threads=threads)
    report = asleep.step()
    while asleep.time < RESTED - 1.5 * SLEEPY.dt:
        report = asleep.step()
    assert report.asleep == 192
    snapshot = asleep.snapshot()
    snapshot["solver"] = json.dumps({**json.loads(snapshot["solver"]), "sleep_speed": 0.0})
    return asleep, wr.Simulation.restore(snapshot, threads=threads)


def disturb(simulation: wr.Simulation, by: str) -> None:
    """What the scene itself does not do."""
    if by == "tilt":
        simulation.model.gravity[:] = (0.4 * G, 0.0, -0.9 * G)
    elif by == "push":
        velocity = simulation.particles.velocity.copy()
        velocity[100] = (0.3, 0.0, -2.0)
        simulation.particles.velocity = velocity
    elif by == "bounce":
        position, velocity = simulation.particles.position.copy(), simulation.particles.velocity.copy()
        top = int(position[:, 2].argmax())
        below = int(np.argsort(np.linalg.norm(position - position[top], axis=1))[1])
        velocity[top] = 3.0 * (position[top] - position[below]) / R
        simulation.particles.velocity = velocity


class Jolted:
    """Beds that differ from one that is awake by rounding errors alone.

    Grains that collide, or begin to slide, multiply such differences, and few of them make most of it: of all
    differences, the greatest is a thousand times the median in one bed and ten times in another. So what most grains do
    is held against the imbalance that a sleeper does not feel, and the others against a substep of free fall, by which
    a sleeper would be late that woke a substep too late; or both against what these beds do, if that is more.
    """

    def __init__(self, awake: wr.Simulation, by: str) -> None:
        g, snapshot = np.random.default_rng(0), awake.snapshot()
        self.collide = by not in ("tilt", "bounce")
        self.beds = [wr.Simulation.restore(snapshot, threads=1) for _ in range(8)]
        for bed in self.beds:
            disturb(bed, by)
            bed.particles.velocity = bed.particles.velocity + g.normal(0, JOLT, bed.particles.velocity.shape)

    def step(self, asleep: wr.Simulation, awake: wr.Simulation) -> int:
        """Steps all of them, and sees that the bed that slept follows; how many sleep."""
        sleepers, h = asleep.step().asleep, awake.solver.dt / awake.step().notes["substeps"]
        for bed in self.beds:
            bed.step()
        unfelt = most_imbalance(h, awake.model.gravity)
        fallen = h * float(np.linalg.norm(awake.model.gravity))
        for share, least in ((0.9, unfelt), (1.0, fallen if self.collide else unfelt)):
            chance = max(apart(bed, awake, share) for bed in self.beds)
            assert apart(asleep, awake, share) <= max(least, 2.0 * chance)
        return sleepers


def apart(one: wr.Simulation, other: wr.Simulation, share: float) -> float:
    """Velocity by which that share of the grains of two beds differ at most, m/s."""
    return float(np.quantile(np.abs(one.particles.velocity - other.particles.velocity).max(axis=1), share))


@pytest.mark.parametrize("by", ["support", "ball", "wall", "tilt", "push"])
def test_a_bed_that_slept_follows_one_that_did_not(by: str) -> None:
    asleep, awake = asleep_and_awake(by)
    jolted = Jolted(awake, by)
    for simulation in (asleep, awake):
        disturb(simulation, by)
    fastest, woken = 0.0, 0
    for _ in range(STEPS):
        woken = max(woken, 192 - jolted.step(asleep, awake))
        fastest = max(fastest, float(np.abs(awake.particles.velocity).max()))
    assert fastest > 10 * SLEEPY.sleep_speed
    assert woken > 90


@pytest.mark.parametrize("by", ["support", "ball"])
def test_waking_has_the_same_bits_with_any_number_of_threads(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("windrow.sim.simulation.GRAINS_PER_THREAD", 50)
    hashes = []
    for threads in (1, 2):
        simulation, _ = asleep_and_awake(by, threads)
        for _ in range(STEPS):
            simulation.step()
        hashes.append(simulation.hash())
    assert hashes[0] == hashes[1]


def test_a_load_that_stays_within_a_step_wakes() -> None:
    """A grain that bounces off so fast that the load is gone at the end of the step has moved the bed all the same."""
    asleep, awake = asleep_and_awake("bounce")
    jolted = Jolted(awake, "bounce")
    for simulation in (asleep, awake):
        disturb(simulation, "bounce")
    assert sum(192 - jolted.step(asleep, awake) for _ in range(STEPS)) > 0
