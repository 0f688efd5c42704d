"""The tools of a scene: who digs, with which edge, and how much it holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from windrow.errors import SceneError
from windrow.fixed_math import arctangent2, dot, norm, unit
from windrow.geometry.terms import F64
from windrow.scene.machines import Tool
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.scene.tools import Cutting
from windrow.terrain.cutting import (
    FLOOR,
    FRICTION,
    IS_BUCKET,
    PLATE_NUMBERS,
    STICKING,
    TEETH,
    THICKNESS,
    TOOTH_RADIUS,
    VOLUME,
)

CENTRE_BACK, CENTRE_UP = 0.6, 0.35
"""Where the load's centre of mass is: over the length of the floor back from the edge, and over the height of the
opening above the floor when full; between a box (½, ½) and a triangle (⅔, ⅓)."""


@dataclass(frozen=True)
class ToolGeometry:
    """One tool; lengths in the frame of the body or obstacle that carries it."""

    name: str
    row: int
    """among the obstacles and bodies of a frame"""
    body: int
    """among the rigid bodies; −1: a scripted obstacle"""
    obstacle: int
    """among the obstacles; −1: a rigid body"""
    cutting: Cutting | None
    """none: it is filled, but does not dig"""
    material: str
    volume: float
    """rated, m³; 0: none is"""
    room: tuple[F64, F64, F64]
    """box in which grains count as its load: rotation (3, 3) to the carrier's frame, lower and upper corner, m"""
    numbers: F64
    """(PLATE_NUMBERS,) as `Plate` has them, without load"""
    centre: F64
    """(2, 3) of the load's centre of mass when it is empty, and how it moves until it is full, m"""
    settles: bool = False
    """whether soil that has come to rest in the room moves with the body"""

    @property
    def bucket(self) -> bool:
        return bool(self.numbers[IS_BUCKET])


def tools_of(scene: Scene) -> list[ToolGeometry]:
    """Obstacles that dig, then the tools of machines, in the scene's order."""
    found = []
    terrain = scene.terrain
    whole = scene.assembled()
    bodies = {body.name: k for k, body in enumerate(whole.bodies)}
    for k, obstacle in enumerate(scene.obstacles):
        if not obstacle.digs:
            continue
        where = f"obstacles[{k}]" + (f" ({obstacle.name})" if obstacle.name else "")
        if terrain is None:
            raise SceneError(f"{where}.digs: the scene has no terrain; add one with add_terrain, or set digs to false")
        found.append(_of_obstacle(whole, obstacle, k, where))
    for machine in scene.placed_machines():
        for tool in machine.all_tools():
            material = whole.bodies[bodies[tool.body]].material
            found.append(_of_machine(whole, tool, bodies[tool.body], material, len(whole.obstacles)))
    names = [digger.name for digger in found]
    for name in sorted({name for name in names if names.count(name) > 1}):
        raise SceneError(f"tools: two are called {name!r}; give the obstacle or the machine another name")
    touched = "" if terrain is None else terrain.touched
    for digger in found:
        _rub(whole, digger, touched)
    return found


def _of_obstacle(scene: Scene, obstacle: Obstacle, k: int, where: str) -> ToolGeometry:
    from windrow.terrain.edges import edge_of

    cutting = edge_of(obstacle, scene.base_dir, where)
    volume = cutting.volume or 0.0
    numbers, centre, room = _shape(cutting, volume, cutting.kind == "bucket" or volume > 0.0, where)
    return ToolGeometry(
        obstacle.name or f"obstacle {k}", k, -1, k, cutting, obstacle.material, volume, room, numbers, centre
    )


def _of_machine(scene: Scene, tool: Tool, body: int, material: str, obstacles: int) -> ToolGeometry:
    cutting = tool.cutting
    room = (np.eye(3), np.array(tool.lower), np.array(tool.upper))
    numbers, centre = np.zeros(PLATE_NUMBERS), np.zeros((2, 3))
    if cutting is not None:
        numbers, centre, _ = _shape(cutting, tool.volume, cutting.kind != "blade", f"tool {tool.known_as}")
    else:
        centre[0] = 0.5 * (room[1] + room[2])
    return ToolGeometry(
        tool.known_as, obstacles + body, body, -1, cutting, material, tool.volume, room, numbers, centre, tool.settles
    )


def _shape(
    cutting: Cutting, volume: float, bucket: bool, where: str
) -> tuple[F64, F64, tuple[F64, F64, F64]]:
    """Numbers of a plate, where its load is, and the box that it is in."""
    edge, top = np.array(cutting.edge, np.float64), np.array(cutting.top, np.float64)
    along = unit(edge[1] - edge[0])
    width = float(norm(edge[1] - edge[0]))
    ahead = np.array(cutting.direction, np.float64)
    ahead = ahead - dot(ahead, along) * along
    if float(norm(ahead)) < 1e-6:
        raise SceneError(f"{where}: cutting.direction goes along the edge; give the direction in which the edge cuts")
    ahead = unit(ahead)
    up = np.cross(ahead, along)
    opening = top.mean(axis=0) - edge.mean(axis=0)
    up = up if float(dot(up, opening)) >= 0.0 else -up
    high, back = float(dot(opening, up)), -float(dot(opening, ahead))
    numbers = np.zeros(PLATE_NUMBERS)
    if bucket and volume <= 0.0:
        raise SceneError(f"{where}: a bucket needs cutting.volume, its rated volume in m³")
    if bucket and high < 0.05 * width * 0.1:
        raise SceneError(f"{where}: the top edge of a bucket lies above its floor; give cutting.top accordingly")
    long = max(back, volume / (width * max(high, 1e-6))) if bucket else 0.0
    numbers[[THICKNESS, TEETH, TOOTH_RADIUS, VOLUME, FLOOR, IS_BUCKET]] = (
        cutting.thickness, cutting.teeth, cutting.tooth_radius, volume, long, float(bucket),
    )  # fmt: skip
    middle = edge.mean(axis=0)
    centre = np.array([middle - CENTRE_BACK * long * ahead, CENTRE_UP * high * up])
    # Grains of a bucketful: from behind the back to the edge, and heaped by half of its height.
    frame = np.column_stack([ahead, along, up])
    origin = np.array([dot(frame[:, a], middle) for a in range(3)])
    reach = long if bucket else 1e-3
    lower = origin + np.array([-reach, -0.5 * width, 0.0])
    upper = origin + np.array([0.1 * reach, 0.5 * width, 1.5 * max(high, 1e-3)])
    return numbers, centre, (frame, lower, upper)


def _rub(scene: Scene, tool: ToolGeometry, ground: str) -> None:
    """Friction and adhesion between the tool and the ground."""
    if tool.cutting is None or not ground:
        return
    pair = scene.pair_values(tool.material, ground)
    tool.numbers[FRICTION] = float(arctangent2(pair.friction_static, 1.0))
    tool.numbers[STICKING] = pair.adhesion
