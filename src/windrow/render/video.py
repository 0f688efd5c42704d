"""Films: one picture after the other into an MP4 file that every player opens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, WindrowError
from windrow.files import replacing
from windrow.render.camera import joined
from windrow.render.colors import check_color_name, color_limits
from windrow.render.paths import CameraPath
from windrow.render.picture import Stage, check_size, check_target
from windrow.scene.settings import Camera

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.state.frame import Frame

LOOKED_AT = 12
"""Frames looked at before filming, to choose a camera and a colour scale that serve the whole film."""
QUALITY = 18
"""Constant rate factor of H.264: 0 is lossless, 51 the worst; 18 hides its losses."""


@runtime_checkable
class Shelf(Protocol):
    """Frames that can be taken in any order, such as a list or a recording."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int, /) -> Frame: ...
    def __iter__(self) -> Iterator[Frame]: ...


def write_video(
    frames: Iterable[Frame],
    scene: Scene,
    path: str | Path,
    fps: float = 30.0,
    size: tuple[int, int] = (1280, 720),
    progress: Callable[[int], None] | None = None,
    *,
    camera: Camera | CameraPath | None = None,
    color_by: str = "material",
    supersample: int = 2,
    limits: tuple[float, float] | None = None,
    walls: bool = False,
) -> int:
    """Films the frames to an MP4 file (H.264) and returns how many there were.

    Odd sizes lose one pixel, as the format asks for even ones. Camera and colour scale stay the same
    throughout: they are chosen from a dozen frames spread over a sequence, or from the first of a stream
    that can be read only once; a camera path is followed by simulated time. `progress` is called with the
    number of frames done. An unfinished film never
    appears under the given name.
    """
    path = Path(path)
    check_target(path, (".mp4",), "film")
    check_color_name(color_by)
    width, height = film_size(size, supersample, fps)
    first, frames = _ahead(frames)
    stage = Stage(scene)
    subject = joined([stage.subject(frame) for frame in first])
    fixed = camera if isinstance(camera, Camera) else stage.camera(subject, (width, height))
    if limits is None:
        limits = _limits(first, color_by)

    def pictures() -> Iterator[NDArray[np.uint8]]:
        around = subject
        for frame in frames:
            around = joined([around, stage.subject(frame)])
            here = camera.at(frame.time) if isinstance(camera, CameraPath) else fixed
            yield stage.draw(frame, here, (width, height), color_by, supersample, limits, walls=walls, subject=around)

    return write_film(pictures(), path, fps, (width, height), progress)


def film_size(size: tuple[int, int], supersample: int, fps: float) -> tuple[int, int]:
    """Width and height of a film, which are even; refuses what cannot be filmed."""
    width, height = check_size(size, supersample)
    width, height = width - width % 2, height - height % 2
    if width == 0 or height == 0:
        raise SceneError(f"film size {size[0]} x {size[1]}: each side must be at least 2 pixels")
    if not 0.0 < fps <= 1000.0:
        raise SceneError(f"film rate {fps:g} frames per second: use a number above 0, at most 1000")
    return width, height


def write_film(
    pictures: Iterable[NDArray[np.uint8]],
    path: str | Path,
    fps: float,
    size: tuple[int, int],
    progress: Callable[[int], None] | None = None,
) -> int:
    """Writes pictures of one even size as a film and returns how many there were."""
    import imageio_ffmpeg

    path, done = Path(path), 0
    with replacing(path, path.suffix) as part:
        writer = imageio_ffmpeg.write_frames(
            str(part),
            size,
            fps=fps,
            codec="libx264",
            pix_fmt_in="rgb24",
            pix_fmt_out="yuv420p",
            quality=None,
            macro_block_size=2,
            ffmpeg_log_level="error",
            output_params=["-crf", str(QUALITY), "-preset", "veryfast", "-movflags", "+faststart"],
        )
        try:
            writer.send(None)
            for image in pictures:
                writer.send(np.ascontiguousarray(image))
                done += 1
                if progress is not None:
                    progress(done)
        finally:
            writer.close()
        if not part.is_file():
            raise WindrowError(f"{path}: the encoder stopped after {done} frames; is the disk full?")
    return done


def _ahead(frames: Iterable[Frame]) -> tuple[list[Frame], Iterable[Frame]]:
    """Some frames to plan the film by, and all of them."""
    rest: Iterable[Frame] = frames
    if isinstance(frames, Shelf):
        chosen = np.linspace(0, len(frames) - 1, min(LOOKED_AT, len(frames))).astype(int)
        some = [frames[int(k)] for k in chosen]
    else:
        iterator = iter(frames)
        some = list(islice(iterator, 1))
        rest = chain(some, iterator)
    if not some:
        raise SceneError("no frames to film; record a run first, or choose a time span that holds some")
    return some, rest


def _limits(frames: list[Frame], color_by: str) -> tuple[float, float] | None:
    found = [limits for frame in frames if (limits := color_limits(frame, color_by)) is not None]
    return (min(low for low, _ in found), max(high for _, high in found)) if found else None
