"""The loop around the step: frames when they are due, checkpoints, progress, and a summary at the end."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from time import perf_counter
from types import FrameType
from typing import TYPE_CHECKING, Any

from windrow.errors import FileFormatError, SceneError
from windrow.kernel import compiling
from windrow.record.checkpoint import Mark
from windrow.record.recorder import Recorder
from windrow.scene.files import scene_to_json

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation

CHECKPOINT_EVERY = 10.0
"""Wall seconds between checkpoints beside a recording: what a kill can cost."""


@dataclass
class RunSummary:
    """What a run came to."""

    simulated: float
    """s"""
    wall: float
    """s, without compiling"""
    real_time_factor: float
    """simulated seconds per wall second"""
    steps: int
    particles: int
    contacts: int
    frozen: int
    frames: int
    interrupted: bool
    seconds: dict[str, float]
    """wall time by phase, s"""
    ledger: dict[str, float]
    overlap_peak: float | None = None
    """deepest overlap in any substep over the smaller radius; none where the solver does not watch it"""
    frozen_bodies: int = 0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class _Interrupts:
    """Ctrl-C waits for the end of the step: inside of one the state is neither before nor after it.

    Somebody else's handler is left alone.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> _Interrupts:
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


class Progress:
    """What the loop tells while it runs; the base class says nothing."""

    def begin(self, seconds: float) -> None: ...
    def compiling(self, kernel: str) -> None: ...
    def advance(self, simulation: Simulation, wall: float) -> None: ...
    def end(self) -> None: ...


def run(
    simulation: Simulation,
    seconds: float | None = None,
    record: str | os.PathLike[str] | None = None,
    progress: bool | Progress = False,
    frame_rate: float | None = None,
    append: bool = False,
    on_step: Callable[[Simulation], None] | None = None,
    checkpoint_every: float | None = None,
) -> RunSummary:
    """Runs for `seconds` of simulated time.

    With `record`, frames are written there, and a checkpoint beside it with the first one, every few (wall) seconds and
    at the end, also when the run is interrupted: `windrow resume` or `Simulation.load` continues from it. With
    `append`, they are added to the recording whose checkpoint the simulation was loaded from.
    """
    seconds = simulation.scene.run.seconds if seconds is None else seconds
    frame_rate = _rate(simulation, frame_rate)
    if not seconds >= 0:
        raise SceneError(f"seconds: {seconds} given; 0 or more is needed")
    show = progress if isinstance(progress, Progress) else (_bar() if progress else Progress())
    every = CHECKPOINT_EVERY if checkpoint_every is None else checkpoint_every
    steps = round(seconds / simulation.solver.dt)
    begin_time = simulation.time
    phases: dict[str, float] = {}
    wall = 0.0
    compiled = False
    interrupted = False
    frames = 0
    peak: float | None = None

    def note(kernel: str) -> None:
        nonlocal compiled
        compiled = True
        show.compiling(kernel)

    show.begin(seconds)
    with contextlib.ExitStack() as stack:
        interrupts = stack.enter_context(_Interrupts())
        stack.callback(show.end)
        recorder = None
        if record is not None:
            recorder = stack.enter_context(
                Recorder(
                    record,
                    _scene_run(simulation),
                    frame_rate,
                    append=append,
                    mark=_mark_of(simulation, record) if append else None,
                )
            )
            if append:
                # the planned end may be another one now
                recorder.checkpoint(simulation.snapshot())
            else:
                recorder.write(simulation.frame(), simulation.snapshot())
                frames += 1
        saved = perf_counter()
        try:
            for _ in range(steps):
                compiled = False
                begin = perf_counter()
                with compiling(note):
                    report = simulation.step()
                if not compiled:
                    wall += perf_counter() - begin
                for phase, spent in report.seconds.items():
                    phases[phase] = phases.get(phase, 0.0) + (0.0 if compiled else spent)
                if "overlap_peak" in report.notes:
                    peak = max(peak or 0.0, float(report.notes["overlap_peak"]))
                if recorder is not None and _due(simulation.time, simulation.solver.dt, frame_rate):
                    recorder.write(simulation.frame())
                    frames += 1
                if recorder is not None and perf_counter() - saved >= every:
                    recorder.checkpoint(simulation.snapshot())
                    saved = perf_counter()
                if on_step is not None:
                    on_step(simulation)
                show.advance(simulation, wall)
                if interrupts.asked:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            interrupted = True
        if recorder is not None:
            recorder.checkpoint(simulation.snapshot())
    simulated = simulation.time - begin_time
    report_ = simulation.last_report
    return RunSummary(
        simulated=simulated,
        wall=wall,
        real_time_factor=simulated / wall if wall > 0 else 0.0,
        steps=simulation.state.step,
        particles=simulation.state.count,
        contacts=report_.contacts if report_ else 0,
        frozen=report_.frozen if report_ else 0,
        frames=frames,
        interrupted=interrupted,
        seconds=phases,
        ledger=simulation.ledger,
        overlap_peak=peak,
        frozen_bodies=report_.frozen_bodies if report_ else 0,
    )


def _mark_of(simulation: Simulation, record: str | os.PathLike[str]) -> Mark:
    if simulation.mark is None:
        raise FileFormatError(
            f"{record}: the snapshot that is continued from is no checkpoint of a recording; continue into a new one "
            "with --out FILE"
        )
    return simulation.mark


@contextlib.contextmanager
def recorded(
    simulation: Simulation, path: str | os.PathLike[str], frame_rate: float | None = None
) -> Iterator[Recorder]:
    """Writes a frame now, and one whenever it is due, of a simulation that somebody steps; see `Simulation.record`."""
    rate = _rate(simulation, frame_rate)
    with Recorder(path, _scene_run(simulation), rate) as recorder:
        recorder.write(simulation.frame())

        def look(at: Simulation) -> None:
            if _due(at.time, at.solver.dt, rate):
                recorder.write(at.frame())

        simulation._recordings.append(look)
        try:
            yield recorder
        finally:
            simulation._recordings.remove(look)


def _rate(simulation: Simulation, frame_rate: float | None) -> float:
    rate = simulation.scene.run.frame_rate if frame_rate is None else frame_rate
    if not rate > 0:
        raise SceneError(f"frame_rate: {rate} given; more than 0 is needed")
    return rate


def _scene_run(simulation: Simulation) -> str:
    """The scene as JSON, with the solver that computes it, which may be another than its own."""
    scene = simulation.scene.model_copy(update={"solver": simulation.solver})
    scene._base_dir = simulation.scene._base_dir
    return scene_to_json(scene)


def _due(time: float, dt: float, frame_rate: float) -> bool:
    """Whether a frame boundary lies within the step that ended at `time`."""
    return int((time + 1e-9) * frame_rate) > int((time - dt + 1e-9) * frame_rate)


def _bar() -> Progress:
    from windrow.sim.progress import Bar

    return Bar()


def frames_of(simulation: Simulation, seconds: float, frame_rate: float) -> Iterator[Simulation]:
    """Steps the simulation and yields it at every frame that is due."""
    for _ in range(round(seconds / simulation.solver.dt)):
        simulation.step()
        if _due(simulation.time, simulation.solver.dt, frame_rate):
            yield simulation
