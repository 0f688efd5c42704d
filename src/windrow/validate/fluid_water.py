"""The constraint fluid: pressure, floating and sinking, jets, waves, friction, the breaking dam, books."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.fluid_scenes import (
    F64,
    WATER,
    G,
    basin,
    block,
    channel,
    floating_box,
    outlet,
    slosh_frequency,
    sloshing,
)

MARTIN_MOYCE = np.array([
    (0.41, 1.11), (0.84, 1.22), (1.19, 1.44), (1.43, 1.67), (1.63, 1.89), (1.83, 2.11), (1.98, 2.33), (2.20, 2.56),
    (2.32, 2.78), (2.51, 3.00), (2.65, 3.22), (2.83, 3.44), (2.98, 3.67), (3.11, 3.89), (3.33, 4.11),
])  # fmt: skip
"""Martin and Moyce (1952), table 2, n² = 2, a = 2.25 in: T = t √(n² g/a), and the front Z = x/a."""


def _speed(simulation: Simulation) -> float:
    """Root of the mean square, m/s."""
    v = simulation.particles.velocity.astype(np.float64)
    return float(np.sqrt((v * v).sum(axis=1).mean()))


def hydrostatics() -> list[Result]:
    """A tank of 15 layers at rest."""
    d, side, depth = 0.04, 0.6, 0.6
    simulation = Simulation(basin(side, side, block((side, side, depth), d), d), threads=1)
    simulation.run(2.0)
    weight = G * float(simulation.particles.mass.sum())
    slopes, forces, errors, steps = [], [], [], []
    for _ in range(50):
        report = simulation.step()
        x, p = simulation.particles.position, simulation.particles.pressure
        inner = (np.abs(x[:, :2] - 0.5 * side).max(axis=1) < 0.2) & (x[:, 2] > 2 * d) & (x[:, 2] < depth - 3 * d)
        slopes.append(-float(np.polyfit(x[inner, 2], p[inner], 1)[0]))
        forces.append(-float(simulation.body("floor")[0][2]) / weight)
        errors.append(report.notes["density_error"])
        steps.append(report.notes["substeps"])
    return [
        Check("pressure per depth", float(np.mean(slopes)), WATER * G, 0.05 * WATER * G, "Pa/m"),
        Check("load of the floor over the weight", float(np.mean(forces)), 1.0, 0.01),
        Bound("mean density error", 100 * float(np.mean(errors)), high=0.1, unit="%"),
        Bound("speed after 2 s", 1e3 * _speed(simulation), high=40.0, unit="mm/s"),
        Check("level", float(simulation.particles.position[:, 2].max()) + d / 2, depth, 0.02 * depth, "m"),
        Bound("substeps of a step of 10 ms", float(np.mean(steps)), high=2.0),
    ]


def _draught(d: float, density: float) -> float:
    """Of the box of `floating_box`, m: from its bottom to where the pressure below it says that the surface is."""
    simulation = Simulation(floating_box(d, density), threads=1)
    simulation.run(1.5)
    assert simulation.bodies is not None
    found = []
    for step in range(100):
        simulation.step()
        if step % 5:
            continue
        x, p = simulation.particles.position, simulation.particles.pressure
        low = float(simulation.bodies.position("box")[2]) - 0.1
        inner = (np.abs(x[:, :2] - 0.4).max(axis=1) < 0.4 - 2 * d) & (x[:, 2] > 1.5 * d) & (x[:, 2] < low - 1.5 * d)
        slope, base = np.polyfit(x[inner, 2], p[inner], 1)
        found.append(-base / slope - low)
    return float(np.mean(found))


def draught() -> list[Result]:
    """A box of half the density of water, at two resolutions."""
    return [
        Check(f"draught, particles of {100 * d:g} cm", _draught(d, 500.0), 0.1, 0.003, "m") for d in (0.04, 0.025)
    ]


def heavy() -> list[Result]:
    """A box five times as dense as water sinks, and lies on the floor."""
    simulation = Simulation(floating_box(0.04, 5000.0), threads=1)
    simulation.run(2.5)
    assert simulation.bodies is not None
    speeds = []
    for _ in range(50):
        simulation.step()
        speeds.append(float(np.abs(simulation.bodies.velocity("box")[:3]).max()))
    gap = float(simulation.bodies.position("box")[2]) - 0.1
    return [
        Bound("gap below it", 1e3 * gap, low=-1.0, high=40.0, unit="mm"),
        Bound("its greatest speed in half a second", 1e3 * max(speeds), unit="mm/s"),
        Bound("speed of the water", 1e3 * _speed(simulation), high=200.0, unit="mm/s"),
    ]


def torricelli() -> list[Result]:
    """The jet from a slot in a tank's floor, where it has fallen free of it."""
    d = 0.04
    simulation = Simulation(outlet(d, 0.6), threads=1)
    ratios = []
    while simulation.time < 0.7:
        simulation.step()
        if simulation.time < 0.35:
            continue
        x, v = simulation.particles.position, simulation.particles.velocity
        jet = (x[:, 2] > 0.35) & (x[:, 2] < 0.45)
        far = (np.abs(x[:, 0] - 0.5) > 0.25) & (x[:, 2] > 0.6)
        level = float(np.sort(x[far, 2])[-40:].mean()) + 0.5 * d
        ratios.append(-float(v[jet, 2].mean()) / np.sqrt(2 * G * (level - 0.4)))
    return [Check("speed of the jet over √(2 g h)", float(np.mean(ratios)), 1.0, 0.1)]


def _swings(d: float, amplitude: float) -> tuple[float, F64]:
    """Half periods' mean, s, and the greatest shifts of the centre of mass, m."""
    simulation = Simulation(sloshing(d, amplitude), threads=1)
    times, shifts = [0.0], [0.5]
    while simulation.time < 1.7:
        simulation.step()
        times.append(simulation.time)
        shifts.append(float(simulation.particles.position[:, 0].mean()))
    t, y = np.array(times), np.array(shifts) - 0.5
    turn = np.flatnonzero(y[:-1] * y[1:] < 0)
    ends = np.concatenate([[0.0], t[turn] - y[turn] * (t[turn + 1] - t[turn]) / (y[turn + 1] - y[turn])])
    peaks = np.array([np.abs(y[(t >= a) & (t <= b)]).max() for a, b in pairwise(ends)])
    return float(np.diff(ends).mean()), peaks


def waves() -> list[Result]:
    """The first mode of a tank of 1 m with 0.4 m of water: its period, and what a half period takes of it."""
    results: list[Result] = []
    for d in (0.04, 0.02):
        half, peaks = _swings(d, 0.06)
        name = f"particles of {100 * d:g} cm"
        expected = np.pi / slosh_frequency(1.0, 0.4)
        results.append(Check(f"{name}: half a period", half, expected, 0.05 * expected, "s"))
        results.append(Bound(f"{name}: amplitude lost in a half period", 100 * (1 - peaks[1] / peaks[0]), unit="%"))
    return results


def friction() -> list[Result]:
    """Steady flow between plates: by the upper one, u = U z/H; by a force per mass, u = f z (H − z)/2ν."""
    results: list[Result] = []
    d, layers, viscosity = 0.05, 8, 100.0
    height, nu = layers * d, viscosity / WATER
    for name, push, top in (("Couette", 0.0, 0.2), ("Poiseuille", 1.0, 0.0)):
        simulation = Simulation(channel(d, layers, viscosity, push, top), threads=1)
        simulation.run(1.0)
        x, u = simulation.particles.position.astype(np.float64), simulation.particles.velocity[:, 0].astype(np.float64)
        middle = np.abs(x[:, 0] - x[:, 0].mean()) < 8 * d
        z = x[middle, 2]
        law = top * z / height + push * z * (height - z) / (2 * nu)
        off = u[middle] - law
        results.append(
            Bound(f"{name}: mean difference over the greatest speed", 100 * float(np.abs(off).mean() / law.max()),
                  high=5.0, unit="%")
        )  # fmt: skip
    return results


def dam() -> list[Result]:
    """A column twice as high as wide: its front, as measured and with one shift of time for the gate."""
    d, a = 0.04, 0.4
    simulation = Simulation(basin(5 * a, 6 * d, block((a, 6 * d, 2 * a), d), d), threads=1)
    times, fronts, errors = [], [], []
    while simulation.time < 0.55:
        report = simulation.step()
        times.append(simulation.time * np.sqrt(2 * G / a))
        fronts.append((float(np.sort(simulation.particles.position[:, 0])[-6:].mean()) + 0.5 * d) / a)
        errors.append(report.notes["density_error"])
    T, Z = MARTIN_MOYCE.T

    def off(shift: float) -> F64:
        return np.asarray(np.interp(T - shift, times, fronts) / Z - 1.0)

    shifts = np.linspace(0.0, 0.5, 51)
    gate = min(shifts, key=lambda s: float(np.abs(off(s)[1:]).max()))
    return [
        Bound("front, greatest error", 100 * float(np.abs(off(0.0)).max()), high=15.0, unit="%"),
        Bound("front, with the gate's delay: greatest error from T = 0.8 on", 100 * float(np.abs(off(gate)[1:]).max()),
              high=5.0, unit="%"),
        Bound("delay of the gate, T", float(gate), low=0.0, high=0.3),
        Bound("mean density error, greatest of the run", 100 * max(errors), high=1.0, unit="%"),
    ]  # fmt: skip


LAWS = {
    "hydrostatics": (hydrostatics, "Hydrostatic pressure ρ g z; the floor carries the weight."),
    "draught": (draught, "Archimedes: a floating body displaces its mass."),
    "heavy": (heavy, "What is denser than water lies on the floor."),
    "torricelli": (torricelli, "Torricelli: water leaves a tank at v = √(2 g h)."),
    "waves": (waves, "Sloshing: ω² = g k tanh k H, k = π/L (Lamb, Hydrodynamics)."),
    "friction": (friction, "Couette's and Poiseuille's profiles between plates."),
    "dam": (dam, "Martin and Moyce (1952): the front of a breaking dam."),
}
SCENARIOS = [Scenario(f"fluid-{name}", "fluid", law, run, slow=True) for name, (run, law) in LAWS.items()]
