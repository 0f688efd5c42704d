"""Ground under bodies: how deep they sink, that mass is kept, and that ruts stay."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.scene.shapes import Box, Cylinder
from windrow.scene.soils import soil_named


def plate_on(soil: str, pressure: float, width: float = 1.0, cell: float = 0.1) -> wr.Simulation:
    """A square plate that is laid down on flat ground."""
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0, friction_static=0.6)
    scene.add_terrain(size=(6.4, 6.4), cell=cell, soil=soil)
    scene.add_body(
        "plate",
        "steel",
        shapes=[Box(size=(width, width, 0.2))],
        position=(0.0, 0.0, 0.1),
        mass=pressure * width * width / 9.81,
    )
    return wr.Simulation(scene, threads=1)


@pytest.mark.parametrize(
    ("soil", "pressure"), [("dry_sand", 10e3), ("dry_sand", 40e3), ("loam", 40e3), ("clay", 20e3)]
)
def test_a_plate_sinks_as_bekker_says(soil: str, pressure: float) -> None:
    simulation = plate_on(soil, pressure)
    for _ in range(240):
        simulation.step()
        assert abs(simulation.ledger["mass_error"]) < 1e-12
    ground = soil_named(soil).ground
    stiffness = ground.sinkage_cohesive.value / 1.0 + ground.sinkage_frictional.value
    expected = (pressure / stiffness) ** (1.0 / ground.sinkage_exponent.value)
    assert simulation.bodies is not None
    assert 0.1 - simulation.bodies.position("plate")[2] == pytest.approx(expected, rel=0.12, abs=5e-4)


def test_pressed_ground_is_denser_and_weighs_the_same() -> None:
    simulation = plate_on("dry_sand", 60e3)
    terrain = simulation.terrain
    mass, density = terrain.mass, terrain.density
    for _ in range(120):
        simulation.step()
    below = np.hypot(terrain.x[:, None], terrain.y) < 0.3
    assert (terrain.density[below] > 1.01 * density[below]).all()
    assert terrain.mass[below] == pytest.approx(mass[below], rel=1e-9)
    assert (terrain.height[below] < -0.02).all()


def test_a_second_load_of_the_same_weight_leaves_no_deeper_trace() -> None:
    simulation = plate_on("dry_sand", 30e3)
    for _ in range(180):
        simulation.step()
    first = simulation.terrain.height
    for _ in range(120):
        simulation.step()
    assert np.abs(simulation.terrain.height - first).max() < 1e-4


def test_what_cannot_be_pressed_goes_aside() -> None:
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0)
    layer = {"soil": "clay", "compaction": 1.09}  # almost as dense as it gets
    scene.add_terrain(size=(6.4, 6.4), cell=0.1, layers=[layer], avalanche=False)
    scene.add_body("plate", "steel", shapes=[Box(size=(0.6, 0.6, 0.4))], position=(0, 0, 0.2), mass=6000.0)
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(180):
        simulation.step()
    height = simulation.terrain.height
    assert height.min() < -0.02
    assert height.max() > 0.01
    assert simulation.ledger["mass_error"] == 0.0


def test_a_wheel_leaves_a_rut_behind_it() -> None:
    scene = wr.Scene()
    scene.add_material("rubber", density=1200.0, friction_static=0.9)
    scene.add_terrain(size=(12.8, 6.4), cell=0.1, soil="dry_sand")
    scene.add_body(
        "wheel",
        "rubber",
        shapes=[Cylinder(radius=0.5, height=0.4)],
        rotation_deg=(90.0, 0.0, 0.0),
        position=(-4.0, 0.0, 0.5),
        mass=800.0,
        velocity=(2.0, 0.0, 0.0),
        angular_velocity=(0.0, 4.0, 0.0),
    )
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(60):
        simulation.step()
    assert simulation.bodies is not None
    x = simulation.bodies.position("wheel")[0]
    assert x > -3.5
    terrain = simulation.terrain
    behind = (terrain.x > -3.9) & (terrain.x < x - 0.6)
    below = np.abs(terrain.y) < 0.2
    rut = terrain.height[np.ix_(behind, below)]
    assert rut.mean() < -0.002
    assert (rut.min(axis=1) < -0.001).all(), "it has no gaps"
    ahead = terrain.x > x + 1.0
    assert np.abs(terrain.height[ahead]).max() < 1e-3
    beside = np.abs(terrain.y) > 1.5
    assert np.abs(terrain.height[:, beside]).max() < 1e-6


def test_ground_that_is_told_not_to_sinks_nowhere() -> None:
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0)
    scene.add_terrain(size=(6.4, 6.4), cell=0.1, soil="dry_sand", compaction=False)
    scene.add_body("block", "steel", shapes=[Box(size=(1.0, 1.0, 0.5))], position=(0.0, 0.0, 0.25))
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(60):
        simulation.step()
    assert np.ptp(simulation.terrain.height) == 0.0


def test_sinking_continues_to_the_bit_after_a_restart() -> None:
    whole = plate_on("loam", 30e3)
    for _ in range(40):
        whole.step()
    broken = plate_on("loam", 30e3)
    for _ in range(15):
        broken.step()
    again = wr.Simulation.restore(broken.snapshot(), threads=2)
    for _ in range(25):
        again.step()
    assert again.hash() == whole.hash()
