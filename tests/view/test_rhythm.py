"""When frames are made: 30 times a second, and at once for a hand that moved, though steps come unevenly."""

from __future__ import annotations

import json

import numpy as np
import pytest
from made_station import cart

from windrow.view import session as session_module
from windrow.view.session import Session, Watcher

DT = 1 / 60


class Clock:
    """Stands until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(session_module, "perf_counter", made)
    return made


def watched_session() -> Session:
    session = Session(cart())
    session.watch(Watcher(lambda: None))
    session._publish()
    return session


def go_on(session: Session, clock: Clock, until: float, rng: np.random.Generator) -> list[tuple[float, int]]:
    """Moments at which frames were made, and the stamp that each obeys; waking takes up to half a millisecond."""
    found = []
    while clock.now < until:
        before = session.newest
        wait = session._advance()
        session._publish()
        if session.newest is not None and session.newest is not before:
            found.append((clock.now, json.loads(session.newest.notes).get("stamp", 0)))
        clock.now = min(clock.now + max(wait, 0.0) + rng.uniform(0.0, 0.0005), until)
    return found


def test_every_second_step_is_shown_though_steps_come_unevenly(clock: Clock) -> None:
    moments = [at for at, _ in go_on(watched_session(), clock, 103.0, np.random.default_rng(0))]
    assert len(moments) == pytest.approx(90, abs=2)
    assert np.diff(moments).max() < 2.2 * DT


def test_the_first_step_after_a_hand_moved_is_shown(clock: Clock) -> None:
    session, rng = watched_session(), np.random.default_rng(1)
    go_on(session, clock, 101.0, rng)
    delays = []
    for stamp in range(1, 40):
        moved = clock.now
        session.levers.hold({"throttle": 0.5 if stamp % 2 else -0.5}, stamp, moved)
        made = go_on(session, clock, moved + rng.uniform(0.1, 0.2), rng)
        delays.append(next(at for at, obeyed in made if obeyed >= stamp) - moved)
    assert max(delays) < DT + 0.002
    assert np.mean(delays) == pytest.approx(0.5 * DT, abs=0.005)
