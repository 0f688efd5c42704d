"""What can only be seen across a scene: names that exist, names that are unique, pairs that make sense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from windrow.errors import FileFormatError, SceneError, unknown_name
from windrow.scene.assembling import assembled
from windrow.scene.data import SceneData
from windrow.scene.machines import odd_pumps
from windrow.scene.materials import combine
from windrow.scene.messages import listed
from windrow.scene.soils import soils

COUPLED_BY_GEARS = ("hinge", "slider", "distance", "cylinder")
"""Joints with one angle, displacement or length."""


def check(scene: SceneData, subject: str = "scene") -> None:
    """Raises a SceneError that lists every problem; cheap, no grain is placed."""
    check_machines(scene, subject)
    scene = assembled(scene)
    problems = [
        *_unknown_materials(scene),
        *_repeated_names(scene),
        *_odd_pairs(scene),
        *_loose_joints(scene),
        *odd_pumps(scene.joints, scene.pumps),
        *_unknown_engines(scene),
        *_unknown_neighbours(scene),
    ]
    if problems:
        raise SceneError(listed(problems, subject))


def check_joints(scene: SceneData, subject: str = "scene") -> None:
    """Raises a SceneError when a joint names what is not there, or has a name that is taken."""
    repeated = [line for line in _repeated_names(scene) if line.startswith("joints")]
    problems = [*_loose_joints(scene), *repeated]
    if problems:
        raise SceneError(listed(problems, subject))


def check_machines(scene: SceneData, subject: str = "scene") -> None:
    """Raises a SceneError when a machine cannot be had, or its names are taken."""
    problems = list(_repeated_machines(scene))
    if not problems and scene.machines:
        try:
            problems = list(_repeated_names(assembled(scene)))
        except (SceneError, FileFormatError) as error:
            problems = [str(error)]
    if problems:
        raise SceneError(listed(problems, subject))


def unknown_material(scene: SceneData, name: str) -> str:
    """Sentence about a material that the scene does not have."""
    sentence = unknown_name("material", name, scene.materials)
    if name in soils():
        sentence += f". {name!r} is a soil: add a material {name!r} with soil = {name!r} first"
    elif not scene.materials:
        sentence += ". Add materials first"
    return sentence


def _unknown_materials(scene: SceneData) -> Iterator[str]:
    for field in ("particles", "obstacles", "bodies", "emitters"):
        for index, item in enumerate(getattr(scene, field)):
            if item.material not in scene.materials:
                yield f"{field}[{index}].material: {unknown_material(scene, item.material)}"
    for index, body in enumerate(scene.bodies):
        for number, piece in enumerate(body.shapes):
            if piece.paint is not None and piece.paint not in scene.materials:
                yield f"bodies[{index}].shapes[{number}].paint: {unknown_material(scene, piece.paint)}"
    for index, pair in enumerate(scene.material_pairs):
        for name in pair.materials:
            if name not in scene.materials:
                yield f"material_pairs[{index}].materials: {unknown_material(scene, name)}"


def _repeated_names(scene: SceneData) -> Iterator[str]:
    for field in ("obstacles", "bodies", "joints", "emitters", "sinks"):
        seen: dict[str, int] = {}
        for index, item in enumerate(getattr(scene, field)):
            if item.name and item.name in seen:
                first = f"{field}[{seen[item.name]}]"
                yield f"{field}[{index}].name: {item.name!r} is taken by {first}; choose another"
            seen.setdefault(item.name, index)


def _repeated_machines(scene: SceneData) -> Iterator[str]:
    seen: dict[str, int] = {}
    for index, machine in enumerate(scene.machines):
        if machine.name in seen:
            taken = f"{machine.name!r} is taken by" if machine.name else "left out, as that of"
            yield f"machines[{index}].name: {taken} machines[{seen[machine.name]}]; give each its own"
        seen.setdefault(machine.name, index)


def _loose_joints(scene: SceneData) -> Iterator[str]:
    bodies = {body.name: body for body in scene.bodies}
    movable = {joint.name for joint in scene.joints if joint.name and joint.kind in COUPLED_BY_GEARS}
    for index, joint in enumerate(scene.joints):
        where = f"joints[{index}]" + (f" ({joint.name})" if joint.name else "")
        if joint.kind == "gear":
            for field in ("first", "second"):
                if getattr(joint, field) not in movable:
                    sentence = unknown_name("hinge, slider or cylinder", getattr(joint, field), movable)
                    yield f"{where}.{field}: {sentence}. A gear couples two of them, by name"
            continue
        if joint.kind == "track" and not any(is_sprocket(other, joint) for other in scene.joints):
            yield (
                f"{where}.second: no hinge joins {joint.second!r} to {joint.first!r}; a sprocket turns on its frame: "
                "add that hinge, with a motor"
            )
        ends = [joint.first, joint.second] if joint.second else [joint.first]
        for field, name in zip(("first", "second"), ends, strict=False):
            if name not in bodies:
                yield f"{where}.{field}: {unknown_name('body', name, bodies)}. Leave second out for the world"
        if all(name in bodies and bodies[name].fixed for name in ends):
            yield f"{where}: nothing that it joins can move: {', '.join(ends)} is fixed; leave the joint out"


def _unknown_neighbours(scene: SceneData) -> Iterator[str]:
    names = {body.name for body in scene.bodies}
    for index, body in enumerate(scene.bodies):
        for name in body.meets:
            if name not in names:
                yield f"bodies[{index}] ({body.name}).meets: {unknown_name('body', name, names)}"


def is_sprocket(joint: Any, track: Any) -> bool:
    """Whether a joint is the hinge of a track's sprocket on its frame."""
    return joint.kind == "hinge" and {joint.first, joint.second} == {track.first, track.second}


def _unknown_engines(scene: SceneData) -> Iterator[str]:
    for name, pump in scene.pumps.items():
        if pump.engine and pump.engine not in scene.engines:
            yield f"pumps.{name}.engine: {unknown_name('engine', pump.engine, scene.engines)}"


def _odd_pairs(scene: SceneData) -> Iterator[str]:
    seen: dict[frozenset[str], int] = {}
    for index, pair in enumerate(scene.material_pairs):
        key = frozenset(pair.materials)
        if key in seen:
            yield f"material_pairs[{index}].materials: {pair.materials} repeats material_pairs[{seen[key]}]"
        seen.setdefault(key, index)
        a, b = (scene.materials.get(name) for name in pair.materials)
        if a is None or b is None:
            continue
        values = combine(a, b, pair)
        if values.friction_kinetic > values.friction_static:
            yield (
                f"material_pairs[{index}]: friction_kinetic {values.friction_kinetic:g} exceeds "
                f"friction_static {values.friction_static:g}; give both"
            )
