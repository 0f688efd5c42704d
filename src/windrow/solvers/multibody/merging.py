"""Joins bodies at rest and splits them again, so that a pile at rest costs next to nothing.

The rules are in `waking`, the exact sums in `groups`; here is who is what at the moment.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import dot
from windrow.geometry.terms import F64, I64
from windrow.kernel import SameTypes
from windrow.scene.multibody import Merging
from windrow.solvers.multibody.bodies import Bodies
from windrow.solvers.multibody.contacts import ContactBuffers, Remembered, index_memory
from windrow.solvers.multibody.detect import Search
from windrow.solvers.multibody.groups import Groups, gather_group, place_members
from windrow.solvers.multibody.motion import Motion, refresh_these
from windrow.solvers.multibody.sweeps import Sweeps
from windrow.solvers.multibody.waking import Stored, Watched, find_disturbed, find_resting

ALWAYS = 2
"""Mark of a box that changes though nothing can push its body: a scripted obstacle."""
JOIN_EVERY = 6
"""Steps from one joining of bodies to the next: joining many at once costs no more than joining one."""


def nothing_stored() -> Stored:
    return Stored(
        np.zeros((0, 2), np.int32),
        np.zeros(0, np.int64),
        np.zeros((0, 3)),
        np.zeros((0, 3)),
        np.zeros((0, 3)),
        np.zeros((0, 3)),
    )


class Merger:
    """Who is awake, who is one with whom."""

    def __init__(
        self,
        settings: Merging | None,
        bodies: Bodies,
        motion: Motion,
        search: Search,
        held: I64,
        scripted: I64,
    ) -> None:
        self.settings, self.bodies, self.motion, self.search = settings, bodies, motion, search
        self.scripted = scripted
        n, things, rows = bodies.count, bodies.things, bodies.rows
        self.world = things
        self.groups = Groups(search.owner, np.zeros((things, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (things, 1)))
        self.free_rows = list(range(things + 1, rows))
        self.load = np.zeros(n)
        """N that each joined body bore when it was joined"""
        self.rest = np.zeros(rows)
        """s for which each row has been at rest"""
        self.stored = nothing_stored()
        moves = bodies.table.inverse_mass[:n] > 0
        self.can_join = moves.copy()
        """bodies without joints that forces move"""
        self.can_join[held[held < n]] = False
        self.still = np.zeros(rows, np.int64)
        """the world, fixed bodies, and obstacles without script"""
        self.still[self.world] = 1
        self.still[:n][~moves] = 1
        self.still[n:things] = 1
        self.still[scripted] = 0
        self.search.stale[scripted] = ALWAYS
        self.merges = self.splits = 0
        self.waited = 0
        """steps since bodies were last joined"""
        self._wake = np.zeros(n, np.int64)
        self._opened: list[tuple[NDArray[Any], ...]] = []
        """keys, places, impulses and twists of contacts that splits have opened and nobody has recalled"""
        self._label = np.zeros(rows, np.int64)
        self._find_disturbed, self._find_resting = SameTypes(find_disturbed), SameTypes(find_resting)
        self._arrange()

    # --- who moves -----------------------------------------------------------------------------------

    def _arrange(self) -> None:
        """Lists that follow from the owners."""
        n, owner = self.bodies.count, self.search.owner
        alone, moves = owner[:n] == np.arange(n), self.bodies.table.inverse_mass[:n] > 0
        awake = np.flatnonzero(alone & moves)
        self.members: I64 = np.flatnonzero(owner[:n] > self.world)
        """bodies in groups"""
        self.in_use: I64 = np.unique(owner[self.members])
        """rows of groups"""
        self.loose: I64 = np.concatenate([np.flatnonzero(alone & self.can_join), self.in_use])
        """rows that move and have no joint"""
        self.active: I64 = np.concatenate([awake, self.in_use, self.scripted])
        """rows that move"""
        asleep = owner[:n] == self.world
        self.asleep = int(asleep.sum())
        """bodies at rest in the world"""
        self.search.moves[:n] = moves & ~asleep

    def carry(self) -> None:
        """Moves members with their groups, after a step."""
        if len(self.members):
            place_members(self.groups, self.bodies.table, self.motion, self.members)

    # --- pushes from outside --------------------------------------------------------------------------

    def with_groups(self, outer: F64) -> F64:
        """Impulses (rows, 6) on bodies, about their centres of mass, with those of members on their groups as well."""
        if not len(self.members):
            return outer
        whole, group = outer.copy(), self.search.owner[self.members]
        pushed = outer[self.members]
        arm = self.motion.x[self.members] - self.motion.x[group]
        np.add.at(whole[:, :3], group, pushed[:, :3])
        np.add.at(whole[:, 3:], group, pushed[:, 3:] + np.cross(arm, pushed[:, :3]))
        return whole

    def pushed(self, outer: F64, weight: float) -> I64:
        """Bodies at rest in the world whom an impulse moves: it is half of theirs by weight (N s per kg), or more."""
        asleep = np.flatnonzero(self.search.owner[: self.bodies.count] == self.world)
        push = outer[asleep, :3]
        least = 0.5 * weight * self.bodies.mass[asleep]
        return asleep[(self.bodies.mass[asleep] > 0.0) & (dot(push, push) > least * least)]

    # --- joining -------------------------------------------------------------------------------------

    def join(self, members: I64) -> int:
        """Makes bodies one group; returns its row. They leave the groups they were in."""
        self.split(members)
        g = self.free_rows.pop(0)
        members = np.asarray(sorted(members), np.int64)
        gather_group(self.groups, self.bodies.table, self.motion, members, g)
        self.rest[g] = 0.0
        self.merges += len(members)
        self._arrange()
        return g

    def lay_down(self, members: I64) -> None:
        """Joins bodies with the world, where they are."""
        self.split(members)
        self.search.owner[members] = self.world
        self.search.stale[members] = 1
        self.motion.V[members] = 0.0
        self.merges += len(members)
        self._arrange()

    def split(self, members: I64) -> None:
        """Bodies on their own again, moving as they do; a group they were in dissolves as a whole."""
        owner, n, world = self.search.owner, self.bodies.count, self.world
        members = np.asarray(members, np.int64)
        members = members[owner[members] != members]
        if len(members) == 0:
            return
        # A group without one of its members need not hang together.
        groups = np.unique(owner[members])
        groups = groups[groups > world]
        leaving = np.union1d(members, np.flatnonzero(np.isin(owner[:n], groups))) if len(groups) else members
        self._open_contacts(leaving)
        owner[leaving] = leaving
        self.rest[leaving] = 0.0
        self.splits += len(leaving)
        self.bodies.table.inverse_mass[groups] = 0.0
        self.free_rows = sorted([*self.free_rows, *groups.tolist()])
        refresh_these(self.bodies.table, self.motion, leaving)
        self._arrange()

    def _open_contacts(self, leaving: I64) -> None:
        """Notes the contacts inside of joined bodies that are between bodies again."""
        first, second = self.stored.real[:, 0], self.stored.real[:, 1]
        parts = np.zeros(self.bodies.things, np.bool_)
        parts[leaving] = True
        inside = self.search.owner[first] == self.search.owner[second]
        chosen = np.flatnonzero(inside & (parts[first] | parts[second]))
        if len(chosen):
            known = self.stored
            rows = known.key, known.place, known.impulse, known.twist
            self._opened.append(tuple(column[chosen] for column in rows))

    @property
    def opened_count(self) -> int:
        """Contacts of split bodies that are still to be recalled."""
        return sum(len(columns[0]) for columns in self._opened)

    def recall_opened(self, memory: Remembered) -> None:
        """Adds the contacts of bodies split since the last call to what is remembered."""
        n, m = int(memory.held[0]), self.opened_count
        columns = memory.keys, memory.place, memory.impulse, memory.twist
        for column, opened in zip(columns, zip(*self._opened, strict=True), strict=True):
            column[n : n + m] = np.concatenate(opened)
        memory.held[0] = n + m
        index_memory(memory)
        self._opened = []

    # --- after a step --------------------------------------------------------------------------------

    def disturbed(
        self, contacts: ContactBuffers, sweeps: Sweeps, dt: float, h: float, first: bool
    ) -> tuple[I64, bool]:
        """Joined bodies that this step would have moved, and whether one of them was hit.

        `first` says that the step is being done for the first time.
        """
        if self.settings is None or (self.asleep == 0 and len(self.members) == 0):
            return np.zeros(0, np.int64), False
        hit = self._find_disturbed(
            contacts,
            sweeps,
            self.motion,
            self.bodies.table,
            self.search.owner,
            self.load,
            self.stored,
            self.bodies.count,
            Watched(dt, h, self.settings.wake_speed, self.settings.support_moves, first),
            self._wake,
        )
        return np.flatnonzero(self._wake), bool(hit)

    def settle(self, contacts: ContactBuffers, sweeps: Sweeps, dt: float) -> None:
        """Joins what has been at rest long enough."""
        if self.settings is None:
            return
        self.waited += 1
        if len(self.loose) == 0:
            return
        n, owner = self.bodies.count, self.search.owner
        may_join = np.zeros(self.bodies.rows, np.int64)
        may_join[:n] = self.can_join & (owner[:n] == np.arange(n))
        may_join[self.in_use] = 1
        joined = self._find_resting(
            contacts,
            sweeps,
            self.motion,
            self.bodies.table,
            may_join,
            self.still,
            self.rest,
            dt,
            self.settings.speed,
            self.settings.rest_time,
            self._label,
        )
        if joined == 0 or self.waited < JOIN_EVERY:
            return
        self.waited = 0
        label = self._label.copy()
        of_body = label[owner[:n]]
        of_body[~self.can_join] = -1
        self._take_loads(contacts, np.flatnonzero(of_body >= 0), dt)
        for target in np.unique(of_body[of_body >= 0]):
            members = np.flatnonzero(of_body == target)
            if target == self.bodies.rows:
                self.lay_down(members)
            elif len(members) > 1 and self.free_rows:
                self.join(members)
        self._store(contacts, np.flatnonzero(of_body >= 0))

    def _take_loads(self, contacts: ContactBuffers, joining: I64, dt: float) -> None:
        """Normal forces on the bodies that are about to be joined."""
        n = int(contacts.found[0])
        normal = np.einsum("ck,ck->c", contacts.total[:n], contacts.normal[:n])
        load = np.zeros(self.bodies.things)
        for side in range(2):
            np.add.at(load, contacts.real[:n, side], np.maximum(normal, 0.0) / dt)
        # What a group's members bear among themselves is not in the list of contacts any more.
        grouped = self.search.owner[joining] != joining
        self.load[joining] = np.where(grouped, np.maximum(self.load[joining], load[joining]), load[joining])

    def _store(self, contacts: ContactBuffers, joined: I64) -> None:
        """Keeps the contacts of bodies that were just joined; those of split ones are forgotten."""
        n, count = int(contacts.found[0]), self.bodies.count
        owner = self.search.owner
        merged = np.zeros(self.bodies.things, np.bool_)
        merged[:count] = owner[:count] != np.arange(count)
        now = np.zeros(self.bodies.things, np.bool_)
        now[joined] = True
        real, old = contacts.real[:n], self.stored.real
        loaded = (contacts.impulse[:n] != 0).any(axis=1)
        new = np.flatnonzero(loaded & (now[real[:, 0]] | now[real[:, 1]]))
        kept = np.flatnonzero(
            (merged[old[:, 0]] | merged[old[:, 1]]) & ~np.isin(self.stored.key, contacts.key[new])
        )
        places = self._places(contacts, new)
        apart = self.motion.x[real[new, 1]] - self.motion.x[real[new, 0]]
        before: list[NDArray[Any]] = list(self.stored)
        fresh = (real[new], contacts.key[new], places, contacts.impulse[new], contacts.twist[new], apart)
        self.stored = Stored(
            *(np.concatenate([old[kept], more]) for old, more in zip(before, fresh, strict=True))
        )

    def _places(self, contacts: ContactBuffers, chosen: I64) -> F64:
        """(c, 3) of contacts in the frame of their first body."""
        first = contacts.real[chosen, 0]
        arm = contacts.point[chosen] - self.motion.x[first]
        return np.einsum("cji,cj->ci", self.motion.R[first], arm)

    # --- restart -------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        rows = slice(self.world + 1, None)
        return {
            "owner": self.search.owner.copy(),
            "offset": self.groups.offset.copy(),
            "turn": self.groups.turn.copy(),
            "load": self.load.copy(),
            "rest": self.rest.copy(),
            "waited": np.array(self.waited),
            "group_inverse_mass": self.bodies.table.inverse_mass[rows].copy(),
            "group_inertia": self.bodies.table.inertia[rows].copy(),
            "group_inverse_inertia": self.bodies.table.inverse_inertia[rows].copy(),
            **{f"stored_{name}": getattr(self.stored, name).copy() for name in Stored._fields},
        }

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        rows = slice(self.world + 1, None)
        self.search.owner[:], self.groups.offset[:] = memory["owner"], memory["offset"]
        self.groups.turn[:], self.load[:], self.rest[:] = memory["turn"], memory["load"], memory["rest"]
        self.waited = int(memory["waited"])
        self.bodies.table.inverse_mass[rows] = memory["group_inverse_mass"]
        self.bodies.table.inertia[rows] = memory["group_inertia"]
        self.bodies.table.inverse_inertia[rows] = memory["group_inverse_inertia"]
        self.stored = Stored(*(memory[f"stored_{name}"].copy() for name in Stored._fields))
        self._opened = []
        used = set(self.search.owner.tolist())
        self.free_rows = [g for g in range(self.world + 1, self.bodies.rows) if g not in used]
        self.search.stale[self.search.stale == 0] = 1
        self._arrange()
