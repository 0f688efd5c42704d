"""Movers: the rigid bodies as grains meet them during one step.

begin      where the bodies are, and how they move
preview    if grains may meet any: the bodies are asked how they would move
find       (the grains' solver, once or more) contacts; the touched bodies are asked how they answer to impulses
…          the grains' solver sweeps over the contacts; both sides move
hand_over  what the grains gave goes to the bodies, which then make their own step
settle     where they are after it

`answering` has what is asked of bodies; who computes them is no matter here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.walls import WallContacts, find_walls
from windrow.fixed_math import norm, product, rotate
from windrow.geometry.pieces import pieces_of
from windrow.geometry.table import shape_table
from windrow.geometry.terms import F32, F64, I32, I64
from windrow.scene.motion import rotation_vector
from windrow.solvers.movers.answering import AnsweringBodies
from windrow.solvers.movers.meeting import (
    TURN,
    Moving,
    count_meetings,
    gather,
    mark_bodies,
    no_meetings,
    nothing_moves,
    place_pieces,
    turned,
    turned_far,
    weigh_bodies,
)
from windrow.solvers.movers.pacing import MOST_PARTS, longest_part, may_meet, outlines_of
from windrow.state.form import Array, Form
from windrow.state.model import Model
from windrow.state.state import State
from windrow.terrain.beds import BedPlace


class Movers:
    """The bodies of one model, between the grains' solver and theirs."""

    def __init__(self, bodies: AnsweringBodies, model: Model, beds: Sequence[BedPlace] = ()) -> None:
        """beds: of bodies, whose soil has a surface that grains meet."""
        self.bodies, self.beds = bodies, beds
        self.kinds = model.kinds
        names = model.material_names
        pieces = pieces_of(model.scene)
        index = {name: len(names) + k for k, name in enumerate(names)}
        obstacles = [*pieces.obstacles, *(bed.obstacle() for bed in beds)]
        self.table = shape_table(obstacles, index, model.scene.base_dir)
        self.first_bed = len(pieces.obstacles)
        """piece that is the surface of the first bed"""
        self.solid = self.table._replace(solids=self.table.solids[self.table.solids < self.first_bed])
        """the same without beds: what lies under the surface of one may be below the truck"""
        self.owner = np.append(pieces.owner, np.array([bed.body for bed in beds], np.int64))
        """(pieces,) body"""
        self._turn = np.concatenate([pieces.rotation, np.tile(np.eye(3), (len(beds), 1, 1))])
        position = np.concatenate([pieces.position, np.array([bed.middle for bed in beds]).reshape(-1, 3)])
        self._place = position - bodies.center[self.owner]
        self._outlines = outlines_of(bodies, self.table, self.owner, self._place)
        count = len(bodies.mass)
        self.walls = WallContacts(model.capacity)
        self.x, self.R, self.V = np.zeros((count, 3)), np.zeros((count, 3, 3)), np.zeros((count, 6))
        """(bodies, …) centres of mass, rotations and velocities now"""
        self.expected, self.given = np.zeros((count, 6)), np.zeros((count, 6))
        """(bodies, 6) what the grains gave: mean force and torque in the step or part before, N and N m, and impulse in
        this one, N s and N m s"""
        self.dt = 0.0
        self._rate: F64 | None = None
        self._span, self._far = 0.0, False
        self._chosen = np.zeros(0, np.int64)
        self.moving, self.meetings = nothing_moves(), no_meetings(0)

    def part(self, state: State, rest: float, dt: float) -> float:
        """How much of the `rest` of a step of dt (s) grains and bodies may make at once."""
        x, _, V = self.bodies.now()
        longest = longest_part(self._outlines, x, V, state.X, state.V, state.count, rest)
        longest = min(longest, self._until_turned())
        parts = math.ceil(rest / max(longest, dt / MOST_PARTS) - 1e-6)
        return rest / parts if parts > 1 else rest

    def _until_turned(self) -> float:
        """Time, s, for which free bodies that are near others or obstacles turn little: contacts with these keep their
        lever arms through the bodies' own step, too."""
        near = self.bodies.near()
        near = near[self._outlines.yielding[near] > 0.0]
        spin = float(norm(self.bodies.now().V[near, 3:]).max(initial=0.0))
        return TURN / spin if math.isfinite(spin) and spin > 0.0 else math.inf

    def begin(self, dt: float) -> None:
        """A step, or a part of one, of dt (s) begins."""
        self.dt = dt
        self.x, self.R, self.V = (array.copy() for array in self.bodies.now())
        self._span, self._far = 0.0, False
        self.given[:] = 0.0
        self._rate = None
        self._chosen = np.zeros(0, np.int64)
        self.moving, self.meetings = nothing_moves(), no_meetings(0)

    def preview(self, state: State) -> None:
        """Asks the bodies how they would move in this part, if grains may meet one of them."""
        if may_meet(self._outlines, self.bodies.now(), state.X[: state.count], state.V[: state.count], self.dt):
            self._ask()

    def poses_now(self) -> F64:
        """(pieces, 12) rotation, row by row, and position of every piece between two steps."""
        x, R, _ = self.bodies.now()
        return self._poses(x, R)

    def find(
        self, X: F32, P: F32, material: I32, count: int, span: float, margin: float, elapsed: float
    ) -> None:
        """Contacts over the next `span` s, `elapsed` s after the step began. X, P: see `find_walls`."""
        pose0 = self._poses(self.x, self.R)
        pose1 = self._poses(self.x + span * self.V[:, :3], turned(self.R, span * self.V[:, 3:]))
        find_walls(X, P, material, count, self.table, pose0, pose1, margin, self.kinds, self.walls)
        walls = self.walls
        many = count_meetings(walls.start, walls.end, count) if len(self.table.kind) else 0
        if many == 0:
            self.meetings = no_meetings(0)
            if len(self._chosen):
                self.moving.moved[:] = 0.0
            return
        met = np.zeros(len(self.x), np.bool_)
        mark_bodies(walls.start, walls.end, count, walls.body, self.owner, met)
        self._take(np.flatnonzero(met), elapsed)
        place = np.full(len(self.x), -1, np.int64)
        place[self._chosen] = np.arange(len(self._chosen))
        meetings = no_meetings(many)
        gather(
            walls.start, walls.end, count, walls.plane, walls.slide, walls.body, walls.pair, P,
            place[self.owner], self.x[self._chosen], meetings,
        )  # fmt: skip
        weigh_bodies(self.moving, meetings)
        self.meetings = meetings

    def pass_by(self, span: float) -> None:
        """`span` s are over: bodies are where the contacts moved them, the others where they were going."""
        moved = span * self.V
        self._span += span
        if len(self._chosen):
            self._far = self._far or bool(turned_far(self.moving))
            moved[self._chosen] = self.moving.moved
            self.V[self._chosen] = self.moving.V
            self.moving.moved[:] = 0.0
        self.x += moved[:, :3]
        self.R = turned(self.R, moved[:, 3:])

    def turned_far(self) -> bool:
        """Whether the grains turned a body so far that the bodies should make their own step now."""
        return self._far

    def hand_over(self) -> tuple[F64, F64]:
        """Gives the bodies what the grains gave, for the step they make now.

        Returns it as force (bodies, 3), N, and torque about the bodies' origins, N m.
        """
        if len(self._chosen):
            self.given[self._chosen] = self.moving.given
        self.bodies.push(self.given)
        mean = self.given / self._span if self._span else self.given
        self.expected[:] = mean
        arm = rotate(self.bodies.now().R, self.bodies.center)
        return mean[:, :3], mean[:, 3:] + np.cross(arm, mean[:, :3])

    def settle(self) -> None:
        """After the bodies' own step: free bodies that only grains touched are where the grains met them.

        The bodies' step spreads the grains' push over its length. A body that a blow stopped at once would go
        on into the grains, and their springs would throw it back with energy that nobody gave. The angular momentum is
        that of the bodies' step: a spin that stayed while the body is turned under it would be another momentum, and
        a long body that spins fast would gain by it at every step.
        """
        alone = self.bodies.alone()
        # What answers to impulses by its mass alone needs no guess; and a blow would be a bad one.
        self.expected[alone] = 0.0
        self.bodies.put(self._chosen[alone[self._chosen]], self.x, self.R)

    def memory(self) -> dict[str, NDArray[Any]]:
        """What a restarted run needs: a mean force and torque, N and N m, not an impulse."""
        return {"expected": self.expected.copy()}

    def form(self) -> Form:
        """What `memory` gives."""
        return {"expected": Array(np.float64, (len(self.expected), 6))}

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Takes back what `memory` gave, and was checked to have its form."""
        self.expected[:] = memory["expected"]

    def _poses(self, x: F64, R: F64) -> F64:
        """(pieces, 12) rotation, row by row, and position of every piece."""
        poses = np.zeros((len(self.owner), 12))
        place_pieces(x, R, self.owner, self._turn, self._place, poses)
        return poses

    def _ask(self) -> None:
        """How the bodies would move if the grains pushed them as in the step or part before.

        What tumbles freely turns here as its own step turns it, with the spin that brings it there. With a spin that
        grows from that of the one step to that of the next it would lag behind, or be ahead, always on one side; and
        a body that is put there (`settle`) with the angular momentum it has gains energy each time.
        """
        _, R, V = self.bodies.preview(self.dt, self.dt * self.expected)
        self._rate = (V - self.V) / self.dt
        known = self.dt * norm(V[:, 3:]) < 1.0  # of more than half a turn the spin could not be told
        for b in np.flatnonzero(known & self.bodies.alone() & ~self.expected.any(axis=1)):
            self.V[b, 3:] = rotation_vector(product(R[b], self.R[b].T)) / self.dt
            self._rate[b, 3:] = 0.0

    def _take(self, touched: I64, elapsed: float) -> None:
        """Makes sure that it is known how the touched bodies answer."""
        if np.isin(touched, self._chosen).all():
            self.moving.moved[:] = 0.0
            return
        if self._rate is None:  # a grain was thrown at a body from further away than `may_meet` looks
            self._ask()
        assert self._rate is not None
        mobility = self.bodies.mobility(np.union1d(touched, self._chosen))
        chosen, k = mobility.body, len(mobility.body)
        given = np.zeros((len(self.x), 6))
        given[self._chosen] = self.moving.given
        # what is touched only now has moved freely so far
        fresh = np.setdiff1d(chosen, self._chosen)
        self.V[fresh] += self._rate[fresh] * elapsed
        rate, expected = self._rate[chosen], self.expected[chosen]
        if expected.any():
            for s in range(k):
                for t in range(mobility.first[s], mobility.end[s]):
                    rate[t] -= rotate(mobility.W[s, t - mobility.first[s]], expected[s])
        self._chosen = chosen
        self.moving = Moving(
            V=self.V[chosen].copy(),
            rate=rate,
            mass=self.bodies.mass[chosen],
            first=mobility.first,
            end=mobility.end,
            W=mobility.W,
            moved=np.zeros((k, 6)),
            given=given[chosen].copy(),
        )
