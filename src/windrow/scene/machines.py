"""Machines as data: bodies, joints and named controls that are placed into a scene as a whole."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from windrow.errors import FileFormatError, SceneError, unknown_name
from windrow.files import refuse_other_than_files
from windrow.scene.arrays import Number, Positive, Switch, Vector3
from windrow.scene.bodies import Body
from windrow.scene.corners import Corners
from windrow.scene.hydraulics import Engine, Lever, Pump
from windrow.scene.joints import Joint
from windrow.scene.materials import Material, Name
from windrow.scene.messages import explain
from windrow.scene.part import Part
from windrow.scene.shapes import Mesh
from windrow.scene.tools import Cutting

DRIVERS = ("motor", "brake")
"""Fields of a joint that follow a control."""


class Cabin(Part):
    """Where the operator's eyes are."""

    body: Name = Field(description="name of the body that carries it")
    eye: Vector3 = Field(description="in that body's frame, m")
    look: Vector3 = Field(description="a point that is looked at, in that body's frame, m")


class View(Part):
    """Where a camera outside begins, seen from the body that the operator sits in, along the machine's heading."""

    eye: Vector3 = Field(description="of the camera, m from that body; without a cabin, from the first body")
    look: Vector3 = Field(description="a point that is looked at, m from that body")


class Tool(Corners):
    """What the machine fills: a bucket, and the room in it."""

    body: Name = Field(description="name of the body")
    name: str = Field(default="", max_length=60, description="of the tool; empty: that of the body")
    lower: Vector3 = Field(
        description="lowest corner of the room that counts, in that body's frame, m; what is heaped or lies on the "
        "edge is to be inside"
    )
    upper: Vector3 = Field(description="its highest corner, m")
    volume: Positive = Field(description="rated, m³")
    cutting: Cutting | None = Field(default=None, description="where it cuts into terrain; none: it does not dig")
    settles: Switch = Field(
        default=False,
        description="soil that has come to rest in the room moves with the body from then on, and is grains again when "
        "it tips, as in the bed of a truck",
    )

    @property
    def known_as(self) -> str:
        return self.name or self.body


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
    engine: Engine | None = Field(default=None, description="what turns its pumps; none: they have power enough")
    pumps: dict[Name, Pump] = Field(default_factory=dict, description="that its functions share, by name")
    lever: Lever | None = Field(default=None, description="how valves follow its controls; none: at once")
    cabin: Cabin | None = Field(default=None, description="the operator's place; none: nobody sits in it")
    view: View | None = Field(default=None, description="from where it is seen first; none: from behind")
    tool: Tool | None = Field(default=None, description="what it fills; none: nothing")
    tools: list[Tool] = Field(default_factory=list, description="further ones, such as a ripper or a second bucket")

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        problems = [*_unknown_names(self), *_odd_controls(self), *odd_pumps(self.joints, self.pumps)]
        problems += [
            f"pumps.{name}.engine: a machine has one engine, under engine; leave the name out"
            for name, pump in self.pumps.items()
            if pump.engine
        ]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def all_tools(self) -> list[Tool]:
        """`tool`, then `tools`."""
        return ([] if self.tool is None else [self.tool]) + list(self.tools)

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
    parts = {"cabin": machine.cabin, "tool": machine.tool}
    parts |= {f"tools[{k}]": tool for k, tool in enumerate(machine.tools)}
    for place, part in parts.items():
        if part is not None and part.body not in bodies:
            yield f"{place}.body: {unknown_name('body', part.body, bodies)}"
    named = [tool.known_as for tool in machine.all_tools()]
    for name in sorted({name for name in named if named.count(name) > 1}):
        yield f"tools: two are called {name!r}; give each a name of its own"


def _odd_controls(machine: MachineDescription) -> Iterator[str]:
    used = machine.joint_controls()
    for name in sorted(used - set(machine.controls)):
        yield f"controls: a joint follows {name!r}; say under controls what it does"
    for name in sorted(set(machine.controls) - used):
        yield f"controls.{name}: no joint follows it; leave it out, or name it in a motor, brake or cylinder"


def drives_of(joint: Any) -> Iterator[tuple[str, Any]]:
    """What of a joint takes oil, with its field: a cylinder itself, or a motor."""
    for field, driver in (("", joint), ("motor.", getattr(joint, "motor", None))):
        if hasattr(driver, "pump"):
            yield field, driver


def odd_pumps(joints: list[Joint], pumps: Mapping[str, Pump]) -> Iterator[str]:
    """Sentences about joints whose pump is not there, or whose pressures do not fit it."""
    for index, joint in enumerate(joints):
        where = f"joints[{index}]" + (f" ({joint.name})" if joint.name else "")
        for field, driver in drives_of(joint):
            if not driver.pump:
                continue
            if driver.pump not in pumps:
                yield f"{where}.{field}pump: {unknown_name('pump', driver.pump, pumps)}. Pumps are listed under pumps"
                continue
            limit, hold = pumps[driver.pump].pressure_limit, getattr(driver, "hold_pressure", None)
            if hold is not None and hold < (driver.pressure_limit or limit):
                yield (
                    f"{where}.{field}hold_pressure: {hold:g} Pa is below the {limit:g} Pa that pump {driver.pump!r} "
                    "gives: it could not hold what it lifts; raise it, or leave it out"
                )


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
        refuse_other_than_files(path)
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
