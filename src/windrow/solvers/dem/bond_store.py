"""The bonds of a scene while DEM runs: which hold, where their grains are, what is kept of them in a snapshot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm
from windrow.solvers.dem import bonds as law
from windrow.solvers.dem.bonds import BondArrays
from windrow.state.bonds import HOLDS, LOST, BondReadings
from windrow.state.form import Array, Form
from windrow.state.model import Model
from windrow.state.state import State

if TYPE_CHECKING:
    from windrow.scene.scene import Scene

PARTS = 20.0
"""Steps that half a period of the stiffest bond is cut into, as collisions are."""


class BondStore:
    """All bonds of the start, and those whose grains are there, in the order of the grains' places."""

    def __init__(self, model: Model) -> None:
        links = model.links
        self.links, self.capacity, self._scene_bonds = links, model.capacity, model.scene.bonds
        many = len(links.bond_first)
        self.ended = np.zeros(many, np.int8)
        self.ended_at = np.full(many, np.nan)
        self.memory = np.zeros((many, law.MEMORY))
        self.numbers = bond_numbers(model.scene, links.bond_group, links.bond_length, links.bond_radius)
        self.present = np.zeros(0, np.int64)
        """Numbers of the bonds in `arrays`."""
        self.placed = many == 0
        """Whether `arrays` are those of the present grains."""
        self.arrays = self._placed(np.zeros((0, 2), np.int64))

    def __len__(self) -> int:
        return len(self.ended)

    def place(self, state: State, time: float) -> None:
        """Finds the grains after they were sorted, or others are there; bonds whose grains are gone end."""
        if len(self) == 0:
            return
        self.keep()
        first, second = self.links.bond_places(state.id[: state.count])
        gone = (self.ended == HOLDS) & ((first < 0) | (second < 0))
        self.ended[gone], self.ended_at[gone] = LOST, time
        self.present = np.flatnonzero(self.ended == HOLDS)
        ends = np.stack([first[self.present], second[self.present]], axis=1)
        self.arrays = self._placed(ends)
        self._set_dampers(state, ends)
        self.placed = True

    def _placed(self, ends: NDArray[np.int64]) -> BondArrays:
        many = len(ends)
        order = np.argsort(ends.ravel(), kind="stable")
        start = np.zeros(self.capacity + 2, np.int32)
        np.cumsum(np.bincount(ends.ravel(), minlength=self.capacity + 1), out=start[1:])
        return BondArrays(
            ends=ends.astype(np.int32),
            numbers=self.numbers[self.present],
            memory=self.memory[self.present],
            ended=np.zeros(many, np.int8),
            when=np.zeros(many, np.int32),
            given=np.zeros((many, 9)),
            start=start,
            entry=order.astype(np.int32),
        )

    def _set_dampers(self, state: State, ends: NDArray[np.int64]) -> None:
        """c = 2 ζ √(k m*), with the moments of inertia 2/5 m r² for bending and twisting."""
        numbers, group = self.arrays.numbers, self.links.bond_group[self.present]
        ratio = np.array([bonds.damping_ratio for bonds in self._scene_bonds])[group]
        w, r = state.V[:, 3].astype(np.float64)[ends], state.X[:, 3].astype(np.float64)[ends]
        mass = 1.0 / np.maximum(w.sum(axis=1), 1e-30)
        inertia = 1.0 / np.maximum((2.5 * w / (r * r)).sum(axis=1), 1e-30)
        held = w.sum(axis=1) == 0.0
        for k, c, m in (
            (law.K_NORMAL, law.C_NORMAL, mass),
            (law.K_SHEAR, law.C_SHEAR, mass),
            (law.K_BEND, law.C_BEND, inertia),
            (law.K_TWIST, law.C_TWIST, inertia),
        ):
            numbers[:, c] = np.where(held, 0.0, 2.0 * ratio * np.sqrt(numbers[:, k] * m))

    def keep(self) -> None:
        """Takes what the kernels wrote."""
        self.memory[self.present] = self.arrays.memory
        self.ended[self.present] = np.maximum(self.ended[self.present], self.arrays.ended)

    def note(self, time: float, h: float) -> int:
        """Books the bonds that ended in the last call, which began at `time` (s); returns how many."""
        if len(self.present) == 0:
            return 0
        new = np.flatnonzero((self.arrays.ended != HOLDS) & np.isnan(self.ended_at[self.present]))
        self.ended_at[self.present[new]] = time + (self.arrays.when[new] + 1) * h
        return len(new)

    def count_in(self, state: State) -> None:
        """Writes how many bonds hold each grain."""
        held = self.arrays.ends[self.arrays.ended == HOLDS]
        state.columns["bonds"][: state.count] = np.bincount(held.ravel(), minlength=state.count)

    # --- what is kept and told ----------------------------------------------------------------------------------

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Nothing in scenes without bonds."""
        if len(self) == 0:
            return {}
        self.keep()
        return {
            "bond_memory": self.memory.copy(),
            "bond_ended": self.ended.copy(),
            "bond_ended_at": np.nan_to_num(self.ended_at, nan=-1.0),
        }

    def form(self) -> Form:
        """What `to_arrays` gives."""
        if len(self) == 0:
            return {}
        return {
            "bond_memory": Array(np.float64, (len(self), law.MEMORY), finite=False),
            "bond_ended": Array(np.int8, (len(self),), low=0, below=LOST + 1),
            "bond_ended_at": Array(np.float64, (len(self),), low=-1.0),
        }

    def from_arrays(self, data: dict[str, NDArray[Any]]) -> None:
        """The inverse of `to_arrays`; `place` must follow."""
        if len(self) == 0:
            return
        self.memory, self.ended = data["bond_memory"].copy(), data["bond_ended"].copy()
        at = data["bond_ended_at"]
        self.ended_at = np.where(at < 0.0, np.nan, at)
        self.placed = False
        self.present = np.zeros(0, np.int64)
        self.arrays = self._placed(np.zeros((0, 2), np.int64))

    def readings(self) -> BondReadings:
        self.keep()
        links, memory = self.links, self.memory
        n, moment = memory[:, : law.SHEAR_FORCE], memory[:, law.MOMENT : law.MOMENT + 3]
        twisting = (moment * n).sum(axis=1)
        bending = moment - twisting[:, None] * n
        shear, tension = memory[:, law.SHEAR_FORCE : law.SHEAR_FORCE + 3], memory[:, law.PULL]
        area, section = self.numbers[:, law.AREA], self.numbers[:, law.SECTION]
        return BondReadings(
            first=links.bond_first.copy(),
            second=links.bond_second.copy(),
            group=links.bond_group.copy(),
            ended=self.ended.copy(),
            ended_at=self.ended_at.copy(),
            tension=tension.copy(),
            shear=shear.copy(),
            bending=bending,
            twisting=twisting,
            tensile_stress=tension / area + norm(bending) / section,
            shear_stress=norm(shear) / area + 0.5 * np.abs(twisting) / section,
        )


def bond_numbers(
    scene: Scene, group: NDArray[np.int64], length: NDArray[np.float64], radius: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(b, NUMBERS) of bonds of the scene's groups; dampers are left out."""
    numbers = np.zeros((len(group), law.NUMBERS))
    if len(group) == 0:
        return numbers
    given = scene.bonds
    young = np.array([bonds.young_modulus for bonds in given])[group]
    shear = np.array([0.5 * bonds.young_modulus / (1.0 + bonds.poisson_ratio) for bonds in given])[group]
    square = radius * radius
    area, inertia = math.pi * square, 0.25 * math.pi * square * square
    numbers[:, law.LENGTH], numbers[:, law.RADIUS], numbers[:, law.AREA] = length, radius, area
    numbers[:, law.SECTION] = inertia / radius
    numbers[:, law.K_NORMAL], numbers[:, law.K_SHEAR] = young * area / length, shear * area / length
    numbers[:, law.K_BEND], numbers[:, law.K_TWIST] = young * inertia / length, shear * 2.0 * inertia / length
    numbers[:, law.TENSILE] = np.array([bonds.tensile_strength for bonds in given])[group]
    numbers[:, law.SHEARING] = np.array([bonds.shear_strength for bonds in given])[group]
    return numbers


def bond_step(scene: Scene, joins: dict[str, NDArray[Any]], grains: Any) -> float:
    """The longest step that the bonds of a scene are computed well with, s; infinite without bonds.

    1/20 of half a period π/ω of two bonded grains, in all ways that they can swing; ω² of turning counts the shear
    spring at its lever, too.
    """
    if len(joins["bond_first"]) == 0:
        return math.inf
    numbers = bond_numbers(scene, joins["bond_group"], joins["bond_length"], joins["bond_radius"])
    ends = np.stack([joins["bond_first"], joins["bond_second"]], axis=1)
    w = np.where(grains["pinned"], 0.0, 1.0 / grains["mass"])[ends]
    r = grains["radius"][ends]
    lever = (numbers[:, law.LENGTH] / r.sum(axis=1))[:, None] * r
    turning = 2.5 * w / (r * r)
    across = numbers[:, law.K_SHEAR] * (w + lever * lever * turning).sum(axis=1)
    squares = [
        numbers[:, law.K_NORMAL] * w.sum(axis=1),
        across + numbers[:, law.K_BEND] * turning.sum(axis=1),
        numbers[:, law.K_TWIST] * turning.sum(axis=1),
    ]
    fastest = float(np.sqrt(np.max(squares)))
    return math.pi / (PARTS * fastest) if fastest > 0.0 else math.inf
