"""From a key to a picture that shows what it did, briefly and with wide bounds; benchmarks/station measures it well."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

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
    answer = told(found)
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert set(answer) > {"key → sent", "begun → drawn", "key → drawn"}
    assert answer["taken → made"]["median"] < 40 * busy
    assert answer["key → drawn"]["median"] < 200 * busy
