"""A task while it is worked on: how much has been moved, in which cycles, what was lost, and the debrief."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from windrow.machines.targets import Finish
from windrow.machines.weighing import Amount
from windrow.scene.task import Task

LOADED = 0.25
"""Share of the rated volume from which on a tool counts as loaded."""
EMPTIED = 0.08
"""Share below which a loaded tool counts as emptied."""
SETTLING = 1.5
"""Simulated seconds that dumped material is given at least to come to rest in the zone."""
LONGEST_SETTLING = 6.0
"""Simulated seconds after which what still rolls does not count any more."""
STILL_FULL = 0.9
"""Of the highest fill: a tool that holds more has not begun to dump."""
LONGEST_DUMP = 10.0
"""Simulated seconds that a tool is given to empty itself after the target was reached."""
MOST_POINTS = 600
"""Points of a series in the debrief; beyond it every second one is left out."""
MOST_CYCLES = 500

UNITS = {"mass": "kg", "volume": "m³", "loads": "loads", "surface": "%"}

Outcome = Literal["reached", "time", "stopped"]


@dataclass
class Cycle:
    """From one dumping to the next; s, and the unit of the task."""

    start: float
    end: float
    seconds: float
    amount: float
    fill: float
    """highest share of the rated volume on the way"""
    spilled: float


@dataclass
class Reading:
    """One look at the scales."""

    time: float
    """s, simulated"""
    destination: Amount
    spilled: Amount | None
    fill: float | None
    """share of the rated volume; None: there is no tool to fill"""
    force: float
    """on the tool, N"""
    settled: bool = True
    """whether all that left the tool has come to rest"""
    finish: Finish | None = None
    """of the surface that is wanted, if one is"""


@dataclass
class Series:
    """Readings over the time of a task, thinned out when they become many."""

    time: list[float] = field(default_factory=list)
    amount: list[float] = field(default_factory=list)
    fill: list[float] = field(default_factory=list)
    force: list[float] = field(default_factory=list)
    _every: int = 1
    _seen: int = 0

    def add(self, time: float, amount: float, fill: float, force: float) -> None:
        if self.time and round(time, 3) <= self.time[-1]:
            return  # the simulation pauses
        self._seen += 1
        if (self._seen - 1) % self._every:
            return
        self.time.append(round(time, 3))
        self.amount.append(round(amount, 4))
        self.fill.append(round(fill, 4))
        self.force.append(round(force, 1))
        if len(self.time) > MOST_POINTS:
            for values in (self.time, self.amount, self.fill, self.force):
                del values[1::2]
            self._every *= 2

    def told(self) -> dict[str, list[float]]:
        return {"time": self.time, "amount": self.amount, "fill": self.fill, "force": self.force}


class TaskEngine:
    """Takes readings; says how far the task is."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.state: Literal["ready", "running", "done"] = "ready"
        self.outcome: Outcome | None = None
        self.cycles: list[Cycle] = []
        self.amount = 0.0
        """in the unit of the task, gained since the start"""
        self.spilled: float | None = None
        self.time = 0.0
        """s, simulated, since the start"""
        self.series = Series()
        self._begin = 0.0
        self._before = 0.0
        self._cycle_start = 0.0
        self._cycle_amount = 0.0
        self._cycle_spilled = 0.0
        self._highest: float | None = None
        self._pending: Cycle | None = None
        self._last: Reading | None = None
        self._reached: float | None = None
        self.finish: Finish | None = None
        """of the surface that is wanted, as seen last"""
        self._first: Finish | None = None

    @property
    def unit(self) -> str:
        return UNITS[self.task.measure]

    @property
    def share(self) -> float:
        return min(max(self.amount / self.task.target, 0.0), 1.0)

    @property
    def score(self) -> float:
        """0 to 100: how much of the target was moved, times how much of the moved material arrived.

        Of a surface: how much of it is good, times how much of what was dug had to be dug.
        """
        if self.finish is not None and self._first is not None:
            dug = max(self._first.left - self.finish.left, 0.0)
            too_much = max(self.finish.over_dig - self._first.over_dig, 0.0)
            return 100.0 * self.share * (dug / (dug + too_much) if too_much > 0.0 else 1.0)
        moved = max(self.amount, 0.0)
        if self.spilled is None or self.task.measure == "loads" or moved + self.spilled <= 0:
            return 100.0 * self.share
        return 100.0 * self.share * moved / (moved + self.spilled)

    def start(self, reading: Reading) -> None:
        """From here on everything counts."""
        if self.state != "ready":
            return
        self.state = "running"
        self._begin = self._cycle_start = reading.time
        self._before = self._measured(reading.destination)
        self._first = reading.finish
        self._take(reading)

    def read(self, reading: Reading) -> bool:
        """Takes a reading; True when the task has just ended."""
        if self.state != "running":
            return False
        self._take(reading)
        if self.share < 1.0:
            self._reached = None
        else:
            # The load that reaches the target is dumped to its end, so that it counts as a whole.
            self._reached = self.time if self._reached is None else self._reached
            full = self._highest is None or reading.fill is None or reading.fill > STILL_FULL * self._highest
            dumping = not full or self._pending is not None
            if not dumping or self.time >= self._reached + LONGEST_DUMP:
                return self._end("reached")
        if self.task.time_limit is not None and self.time >= self.task.time_limit:
            return self._end("time")
        return False

    def stop(self) -> bool:
        """Ends a running task; True if there was one."""
        return self.state == "running" and self._end("stopped")

    def told(self) -> dict[str, Any]:
        """What goes with every frame."""
        told = {
            "state": self.state,
            "share": round(self.share, 4),
            "score": round(self.score, 1),
            "amount": round(self.amount, 3),
            "target": self.task.target,
            "unit": self.unit,
            "cycles": len(self.cycles),
            "time": round(self.time, 2),
        }
        if self.spilled is not None:
            told["spilled"] = round(self.spilled, 3)
        return told if self.finish is None else told | {"finish": self.finish.told()}

    def debrief(self) -> dict[str, Any]:
        """The whole task in one document."""
        cycles = self.cycles
        return {
            "title": self.task.title,
            "outcome": self.outcome,
            **{
                name: value for name, value in self.told().items() if name not in ("state", "share", "cycles")
            },
            "cycles": [{k: round(v, 3) for k, v in asdict(cycle).items()} for cycle in cycles],
            "fill_mean": round(sum(c.fill for c in cycles) / len(cycles), 4) if cycles else None,
            "cycle_mean": round(sum(c.seconds for c in cycles) / len(cycles), 3) if cycles else None,
            "series": self.series.told(),
        }

    def _take(self, reading: Reading) -> None:
        self._last = reading
        self.time = reading.time - self._begin
        self._watch_tool(reading)
        self.finish = reading.finish
        if reading.finish is not None:
            self.amount = 100.0 * reading.finish.within
        elif self.task.measure == "loads":
            self.amount = float(len(self.cycles))
        else:
            self.amount = self._measured(reading.destination) - self._before
        if reading.spilled is not None:
            self.spilled = self._measured(reading.spilled)
        self.series.add(self.time, self.amount, reading.fill or 0.0, reading.force)

    def _watch_tool(self, reading: Reading) -> None:
        """A cycle ends when a loaded tool is empty again; what it moved is seen a little later."""
        if self._pending is not None:
            rolling = 0.0 if reading.settled else LONGEST_SETTLING - SETTLING
            if reading.time - self._begin >= self._pending.end + SETTLING + rolling:
                self._close_cycle(reading)
        if reading.fill is None:
            return
        if reading.fill >= LOADED or self._highest is not None:
            self._highest = max(self._highest or 0.0, reading.fill)
        if self._highest is not None and reading.fill < EMPTIED:
            if self._pending is not None:
                self._close_cycle(reading)
            now = reading.time - self._begin
            start = self._cycle_start - self._begin
            self._pending = Cycle(start, now, now - start, 0.0, self._highest, 0.0)
            self._highest = None
            self._cycle_start = reading.time

    def _close_cycle(self, reading: Reading) -> None:
        cycle, self._pending = self._pending, None
        if cycle is None:
            return
        moved = self._measured(reading.destination) - self._before
        lost = self._measured(reading.spilled) if reading.spilled is not None else 0.0
        cycle.amount, cycle.spilled = moved - self._cycle_amount, lost - self._cycle_spilled
        self._cycle_amount, self._cycle_spilled = moved, lost
        if self.task.measure == "loads" and cycle.amount <= 0.0:
            return  # dumped somewhere else
        self.cycles.append(cycle)
        del self.cycles[:-MOST_CYCLES]

    def _end(self, outcome: Outcome) -> bool:
        if self._last is not None:
            self._close_cycle(self._last)
        self.state, self.outcome = "done", outcome
        return True

    def _measured(self, amount: Amount) -> float:
        return amount.volume if self.task.measure == "volume" else amount.mass
