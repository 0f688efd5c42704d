"""Ground that turns into grains before tools, and back: quiet, exact in mass, restartable, within its budget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError, SceneError
from windrow.sim.digging.digging import EVERY, DiggingWarning
from windrow.sim.simulation import Simulation
from windrow.state.state import FREE, SKIN

SOILS = ("dry_sand", "wet_sand", "gravel", "loam", "clay")
RADIUS = 0.05


def blade(soil: str = "dry_sand", layers: Any = None, stop: float = 1.5, lift: bool = False, **fields: Any) -> wr.Scene:
    """A blade that cuts 0.15 m deep at 0.5 m/s, and rises again if it is to."""
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0, friction_static=0.3)
    given = {"soil": soil} if layers is None else {"layers": layers}
    scene.add_terrain(**{"size": (3.0, 2.0), "cell": 0.125, "depth": 1.2} | given | fields)
    way = [(-0.8, 0.0, 0.15), (-0.8 + 0.5 * stop, 0.0, 0.15), (-0.8 + 0.5 * stop, 0.0, 2.15)]
    times = [0.0, stop, stop + 1.0]
    keep = 3 if lift else 2
    scene.add_box(
        (0.0, 0.0, 0.0), (0.06, 0.5, 0.6), "steel", name="blade", digs=True,
        motion={"kind": "keyframes", "time": times[:keep], "position": way[:keep]},
    )  # fmt: skip
    return scene


def box_of_grains(soil: str) -> wr.Scene:
    scene = wr.Scene()
    corners = ((-0.5, -0.5, -0.35), (0.5, 0.5, 0.1))
    scene.add_terrain(
        size=(2.5, 2.5), cell=0.125, soil=soil, depth=1.2, fidelity="grains", grains_box=corners, most_grains=3000
    )
    return scene


def all_units(simulation: Simulation) -> int:
    """Everything that there is, in units of the ground."""
    state = simulation.state
    assert state.ground is not None
    gone = state.ledger.left_domain_mass / state.ground.mass_unit
    assert gone == int(gone)
    return state.ground.mass_units() + int(state.units[: state.count].sum()) + int(gone)


@pytest.mark.parametrize("soil", SOILS)
def test_ground_that_becomes_grains_stays_quiet(soil: str) -> None:
    simulation = Simulation(box_of_grains(soil), threads=1)
    state = simulation.state
    before: dict[int, float] = {}
    for step in range(30):
        simulation.step()
        if step == 0:
            before = dict(zip(state.id[: state.count].tolist(), state.X[: state.count, 2].tolist(), strict=True))
    free = np.flatnonzero(state.V[: state.count, 3] > 0)
    assert len(free) > 250
    speed = np.sqrt((state.V[free, :3].astype(np.float64) ** 2).sum(axis=1))
    assert np.quantile(speed, 0.99) < 2e-3
    sunk = np.array([before[int(state.id[k])] - float(state.X[k, 2]) for k in free])
    assert abs(sunk.mean()) < 0.05 * RADIUS
    assert simulation.ledger["mass_error"] == 0.0


def test_mass_is_exact_at_every_step_of_a_dig() -> None:
    simulation = Simulation(blade(lift=True), threads=1)
    start = all_units(simulation)
    most, height = 0, simulation.terrain.height
    for _ in range(150):
        report = simulation.step()
        most = max(most, int(np.count_nonzero(simulation.state.units[: simulation.state.count])))
        assert all_units(simulation) == start
        assert simulation.ledger["mass_error"] == 0.0
        assert report.ledger["dug"] - report.ledger["returned"] == report.particles
    assert most > 300
    ledger = simulation.ledger
    assert ledger["ground_mass"] + ledger["grain_mass"] == pytest.approx(start * simulation.state.ground.mass_unit)
    assert simulation.terrain.height.min() < height.min() - 0.1
    pinned = simulation.state.V[: simulation.state.count, 3] == 0
    assert (simulation.state.units[: simulation.state.count][pinned] == 0).all()


def test_the_blade_feels_the_soil_and_leaves_a_trench_with_windrows() -> None:
    simulation = Simulation(blade(lift=True), threads=2)
    draft = []
    for _ in range(90):
        simulation.step()
        draft.append(float(simulation.body("blade")[0][0]))
    assert np.mean(draft[60:90]) < -300.0
    for _ in range(330):
        simulation.step()
        if simulation.state.count == 0:
            break
    # All of it is ground again, and nothing lies in it or hangs above it.
    assert simulation.state.count == 0
    height, y = simulation.terrain.height, simulation.terrain.y
    trench = height[(np.abs(simulation.terrain.x + 0.45) < 0.2)]
    assert trench[:, np.abs(y) < 0.15].mean() < -0.03
    for side in (y > 0.25, y < -0.25):
        assert trench[:, side].max(axis=1).mean() > 0.015
    assert simulation.ledger["mass_error"] == 0.0


def test_no_grain_lies_in_the_tool_or_in_another() -> None:
    simulation = Simulation(blade(), threads=1)
    simulation.step()  # the blade stands in the ground when it begins
    state = simulation.state
    x = state.X[: state.count].astype(np.float64)
    pose = simulation.body_poses()[0]
    local = np.abs(x[:, :3] - pose[9:]) - np.array([0.03, 0.25, 0.3])
    outside = np.sqrt((np.maximum(local, 0.0) ** 2).sum(axis=1))
    assert (outside - x[:, 3]).min() > -0.05 * RADIUS
    for _ in range(40):
        report = simulation.step()
        assert report.notes["overlap_peak"] < 0.4


def test_restart_in_the_middle_of_a_dig_is_exact() -> None:
    whole = Simulation(blade(layers=[{"soil": "loam", "thickness": 0.1}, {"soil": "dry_sand"}], lift=True), threads=1)
    for _ in range(63):  # between two exchanges
        whole.step()
    snapshot = whole.snapshot()
    again = Simulation.restore(snapshot, threads=2)
    assert again.hash() == whole.hash()
    for _ in range(70):
        whole.step()
        again.step()
    assert again.hash() == whole.hash()
    whole.reset(snapshot)
    for _ in range(70):
        whole.step()
    assert again.hash() == whole.hash()
    whole.reset()
    assert whole.hash() == Simulation(whole.scene, threads=1).hash()


def test_one_and_two_threads_are_alike() -> None:
    one, two = (Simulation(blade(), threads=threads) for threads in (1, 2))
    for _ in range(60):
        one.step()
        two.step()
    assert one.state.count > 500
    assert one.hash() == two.hash()


def test_grains_have_the_soil_and_the_mass_of_their_layer() -> None:
    layers = [{"soil": "loam", "thickness": 0.2}, {"soil": "dry_sand"}]
    simulation = Simulation(blade(layers=layers), threads=1)
    simulation.step()
    state = simulation.state
    assert state.ground is not None
    names = list(simulation.model.material_names)
    n = state.count
    for name, low, high, density in (
        ("loam grains", -0.19, 1.0, 1442.0),
        ("dry_sand grains", -2.0, -0.21, 1602.0),
    ):
        there = (state.X[:n, 2] > low) & (state.X[:n, 2] < high)
        assert there.any()
        assert (state.material[:n][there] == names.index(name)).all()
        free = there & (state.units[:n] > 0)
        volume = (4 / 3 * np.pi * state.X[:n, 3][free].astype(np.float64) ** 3).sum() / 0.6188
        mass = state.units[:n][free].sum() * state.ground.mass_unit
        assert mass / volume == pytest.approx(density, rel=0.25)
    for _ in range(90):
        simulation.step()
        assert simulation.ledger["mass_error"] == 0.0


def test_at_the_budget_nothing_is_lost_and_it_is_told() -> None:
    simulation = Simulation(blade(most_grains=700), threads=1)
    start = all_units(simulation)
    with pytest.warns(DiggingWarning, match="most_grains: 700"):  # noqa: PT031
        for _ in range(100):
            report = simulation.step()
            assert report.particles <= 700
            assert all_units(simulation) == start
    assert simulation.snapshot()["ground.refused"] > 0


def test_smaller_margins_come_before_refusal() -> None:
    simulation = Simulation(blade(most_grains=1600), threads=1)
    margins = set()
    for _ in range(60):
        report = simulation.step()
        if report.notes.get("refused_columns") == 0:
            margins.add(report.notes["dig_margin"])
    assert margins & {1, 2}


def test_tools_above_the_ground_and_at_its_edge() -> None:
    scene = blade()
    scene.obstacles[0].position = (0.0, 0.0, 0.6)  # its edge passes 0.45 m above the ground
    simulation = Simulation(scene, threads=1)
    for _ in range(2 * EVERY + 1):
        simulation.step()
    assert simulation.state.count == 0
    scene = blade(stop=4.0)  # leaves the ground at its far edge
    scene.obstacles[0].position = (1.0, 0.0, 0.0)
    simulation = Simulation(scene, threads=1)
    start = all_units(simulation)
    for _ in range(250):
        simulation.step()
    assert all_units(simulation) == start
    assert simulation.ledger["mass_error"] == 0.0


def test_grains_turn_back_as_skin_first() -> None:
    simulation = Simulation(blade(stop=0.6, lift=True), threads=1)
    seen = set()
    for _ in range(200):
        simulation.step()
        seen |= set(np.unique(np.minimum(simulation.state.key[: simulation.state.count], 0)).tolist())
    assert {FREE, SKIN, 0} <= seen


def test_a_damaged_exchange_is_refused() -> None:
    simulation = Simulation(blade(), threads=1)
    for _ in range(20):
        simulation.step()
    snapshot = simulation.snapshot()
    for name, value in (
        ("ground.marks", snapshot["ground.marks"] + np.uint8(8)),
        ("ground.contact", snapshot["ground.contact"][:, :5]),
        ("ground.owed", snapshot["ground.owed"].astype(np.float64)),
        ("state.units", -1 - snapshot["state.units"]),
        ("state.key", snapshot["state.key"] - 10),
    ):
        with pytest.raises(FileFormatError, match=name.replace(".", r"\.")):
            Simulation.restore({**snapshot, name: value})


def test_bad_fields_are_named() -> None:
    scene = wr.Scene()
    with pytest.raises(SceneError, match="grain_radius"):
        scene.add_terrain(size=(3.0, 3.0), cell=0.1, soil="loam", grain_radius=0.2)
    with pytest.raises(SceneError, match="grains_box"):
        scene.add_terrain(size=(3.0, 3.0), cell=0.1, soil="loam", fidelity="grains")
    with pytest.raises(SceneError, match="exceed"):
        scene.add_terrain(
            size=(3.0, 3.0), cell=0.1, soil="loam", fidelity="grains", grains_box=((0, 0, 0), (1, 1, -1))
        )
    scene.add_material("steel")
    scene.add_terrain(size=(3.0, 3.0), cell=0.1, soil="loam")
    scene.add_plane((0, 0, 1), -5.0, "steel").digs = True
    with pytest.raises(SceneError, match="no edge"):
        Simulation(scene)


def test_field_fidelity_makes_no_grains() -> None:
    simulation = Simulation(blade(fidelity="field"), threads=1)
    for _ in range(EVERY + 1):
        simulation.step()
    assert simulation.state.count == 0


PLOUGH = """
title = "plough"

[controls]
pull = "forward 1"

[tool]
body = "share"
lower = [-0.5, -0.5, -0.5]
upper = [0.5, 0.5, 0.5]
volume = 0.1

[tool.cutting]
edge = [[0.03, -0.25, -0.3], [0.03, 0.25, -0.3]]
top = [[0.03, -0.25, 0.3], [0.03, 0.25, 0.3]]
direction = [1.0, 0.0, 0.0]

[materials.iron]
density = 7800.0
friction_static = 0.3

[[bodies]]
name = "share"
material = "iron"
position = [-0.8, 0.0, 0.15]
shapes = [{kind = "box", size = [0.06, 0.5, 0.6]}]

[[joints]]
kind = "slider"
name = "rail"
first = "share"
position = [-0.8, 0.0, 0.15]
axis = [1.0, 0.0, 0.0]
motor = {kind = "velocity", control = "pull", speed = 0.5, max_force = 20000.0}
"""


def test_a_machine_digs_with_the_edge_of_its_tool(tmp_path: Path) -> None:
    (tmp_path / "plough.toml").write_text(PLOUGH)
    scene = wr.Scene()
    scene.add_terrain(size=(3.0, 2.0), cell=0.125, depth=1.2, soil="dry_sand")
    scene.add_machine(str(tmp_path / "plough.toml"))
    simulation = Simulation(scene, threads=2)
    start = all_units(simulation)
    simulation.control("pull", 1.0)
    drafts = []
    for _ in range(90):
        simulation.step()
        assert all_units(simulation) == start
        drafts.append(float(simulation.body("share")[0][0]))
    assert simulation.bodies is not None
    assert simulation.bodies.position("share")[0] > -0.4
    assert np.mean(drafts[45:]) < -300.0
    assert simulation.state.count > 500
    again = Simulation.restore(simulation.snapshot(), threads=1)
    for _ in range(20):
        simulation.step()
        again.step()
    assert again.hash() == simulation.hash()
