"""Target surfaces: their formula, what is measured against them, and tasks that ask for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.machines.targets import survey
from windrow.machines.weighing import Amount, ground_in
from windrow.scene import Pad, Task, Trench, Zone
from windrow.view.tasks import Reading, TaskEngine

TRENCH = Trench(begin=(-2.0, 0.0), end=(2.0, 0.0), level=0.0, depth=1.0, width=1.0, slope_deg=45.0)
PAD = Pad(size=(6.0, 6.0), heading_deg=90.0, height=0.5, fall_percent=2.0)


@dataclass
class Field:
    """Ground as `simulation.terrain` shows it."""

    height: NDArray[np.float64]
    cell: float = 0.125

    @property
    def x(self) -> NDArray[np.float64]:
        return self.cell * (np.arange(self.height.shape[0]) - 0.5 * (self.height.shape[0] - 1))

    @property
    def y(self) -> NDArray[np.float64]:
        return self.cell * (np.arange(self.height.shape[1]) - 0.5 * (self.height.shape[1] - 1))

    @property
    def density(self) -> NDArray[np.float64]:
        return np.full(self.height.shape, 1500.0)

    @property
    def mass(self) -> NDArray[np.float64]:
        return (self.height + 2.0) * self.density * self.cell * self.cell


def level(height: float = 0.0) -> Field:
    return Field(np.full((96, 80), height))


def test_sides_of_a_trench_rise_to_the_level() -> None:
    height, wanted, floor = TRENCH.plan().surface(np.zeros(5), np.array([0.0, 0.49, 1.0, 1.49, 1.6]))
    assert height[:4] == pytest.approx([-1.0, -1.0, -0.5, -0.01])
    assert wanted.tolist() == [True, True, True, True, False]
    assert floor.tolist() == [True, True, False, False, False]
    assert np.isnan(height[4])


def test_a_pad_falls_along_its_heading() -> None:
    height, wanted, _ = PAD.plan().surface(np.array([0.0, 1.0]), np.array([2.0, 4.0]))
    assert height[0] == pytest.approx(0.54)  # it points along y
    assert wanted.tolist() == [True, False]


def test_untouched_ground_is_all_left() -> None:
    ground = level()
    found = survey(TRENCH, ground).look(ground)
    # floor 4 x 1 m, 1 m deep, and two sides of half a square metre along 4 m
    assert found.left == pytest.approx(8.0, rel=0.02)
    assert found.over_dig == 0.0
    assert found.depth_error == pytest.approx(1.0)
    assert found.within < 0.05


def test_what_is_dug_as_wanted_is_good_and_deeper_is_over_dig() -> None:
    ground = level()
    looked = survey(TRENCH, ground)
    x, y = np.meshgrid(ground.x, ground.y, indexing="ij")
    goal, wanted, floor = TRENCH.plan().surface(x, y)
    ground.height = np.where(wanted, goal, 0.0)
    good = looked.look(ground)
    assert good.within == 1.0
    assert (good.left, good.over_dig) == (0.0, 0.0)
    ground.height = ground.height - 0.2 * floor
    deep = looked.look(ground)
    assert deep.over_dig == pytest.approx(0.2 * floor.sum() * 0.125**2)
    assert deep.depth_error == pytest.approx(-0.2)
    ground.height = np.where((np.abs(y) > 1.6) & (np.abs(y) < 1.9) & (np.abs(x) < 2.0), -0.3, ground.height)
    assert looked.look(ground).over_dig > deep.over_dig + 0.5  # dug too wide


def test_a_pad_that_leans_has_an_error_of_slope_and_none_of_depth() -> None:
    ground = level()
    x, y = np.meshgrid(ground.x, ground.y, indexing="ij")
    ground.height = 0.5 + 0.02 * y + 0.05 * x
    found = survey(PAD, ground).look(ground)
    assert found.slope_error == pytest.approx(0.05)
    assert found.depth_error == pytest.approx(0.0, abs=1e-9)


def test_a_target_beside_the_ground_is_named() -> None:
    with pytest.raises(SceneError, match="no cell of the ground lies in it"):
        survey(Pad(center=(100.0, 0.0), size=(2.0, 2.0)), level())


def test_odd_tasks_are_refused() -> None:
    with pytest.raises(SceneError, match="surface: is needed"):
        Task(measure="surface", target=90.0)
    with pytest.raises(SceneError, match="goes nowhere"):
        Task(measure="surface", target=90.0, surface=PAD, into="truck bed")
    with pytest.raises(SceneError, match="100 is all of it"):
        Task(measure="surface", target=120.0, surface=PAD)
    with pytest.raises(SceneError, match=r"at least 0\.1 m apart"):
        Trench(begin=(0, 0), end=(0, 0), depth=1.0, width=1.0)


def test_a_surface_is_scored_by_what_is_good_and_what_was_dug_for_nothing() -> None:
    ground = level()
    looked = survey(TRENCH, ground, 0.05)
    task = TaskEngine(Task(measure="surface", target=100.0, surface=TRENCH, tolerance=0.05))
    task.start(Reading(0.0, Amount(), None, 0.0, 0.0, finish=looked.look(ground)))
    before = task.amount
    x, y = np.meshgrid(ground.x, ground.y, indexing="ij")
    goal, wanted, _ = TRENCH.plan().surface(x, y)
    ground.height = np.where(wanted & (x < 0.0), goal, 0.0)
    task.read(Reading(10.0, Amount(), None, 0.0, 0.0, finish=looked.look(ground)))
    assert task.amount == pytest.approx(50.0 + 0.5 * before)
    assert task.score == pytest.approx(task.amount)
    assert task.told()["finish"]["left"] == pytest.approx(4.0, rel=0.02)
    ground.height = np.where(wanted & (x < 0.0), goal - 0.04, 0.0)
    task.read(Reading(11.0, Amount(), None, 0.0, 0.0, finish=looked.look(ground)))
    assert task.score < task.amount
    assert task.debrief()["finish"]["over_dig"] > 0.0
    ground.height = np.where(wanted, goal, 0.0)
    assert task.read(Reading(12.0, Amount(), None, 0.0, 0.0, finish=looked.look(ground)))
    assert task.outcome == "reached"


def test_ground_in_a_box_is_weighed() -> None:
    ground = level(0.5)
    amount = ground_in(Zone(lower=(-1.0, -1.0, 0.1), upper=(1.0, 1.0, 3.0)), ground)
    assert amount.volume == pytest.approx(4.0 * 0.4)
    less = ground_in(Zone(lower=(-1.0, -1.0, 0.1), upper=(1.0, 1.0, 3.0)), level(0.3))
    assert amount.mass - less.mass == pytest.approx(1500.0 * 4.0 * 0.2)
    assert ground_in(Zone(lower=(-1.0, -1.0, 0.7), upper=(1.0, 1.0, 3.0)), ground).volume == 0.0
