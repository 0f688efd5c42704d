"""Threads are no more than other programs leave processors."""

from __future__ import annotations

from pathlib import Path

import pytest

import windrow as wr
from windrow.sim import free_cores
from windrow.sim.free_cores import FreeCores
from windrow.team import TEAM


class Machine:
    """A system of four processors whose statistics and clocks a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.file, self.time, self.own, self.busy = folder / "stat", 0.0, 0.0, 0.0
        monkeypatch.setattr(free_cores, "available_cores", lambda: 4)
        monkeypatch.setattr(free_cores.os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
        monkeypatch.setattr(free_cores.os, "sysconf", lambda _: 100, raising=False)
        monkeypatch.setattr(free_cores, "perf_counter", lambda: self.time)
        monkeypatch.setattr(free_cores, "process_time", lambda: self.own)
        self.pass_by(0.0, 0.0, 0.0)

    def pass_by(self, seconds: float, own: float, others: float) -> None:
        """So much time, in which this process and others were on so many processors."""
        self.time += seconds
        self.own += own * seconds
        self.busy += (own + others) * seconds
        each = [round(25 * self.busy), 0, 0, round(100 * self.time), 7, 0, 0, 0, 0, 0]
        lines = ["cpu  1 2 3 4 5 6 7 8 9 10", *(f"cpu{k} {' '.join(map(str, each))}" for k in range(4)), "intr 5"]
        self.file.write_text("\n".join(lines))


def test_threads_follow_what_others_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    machine = Machine(monkeypatch, tmp_path)
    free = FreeCores(machine.file)
    assert free.now() == 4
    for others, expected in ((0.0, 4), (0.3, 4), (1.0, 3), (3.9, 1), (7.0, 1), (0.0, 4)):
        machine.pass_by(1.0, own=4.0 - min(others, 4.0), others=others)
        assert free.now() == expected
    machine.pass_by(0.01, own=0.0, others=4.0)  # too short to tell
    assert free.now() == 4


@pytest.mark.parametrize("content", [None, "", "nonsense", "cpu0 a b c"])
def test_all_are_free_where_the_system_does_not_tell(
    content: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine = Machine(monkeypatch, tmp_path)
    if content is None:
        machine.file.unlink()
    else:
        machine.file.write_text(content)
    free = FreeCores(machine.file)
    machine.time += 1.0
    assert free.now() == 4


def test_a_number_that_was_given_is_kept() -> None:
    given = wr.Simulation(wr.load_scene("column_collapse"), threads=2)
    given.step()
    assert TEAM.members == 2
    chosen = wr.Simulation(wr.load_scene("column_collapse"))
    chosen.step()
    assert 1 <= TEAM.members <= chosen.threads
