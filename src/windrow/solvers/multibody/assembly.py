"""Puts bodies together before the first step where joints say their place in the frames of both bodies."""

from __future__ import annotations

import numpy as np

from windrow.errors import SceneError
from windrow.scene.scene import Scene
from windrow.solvers.multibody import rows as kinds
from windrow.solvers.multibody.bodies import Bodies
from windrow.solvers.multibody.direct import apply_impulses, assemble, solve_bounded, take_right_side
from windrow.solvers.multibody.joints import Joints, where_is
from windrow.solvers.multibody.motion import Motion, drift, refresh_all
from windrow.solvers.multibody.rows import axial_rows, joint_rows, measure_coordinates, place_joints

CLOSED = 1e-9
"""Largest violation, m or rad, of a joint that counts as closed at once."""
CLOSE_ENOUGH = 1e-6
"""… and after all rounds."""
ROUNDS = 100
LARGEST_MOVE = 0.25
"""m or rad that a body moves in one round at most."""

DRIVEN = (kinds.VELOCITY, kinds.POSITION, kinds.FORCE, kinds.HYDRAULIC, kinds.PISTON, kinds.ROTARY)
"""Rows of what moves joints, which are at rest meanwhile."""

_PSEUDO_STEP = 4.0
"""With this h and no relaxation, SPOOK's rhs is just minus the violation: v becomes the correction itself."""


def close_joints(scene: Scene, bodies: Bodies, joints: Joints) -> Motion:
    """The start with all joints closed: Newton's method on the violations, heavy bodies moving least.

    Raises a SceneError that names the joint which stays open most, when they cannot all be closed.
    """
    motion = bodies.start._replace(
        x=bodies.start.x.copy(), q=bodies.start.q.copy(), V=np.zeros_like(bodies.start.V)
    )
    rows = joints.rows._replace(
        active=np.zeros_like(joints.rows.active),
        low=np.full_like(joints.rows.low, -kinds.UNBOUNDED),
        high=np.full_like(joints.rows.high, kinds.UNBOUNDED),
        bend=np.zeros_like(joints.rows.bend),
    )
    coordinates = joints.coordinates._replace(
        value=joints.coordinates.value.copy(), command=joints.coordinates.command.copy()
    )
    table = joints.table._replace(relaxation=np.zeros_like(joints.table.relaxation))
    driven = np.isin(
        joints.axial.kind,
        [*DRIVEN, kinds.BRAKE, kinds.SPRING],
    )
    axial = joints.axial._replace(numbers=joints.axial.numbers.copy())
    for kind, column in ((kinds.HOLD, 2), (kinds.LIMIT, 3), (kinds.CONE, 3), (kinds.COUPLE, 3)):
        axial.numbers[axial.kind == kind, column] = 0.0
    idle = joints.axial.row[driven]
    system = joints.system._replace(fixed_bound=np.zeros_like(joints.system.fixed_bound))
    system.fixed_bound[idle] = 1
    controls = np.zeros(len(joints.controls))
    worst = np.inf
    for _ in range(ROUNDS):
        motion.V[:] = 0.0
        refresh_all(bodies.table, motion)
        place_joints(table, motion, joints.geometry)
        measure_coordinates(table, motion, joints.geometry, coordinates)
        joint_rows(table, joints.live, motion, joints.geometry, rows, _PSEUDO_STEP)
        axial_rows(axial, table, joints.live, controls, rows, coordinates, _PSEUDO_STEP)
        rows.low[idle] = rows.high[idle] = rows.rhs[idle] = 0.0
        open_by = np.where(rows.low == 0.0, np.maximum(rows.rhs, 0.0), np.abs(rows.rhs))
        worst = float(open_by.max(initial=0.0))
        if worst <= CLOSED:
            return motion
        assemble(system, rows, bodies.table, motion)
        take_right_side(system, rows, motion.V)
        solve_bounded(system, rows, True)
        apply_impulses(system, rows, motion.V)
        largest = float(np.abs(motion.V).max())
        motion.V[:] *= min(1.0, LARGEST_MOVE / max(largest, 1e-300))
        for i in range(bodies.count):
            drift(motion, 1.0, i)
    if worst > CLOSE_ENOUGH:
        row = int(open_by.argmax())
        j = _owner(joints, row)
        raise SceneError(
            f"{where_is(scene, j)}: cannot be closed at the start: it stays open by {worst:.3g} (m or rad) "
            "however the bodies are moved; check its anchors and length, and those of the loop that it closes"
        )
    return motion


def _owner(joints: Joints, row: int) -> int:
    """Joint of the scene that a row belongs to."""
    for a, r in zip(joints.axials, joints.axial.row, strict=True):
        if r == row:
            return a.owner
    held = (joints.table.first_row <= row) & (row < joints.table.first_row + joints.table.held)
    return int(np.flatnonzero(held)[0])
