"""Bodies and joints hold against their closed forms."""

from __future__ import annotations

import pytest

from windrow.validate.main import SCENARIOS


@pytest.mark.parametrize("name", [name for name in SCENARIOS if name.startswith("multibody-")])
def test_scenarios_hold(name: str) -> None:
    assert [result for result in SCENARIOS[name].run() if not result.passed] == []
