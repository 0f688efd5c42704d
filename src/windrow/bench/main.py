"""`windrow bench`: runs benchmarks by name and shows them as tables."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from windrow.bench import (
    arrivals,
    bed,
    beside,
    dem,
    dem_order,
    detail,
    digging,
    fluid,
    machines,
    mesh_walls,
    ndem,
    rocks,
    sph,
    startup,
    which,
)
from windrow.bench import field as field_bench
from windrow.bench.machine import fma_peak, memory_bandwidth
from windrow.errors import SceneError, unknown_name
from windrow.scene.machines import built_in_machines


@dataclass
class Options:
    """What a benchmark may be told."""

    threads: tuple[int, ...] = (1, 2)
    states: Path | None = None
    """folder with start states of a yardstick"""
    yardstick: str | None = None
    """command that times the yardstick and prints `N= … T= … total … ms`"""
    steps: Path | None = None
    """folder for times of single steps by phase, and pictures of them"""
    console: Console = field(default_factory=lambda: Console(stderr=True))
    """where remarks go while it runs"""
    tables: Console = field(default_factory=Console)
    """where results go"""


def _show(console: Console, title: str, rows: list[dict[str, Any]]) -> None:
    """A column for each row: there are few of them, so that the table fits into a terminal of 80 characters."""
    first, *figures = rows[0]
    table = Table(first, title=title, title_justify="left")
    for row in rows:
        table.add_column(_cell(row[first]), justify="right")
    for name in figures:
        table.add_row(name, *(_cell(row[name]) for row in rows))
    console.print(table)


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def p2_bed(options: Options) -> list[dict[str, Any]]:
    """P² on the dense bed by phase and threads, beside the machine's limits and a yardstick."""
    reference = bed.yardstick_times(options.yardstick) if options.yardstick else {}
    limits = {t: (memory_bandwidth(t), fma_peak(t)) for t in options.threads}
    rows = []
    for grains in (20_000, 100_000):
        for threads in options.threads:
            times = bed.time_bed(grains, threads, 40 if grains < 50_000 else 15, options.states)
            solve = times.milliseconds["solve"] / 1e3
            work = grains * bed.SETTINGS.iterations
            gigabytes, gigaflops = limits[threads]
            row: dict[str, Any] = {"grains": grains, "threads": threads}
            row |= {f"{phase} ms": value for phase, value in times.milliseconds.items()}
            row["total ms"] = times.total
            row["FMA limit %"] = 100 * work * times.entries * bed.FLOPS_PER_CONTACT / solve / 1e9 / gigaflops
            row["memory limit %"] = 100 * work * bed.BYTES_PER_GRAIN / solve / 1e9 / gigabytes
            if (grains, threads) in reference:
                row["yardstick ms"] = reference[grains, threads]
                row["ratio"] = times.total / reference[grains, threads]
            rows.append(row)
    _show(options.tables, "P² step on the dense bed, 10 iterations, best of each phase", rows)
    return rows


def p2_scaling(options: Options) -> list[dict[str, Any]]:
    """Cost and memory per grain from 2,000 to 1,000,000 grains."""
    rows = []
    threads = max(options.threads)
    for grains in (2_000, 20_000, 100_000, 300_000, 1_000_000):
        simulation = bed.bed(grains, threads)
        times = []
        for _ in range(30 if grains < 200_000 else 8):
            times.append(simulation.step().wall)
        best = min(times[2:])
        rows.append(
            {
                "grains": grains,
                "threads": threads,
                "step ms": 1e3 * best,
                "µs per grain": 1e6 * best / grains,
                "bytes per grain": bed.bytes_per_grain(simulation),
            }
        )
    _show(options.tables, "P² from 2,000 to 1,000,000 grains, bed settling", rows)
    return rows


def start_up(options: Options) -> list[dict[str, Any]]:
    """Import time, time to the first step with compiled kernels, and time to compile them all."""
    rows = [
        {"what": "import windrow", "seconds": startup.import_seconds(), "limit": 0.5},
        {"what": "first step of 'pile', compiled", "seconds": startup.first_step_seconds(), "limit": 2.0},
        {"what": "compiling everything", "seconds": startup.warm_up_seconds(), "limit": 150.0},
    ]
    _show(options.tables, "Start-up in a fresh process", rows)
    return rows


def fluid_dam(options: Options) -> list[dict[str, Any]]:
    """Constraint fluid: a dam break of 10,000 particles at 10 ms, a slab of 1,235, and both methods by iterations."""
    rows = fluid.water_rows(options.threads)
    _show(options.tables, "Fluid, steps of 10 ms", rows)
    by_method = fluid.iteration_rows()
    _show(options.tables, "Fluid, density error of a dam break by iterations", by_method)
    return [*rows, *by_method]


def which_solver(options: Options) -> list[dict[str, Any]]:
    """A heap, a column, a silo and a blade by all solvers: processor time, and what came out over the law."""
    rows = which.which_rows()
    for case in which.CASES:
        _show(options.tables, f"{case}, one thread", [row for row in rows if row["case"].startswith(case)])
    return rows


def loader_rocks(options: Options) -> list[dict[str, Any]]:
    """A wheel loader and 500 rocks: at rest, digging, driving over, unmerged; and the loader alone."""
    rows = rocks.rock_rows(options.console.print)
    _show(options.tables, "A wheel loader and 500 rocks, 1/60 s, one thread", rows)
    alone = rocks.machine_rows()
    _show(options.tables, "The loader alone", alone)
    return [*rows, *alone]


def machines_alone(options: Options) -> list[dict[str, Any]]:
    """Every built-in machine alone on hard ground: at rest, driving, with all levers."""
    rows = []
    for model in built_in_machines():
        rows += machines.machine_rows(model)
        _show(options.tables, f"{model} alone, 1/60 s, one thread", rows[-3:])
    return rows


def _table(
    what: str, title: str, rows: Callable[[Options], list[dict[str, Any]]]
) -> Callable[[Options], list[dict[str, Any]]]:
    """A benchmark that is one table."""

    def run(options: Options) -> list[dict[str, Any]]:
        found = rows(options)
        _show(options.tables, title, found)
        return found

    run.__doc__ = what
    return run


BENCHES: dict[str, Callable[[Options], list[dict[str, Any]]]] = {
    "p2-bed": p2_bed,
    "p2-scaling": p2_scaling,
    "ndem": _table(
        "NDEM on a settled bed: per contact and sweep, per grain searched, by threads, memory.",
        "NDEM step of a settled bed, best of each phase",
        lambda options: ndem.bed_rows(options.threads),
    ),
    "ndem-scaling": _table(
        "NDEM: cost and memory per grain from 2,000 to 300,000 grains.",
        "NDEM from 2,000 to 300,000 grains, bed settled",
        lambda options: ndem.scaling_rows(max(options.threads)),
    ),
    "ndem-settling": _table(
        "NDEM: two seconds of 20,000 and 100,000 grains that fall and settle.",
        "NDEM, two seconds of falling and settling",
        lambda options: ndem.settling_rows(max(options.threads)),
    ),
    "ndem-sizes": _table(
        "NDEM: what a boulder of 20 radii adds to sand, and what a grading of 1 : 20 costs.",
        "NDEM with unequal grains, one thread, processor time per step",
        lambda options: ndem.size_rows(),
    ),
    "ndem-arrivals": _table(
        "NDEM: what a hundred grains add to the step in which they arrive in a bed at rest.",
        "NDEM, 100 grains arrive in a bed at rest, one thread, processor time",
        lambda options: arrivals.arrival_rows(),
    ),
    "sph": _table(
        "Granular SPH: a frame of a pile of 45,000 particles, as the paper's.",
        "SPH, a pile at rest, 20 substeps of 1 ms with 3 iterations",
        lambda options: sph.pile_rows(options.threads),
    ),
    "detail": _table(
        "Fine grains on a pile that slumps: time of a step, memory, how evenly they lie.",
        "Fine grains on an SPH pile, steps of 10 ms",
        lambda options: detail.detail_rows(options.threads),
    ),
    "fluid": fluid_dam,
    "dem": _table(
        "DEM on S*(N), which peers run too: particle-steps per second by threads and phase, memory, final figures.",
        "DEM, two seconds of falling and settling, steps of 1.2 ms",
        lambda options: dem.settling_rows(options.threads),
    ),
    "dem-scaling": _table(
        "DEM: cost and memory per grain from 2,000 to 1,000,000 grains.",
        "DEM from 2,000 to 1,000,000 grains",
        lambda options: dem.scaling_rows(max(options.threads)),
    ),
    "dem-order": _table(
        "DEM: forces with grains in the order of the grid, and in the order they were made, while a slug spreads.",
        "DEM, 12,000 grains that mix, one thread, processor time",
        lambda options: dem_order.order_rows(),
    ),
    "dem-walls": _table(
        "DEM in a drum of many triangles: against the triangles, and against distances on a grid.",
        "DEM in a turning mesh, one thread, processor time",
        lambda options: mesh_walls.wall_rows(),
    ),
    "which": which_solver,
    "rocks": loader_rocks,
    "machines": machines_alone,
    "digging": _table(
        "A bucket and a blade in ground that turns into grains before them: time per step over a pass.",
        "Ground that is dug, 1/60 s",
        lambda options: [
            row for threads in options.threads for row in digging.pass_rows(threads, options.steps)
        ],
    ),
    "field": _table(
        "A bucket that digs without grains, 10 m × 10 m at 0.1 m, one thread: times real time.",
        "field_bucket, 1/60 s, one thread; 200 times real time is asked for",
        lambda options: field_bench.field_rows(),
    ),
    "beside": _table(
        "Steps beside one busy process per core, and alone.",
        f"{beside.GRAINS:,} grains at rest, alone and beside one busy process per core",
        lambda options: beside.beside_rows(max(options.threads)),
    ),
    "startup": start_up,
}


def run_bench(
    names: list[str],
    threads: int | None = None,
    json: bool = False,
    states: Path | None = None,
    yardstick: str | None = None,
    steps: Path | None = None,
) -> int:
    """Runs the named benchmarks (all without names); prints JSON to standard output if asked."""
    for name in names:
        if name not in BENCHES:
            raise SceneError(unknown_name("benchmark", name, BENCHES))
    options = Options(
        threads=(threads,) if threads else (1, 2),
        states=states,
        yardstick=yardstick,
        steps=steps,
        tables=Console(stderr=json),
    )
    results = {name: BENCHES[name](options) for name in names or BENCHES}
    if json:
        print(json_module.dumps(results))
    return 0
