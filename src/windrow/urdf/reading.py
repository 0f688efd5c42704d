"""URDF to a machine: links become bodies, joints become hinges, sliders and fixed joints.

A link's frame is the body's frame. Links without mass and shape are frames: what hangs on them hangs on the
body that carries them. A root called `world` without mass is the world, as in other programs that read URDF.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import numpy as np

from windrow.errors import SceneError, unknown_name
from windrow.fixed_math import norm, product, rotate
from windrow.geometry.terms import F64
from windrow.scene.bodies import Body, Piece
from windrow.scene.joints import (
    Brake,
    Fixed,
    ForceMotor,
    Gear,
    Hinge,
    PositionMotor,
    Slider,
    Spring,
    VelocityMotor,
)
from windrow.scene.machines import MachineDescription
from windrow.scene.materials import Material
from windrow.scene.motion import rotation_matrix, rotation_vector
from windrow.scene.shapes import Box, Cylinder, Mesh, Sphere
from windrow.urdf.parsing import parsed_robot

Drive = Literal["velocity", "position", "force", "none"]
DRIVES = ("velocity", "position", "force", "none")

WORLD = "world"
DAMPER_RATE = 1e-6
"""1/s. A damper is a spring that takes the inverse of it to pull back: for ever, as far as a machine goes."""
NO_PLAY = 1e-9
"""m or rad; joints whose limits are closer than this do not move."""


@dataclass
class _Robot:
    """What is being made of the links and joints."""

    path: Path
    material: str
    drive: Drive
    bodies: list[Body] = field(default_factory=list)
    joints: list[Any] = field(default_factory=list)
    controls: dict[str, str] = field(default_factory=dict)
    pose: dict[str, F64] = field(default_factory=dict)
    """(4, 4) of each link in the world"""
    carrier: dict[str, str | None] = field(default_factory=dict)
    """body that a link is part of; empty: the world; None: a frame on its own"""
    start: dict[str, float] = field(default_factory=dict)
    """coordinate of each joint, as URDF counts it"""
    weighed: list[str] = field(default_factory=list)
    """links without <inertial>"""


def read_urdf(
    path: str | Path,
    *,
    start: Mapping[str, float] | None = None,
    drive: Drive = "velocity",
    fixed_base: bool = False,
    self_collision: bool = False,
    material: Material | None = None,
) -> MachineDescription:
    """The machine in a URDF file. Needs yourdfpy (`pip install 'windrow[urdf]'`).

    `start` gives joints their coordinates at the start, rad or m; others start at 0, or at the limit next to it.
    Joints with an effort and a velocity limit become motors of the kind `drive`, each with a control of the
    joint's name. `fixed_base` holds the root where it is; a root called "world" is the world in any case. The
    material, by which bodies rub and by which links without <inertial> are weighed, is the same for all links.

    Raises a SceneError that names link or joint and remedy, or a FileFormatError when the file is no URDF.
    """
    path = Path(path)
    if drive not in DRIVES:
        raise SceneError(f"drive: {unknown_name('kind of motor', drive, DRIVES)}")
    described = parsed_robot(path)
    robot = _Robot(path, described.name[:100], drive)
    links = {link.name: link for link in described.links}
    below: dict[str, list[Any]] = {}
    for joint in described.joints:
        below.setdefault(joint.parent, []).append(joint)
    _set_start(robot, described.joints, start or {})
    children = {joint.child for joint in described.joints}
    root = next(link for link in described.links if link.name not in children)
    _place_root(robot, root, fixed_base, below.get(root.name, []))
    waiting = [root.name]
    while waiting:
        parent = waiting.pop(0)
        for joint in below.get(parent, []):
            _place_link(robot, links[joint.child], joint)
            waiting.append(joint.child)
    _add_gears(robot, described.joints)
    if robot.weighed:
        warnings.warn(
            f"{path}: links without <inertial> are weighed by the volume of their shapes and the density of "
            f"the material: {', '.join(robot.weighed)}",
            stacklevel=2,
        )
    if not robot.bodies:
        raise SceneError(f"{path}: none of its links has mass or shape; give them <inertial> and <collision>")
    if not self_collision:
        for body in robot.bodies:
            body.group = robot.material
    return MachineDescription(
        title=described.name,
        description=f"read from {path.name}",
        controls=robot.controls,
        materials={robot.material: material or Material(source="not said by URDF; the default")},
        bodies=robot.bodies,
        joints=robot.joints,
    )


def _set_start(robot: _Robot, joints: list[Any], wanted: Mapping[str, float]) -> None:
    movable = [joint.name for joint in joints if joint.type in ("revolute", "continuous", "prismatic")]
    for name in wanted:
        if name not in movable:
            raise SceneError(f"start: {unknown_name('joint', name, movable)}")
    for joint in joints:
        low, high = _limits(robot, joint)
        value = float(wanted.get(joint.name, min(max(0.0, low), high)))
        if not low <= value <= high:
            raise SceneError(
                f"{robot.path}: start of joint {joint.name!r}: {value:g} lies outside of its limits {low:g} to {high:g}"
            )
        robot.start[joint.name] = value
    by_name = {joint.name: joint for joint in joints}
    for joint in joints:
        seen = {joint.name}
        factor, offset, leader = 1.0, 0.0, joint
        while leader.mimic is not None:
            # Through several: q = m₁ (m₂ q₂ + b₂) + b₁.
            offset += factor * leader.mimic.offset
            factor *= leader.mimic.multiplier
            leader = by_name[leader.mimic.joint]
            if leader.name in seen:
                raise SceneError(f"{robot.path}: joint {joint.name!r}: mimics itself; break the circle")
            seen.add(leader.name)
        if leader is not joint:
            robot.start[joint.name] = factor * robot.start[leader.name] + offset


def _limits(robot: _Robot, joint: Any) -> tuple[float, float]:
    """Of the coordinate as URDF counts it; what is not said is 0, as its specification has it."""
    if joint.type not in ("revolute", "prismatic"):
        return -math.inf, math.inf
    if joint.limit is None:
        free = "; write type='continuous' for a hinge without limits" if joint.type == "revolute" else ""
        raise SceneError(
            f"{robot.path}: joint {joint.name!r}: a {joint.type} joint needs <limit lower=… upper=…>{free}"
        )
    low, high = joint.limit.lower or 0.0, joint.limit.upper or 0.0
    if low > high:
        raise SceneError(
            f"{robot.path}: joint {joint.name!r}: the limits conflict: lower {low:g} is more than upper {high:g}; "
            "exchange them"
        )
    return low, high


def _place_root(robot: _Robot, root: Any, fixed_base: bool, joints: list[Any]) -> None:
    robot.pose[root.name] = np.eye(4)
    if not _is_frame(root):
        body = _add_body(robot, root, fixed=root.inertial is None)
        if fixed_base and not body.fixed:
            robot.joints.append(Fixed(name=_free_name(robot, "base"), first=body.name, position=(0, 0, 0)))
        robot.carrier[root.name] = root.name
        return
    # Something that moves on a frame without mass can only be held by the world.
    held = (
        root.name == WORLD or fixed_base or any(joint.type not in ("fixed", "floating") for joint in joints)
    )
    robot.carrier[root.name] = "" if held else None


def _place_link(robot: _Robot, link: Any, joint: Any) -> None:
    """Puts a link below its parent, and the joint between them."""
    here = product(robot.pose[joint.parent], _matrix(joint.origin))
    axis = np.asarray(joint.axis, np.float64)
    axis = axis / (norm(axis) or 1.0)
    moved = np.eye(4)
    if joint.type == "prismatic":
        moved[:3, 3] = axis * robot.start[joint.name]
    elif joint.type in ("revolute", "continuous"):
        moved[:3, :3] = rotation_matrix(axis * robot.start[joint.name])
    robot.pose[link.name] = product(here, moved)
    carrier = robot.carrier[joint.parent]
    if _is_frame(link):
        if joint.type not in ("fixed", "floating"):
            raise SceneError(
                f"{robot.path}: link {link.name!r}: has no mass, but joint {joint.name!r} moves it; give it "
                "<inertial>, or make the joint fixed"
            )
        robot.carrier[link.name] = carrier if joint.type == "fixed" else None
        return
    on_world = carrier == "" and joint.type == "fixed"
    _add_body(robot, link, fixed=on_world and link.inertial is None)
    robot.carrier[link.name] = link.name
    if joint.type == "floating" or (on_world and link.inertial is None):
        return
    if carrier is None:
        # A frame without mass becomes part of what is fixed to it; what moves on it is held by the world.
        owner = link.name if joint.type == "fixed" else ""
        robot.carrier |= {name: owner for name, now in robot.carrier.items() if now is None}
        if joint.type == "fixed":
            return
    robot.joints.append(_joint(robot, joint, rotate(here[:3, :3], axis), link.name, carrier or ""))


def _joint(robot: _Robot, joint: Any, axis: F64, child: str, parent: str) -> Any:
    place = tuple(map(float, robot.pose[child][:3, 3]))
    common: dict[str, Any] = {"name": joint.name, "first": child, "second": parent, "position": place}
    low, high = _limits(robot, joint)
    if joint.type == "fixed" or (high - low < NO_PLAY and joint.mimic is None):
        return Fixed(**common)
    start = robot.start[joint.name]
    reach = (low - start, high - start) if joint.mimic is None else (-math.inf, math.inf)
    common |= {"axis": tuple(map(float, axis)), **_resistance(joint)}
    if joint.mimic is None:
        motor = _motor(robot, joint, reach)
        if motor is not None:
            common["motor"] = motor
            robot.controls[joint.name] = f"{robot.drive} of joint {joint.name}"
    bounded = math.isfinite(reach[0])
    if joint.type == "prismatic":
        return Slider(**common, range=reach if bounded else None)
    turns = (math.degrees(reach[0]), math.degrees(reach[1])) if bounded else None
    return Hinge(**common, range_deg=turns)


def _resistance(joint: Any) -> dict[str, Any]:
    """Viscous damping and dry friction of a joint."""
    found: dict[str, Any] = {}
    if joint.dynamics is None:
        return found
    damping, friction = (float(number or 0.0) for number in (joint.dynamics.damping, joint.dynamics.friction))
    if damping > 0:
        found["spring"] = Spring(stiffness=DAMPER_RATE * damping, damping=damping)
    if friction > 0:
        found["brake"] = Brake(max_force=friction)
    return found


def _motor(robot: _Robot, joint: Any, reach: tuple[float, float]) -> Any:
    limit = joint.limit
    if robot.drive == "none" or limit is None or not (limit.effort or 0) > 0 or not (limit.velocity or 0) > 0:
        return None
    if robot.drive == "force":
        return ForceMotor(force=limit.effort, control=joint.name)
    if robot.drive == "velocity":
        return VelocityMotor(speed=limit.velocity, max_force=limit.effort, control=joint.name)
    low, high = reach if math.isfinite(reach[0]) else (-math.pi, math.pi)
    return PositionMotor(
        target=0.5 * (low + high),
        reach=0.5 * (high - low),
        max_speed=limit.velocity,
        max_force=limit.effort,
        control=joint.name,
    )


def _add_gears(robot: _Robot, joints: list[Any]) -> None:
    made = {joint.name: joint for joint in robot.joints if isinstance(joint, Hinge | Slider)}
    for joint in joints:
        if joint.mimic is None or joint.name not in made:
            continue
        if joint.mimic.joint not in made:
            raise SceneError(
                f"{robot.path}: joint {joint.name!r}: mimics {joint.mimic.joint!r}, which does not move"
            )
        if joint.mimic.multiplier == 0:
            raise SceneError(
                f"{robot.path}: joint {joint.name!r}: a multiplier of 0 is a fixed joint; say so"
            )
        name = _free_name(robot, f"{joint.name} mimics {joint.mimic.joint}"[:90])
        robot.joints.append(
            Gear(name=name, first=joint.name, second=joint.mimic.joint, ratio=-joint.mimic.multiplier)
        )


def _free_name(robot: _Robot, wanted: str) -> str:
    taken = {*robot.start, *(joint.name for joint in robot.joints)}
    names = (wanted, *(f"{wanted} {k}" for k in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _is_frame(link: Any) -> bool:
    return link.inertial is None and not link.collisions and not link.visuals


def _add_body(robot: _Robot, link: Any, fixed: bool) -> Body:
    """A link as a body; with <inertial> its shapes weigh nothing themselves."""
    where = f"{robot.path}: link {link.name!r}"
    pose = robot.pose[link.name]
    inertial = link.inertial
    given: dict[str, Any] = {}
    if inertial is not None:
        mass = inertial.mass
        if mass is None or mass <= 0:
            raise SceneError(
                f"{where}: its mass is {mass or 0:g} kg; give it a positive mass, or leave <inertial> out when "
                "it is only a frame"
            )
        frame = _matrix(inertial.origin)
        given = {"mass": mass, "center_of_mass": tuple(map(float, frame[:3, 3]))}
        if inertial.inertia is not None:
            turn = frame[:3, :3]
            given["inertia"] = _symmetric(product(product(turn, inertial.inertia), turn.T))
    elif not fixed:
        robot.weighed.append(link.name)
    pieces = [
        _piece(part, f"{where}: <{what}>", robot.path.parent, weighs=given.get("inertia") is None)
        for what, parts in (("collision", link.collisions), ("visual", link.visuals))
        if what == "collision" or not link.collisions
        for part in parts
    ]
    try:
        body = Body(
            name=link.name,
            material=robot.material,
            shapes=pieces,
            **_placed(pose),
            fixed=fixed,
            **given,
        )
    except SceneError as error:
        raise SceneError(f"{where}: {str(error).removeprefix(f'Body {link.name[:60]!r}: ')}") from None
    robot.bodies.append(body)
    return body


def _piece(part: Any, where: str, folder: Path, weighs: bool) -> Piece:
    frame = _matrix(part.origin)
    shape = part.geometry
    try:
        if shape.box is not None:
            made: Any = Box(size=shape.box.size)
        elif shape.sphere is not None:
            made = Sphere(radius=shape.sphere.radius)
        elif shape.cylinder is not None:
            made = Cylinder(radius=shape.cylinder.radius, height=shape.cylinder.length)
        else:
            made = _mesh(shape.mesh, where, folder)
        return Piece(
            shape=made,
            **_placed(frame),
            massless=not weighs,
        )
    except SceneError as error:
        text = str(error)
        raise SceneError(text if text.startswith(where) else f"{where}: {text}") from None


def _mesh(mesh: Any, where: str, folder: Path) -> Mesh:
    file = mesh_file(mesh.filename, folder, where)
    scale = np.broadcast_to(np.asarray(1.0 if mesh.scale is None else mesh.scale, np.float64), 3)
    if (scale == 0).any():
        raise SceneError(f"{where}: a scale of 0 leaves nothing of mesh {mesh.filename!r}")
    if (scale == scale[0]).all() and scale[0] > 0:
        return Mesh(file=str(file), scale=float(scale[0]))
    from windrow.geometry.mesh import load_surface

    surface = load_surface(Mesh(file=str(file)), where, Path())
    # A mirror turns inside out; the corners of each triangle run the other way then.
    faces = surface.faces if scale.prod() > 0 else surface.faces[:, ::-1]
    return Mesh(vertices=surface.vertices * scale, faces=faces)


def mesh_file(name: str, folder: Path, where: str) -> Path:
    """The file that a mesh of a URDF in `folder` names: a path, file://, or package://NAME/path.

    Packages are looked for among the folders that the file lies in: NAME itself, or a folder that holds it.
    """
    parts = urlsplit(name)
    if parts.scheme in ("package", "model"):
        inside = unquote(parts.path).lstrip("/")
        around = [folder.resolve(), *folder.resolve().parents]
        tried = [
            *(up / inside for up in around if up.name == parts.netloc),
            *(up / parts.netloc / inside for up in around),
            folder / inside,
        ]
    elif parts.scheme == "file":
        tried = [Path(unquote(parts.path))]
    elif len(parts.scheme) > 1:
        raise SceneError(
            f"{where}: mesh {name!r}: {parts.scheme}:// is not looked up; copy the mesh beside the URDF file"
        )
    else:
        tried = [folder / name]
    for file in tried:
        if file.is_file():
            return file.resolve()
    places = ", ".join(dict.fromkeys(str(place) for place in tried[:3]))
    raise SceneError(
        f"{where}: there is no mesh file {name!r} (looked for {places}); put it there, or correct the name"
    )


def _matrix(origin: F64 | None) -> F64:
    return np.eye(4) if origin is None else np.asarray(origin, np.float64)


def _placed(pose: F64) -> dict[str, Any]:
    """A pose (4, 4) in the fields of a body or piece."""
    return {"position": pose[:3, 3], "rotation_deg": np.rad2deg(rotation_vector(pose[:3, :3]))}


def _symmetric(matrix: F64) -> F64:
    return np.asarray(0.5 * (matrix + matrix.T))
