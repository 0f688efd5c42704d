"""Machines and terrain into scenes: descriptions moved to their places, and the scene that they make up together."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from windrow.errors import FileFormatError, SceneError
from windrow.fixed_math import product, rotate
from windrow.scene.arrays import FloatArray
from windrow.scene.bodies import Body
from windrow.scene.data import SceneData
from windrow.scene.joints import Gear
from windrow.scene.machines import DRIVERS, MachineDescription, MachinePlacement, Tool, load_machine
from windrow.scene.materials import Material
from windrow.scene.motion import rotation_matrix, rotation_vector
from windrow.scene.obstacles import Obstacle
from windrow.scene.terrain import Terrain, flat_surface
from windrow.scene.tools import Cutting

AnyScene = TypeVar("AnyScene", bound=SceneData)


def placed_machines(scene: SceneData) -> list[MachineDescription]:
    """The machines of a scene where they stand in it, all names as the scene knows them."""
    return [placed(item, scene.base_dir, f"machines[{k}]") for k, item in enumerate(scene.machines)]


def digging_bodies(scene: SceneData) -> dict[str, Cutting]:
    """Bodies of machines that cut into terrain, by name, and where they cut."""
    tools = [machine.tool for machine in placed_machines(scene)]
    return {tool.body: tool.cutting for tool in tools if tool is not None and tool.cutting is not None}


def turns_into_grains(scene: SceneData) -> bool:
    """Whether terrain turns into grains in a simulation of the scene."""
    terrain = scene.terrain
    if terrain is None or terrain.fidelity == "field":
        return False
    if terrain.fidelity == "grains":
        return True
    return any(obstacle.digs for obstacle in scene.obstacles) or bool(digging_bodies(scene))


def assembled(scene: AnyScene) -> AnyScene:
    """The scene with the parts of its machines and its terrain as its own; itself without either.

    Bodies and joints of machines follow those of the scene, machine by machine. The terrain is the last obstacle; its
    heights are known to a running simulation only.
    """
    if scene.terrain is not None:
        scene = _with_ground(scene, scene.terrain)
    if not scene.machines:
        return scene
    machines = placed_machines(scene)
    hydraulics = [_hydraulics(p, m) for p, m in zip(scene.machines, machines, strict=True)]
    materials: dict[str, Any] = {}
    for machine in machines:
        materials = machine.materials | materials
    together = scene.model_copy(
        update={
            "materials": materials | scene.materials,
            "bodies": [*scene.bodies, *(body for machine in machines for body in machine.bodies)],
            "joints": [*scene.joints, *(joint for machine in machines for joint in machine.joints)],
            **{
                field: getattr(scene, field) | {name: one for parts in hydraulics for name, one in parts[field].items()}
                for field in ("engines", "pumps", "levers")
            },
            "machines": [],
        }
    )
    together._base_dir = scene._base_dir
    together._machine_bodies = frozenset(body.name for machine in machines for body in machine.bodies)
    return together


def _hydraulics(placement: MachinePlacement, machine: MachineDescription) -> dict[str, dict[str, Any]]:
    """Engine, pumps and levers of a placed machine, by the names that the scene knows them by."""
    engine = f"{lead_of(placement)}engine"
    return {
        "engines": {} if machine.engine is None else {engine: machine.engine},
        "pumps": {
            name: pump if machine.engine is None else pump.model_copy(update={"engine": engine})
            for name, pump in machine.pumps.items()
        },
        "levers": {} if machine.lever is None else dict.fromkeys(machine.controls, machine.lever),
    }


def lead_of(placement: MachinePlacement) -> str:
    """What goes before all names of a machine."""
    return f"{placement.name} " if placement.name else ""


def _with_ground(scene: AnyScene, terrain: Terrain) -> AnyScene:
    """The scene with its terrain as the last obstacle, made of the material of the uppermost soil."""
    ground = Obstacle.model_construct(
        name=terrain.name,
        shape=flat_surface(),
        position=terrain.position,
        rotation_deg=(0.0, 0.0, 0.0),
        material=terrain.touched,
        inside=False,
        motion=None,
    )
    materials = scene.materials
    if terrain.material is None and terrain.touched not in materials:
        materials = materials | {terrain.touched: Material(soil=terrain.touched)}
    changes: dict[str, Any] = {"materials": materials, "obstacles": [*scene.obstacles, ground], "terrain": None}
    together = scene.model_copy(update=changes)
    together._base_dir = scene._base_dir
    together._terrain_grains = terrain.most_grains if turns_into_grains(scene) else 0
    return together


def placed(placement: MachinePlacement, base_dir: Path, where: str = "machine") -> MachineDescription:
    """A machine moved to its place, with its names."""
    try:
        machine = load_machine(placement.model, base_dir)
    except (SceneError, FileFormatError) as error:
        raise type(error)(f"{where}.model: {error}") from None
    lead = lead_of(placement)
    turn = rotation_matrix(np.array([0.0, 0.0, math.radians(placement.heading_deg)]))
    shift = np.array(placement.position, np.float64)
    named: dict[str, Any] = {}
    if machine.cabin is not None:
        named["cabin"] = machine.cabin.model_copy(update={"body": lead + machine.cabin.body})
    if machine.tool is not None:
        named["tool"] = _named_tool(machine.tool, lead)
    return machine.model_copy(
        update={
            "controls": {lead + name: text for name, text in machine.controls.items()},
            "pumps": {lead + name: pump for name, pump in machine.pumps.items()},
            "bodies": [_moved_body(body, turn, shift, lead) for body in machine.bodies],
            "joints": [_moved_joint(joint, turn, shift, lead) for joint in machine.joints],
            "tools": [_named_tool(tool, lead) for tool in machine.tools],
            **named,
        }
    )


def _named_tool(tool: Tool, lead: str) -> Tool:
    return tool.model_copy(update={"body": lead + tool.body, "name": lead + tool.name if tool.name else ""})


def _moved_body(body: Body, turn: FloatArray, shift: FloatArray, lead: str) -> Body:
    rotation = product(turn, rotation_of(body.rotation_deg))
    return body.model_copy(
        update={
            "name": lead + body.name,
            "group": lead + body.group if body.group else "",
            "meets": [lead + name for name in body.meets],
            "position": _vector(shift + rotate(turn, body.position)),
            "rotation_deg": _vector(np.rad2deg(rotation_vector(rotation))),
            "velocity": _vector(rotate(turn, body.velocity)),
            "angular_velocity": _vector(rotate(turn, body.angular_velocity)),
        }
    )


def _moved_joint(joint: Any, turn: FloatArray, shift: FloatArray, lead: str) -> Any:
    changes: dict[str, Any] = {"first": lead + joint.first}
    if joint.second:
        changes["second"] = lead + joint.second
    if joint.name:
        changes["name"] = lead + joint.name
    if not isinstance(joint, Gear):
        for field in ("axis", "second_axis", "forward", "up"):
            if getattr(joint, field, None) is not None:
                changes[field] = _vector(rotate(turn, getattr(joint, field)))
        if getattr(joint, "position", None) is not None:
            changes["position"] = _vector(shift + rotate(turn, joint.position))
        if getattr(joint, "positions", None) is not None:
            changes["positions"] = tuple(_vector(shift + rotate(turn, place)) for place in joint.positions)
        if getattr(joint, "anchors", None) is not None and not joint.second:
            own, world = joint.anchors
            changes["anchors"] = (own, _vector(shift + rotate(turn, world)))
        for field in DRIVERS:
            driver = getattr(joint, field, None)
            if driver is not None:
                changes[field] = driver.model_copy(update=_led(driver, lead))
        changes |= _led(joint, lead)
    return joint.model_copy(update=changes)


def _led(driver: Any, lead: str) -> dict[str, Any]:
    """Names of control and pump with what goes before them."""
    return {field: lead + getattr(driver, field) for field in ("control", "pump") if getattr(driver, field, "")}


def rotation_of(rotation_deg: tuple[float, float, float]) -> FloatArray:
    """(3, 3) matrix of a rotation vector in degrees."""
    return rotation_matrix(np.deg2rad(np.array(rotation_deg)))


def _vector(values: FloatArray) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
