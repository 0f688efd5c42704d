"""The machines of a scene as an operator meets them: levers, a place to sit, a tool to fill."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.scene.machines import MachineDescription, controls_of
from windrow.scene.scene import Scene

NOBODYS = -1
"""Number of the machine of what belongs to none."""


@dataclass(frozen=True)
class RigTool:
    row: int
    """of its body among the bodies of a frame"""
    lower: NDArray[np.float64]
    """(3,) in the body's frame, m"""
    upper: NDArray[np.float64]
    rated: float
    """m³"""


@dataclass(frozen=True)
class Rig:
    """One machine. Rows are those of the bodies of a frame: obstacles first, then bodies."""

    name: str
    title: str
    lead: str
    """what goes before all of its names"""
    rows: range
    bodies: tuple[str, ...]
    controls: dict[str, str] = field(repr=False)
    cabin: dict[str, Any] | None
    tool: RigTool | None
    view: dict[str, Any] | None = None

    @property
    def follow(self) -> int:
        """Row of the body that a camera chases: the one one sits in, else the heaviest there is to see."""
        return int(self.cabin["body"]) if self.cabin is not None else self.rows.start

    def told(self) -> dict[str, Any]:
        tool = self.tool
        return {
            "name": self.name,
            "title": self.title,
            "cabin": self.cabin,
            "tool": None
            if tool is None
            else {
                "body": tool.row,
                "lower": tool.lower.tolist(),
                "upper": tool.upper.tolist(),
                "rated": tool.rated,
            },
            "follow": self.follow,
            "view": self.view,
        }


def rigs_of(scene: Scene) -> list[Rig]:
    """The machines of a scene, in its order."""
    row = len(scene.obstacles) + (scene.terrain is not None) + len(scene.bodies)
    rigs = []
    for placement, machine in zip(scene.machines, scene.placed_machines(), strict=True):
        rows = range(row, row + len(machine.bodies))
        rigs.append(_rig(placement.name, machine, rows))
        row = rows.stop
    return rigs


def _rig(name: str, machine: MachineDescription, rows: range) -> Rig:
    names = [body.name for body in machine.bodies]
    cabin, tool = machine.cabin, machine.tool
    return Rig(
        name=name or machine.title,
        title=machine.title,
        lead=f"{name} " if name else "",
        rows=rows,
        bodies=tuple(names),
        controls=dict(machine.controls),
        cabin=None
        if cabin is None
        else {"body": rows[names.index(cabin.body)], "eye": list(cabin.eye), "look": list(cabin.look)},
        tool=None
        if tool is None
        else RigTool(
            rows[names.index(tool.body)], np.array(tool.lower), np.array(tool.upper), float(tool.volume)
        ),
        view=None if machine.view is None else {"eye": list(machine.view.eye), "look": list(machine.view.look)},
    )


def controls_told(scene: Scene, names: list[str], rigs: list[Rig]) -> list[dict[str, Any]]:
    """What a page needs to show a lever for each control: whose it is, what it does, how far it goes."""
    one_sided = {
        brake.control
        for joint in scene.assembled().joints
        if (brake := getattr(joint, "brake", None)) is not None
    }
    followed = {
        name
        for joint in scene.assembled().joints
        for name in controls_of(joint)
        if name != getattr(getattr(joint, "brake", None), "control", "")
    }
    told = []
    for name in names:
        number = next((k for k, rig in enumerate(rigs) if name in rig.controls), NOBODYS)
        rig = rigs[number] if number != NOBODYS else None
        told.append(
            {
                "name": name,
                "role": name.removeprefix(rig.lead) if rig is not None else name,
                "text": rig.controls[name] if rig is not None else "",
                "low": 0 if name in one_sided - followed else -1,
                "high": 1,
                "machine": number,
            }
        )
    return told
