"""Substeps follow stiffness, mass and the speed of impacts, and can be fixed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made import MASS, R

from windrow.scene import NDEM
from windrow.solvers.ndem.substeps import (
    COMFORTABLE,
    FEWEST,
    IMPACT_SHARE,
    MOST,
    MOST_FOR_STIFFNESS,
    GrainStatistics,
    substeps_for_impact,
    substeps_for_stiffness,
)

DT = 1 / 60


def statistics(stiffness: float = 1e5, mass: float = MASS) -> GrainStatistics:
    return GrainStatistics(
        r_mean=R,
        r_small=R,
        r_fine=R,
        inverse_mass=1.0 / mass,
        mass_ratio=1.0,
        kinds=np.array([0]),
        stiffness=stiffness,
        alike=True,
    )


@pytest.mark.parametrize(("stiffness", "mass"), [(1e5, MASS), (4e5, MASS), (1e5, MASS / 3), (3e5, 2 * MASS)])
def test_a_substep_is_a_fixed_share_of_the_stiffest_contacts_swing(stiffness: float, mass: float) -> None:
    wanted = DT * math.sqrt(2.0 * stiffness / mass) / COMFORTABLE
    assert FEWEST < wanted < MOST_FOR_STIFFNESS
    assert substeps_for_stiffness(NDEM(dt=DT), statistics(stiffness, mass)) == math.ceil(wanted)


def test_soft_and_hard_contacts_have_the_fewest_and_the_most() -> None:
    assert substeps_for_stiffness(NDEM(dt=DT), statistics(stiffness=10.0)) == FEWEST
    assert substeps_for_stiffness(NDEM(dt=DT), statistics(stiffness=1e9)) == MOST_FOR_STIFFNESS


def test_fast_meetings_have_more_of_them() -> None:
    calm, fast, wild = (substeps_for_impact(NDEM(dt=DT), statistics(), speed / R) for speed in (0.01, 11.0, 1e4))
    assert calm == substeps_for_stiffness(NDEM(dt=DT), statistics())
    assert calm < fast < wild == MOST
    assert substeps_for_impact(NDEM(dt=DT), statistics(), np.inf) == MOST
    assert 11.0 / R * DT / fast <= IMPACT_SHARE  # so far in one of them, in radii


def test_fixed_substeps_are_kept() -> None:
    assert substeps_for_stiffness(NDEM(dt=DT, substeps=3), statistics(stiffness=1e9)) == 3
    assert substeps_for_impact(NDEM(dt=DT, substeps=3), statistics(), 1e6) == 3
