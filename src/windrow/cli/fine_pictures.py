"""`windrow render` of files of fine grains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from windrow.cli.console import bar
from windrow.errors import SceneError

if TYPE_CHECKING:
    from windrow.detail.file import DetailFile
    from windrow.render.paths import CameraPath

FILM = ".mp4"


class Shot(NamedTuple):
    """What a picture or film shall be."""

    target: Path
    pixels: tuple[int, int]
    color_by: str
    path: CameraPath | None
    """of the camera"""


def draw_fine(
    source: str,
    time: float | None,
    frame: int | None,
    shot: Shot,
    fps: float | None,
    chains: bool,
    quiet: bool,
) -> None:
    """A picture of a moment, or a film of all frames."""
    from windrow.detail.file import DetailFile
    from windrow.render.fine import film_detail, stage_of
    from windrow.render.picture import FORMATS, check_size, check_target, save_picture

    if chains or shot.color_by != "material":
        what = "--chains" if chains else f"--color-by {shot.color_by}"
        raise SceneError(f"{what}: fine grains carry no forces and have colours of their own; leave it out")
    check_target(shot.target, (*FORMATS, FILM), "picture or film")
    check_size(shot.pixels, 1)
    with DetailFile(source) as file:
        if len(file) == 0:
            raise SceneError(f"{source}: has no whole frame yet; let `windrow detail` go on")
        if shot.target.suffix.lower() != FILM:
            fine = file[_chosen(file, time, frame)]
            camera = None if shot.path is None else shot.path.at(fine.frame.time)
            save_picture(shot.target, stage_of(file).draw(fine, camera, shot.pixels))
            return
        if time is not None or frame is not None:
            raise SceneError(
                f"{shot.target}: a film shows all frames; leave out --time and --frame, or write a .png"
            )
        rate = fps if fps is not None else (file.header["frame_rate"] or 30.0)
        with bar("drawing frames", len(file), quiet) as done:
            film_detail(file, shot.target, rate, shot.pixels, done, camera=shot.path)


def _chosen(file: DetailFile, time: float | None, frame: int | None) -> int:
    """Index of the frame asked for, the last one if nothing was."""
    count = len(file)
    if frame is not None and not -count <= frame < count:
        raise SceneError(f"--frame {frame}: {file.path} has frames 0 to {count - 1}")
    if time is None:
        return count - 1 if frame is None else frame
    times = file.times
    slack = 0.5 * (times[-1] - times[0]) / max(count - 1, 1) + 1e-9
    if not times[0] - slack <= time <= times[-1] + slack:
        raise SceneError(f"--time {time:g}: {file.path} goes from {times[0]:.4g} s to {times[-1]:.4g} s")
    return int(abs(times - time).argmin())
