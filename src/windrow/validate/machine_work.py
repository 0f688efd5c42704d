"""A bulldozer, a wheel loader and an excavator that digs a trench, by script: what they move, beside the handbook's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from windrow.machines.carrying import CarryOperator
from windrow.machines.digging import DigOperator, trench_cycles
from windrow.machines.dozing import BACK, FIRST, SECOND, BladeOperator, grading_passes, slot_passes
from windrow.machines.productivity import WorkLog
from windrow.machines.targets import Finish, survey
from windrow.machines.yard import heap_yard, slot_begin, slot_yard
from windrow.scene.files import load_scene
from windrow.scene.soils import soil_named
from windrow.scene.targets import Trench
from windrow.scene.task import Task, Zone
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Result, Scenario

SOILS = ("loam", "dry_sand", "gravel")
CYCLES, PUSH = 10, 30.0
PASS = 0.5 * PUSH / FIRST + 0.5 * PUSH / SECOND + PUSH / BACK + 3.0
"""s in those gears"""
DOZED = 0.83 * 5.6 * 3600.0 / PASS
"""m³ an hour: rated blade over a cycle in the gears that the handbook's curves assume, 15 m of cut and 3 s between, and
what its curve for a larger blade (458 m³/h over 45 m) is of the same sum for that one."""
CARRIED = 0.95 * 3.0 * 3600.0 / 30.0
"""m³ an hour: rated bucket, average fill and a basic cycle of half a minute"""
WITHIN = 1.0 / 3.0
FILL = {"loam": (0.85, 1.10), "dry_sand": (0.85, 1.10), "gravel": (0.80, 0.95)}
"""Of a loader's bucket at a heap: Komatsu's handbook, easy to average loading, gravel average to rather difficult."""
FILL_WITHIN = 0.15
DOZER_POWER, LOADER_POWER = 149e3, 4 * 40e3 + 2 * 80e3
"""W: of the bulldozer's engine, and of all that moves the loader"""
BED_SIDE = 2.8
"""m that soil has to be lifted into the bed at least"""


def run(simulation: Simulation, operator: Any, log: WorkLog | None = None) -> float:
    """Until the operator has finished; the largest error of mass on the way."""
    worst = 0.0
    while not operator.finished:
        operator.act(simulation, simulation.solver.dt)
        simulation.step()
        worst = max(worst, abs(simulation.ledger["mass_error"]))
        if log is not None:
            log.read(simulation, operator)
    return worst


def hourly(total: dict[str, float], handbook: float) -> list[Result]:
    """Loose soil in an hour, that which was taken up and that which arrived, beside what the handbook says."""
    low, high = handbook * (1 - WITHIN), handbook * (1 + WITHIN)
    share, taken = total["arrived"] / total["carried"], total["cubic_metres_per_hour"]
    return [
        Bound("loose soil", taken, low=low, high=high, unit="m³/h"),
        Bound("share of the load that arrives", share),
        Bound("loose soil that arrives", share * taken, low=low, high=high, unit="m³/h"),
    ]


def _energy(total: dict[str, float], least: float, power: float) -> Bound:
    """Energy of a cubic metre: no less than the work that must be done (J), no more than the power (W) can do."""
    most = power * 3600.0 / total["cubic_metres_per_hour"]
    return Bound(
        "energy of a cubic metre", total["energy_per_cubic_metre"] / 1e3, low=least / 1e3, high=most / 1e3, unit="kJ"
    )


def loose_weight(soil: str) -> float:
    """N of a loose cubic metre."""
    found = soil_named(soil)
    return 9.81 * found.bulk_density.value / found.ground.swell.value


def friction(soil: str) -> float:
    """Of soil that is pushed over the same soil."""
    return math.tan(math.radians(soil_named(soil).internal_friction_deg.value))


def dozed(soil: str, passes: int = CYCLES, fidelity: str = "field") -> tuple[WorkLog, Simulation, float, int, float]:
    """The log, the simulation after it, the largest error of mass, legs not finished, height of the windrows, m."""
    scene = slot_yard(soil, PUSH, fidelity)
    begin = slot_begin(scene)
    simulation = Simulation(scene)
    operator = BladeOperator(slot_passes(passes, begin, PUSH - 0.3))
    beyond = Zone(lower=(begin + PUSH - 0.5, -7.0, -3.0), upper=(begin + PUSH + 12.0, 7.0, 3.0))
    log = WorkLog(simulation, "blade", into=beyond)
    worst = run(simulation, operator, log)
    terrain = simulation.terrain
    assert terrain is not None
    along = (terrain.x > begin + 16.0) & (terrain.x < begin + PUSH - 4.0)
    beside = (np.abs(terrain.y) > 1.7) & (np.abs(terrain.y) < 2.6)
    windrow = float(terrain.height[np.ix_(along, beside)].max(axis=1).mean())
    return log, simulation, worst, sum(not reached for _, _, reached in operator.done), windrow


def _doze(soil: str) -> list[Result]:
    log, _, worst, missed, windrow = dozed(soil)
    total = log.total()
    return [
        Bound("passes", total["cycles"], low=CYCLES, high=CYCLES),
        Bound("legs that were not finished", missed, high=0),
        *hourly(total, DOZED),
        Bound("time of a pass", total["cycle_seconds"], low=PASS * (1 - WITHIN), high=PASS * (1 + WITHIN), unit="s"),
        _energy(total, loose_weight(soil) * friction(soil) * 0.5 * PUSH, DOZER_POWER),
        Bound("height of the windrows", windrow, low=0.02, unit="m"),
        Bound("largest error of mass", worst, high=1e-9),
    ]


def carried(soil: str, cycles: int = CYCLES) -> tuple[WorkLog, Simulation, float, int]:
    """The log of so many loads, the simulation after them, the largest error of mass, and stages not finished."""
    simulation = Simulation(heap_yard(soil))
    operator = CarryOperator(4.0, cycles)
    log = WorkLog(simulation, "bucket", into="truck bed")
    worst = run(simulation, operator, log)
    return log, simulation, worst, sum(not reached for _, _, reached in operator.done)


def _carry(soil: str) -> list[Result]:
    log, simulation, worst, missed = carried(soil)
    total, (low, high) = log.total(), FILL[soil]
    return [
        Bound("loads", total["cycles"], low=CYCLES, high=CYCLES),
        Bound("stages that were not finished", missed, high=0),
        Bound("fill factor", total["fill_factor"], low=low - FILL_WITHIN, high=high + FILL_WITHIN),
        *hourly(total, CARRIED),
        _energy(total, loose_weight(soil) * BED_SIDE, LOADER_POWER),
        Bound("largest error of mass", worst, high=1e-9),
        Bound("frozen bodies", float(simulation.last_report.frozen_bodies if simulation.last_report else 0), high=0),
    ]


def trench(
    fidelity: str = "hybrid", depth: float = 0.8, soil: str = "loam", slope_deg: float = 90.0, layer: float = 0.15
) -> tuple[Finish, Task, float, int]:
    """How near a scripted trench comes to its target, the task, the largest error of mass, and places not reached."""
    scene = load_scene("trench")
    assert scene.terrain is not None
    scene.terrain.fidelity = fidelity  # type: ignore[assignment]
    scene.terrain.soil = soil
    assert scene.task is not None
    assert scene.task.surface is not None
    wanted = scene.task.surface.model_dump() | {"depth": depth, "slope_deg": slope_deg}
    scene.task.surface = Trench.model_validate(wanted)
    simulation = Simulation(scene)
    task: Task | None = simulation.scene.task
    assert task is not None
    assert task.surface is not None
    assert simulation.terrain is not None
    looked = survey(task.surface, simulation.terrain, task.tolerance, simulation.state)
    plan = task.surface.plan()
    # An operator works to a level, not to his tracks.
    under = float(simulation.terrain.height_at(*scene.machines[0].position[:2]))
    torn = scene.terrain.mean_radius if fidelity == "hybrid" else 0.0
    operator = DigOperator(trench_cycles(under - plan.height, layer=layer, slope_deg=slope_deg, torn=torn))
    worst = run(simulation, operator)
    found = looked.look(simulation.terrain, simulation.state)
    return found, task, worst, sum(not reached for _, _, reached in operator.done)


TRENCHES = (("loam", 0.8, 90.0, 0.15), ("loam", 1.2, 60.0, 0.4), ("clay", 1.2, 90.0, 0.15))
"""Soil, depth, slope of the sides and layer: upright sides of loam stand 0.83 m, those of clay 1.32 m (Culmann)"""


def _trench() -> list[Result]:
    results: list[Result] = []
    for soil, depth, slope, layer in TRENCHES:
        found, task, worst, missed = trench("hybrid", depth, soil, slope, layer)
        assert task.surface is not None
        plan, off = task.surface.plan(), task.tolerance
        area = 4.0 * plan.half[0] * (plan.half[1] + plan.side)
        what = f"{soil}, {depth:g} m, sides of {slope:g}°"
        results += [
            Bound(f"{what}: places that were not reached", missed, high=0),
            Bound(f"{what}: error of depth", found.depth_error, low=-off, high=off, unit="m"),
            Bound(f"{what}: soil left above the target", found.left, high=off * area, unit="m³"),
            Bound(f"{what}: soil dug below it or beside it", found.over_dig, unit="m³"),
            Bound(f"{what}: largest error of mass", worst, high=1e-9),
        ]
    return results


PAD_PASSES = ((0.05, 0.02), (-1.6, 1.6, 0.0))
"""m of the edge above the pad, pass after pass, and the lines on which the bulldozer drives"""


STEEPEST = 2.0 * 0.03 / 6.0
"""of a pad that is 3 cm too high at one end and 3 cm too low at the other"""


def graded() -> tuple[Finish, Finish, float, int]:
    """The pad before and after a scripted grading, the largest error of mass, and legs not finished."""
    simulation = Simulation(load_scene("pad"))
    task = simulation.scene.task
    assert task is not None
    assert task.surface is not None
    assert simulation.terrain is not None
    looked = survey(task.surface, simulation.terrain, task.tolerance)
    before = looked.look(simulation.terrain)
    height = task.surface.plan().height
    heights, lines = PAD_PASSES
    operator = BladeOperator(grading_passes([height + over for over in heights], lines, -4.0, 4.5))
    worst = run(simulation, operator)
    return before, looked.look(simulation.terrain), worst, sum(not reached for _, _, reached in operator.done)


def _grade() -> list[Result]:
    before, after, worst, missed = graded()
    return [
        Bound("legs that were not finished", missed, high=0),
        Bound("area within 3 cm, before", before.within, high=0.5),
        Bound("area within 3 cm", after.within, low=0.9),
        Bound("error of height", after.depth_error, low=-0.03, high=0.03, unit="m"),
        Bound("error of slope", after.slope_error, high=STEEPEST),
        Bound("largest error of mass", worst, high=1e-9),
    ]


def _named(kind: str, soil: str, words: str, results: Any) -> Scenario:
    shown = soil.replace("_", " ")
    return Scenario(
        f"machine-{kind}-{soil.replace('_', '-')}", "multibody", words.format(shown), lambda: results(soil), slow=True
    )


SCENARIOS = [
    *(_named("doze", soil, "a bulldozer pushes {} 30 m over a bank, ten times by script", _doze) for soil in SOILS),
    *(_named("carry", soil, "a wheel loader loads a truck with {}, ten times by script", _carry) for soil in SOILS),
    Scenario("machine-trench", "multibody", "an excavator digs a trench to a depth by script", _trench, slow=True),
    Scenario("machine-grade", "multibody", "a bulldozer grades a pad of 6 x 6 m by script", _grade, slow=True),
]
