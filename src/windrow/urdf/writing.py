"""A machine or a scene's bodies to URDF: a tree of links, as far as joints make one.

Each link's frame lies in the joint to its parent, turned as the body is. URDF knows hinges, sliders and fixed
joints in a tree; what it cannot say is left out, and named in a warning.
"""

from __future__ import annotations

import math
import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from windrow.errors import FileFormatError, SceneError
from windrow.files import write_text
from windrow.fixed_math import arctangent2, dot, norm, product, rotate
from windrow.geometry.surface import triangles
from windrow.geometry.terms import F64
from windrow.scene.assembling import rotation_of
from windrow.scene.bodies import Spheres
from windrow.scene.joints import (
    Fixed,
    ForceMotor,
    Gear,
    Hinge,
    HydraulicDrive,
    HydraulicMotor,
    PositionMotor,
    Slider,
    VelocityMotor,
)
from windrow.scene.machines import MachineDescription
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.scene.shapes import Box, Capsule, Cylinder, Mesh, Sphere
from windrow.solvers.multibody.assembly import close_joints
from windrow.solvers.multibody.bodies import Bodies, bodies_of
from windrow.solvers.multibody.joints import Joints, joints_of
from windrow.solvers.multibody.motion import Motion, refresh_all

WORLD = "world"
LARGEST_EFFORT = 1e9
"""N, N m, m/s or rad/s; stands for motors without a limit, because URDF has no infinity."""


@dataclass
class _Export:
    scene: Scene
    bodies: Bodies
    joints: Joints
    motion: Motion
    path: Path
    parent: dict[int, tuple[int, int]] = field(default_factory=dict)
    """body to (parent body, joint); −1: the world, or no joint"""
    left_out: list[str] = field(default_factory=list)
    """sentences about what URDF cannot say"""

    def end(self, j: int, side: int) -> tuple[F64, F64]:
        """Place (3,) and the three unit vectors (3, 3) of joint j on one of its bodies, in the world."""
        b = int(self.joints.table.body[j, side])
        point, frame = self.joints.table.anchor[j, side], self.joints.table.frame[j, side]
        if b < 0:
            return point, frame
        return self.motion.x[b] + rotate(self.motion.R[b], point), product(frame, self.motion.R[b].T)

    def frame_of(self, b: int) -> tuple[F64, F64]:
        """Origin and rotation of the link of body b in the world; its joint is in the origin."""
        if b < 0 or (b not in self.parent and self.one_root):
            return np.zeros(3), np.eye(3)
        _, j = self.parent.get(b, (-1, -1))
        if j >= 0:
            return self.end(j, 0)[0], self.motion.R[b]
        return self.motion.x[b] - rotate(self.motion.R[b], self.bodies.center[b]), self.motion.R[b]

    @property
    def one_root(self) -> bool:
        """One body carries all others, and nothing is held by the world."""
        held = any(parent < 0 and j >= 0 for parent, j in self.parent.values())
        fixed = any(body.fixed for body in self.scene.bodies)
        return not held and not fixed and len(self.parent) == self.bodies.count - 1


def write_urdf(source: Scene | MachineDescription, path: str | Path, name: str = "") -> list[str]:
    """Writes bodies and joints as URDF, where they stand at the start; shapes without a word of their own in URDF
    become mesh files beside it.

    Returns sentences about what URDF cannot say and a warning has told: joints that close loops, balls, ropes and
    cylinders, springs, controls. The file is replaced as a whole or not at all.
    """
    path = Path(path)
    scene = _scene_of(source)
    if not scene.bodies:
        raise SceneError(f"{path}: there is no body to write")
    if any(body.name == WORLD for body in scene.bodies):
        raise SceneError(f"{path}: a body is called {WORLD!r}, which URDF keeps for the world; rename it")
    bodies = bodies_of(scene, scene.base_dir)
    joints = joints_of(scene, bodies)
    motion = close_joints(scene, bodies, joints)
    refresh_all(bodies.table, motion)
    export = _Export(scene, bodies, joints, motion, path)
    _span(export)
    root = Element("robot", name=name or source.title or path.stem)
    if not export.one_root:
        SubElement(root, "link", name=WORLD)
    for b in range(bodies.count):
        _write_link(export, root, b)
    written: dict[int, Element] = {}
    for b in range(bodies.count):
        written |= _write_joint(export, root, b)
    _write_gears(export, written)
    _note_losses(export)
    _replace(root, path)
    if export.left_out:
        warnings.warn(f"{path}: URDF cannot say: {'; '.join(export.left_out)}", stacklevel=2)
    return export.left_out


def _scene_of(source: Scene | MachineDescription) -> Scene:
    if isinstance(source, Scene):
        return source.assembled()
    return Scene(materials=source.materials, bodies=source.bodies, joints=source.joints)


def _span(export: _Export) -> None:
    """Chooses the joints of the tree, driven ones first, and says which body hangs on which."""
    joints, ends = export.scene.joints, export.joints.table.body.tolist()
    group = {b: b for b in range(-1, export.bodies.count)}
    for b, body in enumerate(export.scene.bodies):
        if body.fixed:
            group[b] = -1
    expressible = [j for j, joint in enumerate(joints) if isinstance(joint, Hinge | Slider | Fixed)]
    chosen = set()
    for j in sorted(expressible, key=lambda j: (getattr(joints[j], "motor", None) is None, j)):
        first, second = (group[b] for b in ends[j])
        if first != second:
            chosen.add(j)
            group = {b: first if owner == second else owner for b, owner in group.items()}
    reached: set[int] = set()
    held = (-1, *(b for b, body in enumerate(export.scene.bodies) if body.fixed))
    for start in (*held, *range(export.bodies.count)):
        waiting = [] if start in reached else [start]
        while waiting:
            here = waiting.pop(0)
            reached.add(here)
            for j in sorted(chosen):
                if here in ends[j]:
                    other = ends[j][1 - ends[j].index(here)]
                    if other not in reached:
                        export.parent[other] = (here, j)
                        waiting.append(other)
    for j, joint in enumerate(joints):
        if not isinstance(joint, Gear) and j not in chosen:
            loop = " (it closes a loop)" if j in expressible else ""
            export.left_out.append(f"{joint.kind} joint {export.joints.names[j]!r}{loop}")


# --- links ----------------------------------------------------------------------------------------------


def _write_link(export: _Export, root: Element, b: int) -> None:
    body = export.scene.bodies[b]
    link = SubElement(root, "link", name=body.name)
    origin, turn = export.frame_of(b)
    rotation, middle = export.motion.R[b], export.motion.x[b]
    if not body.fixed:
        inertial = SubElement(link, "inertial")
        _write_origin(inertial, rotate(turn.T, middle - origin), np.eye(3))
        SubElement(inertial, "mass", value=_text(export.bodies.mass[b]))
        across = product(turn.T, rotation)
        I = product(product(across, export.bodies.table.inertia[b]), across.T)
        moments = {
            f"i{a}{c}": _text(I["xyz".index(a), "xyz".index(c)])
            for a, c in ("xx", "xy", "xz", "yy", "yz", "zz")
        }
        SubElement(inertial, "inertia", moments)
    start = middle - rotate(rotation, export.bodies.center[b])
    for number, piece in enumerate(body.shapes):
        here = product(product(turn.T, rotation), rotation_of(piece.rotation_deg))
        place = rotate(turn.T, start + rotate(rotation, piece.position) - origin)
        words_of = _geometry(export, f"{body.name} {b} {number}", piece.shape)
        for what in ("visual", "collision"):
            for kind, words, shift in words_of:
                part = SubElement(link, what)
                _write_origin(part, place + rotate(here, shift), here)
                SubElement(SubElement(part, "geometry"), kind, words)


def _geometry(export: _Export, title: str, shape: Any) -> list[tuple[str, dict[str, str], F64]]:
    """URDF's words for a shape, each with where it is in the shape's frame."""
    zero = np.zeros(3)
    if isinstance(shape, Box):
        return [("box", {"size": " ".join(map(_text, shape.size))}, zero)]
    if isinstance(shape, Sphere):
        return [("sphere", {"radius": _text(shape.radius)}, zero)]
    if isinstance(shape, Spheres):
        radii = np.broadcast_to(np.asarray(shape.radii, np.float64), len(shape.centers))
        return [
            ("sphere", {"radius": _text(radius)}, np.asarray(center))
            for center, radius in zip(shape.centers, radii, strict=True)
        ]
    if isinstance(shape, Cylinder | Capsule):
        found = [("cylinder", {"radius": _text(shape.radius), "length": _text(shape.height)}, zero)]
        if isinstance(shape, Capsule):
            ends = np.array([0.0, 0.0, 0.5 * shape.height])
            found += [("sphere", {"radius": _text(shape.radius)}, end) for end in (ends, -ends)]
        return found
    if isinstance(shape, Mesh) and shape.file is not None:
        file = os.path.relpath((export.scene.base_dir / shape.file).resolve(), export.path.parent.resolve())
        return [
            ("mesh", {"filename": Path(file).as_posix(), "scale": " ".join([_text(shape.scale)] * 3)}, zero)
        ]
    return [("mesh", {"filename": _write_mesh(export, title, shape)}, zero)]


def _write_mesh(export: _Export, title: str, shape: Any) -> str:
    """Triangles of a shape in a file of their own; returns its name relative to the URDF file."""
    import trimesh

    vertices, faces = triangles(Obstacle(shape=shape, material="any"), export.scene.base_dir, 1.0)
    folder = export.path.parent / f"{export.path.stem}_meshes"
    file = folder / f"{re.sub(r'[^A-Za-z0-9]+', '_', title).strip('_')}.obj"
    try:
        folder.mkdir(exist_ok=True)
        text = trimesh.Trimesh(vertices, faces, process=False).export(file_type="obj", digits=17)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileFormatError(f"{file}: cannot write: {error.strerror}") from None
    return f"{folder.name}/{file.name}"


# --- joints ---------------------------------------------------------------------------------------------


def _write_joint(export: _Export, root: Element, b: int) -> dict[int, Element]:
    """The joint between a body and its parent."""
    body = export.scene.bodies[b]
    if b not in export.parent and export.one_root:
        return {}
    above, j = export.parent.get(b, (-1, -1))
    joint = export.scene.joints[j] if j >= 0 else None
    if joint is None:
        kind, name = ("fixed" if body.fixed else "floating"), f"{body.name} in the world"
    else:
        name = export.joints.names[j]
        bounded = _limits(joint) is not None
        kind = {Hinge: "revolute" if bounded else "continuous", Slider: "prismatic", Fixed: "fixed"}[
            type(joint)
        ]
    element = SubElement(root, "joint", name=name, type=kind)
    SubElement(element, "parent", link=export.bodies.names[above] if above >= 0 else WORLD)
    SubElement(element, "child", link=body.name)
    (here, turn), (there, across) = export.frame_of(above), export.frame_of(b)
    _write_origin(element, rotate(turn.T, there - here), product(turn.T, across))
    if isinstance(joint, Hinge | Slider):
        # URDF counts how the child moves on its parent, a joint of the scene how first moves on second.
        sign = 1.0 if int(export.joints.table.body[j, 0]) == b else -1.0
        axis = sign * rotate(across.T, export.end(j, 0)[1][0])
        SubElement(element, "axis", xyz=" ".join(map(_text, axis)))
        _write_limit(export, element, j, joint)
        _write_dynamics(element, joint)
    return {j: element} if j >= 0 else {}


def _limits(joint: Any) -> tuple[float, float] | None:
    if isinstance(joint, Hinge):
        return (
            None
            if joint.range_deg is None
            else (math.radians(joint.range_deg[0]), math.radians(joint.range_deg[1]))
        )
    return joint.range if isinstance(joint, Slider) else None


def _coordinate(export: _Export, j: int) -> float:
    """Of a hinge or slider where the bodies stand, rad or m."""
    (first, frame), (second, other) = export.end(j, 0), export.end(j, 1)
    if isinstance(export.scene.joints[j], Slider):
        return float(dot(frame[0], first - second))
    return float(arctangent2(dot(frame[0], np.cross(other[1], frame[1])), dot(frame[1], other[1])))


def _write_limit(export: _Export, element: Element, j: int, joint: Any) -> None:
    limits, (effort, speed) = _limits(joint), _ability(joint.motor)
    if limits is None and joint.motor is None and not isinstance(joint, Slider):
        return
    words = {"effort": _text(min(effort, LARGEST_EFFORT)), "velocity": _text(min(speed, LARGEST_EFFORT))}
    if limits is not None:
        now = _coordinate(export, j)
        words |= {"lower": _text(limits[0] - now), "upper": _text(limits[1] - now)}
    elif isinstance(joint, Slider):
        words |= {"lower": _text(-LARGEST_EFFORT), "upper": _text(LARGEST_EFFORT)}
    SubElement(element, "limit", words)


def _ability(motor: Any) -> tuple[float, float]:
    """Largest force and speed of a motor; zeros without one."""
    if isinstance(motor, VelocityMotor):
        return motor.max_force, abs(motor.speed)
    if isinstance(motor, PositionMotor):
        return motor.max_force, motor.max_speed
    if isinstance(motor, ForceMotor):
        return abs(motor.force), LARGEST_EFFORT
    if isinstance(motor, HydraulicMotor):
        limit, flow = motor.pressure_limit or 0.0, motor.flow_limit or 0.0
        return motor.area * limit, flow / motor.area
    if isinstance(motor, HydraulicDrive):
        return motor.max_force, abs(motor.speed)
    return 0.0, 0.0


def _write_dynamics(element: Element, joint: Any) -> None:
    words = {}
    if joint.spring is not None and joint.spring.damping > 0:
        words["damping"] = _text(joint.spring.damping)
    if joint.brake is not None and not joint.brake.control:
        words["friction"] = _text(joint.brake.max_force)
    if words:
        SubElement(element, "dynamics", words)


def _write_gears(export: _Export, written: dict[int, Element]) -> None:
    number = {name: j for j, name in enumerate(export.joints.names)}
    follows: dict[int, int] = {}

    def led_by(j: int, leader: int) -> bool:
        while leader in follows:
            leader = follows[leader]
        return leader == j

    for gear_number, gear in enumerate(export.scene.joints):
        if not isinstance(gear, Gear):
            continue
        first, second = number[gear.first], number[gear.second]
        for j, leader, ratio in ((first, second, -gear.ratio), (second, first, -1 / gear.ratio)):
            if {j, leader} <= set(written) and j not in follows and not led_by(j, leader):
                follows[j] = leader
                name = export.joints.names[leader]
                SubElement(written[j], "mimic", joint=name, multiplier=_text(ratio), offset="0.0")
                break
        else:
            export.left_out.append(f"gear {export.joints.names[gear_number]!r}")


def _note_losses(export: _Export) -> None:
    """What of the written joints and of the scene is not in the file."""
    for _, j in export.parent.values():
        joint, name = export.scene.joints[j], export.joints.names[j]
        spring, brake = getattr(joint, "spring", None), getattr(joint, "brake", None)
        if spring is not None and spring.stiffness > 1e-5 * spring.damping:
            export.left_out.append(f"the spring of joint {name!r}")
        if brake is not None and brake.control:
            export.left_out.append(f"the brake of joint {name!r} (it follows a control)")
    for field_name in ("obstacles", "particles", "emitters"):
        if getattr(export.scene, field_name):
            export.left_out.append(f"{field_name} of the scene")


# --- text -----------------------------------------------------------------------------------------------


def _write_origin(parent: Element, position: F64, rotation: F64) -> None:
    xyz, rpy = (" ".join(map(_text, numbers)) for numbers in (position, roll_pitch_yaw(rotation)))
    SubElement(parent, "origin", xyz=xyz, rpy=rpy)


def roll_pitch_yaw(rotation: F64) -> tuple[float, float, float]:
    """Angles r, p, y, rad, with rotation = Rz(y) Ry(p) Rx(r)."""
    level = norm(rotation[:2, 0])
    pitch = arctangent2(-rotation[2, 0], level)
    if level < 1e-9:
        # Roll and yaw turn about the same axis; one of them does it.
        return arctangent2(-rotation[1, 2], rotation[1, 1]), pitch, 0.0
    return arctangent2(rotation[2, 1], rotation[2, 2]), pitch, arctangent2(rotation[1, 0], rotation[0, 0])


def _text(number: float) -> str:
    # + 0.0 takes the sign from zero.
    return repr(float(number) + 0.0)


def _replace(root: Element, path: Path) -> None:
    ElementTree.indent(root)
    write_text(path, ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n")
