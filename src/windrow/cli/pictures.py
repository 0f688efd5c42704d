"""`windrow plot` and `windrow render`: what a run looked like, in curves and in pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from windrow.cli.console import bar, compiling_told, tell, warnings_told
from windrow.cli.fine_pictures import FILM, Shot, draw_fine
from windrow.cli.moments import loaded, names_scene, simulated, simulation_at
from windrow.cli.options import Quiet, Threads, check_at_least, check_folder, picture_size
from windrow.errors import SceneError, unknown_name

if TYPE_CHECKING:
    from windrow.record.recording import Recording
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame
PLOTS = ("series", "profile", "forces", "machine", "tool", "timings", "stress", "stress_map")
WITH_STRESS = ("stress", "stress_map")
"""Plots of what recordings do not hold."""


def plot(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A recording, which may still be growing; for stress also a snapshot or scene.",
        ),
    ],
    what: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="series: size, energy, contacts and overlap over time; profile: heap and angle of repose; "
            "forces: on obstacles and bodies over time; machine: controls, cylinders and motors over time; "
            "tool: force on a tool and its parts beside the earthmoving equation, its cut and its load; "
            "timings: wall time of a step by phase; "
            "stress: over height, with the weight above; stress_map: pressure in a slice.",
        ),
    ] = "series",
    time: Annotated[
        float | None,
        typer.Option(metavar="T", help="Moment of a profile, s; for stress, up to where a scene is run."),
    ] = None,
    frame: Annotated[
        int | None,
        typer.Option(metavar="K", help="Frame of a profile, from 0; -1 is the last, and the default."),
    ] = None,
    body: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Obstacle, body or tool whose forces are drawn; else those that move."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Or .pdf, .svg; NAME_KIND.png beside FILE if left out.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Draw curves of a recording."""
    if what not in PLOTS:
        raise SceneError(f"--what: {unknown_name('plot', what, PLOTS)}")
    if what not in ("profile", *WITH_STRESS) and (time is not None or frame is not None):
        raise SceneError(f"--time and --frame choose the moment of a profile; leave them out for {what!r}")
    if body and what not in ("forces", "tool"):
        raise SceneError(f"--body chooses whose forces are drawn; leave it out for {what!r}")
    _check_moment(time, frame)
    target = out if out is not None else default_target(str(file), what)
    check_folder(target)
    with warnings_told(), compiling_told(quiet):
        if what in WITH_STRESS:
            _plot_stress(str(file), what, time, frame, target, quiet)
        else:
            _plot_recording(file, what, time, frame, body or [], target, quiet)
    if not quiet:
        tell(f"wrote {target}")


def _plot_recording(
    file: Path, what: str, time: float | None, frame: int | None, bodies: list[str], target: Path, quiet: bool
) -> None:
    from windrow.record.recording import Recording

    with Recording(file) as recording:
        from windrow.measure.force_plots import plot_forces
        from windrow.measure.machine_plots import plot_machine
        from windrow.measure.plots import MOST_FRAMES, plot_profile, plot_series, plot_timings
        from windrow.measure.tool_plots import plot_tool

        if what == "series":
            with bar("measuring frames", min(len(recording), MOST_FRAMES), quiet) as done:
                plot_series(recording, target, progress=done)
        elif what == "profile":
            plot_profile(recording[chosen_frame(recording, time, frame)], target)
        elif what == "forces":
            plot_forces(recording, target, bodies)
        elif what == "machine":
            plot_machine(recording, target)
        elif what == "tool":
            plot_tool(recording, target, bodies[0] if bodies else None)
        else:
            plot_timings(recording, target)


def _plot_stress(
    source: str, what: str, time: float | None, frame: int | None, target: Path, quiet: bool
) -> None:
    from windrow.measure.plot_style import check_plot_target
    from windrow.measure.stress import StressCells, stress_field
    from windrow.measure.stress_plots import plot_stress_map, plot_stress_profile

    check_plot_target(target)
    simulation = simulation_at(source, time, frame, None, quiet)
    shown, contacts = simulation.frame(), simulation.contacts
    cells = StressCells.fitting(shown, layers=what == "stress")
    field = stress_field(shown, contacts, cells)
    if what == "stress":
        plot_stress_profile(field, target, simulation.scene.gravity)
    else:
        plot_stress_map(field, target)


def render(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|SCENE", help="Recording, file of fine grains, snapshot, scene file or built-in scene."
        ),
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
    chains: Annotated[
        bool,
        typer.Option(
            "--chains",
            help="Show the forces between grains, of a snapshot, of a scene run to --time or its end, or of "
            "the end of a recording.",
        ),
    ] = False,
    fps: Annotated[
        float | None, typer.Option(metavar="HZ", help="Frames per second of a film; real time if left out.")
    ] = None,
    camera: Annotated[
        Path | None,
        typer.Option(metavar="TOML", help="Where the camera is at which time, as tables [[camera]]; see the docs."),
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Draw a frame of a recording, or a scene, as a picture; or a whole recording as a film."""
    _check_moment(time, frame)
    if camera is not None and (chains or names_scene(source)):
        raise SceneError(f"--camera {camera}: goes with a recording or a file of fine grains")
    check_at_least("--threads", threads, 1)
    pixels = picture_size(size)
    target = out if out is not None else default_target(source, "chains" if chains else "picture")
    check_folder(target)
    with warnings_told(), compiling_told(quiet):
        from windrow.compiler import compile_parts

        compile_parts({"pictures"})
        if threads is not None:
            from windrow.team import TEAM

            TEAM.use(threads)
        from windrow.detail.file import is_detail_file
        from windrow.render.paths import read_camera_path

        shot = Shot(target, pixels, color_by, None if camera is None else read_camera_path(camera))
        if is_detail_file(source):
            compile_parts({"detail pictures"})
            draw_fine(source, time, frame, shot, fps, chains, quiet)
        elif chains:
            _chains(source, time, frame, target, pixels, color_by, threads, quiet)
        elif target.suffix.lower() == FILM:
            _film(source, time, frame, shot, fps, quiet)
        else:
            _picture(source, time, frame, shot, threads, quiet)
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
    source: str, time: float | None, frame: int | None, shot: Shot, threads: int | None, quiet: bool
) -> None:
    from windrow.render.colors import COLOR_NAMES
    from windrow.render.picture import FORMATS, check_size, check_target, draw, save_picture

    target, pixels, color_by, path = shot
    check_target(target, (*FORMATS, FILM), "picture or film")
    if color_by not in COLOR_NAMES:
        raise SceneError(f"--color-by: {unknown_name('colouring', color_by, COLOR_NAMES)}")
    check_size(pixels, 1)
    shown, scene = _shown(source, time, frame, threads, quiet)
    camera = None if path is None else path.at(shown.time)
    save_picture(target, draw(shown, scene, camera, size=pixels, color_by=color_by))


def _shown(
    source: str, time: float | None, frame: int | None, threads: int | None, quiet: bool
) -> tuple[Frame, Scene]:
    """The frame to draw, and the scene it belongs to."""
    from windrow.record.container import SNAPSHOT, mark_of
    from windrow.record.recording import Recording

    if names_scene(source):
        simulation = simulated(source, time or 0.0, frame, threads, quiet)
        return simulation.frame(), simulation.scene
    if mark_of(Path(source)) == SNAPSHOT:
        simulation = loaded(source, time, frame, threads)
        return simulation.frame(), simulation.scene
    with Recording(source) as recording:
        return recording[chosen_frame(recording, time, frame)], recording.scene


def _chains(
    source: str,
    time: float | None,
    frame: int | None,
    target: Path,
    pixels: tuple[int, int],
    color_by: str,
    threads: int | None,
    quiet: bool,
) -> None:
    from windrow.render.chains import draw_chains
    from windrow.render.picture import FORMATS, check_size, check_target, save_picture

    if color_by != "material":
        raise SceneError(f"--chains colours contacts by force; leave out --color-by {color_by}")
    if target.suffix.lower() == FILM:
        raise SceneError(f"{target}: --chains draws one moment; write a .png")
    check_target(target, FORMATS, "picture")
    check_size(pixels, 1)
    simulation = simulation_at(source, time, frame, threads, quiet)
    image = draw_chains(simulation.frame(), simulation.contacts, simulation.scene, size=pixels)
    save_picture(target, image)


def _film(
    source: str, time: float | None, frame: int | None, shot: Shot, fps: float | None, quiet: bool
) -> None:
    from windrow.record.recording import Recording
    from windrow.render.video import write_video

    target = shot.target
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
                recording, recording.scene, target, fps=rate, size=shot.pixels, progress=done, color_by=shot.color_by,
                camera=shot.path,
            )  # fmt: skip
