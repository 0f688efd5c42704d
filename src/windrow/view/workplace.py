"""What an operator works with in one simulation: the tool, its scales, the task."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.fixed_math import norm
from windrow.machines.targets import Finish, Survey, survey
from windrow.machines.weighing import Amount, PosedBox, Scales, ground_in
from windrow.scene.task import Task, Zone
from windrow.sim.simulation import Simulation
from windrow.view.gauges import oil_told, tool_of
from windrow.view.rigs import rigs_of
from windrow.view.tasks import Reading, TaskEngine

HEAPED = 0.6
"""Of the height of a tool's room: what lies so much above it is heaped on it, and not spilled yet."""


class Workplace:
    """Gauges of one simulation; what the scene does not have is not told."""

    def __init__(self, simulation: Simulation) -> None:
        scene = simulation.scene
        rigs = rigs_of(scene)
        self.tool = tool_of(scene, rigs)
        self.task = TaskEngine(scene.task) if scene.task is not None else None
        self.just_ended = False
        """Whether the task came to its end in the last reading."""
        self._scales = Scales(simulation.bodies)
        self._survey: Survey | None = None
        self._soil: tuple[Amount, Amount] | None = None
        """ground in the source and the destination when the task began"""

    def begin(self, simulation: Simulation) -> None:
        """Starts the task if it has not been started."""
        if self.task is None or self.task.state != "ready":
            return
        self._scales.forget()
        self._survey, self._soil = None, None
        if (self.tool is None or self.tool.tool is None) and self.task.task.source is not None:
            # With nothing to carry it in, all that leaves its place is taken: it is pushed.
            self._scales.weigh(simulation, [_room(self.task.task.source)], taking=0)
        _, reading = self._weighed(simulation)
        assert reading is not None
        self.task.start(reading)

    def read(self, simulation: Simulation) -> dict[str, Any]:
        """Gauges for the notes of a frame."""
        told: dict[str, Any] = {}
        names = simulation.controls
        if simulation.bodies is not None and names:
            told["controls"] = {
                name: round(float(value), 4)
                for name, value in zip(names, simulation.bodies.controls, strict=True)
            }
        if (hydraulics := oil_told(simulation.bodies)) is not None:
            told["oil"] = hydraulics
        if self.tool is None and self.task is None:
            return told
        in_tool, reading = self._weighed(simulation)
        if self.tool is not None:
            told["tool"] = self.tool.told(simulation, in_tool)
        if self.task is not None and reading is not None:
            self.just_ended |= self.task.read(reading)
            told["task"] = self.task.told()
        return told

    def _weighed(self, simulation: Simulation) -> tuple[Amount | None, Reading | None]:
        """What is in the tool, and what the task wants to know."""
        rooms: dict[str, PosedBox] = {}
        if self.tool is not None and (room := self.tool.room(simulation.body_poses())) is not None:
            rooms["tool"] = room
        if self.task is not None:
            if self.task.task.destination is not None:
                rooms["destination"] = _room(self.task.task.destination)
            if self.task.task.source is not None:
                rooms["source"] = _room(self.task.task.source)
            if "tool" in rooms:
                room = rooms["tool"]
                rooms["heaped"] = room.raised(HEAPED * float((room.upper - room.lower)[2]))
        if not rooms and self.task is None:
            return None, None
        amounts, spilled, on_its_way = self._scales.weigh(
            simulation, list(rooms.values()), taking=0 if "tool" in rooms else None
        )
        found = dict(zip(rooms, amounts, strict=True))
        if self.task is not None and simulation.state.ground is not None:
            spilled = self._add_ground(simulation, self.task.task, found, spilled)
        if self.task is not None and self.task.task.into:
            tool = simulation.tools[self.task.task.into]
            found["destination"] = Amount(tool.payload, tool.volume)
        in_tool = found.get("tool")
        if in_tool is not None and simulation.state.ground is not None:
            in_tool = self._carried(simulation) or in_tool
        if self.task is None:
            return in_tool, None
        fill = force = None
        if self.tool is not None:
            force = float(norm(np.nan_to_num(simulation.state.body_force[self.tool.row])))
            if self.tool.tool is not None and in_tool is not None:
                fill = in_tool.volume / self.tool.tool.rated
        reading = Reading(
            time=simulation.time,
            destination=found.get("destination", Amount()),
            spilled=spilled if "source" in rooms else None,
            fill=fill,
            force=force or 0.0,
            settled=on_its_way == 0.0,
            finish=self._finish(simulation, self.task.task),
        )
        return in_tool, reading

    def _carried(self, simulation: Simulation) -> Amount | None:
        """What the machine's tool holds of ground that can be dug, with or without grains."""
        tools = [tool for tool in simulation.tools.values() if self.tool is not None and tool.row == self.tool.row]
        return Amount(tools[0].payload, tools[0].volume) if tools else None

    def _finish(self, simulation: Simulation, task: Task) -> Finish | None:
        if task.surface is None or simulation.terrain is None:
            return None
        if self._survey is None:
            self._survey = survey(task.surface, simulation.terrain, task.tolerance, simulation.state)
        return self._survey.look(simulation.terrain, simulation.state)

    def _add_ground(self, simulation: Simulation, task: Task, found: dict[str, Amount], spilled: Amount) -> Amount:
        """Adds ground in the zones to what lies in them; returns what left the source and is neither in the
        destination nor in the tool."""
        if task.destination is None or simulation.terrain is None:
            return spilled
        zones = [task.source, task.destination]
        soil = [Amount() if zone is None else ground_in(zone, simulation.terrain) for zone in zones]
        source, destination = (
            own + found.get(name, Amount()) for own, name in zip(soil, ("source", "destination"), strict=True)
        )
        found["destination"] = destination
        if self._soil is None:
            self._soil = source, destination
        left, arrived = self._soil[0] - source, destination - self._soil[1]
        lost = left - arrived - (self._carried(simulation) or Amount())
        return Amount(max(lost.mass, 0.0), max(lost.volume, 0.0))


def _room(zone: Zone) -> PosedBox:
    return PosedBox(np.eye(3), np.zeros(3), np.array(zone.lower), np.array(zone.upper))
