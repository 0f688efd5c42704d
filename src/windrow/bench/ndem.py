"""How fast NDEM is: per contact and sweep, per grain searched, by threads, sizes and number of grains."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np

from windrow.bench.bed import bytes_per_grain
from windrow.collide.touching import touching_pairs
from windrow.scene import NDEM, Scene
from windrow.sim.simulation import Simulation
from windrow.validate import size_scenes as scenes

PHASES = ("walls", "prepare", "solve")
SETTLE, TIMED = 150, 60
"""Steps."""
SETTINGS = NDEM(sleep_speed=0.0)
"""Everything stays awake; what sleep saves is measured apart."""
ASLEEP = NDEM(sleep_speed=2e-3)
FALLS_ASLEEP = 600
"""Steps after which grains that still move will not fall asleep."""


@dataclass
class BedCost:
    """What a step of a settled bed costs, and a search of a settling one."""

    milliseconds: dict[str, float]
    """best wall time by phase; "step" is the whole one"""
    contacts: float
    """listed contacts with grains and walls"""
    sweeps: float
    """sweeps of a step, all substeps together"""
    search: float
    """best wall time of one search, s"""
    memory: float
    """bytes per grain"""

    @property
    def per_contact(self) -> float:
        """ns per listed contact and sweep."""
        return 1e6 * self.milliseconds["solve"] / (self.contacts * self.sweeps)


def costs_of(scene: Scene, threads: tuple[int, ...], settle: int = SETTLE, timed: int = TIMED) -> list[BedCost]:
    """Best times by number of threads after so many steps of settling; the search is taken from those.

    Each number of threads has a bed of its own, and they step in turn: a machine that is slow for some seconds is slow
    for all of them.
    """
    simulations = [Simulation(scene, solver=SETTINGS, threads=workers) for workers in threads]
    search = [np.inf] * len(threads)
    best = [dict.fromkeys((*PHASES, "step"), np.inf) for _ in threads]
    for k in range(settle + timed):
        for a, simulation in enumerate(simulations):
            begin = perf_counter()
            report = simulation.step()
            spent = report.seconds | {"step": perf_counter() - begin}
            if k >= settle:
                best[a] = {phase: min(best[a][phase], spent[phase]) for phase in best[a]}
            elif k > 2 and report.notes["searches"] and not report.notes["relisted"]:
                search[a] = min(search[a], spent["search"] / report.notes["searches"])
    return [
        BedCost(
            milliseconds={phase: 1e3 * seconds for phase, seconds in best[a].items()},
            contacts=report.contacts,
            sweeps=report.notes["substeps"] * report.notes["sweeps"],
            search=search[a],
            memory=bytes_per_grain(simulation),
        )
        for a, simulation in enumerate(simulations)
    ]


def bed_rows(threads: tuple[int, ...], grains: tuple[int, ...] = (20_000, 100_000)) -> list[dict[str, Any]]:
    """A settled bed by threads: cost by phase, per contact and sweep, per grain searched, speed-up, memory."""
    rows = []
    for count in grains:
        costs = costs_of(scenes.settling(count), threads)
        for workers, cost in zip(threads, costs, strict=True):
            row: dict[str, Any] = {"grains": count, "threads": workers}
            row |= {f"{phase} ms": value for phase, value in cost.milliseconds.items()}
            row["contacts"] = round(cost.contacts)
            row["ns per listed contact and sweep"] = cost.per_contact
            row["search ns per grain"] = 1e9 * cost.search / count
            row["bytes per grain"] = round(cost.memory)
            row["speed-up"] = costs[0].milliseconds["step"] / cost.milliseconds["step"]
            row["asleep ms"] = asleep_ms(scenes.settling(count), workers)
            rows.append(row)
    return rows


def asleep_ms(scene: Scene, threads: int, timed: int = TIMED) -> float:
    """Best wall time, ms, of a step in which every grain of the scene sleeps; NaN if they do not fall asleep."""
    simulation = Simulation(scene, solver=ASLEEP, threads=threads)
    for _ in range(FALLS_ASLEEP):
        if simulation.step().asleep == simulation.state.count:
            break
    else:
        return float("nan")
    best = np.inf
    for _ in range(timed):
        begin = perf_counter()
        simulation.step()
        best = min(best, perf_counter() - begin)
    return 1e3 * best


def scaling_rows(
    threads: int, grains: tuple[int, ...] = (2_000, 20_000, 100_000, 300_000)
) -> list[dict[str, Any]]:
    """Cost and memory per grain over the number of grains."""
    rows = []
    for count in grains:
        (cost,) = costs_of(scenes.settling(count), (threads,), settle=60 if count > 50_000 else SETTLE)
        rows.append(
            {
                "grains": count,
                "threads": threads,
                "step ms": cost.milliseconds["step"],
                "µs per grain": 1e3 * cost.milliseconds["step"] / count,
                "search ns per grain": 1e9 * cost.search / count,
                "bytes per grain": round(cost.memory),
            }
        )
    return rows


def settling_rows(threads: int, grains: tuple[int, ...] = (20_000, 100_000)) -> list[dict[str, Any]]:
    """Two seconds of falling and settling: wall time per simulated second, of all and of the slowest step; overlap at
    the end and at its peak, motion at the end."""
    rows = []
    for count in grains:
        simulation = Simulation(scenes.settling(count), solver=NDEM(), threads=threads)
        simulation.step()
        start = simulation.state.time
        walls, peak = [], 0.0
        while simulation.state.time < 2.0 - 1e-9:
            begin = perf_counter()
            report = simulation.step()
            walls.append(perf_counter() - begin)
            peak = max(peak, float(report.notes["overlap_peak"]))
        dt = (simulation.state.time - start) / len(walls)
        last = walls[-round(1 / (3 * dt)) :]
        particles = simulation.particles
        position, radius = particles.position.astype(np.float64), particles.radius.astype(np.float64)
        first, second, distance = touching_pairs(position, radius)
        overlap = (radius[first] + radius[second] - distance) / np.minimum(radius[first], radius[second])
        speed = np.linalg.norm(particles.velocity.astype(np.float64), axis=1)
        rows.append(
            {
                "grains": count,
                "threads": threads,
                "s per simulated s": sum(walls) / (len(walls) * dt),
                "slowest step": max(walls) / dt,
                "once settled": sum(last) / (len(last) * dt),
                "mean overlap / r": float(overlap.mean()),
                "greatest overlap / r": float(overlap.max()),
                "peak overlap / r": peak,
                "v_rms m/s": float(np.sqrt((speed**2).mean())),
            }
        )
    return rows


def size_rows(count: int = 20_000, steps: int = 240) -> list[dict[str, Any]]:
    """Equal sand, the same with one boulder of 20 radii, a grading of 1 : 20: processor time in turn, one thread."""
    made = {
        "sand": scenes.sand(count),
        "sand and a boulder": scenes.sand(count, boulder=20.0),
        "graded 1 : 20": scenes.graded(count),
    }
    simulations = {name: Simulation(scene, solver=SETTINGS, threads=1) for name, scene in made.items()}
    landing, settled, peak = dict.fromkeys(made, 0.0), dict.fromkeys(made, 0.0), dict.fromkeys(made, 0.0)
    contacts, missed = dict.fromkeys(made, 0), dict.fromkeys(made, 0)
    for k in range(steps):
        for name, simulation in simulations.items():
            begin = process_time()
            report = simulation.step()
            spent = process_time() - begin
            if k >= steps - 30:
                settled[name] += spent / 30
            elif k > 1:
                landing[name] += spent / (steps - 32)
            contacts[name] = report.contacts
            peak[name] = max(peak[name], float(report.notes["overlap_peak"]))
            missed[name] += int(report.notes["missed_pairs"])
    base, base_contacts = settled["sand"], contacts["sand"]
    return [
        {
            "scene": name,
            "grains": simulation.state.count,
            "contacts": contacts[name],
            "landing ms": 1e3 * landing[name],
            "settled ms": 1e3 * settled[name],
            "of sand": settled[name] / base,
            "of sand, per contact": settled[name] / base * base_contacts / contacts[name],
            "greatest overlap / r": peak[name],
            "missed pairs": missed[name],
        }
        for name, simulation in simulations.items()
    ]
