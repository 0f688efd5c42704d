"""`windrow run --engine lammps`, and what `windrow resume` does with such a run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from windrow.cli.console import bar, tell, warn
from windrow.cli.options import check_at_least, check_folder
from windrow.cli.stopping import Stopping
from windrow.errors import SceneError, unknown_name

if TYPE_CHECKING:
    from windrow.lammps.runs import LammpsRun
    from windrow.scene.scene import Scene
    from windrow.sim.simulation import Simulation
    from windrow.state.frame import Frame

OWN = "windrow"
ENGINES = (OWN, "lammps")
Approximate = Annotated[
    bool,
    typer.Option("--approximate", help="Let LAMMPS compute what it has only something similar for; it is told."),
]


class EngineOptions(NamedTuple):
    """Who computes, and how it is started."""

    engine: Annotated[
        str, typer.Option(metavar="NAME", help="Who computes: windrow, or lammps for DEM scenes on MPI ranks.")
    ] = OWN
    ranks: Annotated[int | None, typer.Option(metavar="N", help="MPI ranks of LAMMPS; 1 if left out.")] = None
    lammps_command: Annotated[
        str | None, typer.Option(metavar="CMD", help="How LAMMPS is started here, such as 'srun -n 64 lmp'.")
    ] = None
    approximate: Approximate = False

    @property
    def other(self) -> bool:
        """Whether another program computes."""
        return self.engine != OWN

    def check(self, out: Path | None, threads: int | None, checkpoint_every: float | None) -> None:
        """Refuses options that do not fit together, before any work is done."""
        if self.engine not in ENGINES:
            raise SceneError(f"--engine: {unknown_name('engine', self.engine, ENGINES)}")
        if not self.other:
            given = {"--ranks": self.ranks, "--lammps-command": self.lammps_command}
            for option, value in {**given, "--approximate": self.approximate or None}.items():
                if value is not None:
                    raise SceneError(f"{option}: is for another engine; add --engine lammps, or leave it out")
            return
        check_at_least("--ranks", self.ranks, 1)
        if out is None:
            raise SceneError("--engine lammps: say where the recording goes, with --out FILE.h5")
        check_folder(out)
        if self.ranks is not None and self.lammps_command is not None:
            raise SceneError("--ranks: put their number into --lammps-command, which starts LAMMPS as it stands")
        if threads is not None:
            raise SceneError("--threads: LAMMPS runs on MPI ranks; use --ranks")
        if checkpoint_every is not None:
            raise SceneError("--checkpoint-every: LAMMPS writes its restart files 20 times in a run; leave it out")

    def refuse(self, scene: Scene) -> None:
        """Refuses a scene that the engine does not compute, before its grains are placed."""
        if self.other:
            from windrow.lammps.refusing import refuse

            refuse(scene, scene.solver.name)

    def begin(self, simulation: Simulation, out: Path) -> EngineDrive:
        from windrow.lammps.program import command_of
        from windrow.lammps.runs import LammpsRun

        command = command_of(self.ranks or 1, self.lammps_command)
        ranks = None if self.lammps_command is not None else self.ranks or 1
        return EngineDrive(LammpsRun.begin(simulation, out, command, ranks, self.approximate))


OWN_ENGINE = EngineOptions()


def continues_elsewhere(file: Path, seconds: float | None, out: Path | None) -> bool:
    """Whether it is LAMMPS that continues this recording; refuses what it cannot do then."""
    from windrow.lammps.runs import is_begun

    if not is_begun(file):
        return False
    if seconds is not None or out is not None:
        option = "--seconds" if seconds is not None else "--out"
        raise SceneError(f"{option}: a run of LAMMPS goes on to its planned end, in its own recording; leave it out")
    return True


def continued(file: Path) -> EngineDrive:
    from windrow.lammps.runs import LammpsRun

    return EngineDrive(LammpsRun.continued(file))


class EngineDrive:
    """One run of another engine from the command line: progress, a clean stop, the recording and the result."""

    def __init__(self, run: LammpsRun) -> None:
        self.run = run

    def go(self, subject: str, as_json: bool, quiet: bool, said: list[str]) -> None:
        """Runs to the planned end, or to where the user stops it; exits with the code that belongs to it."""
        run, stopping = self.run, Stopping(quiet)
        for text in run.notes.get("approximations", []):
            said.append(text)
            warn(text)
        silent = quiet or (as_json and not sys.stderr.isatty())
        with run:
            with stopping, bar("LAMMPS", run.steps, silent) as progress:
                whole = run.go(progress, stopping.heed)
            many, last = run.record()
            if whole:
                run.finish()
        result = _result(run, subject, many, last, whole, said)
        if as_json:
            typer.echo(json.dumps(result, allow_nan=False))
        elif not quiet:
            typer.echo(_text(result))
        if not whole:
            if not quiet:
                tell(f"stopped at {last.time:.4g} s of {run.simulation.scene.run.seconds:.4g} s")
                tell(f"continue with: windrow resume {run.out}")
            raise typer.Exit(stopping.exit_code)


def _result(run: LammpsRun, subject: str, many: int, last: Frame, whole: bool, said: list[str]) -> dict[str, Any]:
    from windrow.measure.heap import kinetic_energy
    from windrow.measure.overlap import contacts

    touching = contacts(last.position, last.radius)
    return {
        "scene": subject,
        "engine": "lammps",
        "time": last.time,
        "steps": last.step,
        "ranks": run.notes["ranks"],
        "particles": len(last.id),
        "contacts": len(touching),
        "mean_overlap": float(touching.mean_relative),
        "max_overlap": float(touching.max_relative),
        "kinetic_energy": float(kinetic_energy(last)),
        "recording": str(run.out),
        "frames": many,
        "interrupted": not whole,
        "warnings": said,
    }


def _text(result: dict[str, Any]) -> str:
    deep, mean = result["max_overlap"], result["mean_overlap"]
    return (
        f"{result['scene']}: computed by LAMMPS; {result['particles']:,} grains, last frame at {result['time']:.4g} s\n"
        f"{result['contacts']:,} contacts, overlap over radius {100 * mean:.2g} % mean, {100 * deep:.2g} % most; "
        f"kinetic energy {result['kinetic_energy']:.3g} J\n"
        f"recording {result['recording']}, {result['frames']} frames: see it with `windrow plot` and `windrow render`"
    )
