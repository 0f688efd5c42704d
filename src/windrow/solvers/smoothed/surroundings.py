"""What particles meet in a substep: obstacles and moving bodies, and what each of them receives in return."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.collide.holding import hold_at_walls
from windrow.collide.walls import WallContacts, find_walls
from windrow.geometry.terms import F32, F64
from windrow.kernel import BLOCK, kernel
from windrow.solvers.movers.meeting import Meetings, Moving, book_impulse
from windrow.solvers.movers.movers import Movers
from windrow.solvers.p2.bodies import book_held, end_bodies, start_bodies
from windrow.solvers.reaction import reactions
from windrow.solvers.smoothed.moving import foresee
from windrow.solvers.smoothed.spline import SUPPORT, Spline
from windrow.solvers.smoothed.touching import TouchTable, fastest_approach
from windrow.state.model import Model
from windrow.state.state import State

F: Any = np.float32
NEARER = 0.25
"""How far a wall may go into the particles in a substep, over d₀."""


class Surroundings:
    """Contacts with obstacles and bodies, as one table of planes (`touching.py`)."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.obstacles = WallContacts(model.capacity)
        self.walls = TouchTable(model.capacity)
        self.speeds = np.zeros((model.capacity + BLOCK - 1) // BLOCK, np.float32)
        self.movers: Movers | None = None
        self.impulse, self.begun = np.zeros((0, 3)), np.zeros((0, 6))
        """What bodies gave particles in the substep, N s; velocities of the bodies before any contact."""

    def find(
        self, state: State, A: F32, done: float, h: float, rest: float, spline: Spline, shortest: float | None
    ) -> tuple[float, NDArray[np.float64]]:
        """The table for the next substep, `done` s after the step began, of which `rest` s are left.

        Returns how long it is, at most h, and the obstacles' poses after it. No wall goes further than NEARER d₀ into
        the particles at once, unless substeps were shorter than `shortest`; None: h is what it is.
        """
        poses = self._look(state, A, done, h, spline)
        if shortest is not None:
            fastest_approach(state.X, state.V, state.count, self.walls.touches, self.speeds)
            speed = float(self.speeds[: (state.count + BLOCK - 1) // BLOCK].max())
            longest = max(NEARER * float(spline.h) / SUPPORT / max(speed, 1e-9), shortest)
            if h > longest:
                h = rest / math.ceil(rest / longest)
                poses = self._look(state, A, done, h, spline)
        if self.movers is not None:
            start_bodies(self.movers.moving, h)
            self.begun = self.movers.moving.V.copy()
            self.impulse = np.zeros((len(self.movers.meetings.grain), 3))
        return h, poses

    def _look(self, state: State, A: F32, done: float, h: float, spline: Spline) -> NDArray[np.float64]:
        """Walls within reach in the next h s; returns the obstacles' poses after it."""
        model, n, time = self.model, state.count, state.time + done
        foresee(state.X, state.V, state.flags, n, F(h), A)
        reach = float(spline.h) * (1.0 - 0.5 / SUPPORT)
        poses = model.poses(time), model.poses(time + h)
        find_walls(state.X, A, state.material, n, model.shapes, *poses, reach, model.kinds, self.obstacles)
        if self.movers is not None:
            self.movers.find(state.X, A, state.material, n, h, reach, done)
        self.walls.lay(state.X, n, h, self.obstacles, self.movers, model.pairs, spline)
        return poses[1]

    def give(self, state: State, A: F32, h: float, span: float, poses: NDArray[np.float64]) -> None:
        """Nothing goes through a wall; obstacles and bodies receive the opposite of what they gave."""
        n = state.count
        self.walls.give_obstacles(state.V, n, h, self.obstacles)
        hold_at_walls(state.X, A, n, self.obstacles)
        force, torque = state.body_force.copy(), state.body_torque.copy()
        reactions(self.obstacles, A, state, poses, h)
        # means over the step
        state.body_force[:] = force + h / span * (state.body_force - force)
        state.body_torque[:] = torque + h / span * (state.body_torque - torque)
        movers = self.movers
        if movers is not None:
            book_bodies(movers.meetings, movers.moving, self.impulse)
            walls = movers.walls
            # a body whose numbers are lost answers to nothing
            known = bool(np.isfinite(movers.V).all() and np.isfinite(movers.moving.V).all())
            if known and len(movers.meetings.grain) and hold_at_walls(state.X, A, n, walls):
                book_held(walls.start, walls.end, walls.push, A, n, movers.meetings, movers.moving, h, self.impulse)
            end_bodies(movers.moving, h)
            movers.pass_by(h)

    def forget(self) -> None:
        """What it still knows is of another state."""
        self.obstacles.obstacles = None


@kernel
def book_bodies(meetings: Meetings, moving: Moving, impulse: F64) -> None:
    """Books what the bodies were given; their velocities have it already."""
    for q in range(len(meetings.grain)):
        book_impulse(moving.given, meetings, q, impulse[q, 0], impulse[q, 1], impulse[q, 2])
