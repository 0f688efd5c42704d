"""The dense bed: grains twelve layers deep in an open box, settled, with the full contact model of P².

The same bed, given as files of start states, is what a yardstick in another language can be timed on.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from windrow.errors import FileFormatError, WindrowError
from windrow.scene import P2, Scene
from windrow.sim.simulation import Simulation
from windrow.state.model import Model

RADIUS = 0.05
DENSITY = 2600.0
LAYERS = 12
SETTINGS = P2(dt=1 / 60, iterations=10, error_reduction=0.5, sleep_threshold=3e-4)
PHASES = ("predict", "sort", "neighbours", "walls", "solve", "finish")
FLOPS_PER_CONTACT = 110
BYTES_PER_GRAIN = 64
"""Read one row and write one row of 32 bytes per grain and iteration; neighbour rows come from the cache."""


@dataclass
class BedTimes:
    """Best wall time by phase of one step, ms."""

    grains: int
    threads: int
    milliseconds: dict[str, float]
    entries: float
    """neighbours in the lists per grain"""

    @property
    def total(self) -> float:
        return sum(self.milliseconds.values())


@dataclass
class Start:
    """A bed at one moment."""

    position: np.ndarray
    velocity: np.ndarray
    radius: np.ndarray
    mass: np.ndarray
    width: float
    """of the square box, m"""


def lattice(count: int, seed: int = 1) -> Start:
    """The bed as a lattice pressed together by 5 %, grains of 10 % more or less radius."""
    side = int(np.ceil(np.sqrt(count / LAYERS)))
    spacing = 0.95 * 2 * RADIUS
    random = np.random.default_rng(seed)
    n = np.arange(count)
    cell = np.stack([n % side, n // side % side, n // side**2], axis=1)
    radius = RADIUS * random.uniform(0.9, 1.1, count)
    return Start(
        position=(cell + 0.5) * spacing + random.uniform(-0.03, 0.03, (count, 3)) * 2 * RADIUS,
        velocity=np.zeros((count, 3)),
        radius=radius,
        mass=DENSITY * 4 / 3 * np.pi * radius**3,
        width=side * spacing + 0.02 * RADIUS,
    )


def start_state(folder: Path, count: int) -> Start:
    """The start state `s{count}.npz` of a yardstick: x, v, r, w (inverse mass) and L (width)."""
    file = folder / f"s{count}.npz"
    try:
        data = np.load(file)
        return Start(data["x"], data["v"], data["r"], 1.0 / data["w"], float(data["L"]))
    except (OSError, KeyError, ValueError) as problem:
        raise FileFormatError(f"{file}: not a start state with x, v, r, w and L ({problem})") from None


def bed(count: int, threads: int, states: Path | None = None) -> Simulation:
    """The bed with the full contact model of P², from a lattice or from a yardstick's start state."""
    begin = lattice(count)
    wanted = begin if states is None else start_state(states, count)
    scene = Scene(gravity=(0, 0, -9.81), solver=SETTINGS)
    scene.add_material(
        "soil",
        density=DENSITY,
        friction_static=0.6,
        friction_kinetic=0.5,
        adhesion=1000.0,
        stiffness=1e5,
        damping=200.0,
    )
    scene.add_open_box((0.0, 0.0, 0.0), (wanted.width, wanted.width, 1.0), "soil")
    scene.add_particles(begin.position, radius=wanted.radius, mass=wanted.mass, material="soil")
    simulation = Simulation(scene, threads=threads)
    # A bed under load overlaps more than a scene may start with; a running simulation may.
    simulation.particles.position = wanted.position
    simulation.particles.velocity = wanted.velocity
    return simulation


def time_bed(count: int, threads: int, steps: int, states: Path | None = None) -> BedTimes:
    """Best time of each phase over so many steps, after as many to warm up as the lattice needs to settle."""
    simulation = bed(count, threads, states)
    for _ in range(3 if states is not None else 40):
        report = simulation.step()
    best = dict.fromkeys(PHASES, np.inf)
    rest = np.inf
    for _ in range(steps):
        begin = perf_counter()
        report = simulation.step()
        wall = perf_counter() - begin
        for phase in PHASES:
            best[phase] = min(best[phase], report.seconds[phase])
        rest = min(rest, wall - sum(report.seconds[phase] for phase in PHASES))
    milliseconds = {phase: 1e3 * seconds for phase, seconds in best.items()}
    milliseconds["other"] = 1e3 * rest
    return BedTimes(count, threads, milliseconds, 2.0 * report.contacts / count)


def bytes_per_grain(simulation: Simulation) -> float:
    """All arrays of state and workspace, divided by the grains there is room for."""
    arrays: dict[int, int] = {}

    def collect(thing: object) -> None:
        if isinstance(thing, np.ndarray):
            whole = thing.base if isinstance(thing.base, np.ndarray) else thing
            arrays[id(whole)] = whole.nbytes
        elif isinstance(thing, tuple | list):
            for part in thing:
                collect(part)
        elif not isinstance(thing, Model) and hasattr(thing, "__dict__"):
            for part in vars(thing).values():
                collect(part)

    collect(simulation.state)
    collect(simulation._stepper)
    return sum(arrays.values()) / simulation.model.capacity


def yardstick_times(command: str) -> dict[tuple[int, int], float]:
    """Runs a yardstick and reads lines with `N= … T= … total … ms`: the best total by grains and threads."""
    done = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WindrowError(f"the yardstick {command!r} failed: {done.stderr.strip()[-300:]}")
    times: dict[tuple[int, int], float] = {}
    for line in done.stdout.splitlines():
        found = re.search(r"N=\s*(\d+)\s+T=\s*(\d+).*total\s+([\d.]+)\s*ms", line)
        if found:
            key = (int(found[1]), int(found[2]))
            times[key] = min(times.get(key, np.inf), float(found[3]))
    if not times:
        raise WindrowError(f"the yardstick {command!r} printed no line with 'N= … T= … total … ms'")
    return times
