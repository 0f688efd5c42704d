"""Tasks: what was moved, in which cycles, what was lost, and the document at the end."""

from __future__ import annotations

import numpy as np
import pytest
from made_station import Page, cart, cart_scene, small_scene, station

from windrow.machines.weighing import LOOSE_FRACTION, Amount, PosedBox, Scales
from windrow.scene.task import Task, Zone
from windrow.sim.simulation import Simulation
from windrow.view.tasks import LONGEST_DUMP, MOST_POINTS, SETTLING, Reading, TaskEngine
from windrow.view.workplace import Workplace

ZONE = Zone(lower=(0, 0, 0), upper=(1, 1, 1))


def reading(
    time: float, moved: float, fill: float | None = None, spilled: float | None = None, settled: bool = True
) -> Reading:
    lost = None if spilled is None else Amount(spilled, spilled / 1000)
    return Reading(time, Amount(moved, moved / 1000), lost, fill, 10.0, settled)


def engine(**fields: object) -> TaskEngine:
    made = TaskEngine(Task(**({"target": 100.0, "destination": ZONE} | fields)))  # type: ignore[arg-type]
    made.start(reading(5.0, 30.0, 0.0))
    return made


def test_what_lay_there_before_does_not_count() -> None:
    task = engine()
    assert not task.read(reading(6.0, 80.0))
    assert (task.amount, task.share, task.time) == (50.0, 0.5, 1.0)
    assert task.read(reading(7.0, 131.0))
    assert task.outcome == "reached"
    assert not task.read(reading(8.0, 500.0))
    assert task.amount == 101.0


def test_time_runs_out() -> None:
    task = engine(time_limit=10.0)
    assert not task.read(reading(14.9, 40.0))
    assert task.read(reading(15.0, 40.0))
    assert (task.outcome, task.score) == ("time", pytest.approx(10.0))


def test_spillage_costs_its_share_of_the_score() -> None:
    task = engine(source=ZONE)
    task.read(reading(6.0, 90.0, spilled=20.0))
    assert task.score == pytest.approx(60.0 * 60 / 80)
    assert task.told()["spilled"] == 20.0


def test_cycles_are_told_apart_by_a_tool_that_fills_and_empties() -> None:
    task = engine(target=1000.0)
    moved, time = 30.0, 5.0
    for load, fill in ((40.0, 0.8), (20.0, 0.4)):
        for share in (0.1, 0.5, 1.0, 0.5):
            time += 2.0
            task.read(reading(time, moved, share * fill))
        time += 2.0
        task.read(reading(time, moved, 0.02))
        moved += load
        time += SETTLING
        task.read(reading(time, moved, 0.0))
    first, second = task.cycles
    assert (first.amount, first.fill, first.seconds) == (40.0, 0.8, 10.0)
    assert (second.amount, second.fill, second.start) == (20.0, 0.4, 10.0)
    assert second.end == pytest.approx(10.0 + SETTLING + 10.0)
    document = task.debrief()
    assert document["fill_mean"] == pytest.approx(0.6)
    assert len(document["cycles"]) == 2


def test_the_load_that_reaches_the_target_is_dumped_to_its_end() -> None:
    task = engine(target=30.0)
    for time, moved, fill, settled in ((6.0, 30, 0.9, True), (8.0, 65, 0.5, False), (9.0, 100, 0.0, False)):
        assert not task.read(reading(time, moved, fill, settled=settled))
    assert task.share == 1.0
    assert not task.read(reading(9.0 + SETTLING, 110, 0.0, settled=False))
    assert task.read(reading(10.0 + SETTLING, 115, 0.0))
    assert (task.outcome, task.amount, task.cycles[0].amount) == ("reached", 85.0, 85.0)
    stuck = engine(target=30.0)
    stuck.read(reading(6.0, 30, 0.9))
    assert not stuck.read(reading(7.0, 90, 0.5))
    assert stuck.read(reading(7.0 + LONGEST_DUMP, 90, 0.5)), "a tool that never gets empty ends it, too"
    pushing = engine(target=30.0)
    pushing.read(reading(6.0, 30, 0.9))
    assert pushing.read(reading(7.0, 90, 0.9)), "it was brought in another way"


def test_loads_count_only_where_they_belong() -> None:
    task = engine(measure="loads", target=2)
    for fill, moved in ((0.9, 30.0), (0.0, 30.0), (0.0, 30.0), (0.9, 30.0), (0.0, 30.0), (0.0, 55.0)):
        task.read(reading(task.time + 5.0 + SETTLING, moved, fill))
    assert [cycle.amount for cycle in task.cycles] == [25.0]
    assert (task.amount, task.unit) == (1.0, "loads")


def test_a_long_series_is_thinned_out_evenly() -> None:
    task = engine(target=1e9)
    for k in range(5000):
        task.read(reading(5.0 + k, 30.0 + k))
    series = task.debrief()["series"]
    assert MOST_POINTS / 2 <= len(series["time"]) <= MOST_POINTS
    assert np.ptp(np.diff(series["time"][1:])) == pytest.approx(0.0)
    assert series["time"] == series["amount"]


def test_scales_agree_with_a_plain_sum_over_grains() -> None:
    simulation = Simulation(small_scene(), threads=1)
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    room = PosedBox(turn, np.array([0.05, 0.0, 0.45]), np.array([-0.1, -0.2, -0.1]), np.array([0.15, 0.05, 0.1]))
    frame = simulation.frame()
    local = (frame.position - room.origin) @ turn
    inside = ((local >= room.lower) & (local <= room.upper)).all(axis=1)
    assert 0 < inside.sum() < len(inside)
    scales = Scales(simulation.bodies)
    (amount,), spilled, _ = scales.weigh(simulation, [room])
    assert amount.mass == pytest.approx(frame.mass[inside].sum(), rel=1e-5)
    solid = (4 / 3 * np.pi * frame.radius.astype(float) ** 3)[inside].sum()
    assert amount.volume == pytest.approx(solid / LOOSE_FRACTION, rel=1e-6)
    assert spilled.mass == 0.0
    everything = PosedBox(np.eye(3), np.zeros(3), np.full(3, -9.0), np.full(3, 9.0))
    scales.weigh(simulation, [everything], taking=0)
    (amount, rest), spilled, _ = scales.weigh(simulation, [room, everything])
    assert (amount.mass, spilled.mass) == (pytest.approx(frame.mass[inside].sum(), rel=1e-5), 0.0)
    assert rest.mass == pytest.approx(frame.mass[~inside].sum(), rel=1e-5)
    _, spilled, moving = scales.weigh(simulation, [room])
    assert (spilled.mass, moving) == (pytest.approx(frame.mass[~inside].sum(), rel=1e-5), 0.0)
    simulation.state.V[:, 0] = 2.0
    _, spilled, moving = scales.weigh(simulation, [room])
    assert (spilled.mass, moving) == (0.0, pytest.approx(frame.mass.sum(), rel=1e-5))
    scales.forget()
    assert scales.weigh(simulation, [room])[1:] == (Amount(), 0.0)


def test_only_what_was_in_the_tool_is_spilled() -> None:
    """Bodies are put where a machine would leave them: on the tray, beside the zones, in them."""
    simulation = Simulation(cart_scene(task=True), threads=1)
    bodies = simulation.bodies
    assert bodies is not None
    row = {body.name: k for k, body in enumerate(bodies.scene.bodies)}
    place = Workplace(simulation)
    place.begin(simulation)  # the brick lies on the tray, the crate has never been on it

    def spilled(brick: tuple[float, float, float], crate: tuple[float, float, float]) -> float:
        bodies.motion.x[row["brick"]], bodies.motion.x[row["crate"]] = brick, crate
        return float(place.read(simulation)["task"]["spilled"])

    on_tray, heaped = (2.0, 0.0, 1.3), (2.0, 0.0, 1.7)
    beside, source, target = (2.0, 5.0, 0.3), (1.5, 1.0, 0.3), (5.0, 0.0, 0.3)
    assert spilled(on_tray, source) == 0.0
    assert spilled(on_tray, beside) == 0.0  # pushed out of its place, not lost on the way
    assert spilled(heaped, beside) == 0.0
    assert spilled(beside, beside) == pytest.approx(200.0)
    assert spilled(source, beside) == spilled(target, beside) == 0.0
    assert spilled(on_tray, on_tray) == 0.0
    assert spilled(on_tray, beside) == pytest.approx(108.0)


def test_what_is_still_in_the_tool_has_not_been_brought() -> None:
    scene = cart_scene(task=True)
    assert scene.task is not None
    scene.task.destination = Zone(lower=(1, -2, 0), upper=(3, 2, 3))
    simulation = Simulation(scene, threads=1)
    place = Workplace(simulation)
    place.begin(simulation)
    assert place.read(simulation)["task"]["amount"] == 0.0
    bodies = simulation.bodies
    assert bodies is not None
    (brick,) = (k for k, body in enumerate(bodies.scene.bodies) if body.name == "brick")
    bodies.motion.x[brick] = (1.5, 1.0, 0.3)
    assert place.read(simulation)["task"]["amount"] == pytest.approx(200.0)


def test_a_body_that_is_part_of_the_machine_is_no_load() -> None:
    simulation = Simulation(cart_scene(task=True), threads=1)
    gauges = Workplace(simulation).read(simulation)
    assert gauges["tool"]["mass"] == pytest.approx(200.0)
    assert gauges["task"]["state"] == "ready"
    assert Workplace(Simulation(small_scene(), threads=1)).read(Simulation(small_scene(), threads=1)) == {}


def test_a_task_is_done_on_the_station_and_debriefed() -> None:
    with station(cart(task=True)) as viewer, Page(viewer) as driver, Page(viewer) as watcher:
        driver.until(lambda page: page.frames)
        assert driver.scene["task"]["title"] == "Bring the crate"
        driver.say(type="time_scale", value=4.0)
        while not driver.debrief:
            driver.say(type="control", values={"throttle": 0.6})
            driver.listen(0.2)
        assert driver.debrief["outcome"] == "reached"
        assert driver.debrief["score"] == pytest.approx(100.0)
        assert driver.debrief["amount"] == pytest.approx(108.0)
        assert driver.debrief["spilled"] == 0.0
        assert len(driver.debrief["series"]["time"]) > 2
        driver.until(lambda page: page.frame["notes"]["task"]["state"] == "done")
        watcher.until(lambda page: page.debrief)
        assert watcher.debrief == driver.debrief
        driver.say(type="reset")
        driver.until(lambda page: page.frame["notes"]["task"]["state"] == "ready")
        driver.say(type="task", action="start")
        driver.until(lambda page: page.frame["notes"]["task"]["state"] == "running")
        driver.debrief = {}
        driver.say(type="task", action="stop")
        driver.until(lambda page: page.debrief)
        assert driver.debrief["outcome"] == "stopped"
