"""What is asked of rigid bodies that grains push: where they are, how they would move, how they answer to impulses.

Who moves grains, and `Movers` between the two, know bodies by this alone. `multibody.coupling.Answers` is one that can.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from windrow.geometry.terms import F64, I64


class BodyPlaces(NamedTuple):
    """Where n bodies are and how they move."""

    x: F64
    """(n, 3) centres of mass, m"""
    R: F64
    """(n, 3, 3) rotations"""
    V: F64
    """(n, 6) velocities, m/s and rad/s"""


class Mobility(NamedTuple):
    """Touched bodies in the order of their groups; what belongs to different groups moves apart."""

    body: I64
    """(k,)"""
    first: I64
    """(k,) first place of the same group"""
    end: I64
    """(k,) one after its last"""
    W: F64
    """(k, widest group, 6, 6) of place s and the t-th of its group: velocity of that per impulse on s"""


class AnsweringBodies(Protocol):
    """n rigid bodies. Impulses are (n, 6), N s and N m s, about their centres of mass."""

    @property
    def center(self) -> F64:
        """(n, 3) centres of mass in the bodies' own frames, m."""

    @property
    def mass(self) -> F64:
        """(n,) kg; 0: fixed."""

    @property
    def inertia(self) -> F64:
        """(n, 3, 3) about their centres of mass, in their own frames, kg m²."""

    def now(self) -> BodyPlaces:
        """Between two of their steps; views of the bodies' own numbers."""

    def yielding(self) -> F64:
        """(n,) turn of a free body per length that it is pushed at its edge, rad/m; 0: joints hold it."""

    def preview(self, dt: float, impulse: F64) -> BodyPlaces:
        """Where bodies would be after a step of dt (s), with these impulses; asking changes nothing."""

    def mobility(self, touched: I64) -> Mobility:
        """How these bodies, and those that hold them, answer to impulses; after a `preview`."""

    def push(self, impulse: F64) -> None:
        """Gives them impulses for the step to come."""

    def alone(self) -> NDArray[np.bool_]:
        """(n,) which no joint holds, and which touched no other and no obstacle in their last step or preview."""

    def near(self) -> I64:
        """Which are near each other or obstacles, as far as their last step remembers; the same after a restart."""

    def put(self, chosen: I64, x: F64, R: F64) -> None:
        """Moves free bodies to x and R (n, …); they keep their angular momenta."""
