"""URDF text to checked elements. Strangers' files are met with suspicion: size, entities, numbers, names.

What can be wrong is found here, before anything is built, so that each message names link or joint, value and
remedy. The elements themselves are read by yourdfpy.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from windrow.errors import FileFormatError, MissingExtraError, SceneError, unknown_name
from windrow.files import refuse_other_than_files
from windrow.fixed_math import norm, product
from windrow.scene.arrays import LARGEST, FloatArray
from windrow.scene.messages import listed
from windrow.scene.motion import rotation_matrix

LARGEST_FILE = 1 << 26
"""Bytes; a URDF of a thousand links has one."""
DEEPEST = 100
"""Elements within elements; URDF needs five."""
JOINT_TYPES = ("fixed", "revolute", "continuous", "prismatic", "floating", "planar")
GEOMETRIES = ("box", "cylinder", "sphere", "mesh")
NUMBERS: dict[str, dict[str, tuple[int, ...]]] = {
    "origin": {"xyz": (3,), "rpy": (3,)},
    "axis": {"xyz": (3,)},
    "box": {"size": (3,)},
    "cylinder": {"radius": (1,), "length": (1,)},
    "sphere": {"radius": (1,)},
    "mesh": {"scale": (0, 1, 3)},
    "mass": {"value": (1,)},
    "inertia": dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), (1,)),
    "limit": dict.fromkeys(("lower", "upper", "effort", "velocity"), (1,)),
    "dynamics": dict.fromkeys(("damping", "friction"), (1,)),
    "mimic": dict.fromkeys(("multiplier", "offset"), (1,)),
}
"""How many numbers each attribute of an element has."""
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")
REQUIRED = {
    "box": "size",
    "sphere": "radius",
    "cylinder": "radius",
    "mesh": "filename",
    "mass": "value",
    "mimic": "joint",
}


def parsed_robot(path: Path) -> Any:
    """The robot of a URDF file, as yourdfpy's data; everything in it has been checked."""
    try:
        import yourdfpy
    except ImportError:
        raise MissingExtraError(
            f"{path}: reading URDF needs yourdfpy; install it with: pip install 'windrow[urdf]'"
        ) from None
    root = _tree(_bytes_of(path), path)
    problems = list(_problems(root))
    if problems:
        raise SceneError(listed(problems, str(path)))
    # Written anew: whatever was odd about the text, such as its XML version or its encoding, ends here.
    clean = io.BytesIO(ElementTree.tostring(root))
    try:
        robot = yourdfpy.URDF.load(clean, build_scene_graph=False, load_meshes=False).robot
    except Exception as problem:  # whatever a foreign reader meets that the checks above let pass
        raise FileFormatError(f"{path}: cannot be read as URDF: {problem}") from problem
    _place(robot, root)
    return robot


def _place(robot: Any, root: ElementTree.Element) -> None:
    """All origins anew from their numbers: yourdfpy's sines and products depend on the processor."""
    parts = list(zip(robot.joints, root.findall("joint"), strict=True))
    for link, element in zip(robot.links, root.findall("link"), strict=True):
        parts += zip(link.visuals, element.findall("visual"), strict=True)
        parts += zip(link.collisions, element.findall("collision"), strict=True)
        if link.inertial is not None:
            parts += zip([link.inertial], element.findall("inertial"), strict=False)
    for part, element in parts:
        origin = element.find("origin")
        part.origin = None if origin is None else _pose(origin)


def _pose(origin: ElementTree.Element) -> FloatArray:
    """(4, 4): turned about x, then y, then z of the parent's frame, and moved."""
    pose = np.eye(4)
    for axis, angle in zip(np.eye(3), _numbers(origin, "rpy"), strict=True):
        pose[:3, :3] = product(rotation_matrix(axis * angle), pose[:3, :3])
    pose[:3, 3] = _numbers(origin, "xyz")
    return pose


def _numbers(element: ElementTree.Element, name: str) -> list[float]:
    return [float(word) for word in element.get(name, "0 0 0").split()]


def _bytes_of(path: Path) -> bytes:
    refuse_other_than_files(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise FileFormatError(
                f"{path}: {path.stat().st_size} bytes are more than a URDF file may have ({LARGEST_FILE}); "
                "keep meshes in files of their own"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise FileFormatError(f"{path}: there is no such file") from None
    except OSError as error:
        raise FileFormatError(f"{path}: cannot read: {error.strerror}") from None


def _tree(text: bytes, path: Path) -> ElementTree.Element:
    """The elements of well-formed XML without a document type: entities are how XML bombs are made."""
    builder = ElementTree.TreeBuilder()
    depth = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise FileFormatError(f"{path}: elements are nested more than {DEEPEST} deep; this is no URDF")
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name)

    def refuse(*_: object) -> None:
        raise FileFormatError(
            f"{path}: has a document type (<!DOCTYPE …>); URDF needs none, and entities in it are not "
            "expanded: remove it"
        )

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text, True)
        return builder.close()
    except (expat.ExpatError, ValueError) as error:
        raise FileFormatError(f"{path}: not XML: {error}; is this a URDF file?") from None


def _problems(root: ElementTree.Element) -> Iterator[str]:
    """Sentences about everything that is wrong, each led by the link or joint that it is about."""
    if root.tag != "robot":
        yield f"its root element is <{root.tag}>; a URDF file has <robot name=…>"
        return
    if any(":" in element.tag for element in root.iter() if element.tag.startswith("xacro:")):
        yield "contains xacro macros; expand them first (xacro file.xacro > file.urdf)"
        return
    for name in {word for element in root.iter() for word in (element.tag, *element.attrib)}:
        if not _PLAIN_NAME.fullmatch(name):
            yield f"an element or attribute is called {name[:60]!r}; names have letters, digits, '_', '-', '.' and ':'"
    if not root.get("name"):
        yield "robot: has no name; write <robot name=…>"
    for kind in ("link", "joint"):
        seen: set[str] = set()
        for number, element in enumerate(root.findall(kind)):
            name = element.get("name", "")
            where = f"{kind} {name!r}" if name else f"{kind} number {number + 1}"
            if not name:
                yield f"{where}: has no name"
            elif name in seen:
                yield f"{where}: the name is taken; choose another"
            elif len(name) > 100:
                yield f"{where}: the name has more than 100 characters"
            seen.add(name)
            yield from _odd_numbers(element, where)
            yield from _odd_geometry(element, where) if kind == "link" else _odd_joint(element, where)
    yield from _odd_references(root)
    if not root.findall("link"):
        yield "robot: has no links"


def _odd_numbers(element: ElementTree.Element, where: str) -> Iterator[str]:
    for part in element.iter():
        needed = REQUIRED.get(part.tag)
        if needed is not None and part.get(needed) is None:
            yield f"{where}: <{part.tag}> lacks {needed}"
        for name, counts in NUMBERS.get(part.tag, {}).items():
            text = part.get(name)
            if text is None:
                continue
            numbers = _floats(text)
            if numbers is None or len(numbers) not in counts:
                count = max(counts)
                what = "a finite number" if count == 1 else f"{count} finite numbers"
                yield f"{where}: {name} of <{part.tag}> must be {what} within ±{LARGEST:g} (got {text[:60]!r})"


def _floats(text: str) -> list[float] | None:
    """Numbers of a sensible size, separated by spaces or commas; None: something else."""
    try:
        numbers = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        return None
    return numbers if all(abs(number) <= LARGEST for number in numbers) else None


def _odd_geometry(link: ElementTree.Element, where: str) -> Iterator[str]:
    for part in (*link.findall("collision"), *link.findall("visual")):
        shapes = [shape.tag for shape in part.findall("geometry/*")]
        if len(shapes) != 1 or shapes[0] not in GEOMETRIES:
            yield (
                f"{where}: <{part.tag}> needs one geometry, {', '.join(GEOMETRIES[:-1])} or {GEOMETRIES[-1]} "
                f"(got {', '.join(shapes)[:60] or 'none'})"
            )


def _odd_joint(joint: ElementTree.Element, where: str) -> Iterator[str]:
    kind = joint.get("type", "")
    if kind not in JOINT_TYPES:
        yield f"{where}: {unknown_name('type', kind, JOINT_TYPES)}"
    if kind == "planar":
        yield (
            f"{where}: planar joints are not supported; write two prismatic joints and a continuous one, with "
            "light links between them"
        )
    for end in ("parent", "child"):
        part = joint.find(end)
        if part is None or not part.get("link"):
            yield f"{where}: has no {end}; write <{end} link=…/>"
    axis = joint.find("axis")
    if axis is not None and kind in ("revolute", "continuous", "prismatic"):
        numbers = _floats(axis.get("xyz", "1 0 0"))
        if numbers is not None and norm(numbers) < 1e-9:
            yield f"{where}: its axis has no direction (got {axis.get('xyz')!r})"


def _odd_references(root: ElementTree.Element) -> Iterator[str]:
    """Joints must make a tree of the links: one root, one parent for each other link, no loop."""
    links = [link.get("name", "") for link in root.findall("link")]
    joints = [joint.get("name", "") for joint in root.findall("joint")]
    parent: dict[str, str] = {}
    for joint in root.findall("joint"):
        where = f"joint {joint.get('name', '')!r}"
        ends = {end: _end(joint, end) for end in ("parent", "child")}
        for end, link in ends.items():
            if link and link not in links:
                yield f"{where}: {end}: {unknown_name('link', link, links)}"
        mimic = joint.find("mimic")
        if mimic is not None and mimic.get("joint", "") not in joints:
            yield f"{where}: mimic: {unknown_name('joint', mimic.get('joint', ''), joints)}"
        child = ends["child"]
        if child in parent:
            yield (
                f"{where}: link {child!r} has a parent already; URDF describes trees. Close loops with joints "
                "of the scene after the import"
            )
        parent.setdefault(child, ends["parent"])
    roots = [link for link in links if link not in parent]
    if links and not roots:
        yield "its joints form a loop, so that no link is the root"
    elif len(roots) > 1:
        yield f"has {len(roots)} roots ({', '.join(map(repr, roots[:6]))}); join them to one link"
    for link in links:
        walked, at = {link}, parent.get(link)
        while at is not None and at not in walked:
            walked.add(at)
            at = parent.get(at)
        if at is not None and roots:
            yield f"link {link!r}: is part of a loop of joints; URDF describes trees"


def _end(joint: ElementTree.Element, end: str) -> str:
    part = joint.find(end)
    return "" if part is None else part.get("link", "")
