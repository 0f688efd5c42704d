"""Force chains: contacts as rods between the grains, thick and dark where they press hard.

Force in grains runs along chains, which one sees only if the grains let one look through. Two pictures of the same
place are mixed: one of the grains, pale, and one of the rods without grains. A rod leads from centre to centre, or
from a centre to a wall; its width and colour grow with the normal force. The weakest ones are left out: they
are many, carry little, and hide the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import decade, norm, sine_cosine, unit
from windrow.render.annotate import annotated
from windrow.render.camera import PixelRays, pinhole
from windrow.render.colors import Legend, linear, scale_color
from windrow.render.picture import Stage, check_size
from windrow.render.surfaces import PosedTriangles
from windrow.state.contacts import Contacts, rows_of

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.scene.settings import Camera
    from windrow.state.frame import Frame

# Pale blue to amber to dark red, falling in lightness: the strong stand out from pale grains, in grey as well.
FORCE_SCALE = (
    (0.60, 0.70, 0.80),
    (0.86, 0.73, 0.50),
    (0.93, 0.55, 0.20),
    (0.80, 0.24, 0.12),
    (0.45, 0.04, 0.12),
)
PALE = (0.92, 0.92, 0.91)
"""Display colour of the grains."""
GHOST = 0.38
"""Share of the grains in the mixed picture."""
THICKEST = 0.5
"""Radius of the rod of the largest force, of the median radius of the grains."""
WEAKEST = 0.08
"""Rods of less than this share of the scale are left out."""
FEW_LARGEST = 0.005
"""Share of the forces that may lie beyond the scale."""
LEAST_SAMPLES = 1.0
"""Half the width of the thinnest rods, in samples: what slips between the samples would be drawn as dots."""
SIDES = 8
"""Faces around a rod."""


@dataclass(frozen=True)
class Rods:
    """Straight rods with round ends."""

    start: NDArray[np.float64]
    """(c, 3) m"""
    end: NDArray[np.float64]
    """(c, 3) m"""
    radius: NDArray[np.float64]
    """(c,) m"""
    color: NDArray[np.float64]
    """(c, 3) linear"""


def draw_chains(
    frame: Frame,
    contacts: Contacts,
    scene: Scene,
    camera: Camera | None = None,
    size: tuple[int, int] = (1280, 720),
    supersample: int = 2,
    *,
    limit: float | None = None,
    captions: bool = True,
    walls: bool = False,
) -> NDArray[np.uint8]:
    """A picture (height, width, 3) of the forces between the grains of a frame.

    `contacts` are of the frame's moment. `limit` (N) is the force of the thickest rods; none: what only a few
    contacts exceed. The other arguments are those of `draw`.
    """
    check_size(size, supersample)
    stage = Stage(scene)
    subject = stage.subject(frame)
    if camera is None:
        camera = stage.camera(subject, size)
    most = force_limit(contacts) if limit is None else limit
    if not (np.isfinite(most) and most > 0.0):
        raise SceneError(f"limit {most} N: the force of the thickest rods must be above 0")
    place = (frame, camera, size, supersample, subject, walls)

    position, radius = np.asarray(frame.position, np.float64), np.asarray(frame.radius, np.float64)
    there = np.isfinite(position).all(axis=1) & (radius > 0.0)
    pale = np.broadcast_to(linear(PALE), (int(there.sum()), 3)).astype(np.float32)
    grains, caption = stage.lit(*place, position[there], radius[there], pale)

    view = pinhole(camera, size[0] * supersample, size[1] * supersample)
    rods = wide_enough(chain_rods(frame, contacts, most), view)
    chains, _ = stage.lit(*place, *round_ends(rods), rod_faces(rods))

    image = np.rint(GHOST * grains + (1.0 - GHOST) * chains.astype(np.float32)).astype(np.uint8)
    legend = Legend("normal force, N", (0.0, most), [], FORCE_SCALE)
    return annotated(image, caption, legend) if captions else image


def force_limit(contacts: Contacts) -> float:
    """Upper end of the scale, N: rounded, without the few largest forces."""
    force = np.abs(contacts.normal_force)
    most = float(np.quantile(force, 1.0 - FEW_LARGEST)) if len(force) else 0.0
    if most == 0.0:
        return 1.0
    step = decade(most) / 10.0
    return float(np.ceil(most / step) * step)


def chain_rods(frame: Frame, contacts: Contacts, most: float) -> Rods:
    """A rod for each contact but the weakest; `most` (N) is the force of the thickest. Sorted from weak to strong."""
    position = np.asarray(frame.position, np.float64)
    share = np.minimum(np.abs(contacts.normal_force) / most, 1.0)
    order = np.argsort(share, kind="stable")
    order = order[share[order] >= WEAKEST]
    contacts, share = contacts.where(order), share[order]
    i, j = rows_of(contacts.first, frame.id), rows_of(contacts.second, frame.id)
    if ((i < 0) | ((j < 0) & ~contacts.with_body)).any():
        raise SceneError("contacts name grains that the frame does not have; take both after the same step")
    end = np.where(contacts.with_body[:, None], contacts.point, position[j])
    thickest = THICKEST * (float(np.median(frame.radius)) if len(frame.radius) else 0.0)
    return Rods(position[i], end, thickest * share, linear(scale_color(share, FORCE_SCALE)))


def wide_enough(rods: Rods, view: PixelRays) -> Rods:
    """The same rods, but none so thin that a view would show it as dots."""
    depth = np.maximum(view.seen(0.5 * (rods.start + rods.end))[:, 2], 0.0)
    return Rods(rods.start, rods.end, np.maximum(rods.radius, LEAST_SAMPLES * depth / view.focal), rods.color)


def round_ends(rods: Rods) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float32]]:
    """Balls at both ends of each rod: places, radii and colours."""
    return (
        np.concatenate([rods.start, rods.end]),
        np.tile(rods.radius, 2),
        np.tile(rods.color, (2, 1)).astype(np.float32),
    )


def rod_faces(rods: Rods) -> PosedTriangles:
    """The sides of the rods as triangles that are shaded as if they were round."""
    along = rods.end - rods.start
    length = norm(along)[:, None]
    along = np.where(length > 0.0, along / np.maximum(length, 1e-30), (0.0, 0.0, 1.0))
    # any direction will do that is not the rod's own
    aside = unit(np.cross(along, np.where(np.abs(along[:, 2:]) < 0.9, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))))
    round_it = np.stack(sine_cosine(2.0 * np.pi * np.arange(SIDES) / SIDES)[::-1], axis=1)
    out = np.einsum("sk,ckx->csx", round_it, np.stack([aside, np.cross(along, aside)], axis=1))
    near = rods.start[:, None] + rods.radius[:, None, None] * out
    far = rods.end[:, None] + rods.radius[:, None, None] * out
    after = np.roll(np.arange(SIDES), -1)
    count = 2 * SIDES * len(along)
    corners = np.stack([near, near[:, after], far[:, after], near, far[:, after], far], axis=2)
    normals = np.stack([out, out[:, after], out[:, after], out, out[:, after], out], axis=2)
    return PosedTriangles(
        corners.reshape(count, 3, 3),
        normals.reshape(count, 3, 3),
        np.repeat(rods.color, 2 * SIDES, axis=0),
        np.zeros((count, 3), bool),
    )
