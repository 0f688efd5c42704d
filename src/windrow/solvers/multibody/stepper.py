"""Steps the bodies of a scene.

step:  for each substep
         predict    gravity, outer forces, free spin
         joints     impulses of all joints, motors and limits at once (direct)
         drift      positions with the new velocities
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.geometry.terms import F64, I64
from windrow.kernel import kernel
from windrow.scene.scene import Scene
from windrow.solvers.multibody.assembly import close_joints
from windrow.solvers.multibody.bodies import Bodies, bodies_of
from windrow.solvers.multibody.joints import Joints, joints_of
from windrow.solvers.multibody.machine import Machine, hold_joints, prepare_joints, read_joints
from windrow.solvers.multibody.motion import BodyTable, Motion, begin, drift, end_spin, refresh_all


@dataclass
class MultibodyReport:
    """What one step did."""

    seconds: float = 0.0
    """wall time"""
    pivots: int = 0
    """solutions of the joints' equations, one per substep at best"""
    unsolved: int = 0
    """substeps in which pivoting was cut off and sweeps had to finish"""


@dataclass(frozen=True)
class JointReading:
    """A joint over the last step."""

    coordinate: float
    """angle, rad, displacement or length, m; 0 if it has none"""
    rate: float
    """rad/s or m/s"""
    force: F64
    """(3,) on first, N, in the world"""
    torque: F64
    """(3,) on first about the joint's place there, N m, in the world"""
    along: dict[str, float]
    """force (N) or torque (N m) of its motor, brake, spring, limit, cylinder, by name"""

    def power(self, name: str = "motor") -> float:
        """W that a motor or cylinder gives"""
        return self.along[name] * self.rate


@kernel
def advance(
    table: BodyTable,
    motion: Motion,
    machine: Machine,
    loose: I64,
    controls: F64,
    gravity: F64,
    impulse: F64,
    h: float,
    substeps: int,
    pivots: F64,
) -> None:
    """All substeps of a step; `impulse` is that of the outer forces on each body per substep."""
    n = motion.x.shape[0]
    scratch = np.empty((3, 3))
    machine.rows.total[:] = 0.0
    for _ in range(substeps):
        refresh_all(table, motion)
        prepare_joints(machine, table, motion, controls, h)
        for i in range(n):
            begin(table, motion, gravity, impulse, h, i)
        for i in loose:
            V = motion.V[i]
            V[3], V[4], V[5] = end_spin(table, motion, (V[3], V[4], V[5]), h, i, scratch)
        solves = hold_joints(machine, table, motion, h, True)
        pivots[0] += abs(solves)
        pivots[1] += 1.0 if solves < 0 else 0.0
        for r in range(machine.rows.total.shape[0]):
            machine.rows.total[r] += machine.rows.impulse[r]
        for i in range(n):
            drift(motion, h, i)
    refresh_all(table, motion)
    read_joints(machine, motion)


class MultibodyStepper:
    """The bodies and joints of a scene in motion."""

    def __init__(self, scene: Scene) -> None:
        scene.check()
        self.scene = scene
        self.settings = scene.multibody
        self.bodies: Bodies = bodies_of(scene, scene.base_dir)
        self.joints: Joints = joints_of(scene, self.bodies)
        moving = np.flatnonzero(self.bodies.table.inverse_mass > 0)
        held = np.unique(self.joints.live[self.joints.live >= 0]).astype(np.int64)
        self.loose = np.setdiff1d(moving, held).astype(np.int64)
        """moving bodies without a joint"""
        self.machine = Machine(
            self.joints.table,
            self.joints.live,
            self.joints.axial,
            self.joints.rows,
            self.joints.geometry,
            self.joints.coordinates,
            self.joints.system,
            np.zeros(len(self.joints.names)),
            held,
            np.zeros((self.bodies.count, 6)),
            np.zeros((self.bodies.count, 3)),
        )
        start = close_joints(scene, self.bodies, self.joints)
        start.V[:] = self.bodies.start.V
        self.motion: Motion = start
        refresh_all(self.bodies.table, self.motion)
        self.controls = np.zeros(len(self.joints.controls))
        self.gravity = np.array(scene.gravity, np.float64)
        self.outer = np.zeros((self.bodies.count, 6))
        """impulse of outer forces over the coming step, about the centres of mass, N s and N m s"""
        self.span = 0.0
        """length of the last step, s"""

    # --- what goes in --------------------------------------------------------------------------------

    def control(self, name: str, value: float) -> None:
        """Sets a control; cut to −1…1."""
        if name not in self.joints.controls:
            raise SceneError(unknown_name("control", name, self.joints.controls))
        if not np.isfinite(value):
            raise SceneError(f"control {name!r}: must be a number from −1 to 1 (got {value})")
        self.controls[self.joints.controls.index(name)] = min(max(float(value), -1.0), 1.0)

    def push(
        self, body: str | int, impulse: F64, torque_impulse: F64 | None = None, point: F64 | None = None
    ) -> None:
        """Adds an impulse (N s) at a point in the world (the centre of mass if none) for the coming step."""
        k = self._body(body)
        p = np.asarray(impulse, np.float64)
        self.outer[k, :3] += p
        if point is not None:
            self.outer[k, 3:] += np.cross(np.asarray(point) - self.motion.x[k], p)
        if torque_impulse is not None:
            self.outer[k, 3:] += torque_impulse

    # --- the step ------------------------------------------------------------------------------------

    def step(self, dt: float) -> MultibodyReport:
        """Advances by dt, in s."""
        started = perf_counter()
        substeps = self.settings.substeps
        pivots = np.zeros(2)
        advance(
            self.bodies.table,
            self.motion,
            self.machine,
            self.loose,
            self.controls,
            self.gravity,
            self.outer / substeps,
            dt / substeps,
            substeps,
            pivots,
        )
        self.outer[:] = 0.0
        self.span = dt
        return MultibodyReport(perf_counter() - started, int(pivots[0]), int(pivots[1]))

    # --- what comes out ------------------------------------------------------------------------------

    def poses(self) -> F64:
        """(n, 12) rotation, row by row, and position of each body's own frame."""
        R = self.motion.R
        origin = self.motion.x - np.einsum("nij,nj->ni", R, self.bodies.center)
        return np.concatenate([R.reshape(-1, 9), origin], axis=1)

    def position(self, body: str | int) -> F64:
        """(3,) of the body's origin, m"""
        return self.poses()[self._body(body), 9:]

    def velocity(self, body: str | int) -> F64:
        """(6,) of the centre of mass, m/s, and angular, rad/s"""
        return self.motion.V[self._body(body)].copy()

    def joint(self, name: str | int) -> JointReading:
        """A joint over the last step."""
        names = self.joints.index
        if isinstance(name, str) and name not in names:
            raise SceneError(unknown_name("joint", name, names))
        j = names[name] if isinstance(name, str) else name
        rows, table = self.joints.rows, self.joints.table
        span, value = self.span or 1.0, float(self.joints.coordinates.value[j])
        along, used = {}, list(range(table.first_row[j], table.first_row[j] + table.held[j]))
        for a, row in zip(self.joints.axials, self.joints.axial.row, strict=True):
            if a.owner == j:
                used.append(int(row))
                low, high = a.numbers[:2] if a.name == "limit" else (0.0, 0.0)
                at_high = a.name == "limit" and high - value < value - low
                sign = -1.0 if at_high else 1.0
                along[a.name] = float(sign * rows.total[row] / span)
        force, torque = self._wrench(j, used)
        return JointReading(
            value,
            float(self.joints.coordinates.rate[j]),
            force / span,
            torque / span,
            along,
        )

    def _wrench(self, j: int, used: list[int]) -> tuple[F64, F64]:
        """Impulse of rows on the joint's first body, or minus that on its second, about its anchor there."""
        rows, live = self.joints.rows, self.joints.live[j]
        side = 0 if live[0] >= 0 else 1
        b, sign = int(live[side]), 1.0 if side == 0 else -1.0
        if b < 0:
            return np.zeros(3), np.zeros(3)
        total = np.zeros(6)
        for row in used:
            for block in range(rows.blocks[row]):
                if rows.body[row, block] == b:
                    total += rows.J[row, 6 * block : 6 * block + 6] * rows.total[row]
        arm = self.motion.R[b] @ self.joints.table.anchor[j, side]
        return sign * total[:3], sign * (total[3:] - np.cross(arm, total[:3]))

    def energy(self) -> float:
        """Kinetic energy and potential energy in gravity of all moving bodies, J."""
        moving = self.bodies.table.inverse_mass > 0
        mass, motion = self.bodies.mass[moving], self.motion
        v, w = motion.V[moving, :3], np.einsum("nji,nj->ni", motion.R[moving], motion.V[moving, 3:])
        spin = np.einsum("ni,nij,nj->", w, self.bodies.table.inertia[moving], w)
        return float(0.5 * (mass @ (v**2).sum(axis=1) + spin) - mass @ (motion.x[moving] @ self.gravity))

    def momentum(self) -> F64:
        """(3,) of all moving bodies, kg m/s"""
        moving = self.bodies.table.inverse_mass > 0
        return self.bodies.mass[moving] @ self.motion.V[moving, :3]

    # --- restart -------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        """Everything needed to continue to the bit."""
        return {
            "x": self.motion.x.copy(),
            "q": self.motion.q.copy(),
            "V": self.motion.V.copy(),
            "coordinate": self.joints.coordinates.value.copy(),
            "command": self.joints.coordinates.command.copy(),
            "impulse": self.joints.rows.impulse.copy(),
            "active": self.joints.rows.active.copy(),
            "controls": self.controls.copy(),
            "outer": self.outer.copy(),
        }

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Takes back what `memory` gave."""
        rows, coordinates = self.joints.rows, self.joints.coordinates
        self.motion.x[:], self.motion.q[:], self.motion.V[:] = memory["x"], memory["q"], memory["V"]
        coordinates.value[:], coordinates.command[:] = memory["coordinate"], memory["command"]
        rows.impulse[:], rows.active[:] = memory["impulse"], memory["active"]
        self.controls[:], self.outer[:] = memory["controls"], memory["outer"]
        refresh_all(self.bodies.table, self.motion)

    def _body(self, name: str | int) -> int:
        if isinstance(name, str):
            if name not in self.bodies.index:
                raise SceneError(unknown_name("body", name, self.bodies.names))
            return self.bodies.index[name]
        return name
