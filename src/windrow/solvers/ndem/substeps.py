"""How many substeps a step needs, and what stiffness they carry."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.collide.levels import finest_size
from windrow.scene.settings import NDEM
from windrow.solvers.ndem.laws import ADHESION, CARRIED, STIFFNESS
from windrow.state.model import Model
from windrow.state.state import State

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
BURDEN_SWEEPS, SWEEPS_SAVED, MOST_SWEEPS = 0.27, 0.75, 16
LIGHT_BURDEN = 50.0
"""Mass ratio that the ordinary number of sweeps carries."""
LIGHT_SHARE = 0.05
"""Share of the grains that may be lighter than the mass that substeps are chosen for."""


@dataclass
class Grading:
    """What the grains present have in common; changes only when grains come or go."""

    r_mean: float
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
    def of(cls, state: State, model: Model) -> Grading:
        n = state.count
        radius, w = state.X[:n, 3], state.V[:n, 3]
        movable = w[w > 0]
        light = float(np.quantile(movable, 1.0 - LIGHT_SHARE, method="lower")) if len(movable) else 0.0
        kinds = np.flatnonzero(np.bincount(state.material[:n], minlength=model.kinds))
        every = model.pairs.reshape(model.kinds, model.kinds, -1)
        partners = np.union1d(kinds, np.asarray(model.shapes.material, np.int64))
        return cls(
            r_mean=float(radius.mean(dtype=np.float64)),
            r_fine=finest_size(radius),
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


def substeps_for_stiffness(settings: NDEM, grading: Grading) -> int:
    """Substeps of a whole step; those the settings ask for, else what the stiffest spring needs."""
    if settings.substeps is not None:
        return settings.substeps
    wanted = math.ceil(settings.dt * grading.frequency / COMFORTABLE)
    return min(max(wanted, FEWEST), MOST_FOR_STIFFNESS)


def substeps_for_impact(settings: NDEM, grading: Grading, impact: float) -> int:
    """The same, and enough for meetings at `impact` radii per second."""
    stiff = substeps_for_stiffness(settings, grading)
    if settings.substeps is not None:
        return stiff
    if impact > IMPACT_DEPTH * grading.frequency:
        wanted = math.ceil(settings.dt * grading.frequency / COMFORTABLE_IN_IMPACT)
        stiff = max(stiff, min(wanted, MOST_FOR_STIFFNESS))
    # in this order, because an impact may be infinite: the guard freezes such grains only at the end of the step
    return max(stiff, math.ceil(min(MOST, settings.dt * impact / IMPACT_SHARE)))


def sweeps_for_burden(settings: NDEM, burden: NDArray[np.float32]) -> NDArray[np.int64]:
    """Sweeps per substep: those of the settings, and more where heavy grains rest on light ones.

    A sweep lets a light grain pass on about its own mass's worth of a load that stops; measured, 8 sweeps carry a
    grain a thousand times as heavy as the one below it, and 2 a hundred times.
    """
    wanted = np.ceil(BURDEN_SWEEPS * np.sqrt(burden) - SWEEPS_SAVED).astype(np.int64)
    return np.maximum(settings.sweeps, np.minimum(wanted, MOST_SWEEPS))


def stiffness_carried(h: float, grading: Grading) -> float:
    """Stiffness, N/m, that contacts of two light grains are computed with at most."""
    if grading.inverse_mass == 0.0:
        return grading.stiffness
    return min(grading.stiffness, CARRIED * CARRIED / (h * h * 2.0 * grading.inverse_mass))
