"""The simulation at one moment: for what recordings do not hold, the forces at contacts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from windrow.errors import SceneError

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation

SCENE_FILES = (".toml", ".yaml", ".yml", ".json")


def names_scene(source: str) -> bool:
    """Whether a word on the command line means a scene rather than a file with frames."""
    path = Path(source)
    return path.suffix.lower() in SCENE_FILES or (not path.suffix and not path.exists())


def simulation_at(
    source: str, time: float | None, frame: int | None, threads: int | None, quiet: bool
) -> Simulation:
    """A scene run up to a time, or to its end; a snapshot; or the checkpoint beside a recording."""
    from windrow.record.container import SNAPSHOT, mark_of

    if names_scene(source):
        return simulated(source, time, frame, threads, quiet)
    if mark_of(Path(source)) == SNAPSHOT:
        return loaded(source, time, frame, threads)
    return _beside(source, time, frame, threads)


def simulated(
    name: str, time: float | None, frame: int | None, threads: int | None, quiet: bool
) -> Simulation:
    """A scene, run up to a time, or to its end."""
    from windrow.cli.running import plan
    from windrow.scene.files import load_scene
    from windrow.sim.simulation import Simulation

    if frame is not None:
        raise SceneError(f"--frame {frame}: {name} is a scene without frames; use --time, or record it first")
    scene = load_scene(name)
    plan(scene, time, None)
    simulation = Simulation(scene, threads=threads)
    if scene.run.seconds > 0:
        simulation.run(scene.run.seconds, progress=not quiet)
    return simulation


def loaded(file: str | Path, time: float | None, frame: int | None, threads: int | None) -> Simulation:
    """A snapshot."""
    from windrow.sim.simulation import Simulation

    if time is not None or frame is not None:
        raise SceneError(f"{file}: a snapshot is one moment; leave out --time and --frame")
    return Simulation.load(file, threads=threads)


def _beside(file: str, time: float | None, frame: int | None, threads: int | None) -> Simulation:
    """The checkpoint that belongs to a recording."""
    from windrow.record.checkpoint import checkpoint_path
    from windrow.record.recording import Recording

    with Recording(file) as recording:
        scene = recording.scene.title or "SCENE"
    beside = checkpoint_path(file)
    why = f"{file}: recordings hold no contact forces"
    if time is not None or frame is not None:
        raise SceneError(
            f"{why}, only the checkpoint of their end does; leave out --time and --frame, or name the scene"
            f" ({scene}) and --time"
        )
    if not beside.exists():
        raise SceneError(
            f"{why}, and its checkpoint {beside} is not there; name the scene ({scene}), or a snapshot"
        )
    return loaded(beside, None, None, threads)
