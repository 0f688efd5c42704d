"""Digging without grains: mass to the unit, force by the equation, what bodies meet, restart to the bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError
from windrow.terrain import nearby
from windrow.terrain.earthmoving import factors, force_per_width
from windrow.terrain.ground import Ground

STEEL = {"density": 7800.0, "friction_static": 0.3}


def ground_of(simulation: wr.Simulation) -> Ground:
    assert simulation.state.ground is not None
    return simulation.state.ground


def in_balance(simulation: wr.Simulation) -> bool:
    """Whether no unit of mass is missing."""
    ground = ground_of(simulation)
    return ground.mass_units() + ground.held_units() == ground.start_mass


def blade_scene(depth: float = 0.2, soil: str = "dry_sand", speed: float = 0.5, **terrain: Any) -> wr.Scene:
    scene = wr.Scene()
    scene.add_material("steel", **STEEL)
    scene.add_terrain(size=(6.4, 4.0), cell=0.1, soil=soil, fidelity="field", **terrain)
    scene.add_box(
        (-2.0, 0.0, 0.4 - depth), (0.04, 1.0, 0.8), "steel", name="blade", digs=True,
        motion={"kind": "linear", "velocity": (speed, 0.0, 0.0)},
    )  # fmt: skip
    return scene


def bucket_scene(**terrain: Any) -> wr.Scene:
    """A level bucket that goes out of a pit 1.5 m through the ground, is lifted and turned over."""
    scene = wr.Scene()
    scene.add_material("steel", **STEEL)
    fields = {"soil": "dry_sand", "height": lambda x, y: np.where(x < -1.7, -0.4, 0.0)} | terrain
    scene.add_terrain(size=(6.4, 6.4), cell=0.1, fidelity="field", **fields)
    scene.add_box(
        (0.0, 0.0, 0.0), (0.1, 1.0, 0.6), "steel", name="bucket", digs=True,
        cutting={
            "edge": [(0.8, -0.5, 0.0), (0.8, 0.5, 0.0)], "top": [(0.3, -0.5, 0.6), (0.3, 0.5, 0.6)],
            "direction": (1.0, 0.0, 0.0), "volume": 0.4, "teeth": 4,
        },
        motion={
            "kind": "keyframes", "time": [0.0, 3.0, 4.0, 5.0, 6.0, 7.0],
            "position": [(-2.5, 0, -0.3), (-1.0, 0, -0.3), *(4 * [(-0.6, 0, 0.8)])],
            "rotation_deg": [(0, 0, 0), (0, 0, 0), (0, -30, 0), (0, -30, 0), (0, 80, 0), (0, 80, 0)],
        },
    )  # fmt: skip
    return scene


@pytest.mark.parametrize("soil", ["dry_sand", "loam"])
def test_a_blade_meets_the_equation(soil: str) -> None:
    """Before soil has gathered ahead of it: force of an upright blade on level ground, by hand."""
    scene = blade_scene(soil=soil, speed=0.05, avalanche=False)
    simulation = wr.Simulation(scene, threads=1)
    simulation.step()
    tool = simulation.tools["blade"]
    assert tool.depth == pytest.approx(0.2, abs=1e-6)
    assert tool.rake_deg == pytest.approx(90.0)
    pair = simulation.assembled.pair_values("steel", soil)
    assert simulation.state.ground is not None
    density, _, _, tangent, _, _, cohesion = simulation.state.ground.columns.soils[0, :7]
    phi, delta = np.rad2deg(np.arctan([tangent, pair.friction_static]))
    wedge = factors(90.0, 0.0, phi, delta)
    adhesion = min(pair.adhesion, cohesion)
    force = force_per_width(wedge, 0.2, 9.81 * density, cohesion, adhesion=adhesion)
    weight = np.linalg.norm(tool.earthmoving_parts["weight"])
    assert weight == pytest.approx(9.81 * density * 0.04 * wedge.weight, rel=1e-5)
    across = np.deg2rad(90.0 + min(delta, phi))
    draft = force * np.sin(across)
    assert -tool.earthmoving[0] == pytest.approx(draft, rel=0.03)  # and the little it carries by now
    assert tool.force == pytest.approx(sum(tool.parts.values()))
    assert tool.force[0] == pytest.approx(tool.earthmoving[0], rel=1e-6)
    assert simulation.body("blade")[0] == pytest.approx(tool.force)


def test_a_slope_ahead_counts() -> None:
    """Ground that rises by 15° ahead: depth, rake and force of the equation on slopes."""
    scene = blade_scene(height=lambda x, y: np.tan(np.deg2rad(15.0)) * (x + 2.0), avalanche=False, speed=0.02)
    simulation = wr.Simulation(scene, threads=1)
    simulation.step()
    tool = simulation.tools["blade"]
    assert tool.depth == pytest.approx(0.2 + 0.02 * np.tan(np.deg2rad(15.0)), abs=2e-3)
    phi = float(np.rad2deg(np.arctan(ground_of(simulation).columns.soils[0, 3])))
    delta = float(np.rad2deg(np.arctan(simulation.assembled.pair_values("steel", "dry_sand").friction_static)))
    wedge = factors(90.0, 15.0, phi, delta)
    depth = tool.depth * np.cos(np.deg2rad(15.0))
    density = float(ground_of(simulation).columns.soils[0, 0])
    expected = 9.81 * density * depth * depth * wedge.weight
    assert np.linalg.norm(tool.earthmoving_parts["weight"]) == pytest.approx(expected, rel=0.01)
    assert np.rad2deg(np.arctan(1.0 / wedge.cot_slip)) == pytest.approx(tool.slip_deg, rel=0.01)


def test_teeth_open_a_cavity() -> None:
    """Penetration of teeth in sand: equation (3) of `terrain.cutting`, by hand."""
    scene = bucket_scene()
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(3):
        simulation.step()
    tool = simulation.tools["bucket"]
    columns = ground_of(simulation).columns
    density, sine = float(columns.soils[0, 0]), float(columns.soils[0, 4])
    stress = density * 9.81 * tool.depth * (3.0 - 2.0 * sine) / 3.0
    factor = 3.0 * (1.0 + sine) / (3.0 - sine) * 50.0 ** (4.0 * sine / (3.0 * (1.0 + sine)))
    expected = 4 * np.pi * 0.03**2 * stress * factor * (0.1 + 0.9 * min(tool.depth / 0.2, 1.0))
    assert tool.parts["penetration"] == pytest.approx([-expected, 0.0, 0.0], rel=1e-4, abs=1e-3)


def test_mass_is_exact_at_every_step_and_what_is_cut_is_what_is_swept() -> None:
    simulation = wr.Simulation(bucket_scene(avalanche=False), threads=1)
    tool = simulation.tools["bucket"]
    while simulation.time < 1.0:
        simulation.step()
        assert in_balance(simulation)
    # the edge, 1 m wide and 0.3 m deep, went 0.5 m into the ground
    density = float(ground_of(simulation).columns.soils[0, 0])
    assert tool.payload == pytest.approx(0.5 * 0.3 * density, rel=0.02)
    assert tool.volume == pytest.approx(tool.payload / float(ground_of(simulation).columns.soils[0, 1]), rel=1e-9)
    assert tool.fill_factor == pytest.approx(tool.volume / 0.4)
    assert simulation.ledger["held_mass"] == pytest.approx(tool.payload, rel=1e-12)
    assert abs(simulation.ledger["mass_error"]) < 1e-14


def test_a_bucket_fills_carries_and_empties_where_it_is_turned() -> None:
    simulation = wr.Simulation(bucket_scene(), threads=1)
    tool, most = simulation.tools["bucket"], 0.0
    before = simulation.terrain.height
    while simulation.time < 9.0:
        simulation.step()
        assert in_balance(simulation)
        most = max(most, tool.fill_factor)
        if simulation.time > 4.0 and tool.fill_factor > 0.99:
            assert tool.parts["dead load"][2] == pytest.approx(-9.81 * tool.payload)
            assert tool.parts["cutting"] == pytest.approx(np.zeros(3))
    assert most == pytest.approx(1.0, abs=1e-6)
    assert tool.payload == 0.0
    change = simulation.terrain.height - before
    i, j = np.unravel_index(int(change.argmax()), change.shape)
    assert -0.4 < simulation.terrain.x[i] < 0.8
    assert abs(simulation.terrain.y[j]) < 0.5
    assert change.min() == pytest.approx(-0.3, abs=0.03)


def test_a_blade_leaves_windrows_on_both_sides() -> None:
    simulation = wr.Simulation(blade_scene(), threads=1)
    while simulation.time < 6.0:
        simulation.step()
        assert in_balance(simulation)
    height = simulation.terrain.height
    y = simulation.terrain.y
    profile = height[(simulation.terrain.x > -1.0) & (simulation.terrain.x < 0.4)].mean(axis=0)
    left, right = profile[y > 0.5].max(), profile[y < -0.5].max()
    assert left > 0.05
    assert right == pytest.approx(left, rel=0.02)
    assert profile[np.abs(y) < 0.2].max() < -0.1


def test_a_blade_that_goes_back_leaves_its_load() -> None:
    scene = blade_scene()
    scene.obstacles[0].motion = {  # type: ignore[assignment]
        "kind": "keyframes", "time": [0.0, 2.0, 3.0], "position": [(0, 0, 0), (1, 0, 0), (0.5, 0, 0)]
    }  # fmt: skip
    simulation = wr.Simulation(scene, threads=1)
    carried = []
    for _ in range(150):
        simulation.step()
        carried.append(simulation.tools["blade"].payload)
        assert in_balance(simulation)
    assert max(carried) > 50.0
    assert carried[-1] == 0.0


@pytest.mark.parametrize("soil", ["dry_sand", "loam", "gravel", "clay"])
def test_restart_reset_and_threads_are_exact(soil: str) -> None:
    scene = bucket_scene(soil=soil)
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(130):
        simulation.step()
    middle = simulation.snapshot()
    told = simulation.frame().notes["tools"]
    for _ in range(200):
        simulation.step()
    end = simulation.hash()
    restored = wr.Simulation.restore(middle, threads=2)
    assert restored.frame().notes["tools"] == told
    for _ in range(200):
        restored.step()
    assert restored.hash() == end
    assert restored.tools["bucket"].told() == simulation.tools["bucket"].told()
    simulation.reset()
    for _ in range(330):
        simulation.step()
    assert simulation.hash() == end


def test_a_snapshot_with_a_negative_load_is_refused() -> None:
    simulation = wr.Simulation(bucket_scene(), threads=1)
    simulation.step()
    snapshot = simulation.snapshot()
    snapshot["tools.held"] = -snapshot["tools.held"] - 1
    with pytest.raises(FileFormatError, match=r"tools\.held"):
        wr.Simulation.restore(snapshot)


def test_sliding_nearby_is_the_avalanche(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same columns, whether whole tiles are looked at or the box in which something may move."""
    monkeypatch.setattr(nearby, "STILL", 1e-3)
    monkeypatch.setattr("windrow.terrain.avalanche.NEARBY_EVERY", 1)
    results = []
    for small in (False, True):
        scene = wr.Scene()
        layers = [{"soil": "dry_sand", "thickness": 0.2}, {"soil": "gravel"}]
        scene.add_terrain(size=(9.6, 9.6), cell=0.1, layers=layers)
        simulation = wr.Simulation(scene, threads=1)
        assert simulation._ground is not None
        if small:
            simulation._ground.avalanche.work_nearby()
        simulation.terrain.set_height(-0.6, x=(-0.9, 0.5), y=(-0.4, 0.8))
        simulation.terrain.set_height(0.7, x=(1.0, 1.6), y=(-0.4, 0.2))
        looked = 0
        for _ in range(120):
            looked += bool(small and simulation._ground.avalanche.nearby.fits(False))  # type: ignore[union-attr]
            simulation.step()
        assert looked == (120 if small else 0)
        assert in_balance(simulation) or simulation.ledger["mass_error"] == 0.0
        results.append((simulation.terrain.height, simulation.terrain.mass, ground_of(simulation).tile_mass.copy()))
    for one, other in zip(*results, strict=True):
        np.testing.assert_array_equal(one, other)
    assert results[0][0][41, 50] > -0.55


# --- tools that are bodies --------------------------------------------------------------------------------

PUSHER = """
title = "pusher"
[controls]
push = "ahead 1"
[materials.iron]
density = 7800.0
friction_static = 0.3
[tool]
body = "blade"
lower = [0.0, -0.5, 0.0]
upper = [0.1, 0.5, 0.6]
volume = 0.2
[tool.cutting]
edge = [[0.02, -0.5, -0.25], [0.02, 0.5, -0.25]]
top = [[0.02, -0.5, 0.25], [0.02, 0.5, 0.25]]
direction = [1.0, 0.0, 0.0]
kind = "KIND"
[[bodies]]
name = "blade"
material = "iron"
mass = MASS
shapes = [{kind = "box", size = [0.04, 1.0, 0.5]}]
[[joints]]
kind = "slider"
name = "push"
first = "blade"
position = [0.0, 0.0, 0.0]
axis = [1.0, 0.0, 0.0]
motor = {kind = "velocity", speed = 0.5, max_force = LIMIT, control = "push"}
"""


def pusher(folder: Path, mass: float, limit: float, kind: str = "blade") -> wr.Simulation:
    text = PUSHER.replace("KIND", kind).replace("MASS", repr(mass)).replace("LIMIT", repr(limit))
    (folder / "pusher.toml").write_text(text)
    scene = wr.Scene()
    scene.add_terrain(size=(8.0, 4.0), cell=0.1, soil="dry_sand", fidelity="field")
    scene.add_machine(folder / "pusher.toml", position=(-3.0, 0.0, 0.05))
    simulation = wr.Simulation(scene, threads=1)
    simulation.control("push", 1.0)
    return simulation


@pytest.mark.parametrize("mass", [50.0, 0.5])
def test_a_strong_motor_pushes_through_and_bears_the_equations_force(tmp_path: Path, mass: float) -> None:
    simulation = pusher(tmp_path, mass, 2e4)
    assert simulation.bodies is not None
    tool = simulation.tools["blade"]
    for _ in range(90):
        simulation.step()
        assert simulation.bodies.velocity("blade")[0] == pytest.approx(0.5, abs=1e-4)
        assert in_balance(simulation)
    assert simulation.bodies.joint_states()[2][0] == pytest.approx(-tool.force[0], rel=1e-3)
    assert tool.force[0] == pytest.approx(tool.earthmoving[0], rel=0.03)


@pytest.mark.parametrize("mass", [50.0, 0.5])
def test_a_weak_motor_stalls_and_is_never_thrown_back(tmp_path: Path, mass: float) -> None:
    simulation = pusher(tmp_path, mass, 1500.0)
    assert simulation.bodies is not None
    speeds = []
    for _ in range(60):
        simulation.step()
        speeds.append(float(simulation.bodies.velocity("blade")[0]))
    assert min(speeds) > -1e-4
    assert max(np.abs(speeds[-20:])) < 1e-4
    tool = simulation.tools["blade"]
    assert tool.force[0] == pytest.approx(-1500.0, rel=0.01)
    assert abs(tool.earthmoving[0]) > 1500.0


def test_a_load_many_times_heavier_than_its_bucket_is_stable(tmp_path: Path) -> None:
    simulation = pusher(tmp_path, 5.0, 2e4, "bucket")
    assert simulation.bodies is not None
    tool = simulation.tools["blade"]
    for _ in range(150):
        simulation.step()
        assert simulation.bodies.velocity("blade")[0] == pytest.approx(0.5, abs=1e-3)
    assert tool.payload > 250.0
    assert tool.parts["dead load"][2] == pytest.approx(-9.81 * tool.payload)
    assert np.abs(tool.parts["inertia"]).max() < 0.1 * 9.81 * tool.payload


def test_a_wheel_loader_fills_its_bucket_at_a_bank() -> None:
    """It drives into sand, stalls there, tilts and lifts; what it lifts presses on the bucket with its weight."""
    scene = wr.Scene()
    scene.add_terrain(
        size=(24.0, 10.0), cell=0.125, height=lambda x, y: np.clip(0.55 * (x - 4.5), 0.0, 2.0), soil="dry_sand",
        fidelity="field", depth=2.0,
    )  # fmt: skip
    scene.add_machine("wheel_loader", position=(-1.0, 0.0, 0.05))
    simulation = wr.Simulation(scene, threads=1)
    assert simulation.bodies is not None
    tool, reached = simulation.tools["bucket"], 0.0
    for _ in range(480):
        time = simulation.time
        simulation.control("throttle", 0.6 if time < 4.0 else 0.0)
        simulation.control("tilt", 0.5 if 4.0 < time < 6.0 else 0.0)
        simulation.control("lift", 0.6 if 4.5 < time < 7.0 else 0.0)
        simulation.step()
        assert in_balance(simulation)
        reached = max(reached, float(np.hypot(*tool.force[:2])))
        assert float(np.abs(simulation.bodies.velocity("bucket")[:3]).max()) < 5.0
    assert tool.fill_factor == pytest.approx(1.0, abs=0.05)
    assert 2e4 < reached < 4e5
    assert simulation.bodies.position("bucket")[2] > 0.6
    assert tool.parts["dead load"][2] == pytest.approx(-9.81 * tool.payload)
    assert simulation.ledger["held_mass"] == pytest.approx(tool.payload)
