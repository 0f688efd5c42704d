"""Ground in a simulation: grains and bodies on it, its ledger, its restart, and who wakes when it moves."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.scene.shapes import Box, Sphere
from windrow.terrain.layers import TILE


def scene_on_hills(solver: wr.P2 | wr.NDEM | None = None, **fields: object) -> wr.Scene:
    scene = wr.Scene(**({} if solver is None else {"solver": solver}))
    scene.add_material("sand", soil="dry_sand")
    scene.add_terrain(
        size=(8.0, 8.0),
        cell=0.125,
        height=lambda x, y: 0.1 * np.cos(2 * x) * np.cos(2 * y),
        soil="dry_sand",
        **fields,  # type: ignore[arg-type]
    )
    scene.add_block((-0.3, -0.3, 0.3), (0.6, 0.6, 0.3), 0.05, "sand")
    return scene


def gaps(simulation: wr.Simulation) -> np.ndarray:
    """Heights of the grains' centres above the ground, over their radii."""
    x = simulation.particles.position.astype(np.float64)
    return (x[:, 2] - simulation.terrain.height_at(x[:, 0], x[:, 1])) / simulation.particles.radius


@pytest.mark.parametrize("solver", [wr.P2(), wr.NDEM()], ids=["p2", "ndem"])
def test_grains_lie_on_the_ground(solver: wr.P2 | wr.NDEM) -> None:
    simulation = wr.Simulation(scene_on_hills(solver), threads=2)
    forces = []
    for _ in range(120):
        simulation.step()
        assert abs(simulation.ledger["mass_error"]) < 1e-9
        forces.append(simulation.body("terrain")[0][2])
    height = gaps(simulation)
    assert height.min() > 0.7
    assert np.median(height) < 6.0
    if solver.name == "ndem":  # P² carries weight by overlaps that it corrects, its forces are no measure
        weight = 9.81 * simulation.ledger["grain_mass"]
        assert np.mean(forces[-60:]) == pytest.approx(-weight, rel=0.1)


def test_a_fast_grain_does_not_pass_through() -> None:
    scene = scene_on_hills(wr.NDEM())
    scene.particles.clear()
    scene.add_particles([(1.0, 0.5, 5.0)], radius=0.05, material="sand", velocity=[(0.0, 0.0, -60.0)])
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(30):
        simulation.step()
    assert gaps(simulation).min() > 0.0


def test_bodies_rest_on_the_ground() -> None:
    scene = scene_on_hills()
    scene.particles.clear()
    scene.add_material("rock", density=2600.0)
    scene.add_body("ball", "rock", shapes=[Sphere(radius=0.25)], position=(np.pi / 2, 0.0, 0.4))
    scene.add_body("slab", "rock", shapes=[Box(size=(0.8, 0.8, 0.2))], position=(-np.pi / 2, 0.0, 0.4))
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(150):
        simulation.step()
    assert simulation.bodies is not None
    for name, half in (("ball", 0.25), ("slab", 0.1)):
        x, y, z = simulation.bodies.position(name)
        assert 0.7 * half < z - simulation.terrain.height_at(x, y) < 1.6 * half
    force, _ = simulation.body("terrain")
    mass = sum(simulation.bodies.bodies.mass[:2])
    assert force[2] == pytest.approx(-9.81 * mass, rel=0.05)


def test_ground_alone_is_a_scene() -> None:
    scene = wr.Scene()
    scene.add_terrain(
        size=(6.4, 6.4), cell=0.1, height=lambda x, y: np.where(x < 0, 1.0, 0.0), soil="dry_sand"
    )
    simulation = wr.Simulation(scene, threads=1)
    before = simulation.terrain.mass
    report = simulation.step()
    assert report.particles == 0
    for _ in range(200):
        simulation.step()
    assert np.abs(simulation.terrain.mass - before).max() > 1.0
    assert simulation.terrain.mass.sum() == pytest.approx(before.sum(), rel=1e-12)
    assert simulation.ledger["mass_error"] == 0.0


def test_what_is_dug_is_booked() -> None:
    simulation = wr.Simulation(scene_on_hills(wr.NDEM()), threads=1)
    terrain = simulation.terrain
    before = terrain.mass.sum()
    terrain.set_height(-0.5, x=(1.0, 2.0), y=(1.0, 2.0))
    terrain.set_height(0.5, x=(-2.0, -1.0), y=(-2.0, -1.0))
    ledger = simulation.ledger
    assert ledger["left_mass"] > 0
    assert ledger["added_mass"] > 0
    change = terrain.mass.sum() - before
    assert ledger["added_mass"] - ledger["left_mass"] == pytest.approx(change, rel=1e-6)
    assert abs(ledger["mass_error"]) < 1e-12
    assert terrain.height_at(1.5, 1.5) == pytest.approx(-0.5)
    assert np.isnan(terrain.height_at(50.0, 0.0))


def test_grains_wake_when_the_ground_beneath_them_goes() -> None:
    scene = scene_on_hills(wr.NDEM(sleep_speed=0.05), avalanche=False)
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(600):
        if simulation.step().asleep == simulation.state.count:
            break
    assert simulation.last_report is not None
    assert simulation.last_report.asleep == simulation.state.count
    simulation.terrain.set_height(-1.0, x=(-2.0, 2.0), y=(-2.0, 2.0))
    for _ in range(60):
        simulation.step()
    assert simulation.particles.position[:, 2].max() < -0.1


def test_bodies_wake_when_the_ground_beneath_them_goes() -> None:
    scene = wr.Scene()
    scene.add_material("rock", density=2600.0)
    scene.add_terrain(size=(8.0, 8.0), cell=0.125, soil="loam", avalanche=False)
    scene.add_body("ball", "rock", shapes=[Sphere(radius=0.25)], position=(0.0, 0.0, 0.25))
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(120):
        simulation.step()
    assert simulation.bodies is not None
    simulation.terrain.set_height(-1.0, x=(-1.0, 1.0), y=(-1.0, 1.0))
    for _ in range(60):
        simulation.step()
    assert simulation.bodies.position("ball")[2] < -0.5


def test_a_restarted_run_is_the_same_to_the_bit(tmp_path: object) -> None:
    def digging(simulation: wr.Simulation, steps: int) -> None:
        for _ in range(steps):
            if simulation.state.step == 25:
                simulation.terrain.set_height(0.8, x=(0.0, 1.0), y=(0.0, 1.0))
            simulation.step()

    whole = wr.Simulation(scene_on_hills(wr.NDEM()), threads=2)
    digging(whole, 50)
    broken = wr.Simulation(scene_on_hills(wr.NDEM()), threads=1)
    digging(broken, 30)
    broken.save(f"{tmp_path}/now.h5")
    again = wr.Simulation.load(f"{tmp_path}/now.h5", threads=1)
    assert again.hash() == broken.hash()
    digging(again, 20)
    assert again.hash() == whole.hash()
    assert np.array_equal(again.terrain.height, whole.terrain.height)
    assert np.array_equal(again.terrain.mass, whole.terrain.mass)


def test_a_snapshot_keeps_patches_not_the_whole() -> None:
    scene = wr.Scene()
    scene.add_terrain(size=(200.0, 200.0), cell=0.25, soil="loam")
    simulation = wr.Simulation(scene, threads=1)
    simulation.terrain.set_height(0.2, x=(0.0, 2.0), y=(0.0, 2.0))
    stored = sum(np.asarray(v).nbytes for k, v in simulation.snapshot().items() if k.startswith("ground."))
    assert stored < 40 * 4 * TILE * TILE * 4
    assert stored < 0.5 * simulation.terrain.height.nbytes


def test_far_from_the_origin_grains_lie_alike() -> None:
    results = []
    for place in ((0.0, 0.0, 0.0), (512.0, -256.0, 0.0)):
        scene = wr.Scene(solver=wr.NDEM())
        scene.add_material("sand", soil="dry_sand")
        scene.add_terrain(
            cell=0.125,
            height=(0.05 * np.sin(np.arange(64))[:, None] * np.ones((1, 64))).astype(np.float32),
            soil="dry_sand",
            position=place,
        )
        spots = np.array([(0.01 * k, 0.3 * k, 0.2) for k in range(-3, 4)])
        scene.add_particles(spots + place, radius=0.05, material="sand")
        simulation = wr.Simulation(scene, threads=1)
        for _ in range(60):
            simulation.step()
        results.append(gaps(simulation))
    assert results[1] == pytest.approx(results[0], abs=0.02)


def test_a_scene_without_ground_says_so() -> None:
    scene = wr.Scene()
    scene.add_material("sand")
    scene.add_particles([(0.0, 0.0, 1.0)], material="sand")
    with pytest.raises(SceneError, match="add_terrain"):
        _ = wr.Simulation(scene, threads=1).terrain


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"height": np.zeros((3, 3))}, "do not fit"),
        ({"height": 0.0, "x": (99.0, 100.0)}, "no cell"),
        ({"height": np.nan}, "finite"),
        ({"height": {}}, "number"),
        ({"height": -50.0}, "depth"),
        ({"height": 0.0, "x": 1.0}, "two coordinates"),
    ],
)
def test_bad_heights_are_named(arguments: dict[str, object], words: str) -> None:
    scene = wr.Scene()
    scene.add_terrain(size=(8.0, 8.0), cell=0.5, soil="loam")
    with pytest.raises(SceneError, match=words):
        wr.Simulation(scene, threads=1).terrain.set_height(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("solver", [wr.P2(), wr.NDEM()], ids=["p2", "ndem"])
def test_buried_grains_do_not_feel_how_low_the_ground_once_was(solver: wr.P2 | wr.NDEM) -> None:
    """Ground is lowered and raised again, over the grains; a restored run has not seen it low."""
    simulation = wr.Simulation(scene_on_hills(solver, avalanche=False, compaction=False), threads=1)
    rough = np.random.default_rng(0).uniform(-2.0, 2.0, (64, 64))  # steep: far below it is near to it
    simulation.terrain.set_height(rough - 1.0)
    simulation.step()
    simulation.terrain.set_height(rough)
    simulation.particles.position = simulation.particles.position - np.float32(2.5)
    again = wr.Simulation.restore(simulation.snapshot(), threads=1)
    for _ in range(5):
        simulation.step()
        again.step()
    assert simulation.hash() == again.hash()
