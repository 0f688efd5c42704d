"""Frames of a simulation: copies of what there is to see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.state.frame import Frame
from windrow.terrain.patches import patches_of

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation


def frame_of(simulation: Simulation) -> Frame:
    """What there is to see now."""
    state, order = simulation.state, simulation.state.by_id()
    if "key" in state.columns:
        order = order[state.key[order] < 0]  # those that stand for ground are seen as its surface
    poses = simulation.body_poses()
    with np.errstate(divide="ignore"):
        mass = (1.0 / state.V[order, 3].astype(np.float64)).astype(np.float32)
    return Frame(
        time=state.time,
        step=state.step,
        id=state.id[order],
        position=state.X[order, :3],
        velocity=state.V[order, :3],
        radius=state.X[order, 3],
        mass=mass,
        material=state.material[order],
        force=state.force[order],
        body_names=simulation.body_names,
        body_position=poses[:, 9:],
        body_rotation=poses[:, :9].reshape(-1, 3, 3),
        body_force=state.body_force.copy(),
        body_torque=state.body_torque.copy(),
        material_names=list(simulation.model.material_names),
        columns={column.name: state.columns[column.name][order] for column in state.declared if column.recorded},
        column_notes={column.name: column.told() for column in state.declared if column.recorded},
        ground=None if state.ground is None else patches_of(state.ground),
        notes=_notes(simulation),
        **_machine(simulation),
    )


def _notes(simulation: Simulation) -> dict[str, Any]:
    notes: dict[str, Any] = {"ledger": simulation.ledger}
    if simulation.last_report is not None:
        notes["seconds"] = simulation.last_report.seconds
    if simulation.tools:
        notes["tools"] = {name: tool.told() for name, tool in simulation.tools.items()}
    if beds := beds_told(simulation):
        notes["beds"] = beds
    if simulation.assembled.bonds:
        notes["bonds"] = simulation.bonds.told()
    if simulation.changes:
        notes["changes"] = [list(change) for change in simulation.changes]
    return notes


def beds_told(simulation: Simulation) -> dict[str, Any]:
    """Surfaces of the soil in beds of bodies, by the names of their tools."""
    ground = simulation._ground
    return {} if ground is None or ground.digging is None else ground.digging.beds.told(simulation)


def _machine(simulation: Simulation) -> dict[str, Any]:
    """Controls and joints."""
    if simulation.bodies is None:
        return {}
    position, rate, force = simulation.bodies.joint_states()
    return {
        "control_names": simulation.controls,
        "controls": simulation.bodies.controls.copy(),
        "joint_names": list(simulation.bodies.joints.names),
        "joint_position": position,
        "joint_rate": rate,
        "joint_force": force,
    }
