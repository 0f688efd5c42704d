"""`windrow export`: scenes for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from windrow.cli.console import tell, warn, warnings_told
from windrow.cli.engines import Approximate
from windrow.cli.exchange import Force
from windrow.cli.options import SceneName, apply_option, apply_solver_options, check_folder
from windrow.cli.running import plan
from windrow.errors import SceneError, unknown_name

PROGRAMS = ("lammps",)


def export(
    scene: SceneName,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Deck to write, ending in .in; its .data lies beside.")],
    to: Annotated[str, typer.Option(metavar="PROGRAM", help="Program to write for: lammps.")],
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Simulated seconds; else the scene's own length.")
    ] = None,
    solver_option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Solver setting, such as name=dem; may be repeated.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of everything random; the scene's own if left out.")
    ] = None,
    frame_rate: Annotated[
        float | None, typer.Option(metavar="HZ", help="Frames in the dump per simulated second.")
    ] = None,
    approximate: Approximate = False,
    force: Force = False,
) -> None:
    """Write a scene as the input of another program; what that cannot compute is named and refused."""
    from windrow.scene.files import load_scene

    if to not in PROGRAMS:
        raise SceneError(f"--to: {unknown_name('program', to, PROGRAMS)}")
    if out.suffix != ".in":
        raise SceneError(f"{out}: the deck ends in .in (got {out.suffix!r}); rename it")
    check_folder(out)
    for path in (out, out.with_suffix(".data")):
        if path.exists() and not force:
            raise SceneError(f"{path}: is already there; choose another name, or replace it with --force")
    loaded = load_scene(scene)
    apply_solver_options(loaded, solver_option or [])
    plan(loaded, seconds, frame_rate)
    if seed is not None:
        apply_option(loaded, "seed", seed)
    with warnings_told():
        from windrow.lammps.deck import deck_of, write_deck
        from windrow.lammps.refusing import refuse
        from windrow.sim.simulation import Simulation

        refuse(loaded, loaded.solver.name)
        deck = deck_of(Simulation(loaded), out.stem, approximate)
    for text in deck.approximations:
        warn(text)
    written = write_deck(deck, out)
    tell(f"wrote {' and '.join(map(str, written))}: {deck.steps} steps of {deck.step:g} s")
    tell(f"run it there: lmp -in {out.name}")
