"""The energy that DEM's dampers and friction take is what is missing in the end."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.validate import dem_energy
from windrow.validate.check import Check
from windrow.validate.dem_laws import RADIUS


def test_the_books_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dem_energy, "STEPS", 3000)
    found = {result.what: result for result in dem_energy.bookkeeping()}
    balances = [result for result in found.values() if isinstance(result, Check)]
    assert len(balances) == 2
    assert [result.measured for result in balances if not result.passed] == []
    assert found["rough: friction took, of it"].measured > 0.05
    assert found["smooth: friction took, of it"].measured == 0.0


def test_a_sphere_that_slides_over_the_floor_pays_friction_by_its_way() -> None:
    """μ N times the way, and nothing to dampers along the normal."""
    depth, load = 1e-4, dem_energy.STIFFNESS * 1e-4
    book = dem_energy.Book(1, friction=0.3)
    v, still = np.array([[0.1, 0.0, 0.0]]), np.zeros((1, 3))
    for k in range(2000):
        book.add(np.array([[0.1 * k * dem_energy.STEP, 0.0, RADIUS - depth]]), v, still)
    across = book.elastic - 0.5 * load * depth
    assert book.rubbed + across == pytest.approx(0.3 * load * 2000 * 0.1 * dem_energy.STEP, rel=0.01)
    assert 0.0 < across < 0.05 * book.rubbed
    assert book.damped == 0.0
