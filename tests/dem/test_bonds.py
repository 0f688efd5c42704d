"""Bonds: the compiled law against a plain one, what is kept of them, what ends them, what is refused, closed forms."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError, SceneError
from windrow.scene import Bonds, Box
from windrow.state.bonds import LOST
from windrow.validate import dem_bonds
from windrow.validate.check import Scenario
from windrow.validate.dem_bonds import AREA, INERTIA, LENGTH, MASS, RADIUS, SHEAR_MODULUS, YOUNG, block


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues."""
    k = np.cross(np.eye(3), axis / max(float(np.linalg.norm(axis)), 1e-300))
    return np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * k @ k


def plain_motion(x: Any, v: Any, spin: Any, h: float, steps: int) -> tuple[Any, Any, Any]:
    """Two bonded grains by velocity Verlet, in double precision, with rotations by sines and cosines."""
    inertia = 0.4 * MASS * RADIUS**2
    shear = moment = np.zeros(3)
    n_before = (x[0] - x[1]) / LENGTH
    force, torque = np.zeros((2, 3)), np.zeros((2, 3))
    for _ in range(steps):
        v, spin = v + 0.5 * h * force / MASS, spin + 0.5 * h * torque / inertia
        x = x + h * v
        d = x[0] - x[1]
        length = np.linalg.norm(d)
        n = d / length
        axis = np.cross(n_before, n)
        turn = rotation(n, 0.5 * h * float((spin[0] + spin[1]) @ n)) @ rotation(axis, float(np.linalg.norm(axis)))
        arm = -0.5 * length * n
        u = v[0] - v[1] + np.cross(spin[0] + spin[1], arm)
        u_t, turning = u - (u @ n) * n, spin[0] - spin[1]
        shear = turn @ shear - h * SHEAR_MODULUS * AREA / LENGTH * u_t
        along = (turning @ n) * n
        moment = turn @ moment - h / LENGTH * INERTIA * (2.0 * SHEAR_MODULUS * along + YOUNG * (turning - along))
        on_first = shear - YOUNG * AREA / LENGTH * (length - LENGTH) * n
        force = np.array([on_first, -on_first])
        torque = np.array([moment + np.cross(arm, on_first), -moment + np.cross(arm, on_first)])
        v, spin = v + 0.5 * h * force / MASS, spin + 0.5 * h * torque / inertia
        n_before = n
    return x, v, spin


def test_two_bonded_grains_move_as_by_the_plain_law() -> None:
    """They stretch, shear, bend, twist, and turn by most of a radian."""
    x = np.array([[0.0, 0.0, 0.0], [LENGTH, 0.0, 0.0]])
    v = np.array([[0.3, 1.0, -2.0], [0.5, -1.0, 2.0]])
    spin = np.array([[10.0, -5.0, 3.0], [-6.0, 4.0, 8.0]])
    scene = wr.Scene(gravity=(0, 0, 0))
    scene.add_material("rock", density=2500.0, stiffness=1.0, restitution=1.0)
    scene.add_particles(x, v, RADIUS, material="rock", spin=spin)
    scene.add_bonds(YOUNG, pairs=[(1, 0)], damping_ratio=0.0)
    h, steps = 1e-5, 3000
    simulation = wr.Simulation(scene, solver=wr.DEM(dt=h * steps, substeps=steps), threads=1)
    simulation.step()
    expected = plain_motion(x, v, spin, h, steps)
    found = simulation.particles.position, simulation.particles.velocity, simulation.particles.spin
    assert np.abs(expected[0][1] - expected[0][0] - (LENGTH, 0, 0)).max() > 0.6 * LENGTH
    for now, wanted, scale in zip(found, expected, (RADIUS, 2.0, 10.0), strict=True):
        np.testing.assert_allclose(now, wanted, atol=2e-4 * scale)


def stepped(simulation: wr.Simulation, steps: int) -> wr.Simulation:
    for _ in range(steps):
        simulation.step()
    return simulation


def test_threads_and_restarts_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wr.sim.simulation, "GRAINS_PER_THREAD", 10)
    scene = block(tensile_strength=3e4, shear_strength=3e4)
    solver = wr.DEM(substeps=20)
    one, two = (stepped(wr.Simulation(scene, solver=solver, threads=n), 10) for n in (1, 2))
    assert one.hash() == two.hash()
    assert 0 < one.bonds.told()["holding"] < len(one.bonds)
    again = wr.Simulation.restore(one.snapshot(), threads=1)
    np.testing.assert_array_equal(again.bonds.ended_at, one.bonds.ended_at)
    assert stepped(again, 8).hash() == stepped(one, 8).hash()
    one.reset()
    assert one.bonds.holds.all()
    assert stepped(one, 10).hash() == two.hash()


def test_what_breaks_is_told_and_recorded(tmp_path: Path) -> None:
    scene = block(tensile_strength=3e4)
    wr.save_scene(scene, tmp_path / "block.toml")
    simulation = wr.Simulation(wr.load_scene(tmp_path / "block.toml"), solver=wr.DEM(substeps=20), threads=1)
    held = simulation.frame().notes["bonds"]["holding"]
    broken = 0
    with simulation.record(tmp_path / "run.h5", frame_rate=100.0):
        while simulation.time < 0.03:
            broken += int(simulation.step().notes["broken_bonds"])
    found = simulation.bonds
    assert found.told() == {
        "holding": held - broken,
        "broken_by_tension": broken,
        "broken_by_shear": 0,
        "lost": 0,
    }
    assert broken > 0
    assert (found.ended_at[~found.holds] <= simulation.time).all()
    assert (found.tensile_stress[~found.holds] >= 3e4).all()
    assert (found.tensile_stress[found.holds] < 3e4).all()
    with wr.Recording(tmp_path / "run.h5") as recording:
        assert recording[0].columns["bonds"].sum() == 0  # before the first step nobody has counted
        np.testing.assert_array_equal(recording[-1].columns["bonds"], recording[-1].columns["bonds"].astype(int))
        assert recording[-1].notes["bonds"]["holding"] < held


def test_a_bond_ends_with_its_grain() -> None:
    scene = dem_bonds.rod(4, (0.0, 0.0, -9.81))
    scene.add_sink(Box(size=(LENGTH, 1.0, 1.0)), position=(3 * LENGTH, 0, 0))
    simulation = stepped(wr.Simulation(scene, solver=wr.DEM(), threads=1), 2)
    assert simulation.bonds.ended.tolist() == [0, 0, LOST]
    assert simulation.particles.bonds.tolist() == [1, 2, 1]
    assert simulation.last_report is not None
    assert simulation.last_report.notes["broken_bonds"] == 0


def test_bonds_that_make_no_sense_are_refused() -> None:
    def scene(**fields: Any) -> wr.Scene:
        scene = wr.Scene()
        scene.add_material("rock", density=2500.0)
        scene.add_block((0, 0, 0), (0.4, 0.4, 0.2), 0.05, "rock", packing="cubic")
        scene.add_bonds(1e7, **fields)
        return scene

    def made(scene: wr.Scene, solver: Any = None) -> wr.Simulation:
        return wr.Simulation(scene, solver=solver or wr.DEM(), threads=1)

    for fields, message in (
        ({"pairs": [(0, 900)]}, r"bonds\[0\].pairs\[0\]: grain 900 does not exist; the scene starts with 9 grains"),
        ({"particles": 3}, r"bonds\[0\].particles: there is no particles\[3\]"),
        ({"pairs": [(0, 1), (1, 0)]}, "grains 0 and 1 are bonded already"),
    ):
        with pytest.raises(SceneError, match=message):
            made(scene(**fields))
    apart = wr.Scene()
    apart.add_material("rock", density=2500.0)
    apart.add_particles([(0, 0, 0), (1, 0, 0)], radius=0.1, material="rock")
    apart.add_bonds(1e7)
    with pytest.raises(SceneError, match=r"no two grains are within a gap of 0.2 radii; give a larger `reach`"):
        made(apart)
    with pytest.raises(SceneError, match=r"bonds: the solver 'ndem' computes none; use 'dem'"):
        made(scene(), wr.NDEM())
    with pytest.raises(SceneError, match="leave one of them out"):
        Bonds(young_modulus=1e7, pairs=[(0, 1)], particles=0)
    with pytest.raises(SceneError, match="to itself"):
        Bonds(young_modulus=1e7, pairs=[(2, 2)])
    with pytest.raises(SceneError, match="is not of this scene"):
        scene().add_bonds(1e7, particles=scene().particles[0])
    simulation = made(scene())
    assert len(simulation.bonds) == 12
    snapshot = simulation.snapshot()
    snapshot["links.bond_first"] = snapshot["links.bond_first"] + 9
    with pytest.raises(FileFormatError, match="bond_first"):
        wr.Simulation.restore(snapshot)
    with pytest.raises(FileFormatError, match="bond_ended"):
        wr.Simulation.restore(simulation.snapshot() | {"memory.bond_ended": np.full(12, 9, np.int8)})


@pytest.mark.parametrize("scenario", dem_bonds.SCENARIOS, ids=lambda s: s.name)
def test_closed_forms_of_bonds_hold(scenario: Scenario) -> None:
    for result in scenario.run():
        assert result.passed, result
