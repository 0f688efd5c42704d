"""One substep of everything that joints hold together.

Two things depend on the velocities that the joints are about to give: the bend of curved constraints (`bends`)
and the half turn that ends a substep of a spinning body (`motion`). Both start from a guess, and the
equations are solved again, with the same factors, until they are those of the solution.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import bare_inner
from windrow.solvers.multibody.bends import bend_joints
from windrow.solvers.multibody.direct import (
    System,
    apply_impulses,
    assemble,
    solve_bounded,
    take_right_side,
)
from windrow.solvers.multibody.hydraulics import Hydraulics, hydraulic_rows, move_valves, share_pumps
from windrow.solvers.multibody.joints import Joints
from windrow.solvers.multibody.motion import BodyTable, Motion, end_spin
from windrow.solvers.multibody.rows import (
    AxialTable,
    Coordinates,
    Geometry,
    JointTable,
    Rows,
    axial_rows,
    joint_rows,
    measure_coordinates,
    place_joints,
    rate_of,
)
from windrow.solvers.multibody.tracks import Tracks
from windrow.solvers.multibody.traction import shear_ground, track_rows

ROUNDS = 8
TOLERANCE = 1e-7
"""m or rad per substep that a joint may miss because bends and half turns are not the final ones."""


class Machine(NamedTuple):
    """Joints, their rows and their matrix."""

    joints: JointTable
    live: I32
    """(j, 2) bodies of the joints without those that cannot move"""
    axial: AxialTable
    rows: Rows
    geometry: Geometry
    coordinates: Coordinates
    hydraulics: Hydraulics
    tracks: Tracks
    system: System
    coordinate_bend: F64
    """(j,) room for `bend_joints`"""
    members: I64
    """bodies that joints hold"""
    dead: I64
    """rows that do nothing, see `holding`"""
    begun: F64
    """(bodies, 6) velocities that a substep begins with, after gravity and outer forces"""
    free: F64
    """(bodies, 6) velocities without the joints' impulses"""
    carried: F64
    """(bodies, 6) velocities that moved the bodies through the substep"""
    turning: F64
    """(bodies, 3) what the half turn at the end of a substep adds to their spins, rad/s"""


def machine_with_room(joints: Joints, members: I64, rows: int) -> Machine:
    """`rows`: bodies, and what else has a place, see `bodies`."""
    return Machine(
        joints=joints.table,
        live=joints.live,
        axial=joints.axial,
        rows=joints.rows,
        geometry=joints.geometry,
        coordinates=joints.coordinates,
        hydraulics=joints.hydraulics,
        tracks=joints.tracks,
        system=joints.system,
        coordinate_bend=np.zeros(len(joints.names)),
        members=members,
        dead=np.zeros(0, np.int64),
        begun=np.zeros((rows, 6)),
        free=np.zeros((rows, 6)),
        carried=np.zeros((rows, 6)),
        turning=np.zeros((rows, 3)),
    )


@bare_inner
def bend(machine: Machine, V: F64, h: float) -> float:
    return bend_joints(
        machine.joints,
        machine.live,
        machine.axial,
        machine.geometry,
        machine.coordinate_bend,
        V,
        machine.rows,
        h,
    )


@bare_inner
def prepare_joints(machine: Machine, table: BodyTable, motion: Motion, controls: F64, h: float) -> None:
    """Rows and matrix, from where the bodies are and the velocities that they came with."""
    joints, live, rows = machine.joints, machine.live, machine.rows
    place_joints(joints, motion, machine.geometry)
    bend(machine, motion.V, h)
    measure_coordinates(joints, motion, machine.geometry, machine.coordinates)
    joint_rows(joints, live, motion, machine.geometry, rows, h)
    move_valves(machine.hydraulics, controls, h)
    axial_rows(machine.axial, joints, live, machine.hydraulics.valve, rows, machine.coordinates, h)
    share_pumps(machine.hydraulics, machine.axial, rows, machine.coordinates, h)
    hydraulic_rows(machine.hydraulics, machine.axial, live, rows, machine.coordinates, h)
    track_rows(machine.tracks, joints, live, motion, machine.coordinates, rows, h)
    for r in machine.dead:
        rows.low[r] = rows.high[r] = 0.0
    assemble(machine.system, rows, table, motion)


@bare_inner
def hold_joints(
    machine: Machine, table: BodyTable, motion: Motion, h: float, fresh: bool, final: bool
) -> int:
    """Takes velocities as `motion.begin` leaves them, adds the joints' impulses and ends the spins.

    `machine.turning` holds a guess of the half turns, and then those of the solution; a good one saves rounds.
    Unless it is the `final` solution of the substep, one round will do. Returns what `solve_bounded` does.
    """
    V, free, turning = motion.V, machine.free, machine.turning
    for b in machine.members:
        for k in range(6):
            free[b, k] = V[b, k]
    pivots = 0
    for _ in range(ROUNDS):
        for b in machine.members:
            for k in range(3):
                V[b, k] = free[b, k]
                V[b, 3 + k] = free[b, 3 + k] + turning[b, k]
        take_right_side(machine.system, machine.rows, V)
        solves = solve_bounded(machine.system, machine.rows, fresh)
        apply_impulses(machine.system, machine.rows, V)
        if solves < 0:
            return solves
        pivots += solves
        fresh = False
        change = bend(machine, V, h)
        for b in machine.members:
            now = (V[b, 3] - turning[b, 0], V[b, 4] - turning[b, 1], V[b, 5] - turning[b, 2])
            spin = end_spin(table, motion, now, h, b)
            for k in range(3):
                change = max(change, abs(spin[k] - now[k] - turning[b, k]))
                turning[b, k] = spin[k] - now[k]
        if h * change <= TOLERANCE or not final:
            break
    return pivots


@bare_inner
def begin_motion(machine: Machine, motion: Motion, h: float) -> None:
    """Keeps velocities and impulses with which the bodies are about to be moved; tracks shear the ground by them."""
    rows = machine.rows
    shear_ground(machine.tracks, machine.joints, motion, machine.coordinates, h)
    for b in machine.members:
        for k in range(6):
            machine.carried[b, k] = motion.V[b, k]
    for r in machine.axial.row:
        rows.carried[r] = rows.impulse[r]


@bare_inner
def book_work(machine: Machine, motion: Motion) -> None:
    """Adds impulses and work of a substep to those of the step.

    What the rows gave while the bodies moved is force times way; what they gave in one blow after it, impulse times
    mean speed.
    """
    rows = machine.rows
    for r in range(rows.impulse.shape[0]):
        rows.total[r] += rows.impulse[r]
    for r in machine.axial.row:
        speed = rate_of(rows.J, rows.body, rows.blocks, r, machine.carried)
        rows.work[r] += rows.carried[r] * (speed + rows.bend[r])
        change = rows.impulse[r] - rows.carried[r]
        if change != 0.0:
            speed += rate_of(rows.J, rows.body, rows.blocks, r, motion.V)
            rows.work[r] += 0.5 * change * speed


@bare_inner
def read_joints(machine: Machine, motion: Motion) -> None:
    """Coordinates and places of the joints where the bodies are now."""
    place_joints(machine.joints, motion, machine.geometry)
    measure_coordinates(machine.joints, motion, machine.geometry, machine.coordinates)
