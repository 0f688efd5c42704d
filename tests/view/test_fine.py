"""Fine grains in a live station: each keeps its name, and there are no more than the frame rate carries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made_station import small_scene
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.scene.scene import Scene
from windrow.scene.settings import P2
from windrow.sim.simulation import Simulation
from windrow.view.fine import BUDGET, FEWEST, LATELY, LONG, FineGrains
from windrow.view.launch import live_source, source_of
from windrow.view.live import LiveSource
from windrow.view.rows import Grains, Roster, grain_rows

WANTED = 3000


def shown(source: LiveSource) -> Grains:
    return source.moment({"speed"}).grains


def step(source: LiveSource, times: int) -> None:
    for _ in range(times):
        source.simulation.step()


def places(grains: Grains) -> dict[int, NDArray[np.float32]]:
    return {int(i): place[:3] for i, place in zip(grains.id, grains.position, strict=True)}


def test_fine_grains_fall_with_the_particles_under_their_names() -> None:
    source = LiveSource(Simulation(small_scene(), threads=1), fine=FineGrains(WANTED))
    coarse = len(source.simulation.particles.id)
    first = shown(source)
    assert len(first.id) == pytest.approx(WANTED, rel=0.2)
    assert len(first.id) > 10 * coarse
    step(source, 6)
    later = shown(source)
    assert set(later.id) == set(first.id)
    before, after = places(first), places(later)
    fallen = np.array([before[i][2] - after[i][2] for i in before])
    aside = np.array([before[i][:2] - after[i][:2] for i in before])
    time = source.time
    assert np.median(fallen) == pytest.approx(0.5 * 9.81 * time * time, rel=0.25)
    assert np.abs(aside).max() < 0.05


def test_bytes_of_a_frame_take_them_and_say_who_is_new_only_when_somebody_is() -> None:
    source = LiveSource(Simulation(small_scene(), threads=1), fine=FineGrains(WANTED))
    roster = Roster()
    first = grain_rows(shown(source), roster)
    step(source, 2)
    second = grain_rows(shown(source), roster)
    assert first.count == second.count == len(shown(source).id)
    assert first.roster_number == second.roster_number
    source.simulation.reset()
    source._continue_with(source.simulation, same_scene=True)
    again = shown(source)
    assert source.time == 0.0
    assert len(again.id) == first.count


def test_particles_that_come_bring_fine_grains_and_those_that_go_take_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FineGrains, "note", lambda self, seconds: None)  # however busy the machine is
    scene = Scene(solver=P2())
    scene.add_material("sand", density=1600.0)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    region = {"kind": "box", "size": (0.4, 0.4, 0.2)}
    scene.add_emitter(
        region=region, position=(0, 0, 1.0), rate=400.0, count=40, radius=0.04, material="sand", velocity=(0, 0, -1)
    )
    scene.add_sink(region={"kind": "box", "size": (2, 2, 0.3)}, position=(0, 0, 0.2))
    source = LiveSource(Simulation(scene, threads=1, seed=3), fine=FineGrains(WANTED))
    assert len(shown(source).id) == 0
    seen = [0]
    names: set[int] = set()
    gone: set[int] = set()
    for _ in range(45):
        step(source, 1)
        now = set(map(int, shown(source).id))
        assert not now & gone, "a name came back"
        gone |= names - now
        names = now
        seen.append(len(now))
    assert max(seen) > 500
    assert gone
    assert seen[-1] < max(seen)


def test_fewer_are_placed_when_they_take_too_long_and_more_when_there_is_time_again() -> None:
    fine = FineGrains(100_000)
    for k in range(4 * LATELY):
        fine.note(9.0 * BUDGET if k % 3 else 0.5 * BUDGET)  # most had to wait for something else
    assert fine.wanted == 100_000
    for _ in range(LATELY):
        fine.note(4.0 * BUDGET)
    assert fine.wanted == 50_000
    for _ in range(LONG):
        fine.note(0.1 * BUDGET)
    assert fine.wanted == 100_000
    for _ in range(40 * LATELY):
        fine.note(4.0 * BUDGET)
    assert fine.wanted == FEWEST


def test_what_thins_is_placed_anew() -> None:
    source = LiveSource(Simulation(small_scene(), threads=1), fine=FineGrains(WANTED))
    before = set(map(int, shown(source).id))
    assert source.fine is not None
    for _ in range(8 * LATELY):
        source.fine.note(4.0 * BUDGET)
    assert source.fine.wanted == FEWEST
    step(source, 2)
    after = set(map(int, shown(source).id))
    assert len(after) < 0.6 * len(before)
    assert not before & after


def test_numbers_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="--fine 3: use 1000 to 2000000"):
        live_source("pile", fine=3)
    with pytest.raises(SceneError, match="windrow detail"):
        source_of(tmp_path / "run.h5", fine=5000)
