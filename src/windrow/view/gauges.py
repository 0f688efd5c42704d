"""What an operator reads off: the force on the tool and its parts, and how full it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.machines.readings import oil, tracks
from windrow.machines.weighing import Amount, PosedBox
from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation
from windrow.sim.tools import ToolReading
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.view.rigs import Rig, RigTool


@dataclass(frozen=True)
class ToolForce:
    """N, in the world, over the last step."""

    total: NDArray[np.float64]
    parts: dict[str, NDArray[np.float64]]
    """by who presses: grains, other bodies"""


@dataclass(frozen=True)
class ToolGauge:
    """Which body is the tool; one that cannot be filled has no room."""

    row: int
    tool: RigTool | None

    def room(self, poses: NDArray[np.float64]) -> PosedBox | None:
        """The room in the tool where it is now; `poses` as `body_poses` gives them."""
        if self.tool is None:
            return None
        pose = poses[self.row]
        return PosedBox(pose[:9].reshape(3, 3), pose[9:], self.tool.lower, self.tool.upper)

    def told(self, simulation: Simulation, amount: Amount | None) -> dict[str, Any]:
        force = tool_force(simulation, self.row)
        told: dict[str, Any] = {
            "force": _rounded(force.total),
            "parts": {name: _rounded(part) for name, part in force.parts.items()},
        }
        if self.tool is not None and amount is not None:
            told["fill"] = round(amount.volume / self.tool.rated, 4)
            told["volume"] = round(amount.volume, 5)
            told["rated"] = self.tool.rated
            told["mass"] = round(amount.mass, 2)
        tool = next((one for one in simulation.tools.values() if one.row == self.row), None)
        if tool is not None and simulation.state.ground is not None:
            told |= _dug(tool)
        return told


def tool_of(scene: Scene, rigs: list[Rig]) -> ToolGauge | None:
    """The first machine's tool; without machines the only obstacle with a name that moves."""
    for rig in rigs:
        if rig.tool is not None:
            return ToolGauge(rig.tool.row, rig.tool)
    digging = [k for k, obstacle in enumerate(scene.obstacles) if obstacle.digs]
    if digging:
        return ToolGauge(digging[0], None)
    moving = [
        k for k, obstacle in enumerate(scene.obstacles) if obstacle.name and obstacle.motion is not None
    ]
    return ToolGauge(moving[0], None) if len(moving) == 1 else None


def _dug(tool: ToolReading) -> dict[str, Any]:
    """Of a tool on ground that can be dug: parts that act, the equation beside them, the cut and the load."""
    parts = {name: part for name, part in tool.parts.items() if part.any()}
    told: dict[str, Any] = {
        "force": _rounded(tool.force),
        "parts": {name: _rounded(part) for name, part in parts.items()},
        "earthmoving": _rounded(tool.earthmoving),
        "depth": round(tool.depth, 4),
        "rake_deg": round(tool.rake_deg, 2),
        "mass": round(tool.payload, 2),
        "volume": round(tool.volume, 5),
    }
    if tool.rated > 0.0:
        told |= {"fill": round(tool.fill_factor, 4), "rated": tool.rated}
    return told


def tool_force(simulation: Simulation, row: int) -> ToolForce:
    """What presses on a body; what joints do to it does not count."""
    simulation.check_forces()
    total = simulation.state.body_force[row].copy()
    parts: dict[str, NDArray[np.float64]] = {}
    by_bodies = np.zeros(3)
    obstacles = len(simulation.assembled.obstacles)
    if simulation.bodies is not None:
        force, _ = simulation.bodies.touch_forces()
        # In the stepper's order bodies come before obstacles.
        by_bodies = force[row - obstacles if row >= obstacles else len(force) - obstacles + row]
        parts["bodies"] = by_bodies
    if simulation.state.capacity > 1 or simulation.state.count:
        parts["grains"] = total - by_bodies
    return ToolForce(total, parts)


def oil_told(bodies: MultibodyStepper | None) -> dict[str, Any] | None:
    """Pressures, flows, loads and slips of all machines that have pumps or tracks; None without any."""
    if bodies is None or (len(bodies.joints.hydraulics.axial) == 0 and len(bodies.joints.tracks.joint) == 0):
        return None
    reading = oil(bodies)
    return {
        "pressure": {name: round(value, -3) for name, value in reading.pressure.items()},
        "flow": {name: round(value, 6) for name, value in reading.flow.items()},
        "load": {name: round(value, 3) for name, value in reading.load.items()},
        "slip": {name: round(track.slip, 3) for name, track in tracks(bodies).items()},
    }


def _rounded(vector: NDArray[np.float64]) -> list[float]:
    return [round(float(part), 2) for part in np.nan_to_num(vector)]
