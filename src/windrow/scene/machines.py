"""Machines as data: bodies, joints and named controls that are placed into a scene as a whole."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from windrow.errors import FileFormatError, SceneError, unknown_name
from windrow.scene.arrays import Number, Positive, Vector3
from windrow.scene.bodies import Body
from windrow.scene.joints import Joint
from windrow.scene.materials import Material, Name
from windrow.scene.messages import explain
from windrow.scene.part import Part
from windrow.scene.shapes import Mesh

DRIVERS = ("motor", "brake")
"""Fields of a joint that follow a control."""


class Cabin(Part):
    """Where the operator's eyes are."""

    body: Name = Field(description="name of the body that carries it")
    eye: Vector3 = Field(description="in that body's frame, m")
    look: Vector3 = Field(description="a point that is looked at, in that body's frame, m")


class Tool(Part):
    """What the machine fills: a bucket, and the room in it."""

    body: Name = Field(description="name of the body")
    lower: Vector3 = Field(
        description="lowest corner of the room that counts, in that body's frame, m; what is heaped or lies on the "
        "edge is to be inside"
    )
    upper: Vector3 = Field(description="its highest corner, m")
    volume: Positive = Field(description="rated, m³")

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if not all(low < high for low, high in zip(self.lower, self.upper, strict=True)):
            raise ValueError(f"upper {self.upper} must exceed lower {self.lower} along x, y and z")
        return self


class MachineDescription(Part):
    """A machine: its parts where they stand when it stands at the origin, looking along x, z up."""

    title: str = Field(default="", description="one line")
    description: str = Field(default="", description="what it is")
    controls: dict[Name, str] = Field(default_factory=dict, description="what each control does, by name")
    materials: dict[Name, Material] = Field(
        default_factory=dict, description="by name; those that a scene has already are the scene's"
    )
    bodies: list[Body] = Field(description="in the machine's frame", min_length=1)
    joints: list[Joint] = Field(default_factory=list, description="in the machine's frame")
    cabin: Cabin | None = Field(default=None, description="the operator's place; none: nobody sits in it")
    tool: Tool | None = Field(default=None, description="what it fills; none: nothing")

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        problems = [*_unknown_names(self), *_odd_controls(self)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def joint_controls(self) -> set[str]:
        """Names of the controls that its joints follow."""
        return {name for joint in self.joints for name in controls_of(joint)}


class MachinePlacement(Part):
    """A machine in a scene."""

    model: Name = Field(description="a built-in machine by name, or a .toml file")
    name: str = Field(
        default="",
        max_length=60,
        description="goes before the names of its bodies, joints and controls, with a space between; "
        "needed where a scene has two of a kind",
    )
    position: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the machine's origin, m")
    heading_deg: Number = Field(default=0.0, description="turned left about z, degrees; 0: looks along x")

    @property
    def is_file(self) -> bool:
        return self.model.endswith(".toml")


def controls_of(joint: Any) -> Iterator[str]:
    """Names of the controls that a joint follows."""
    for driver in (joint, *(getattr(joint, field, None) for field in DRIVERS)):
        name = getattr(driver, "control", "")
        if name:
            yield name


def _unknown_names(machine: MachineDescription) -> Iterator[str]:
    bodies = [body.name for body in machine.bodies]
    joints = [joint.name for joint in machine.joints if joint.name]
    for field, names in (("bodies", bodies), ("joints", joints)):
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"{field}: the name {name!r} is given twice; choose another"
    for index, body in enumerate(machine.bodies):
        if body.material not in machine.materials:
            yield f"bodies[{index}].material: {unknown_name('material', body.material, machine.materials)}"
    for index, joint in enumerate(machine.joints):
        what, known = ("joint", joints) if joint.kind == "gear" else ("body", bodies)
        for field in ("first", "second"):
            name = getattr(joint, field)
            if name and name not in known:
                yield f"joints[{index}].{field}: {unknown_name(what, name, known)}"
    for place in ("cabin", "tool"):
        part = getattr(machine, place)
        if part is not None and part.body not in bodies:
            yield f"{place}.body: {unknown_name('body', part.body, bodies)}"


def _odd_controls(machine: MachineDescription) -> Iterator[str]:
    used = machine.joint_controls()
    for name in sorted(used - set(machine.controls)):
        yield f"controls: a joint follows {name!r}; say under controls what it does"
    for name in sorted(set(machine.controls) - used):
        yield f"controls.{name}: no joint follows it; leave it out, or name it in a motor, brake or cylinder"


def built_in_machines() -> list[str]:
    """Names of the machines that come along."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in _library().iterdir() if entry.name.endswith(".toml")
    )


def machine_titles() -> dict[str, str]:
    """Titles of the machines that come along, by name."""
    return {name: str(tomllib.loads(machine_text(name)).get("title", "")) for name in built_in_machines()}


def machine_text(name: str) -> str:
    """The file of a machine that comes along, as it was written, with its comments."""
    if name not in built_in_machines():
        raise SceneError(unknown_name("machine", name, built_in_machines()))
    return str(_library().joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _library() -> Any:
    return resources.files("windrow.scene").joinpath("library", "machines")


def load_machine(name_or_path: str | Path, base_dir: Path | None = None) -> MachineDescription:
    """A built-in machine by name, or one from a .toml file (relative to `base_dir`).

    A file that is missing or cannot be read is a FileFormatError; a machine that cannot be used is a SceneError
    that names file, field and remedy.
    """
    path = Path(name_or_path)
    if path.suffix == ".toml":
        path = (base_dir or Path()) / path
        subject, source = str(path), path
    elif str(name_or_path) in built_in_machines():
        subject, source = f"built-in machine {name_or_path}", _library().joinpath(f"{name_or_path}.toml")
    else:
        raise SceneError(
            f"{unknown_name('machine', str(name_or_path), built_in_machines())}. Or give a .toml file"
        )
    try:
        data = tomllib.loads(source.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileFormatError(f"{subject}: there is no such machine file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise FileFormatError(f"{subject}: cannot be read as a machine: {problem}") from None
    try:
        machine = MachineDescription.__pydantic_validator__.validate_python(data)
    except ValidationError as error:
        raise SceneError(explain(error, subject, data)) from None
    assert isinstance(machine, MachineDescription)
    for body in machine.bodies:
        for piece in body.shapes:
            if isinstance(piece.shape, Mesh) and piece.shape.file is not None:
                piece.shape.file = str((path.parent / piece.shape.file).resolve())
    return machine
