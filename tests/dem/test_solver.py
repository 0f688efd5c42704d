"""The solver as a whole: compiled forces against the plain laws, memory, restarts, sizes, input, closed forms."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.scene import Box, RadiusRange
from windrow.solvers.dem.laws import ARRAYS, Law, Touch, contact
from windrow.solvers.dem.materials import law_of, pair_table
from windrow.solvers.dem.timestep import TimeStepWarning
from windrow.validate import dem_impacts, dem_laws
from windrow.validate.check import Scenario

WHOLE = {"rolling_friction": 0.1, "twisting_friction": 0.05, "adhesion": 400.0}


def sand(scene: wr.Scene, name: str = "sand", **fields: Any) -> wr.Scene:
    scene.add_material(name, **{"stiffness": 1e5, "restitution": 0.5, "friction_static": 0.5} | fields)
    return scene


def cloud(many: int = 60, **fields: Any) -> wr.Scene:
    """Grains of two sizes and materials, some of which overlap after a step, that move and turn."""
    scene = sand(sand(wr.Scene(gravity=(0, 0, 0)), **fields), "clay", **fields | {"density": 2000.0, "stiffness": 5e4})
    random = np.random.default_rng(3)
    lattice = np.stack(np.meshgrid(*[np.arange(4)] * 3, indexing="ij"), -1).reshape(-1, 3)[:many]
    radius = np.where(np.arange(many) % 3 == 0, 0.0495, 0.05)
    places = 0.1003 * lattice + random.uniform(-1e-4, 1e-4, (many, 3))
    for name, first in (("sand", 0), ("clay", 1)):
        chosen = np.arange(first, many, 2)
        velocity, spin = random.uniform(-9, 9, (2, len(chosen), 3))
        scene.add_particles(places[chosen], velocity, radius[chosen], material=name, spin=spin)
    return scene


def plain_forces(simulation: wr.Simulation, law: Law) -> tuple[np.ndarray, np.ndarray]:
    """Forces and torques of new contacts between all pairs, by the laws in double precision, at x + h v."""
    p, h = simulation.particles, simulation.solver.dt
    v, spin = p.velocity.astype(float), p.spin.astype(float)
    x, r, w = p.position.astype(float) + h * v, p.radius.astype(float), 1.0 / p.mass
    settings: Any = simulation.solver
    table = pair_table(settings, simulation.scene).astype(float)
    kinds = 2 * len(simulation.scene.materials)
    force, torque = np.zeros_like(x), np.zeros_like(x)
    for i in range(len(x)):
        for j in range(len(x)):
            d = x[i] - x[j]
            distance = float(np.sqrt((d * d).sum()))
            overlap = r[i] + r[j] - distance
            if i == j or overlap <= 0.0:
                continue
            n = d / distance
            arm_i, arm_j = r[i] - 0.5 * overlap, r[j] - 0.5 * overlap
            u = v[i] - v[j] - np.cross(arm_i * spin[i] + arm_j * spin[j], n)
            radius = r[i] * r[j] / (r[i] + r[j])
            turning = spin[i] - spin[j]
            touch = Touch(overlap, tuple(n), tuple(u), tuple(turning), radius, min(r[i], r[j]), w[i] + w[j])
            pair = table[p.material[i] * kinds + p.material[j]]
            given = contact(ARRAYS, law, touch, pair, [0.0] * 8, h, -np.inf)
            force[i] += given.force
            torque[i] += np.array(given.couple) - arm_i * np.cross(n, given.sideways)
    return force, torque


@pytest.mark.parametrize("name", ["linear", "hertz"])
@pytest.mark.parametrize("extra", [{}, WHOLE], ids=["plain", "whole"])
def test_compiled_forces_are_those_of_the_laws(name: Any, extra: dict[str, float]) -> None:
    fields = extra | ({"young_modulus": 1e7} if name == "hertz" else {})
    simulation = wr.Simulation(cloud(**fields), solver=wr.DEM(contact=name, dt=1e-4), threads=1)
    settings: Any = simulation.solver
    law = law_of(settings, pair_table(settings, simulation.scene), alike=False)
    expected, turning = plain_forces(simulation, law)
    assert (np.abs(expected).max(axis=1) > 0).sum() > 20
    simulation.step()
    scale = np.abs(expected).max()
    np.testing.assert_allclose(simulation.particles.force, expected, atol=2e-3 * scale)
    torque = simulation.state.columns["rest"][simulation.state.by_id(), 9:]
    np.testing.assert_allclose(torque, turning, atol=2e-3 * np.abs(turning).max())
    assert np.abs(simulation.particles.force.astype(float).sum(axis=0)).max() < 1e-5 * scale
    told = simulation.contacts.force_on_grains(simulation.particles.id)
    np.testing.assert_allclose(told, simulation.particles.force, atol=0.1 * scale)


def bed(threads: int = 1, **settings: Any) -> wr.Simulation:
    """Grains of mixed sizes that pour into a box past a bar, with an emitter and a sink."""
    scene = sand(wr.Scene(seed=2), **WHOLE)
    scene.add_open_box((-0.3, -0.3, 0), (0.3, 0.3, 1.0), "sand")
    scene.add_cylinder((0, 0, 0.2), 0.08, 0.5, "sand", rotation_deg=(90, 0, 0), name="bar")
    scene.add_block((-0.28, -0.28, 0.3), (0.56, 0.56, 0.3), RadiusRange(min=0.02, max=0.04), "sand", packing="random")
    scene.add_emitter(Box(size=(0.3, 0.3, 0.05)), 0.03, "sand", position=(0, 0, 0.9), rate=200.0, count=20)
    scene.add_sink(Box(size=(0.1, 0.1, 0.1)), position=(0.25, 0.25, 0.05))
    return wr.Simulation(scene, solver=wr.DEM(**settings), threads=threads)


def stepped(simulation: wr.Simulation, steps: int) -> wr.Simulation:
    for _ in range(steps):
        simulation.step()
    return simulation


def test_threads_and_restarts_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wr.sim.simulation, "GRAINS_PER_THREAD", 10)
    one, two = stepped(bed(1, substeps=20), 250), stepped(bed(2, substeps=20), 250)
    assert one.hash() == two.hash()
    assert len(one.contacts) > 50
    again = wr.Simulation.restore(one.snapshot(), threads=1)
    np.testing.assert_array_equal(again.contacts.force, one.contacts.force)
    assert stepped(again, 10).hash() == stepped(one, 10).hash()
    assert one.ledger["emitted"] > 0


def test_lists_lose_no_contact_and_their_margin_does_not_matter() -> None:
    """Searches sort the grains and move what contacts remember; with other margins they come at other times."""
    results = []
    for margin in (0.05, 0.4):
        simulation, lost, searches = bed(margin=margin, substeps=20), 0.0, 0.0
        for _ in range(200):
            notes = simulation.step().notes
            lost, searches = lost + notes["lost_contacts"], searches + notes["searches"]
        assert lost == 0
        results.append((searches, simulation.particles.position.mean(axis=0)))
    assert results[0][0] > 2 * results[1][0]
    np.testing.assert_allclose(results[0][1], results[1][1], atol=4e-3)


def test_a_slow_grain_moves_though_its_way_in_a_step_is_less_than_a_float() -> None:
    scene = sand(wr.Scene(gravity=(0, 0, 0)), stiffness=1e7)
    scene.add_particles([(100.0, 0, 0)], (0.01, 0, 0), 0.05, material="sand")
    simulation = wr.Simulation(scene, solver=wr.DEM(dt=1e-5), threads=1)
    assert np.float32(100.0) + np.float32(1e-7) == np.float32(100.0)
    stepped(simulation, 5000)
    assert simulation.particles.position[0, 0] == pytest.approx(100.0 + 5e-4, abs=8e-6)


def test_gravity_is_right_however_short_the_step() -> None:
    scene = sand(wr.Scene())
    scene.add_particles([(0, 0, 50.0)], (0, 0, -5.0), 0.05, material="sand")
    simulation = wr.Simulation(scene, solver=wr.DEM(dt=1e-6), threads=1)
    stepped(simulation, 4000)
    assert -float(simulation.particles.velocity[0, 2]) - 5.0 == pytest.approx(9.81 * 4e-3, rel=3e-5)


def test_walls_feel_what_grains_weigh() -> None:
    scene = sand(wr.Scene(), restitution=0.1)
    scene.add_plane((0, 0, 1), 0.0, "sand", name="floor")
    scene.add_box((2, 0, 0.1), (1, 1, 0.2), "sand", name="table")
    scene.add_particles([(0, 0, 0.06), (2, 0, 0.26), (2.2, 0, 0.26)], radius=0.05, material="sand")
    simulation = stepped(wr.Simulation(scene, solver=wr.DEM(), threads=1), 4000)
    weight = 9.81 * float(simulation.particles.mass[0])
    assert simulation.body("floor")[0][2] == pytest.approx(-weight, rel=1e-3)
    assert simulation.body("table")[0][2] == pytest.approx(-2 * weight, rel=1e-3)


def test_a_drum_turns_grains_that_touch_it() -> None:
    scene = sand(wr.Scene(gravity=(0, 0, -9.81)))
    motion = {"kind": "spin", "axis": (0, 1, 0), "rate": 2.0}
    scene.add_cylinder((0, 0, 0), 0.5, 1.0, "sand", rotation_deg=(90, 0, 0), inside=True, motion=motion)
    scene.add_particles([(0, 0, -0.44)], radius=0.05, material="sand")
    simulation = stepped(wr.Simulation(scene, solver=wr.DEM(), threads=1), 3000)
    assert abs(simulation.particles.spin[0, 1]) > 5.0  # it rolls on the wall, which moves at 1 m/s
    assert np.hypot(*simulation.particles.position[0, [0, 2]]) == pytest.approx(0.45, abs=0.01)


def test_a_chosen_step_is_told_and_a_longer_one_warns() -> None:
    scene = sand(wr.Scene())
    scene.add_particles([(0, 0, 1)], radius=0.05, material="sand")
    chosen = wr.Simulation(scene, solver=wr.DEM(), threads=1).solver.dt
    mass = 1600.0 * 4 / 3 * np.pi * 0.05**3
    zeta = np.log(2) / np.hypot(np.pi, np.log(2))
    collision = np.pi * np.sqrt(mass / 2 / 1e5) * (np.sqrt(1 + zeta**2) - zeta)
    assert 0.7 * collision / 20 < chosen <= collision / 20  # the springs across the normal are damped more
    with pytest.warns(TimeStepWarning, match=r"are longer than 0\.000\d+ s, which is 1/20 of the shortest collision"):
        wr.Simulation(scene, solver=wr.DEM(dt=2 * chosen), threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wr.Simulation(scene, solver=wr.DEM(dt=chosen), threads=1)
        cut: Any = wr.Simulation(scene, solver=wr.DEM(dt=1 / 60, substeps=None), threads=1).solver
        several: Any = wr.Simulation(scene, solver=wr.DEM(substeps=10), threads=1).solver
    assert cut.dt == 1 / 60
    assert cut.dt / cut.substeps <= collision / 20
    assert several.dt == pytest.approx(10 * chosen)


@pytest.mark.parametrize(
    ("fields", "settings", "message"),
    [
        ({}, {"contact": "hertz"}, r"materials\.sand\.young_modulus: missing"),
        ({"restitution": None, "young_modulus": 1e7}, {"contact": "hertz"}, r"sand\.restitution: missing"),
        ({"damping": 10.0}, {}, "restitution 0.5 and damping 10 N·s/m both"),
        ({"surface_energy": 0.1}, {}, r"surface_energy: .*use contact=.hertz"),
        (
            {"surface_energy": 0.1, "bridge_volume": 1e-9, "young_modulus": 1e7},
            {"contact": "hertz"},
            "surface_energy and bridge_volume together",
        ),
    ],
)
def test_laws_that_do_not_fit_are_refused(fields: dict[str, Any], settings: dict[str, Any], message: str) -> None:
    scene = sand(wr.Scene(), **fields)
    scene.add_particles([(0, 0, 1)], radius=0.05, material="sand")
    with pytest.raises(SceneError, match=message):
        wr.Simulation(scene, solver=wr.DEM(**settings))


def test_bad_numbers_are_refused() -> None:
    for bad in (0.0, -0.5, 1.1):
        with pytest.raises(SceneError, match="restitution"):
            sand(wr.Scene(), restitution=bad)
    bad_contact: Any = "hooke"
    with pytest.raises(SceneError, match="contact"):
        wr.DEM(contact=bad_contact)
    scene = sand(wr.Scene())
    scene.add_rope((0, 0, 1), (0.5, 0, 1), segments=5, material="sand", radius=0.02)
    with pytest.raises(SceneError, match="DEM computes no ropes"):
        wr.Simulation(scene, solver=wr.DEM())


def test_scenes_with_dem_go_through_files(tmp_path: Path) -> None:
    scene = sand(wr.Scene(solver=wr.DEM(contact="hertz", substeps=3)), young_modulus=2e7, rolling_friction=0.1)
    scene.add_particles([(0, 0, 1)], radius=0.05, material="sand", spin=(0, 0, 7.0))
    wr.save_scene(scene, tmp_path / "scene.toml")
    again = wr.load_scene(tmp_path / "scene.toml")
    assert again.solver == scene.solver
    simulation = wr.Simulation(again, threads=1)
    np.testing.assert_array_equal(simulation.particles.spin, [[0, 0, 7.0]])
    simulation.particles.spin = [[1.0, 0, 0]]
    simulation.run(10 * simulation.solver.dt, record=tmp_path / "run.h5")
    with wr.Recording(tmp_path / "run.h5") as recording:
        np.testing.assert_allclose(recording[0].columns["spin"], [[1.0, 0, 0]])


SCENARIOS = [s for s in (*dem_laws.SCENARIOS, *dem_impacts.SCENARIOS) if not s.slow]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
def test_closed_forms_hold(scenario: Scenario) -> None:
    for result in scenario.run():
        assert result.passed, result
