"""`windrow validate`: runs scenarios and prints the scorecard; writes it into the docs when asked."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from windrow import __version__
from windrow.errors import SceneError, unknown_name
from windrow.validate.check import Result, Scenario, expectation, verdict
from windrow.validate.coupling import SCENARIOS as COUPLING
from windrow.validate.dem_beds import SCENARIOS as DEM_BEDS
from windrow.validate.dem_bonds import SCENARIOS as DEM_BONDS
from windrow.validate.dem_clumps import SCENARIOS as DEM_CLUMPS
from windrow.validate.dem_energy import SCENARIOS as DEM_ENERGY
from windrow.validate.dem_flows import SCENARIOS as DEM_FLOWS
from windrow.validate.dem_impacts import SCENARIOS as DEM_IMPACTS
from windrow.validate.dem_laws import SCENARIOS as DEM_LAWS
from windrow.validate.field import SCENARIOS as FIELD
from windrow.validate.fluid_water import SCENARIOS as FLUID_WATER
from windrow.validate.ground import SCENARIOS as GROUND
from windrow.validate.ground_bucket import SCENARIOS as GROUND_BUCKET
from windrow.validate.impacts import SCENARIOS as IMPACTS
from windrow.validate.machine_energy import SCENARIOS as MACHINE_ENERGY
from windrow.validate.machine_excavator import SCENARIOS as MACHINE_EXCAVATOR
from windrow.validate.machine_others import SCENARIOS as MACHINE_OTHERS
from windrow.validate.machine_site import SCENARIOS as MACHINE_SITE
from windrow.validate.machine_tracks import SCENARIOS as MACHINE_TRACKS
from windrow.validate.machine_work import SCENARIOS as MACHINE_WORK
from windrow.validate.multibody_contacts import SCENARIOS as MULTIBODY_CONTACTS
from windrow.validate.multibody_laws import SCENARIOS as MULTIBODY_LAWS
from windrow.validate.multibody_loader import SCENARIOS as MULTIBODY_LOADER
from windrow.validate.ndem_blades import SCENARIOS as NDEM_BLADES
from windrow.validate.ndem_flows import SCENARIOS as NDEM_FLOWS
from windrow.validate.ndem_heaps import SCENARIOS as NDEM_HEAPS
from windrow.validate.ndem_sizes import SCENARIOS as NDEM_SIZES
from windrow.validate.ndem_statics import SCENARIOS as NDEM_STATICS
from windrow.validate.p2_scenarios import SCENARIOS as P2_SCENARIOS
from windrow.validate.single_grain import SCENARIOS as SINGLE_GRAIN
from windrow.validate.soil_heaps import SCENARIOS as SOIL_HEAPS
from windrow.validate.sph_sand import SCENARIOS as SPH_SAND

SCENARIOS: dict[str, Scenario] = {
    s.name: s
    for s in [
        *SINGLE_GRAIN,
        *SOIL_HEAPS,
        *P2_SCENARIOS,
        *NDEM_STATICS,
        *NDEM_SIZES,
        *NDEM_HEAPS,
        *NDEM_FLOWS,
        *NDEM_BLADES,
        *DEM_LAWS,
        *DEM_ENERGY,
        *DEM_IMPACTS,
        *DEM_FLOWS,
        *DEM_BEDS,
        *DEM_BONDS,
        *DEM_CLUMPS,
        *SPH_SAND,
        *FLUID_WATER,
        *MULTIBODY_LAWS,
        *MULTIBODY_CONTACTS,
        *MULTIBODY_LOADER,
        *MACHINE_SITE,
        *MACHINE_WORK,
        *MACHINE_TRACKS,
        *MACHINE_EXCAVATOR,
        *MACHINE_OTHERS,
        *MACHINE_ENERGY,
        *COUPLING,
        *IMPACTS,
        *GROUND,
        *GROUND_BUCKET,
        *FIELD,
    ]
}


def run_validate(
    names: list[str], json: bool = False, write_docs: Path | None = None, quick: bool = False
) -> int:
    """Runs the named scenarios (all without names); returns 1 when a check fails, else 0."""
    for name in names:
        if name not in SCENARIOS:
            raise SceneError(unknown_name("scenario", name, SCENARIOS))
    chosen = (
        [SCENARIOS[n] for n in names] if names else [s for s in SCENARIOS.values() if not (quick and s.slow)]
    )
    console = Console(stderr=True)
    results: dict[str, list[Result]] = {}
    for scenario in chosen:
        begin = perf_counter()
        with console.status(f"{scenario.name} …"):
            results[scenario.name] = scenario.run()
        failed = sum(not r.passed for r in results[scenario.name])
        said = "[red]fails[/red]" if failed else "[green]holds[/green]"
        console.print(f"{scenario.name}: {said} ({perf_counter() - begin:.1f} s)")
    if json:
        print(json_module.dumps({n: [_as_dict(r) for r in rs] for n, rs in results.items()}))
    else:
        Console().print(_table(results))
    if write_docs is not None:
        write_docs.write_text(_page(results), encoding="utf-8")
    return 0 if all(r.passed for rs in results.values() for r in rs) else 1


def _as_dict(result: Result) -> dict[str, object]:
    return {
        "what": result.what,
        "measured": float(result.measured),
        "expected": expectation(result),
        "unit": result.unit,
        "passed": bool(result.passed),
    }


def _table(results: dict[str, list[Result]]) -> Table:
    table = Table(title="Scorecard", title_justify="left")
    for column in ("scenario", "what", "measured", "expected", "unit", ""):
        table.add_column(column, justify="right" if column in ("measured", "expected") else "left")
    for name, rows in results.items():
        for k, r in enumerate(rows):
            mark = verdict(r, "[green]✓[/green]", "[red]✗[/red]")
            table.add_row(name if k == 0 else "", r.what, f"{r.measured:.5g}", expectation(r), r.unit, mark)
    return table


def _page(results: dict[str, list[Result]]) -> str:
    lines = [
        "# Validation",
        "",
        f"Written by `windrow validate --write-docs` with Windrow {__version__}. Each scenario prints what it measured",
        "beside what the law or publication says; tolerances belong to the law, and are tighter or wider where a "
        "solver says so.",
        "",
    ]
    for name, rows in results.items():
        scenario = SCENARIOS[name]
        lines += [f"## {name}", "", f"Solver: {scenario.solver}. {scenario.law}", ""]
        lines += ["| what | measured | expected | unit | holds |", "| --- | ---: | ---: | --- | --- |"]
        for r in rows:
            held = verdict(r, "yes", "**no**")
            lines.append(f"| {r.what} | {r.measured:.5g} | {expectation(r)} | {r.unit} | {held} |")
        lines.append("")
    return "\n".join(lines)
