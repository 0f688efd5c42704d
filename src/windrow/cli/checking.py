"""`windrow bench` and `windrow validate`: how fast it is here, and how right it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from windrow.cli.console import warnings_told
from windrow.cli.options import Json, Threads, check_at_least, check_folder
from windrow.errors import SceneError

SCENE_FILES = (".toml", ".yaml", ".yml", ".json")

Listing = Annotated[bool, typer.Option("--list", help="Show the names and what they are about.")]


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Which benchmarks; all if left out.")
    ] = None,
    listing: Listing = False,
    threads: Threads = None,
    states: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", exists=True, file_okay=False, help="Start states of the yardstick."),
    ] = None,
    yardstick: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="Command that times another program on them.")
    ] = None,
    steps: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", exists=True, file_okay=False,
            help="Of `digging`: write the time of each step by phase there, and a picture.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Measure speed and memory on this machine (minutes)."""
    from windrow.bench.main import BENCHES, run_bench

    if listing:
        _list({name: work.__doc__ or "" for name, work in BENCHES.items()})
        return
    check_at_least("--threads", threads, 1)
    with warnings_told():
        code = run_bench(names or [], threads, as_json, states=states, yardstick=yardstick, steps=steps)
    raise typer.Exit(code)


def trace_bits(
    scene: Annotated[
        str, typer.Argument(metavar="SCENE", help="Name of a built-in scene, a scene file, or a trace to compare.")
    ],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write the trace.")] = None,
    against: Annotated[
        Path | None, typer.Option(metavar="TRACE", help="Trace of another machine, version or number of threads.")
    ] = None,
    steps: Annotated[int, typer.Option(metavar="N", help="Steps to trace.")] = 200,
    threads: Threads = None,
) -> None:
    """Write digests of a run's state after each phase of each step, or say where two such traces part.

    The exit code is 1 if they do.
    """
    from windrow.sim.tracing import first_difference, lines_of, read_trace, write_trace

    if out is None and against is None:
        raise SceneError("nothing to do: say --out FILE to write a trace, or --against TRACE to compare with one")
    check_at_least("--steps", steps, 1)
    check_at_least("--threads", threads, 1)
    if out is not None:
        check_folder(out)
    other = read_trace(against)[1] if against is not None else None
    if out is None and Path(scene).is_file() and Path(scene).suffix.lower() not in SCENE_FILES:
        mine = read_trace(Path(scene))[1]
    else:
        from windrow.scene.files import load_scene
        from windrow.sim.simulation import Simulation

        with warnings_told():
            simulation = Simulation(load_scene(scene), threads=threads)
            if out is not None:
                write_trace(simulation, steps, out)
                mine = read_trace(out)[1]
            else:
                mine = list(lines_of(simulation, steps))
    if other is None:
        return
    parted = first_difference(mine, other)
    typer.echo("no difference" if parted is None else f"they part at {parted}")
    raise typer.Exit(0 if parted is None else 1)


def validate(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Which checks; all if left out.")
    ] = None,
    listing: Listing = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out the checks that take long.")] = False,
    write_docs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the scorecard as a page of the documentation.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare simulations with laws and experiments: measured, expected, error (minutes)."""
    from windrow.validate.main import SCENARIOS, run_validate

    if listing:
        _list({name: scenario.law for name, scenario in SCENARIOS.items()})
        return
    if write_docs is not None:
        check_folder(write_docs)
    with warnings_told():
        code = run_validate(names or [], as_json, write_docs, quick)
    raise typer.Exit(code)


def _list(entries: dict[str, str]) -> None:
    """Names, each with the first line of what it is about."""
    width = max(len(name) for name in entries)
    for name, about in entries.items():
        typer.echo(f"{name:<{width}}  {about.strip().partition(chr(10))[0]}")
