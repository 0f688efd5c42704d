"""One picture of one frame, and how it gets onto the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.files import replacing
from windrow.fixed_math import decade, dot, norm, rotate, unit
from windrow.render.annotate import annotated
from windrow.render.beds import bed_triangles
from windrow.render.camera import (
    UP,
    Box,
    PixelRays,
    automatic_camera,
    grains_box,
    joined,
    light_view,
    pinhole,
    subject_box,
    view_axes,
)
from windrow.render.colors import check_color_name, grain_colors
from windrow.render.liquid import liquid_in, liquid_surface
from windrow.render.planes import WorldPlane, level_quad, plane_axes, planes, side_panes
from windrow.render.raster import prepare_spheres, prepare_triangles, visible
from windrow.render.relief import relief_triangles, soil_colors
from windrow.render.shading import (
    Mood,
    Scenery,
    corner_weights,
    outline_scale,
    shaded,
    sun_of,
)
from windrow.render.shoes import belts_of, shoe_triangles
from windrow.render.surfaces import (
    NO_TRIANGLES,
    PosedTriangles,
    body_balls,
    posed,
    scene_surfaces,
    stacked,
    surface_boxes,
)
from windrow.render.targets import tint_of
from windrow.scene.digging import with_soil_materials
from windrow.scene.nets import Cloth, Rope, RopeLadder
from windrow.terrain.patches import Relief

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.scene.settings import Camera
    from windrow.state.frame import Frame

LARGEST_SIDE = 16384
LARGEST_SUPERSAMPLE = 4
SHADOW_SAMPLES = 2048
LINK_BEADS = 6
LINK_THICKNESS = 0.35
"""Radius of a drawn link as a share of the smaller radius of the grains it joins."""
Casters = Callable[[PixelRays], tuple[NDArray[np.float64], NDArray[np.float64]]]
FORMATS = (".png", ".jpg", ".jpeg", ".webp")


class Stage:
    """A scene made ready to be drawn again and again: its obstacles are triangulated once."""

    def __init__(self, scene: Scene) -> None:
        self.relief = None if scene.terrain is None else Relief(scene.terrain, scene.base_dir)
        """the ground, as the frame drawn last shows it"""
        self.tint = tint_of(scene)
        scene = with_soil_materials(scene).assembled()
        self.scene = scene
        self.surfaces = scene_surfaces(scene)
        self.balls = body_balls(scene)
        self.links = _link_ends(scene)
        self.belts = belts_of(scene)

    def subject(self, frame: Frame) -> Box:
        """Box in world axes around what a picture of this frame should show."""
        bodies = self.boxes(frame)
        grains = grains_box(frame)
        if self.relief is not None and grains is None and not bodies:
            self.relief.show(frame.ground)
            bodies.append(self.relief.box())
        return subject_box(grains, bodies)

    def boxes(self, frame: Frame) -> list[Box]:
        """Around obstacles, bodies and emitters."""
        bodies = surface_boxes(self.surfaces, frame)
        if len(self.balls.radius):
            place, reach = self.balls.positions(frame), self.balls.radius[:, None]
            bodies.append(((place - reach).min(axis=0), (place + reach).max(axis=0)))
        for emitter in self.scene.emitters:
            center = np.asarray(emitter.position, np.float64)
            bodies.append((center, center))
        return bodies

    def camera(self, subject: Box, size: tuple[int, int]) -> Camera:
        """The scene's own camera, or one that shows the whole box."""
        return self.scene.run.camera or automatic_camera(subject, size[0] / size[1])

    def draw(
        self,
        frame: Frame,
        camera: Camera | None = None,
        size: tuple[int, int] = (1280, 720),
        color_by: str = "material",
        supersample: int = 2,
        limits: tuple[float, float] | None = None,
        captions: bool = True,
        walls: bool = False,
        subject: Box | None = None,
    ) -> NDArray[np.uint8]:
        """See `draw`; `subject` keeps grid, light and fading the same from frame to frame."""
        check_color_name(color_by)
        check_size(size, supersample)
        if subject is None:
            subject = self.subject(frame)
        if camera is None:
            camera = self.camera(subject, size)
        grain_color, legend = grain_colors(frame, self.scene, color_by, limits)
        if self.scene.solver.liquid:
            wet = liquid_in(frame, self.scene)
            water = liquid_surface(frame.position[wet], frame.radius[wet], grain_color[wet])
            balls = frame.position[~wet].astype(np.float64), frame.radius[~wet].astype(np.float64), grain_color[~wet]
            image, caption = self.lit(frame, camera, size, supersample, subject, walls, *balls, water)
        else:
            balls = links_drawn(frame, self.links, grain_color)
            image, caption = self.lit(frame, camera, size, supersample, subject, walls, *balls)
        return annotated(image, caption, legend) if captions else image

    def lit(
        self,
        frame: Frame,
        camera: Camera,
        size: tuple[int, int],
        supersample: int,
        subject: Box,
        walls: bool,
        position: NDArray[np.float64],
        radius: NDArray[np.float64],
        color: NDArray[np.float32],
        more: PosedTriangles = NO_TRIANGLES,
        casters: Casters | None = None,
    ) -> tuple[NDArray[np.uint8], str]:
        """Picture of the obstacles of a frame with these balls (linear colours) and more triangles, and a caption.

        casters: places and radii of the balls that cast shadows, for the light's view; none: those that are drawn.
        """
        own = self.balls.positions(frame), self.balls.radius
        if len(self.balls.radius):
            position, radius = np.concatenate([position, own[0]]), np.concatenate([radius, own[1]])
            color = np.concatenate([color, self.balls.color]).astype(np.float32)
        view = pinhole(camera, size[0] * supersample, size[1] * supersample)
        extent = float(norm(subject[1] - subject[0]))
        middle = 0.5 * (subject[0] + subject[1])
        soil = self._ground(frame, view)
        solid = stacked([soil, posed(self.surfaces, frame, "solid"), shoe_triangles(self.belts, frame), more])
        glass = posed(self.surfaces, frame, "glass")
        flat = planes(self.scene, frame)
        if walls:
            glass = stacked([glass, side_panes(flat, subject)])
        # A floor seen from below would hide everything.
        ground = [plane for plane in flat if plane.is_floor and dot(view.eye - plane.point, plane.normal) > 0]
        horizon = 40.0 * (extent + float(norm(view.eye - middle)))
        opaque = stacked([solid, *(level_quad(floor, middle, horizon) for floor in ground)])

        shaded_region = _shadow_region(subject, surface_boxes(self.surfaces, frame))
        light = light_view(_toward_light(view), shaded_region, SHADOW_SAMPLES)
        dark = (position, radius)
        if casters is not None:
            some = casters(light)
            dark = np.concatenate([some[0], own[0]]), np.concatenate([some[1], own[1]])
        shadow, _ = visible(light, prepare_spheres(light, *dark), prepare_triangles(light, solid.corners))

        spheres, faces = prepare_spheres(view, position, radius), prepare_triangles(view, opaque.corners)
        panes = prepare_triangles(view, glass.corners)
        depth, thing = visible(view, spheres, faces)
        scenery = Scenery(
            ball=spheres.ball,
            edge=faces.edge,
            corner=corner_weights(faces, view, opaque.normals),
            color=np.concatenate([color, opaque.color]).astype(np.float32),
            soil=np.array([len(soil.corners)], np.int64),
            floor=_floor_frames(ground, view),
            glass_start=panes.lists.start,
            glass_items=panes.lists.items,
            glass_edge=panes.edge,
            glass_corner=corner_weights(panes, view, glass.normals),
            glass_color=glass.color.astype(np.float32),
            glass_line=outline_scale(panes, view, glass.outlined),
        )
        grain = float(np.median(radius)) if len(radius) else 0.0
        grid = _round_length(extent / 8.0)
        mood = Mood(
            up=rotate(view.axes, UP).astype(np.float32),
            focus=np.array([*view.seen(middle[None])[0], 1.2 * extent, 5.0 * extent], np.float32),
            grid=np.float32(grid),
            reach=np.float32(max(2.5 * grain, 0.03 * extent)),
        )
        image = shaded(view, scenery, sun_of(view, light, shadow), mood, depth, thing, supersample)
        return image, f"t = {frame.time:.2f} s" + (f"     grid {grid:g} m" if ground else "")


    def _ground(self, frame: Frame, view: PixelRays) -> PosedTriangles:
        if self.relief is None:
            return NO_TRIANGLES
        self.relief.show(frame.ground)
        colors = soil_colors(self.scene, self.relief)
        return stacked([relief_triangles(self.relief, colors, view, self.tint), bed_triangles(frame, colors)])


def draw(
    frame: Frame,
    scene: Scene,
    camera: Camera | None = None,
    size: tuple[int, int] = (1280, 720),
    color_by: str = "material",
    supersample: int = 2,
    *,
    limits: tuple[float, float] | None = None,
    captions: bool = True,
    walls: bool = False,
) -> NDArray[np.uint8]:
    """A picture (height, width, 3) of the grains and obstacles of a frame.

    `camera` defaults to the scene's own, and that to one which shows all grains but the few that flew off.
    `size` is width and height in pixels; each pixel is the mean of `supersample`² samples. `color_by` is
    material, speed, force, id or height; `limits` fixes the ends of its scale. Grains stay visible: floors
    are drawn, other planes only with `walls`, as glass, and containers and turned shells are glass as well.
    """
    return Stage(scene).draw(frame, camera, size, color_by, supersample, limits, captions, walls)


def save_picture(path: str | Path, image: NDArray[np.uint8]) -> None:
    """Writes PNG, JPEG or WebP, by the file's name; an unfinished file never appears under that name."""
    from PIL import Image

    path = Path(path)
    check_target(path, FORMATS, "picture")
    with replacing(path, path.suffix) as partial:
        Image.fromarray(image).save(partial)


def check_target(path: Path, formats: tuple[str, ...], what: str) -> None:
    """Refuses names and places that cannot be written, before anything is computed."""
    if path.suffix.lower() not in formats:
        known = " or ".join(formats)
        raise SceneError(f"{path}: a {what} ends in {known} (got {path.suffix!r}); rename the output")
    if not path.parent.is_dir():
        raise SceneError(f"{path}: folder {path.parent} does not exist; create it or write elsewhere")


def check_size(size: tuple[int, int], supersample: int) -> tuple[int, int]:
    """Width and height, if a picture of that size can be made."""
    if supersample not in range(1, LARGEST_SUPERSAMPLE + 1):
        raise SceneError(f"supersample {supersample!r}: use a whole number from 1 to {LARGEST_SUPERSAMPLE}")
    width, height = (int(side) for side in size)
    if not (0 < width * supersample <= LARGEST_SIDE and 0 < height * supersample <= LARGEST_SIDE):
        raise SceneError(
            f"picture size {width} x {height} at supersample {supersample}: each side must be 1 to "
            f"{LARGEST_SIDE // supersample} pixels"
        )
    return width, height


def _toward_light(view: PixelRays) -> NDArray[np.float64]:
    """High over the viewer's left shoulder, so that shadows fall to the right and away."""
    right = view_axes(view.axes[2])[0]
    back = np.cross(right, UP)
    toward = UP - 0.60 * right + 0.40 * back
    return unit(toward)


def _shadow_region(subject: Box, bodies: list[Box]) -> Box:
    """What casts shadows: the subject and the parts of larger obstacles near it."""
    size = subject[1] - subject[0]
    room = (subject[0] - size, subject[1] + size)
    near = [(np.clip(low, *room), np.clip(high, *room)) for low, high in bodies]
    return joined([subject, *near])


def _floor_frames(ground: list[WorldPlane], view: PixelRays) -> NDArray[np.float32]:
    """Origin below the world's origin and the two grid axes of each floor, in view axes."""
    frames = np.empty((len(ground), 3, 3))
    for row, floor in zip(frames, ground, strict=True):
        origin = floor.normal * float(dot(floor.point, floor.normal))
        row[0] = view.seen(origin[None])[0]
        row[1:] = rotate(view.axes, np.stack(plane_axes(floor.normal)))
    return frames.reshape(-1, 9).astype(np.float32)


def _link_ends(scene: Scene) -> NDArray[np.int64]:
    """Ids (l, 2) of the grains that are linked."""
    if not scene.links and not any(
        isinstance(source, Rope | Cloth | RopeLadder) for source in scene.particles
    ):
        return np.empty((0, 2), np.int64)
    links = scene.initial_links()
    return np.stack([links["first"], links["second"]], axis=1)


def links_drawn(
    frame: Frame, links: NDArray[np.int64], color: NDArray[np.float32]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float32]]:
    """Positions, radii and colours of the grains that have a place, and of beads that show the links."""
    position, radius = np.asarray(frame.position, np.float64), np.asarray(frame.radius, np.float64)
    finite = np.isfinite(position).all(axis=1) & (radius > 0.0)
    parts = [(position[finite], radius[finite], color[finite])]
    if len(links) and len(position):
        at = np.minimum(np.searchsorted(frame.id, links), len(frame.id) - 1)
        at = at[(np.asarray(frame.id)[at] == links).all(axis=1) & finite[at].all(axis=1)]
        first, second = at[:, 0], at[:, 1]
        for share in (np.arange(LINK_BEADS) + 1.0) / (LINK_BEADS + 1.0):
            place = position[first] * (1.0 - share) + position[second] * share
            thickness = LINK_THICKNESS * np.minimum(radius[first], radius[second])
            parts.append((place, thickness, color[first]))
    return (
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
    )


def _round_length(length: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not larger."""
    power = decade(max(length, 1e-12))
    return power * max(step for step in (1.0, 2.0, 5.0) if step * power <= length * (1.0 + 1e-9))
