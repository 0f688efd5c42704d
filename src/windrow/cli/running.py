"""`windrow run` and `windrow resume`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from windrow.cli.console import tell, warn, warnings_told
from windrow.cli.engines import OWN_ENGINE, EngineOptions, continued, continues_elsewhere
from windrow.cli.options import (
    CheckpointEvery,
    Json,
    Quiet,
    SceneName,
    Threads,
    apply_option,
    apply_solver_options,
    check_at_least,
)
from windrow.cli.results import result_of, result_text
from windrow.cli.stopping import Stopping
from windrow.errors import FileFormatError, SceneError

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.sim.run import RunSummary
    from windrow.sim.simulation import Simulation


def run(
    scene: SceneName,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Simulated seconds; else the scene's own length."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Recording to write (HDF5); replaces an older one.")
    ] = None,
    solver_option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Solver setting, such as substeps=8; may be repeated."),
    ] = None,
    threads: Threads = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of everything random; the scene's own if left out.")
    ] = None,
    frame_rate: Annotated[
        float | None, typer.Option(metavar="HZ", help="Recorded frames per simulated second.")
    ] = None,
    checkpoint_every: CheckpointEvery = None,
    as_json: Json = False,
    quiet: Quiet = False,
    engine: EngineOptions = OWN_ENGINE,
) -> None:
    """Run a scene and, with --out, record it.

    Ctrl-C stops after the current step and leaves a file that `windrow resume` continues from.
    """
    engine.check(out, threads, checkpoint_every)
    from windrow.scene.files import load_scene

    loaded = load_scene(scene)
    apply_solver_options(loaded, solver_option or [])
    plan(loaded, seconds, frame_rate)
    if seed is not None:
        apply_option(loaded, "seed", seed)
    check_at_least("--threads", threads, 1)
    check_at_least("--checkpoint-every", checkpoint_every, 0)
    engine.refuse(loaded)
    with warnings_told() as said:
        from windrow.sim.simulation import Simulation

        simulation = Simulation(loaded, threads=threads)
        if engine.other:
            assert out is not None
            engine.begin(simulation, out).go(scene, as_json, quiet, said)
            return
        rest = out if out is not None else Path(f"{Path(scene).stem}.checkpoint")
        Driver(simulation, scene, out, rest, checkpoint_every, as_json, quiet, said).go()


def resume(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Recording, its checkpoint, or a snapshot.")],
    seconds: Annotated[
        float | None,
        typer.Option(metavar="MORE", help="Simulated seconds to add; else up to the planned end."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="New recording, instead of adding to the old one.")
    ] = None,
    threads: Threads = None,
    checkpoint_every: CheckpointEvery = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Continue a run that was stopped, killed or finished; the result is the same as without the break.

    Frames are added to the recording. Those after the last checkpoint are computed again.
    """
    from windrow.record.checkpoint import checkpoint_path

    check_at_least("--seconds", seconds, 0)
    check_at_least("--threads", threads, 1)
    check_at_least("--checkpoint-every", checkpoint_every, 0)
    if continues_elsewhere(file, seconds, out):
        with warnings_told() as said:
            continued(file).go(str(file), as_json, quiet, said)
        return
    checkpoint, recording = continuation(file)
    with warnings_told() as said:
        from windrow.sim.saved import read_from
        from windrow.sim.simulation import Simulation

        with read_from(checkpoint) as snapshot:
            if seconds is not None:
                plan_more(snapshot, seconds)
            simulation = Simulation.restore(snapshot, threads=threads)
        if seconds is None and steps_left(simulation) <= 0:
            raise SceneError(
                f"{file}: has reached its planned end at {simulation.time:.4g} s; "
                "say how much more with --seconds MORE"
            )
        append = recording if out is None else None
        rest = (
            append or out or (file if file.suffix == checkpoint_path(file).suffix else checkpoint_path(file))
        )
        drive = Driver(simulation, str(file), append or out, rest, checkpoint_every, as_json, quiet, said)
        drive.go(append=append is not None)


def plan(scene: Scene, seconds: float | None, frame_rate: float | None) -> None:
    """Writes the length and frame rate asked for into the scene, so that its checkpoints know the end."""
    if seconds is not None:
        apply_option(scene.run, "seconds", seconds)
    if frame_rate is not None:
        apply_option(scene.run, "frame_rate", frame_rate)


def plan_more(snapshot: dict[str, Any], seconds: float) -> None:
    """The same for a snapshot, counted from where it was taken."""
    from windrow.scene.files import scene_to_json
    from windrow.sim.saved import Saved
    from windrow.solvers.registry import solver_class
    from windrow.state.state import check_state

    saved = Saved.of(snapshot)
    scene = saved.scene()
    check_state(saved.kept.state, scene.assembled(), solver_class(saved.solver().name).columns)
    plan(scene, saved.kept.state["time"] + seconds, None)
    snapshot["scene"] = scene_to_json(scene)


def steps_left(simulation: Simulation) -> int:
    """Steps to the planned end, counted from the start, so that a break does not change their number."""
    dt = simulation.solver.dt
    return round(simulation.scene.run.seconds / dt) - round(simulation.time / dt)


def continuation(file: Path) -> tuple[Path, Path | None]:
    """The snapshot to continue from, and the recording to add to if there is one."""
    from windrow.record.checkpoint import checkpoint_path
    from windrow.record.container import RECORDING, SNAPSHOT, mark_of

    beside = checkpoint_path(file)
    if not file.exists() and beside.exists():
        raise FileFormatError(
            f"{file}: no such file, but there is {beside}; continue with `windrow resume {beside} --out {file}`"
        )
    mark = mark_of(file) if file.is_file() else None
    if mark == RECORDING:
        if not beside.exists():
            raise FileFormatError(
                f"{file}: its checkpoint {beside} is not there, so it cannot continue; run the scene again"
            )
        return beside, file
    if mark == SNAPSHOT and file.suffix == beside.suffix:
        owner = file.with_suffix("")
        return file, owner if owner.is_file() and mark_of(owner) == RECORDING else None
    # Whatever else it is, reading it as a snapshot says what is wrong with it.
    return file, None


class Driver:
    """One run from the command line: progress, checkpoints, a clean stop, and the result at the end."""

    def __init__(
        self,
        simulation: Simulation,
        subject: str,
        record: Path | None,
        rest: Path,
        checkpoint_every: float | None,
        as_json: bool,
        quiet: bool,
        said: list[str],
    ) -> None:
        self.simulation = simulation
        self.subject = subject
        self.record = record
        self.rest = rest
        """What `windrow resume` is to be given when the run is stopped."""
        self.checkpoint_every = checkpoint_every
        self.as_json = as_json
        self.quiet = quiet
        self.said = said
        self.stopping = Stopping(quiet)
        self._frozen = 0

    def go(self, append: bool = False) -> None:
        """Runs to the planned end, or to where the user stops it; exits with the code that belongs to it."""
        from windrow.sim.run import run as run_simulation

        simulation = self.simulation
        begin = perf_counter()
        with self.stopping:
            summary = run_simulation(
                simulation,
                seconds=steps_left(simulation) * simulation.solver.dt,
                record=self.record,
                progress=self._progress(),
                append=append,
                on_step=self._after_step,
                checkpoint_every=self.checkpoint_every,
            )
            if summary.interrupted and self.record is None:
                simulation.save(self.rest)
        self._conclude(summary, perf_counter() - begin)
        if summary.interrupted:
            if not self.quiet:
                tell(f"stopped at {simulation.time:.4g} s of {simulation.scene.run.seconds:.4g} s")
                tell(f"continue with: windrow resume {self.rest}")
            raise typer.Exit(self.stopping.exit_code)

    def _after_step(self, simulation: Simulation) -> None:
        report = simulation.last_report
        if report is not None and report.frozen > self._frozen:
            self._frozen = report.frozen
            who = "1 grain is" if report.frozen == 1 else f"{report.frozen} grains are"
            text = (
                f"{who} held in place since step {report.step}: numbers were no longer finite. The run "
                "goes on; a smaller dt or a softer material may avoid it."
            )
            self.said.append(text)
            warn(text)
        self.stopping.heed()

    def _progress(self) -> bool:
        return not self.quiet and (sys.stderr.isatty() or not self.as_json)

    def _conclude(self, summary: RunSummary, wall: float) -> None:
        if self.quiet and not self.as_json:
            return
        result = result_of(self.simulation, summary, self.subject, self.record, wall, self.said)
        typer.echo(json.dumps(result, allow_nan=False) if self.as_json else result_text(result))
