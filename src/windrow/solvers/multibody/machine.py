"""One substep of everything that joints hold together."""

from __future__ import annotations

from typing import NamedTuple

from windrow.geometry.terms import F64, I32
from windrow.kernel import kernel
from windrow.solvers.multibody.direct import (
    System,
    apply_impulses,
    assemble,
    solve_bounded,
    take_right_side,
)
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.rows import (
    AxialTable,
    Coordinates,
    JointTable,
    Rows,
    axial_rows,
    joint_rows,
)


class Machine(NamedTuple):
    """Joints, their rows and their matrix."""

    joints: JointTable
    live: I32
    """(j, 2) bodies of the joints without those that cannot move"""
    axial: AxialTable
    rows: Rows
    coordinates: Coordinates
    system: System


@kernel
def prepare_joints(machine: Machine, table: BodyTable, motion: Motion, controls: F64, h: float) -> None:
    """Rows and matrix, from where the bodies are and the velocities that they came with."""
    joint_rows(machine.joints, machine.live, motion, machine.rows, machine.coordinates, h)
    axial_rows(machine.axial, machine.joints, machine.live, controls, machine.rows, machine.coordinates, h)
    assemble(machine.system, machine.rows, table, motion)


@kernel
def hold_joints(machine: Machine, V: F64, fresh: bool) -> int:
    """Adds the joints' impulses to velocities without them; returns what `solve_bounded` does."""
    take_right_side(machine.system, machine.rows, V)
    pivots = solve_bounded(machine.system, machine.rows, fresh)
    apply_impulses(machine.system, machine.rows, V)
    return pivots
