"""How many substeps a step needs, what stiffness they carry, and where more sweeps are needed.

A sweep lets a light grain pass on about its own mass's worth of a load that stops. Where a grain brings many times the
mass of those it rests on, and is not yet at rest, the pencils around it get more sweeps; all others keep to the
settings. A load at rest is carried by the impulses that are remembered, however heavy it is. The *mass-ratio load* of a
contact is the heavier grain's mass over the lighter one's, divided by the number of loaded contacts that share it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.collide.levels import FINE_SHARE, Levels, finest_size, quantile
from windrow.geometry.terms import F32
from windrow.kernel import BLOCK, device, kernel
from windrow.scene.settings import NDEM
from windrow.simd import WIDTH
from windrow.solvers.ndem.batching import PairStore
from windrow.solvers.ndem.laws import CARRIED, ONE, ZERO
from windrow.solvers.ndem.pencils import Pencils
from windrow.solvers.ndem.records import ADHESION, STIFFNESS, Schedule, WorkRows
from windrow.state.model import Model
from windrow.state.state import State
from windrow.team import deal, deal_stretches, parallel

F = np.float32

COMFORTABLE = 1.4
"""h √(k K) that automatic substeps aim at: below `CARRIED`, so that the stiffness asked for is the one used."""
COMFORTABLE_IN_IMPACT = 0.68
"""The same while grains land: with 0.41, 0.63, 0.90 and 1.36 (20, 13, 9 and 6 substeps a step) the largest overlap of
settling sand was 0.244, 0.252, 0.267 and 0.296 of the radius, means of ten starts."""
IMPACT_DEPTH = 0.05
"""Overlap, of the smaller radius, from which on a meeting counts as an impact: that of an undamped spring."""
IMPACT_SHARE = 0.2
"""Share of the radius that two grains may approach each other in one automatic substep."""
FEWEST, MOST_FOR_STIFFNESS, MOST = 4, 16, 24
LOAD_SWEEPS, SWEEPS_SAVED, MOST_SWEEPS = 0.27, 0.75, 16
LIGHT_LOAD = 50.0
"""Mass ratio that the ordinary number of sweeps carries."""
AROUND, FURTHER = F(1.5), F(4.0)
"""How far from a heavy grain's axis pencils are swept more often: its radius, and that of the finest level."""
FLAT = F(0.35)
"""Overlap, of the smaller radius, from which on a load counts in full even if it rests."""
LIGHT_SHARE = 0.05
"""Share of the grains that may be lighter than the mass that substeps are chosen for."""


@dataclass
class GrainStatistics:
    """What the grains present have in common; changes only when grains come or go."""

    r_mean: float
    r_small: float
    """Radius of a small grain, m."""
    r_fine: float
    """Radius of the largest grains in the finest level of the grid, m."""
    inverse_mass: float
    """Of a light grain, 1/kg."""
    mass_ratio: float
    """Of the heaviest grain to the lightest."""
    kinds: NDArray[np.int64]
    """Materials present."""
    stiffness: float
    """Of the stiffest pair of materials present, walls included, N/m."""
    alike: bool
    """One material, and no adhesion between its grains."""

    @classmethod
    def of(cls, state: State, model: Model, before: GrainStatistics | None = None) -> GrainStatistics:
        """before: those of almost the same grains, if they are known; the result is the same, and sooner there."""
        n = state.count
        radius, w = state.X[:n, 3].copy(), state.V[:n, 3]
        movable = w[w > 0]
        small, light = (None, None) if before is None else (before.r_small, before.inverse_mass)
        small = quantile(radius, FINE_SHARE, small)
        light = quantile(movable, 1.0 - LIGHT_SHARE, light) if len(movable) else 0.0
        kinds = np.flatnonzero(np.bincount(state.material[:n], minlength=model.kinds))
        every = model.pairs.reshape(model.kinds, model.kinds, -1)
        partners = np.union1d(kinds, np.asarray(model.shapes.material, np.int64))
        return cls(
            r_mean=float(radius.mean(dtype=np.float64)),
            r_small=small,
            r_fine=finest_size(radius, small),
            inverse_mass=light,
            mass_ratio=float(movable.max() / movable.min()) if len(movable) else 1.0,
            kinds=kinds,
            stiffness=float(every[np.ix_(kinds, partners)][..., STIFFNESS].max(initial=0.0)),
            alike=len(kinds) == 1 and float(every[kinds[0], kinds[0], ADHESION]) == 0.0,
        )

    @property
    def frequency(self) -> float:
        """√(k K) of two light grains, rad/s."""
        return math.sqrt(self.stiffness * 2.0 * self.inverse_mass)


def substeps_for_stiffness(settings: NDEM, grains: GrainStatistics) -> int:
    """Substeps of a whole step; those the settings ask for, else what the stiffest spring needs."""
    if settings.substeps is not None:
        return settings.substeps
    wanted = math.ceil(settings.dt * grains.frequency / COMFORTABLE)
    return min(max(wanted, FEWEST), MOST_FOR_STIFFNESS)


def substeps_for_impact(settings: NDEM, grains: GrainStatistics, impact: float) -> int:
    """The same, and enough for meetings at `impact` radii per second."""
    stiff = substeps_for_stiffness(settings, grains)
    if settings.substeps is not None:
        return stiff
    if impact > IMPACT_DEPTH * grains.frequency:
        wanted = math.ceil(settings.dt * grains.frequency / COMFORTABLE_IN_IMPACT)
        stiff = max(stiff, min(wanted, MOST_FOR_STIFFNESS))
    # in this order, because an impact may be infinite: the guard freezes such grains only at the end of the step
    return max(stiff, math.ceil(min(MOST, settings.dt * impact / IMPACT_SHARE)))


def sweeps_for_load(settings: NDEM, load: NDArray[np.float32]) -> NDArray[np.int64]:
    """Sweeps per substep: those of the settings, and more where heavy grains rest on light ones.

    A sweep lets a light grain pass on about its own mass's worth of a load that stops; measured, 8 sweeps carry a
    grain a thousand times as heavy as the one below it, and 2 a hundred times.
    """
    wanted = np.ceil(LOAD_SWEEPS * np.sqrt(load) - SWEEPS_SAVED).astype(np.int64)
    return np.maximum(settings.sweeps, np.minimum(wanted, MOST_SWEEPS))


def stiffness_carried(h: float, grains: GrainStatistics) -> float:
    """Stiffness, N/m, that contacts of two light grains are computed with at most."""
    if grains.inverse_mass == 0.0:
        return grains.stiffness
    return min(grains.stiffness, CARRIED * CARRIED / (h * h * 2.0 * grains.inverse_mass))


@device
def unrest(grains, i, h, gravity):
    """1 for a grain that falls or is faster than a fall of one substep; 0 if it rests and what it has balances it."""
    square = limit = ZERO
    for a in range(3):
        left = grains.U[i, a] + h * gravity[a] + grains.warm[i, a]
        square += left * left
        limit += h * gravity[a] * h * gravity[a]
    return ONE if square >= limit else np.sqrt(square / limit)


@device
def note_load(grains, i, j, h, gravity, light, load):
    """Raises load[i] of the heavier grain i to the mass-ratio load of its contact with j, if that is above `light`.

    A grain at rest brings nothing, unless it presses the other one flat.
    """
    X, U = grains.X, grains.U
    if U[i, 3] > U[j, 3]:
        i, j = j, i
    if U[i, 3] <= ZERO:
        return
    heavy = U[j, 3] / (U[i, 3] * max(grains.warm[i, 3], ONE))
    if heavy <= max(light, load[i]):
        return
    d0, d1, d2 = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    near = X[i, 3] + X[j, 3] - FLAT * min(X[i, 3], X[j, 3])
    if d0 * d0 + d1 * d1 + d2 * d2 > near * near:
        heavy *= unrest(grains, i, h, gravity)
    load[i] = max(load[i], heavy)


@parallel
def find_steep(team, V, ends, count, light, steep):
    """steep[b]: whether any contact of batch b has a grain more than `light` times as heavy as the other.

    V: rows {v_x, v_y, v_z, w}, w = 0 for what cannot move.
    """
    some = 64
    for part in deal(team, (ends.shape[0] + some - 1) // some):
        for b in range(part * some, min(ends.shape[0], (part + 1) * some)):
            steep[b] = 0
            for lane in range(WIDTH):
                i, j = ends[b, 0, lane], ends[b, 1, lane]
                if i < count:
                    lighter, heavier = max(V[i, 3], V[j, 3]), min(V[i, 3], V[j, 3])
                    if heavier > ZERO and lighter > light * heavier:
                        steep[b] = 1


@parallel
def find_loads(team, grains, h, gravity, light, schedule, ends, steep, overflow_ends, load):
    """load[i]: the greatest mass-ratio load, above `light`, of the contacts in which grain i is the heavier one. steep:
    see `find_steep`.

    Pencils swept at the same time share no grain, so that none waits for another.
    """
    for b in deal(team, (len(load) + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(len(load), b * BLOCK + BLOCK)):
            load[i] = ZERO
    for stage in range(schedule.turn_begin.shape[0]):
        for turn in deal_stretches(team, schedule.turn_begin[stage]):
            p = schedule.turns[turn]
            for b in range(schedule.pair_begin[p], schedule.pair_begin[p + 1]):
                for lane in range(WIDTH if steep[b] else 0):
                    note_load(grains, ends[b, 0, lane], ends[b, 1, lane], h, gravity, light, load)
    for _ in deal(team, min(len(overflow_ends), 1)):
        for q in range(overflow_ends.shape[0]):
            note_load(grains, overflow_ends[q, 0], overflow_ends[q, 1], h, gravity, light, load)


@kernel
def load_pencils(X, count, load, light, levels, widths, pencil_begin, greatest):
    """greatest[p]: the greatest mass-ratio load, above `light`, of grains that pencil p is near.

    widths: of each level's pencils along x and y, in cells.
    """
    frame, shape = levels.frame, levels.shape
    greatest[:] = ZERO
    for i in range(count):
        if load[i] <= light:
            continue
        far = AROUND * X[i, 3] + FURTHER * frame[0, 4]
        for k in range(len(widths)):
            gx, gy, wide_x, wide_y = shape[k, 0], shape[k, 1], widths[k, 0], widths[k, 1]
            along_x, along_y = (gx + wide_x - 1) // wide_x, (gy + wide_y - 1) // wide_y
            cells = np.int64(np.ceil(far * frame[k, 3]))
            cx = np.int64((X[i, 0] - frame[k, 0]) * frame[k, 3]) % gx
            cy = np.int64((X[i, 1] - frame[k, 1]) * frame[k, 3]) % gy
            # one more each way for the last pencil, which may be narrower
            x0, nx = (cx - cells) // wide_x - 1, min(2 * cells // wide_x + 3, along_x)
            y0, ny = (cy - cells) // wide_y - 1, min(2 * cells // wide_y + 3, along_y)
            for a in range(nx):
                for b in range(ny):
                    p = pencil_begin[k] + (x0 + a) % along_x * along_y + (y0 + b) % along_y
                    greatest[p] = max(greatest[p], load[i])


class MassRatioLoads:
    """Workspace: what heavy grains bring to light ones."""

    def __init__(self, rows: int) -> None:
        self.load = np.zeros(rows, np.float32)
        self.steep = np.zeros(0, np.uint8)
        self.known = False
        """Whether `steep` is that of the present batches."""

    def of_pencils(
        self,
        state: State,
        grains: WorkRows,
        h: float,
        gravity: F32,
        pencils: Pencils,
        schedule: Schedule,
        pairs: PairStore,
        levels: Levels,
    ) -> F32:
        """The greatest mass-ratio load that each pencil is near."""
        light = F(LIGHT_LOAD)
        if not self.known:
            if len(self.steep) < len(pairs.ends):
                self.steep = np.zeros(len(pairs.ends) + len(pairs.ends) // 8, np.uint8)
            find_steep(state.V, pairs.ends, state.count, light, self.steep)
            self.known = True
        find_loads(
            grains, F(h), gravity, light, schedule, pairs.ends, self.steep, pairs.overflow_ends, self.load
        )
        greatest = np.zeros(pencils.count, np.float32)
        load_pencils(
            grains.X, state.count, self.load, light, levels, pencils.widths, pencils.level_begin, greatest
        )
        return greatest
