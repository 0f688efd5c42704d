"""A run of LAMMPS beside the recording that it becomes: FILE.h5.lammps holds the deck, frames and restart files.

The recording is written as a whole when LAMMPS has ended, also when it was stopped. The folder goes when the planned
end is reached; until then `windrow resume FILE.h5` continues from LAMMPS' newest restart file.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windrow.errors import FileFormatError, SceneError
from windrow.files import replacing, write_text
from windrow.lammps.deck import Deck, deck_of, write_deck
from windrow.lammps.driving import Process
from windrow.lammps.dump import FrameMaker, read_grains
from windrow.record.checkpoint import checkpoint_path
from windrow.record.claim import Claim
from windrow.record.container import RECORDING, SNAPSHOT, check_replaceable, mark_of
from windrow.record.recorder import Recorder
from windrow.scene.files import load_scene, scene_to_json
from windrow.sim.simulation import Simulation
from windrow.state.frame import Frame

if TYPE_CHECKING:
    from windrow.scene.scene import Scene

NAME = "run"
"""of the deck in the folder"""
KEPT = 2
"""restart files; the last may be half written when the machine stops"""


def folder_of(out: Path) -> Path:
    """Where the run of a recording works."""
    return out.with_name(f"{out.name}.lammps")


def is_begun(out: Path) -> bool:
    """Whether a run of LAMMPS waits to be continued into this recording."""
    with contextlib.suppress(OSError, ValueError):
        return bool(_notes(folder_of(out))["state"] != "failed")
    return False


def _notes(folder: Path) -> dict[str, Any]:
    notes: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return notes


class LammpsRun:
    """A run that can be driven, stopped and continued; a context manager that holds the right to write `out`."""

    def __init__(self, out: Path, simulation: Simulation, notes: dict[str, Any]) -> None:
        self.out = out
        self.folder = folder_of(out)
        self.simulation = simulation
        self.notes = notes
        check_replaceable(out, RECORDING)
        self._claim = Claim(out)

    @classmethod
    def begin(
        cls, simulation: Simulation, out: Path, command: list[str], ranks: int | None, approximate: bool
    ) -> LammpsRun:
        """A new run; refuses to replace one that waits to be continued."""
        deck = deck_of(simulation, NAME, approximate)
        folder = folder_of(out)
        if is_begun(out):
            raise SceneError(f"{folder}: is a run that was stopped; continue with `windrow resume {out}`, or delete it")
        if folder.exists() and not (folder / "run.json").is_file():
            raise SceneError(f"{folder}: is in the way; move it, or choose another --out")
        run = cls(out, simulation, _new_notes(deck, command, ranks))
        try:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            scene = simulation.scene.model_copy(update={"solver": simulation.solver})
            write_text(folder / "scene.json", scene_to_json(scene))
            write_deck(deck, folder / f"{NAME}.in")
            run._note("running")
        except BaseException:
            run.close()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return run

    @classmethod
    def continued(cls, out: Path, threads: int | None = None) -> LammpsRun:
        """The run that was stopped or killed."""
        folder = folder_of(out)
        try:
            notes = _notes(folder)
            simulation = Simulation(load_scene(str(folder / "scene.json")), threads=threads)
        except (OSError, ValueError, KeyError) as error:
            raise FileFormatError(f"{folder}: cannot be continued ({error}); delete it, run the scene again") from None
        return cls(out, simulation, notes)

    @property
    def steps(self) -> int:
        """Of the whole run."""
        return int(self.notes["steps"])

    def go(self, on_step: Callable[[int], None], heed: Callable[[], None]) -> bool:
        """Runs LAMMPS to the planned end, True, or to where `heed` raises KeyboardInterrupt, False."""
        words = ["-in", f"{NAME}.in", "-log", f"{NAME}.log", "-nocite", "-var", "dump", "frame.*.dump"]
        restart = self._restart()
        if restart is not None:
            words += ["-var", "restart", restart.name]
        self._note("running")

        def note(step: int) -> None:
            self._prune()
            on_step(step)

        stop = self.folder / f"{NAME}.stop"
        stop.unlink(missing_ok=True)
        try:
            process = Process([*self.notes["command"], *words], self.folder, self.notes["ranks"])
            whole = process.watch(note, heed, stop)
        except Exception:
            self._note("failed")
            raise
        if process.clean:
            self._note("stopped")
        return whole

    def record(self) -> tuple[int, Frame]:
        """Writes all frames there are as the recording; returns their number, and the last one."""
        scene: Scene = self.simulation.scene.model_copy(update={"solver": self.simulation.solver})
        maker = FrameMaker(self.simulation.scene, self.simulation.frame(), float(self.notes["step"]))
        files = sorted(self.folder.glob("frame.*.dump"), key=_step_of)
        last = maker.start
        with replacing(self.out) as partial:
            with Recorder(partial, scene_to_json(scene), scene.run.frame_rate) as recorder:
                for k, file in enumerate(files):
                    try:
                        last = maker.frame(read_grains(file))
                    except FileFormatError:
                        if k + 1 < len(files):
                            raise
                        break  # LAMMPS was killed while it wrote it
                    recorder.write(last)
                many = recorder.frames
            if many == 0:
                raise FileFormatError(f"{self.folder}: LAMMPS has written no frame; run the scene again")
        stale = checkpoint_path(self.out)
        if stale.exists() and mark_of(stale) == SNAPSHOT:
            stale.unlink()
        return many, last

    def finish(self) -> None:
        """Takes the folder away, when all of it is in the recording."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        self._claim.release()

    def __enter__(self) -> LammpsRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, state: str) -> None:
        self.notes["state"] = state
        write_text(self.folder / "run.json", json.dumps(self.notes))

    def _restart(self) -> Path | None:
        """The newest restart file that is whole: after a kill the last one may be half written."""
        files = sorted(self.folder.glob(f"{NAME}.*.restart"), key=_step_of)
        if not files:
            return None
        return files[-1] if self.notes["state"] == "stopped" or len(files) == 1 else files[-2]

    def _prune(self) -> None:
        for old in sorted(self.folder.glob(f"{NAME}.*.restart"), key=_step_of)[:-KEPT]:
            old.unlink(missing_ok=True)


def _new_notes(deck: Deck, command: list[str], ranks: int | None) -> dict[str, Any]:
    return {
        "state": "new",
        "steps": deck.steps,
        "step": deck.step,
        "command": command,
        "ranks": ranks,
        "approximations": deck.approximations,
    }


def _step_of(path: Path) -> int:
    found = re.search(r"\.(\d+)\.\w+$", path.name)
    return int(found[1]) if found else -1
