"""What a page needs to know of a scene once: names, colours, camera, machines and their levers, the task, and
the triangles of everything.

Triangles travel as one block of float32 beside the JSON text that says which belong to what.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from windrow.fixed_math import dot, unit
from windrow.render.camera import Box, automatic_camera
from windrow.render.colors import PALETTE, SCALE
from windrow.render.picture import Stage
from windrow.render.planes import planes, side_panes
from windrow.render.surfaces import GLASS
from windrow.scene.scene import Scene
from windrow.scene.task import Zone
from windrow.state.frame import Frame
from windrow.terrain.patches import Relief
from windrow.view.ground import ground_told
from windrow.view.meshes import NONE, balls_told, drawable, edges_of, meshes_told
from windrow.view.packing import quantities_of
from windrow.view.pool import Pool
from windrow.view.rigs import NOBODYS, Rig, controls_told, rigs_of
from windrow.view.tasks import UNITS

ASPECT = 16 / 9
STILL = -1
"""Body number of what stands in the world."""


@dataclass(frozen=True)
class Description:
    """The two messages that introduce a scene to a page."""

    text: str
    geometry: bytes
    generation: int


def description_of(
    scene: Scene, frame: Frame, generation: int, mode: str, controls: Sequence[str] = ()
) -> Description:
    """Everything about a scene that stays the same while it runs; `frame` says where things are now."""
    rigs = rigs_of(scene)
    whole = drawable(scene.assembled())
    stage = Stage(whole)
    stage.relief = None if scene.terrain is None else Relief(scene.terrain, scene.base_dir)
    pool = Pool()
    subject = stage.subject(frame)
    if (
        len(frame.position) == 0
        and scene.domain is None
        and not stage.surfaces
        and not len(stage.balls.radius)
        and stage.relief is None
    ):
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
        "materials": [_material(whole, name, k) for k, name in enumerate(frame.material_names)],
        "scale": SCALE,
        "quantities": _quantities(whole, frame),
        "columns": {name: frame.column_notes.get(name, {}) for name in frame.columns},
        "bodies": _bodies(whole, frame, rigs),
        "controls": controls_told(scene, list(controls), rigs),
        "machines": [rig.told() for rig in rigs],
        "task": _task(scene),
        "subject": [subject[0].tolist(), subject[1].tolist()],
        "camera": {
            "eye": list(camera.eye),
            "target": list(camera.target),
            "field_of_view_deg": camera.field_of_view_deg,
        },
        "floors": _floors(whole, frame),
        "meshes": meshes_told(whole, stage, pool) + _panes(whole, frame, subject, pool),
        "balls": balls_told(whole, pool),
        "ground": None if stage.relief is None else ground_told(whole, stage.relief.at_start(), pool),
        "belts": [belt.told() for belt in stage.belts],
        "links": [[int(a), int(b)] for a, b in stage.links] if len(stage.links) else [],
    }
    return Description(json.dumps(told, ensure_ascii=False), pool.block(generation), generation)


def _quantities(scene: Scene, frame: Frame) -> list[str]:
    """What grains can be coloured by."""
    wet = "moisture" in frame.columns or _moist(scene)
    return [name for name in quantities_of(frame.columns) if name != "moisture" or wet]


def _bodies(scene: Scene, frame: Frame, rigs: list[Rig]) -> list[dict[str, Any]]:
    moves = [obstacle.motion is not None for obstacle in scene.obstacles]
    moves += [not body.fixed for body in scene.bodies]
    return [
        {
            "name": name,
            "moves": moves[row],
            "kind": "obstacle" if row < len(scene.obstacles) else "body",
            "machine": next((k for k, rig in enumerate(rigs) if row in rig.rows), NOBODYS),
        }
        for row, name in enumerate(frame.body_names)
    ]


def _panes(scene: Scene, frame: Frame, subject: Box, pool: Pool) -> list[dict[str, Any]]:
    """Walls that are planes, cut to the neighbourhood of the subject."""
    panes = side_panes(planes(scene, frame), subject)
    if len(panes.corners) == 0:
        return []
    return [
        {
            "bodies": [STILL],
            "look": "glass",
            "material": NONE,
            "color": GLASS,
            "corners": pool.add(panes.corners),
            "normals": pool.add(panes.normals),
            "edges": pool.add(edges_of(panes.corners, panes.outlined)),
        }
    ]


def _floors(scene: Scene, frame: Frame) -> list[dict[str, Any]]:
    """Planes to stand on, in their own frame, so that a page can move them."""
    found = []
    names = list(scene.materials)
    for body, obstacle in enumerate(scene.obstacles):
        shape = obstacle.shape
        if shape.kind != "plane":
            continue
        normal = unit(shape.normal)
        if dot(frame.body_rotation[body][2], normal) > 0.5:
            material = names.index(obstacle.material) if obstacle.material in names else NONE
            found.append(
                {"body": body, "normal": normal.tolist(), "offset": shape.offset, "material": material}
            )
    return found


def _moist(scene: Scene) -> bool:
    """Whether anything is known to be wet."""
    return any(material.moisture is not None for material in scene.materials.values())


def _material(scene: Scene, name: str, number: int) -> dict[str, Any]:
    material = scene.materials.get(name)
    own = material.color if material is not None else None
    return {
        "name": name,
        "color": own if own is not None else PALETTE[number % len(PALETTE)],
        "soil": material.soil or "" if material is not None else "",
    }


def _task(scene: Scene) -> dict[str, Any] | None:
    task = scene.task
    if task is None:
        return None
    return {
        "title": task.title,
        "text": task.text,
        "unit": UNITS[task.measure],
        "target": task.target,
        "time_limit": task.time_limit,
        "from": _zone(task.source),
        "to": _zone(task.destination),
        "surface": None if task.surface is None else task.surface.plan()._asdict() | {"tolerance": task.tolerance},
    }


def _zone(zone: Zone | None) -> dict[str, Any] | None:
    return None if zone is None else {"lower": list(zone.lower), "upper": list(zone.upper)}
