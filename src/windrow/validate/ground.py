"""Ground that turns into grains and back, against ground that was grains from the start."""

from __future__ import annotations

import numpy as np

from windrow.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.ground_scenes import CELL, RADIUS, SHIFTS, Pull, blade_pull, heap, plate_push

SOILS = ("dry_sand", "wet_sand", "gravel", "loam", "clay")
DRAFT = {"dry_sand": 0.10, "loam": 0.10, "gravel": 0.20}
"""What the mean draft may differ from that in a deep bed, of it."""
VERTICAL = 0.25


def quiet() -> list[Result]:
    """A pit that turns into grains while nothing moves."""
    results: list[Result] = []
    for soil in SOILS:
        scene = Scene()
        corners = ((-0.6, -0.6, -0.4), (0.6, 0.6, 0.1))
        scene.add_terrain(
            size=(3.0, 3.0), cell=CELL, soil=soil, depth=1.5, fidelity="grains", grains_box=corners, most_grains=6000
        )
        simulation = Simulation(scene)
        simulation.step()
        state = simulation.state
        before = dict(zip(state.id[: state.count].tolist(), state.X[: state.count, 2].tolist(), strict=True))
        simulation.run(seconds=0.5 - simulation.solver.dt)
        free = np.flatnonzero(state.V[: state.count, 3] > 0)
        speed = np.sqrt((state.V[free, :3].astype(np.float64) ** 2).sum(axis=1))
        sunk = [before[int(state.id[k])] - float(state.X[k, 2]) for k in free]
        results += [
            Bound(f"{soil}: speed of 99 of 100 grains after 0.5 s", 1e3 * float(np.quantile(speed, 0.99)), high=2.0,
                  unit="mm/s"),
            Check(f"{soil}: mean settlement over the radius", float(np.mean(sunk)) / RADIUS, 0.0, 0.05),
        ]  # fmt: skip
    return results


def heaps() -> list[Result]:
    results: list[Result] = []
    for soil in ("dry_sand", "gravel"):
        found = heap(soil)
        results += [
            Check(f"{soil}: slope as ground", found.as_ground, found.as_grains, 1.0, "°"),
            Bound(f"{soil}: time until all of it was ground", found.seconds, high=5.0, unit="s"),
            Check(f"{soil}: grains left then", found.left, 0.0, 0.0),
        ]
    return results


def _mean(pulls: list[Pull]) -> tuple[float, float]:
    return float(np.mean([p.draft for p in pulls])), float(np.mean([p.vertical for p in pulls]))


def blades() -> list[Result]:
    results: list[Result] = []
    for soil, allowed in DRAFT.items():
        (draft, vertical), (draft0, vertical0) = (
            _mean([blade_pull(soil, shift, as_bed) for shift in range(len(SHIFTS))]) for as_bed in (False, True)
        )
        results += [
            Check(f"{soil}: draft over that in a deep bed, {draft0:.0f} N", draft / draft0, 1.0, allowed),
            Check(f"{soil}: vertical force over that in a deep bed, {vertical0:.0f} N", vertical / vertical0, 1.0,
                  VERTICAL),
            Bound(f"{soil}: free grains over those of the bed",
                  blade_pull(soil, 0, False).grains / blade_pull(soil, 0, True).grains),
        ]  # fmt: skip
    return results


def pushes() -> list[Result]:
    results: list[Result] = []
    for soil in ("dry_sand", "loam"):
        (_, force), (_, force0) = (
            _mean([plate_push(soil, shift, as_bed) for shift in range(len(SHIFTS))]) for as_bed in (False, True)
        )
        results.append(
            Check(f"{soil}: force over that of a deep bed, {force0:.0f} N", force / force0, 1.0, VERTICAL)
        )
    return results


SCENARIOS = [
    Scenario(
        "ground-quiet",
        "NDEM",
        "Ground that turns into grains lies as before: grains of the brick on fixed grains of the brick.",
        quiet,
        slow=True,
    ),
    Scenario(
        "ground-heap",
        "NDEM",
        "A heap of grains that turns into ground keeps its slope, and does so within 5 s.",
        heaps,
        slow=True,
    ),
    Scenario(
        "ground-blade",
        "NDEM",
        "Force on an upright blade in ground that turns into grains before it, against the same blade in a bed of "
        "grains that reaches 0.55 m below its edge; means of three packings.",
        blades,
        slow=True,
    ),
    Scenario(
        "ground-push",
        "NDEM",
        "Force on a plate that is pushed straight down, against the same plate on a deep bed of grains; means of three "
        "packings.",
        pushes,
        slow=True,
    ),
]
