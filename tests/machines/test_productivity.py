"""Logs of work: cycles are told apart by the operator's phases, and add up."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from windrow.errors import SceneError
from windrow.machines.digging import DigOperator, loading_cycles
from windrow.machines.productivity import WorkLog


@dataclass
class Site:
    """A simulation without physics: a bucket of 1 m³ and a bed."""

    time: float = 0.0
    bodies: Any = None
    solver: Any = field(default_factory=lambda: SimpleNamespace(dt=0.5))
    tools: dict[str, Any] = field(
        default_factory=lambda: {
            "bucket": SimpleNamespace(payload=0.0, volume=0.0, fill_factor=0.0),
            "bed": SimpleNamespace(payload=0.0),
        }
    )


def worked(loads: list[tuple[float, float]]) -> WorkLog:
    """Cycles of dig (1 s), swing (0.5 s), dump (0.5 s); loads: kg carried, and of that arrived."""
    site = Site()
    log = WorkLog(site, into="bed")
    for carried, arrived in loads:
        for phase in ("dig", "dig", "swing", "dump"):
            bucket = site.tools["bucket"]
            bucket.payload = carried if phase in ("swing", "dump") else 0.0
            bucket.volume, bucket.fill_factor = bucket.payload / 1500.0, bucket.payload / 1500.0
            if phase == "dump":
                site.tools["bed"].payload += arrived
            log.read(site, SimpleNamespace(phase=phase, finished=False))
            site.time += 0.5
    log.read(site, SimpleNamespace(phase="", finished=True))
    return log


def test_cycles_fill_and_what_arrives() -> None:
    log = worked([(1500.0, 1400.0), (750.0, 750.0)])
    first, second = log.done
    assert first.phases == {"dig": 1.0, "swing": 0.5, "dump": 0.5}
    assert (first.carried, first.arrived, first.lost, first.fill) == (1500.0, 1400.0, 100.0, 1.0)
    assert (second.carried, second.arrived, second.fill, second.begin) == (750.0, 750.0, 0.5, 2.0)
    total = log.total()
    assert total["cycles"] == 2
    assert total["cycle_seconds"] == 2.0
    assert total["fill_factor"] == 0.75
    assert total["cubic_metres_per_hour"] == pytest.approx(1.5 / 4.0 * 3600.0)
    assert (total["arrived"], total["lost"]) == (2150.0, 100.0)
    assert log.table().count("\n") == 3


def test_nothing_done_and_a_tool_that_is_not_there() -> None:
    assert WorkLog(Site()).total() == {"cycles": 0.0}
    with pytest.raises(SceneError, match="no tool 'bde'; there are bucket, bed"):
        WorkLog(Site(), into="bde")


def test_all_places_of_ten_loads_are_within_reach() -> None:
    moves = DigOperator(loading_cycles(10)).moves
    assert len(moves) == 80
    draws = [move for move in moves if move.name == "draw"]
    assert draws[0].z > draws[3].z > draws[9].z, "three beside each other, then the next layer"
    assert len({move.swing_deg for move in draws[:3]}) == 3
    assert {move.swing_deg for move in moves if move.name == "dump"} == {90.0}
