"""`windrow detail`: millions of fine grains on a recording, for pictures and films."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from windrow.cli.console import bar, compiling_told, tell, warnings_told
from windrow.cli.options import Quiet, Threads, check_at_least, check_folder, grain_count
from windrow.errors import SceneError


def detail(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Recording of any solver.")],
    grains: Annotated[
        str,
        typer.Option(
            metavar="N", help="Fine grains, about, where the run has most; 20M and 500k are understood."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where they go; NAME.fine beside RUN if left out.")
    ] = None,
    region: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y,Z,X,Y,Z", help="Only what lies in this box: its lower and its upper corner, m."
        ),
    ] = None,
    around: Annotated[
        str | None,
        typer.Option(
            metavar="NAME:M", help="Only what lies within M metres of a body or obstacle, such as a tool."
        ),
    ] = None,
    step: Annotated[
        float, typer.Option(metavar="S", help="Time step of the fine grains, s, at most.")
    ] = 0.01,
    every: Annotated[int, typer.Option(metavar="K", help="Write every K-th frame of the recording.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of where the grains begin.")] = 0,
    sizes: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,…", help="Quantiles of the grain size over the mean, from smallest to largest."
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Begin anew where FILE is there already, instead of continuing it."),
    ] = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Put fine grains on a recording; the same command continues what was interrupted."""
    check_at_least("--threads", threads, 1)
    check_at_least("--seed", seed, 0)
    target = out if out is not None else run.with_suffix(".fine")
    check_folder(target)
    number = grain_count(grains, "--grains")
    with warnings_told(), compiling_told(quiet):
        from windrow.cli.stopping import Stopping
        from windrow.compiler import compile_parts
        from windrow.detail.looks import Looks
        from windrow.detail.making import Order, write_detail
        from windrow.record.recording import Recording
        from windrow.team import TEAM

        compile_parts({"detail"})
        if threads is not None:
            TEAM.use(threads)
        looks = Looks() if sizes is None else Looks(sizes=numbers("--sizes", sizes))
        order = Order(number, _region(region, around), step, looks, seed, every)
        with Recording(run) as recording:
            frames = -(-len(recording) // max(every, 1))
            with Stopping(quiet) as stopping, bar("refining frames", frames, quiet) as done:
                made = write_detail(
                    recording, target, order, progress=done, between=stopping.heed, force=force
                )
    if not quiet:
        more = f", {made.continued} of them were there already" if made.continued else ""
        lost = f"; {made.lost} grains found no room between bodies and were left out" if made.lost else ""
        tell(f"wrote {target}: {made.frames} frames{more}, {made.grains} grains in the last{lost}")


def numbers(option: str, text: str) -> tuple[float, ...]:
    """Numbers with commas between them."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise SceneError(
            f"{option} {text!r}: write numbers with commas between them, such as 0.6,1,1.5"
        ) from None


def _region(box: str | None, around: str | None):  # type: ignore[no-untyped-def]
    from windrow.detail.regions import region_of

    if box is not None and around is not None:
        raise SceneError("--region and --around: give one of them")
    if box is not None:
        corners = numbers("--region", box)
        if len(corners) != 6:
            raise SceneError(f"--region {box!r}: write six numbers, the lower and the upper corner, m")
        return region_of((corners[:3], corners[3:]))
    if around is not None:
        name, colon, distance = around.rpartition(":")
        if not colon or not name:
            raise SceneError(f"--around {around!r}: write NAME:METRES, for example blade:1.5")
        return region_of((name, numbers("--around", distance)[0]))
    return region_of(None)
