"""What a page needs to know of a scene once: names, colours, camera, and the triangles of its obstacles.

Triangles travel as one block of float32 beside the JSON text that says which belong to what.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.render.camera import Box, automatic_camera
from windrow.render.colors import PALETTE, SCALE
from windrow.render.picture import Stage
from windrow.render.planes import planes, side_panes
from windrow.render.surfaces import GLASS, STEEL, Surface
from windrow.scene.scene import Scene
from windrow.state.frame import Frame

MAGIC = int.from_bytes(b"WRM1", "little")
ASPECT = 16 / 9
STILL = -1
"""Body number of what stands in the world."""


@dataclass(frozen=True)
class Description:
    """The two messages that introduce a scene to a page."""

    text: str
    geometry: bytes
    generation: int


class _Pool:
    """One run of numbers that several meshes share."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.float32]] = []
        self._used = 0

    def add(self, values: NDArray[Any]) -> list[int]:
        """Where the numbers lie: first and count."""
        flat = np.ascontiguousarray(values, "<f4").reshape(-1)
        self._parts.append(flat)
        self._used += len(flat)
        return [self._used - len(flat), len(flat)]

    def block(self, generation: int) -> bytes:
        """magic, generation, count, 0 as uint32, then the numbers."""
        head = np.array([MAGIC, generation, self._used, 0], "<u4")
        return b"".join([head.tobytes(), *(part.tobytes() for part in self._parts)])


def description_of(scene: Scene, frame: Frame, generation: int, mode: str) -> Description:
    """Everything about a scene that stays the same while it runs; `frame` says where things are now."""
    stage = Stage(scene)
    pool = _Pool()
    subject = stage.subject(frame)
    if len(frame.position) == 0 and scene.domain is None and not stage.surfaces:
        subject = subject[0] - 0.5, subject[1] + 0.5
    camera = scene.run.camera or automatic_camera(subject, ASPECT)
    told = {
        "type": "scene",
        "mode": mode,
        "generation": generation,
        "title": scene.title,
        "description": scene.description,
        "gravity": list(scene.gravity),
        "dt": scene.solver.dt,
        "solver": scene.solver.name,
        "materials": [
            {"name": name, "color": _material_color(scene, name, k)}
            for k, name in enumerate(frame.material_names)
        ],
        "scale": SCALE,
        "bodies": [
            {"name": name, "moves": obstacle.motion is not None}
            for name, obstacle in zip(frame.body_names, scene.obstacles, strict=False)
        ],
        "subject": [subject[0].tolist(), subject[1].tolist()],
        "camera": {
            "eye": list(camera.eye),
            "target": list(camera.target),
            "field_of_view_deg": camera.field_of_view_deg,
        },
        "floors": _floors(scene, frame),
        "meshes": [_mesh(surface, scene, pool) for surface in stage.surfaces]
        + _panes(scene, frame, subject, pool),
        "links": [[int(a), int(b)] for a, b in stage.links] if len(stage.links) else [],
    }
    return Description(json.dumps(told, ensure_ascii=False), pool.block(generation), generation)


def _mesh(surface: Surface, scene: Scene, pool: _Pool) -> dict[str, Any]:
    obstacle = scene.obstacles[surface.body]
    own = scene.materials[obstacle.material].color if obstacle.material in scene.materials else None
    corners = surface.vertices[surface.faces]
    return {
        "body": surface.body,
        "look": surface.look,
        "color": _tinted(own) if surface.look == "glass" else own or STEEL,
        "corners": pool.add(corners),
        "normals": pool.add(surface.corner_normals),
        "edges": pool.add(_edges(corners, surface.outlined)),
    }


def _tinted(own: tuple[float, float, float] | None) -> list[float]:
    """Glass with a touch of the material's own colour."""
    return (0.6 * np.array(GLASS) + 0.4 * np.array(own or GLASS)).tolist()


def _edges(corners: NDArray[np.float64], outlined: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(e, 2, 3): ends of the edges, each opposite to a corner, that are creases or borders."""
    sides = corners[:, [[1, 2], [2, 0], [0, 1]]]
    return np.asarray(sides[outlined])


def _panes(scene: Scene, frame: Frame, subject: Box, pool: _Pool) -> list[dict[str, Any]]:
    """Walls that are planes, cut to the neighbourhood of the subject."""
    panes = side_panes(planes(scene, frame), subject)
    if len(panes.corners) == 0:
        return []
    return [
        {
            "body": STILL,
            "look": "glass",
            "color": GLASS,
            "corners": pool.add(panes.corners),
            "normals": pool.add(panes.normals),
            "edges": pool.add(_edges(panes.corners, panes.outlined)),
        }
    ]


def _floors(scene: Scene, frame: Frame) -> list[dict[str, Any]]:
    """Planes to stand on, in their own frame, so that a page can move them."""
    found = []
    for body, obstacle in enumerate(scene.obstacles):
        shape = obstacle.shape
        if shape.kind != "plane":
            continue
        normal = np.asarray(shape.normal, np.float64)
        normal = normal / np.linalg.norm(normal)
        if (np.asarray(frame.body_rotation[body]) @ normal)[2] > 0.5:
            found.append({"body": body, "normal": normal.tolist(), "offset": shape.offset})
    return found


def _material_color(scene: Scene, name: str, number: int) -> tuple[float, float, float]:
    material = scene.materials.get(name)
    own = material.color if material is not None else None
    return own if own is not None else PALETTE[number % len(PALETTE)]
