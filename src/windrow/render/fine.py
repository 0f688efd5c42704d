"""Pictures and films of fine grains: with the obstacles, bodies, ground and coarse grains of their run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.detail.detail import Detail
from windrow.detail.file import DetailFile, FineFrame
from windrow.detail.kernels import SHADES
from windrow.detail.looks import Looks, looks_of
from windrow.detail.making import rest_of
from windrow.detail.packing import STEPS, pack, room_for
from windrow.fixed_math import power
from windrow.render.annotate import annotated
from windrow.render.camera import Box, PixelRays, joined, pinhole, subject_box
from windrow.render.colors import grain_colors, linear, material_color
from windrow.render.paths import CameraPath
from windrow.render.picture import Stage, check_size, check_target, links_drawn
from windrow.render.splat import Balls, seen_balls
from windrow.render.video import film_size, write_film
from windrow.scene.scene import Scene
from windrow.scene.settings import Camera

LOOKED_AT = 12


class FineStage:
    """A scene with fine grains made ready to be drawn again and again."""

    def __init__(self, scene: Scene, looks: Looks, mean_radius: float, materials: list[str]) -> None:
        self.stage = Stage(scene)
        self.sizes = (mean_radius * looks.size_table()).astype(np.float32)
        tables = [
            looks.color_table(material_color(self.stage.scene, name, k)) for k, name in enumerate(materials)
        ] or [np.zeros((SHADES, 3), np.float32)]
        self.colors = linear(np.stack(tables)).astype(np.float32)
        """(materials, SHADES, 3) linear"""

    def subject(self, fine: FineFrame) -> Box:
        """What a picture should show: the grains but the few that flew off, and bodies near them."""
        box = fine.packed.box.astype(np.float64)
        boxes = [self.stage.subject(fine.frame)] if len(fine.frame.id) else []
        if fine.there:
            middle = box[:, :3] + 0.5 * float(STEPS) * box[:, 3:]
            low, high = np.percentile(middle, [0.5, 99.5], axis=0)
            more = 0.05 * (high - low) + 2.0 * float(self.sizes[-1])
            lower, upper = middle.min(axis=0), middle.max(axis=0)
            boxes.append((np.maximum(low - more, lower), np.minimum(high + more, upper)))
        if not boxes:
            return self.stage.subject(fine.frame)
        return subject_box(joined(boxes), self.stage.boxes(fine.frame))

    def draw(
        self,
        fine: FineFrame,
        camera: Camera | None = None,
        size: tuple[int, int] = (1280, 720),
        supersample: int = 2,
        captions: bool = True,
        walls: bool = False,
        subject: Box | None = None,
    ) -> NDArray[np.uint8]:
        """A picture (height, width, 3); see `picture.draw`."""
        check_size(size, supersample)
        if subject is None:
            subject = self.subject(fine)
        if camera is None:
            camera = self.stage.camera(subject, size)
        color, legend = grain_colors(fine.frame, self.stage.scene, "material")
        coarse = Balls(*links_drawn(fine.frame, self.stage.links, color))

        def seen(view: PixelRays) -> Balls:
            balls = seen_balls(view, fine.packed, self.sizes, self.colors)
            pairs: Any = zip(coarse, balls, strict=True)
            return Balls(*(np.concatenate(two) for two in pairs))

        shown = seen(pinhole(camera, size[0] * supersample, size[1] * supersample))
        image, caption = self.stage.lit(
            fine.frame,
            camera,
            size,
            supersample,
            subject,
            walls,
            *shown,
            casters=lambda light: seen(light)[:2],
        )
        return annotated(image, f"{caption}     {fine.there:,} grains", legend) if captions else image


def stage_of(file: DetailFile) -> FineStage:
    """For the frames of a file."""
    mean = float(power(1.0 / file.header["each"], 1.0 / 3.0))
    return FineStage(file.scene, looks_of(file.header["looks"]), mean, file[0].frame.material_names)


def draw_detail(
    detail: Detail, camera: Camera | None = None, size: tuple[int, int] = (1280, 720), supersample: int = 2
) -> NDArray[np.uint8]:
    """A picture of fine grains as they are now, without a file: takes nine bytes more for each."""
    packed = room_for(detail.count)
    pack(detail.grains, 0, detail.count, packed)
    stage = FineStage(detail.scene, detail.looks, detail.mean_radius, detail.frame.material_names)
    return stage.draw(
        FineFrame(rest_of(detail.frame, detail), packed, len(detail)), camera, size, supersample
    )


def film_detail(
    file: DetailFile,
    path: str | Path,
    fps: float = 30.0,
    size: tuple[int, int] = (1280, 720),
    progress: Callable[[int], None] | None = None,
    *,
    camera: Camera | CameraPath | None = None,
    supersample: int = 2,
) -> int:
    """Films all frames of a file to MP4 and returns how many there were; a camera path is followed by simulated
    time."""
    check_target(Path(path), (".mp4",), "film")
    width, height = film_size(size, supersample, fps)
    stage = stage_of(file)
    chosen = np.unique(np.linspace(0, len(file) - 1, min(LOOKED_AT, len(file))).astype(int))
    subject = joined([stage.subject(file[int(k)]) for k in chosen])
    fixed = camera if isinstance(camera, Camera) else stage.stage.camera(subject, (width, height))
    pictures = (
        stage.draw(
            fine,
            camera.at(fine.frame.time) if isinstance(camera, CameraPath) else fixed,
            (width, height),
            supersample,
            subject=subject,
        )
        for fine in file
    )
    return write_film(pictures, path, fps, (width, height), progress)
