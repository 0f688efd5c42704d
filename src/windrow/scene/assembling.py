"""Machines and terrain into scenes: descriptions moved to their places, and the scene that they make up together."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from windrow.errors import FileFormatError, SceneError
from windrow.fixed_math import arctangent2, norm, product, rotate
from windrow.scene.arrays import FloatArray
from windrow.scene.bodies import Body
from windrow.scene.data import SceneData
from windrow.scene.joints import Gear
from windrow.scene.machines import DRIVERS, MachineDescription, MachinePlacement, load_machine
from windrow.scene.materials import Material
from windrow.scene.motion import rotation_matrix
from windrow.scene.obstacles import Obstacle
from windrow.scene.terrain import Terrain, flat_surface

AnyScene = TypeVar("AnyScene", bound=SceneData)


def placed_machines(scene: SceneData) -> list[MachineDescription]:
    """The machines of a scene where they stand in it, all names as the scene knows them."""
    return [placed(item, scene.base_dir, f"machines[{k}]") for k, item in enumerate(scene.machines)]


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
    materials: dict[str, Any] = {}
    for machine in machines:
        materials = machine.materials | materials
    together = scene.model_copy(
        update={
            "materials": materials | scene.materials,
            "bodies": [*scene.bodies, *(body for machine in machines for body in machine.bodies)],
            "joints": [*scene.joints, *(joint for machine in machines for joint in machine.joints)],
            "machines": [],
        }
    )
    together._base_dir = scene._base_dir
    together._machine_bodies = frozenset(body.name for machine in machines for body in machine.bodies)
    return together


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
    return together


def placed(placement: MachinePlacement, base_dir: Path, where: str = "machine") -> MachineDescription:
    """A machine moved to its place, with its names."""
    try:
        machine = load_machine(placement.model, base_dir)
    except (SceneError, FileFormatError) as error:
        raise type(error)(f"{where}.model: {error}") from None
    lead = f"{placement.name} " if placement.name else ""
    turn = rotation_matrix(np.array([0.0, 0.0, math.radians(placement.heading_deg)]))
    shift = np.array(placement.position, np.float64)
    named = {
        place: part.model_copy(update={"body": lead + part.body})
        for place in ("cabin", "tool")
        if (part := getattr(machine, place)) is not None
    }
    return machine.model_copy(
        update={
            "controls": {lead + name: text for name, text in machine.controls.items()},
            "bodies": [_moved_body(body, turn, shift, lead) for body in machine.bodies],
            "joints": [_moved_joint(joint, turn, shift, lead) for joint in machine.joints],
            **named,
        }
    )


def _moved_body(body: Body, turn: FloatArray, shift: FloatArray, lead: str) -> Body:
    rotation = product(turn, rotation_of(body.rotation_deg))
    return body.model_copy(
        update={
            "name": lead + body.name,
            "group": lead + body.group if body.group else "",
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
        for field in ("axis", "second_axis"):
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
            if driver is not None and driver.control:
                changes[field] = driver.model_copy(update={"control": lead + driver.control})
        if getattr(joint, "control", ""):
            changes["control"] = lead + joint.control
    return joint.model_copy(update=changes)


def rotation_of(rotation_deg: tuple[float, float, float]) -> FloatArray:
    """(3, 3) matrix of a rotation vector in degrees."""
    return rotation_matrix(np.deg2rad(np.array(rotation_deg)))


def rotation_vector(rotation: FloatArray) -> FloatArray:
    """(3,) axis times angle, rad, of a rotation matrix; the inverse of `rotation_matrix` up to half a turn."""
    # The largest of the four squares is safe to divide by (Shepperd's method for unit quaternions).
    m = rotation
    squares = np.array([np.trace(m), m[0, 0], m[1, 1], m[2, 2]])
    largest = int(squares.argmax())
    if largest == 0:
        q = np.array([1.0 + np.trace(m), m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q = np.zeros(4)
        q[0] = m[k, j] - m[j, k]
        q[1 + i] = 1.0 + m[i, i] - m[j, j] - m[k, k]
        q[1 + j] = m[i, j] + m[j, i]
        q[1 + k] = m[i, k] + m[k, i]
    q *= (1.0 if q[0] >= 0 else -1.0) / norm(q)
    sine = float(norm(q[1:]))
    return np.asarray(q[1:] * (2.0 if sine < 1e-12 else 2.0 * arctangent2(sine, q[0]) / sine))


def _vector(values: FloatArray) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
