"""The bodies and joints of a scene in motion: what goes in, the step, what comes out, and restart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, unknown_name
from windrow.fixed_math import norm, rotate
from windrow.geometry.bvh import STACK
from windrow.geometry.table import ShapeTable
from windrow.geometry.terms import F64, I64
from windrow.kernel import SameTypes
from windrow.scene.scene import Scene
from windrow.solvers.movers.answering import BodyPlaces, Mobility
from windrow.solvers.multibody import reading
from windrow.solvers.multibody.advance import Drive, Softness, advance, take_up
from windrow.solvers.multibody.agreement import COUNTED, TouchRows
from windrow.solvers.multibody.apart import apart_of
from windrow.solvers.multibody.assembly import close_joints
from windrow.solvers.multibody.bodies import Bodies, bodies_of
from windrow.solvers.multibody.carried import carried_by
from windrow.solvers.multibody.contacts import contacts_with_room, index_memory, memory_with_room, remember
from windrow.solvers.multibody.coupling import lever, response_of
from windrow.solvers.multibody.detect import find_contacts, find_field_contacts, search_of
from windrow.solvers.multibody.footing import find_footing
from windrow.solvers.multibody.holding import Holding
from windrow.solvers.multibody.hulls import hull_scratch
from windrow.solvers.multibody.joints import Joints, joints_of, machines_of
from windrow.solvers.multibody.laws import laws_of
from windrow.solvers.multibody.machine import Machine, machine_with_room
from windrow.solvers.multibody.merging import Merger
from windrow.solvers.multibody.mobility import hold, holds_of
from windrow.solvers.multibody.motion import Motion, refresh_all
from windrow.solvers.multibody.normals import normals_with_room
from windrow.solvers.multibody.parts import FIELD, parts_of
from windrow.solvers.multibody.reading import ContactReading, JointReading, JointStates
from windrow.solvers.multibody.report import MultibodyReport
from windrow.solvers.multibody.response import slots_with_room
from windrow.solvers.multibody.scripted import follow_script
from windrow.solvers.multibody.sweeps import sweeps_with_room

WAKE_ROUNDS = 2
"""Times a step is done again at most because of bodies that it wakes."""
COLD_SWEEPS = 20
"""Passes over the contacts when no impulse is known to start from: one alone would set a resting body rocking."""
FIRST_ROOM = 256
"""Contacts that there is room for at first."""


class MultibodyStepper:
    """Steps the bodies of a scene; see `windrow.scene.multibody.Multibody` for its numbers."""

    def __init__(self, scene: Scene, shapes: ShapeTable | None = None, apart: Sequence[int] = ()) -> None:
        """`shapes`: the table of the scene's obstacles, if there is one already. `apart`: bodies that do not touch the
        last obstacle, the ground."""
        self.apart = tuple(apart)
        scene.check()
        scene = scene.assembled()
        self.scene, self.settings = scene, scene.multibody
        self.bodies: Bodies = bodies_of(scene, scene.base_dir)
        self.joints: Joints = joints_of(scene, self.bodies)
        self.motion: Motion = close_joints(scene, self.bodies, self.joints)
        self.motion.V[:] = self.bodies.start.V
        self.time = 0.0
        """s"""
        self.span = 0.0
        """length of the last step, s"""
        self.controls = np.zeros(len(self.joints.controls))
        self.gravity = np.array(scene.gravity, np.float64)
        rows = self.bodies.rows
        self.outer = np.zeros((rows, 6))
        """impulse of outer forces over the coming step, about the centres of mass, N s and N m s"""
        self._prepare_machines(rows)
        self._prepare_contacts(rows, shapes)
        self._find_contacts, self._take_up = SameTypes(find_contacts), SameTypes(take_up)
        self._advance_all, self._remember = SameTypes(advance), SameTypes(remember)
        refresh_all(self.bodies.table, self.motion)

    def _prepare_machines(self, rows: int) -> None:
        joints = self.joints
        machine = machines_of(joints, rows)
        held = np.unique(joints.live[joints.live >= 0]).astype(np.int64)
        held = held[np.argsort(machine[held], kind="stable")]
        self.machine: Machine = machine_with_room(joints, held, rows)
        self._pressed = np.ones(rows)
        self._track_frames = joints.table.body[joints.tracks.joint, 0]
        self._pushed, self._counts = np.zeros(2), np.zeros(COUNTED, np.int64)
        self._slots = slots_with_room(len(held), rows, machine, len(joints.rows.impulse))
        self._normals = normals_with_room(int(machine.max(initial=-1)) + 1, len(held))

    def _prepare_contacts(self, rows: int, shapes: ShapeTable | None) -> None:
        scene, bodies = self.scene, self.bodies
        self.parts, self._fields = parts_of(scene, bodies.center, scene.base_dir, shapes)
        moves = (bodies.table.inverse_mass[: bodies.things] > 0).astype(np.int64)
        group, apart = apart_of(scene, self.joints.table.body, bodies.things, self.apart)
        self._search = search_of(bodies.things, moves, group, apart, self.parts)
        scripted = [bodies.count + k for k, o in enumerate(scene.obstacles) if o.motion is not None]
        self.merger = Merger(
            self.settings.merging,
            bodies,
            self.motion,
            self._search,
            self.machine.members,
            np.array(scripted, np.int64),
        )
        self.holding = Holding(bodies, self.motion, self.machine, self._slots.machine, self.merger)
        self._laws = laws_of(scene, bodies.things)
        self.contacts = contacts_with_room(FIRST_ROOM)
        self._remembered = memory_with_room(FIRST_ROOM)
        self._sweeps = sweeps_with_room(FIRST_ROOM)
        self._touch = TouchRows(self.contacts, self._sweeps, self._slots, self._normals)
        self._scratch, self._stack = hull_scratch(), np.zeros(STACK, np.int32)
        self._softness = Softness(
            self.settings.contact_rate,
            self.settings.contact_damping_ratio,
            self.settings.push_out_speed,
            self.settings.sweeps,
        )

    # --- what goes in --------------------------------------------------------------------------------

    def control(self, name: str, value: float) -> None:
        """Sets a control; cut to −1…1."""
        if name not in self.joints.controls:
            raise SceneError(unknown_name("control", name, self.joints.controls))
        if not np.isfinite(value):
            raise SceneError(f"control {name!r}: must be a number from −1 to 1 (got {value})")
        self.controls[self.joints.controls.index(name)] = min(max(float(value), -1.0), 1.0)

    def push(
        self,
        body: str | int,
        impulse: NDArray[Any] | tuple[float, float, float] = (0.0, 0.0, 0.0),
        point: NDArray[Any] | tuple[float, float, float] | None = None,
        twist: NDArray[Any] | tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:
        """Adds an impulse (N s) at a point of the world (left out: the centre of mass) for the coming step.

        `twist` is a torque impulse, N m s.
        """
        k, p = self._body(body), np.asarray(impulse, np.float64)
        arm = np.zeros(3) if point is None else np.asarray(point) - self.motion.x[k]
        self.outer[k, :3] += p
        self.outer[k, 3:] += np.cross(arm, p) + twist

    def wake_all(self) -> None:
        """Parts all bodies that were joined at rest; what they bore is remembered."""
        self.merger.split(np.arange(self.bodies.count))
        if self.merger.opened_count:
            self._remember_split()

    def wake_over(self, touches: Callable[[F64, F64], bool]) -> None:
        """Wakes bodies at rest for whose box, of a lower and an upper corner, it is asked for."""
        low, high = self._search.low, self._search.high
        joined = np.flatnonzero(self._search.owner[: self.bodies.count] != np.arange(self.bodies.count))
        self.merger.split(np.array([k for k in joined if touches(low[k], high[k])], np.int64))

    # --- the step ------------------------------------------------------------------------------------

    def step(self, dt: float) -> MultibodyReport:
        """Advances by dt, in s."""
        report, dt = MultibodyReport(), float(dt)
        follow_script(self.scene, self.motion, self.bodies.count, self.time, dt)
        self._hold_unsound()
        self.merger.split(self.merger.pushed(self.outer, dt * float(norm(self.gravity))))
        substeps = self.settings.substeps
        for rounds in range(WAKE_ROUNDS + 1):
            lap = perf_counter()
            self._find(dt)
            lap = report.lap("bodies: find", lap)
            before = [array.copy() for array in self._changing()] if self.settings.merging else []
            self._advance(dt)
            self.merger.carry()
            woken, hit = self.merger.disturbed(self.contacts, self._sweeps, dt, dt / substeps, rounds == 0)
            report.lap("bodies: solve", lap)
            if not hit or rounds == WAKE_ROUNDS:
                break
            # Nothing of this step has happened yet for those who slept through it.
            for array, old in zip(self._changing(), before, strict=True):
                array[:] = old
            self.merger.split(woken)
            report.woken += len(woken)
            report.repeated += 1
        lap = perf_counter()
        if self._hold_unsound():
            self.holding.clean(self.contacts)
        self._remember(self.contacts, self.motion, self._remembered)
        if len(woken):
            self.merger.split(woken)
            report.woken += len(woken)
        self.merger.settle(self.contacts, self._sweeps, dt)
        if self.merger.opened_count:
            self._remember_split()
        report.lap("bodies: merge", lap)
        self.outer[:] = 0.0
        self.span = dt
        self.time += dt
        report.contacts, report.asleep = int(self.contacts.found[0]), self.merger.asleep
        report.pivots, report.unsolved, report.softened, report.held_back = self._counts.tolist()
        report.pushed_apart, report.frozen = float(self._pushed[1]), self.holding.count
        report.swept_normals = int(self._normals.left_out[0])
        return report

    def _advance(self, dt: float) -> None:
        substeps, softness = self.settings.substeps, self._softness
        if self._remembered.held[0] == 0 and self.merger.asleep == 0:
            softness = softness._replace(sweeps=max(COLD_SWEEPS, softness.sweeps))
        self._advance_all(
            self.bodies.table,
            self.motion,
            self.merger.active,
            self.merger.loose,
            self.machine,
            self._pressed,
            self.controls,
            self._touch,
            softness,
            Drive(self.gravity, self.merger.with_groups(self.outer) / substeps, dt / substeps, substeps),
            self._pushed,
            self._counts,
        )

    def _hold_unsound(self) -> bool:
        """Holds bodies that nothing can be computed with; whether there are new ones."""
        found = self.holding.watch(self.outer)
        if found:
            self.machine = self.machine._replace(dead=self.holding.dead)
            self._pressed[:] = 1.0
        return found

    def _changing(self) -> list[NDArray[Any]]:
        """All that a step changes before it is final."""
        motion, rows, coordinates = self.motion, self.joints.rows, self.joints.coordinates
        more = carried_by(self.joints).values()
        return [*motion, rows.impulse, rows.active, coordinates.value, coordinates.command, *more]

    def _remember_split(self) -> None:
        """Split bodies start with the impulses that their contacts had when they were joined."""
        needed = int(self._remembered.held[0]) + self.merger.opened_count
        if needed > len(self._remembered.keys):
            self._enlarge(2 * needed)
        self.merger.recall_opened(self._remembered)

    def _find(self, dt: float) -> None:
        """Contacts of the step to come, with the impulses they had."""
        margin = self.settings.margin
        if self.merger.opened_count:
            self._remember_split()
        while True:
            self._find_contacts(
                self.contacts,
                self.parts,
                self.motion,
                self._search,
                margin,
                dt,
                self._scratch,
            )
            if FIELD in self.parts.kind:
                find_field_contacts(
                    self.contacts,
                    self.parts,
                    self.motion,
                    self._search,
                    self._fields,
                    margin,
                    dt,
                    self._stack,
                )
            if self.contacts.found[0] <= self.contacts.room:
                break
            self._enlarge(2 * int(self.contacts.found[0]))
        if len(self.joints.tracks.track):
            find_footing(
                self.joints.tracks, self._track_frames, self.motion, self._fields, self.bodies.count, self._stack
            )
        self._take_up(
            self.contacts,
            self._search.owner,
            self._laws,
            self._sweeps.law,
            self.motion,
            self._remembered,
            margin,
            self._slots,
            self.machine.members,
        )

    def _enlarge(self, room: int) -> None:
        """More room for contacts; what is remembered stays."""
        known, n = self._remembered, int(self._remembered.held[0])
        self.contacts = contacts_with_room(room)
        self._sweeps = sweeps_with_room(room)
        self._touch = TouchRows(self.contacts, self._sweeps, self._slots, self._normals)
        self._remembered = memory_with_room(room)
        self._remembered.held[0] = n
        for name in ("keys", "place", "impulse", "twist"):
            getattr(self._remembered, name)[:n] = getattr(known, name)[:n]
        index_memory(self._remembered)

    # --- exchange with other solvers, see `coupling` --------------------------------------------------

    def preview(self, dt: float) -> BodyPlaces:
        """Where the coming step would bring the bodies, and how they would move; nothing is changed by asking."""
        dt, n = float(dt), self.bodies.count
        follow_script(self.scene, self.motion, n, self.time, dt)
        self._hold_unsound()
        before = [array.copy() for array in self._changing()]
        self._find(dt)
        self._advance(dt)
        self.span = dt
        self.merger.carry()
        motion = self.motion
        after = BodyPlaces(motion.x[:n].copy(), motion.R[:n].copy(), self.holding.sound_speeds(motion.V[:n]))
        for array, old in zip(self._changing(), before, strict=True):
            array[:] = old
        return after

    def effective_inverse_mass(self, body: str | int) -> F64:
        """(6, 6) velocity of a body per impulse and torque impulse on its centre of mass, joints included.

        Of the rows that were not at a bound when the joints were last solved, in `preview` or `step`.
        """
        return self.effective_inverse_masses([body])[0, 0]

    def effective_inverse_masses(self, bodies: Sequence[str | int]) -> F64:
        """(k, k, 6, 6) velocity of one body per impulse on another."""
        chosen = np.array([self._body(body) for body in bodies], np.int64)
        rows = self._search.owner[chosen]
        W = np.zeros((len(chosen), len(chosen), 6, 6))
        if self.span == 0.0:
            raise SceneError(
                "the effective mass is known after a first step or preview; call one of them before"
            )
        response_of(self.machine, self.bodies.table, self.motion, rows, W)
        for s, b in enumerate(chosen):
            if rows[s] != b:
                # A member of a group is pushed away from the group's centre, and seen there.
                T = lever(self.motion.x[b] - self.motion.x[rows[s]])
                W[s] = np.einsum("ij,tjk->tik", T, W[s])
                W[:, s] = np.einsum("tij,kj->tik", W[:, s], T)
        return W

    def mobility(self, touched: I64) -> Mobility:
        """How these bodies answer to impulses, joints and loaded contacts included; after a `preview`.

        Bodies of a machine that stand on something are added: what holds them holds the machine.
        """
        search, things = self._search, self.bodies.things
        n, found = self.bodies.count, int(self.contacts.found[0])
        owner, machine = search.owner[:n], self._slots.machine
        group = np.where(machine[owner] >= 0, machine[owner] - len(machine), owner)
        # Nothing moves those at rest in the world.
        group = np.where(owner == things, things + 1 + np.arange(n), group)
        wanted = np.zeros(n, np.bool_)
        wanted[touched] = True
        if found and (group[touched] < 0).any():
            loaded = self.contacts.real[:found][self.contacts.total[:found].any(axis=1)].ravel()
            loaded = loaded[loaded < n]
            loaded = loaded[group[loaded] < 0]
            with_touched = np.zeros(len(machine), np.bool_)
            with_touched[group[touched][group[touched] < 0]] = True
            wanted[loaded[with_touched[group[loaded]]]] = True
        chosen = np.flatnonzero(wanted)
        chosen = chosen[np.argsort(group[chosen], kind="stable")]
        begin = np.flatnonzero(np.diff(group[chosen], prepend=group[chosen[0]] - 1))
        size = np.diff(begin, append=len(chosen))
        W = np.zeros((len(chosen), int(size.max(initial=1)), 6, 6))
        single = np.repeat(size == 1, size) & (group[chosen] >= 0) & (owner[chosen] == chosen)
        alone = chosen[single]
        W[single, 0, :3, :3] = self.bodies.table.inverse_mass[alone, None, None] * np.eye(3)
        W[single, 0, 3:, 3:] = self.motion.inverse_inertia[alone]
        for b, m in zip(begin.tolist(), size.tolist(), strict=True):
            members = chosen[b : b + m]
            if not single[b] and owner[members[0]] != things:
                # (t, s): of t per impulse on s; wanted as (s, t)
                W[b : b + m, :m] = self.effective_inverse_masses(members.tolist()).transpose(1, 0, 2, 3)
        mobility = Mobility(chosen, np.repeat(begin, size), np.repeat(begin + size, size), W)
        place = np.full(things, -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        if found:
            law = self._sweeps.law
            holds = holds_of(self.contacts, law, self.motion, self.bodies.table, place, self.span)
            if len(holds.sigma):
                hold(mobility, holds)
        return mobility

    # --- what comes out ------------------------------------------------------------------------------

    def poses(self) -> F64:
        """(bodies, 12) rotation, row by row, and position of each body's own frame."""
        n = self.bodies.count
        R = self.motion.R[:n]
        origin = self.motion.x[:n] - rotate(R, self.bodies.center)
        return np.concatenate([R.reshape(-1, 9), origin], axis=1)

    def position(self, body: str | int) -> F64:
        """(3,) of the body's origin, m"""
        return self.poses()[self._body(body), 9:]

    def velocity(self, body: str | int) -> F64:
        """(6,) of the centre of mass, m/s, and angular, rad/s"""
        return self.motion.V[self._body(body)].copy()

    def joint(self, name: str | int) -> JointReading:
        """A joint over the last step."""
        known = self.joints.index
        if isinstance(name, str) and name not in known:
            raise SceneError(unknown_name("joint", name, known))
        j = known[name] if isinstance(name, str) else name
        return reading.read_joint(self.joints, self.motion, j, self.span or 1.0)

    def joint_states(self) -> JointStates:
        """All joints over the last step, in the order of `joints.names`."""
        return reading.read_joints(self.joints, self.span or 1.0)

    def contact_reading(self) -> ContactReading:
        """Points, normals and forces of all contacts that carried a load in the last step."""
        return reading.read_contacts(self.contacts, self.span or 1.0)

    def contact_force(self, body: str | int) -> F64:
        """(6,) force, N, and torque about the centre of mass, N m, of all contacts on a body, last step."""
        return self._touches()[self._body(body)]

    def touch_forces(self) -> tuple[F64, F64]:
        """(things, 3) force, N, and torque about its origin, N m, of all contacts between bodies, last step.

        Things are the bodies, then the obstacles.
        """
        n = self.bodies.count
        total = self._touches()
        arm = rotate(self.motion.R[:n], self.bodies.center)
        total[:n, 3:] += np.cross(arm, total[:n, :3])
        return total[:, :3], total[:, 3:]

    def _touches(self) -> F64:
        """(things, 6) force and torque about its centre of mass of all contacts and tracks on each thing, last step."""
        total = reading.contact_forces(self.contacts, self.motion, self.bodies.things, self.span or 1.0)
        reading.add_track_forces(self.joints, self.motion, self.bodies.count, self.span or 1.0, total)
        return total

    def energy(self) -> float:
        """Kinetic energy and potential energy in gravity of all moving bodies, J."""
        return reading.energy_of(self.bodies, self.motion, self.gravity)

    def momentum(self) -> F64:
        """(3,) of all moving bodies, kg m/s"""
        mass, V = self.bodies.mass, self.motion.V
        return np.asarray((mass[:, None] * V[: len(mass), :3]).sum(axis=0))

    # --- restart -------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        """Everything needed to continue to the bit."""
        known, n = self._remembered, int(self._remembered.held[0])
        return {
            "time": np.array(self.time),
            "x": self.motion.x.copy(),
            "q": self.motion.q.copy(),
            "V": self.motion.V.copy(),
            "coordinate": self.joints.coordinates.value.copy(),
            "command": self.joints.coordinates.command.copy(),
            "impulse": self.joints.rows.impulse.copy(),
            "active": self.joints.rows.active.copy(),
            "controls": self.controls.copy(),
            "outer": self.outer.copy(),
            "contact_keys": known.keys[:n].copy(),
            "contact_place": known.place[:n].copy(),
            "contact_impulse": known.impulse[:n].copy(),
            "contact_twist": known.twist[:n].copy(),
            **{name: array.copy() for name, array in carried_by(self.joints).items()},
            **self.holding.memory(),
            **{f"merge_{name}": value for name, value in self.merger.memory().items()},
        }

    def readings(self) -> dict[str, NDArray[Any]]:
        """What joints and contacts tell of the last step; continuing does not need it."""
        return reading.readings_of(self.joints, self.contacts, self.span)

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Takes back what `memory` gave, and `readings` if they are among it; from outside only after `form.check`."""
        rows, coordinates = self.joints.rows, self.joints.coordinates
        self.time = float(memory["time"])
        self.motion.x[:], self.motion.q[:], self.motion.V[:] = memory["x"], memory["q"], memory["V"]
        coordinates.value[:], coordinates.command[:] = memory["coordinate"], memory["command"]
        rows.impulse[:], rows.active[:] = memory["impulse"], memory["active"]
        self.controls[:], self.outer[:] = memory["controls"], memory["outer"]
        for name, array in carried_by(self.joints).items():
            array[:] = memory[name]
        n = len(memory["contact_keys"])
        room = max(n, reading.contacts_in(memory))
        if room > self.contacts.room:
            self._enlarge(2 * room)
        self.merger.recall({k.removeprefix("merge_"): v for k, v in memory.items() if k.startswith("merge_")})
        known = self._remembered
        known.held[0] = n
        known.keys[:n], known.place[:n] = memory["contact_keys"], memory["contact_place"]
        known.impulse[:n], known.twist[:n] = memory["contact_impulse"], memory["contact_twist"]
        index_memory(known)
        for left in (self.joints.system.factored, self._touch.normals.factored, rows.carried, self.machine.carried):
            left[:] = 0
        self._pressed[:] = 1.0
        self.span = reading.recall_readings(self.joints, self.contacts, memory)
        self.motion.inverse_inertia[:] = 0.0  # where nothing moves, the next line leaves it
        refresh_all(self.bodies.table, self.motion)
        self.holding.recall(memory)
        self.machine = self.machine._replace(dead=self.holding.dead)

    def _body(self, name: str | int) -> int:
        if isinstance(name, str):
            if name not in self.bodies.index:
                raise SceneError(unknown_name("body", name, self.bodies.names))
            return self.bodies.index[name]
        return name
