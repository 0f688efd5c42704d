"""An excavator loads a truck by script, in three soils: cycle time, fill, what arrives, and that no mass is lost."""

from __future__ import annotations

from windrow.machines.digging import DigOperator, loading_cycles
from windrow.machines.productivity import WorkLog
from windrow.scene.files import load_scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Result, Scenario
from windrow.validate.machine_work import hourly

FILL = {"loam": (1.00, 1.10), "dry_sand": (0.95, 1.10), "gravel": (0.95, 1.10)}
"""Of an excavator's bucket: Caterpillar's handbook for moist loam, and for sand and gravel."""
WITHIN = 0.15
CYCLES = 10
SECONDS = (12.0, 20.0)
HOURLY = 1.14 * 1.0 * 3600.0 / 16.5
"""m³ of loose soil in an hour without breaks: rated volume, fill factor and cycles of 15 to 18 s, by the handbook's
formula; its figures for a whole job are a half to two thirds of it."""


def loading(soil: str, cycles: int = CYCLES) -> tuple[WorkLog, Simulation, float, int]:
    """The log of so many cycles, the simulation after them, the largest error of mass, and places not reached."""
    scene = load_scene("excavator")
    assert scene.terrain is not None
    scene.terrain.soil = soil
    simulation = Simulation(scene)
    operator = DigOperator(loading_cycles(cycles))
    log, worst = WorkLog(simulation, into="truck bed"), 0.0
    while not operator.finished:
        operator.act(simulation, simulation.solver.dt)
        simulation.step()
        log.read(simulation, operator)
        worst = max(worst, abs(simulation.ledger["mass_error"]))
    return log, simulation, worst, sum(not reached for _, _, reached in operator.done)


def _results(soil: str) -> list[Result]:
    log, simulation, worst, missed = loading(soil)
    total, (low, high) = log.total(), FILL[soil]
    return [
        Bound("cycles", total["cycles"], low=CYCLES, high=CYCLES),
        Bound("places that were not reached", missed, high=0),
        Bound("time of a cycle", total["cycle_seconds"], low=SECONDS[0], high=SECONDS[1], unit="s"),
        Bound("fill factor", total["fill_factor"], low=low - WITHIN, high=high + WITHIN),
        *hourly(total, HOURLY),
        Bound("largest error of mass", worst, high=1e-9),
        Bound("frozen bodies", float(simulation.last_report.frozen_bodies if simulation.last_report else 0), high=0),
    ]


SCENARIOS = [
    Scenario(
        f"machine-site-{soil.replace('_', '-')}",
        "multibody",
        f"an excavator loads a truck with {soil.replace('_', ' ')}, ten times by script",
        lambda soil=soil: _results(soil),  # type: ignore[misc]
        slow=True,
    )
    for soil in FILL
]
