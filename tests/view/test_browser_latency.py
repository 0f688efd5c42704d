"""From a key to a picture that shows what it did, briefly and with wide bounds; benchmarks/station measures it well."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from chromium import browser

FOLDER = Path(__file__).parents[2] / "benchmarks" / "station"


def test_a_key_is_seen_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    browser()
    monkeypatch.syspath_prepend(str(FOLDER))
    from latency import WAY, measured, told

    found = measured("cart", presses=3, quality="auto")
    for press in found:
        moments = [press[part] for part in WAY]
        # The browser's clock and ours may differ by a little.
        assert all(later > earlier - 0.005 for earlier, later in pairwise(moments)), press
    assert set(told(found)) > {"key → sent", "begun → drawn", "key → drawn"}
    # What station and browser waited for a processor is other programs' doing.
    assert median(press["made"] - press["taken"] - press["station waited"] for press in found) < 0.04
    assert (
        median(p["drawn"] - p["key"] - p["station waited"] - p["browser waited"] for p in found)
        < 0.1 + 4 * median(press["picture"] for press in found)
    )
