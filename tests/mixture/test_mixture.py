"""A liquid and grains: laws of drag and buoyancy, momentum, books, and the same bits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.render.liquid import liquid_in
from windrow.scene import Box
from windrow.solvers.mixture.laws import crowding, decadic, decay, drag_factor, drag_taken, wetness
from windrow.validate.fluid_scenes import block
from windrow.validate.mixture_scenes import di_felice, falling_speed, tank

F = np.float32
pytestmark = pytest.mark.filterwarnings("ignore::windrow.solvers.limits.StiffnessWarning")


def test_logarithm_and_exponential() -> None:
    for x in (1e-6, 0.3, 1.0, 17.5, 1e5):
        assert float(decadic.py_func(F(x))) == pytest.approx(np.log10(x), abs=3e-6)
    for x in (0.0, 0.01, 1.0, 9.0, 31.0):
        assert float(decay.py_func(F(x))) == pytest.approx(np.exp(-x), rel=3e-5)


@pytest.mark.parametrize("viscosity", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("voids", [1.0, 0.7, 0.45])
@pytest.mark.parametrize("speed", [1e-4, 0.05, 3.0])
def test_drag_is_that_of_di_felice(viscosity: float, voids: float, speed: float) -> None:
    r = 0.004
    force = speed * float(drag_factor.py_func(F(speed), F(r), F(1000.0), F(viscosity), F(voids)))
    assert force == pytest.approx(di_felice(speed, r, viscosity, voids), rel=1e-4)


def test_drag_of_creeping_flow_is_nearly_that_of_stokes() -> None:
    """Dallavalle's coefficient has 23.04/Re where Stokes' has 24/Re."""
    k = float(drag_factor.py_func(F(1e-6), F(1e-3), F(1000.0), F(10.0), F(1.0)))
    assert k == pytest.approx(6 * np.pi * 10.0 * 1e-3 * 23.04 / 24.0, rel=1e-2)
    assert float(crowding.py_func(F(1e-6))) == pytest.approx(3.7, abs=1e-4)


def test_drag_takes_no_more_than_there_is() -> None:
    for k in (1e-6, 1e-2, 1e4):
        taken = float(drag_taken.py_func(F(k), F(10.0), F(0.01)))
        assert 0.0 < taken * 10.0 <= 1.0 + 1e-6
    assert float(drag_taken.py_func(F(1e-3), F(10.0), F(0.01))) == pytest.approx(1e-5, rel=1e-4)


def test_half_of_a_grain_is_wet_at_a_level_surface() -> None:
    assert float(wetness.py_func(F(0.5), F(1.0))) == 0.5
    assert float(wetness.py_func(F(0.25), F(0.5))) == 0.5
    assert (float(wetness.py_func(F(0.9), F(1.0))), float(wetness.py_func(F(0.1), F(1.0)))) == (1.0, 0.0)


def crowded(**settings: Any) -> wr.Scene:
    """Stones and corks in a tank, some already at the floor, an outflow, and more that falls in."""
    scene = tank(0.04, 0.32, 0.24, **settings)
    scene.add_material("stone", density=2600.0, stiffness=3e3)
    scene.add_material("cork", density=400.0, stiffness=3e3)
    places = np.stack(np.meshgrid(*[0.06 + 0.05 * np.arange(5)] * 2, [0.012, 0.1], indexing="ij"), -1).reshape(-1, 3)
    scene.add_particles(places, radius=0.008, material="stone")
    scene.add_particles(places + np.array([0.02, 0.02, 0.05]), radius=0.008, material="cork")
    scene.add_emitter(Box(size=(0.1, 0.1, 0.1)), 0.008, "stone", position=(0.16, 0.16, 0.2), rate=200.0, count=20)
    scene.add_emitter(Box(size=(0.1, 0.1, 0.1)), 0.02, "water", position=(0.16, 0.16, 0.45), rate=200.0, count=10)
    scene.add_sink(Box(size=(0.08, 0.08, 0.08)), position=(0.04, 0.04, 0.2), start=0.1)
    return scene


def steps(simulation: wr.Simulation, many: int) -> wr.Simulation:
    for _ in range(many):
        simulation.step()
    return simulation


@pytest.mark.parametrize("method", ["gauss_seidel", "conjugate_gradient"])
def test_threads_and_restarts_change_no_bit(method: str, tmp_path: Path) -> None:
    one, two = (steps(wr.Simulation(crowded(method=method), threads=k), 15) for k in (1, 2))
    assert one.hash() == two.hash()
    one.save(tmp_path / "now.h5")
    again = wr.Simulation.load(tmp_path / "now.h5", threads=2)
    assert again.hash() == one.hash()
    assert steps(again, 10).hash() == steps(one, 10).hash()
    np.testing.assert_array_equal(again.contacts.force, one.contacts.force)
    assert one.ledger["sunk"] > 0
    one.reset()
    assert steps(one, 15).hash() == two.hash()


def test_every_kilogram_is_booked_cubes_and_balls() -> None:
    simulation = wr.Simulation(crowded(), threads=1)
    report = steps(simulation, 25)
    ledger, p = report.ledger, simulation.particles
    assert abs(ledger["mass_error"]) < 1e-12
    assert ledger["emitted"] == 30
    emitted = 20 * 2600.0 * 4 / 3 * np.pi * 0.008**3 + 10 * 1000.0 * 0.04**3
    assert ledger["emitted_mass"] == pytest.approx(emitted, rel=1e-5)
    wet = liquid_in(simulation.frame(), simulation.scene)
    np.testing.assert_array_equal(wet, p.radius > 0.01)
    np.testing.assert_allclose(p.mass[wet], 1000.0 * 0.04**3, rtol=1e-6)


def test_momentum_without_walls_is_kept() -> None:
    """A ball of water without weight, shot through by grains."""
    scene = wr.Scene(gravity=(0, 0, 0), solver=wr.Mixture(viscosity=0.5))
    scene.add_material("water", density=1000.0, liquid=True)
    scene.add_material("stone", density=2600.0, stiffness=3e3)
    scene.add_particles(block((0.24, 0.24, 0.24), 0.04), radius=0.02, material="water")
    scene.add_particles([(-0.1, 0.1, 0.1), (-0.15, 0.13, 0.12)], (4.0, 0.0, 0.5), radius=0.008, material="stone")
    simulation = wr.Simulation(scene, threads=2)

    def momentum() -> np.ndarray:
        """With the half of the last step's forces that is still to come, kg m/s."""
        p = simulation.particles
        coming = 0.5 * simulation.solver.dt * p.flow.astype(np.float64)
        return np.asarray((p.mass[:, None] * p.velocity.astype(np.float64) + coming).sum(axis=0))

    before = momentum()
    speeds = []
    for _ in range(12):
        simulation.step()
        drift = momentum() - before
        assert np.abs(drift).max() < 2e-6 * np.abs(before).max() * 12
        speeds.append(float(simulation.particles.velocity[-2:, 0].mean()))
    assert speeds[-1] < 0.5 * 4.0


def test_buoyancy_of_a_grain_at_rest() -> None:
    """In the middle and on the floor, averaged over half a second: ρ g V within 2 %, and no push to a side."""
    scene = tank(0.04, 0.32, 0.32)
    scene.add_material("stone", density=2600.0)
    places = [(0.16 + x, 0.16 + y, z) for z in (0.006, 0.15) for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
    scene.add_particles(places, radius=0.006, material="stone", pinned=True)
    simulation = steps(wr.Simulation(scene, threads=1), 120)
    total = np.zeros((8, 3))
    for _ in range(50):
        simulation.step()
        total += simulation.particles.flow[-8:].astype(np.float64) / 50
    lift = 1000.0 * 9.81 * 4 / 3 * np.pi * 0.006**3
    for layer in (total[:4], total[4:]):
        assert layer.mean(axis=0)[2] == pytest.approx(lift, rel=0.02)
        assert np.abs(layer.mean(axis=0)[:2]).max() < 0.02 * lift


def test_a_single_grain_falls_as_the_law_says() -> None:
    scene = tank(0.04, 0.24, 0.64, viscosity=0.1)
    scene.add_material("stone", density=2600.0, stiffness=1e3)
    scene.add_particles([(0.12, 0.12, 0.6)], radius=0.004, material="stone")
    simulation = steps(wr.Simulation(scene, threads=1), 60)
    begin = float(simulation.particles.position[-1, 2])
    steps(simulation, 100)
    speed = (begin - float(simulation.particles.position[-1, 2])) / 1.0
    assert speed == pytest.approx(falling_speed(0.004, 2600.0, 0.1), rel=0.05)


def test_heavy_grains_sink_and_light_ones_float() -> None:
    scene = tank(0.04, 0.32, 0.24)
    places = [(0.08 + 0.04 * k, 0.16, 0.12) for k in range(5)]
    for name, density, y in (("stone", 1500.0, -0.05), ("cork", 500.0, 0.05)):
        scene.add_material(name, density=density, stiffness=1e3)
        scene.add_particles([(a, b + y, c) for a, b, c in places], radius=0.006, material=name)
    simulation = steps(wr.Simulation(scene, threads=1), 200)
    z = simulation.particles.position[-10:, 2]
    assert z[:5].max() < 0.02
    assert abs(z[5:] - 0.24).max() < 0.04


def test_grains_raise_the_level_by_their_volume() -> None:
    """Gravel below the surface: water takes no room of it."""
    scene = tank(0.04, 0.32, 0.2)
    scene.add_material("stone", density=2600.0, stiffness=3e3)
    scene.add_block((0.02, 0.02, 0.22), (0.28, 0.28, 0.2), 0.012, "stone", packing="random")
    simulation = steps(wr.Simulation(scene, threads=1), 250)
    p = simulation.particles
    wet = p.radius > 0.015
    volume = float(p.mass[~wet].sum()) / 2600.0
    assert p.position[~wet, 2].max() < 0.15
    # the middle of all that is there, if it fills the tank up to one level
    level = 0.2 + volume / 0.32**2
    middle = float((p.mass[wet] * p.position[wet, 2]).sum() / p.mass[wet].sum())
    stones = float((p.mass[~wet] * p.position[~wet, 2]).sum() / p.mass[~wet].sum())
    filled = (0.2 * 0.32**2 * middle + volume * stones) / (level * 0.32**2)
    assert filled == pytest.approx(0.5 * level, rel=0.03)


def test_the_floor_carries_water_and_gravel() -> None:
    scene = tank(0.04, 0.32, 0.2)
    scene.add_material("stone", density=2600.0, stiffness=3e3)
    scene.add_block((0.02, 0.02, 0.22), (0.28, 0.28, 0.1), 0.012, "stone", packing="random")
    simulation = steps(wr.Simulation(scene, threads=1), 150)
    load = 0.0
    for _ in range(50):
        simulation.step()
        load -= float(simulation.body("floor")[0][2]) / 50
    assert load == pytest.approx(9.81 * float(simulation.particles.mass.sum()), rel=0.01)


def test_without_liquid_grains_move_as_they_do_alone() -> None:
    places = []
    for solver in (wr.Mixture(dt=1 / 60), wr.NDEM()):
        scene = wr.Scene(solver=solver)
        scene.add_material("stone", density=2600.0)
        scene.add_plane((0, 0, 1), 0.0, "stone")
        scene.add_block((0, 0, 0), (0.4, 0.4, 0.4), 0.04, "stone")
        places.append(steps(wr.Simulation(scene, threads=1), 40).particles.position)
    np.testing.assert_array_equal(places[0], places[1])


def test_bad_input_is_named() -> None:
    scene = tank(0.04, 0.2, 0.2)
    scene.add_material("stone", density=2600.0)
    scene.add_particles([(0.1, 0.1, 0.3)], radius=0.05, material="stone")
    with pytest.raises(wr.errors.SceneError, match="not resolved by liquid"):
        wr.Simulation(scene)
    scene = tank(0.04, 0.2, 0.2)
    scene.add_material("stone", density=2600.0)
    scene.add_body("box", "stone", shapes=[Box(size=(0.1, 0.1, 0.1))], position=(0.1, 0.1, 0.5))
    with pytest.raises(wr.errors.SceneError, match="Mixture has none"):
        wr.Simulation(scene)
    with pytest.raises(wr.errors.SceneError, match="computes no liquids"):
        wr.Simulation(tank(0.04, 0.2, 0.2), solver=wr.NDEM())
    scene = tank(0.04, 0.32, 0.32)
    scene.add_material("stone", density=2600.0, stiffness=3e3)
    scene.add_block((0.02, 0.02, 0.02), (0.28, 0.28, 0.28), 0.012, "stone", packing="dense")
    with pytest.raises(wr.errors.SceneError, match="begin together"):
        wr.Simulation(scene).step()


def test_the_scene_says_what_is_liquid(tmp_path: Path) -> None:
    scene = tank(0.04, 0.2, 0.2)
    wr.save_scene(scene, tmp_path / "tank.toml")
    again = wr.load_scene(tmp_path / "tank.toml")
    assert again.materials["water"].liquid
    assert not again.materials["wall"].liquid
    assert json.loads(again.solver.model_dump_json())["name"] == "mixture"
