"""`windrow plot` and `windrow render`: what a run looked like, in curves and in pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from windrow.cli.console import bar, compiling_told, tell, warnings_told
from windrow.cli.options import Quiet, Threads, check_at_least, check_folder, picture_size
from windrow.errors import SceneError, unknown_name

if TYPE_CHECKING:
    from windrow.record.recording import Recording
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame

SCENE_FILES = (".toml", ".yaml", ".yml", ".json")
FILM = ".mp4"
PLOTS = ("series", "profile", "timings")


def plot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording; it may still be growing.")],
    what: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="series: size, energy, contacts and overlap over time; profile: heap and angle of repose; "
            "timings: wall time of a step by phase.",
        ),
    ] = "series",
    time: Annotated[float | None, typer.Option(metavar="T", help="Moment of a profile, s.")] = None,
    frame: Annotated[
        int | None,
        typer.Option(metavar="K", help="Frame of a profile, from 0; -1 is the last, and the default."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Or .pdf, .svg; NAME_KIND.png beside FILE if left out.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Draw curves of a recording."""
    if what not in PLOTS:
        raise SceneError(f"--what: {unknown_name('plot', what, PLOTS)}")
    if what != "profile" and (time is not None or frame is not None):
        raise SceneError(f"--time and --frame choose the moment of a profile; leave them out for {what!r}")
    _check_moment(time, frame)
    target = out if out is not None else default_target(str(file), what)
    check_folder(target)
    from windrow.record.recording import Recording

    with Recording(file) as recording, warnings_told(), compiling_told(quiet):
        from windrow.measure.plots import MOST_FRAMES, plot_profile, plot_series, plot_timings

        if what == "series":
            with bar("measuring frames", min(len(recording), MOST_FRAMES), quiet) as done:
                plot_series(recording, target, progress=done)
        elif what == "profile":
            plot_profile(recording[chosen_frame(recording, time, frame)], target)
        else:
            plot_timings(recording, target)
    if not quiet:
        tell(f"wrote {target}")


def render(
    source: Annotated[
        str, typer.Argument(metavar="FILE|SCENE", help="Recording, snapshot, scene file or built-in scene.")
    ],
    time: Annotated[
        float | None,
        typer.Option(metavar="T", help="Moment, s; a scene is simulated up to there."),
    ] = None,
    frame: Annotated[
        int | None, typer.Option(metavar="K", help="Number of the frame, from 0; -1 is the last.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PNG|MP4", help="Picture, or film of all frames; NAME_picture.png if left out."),
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels.")] = "1280x720",
    color_by: Annotated[str, typer.Option(help="material, speed, force, id or height.")] = "material",
    fps: Annotated[
        float | None, typer.Option(metavar="HZ", help="Frames per second of a film; real time if left out.")
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Draw a frame of a recording, or a scene, as a picture; or a whole recording as a film."""
    _check_moment(time, frame)
    check_at_least("--threads", threads, 1)
    pixels = picture_size(size)
    target = out if out is not None else default_target(source, "picture")
    check_folder(target)
    with warnings_told(), compiling_told(quiet):
        if threads is not None:
            from windrow.kernel import use_threads

            use_threads(threads)
        if target.suffix.lower() == FILM:
            _film(source, time, frame, target, pixels, color_by, fps, quiet)
        else:
            _picture(source, time, frame, target, pixels, color_by, threads, quiet)
    if not quiet:
        tell(f"wrote {target}")


def _check_moment(time: float | None, frame: int | None) -> None:
    if time is not None and frame is not None:
        raise SceneError(f"--time {time:g} and --frame {frame}: give one of them")
    check_at_least("--time", time, 0)


def default_target(source: str, suffix: str) -> Path:
    """Beside a file, or in the working directory for a built-in scene."""
    path = Path(source)
    return path.with_name(f"{path.stem}_{suffix}.png")


def names_scene(source: str) -> bool:
    """Whether a word on the command line means a scene rather than a file with frames."""
    path = Path(source)
    return path.suffix.lower() in SCENE_FILES or (not path.suffix and not path.exists())


def chosen_frame(recording: Recording, time: float | None, frame: int | None) -> int:
    """Index of the frame asked for, the last one if nothing was."""
    count = len(recording)
    if frame is not None and not -count <= frame < count:
        raise SceneError(f"--frame {frame}: {recording.path} has frames 0 to {count - 1}")
    if frame is not None:
        return frame
    if time is None:
        return count - 1
    first, last = float(recording.times[0]), float(recording.times[-1])
    slack = 0.5 * (last - first) / max(count - 1, 1) + 1e-9
    if not first - slack <= time <= last + slack:
        raise SceneError(f"--time {time:g}: {recording.path} goes from {first:.4g} s to {last:.4g} s")
    return recording.index_at(time)


def _picture(
    source: str,
    time: float | None,
    frame: int | None,
    target: Path,
    pixels: tuple[int, int],
    color_by: str,
    threads: int | None,
    quiet: bool,
) -> None:
    from windrow.render.colors import COLOR_NAMES
    from windrow.render.picture import FORMATS, check_size, check_target, draw, save_picture

    check_target(target, (*FORMATS, FILM), "picture or film")
    if color_by not in COLOR_NAMES:
        raise SceneError(f"--color-by: {unknown_name('colouring', color_by, COLOR_NAMES)}")
    check_size(pixels, 1)
    shown, scene = _shown(source, time, frame, threads, quiet)
    save_picture(target, draw(shown, scene, size=pixels, color_by=color_by))


def _shown(
    source: str, time: float | None, frame: int | None, threads: int | None, quiet: bool
) -> tuple[Frame, Scene]:
    """The frame to draw, and the scene it belongs to."""
    from windrow.record.container import SNAPSHOT, mark_of
    from windrow.record.recording import Recording

    if names_scene(source):
        if frame is not None:
            raise SceneError(
                f"--frame {frame}: {source} is a scene without frames; use --time, or record it first"
            )
        return _simulated(source, time or 0.0, threads, quiet)
    if mark_of(Path(source)) == SNAPSHOT:
        from windrow.sim.simulation import Simulation

        if time is not None or frame is not None:
            raise SceneError(f"{source}: a snapshot is one moment; leave out --time and --frame")
        simulation = Simulation.load(source, threads=threads)
        return simulation.frame(), simulation.scene
    with Recording(source) as recording:
        return recording[chosen_frame(recording, time, frame)], recording.scene


def _simulated(name: str, time: float, threads: int | None, quiet: bool) -> tuple[Frame, Scene]:
    from windrow.cli.running import plan
    from windrow.scene.files import load_scene
    from windrow.sim.simulation import Simulation

    scene = load_scene(name)
    plan(scene, time, None)
    simulation = Simulation(scene, threads=threads)
    if time > 0:
        simulation.run(time, progress=not quiet)
    return simulation.frame(), simulation.scene


def _film(
    source: str,
    time: float | None,
    frame: int | None,
    target: Path,
    pixels: tuple[int, int],
    color_by: str,
    fps: float | None,
    quiet: bool,
) -> None:
    from windrow.record.recording import Recording
    from windrow.render.video import write_video

    if time is not None or frame is not None:
        raise SceneError(f"{target}: a film shows all frames; leave out --time and --frame, or write a .png")
    if names_scene(source):
        raise SceneError(
            f"{target}: a film is made of a recording, and {source} is a scene; first "
            f"`windrow run {source} --out {target.with_suffix('.h5')}`"
        )
    with Recording(source) as recording:
        rate = fps if fps is not None else (recording.frame_rate or 30.0)
        with bar("drawing frames", len(recording), quiet) as done:
            write_video(
                recording, recording.scene, target, fps=rate, size=pixels, progress=done, color_by=color_by
            )
