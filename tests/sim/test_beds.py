"""Soil in beds: it weighs on the body that carries it, is grains again when the bed tips, and nothing is ever lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import windrow as wr
from windrow.errors import SceneError
from windrow.terrain.beds import shared_out

TRAY = """
title = "Tray"
[controls]
tip = "up 1, down -1"
[materials.plate]
density = 7800.0
friction_static = 0.3
[tool]
body = "tray"
lower = [-0.5, -0.3, 0.02]
upper = [0.5, 0.3, 0.6]
volume = 0.3
settles = true
[[bodies]]
name = "stand"
material = "plate"
fixed = true
position = [0.0, 0.0, 0.6]
shapes = [{kind = "box", size = [0.1, 0.1, 0.1]}]
group = "tray"
[[bodies]]
name = "tray"
material = "plate"
position = [0.0, 0.0, 0.8]
group = "tray"
shapes = [
  {kind = "box", size = [1.1, 0.7, 0.05], position = [0.0, 0.0, 0.0]},
  {kind = "box", size = [1.1, 0.05, 0.5], position = [0.0, 0.325, 0.25]},
  {kind = "box", size = [1.1, 0.05, 0.5], position = [0.0, -0.325, 0.25]},
  {kind = "box", size = [0.05, 0.7, 0.5], position = [0.525, 0.0, 0.25]},
]
[[joints]]
kind = "hinge"
name = "pivot"
first = "tray"
second = "stand"
position = [-0.55, 0.0, 0.8]
axis = [0.0, -1.0, 0.0]
motor = {kind = "velocity", speed = 0.8, max_force = 5e4, control = "tip"}
"""
LOAD = 250.0
"""kg"""


def site(tmp_path: Path, soil: str = "dry_sand") -> wr.Simulation:
    """A tray above ground that a box digs in, far away; the tray holds soil that was taken from the ground."""
    (tmp_path / "tray.toml").write_text(TRAY)
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0)
    scene.add_terrain(size=(6.0, 4.0), cell=0.1, depth=1.0, soil=soil, most_grains=4000)
    scene.add_machine(str(tmp_path / "tray.toml"), position=(0.0, 0.0, 0.0))
    scene.add_box(
        (2.4, 1.4, 1.5), (0.2, 0.2, 0.2), "steel", digs=True, motion={"kind": "linear", "velocity": (-0.01, 0, 0)}
    )
    return wr.Simulation(scene, threads=1)


def loaded(simulation: wr.Simulation, kilograms: float = LOAD) -> wr.Simulation:
    """Takes soil from the ground and lays it evenly into the bed."""
    assert simulation._ground is not None
    digging = simulation._ground.digging
    assert digging is not None
    bed, ground = digging.beds.beds[0], simulation._ground.ground
    bed.units[:, :, 0] = int(kilograms / ground.mass_unit) // (bed.units.shape[0] * bed.units.shape[1])
    ground.owed[0] -= int(bed.units.sum())
    digging.beds._shape(simulation, 0)
    assert simulation.ledger["mass_error"] == 0.0
    return simulation


def test_the_floor_is_that_of_the_body(tmp_path: Path) -> None:
    simulation = site(tmp_path)
    assert simulation._ground is not None
    assert simulation._ground.digging is not None
    (bed,) = simulation._ground.digging.beds.beds
    assert bed.floor == pytest.approx(0.025, abs=2e-3)
    assert bed.place.shape == (5, 3)


def test_a_load_weighs_on_its_body_and_is_told(tmp_path: Path) -> None:
    simulation = loaded(site(tmp_path))
    for _ in range(30):
        simulation.step()
    tool = simulation.tools["tray"]
    assert tool.payload == pytest.approx(LOAD, rel=1e-3)
    assert tool.force[2] == pytest.approx(-LOAD * 9.81, rel=1e-3)
    assert simulation.ledger["held_mass"] == pytest.approx(LOAD, rel=1e-3)
    surface = np.array(simulation.frame().notes["beds"]["tray"]["heights"]) * 1e-3
    density = LOAD / (0.6 * (surface.mean() - 0.025))
    assert 1300.0 < density < 1700.0, "dry sand"


@pytest.mark.parametrize("soil", ["dry_sand", "gravel"])
def test_a_bed_that_tips_gives_all_of_it_back(tmp_path: Path, soil: str) -> None:
    simulation = loaded(site(tmp_path, soil))
    simulation.control("tip", 1.0)
    most = 0
    for _ in range(150):
        simulation.control("tip", 1.0 if simulation.time < 1.4 else 0.0)
        simulation.step()
        assert abs(simulation.ledger["mass_error"]) < 1e-12
        most = max(most, simulation.state.count)
    assert most > 200
    assert simulation.ledger["held_mass"] == 0.0
    assert simulation.tools["tray"].payload < 0.03 * LOAD, "it tips clean"
    n = simulation.state.count
    x = simulation.state.X[:n].astype(np.float64)
    floor = simulation.terrain.height_at(x[:, 0], x[:, 1])
    free = simulation.state.units[:n] > 0
    assert (x[free, 2] > floor[free] - 3.0 * x[free, 3]).all()


def test_grains_at_rest_in_a_level_bed_become_part_of_it(tmp_path: Path) -> None:
    """Tipped a little, so that it is released, and level again: all that stayed inside settles."""
    simulation = loaded(site(tmp_path), 150.0)
    seen = 0
    while simulation.time < 4.0:
        simulation.control("tip", 1.0 if simulation.time < 0.35 else -1.0 if simulation.time < 0.7 else 0.0)
        simulation.step()
        seen = max(seen, int((simulation.state.units[: simulation.state.count] > 0).sum()))
    assert seen > 100
    assert simulation.ledger["held_mass"] > 100.0
    assert simulation.tools["tray"].payload == pytest.approx(simulation.ledger["held_mass"], abs=1.0)
    assert abs(simulation.ledger["mass_error"]) < 1e-12


def test_a_run_with_a_loaded_bed_continues_to_the_bit(tmp_path: Path) -> None:
    simulation = loaded(site(tmp_path))
    simulation.control("tip", 0.6)
    for _ in range(10):
        simulation.step()
    again = wr.Simulation.restore(simulation.snapshot(), threads=2)
    for _ in range(40):
        simulation.step()
        again.step()
    assert simulation.state.count > 0
    assert simulation.hash() == again.hash()


def test_a_task_names_a_tool_that_there_is(tmp_path: Path) -> None:
    scene = wr.load_scene("excavator")
    assert scene.task is not None
    scene.task = {"target": 5.0, "into": "trukc bed"}  # type: ignore[assignment]
    with pytest.raises(SceneError, match=r"task.into.*truck bed"):
        wr.Simulation(scene)
    with pytest.raises(SceneError, match="either destination"):
        scene.task = {"target": 5.0}  # type: ignore[assignment]


@given(st.integers(1, 60), st.integers(0, 10**12), st.integers(0, 2**32 - 1))
def test_whole_parts_add_up(many: int, more: int, seed: int) -> None:
    weight = np.random.default_rng(seed).uniform(0.1, 3.0, many)
    parts = shared_out(many + more, weight)
    assert int(parts.sum()) == many + more
    assert (parts >= 1).all()
    assert parts == pytest.approx((many + more) * weight / weight.sum(), rel=1e-6, abs=2.5)
