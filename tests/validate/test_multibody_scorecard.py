"""Bodies and joints hold against their closed forms."""

from __future__ import annotations

import pytest

from windrow.validate.check import Scenario
from windrow.validate.multibody_contacts import SCENARIOS as CONTACTS
from windrow.validate.multibody_laws import SCENARIOS as LAWS


@pytest.mark.parametrize("scenario", [*LAWS, *CONTACTS], ids=lambda scenario: scenario.name)
def test_scenarios_hold(scenario: Scenario) -> None:
    assert [result for result in scenario.run() if not result.passed] == []
