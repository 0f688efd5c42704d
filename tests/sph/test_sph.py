"""Granular SPH as a solver: sums against a plain reference, books, bits, rest, walls, bodies, water, input."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.scene import Sphere
from windrow.solvers.smoothed.spline import spline_for
from windrow.solvers.sph import kernels
from windrow.validate.sph_scenes import cone

D = 0.05


def block(nx: int, ny: int, nz: int, base: float = D / 2, jitter: float = 0.0) -> np.ndarray:
    x, y, z = (np.arange(n) * D for n in (nx, ny, nz))
    place = np.stack(np.meshgrid(x - x.mean(), y - y.mean(), z + base, indexing="ij"), axis=-1).reshape(-1, 3)
    return place + np.random.default_rng(7).uniform(-jitter, jitter, place.shape) * D


def sand(scene: wr.Scene | None = None, floor: bool = True, **numbers: float) -> wr.Scene:
    scene = wr.Scene() if scene is None else scene
    scene.add_material("sand", **({"density": 1600.0, "friction_static": 0.6} | numbers))
    if floor:
        scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    return scene


def heap(**settings: object) -> wr.Simulation:
    scene = sand()
    scene.add_particles(block(6, 6, 6), radius=D / 2, material="sand")
    return wr.Simulation(scene, solver=wr.SPH(**settings), threads=1)


def bell(q: np.ndarray) -> np.ndarray:
    return np.where(q <= 0.5, 6 * q**3 - 6 * q**2 + 1, np.where(q < 1, 2 * (1 - q) ** 3, 0.0))


def bell_slope(q: np.ndarray) -> np.ndarray:
    return np.where(q <= 0.5, 18 * q - 12, np.where(q < 1, -6 * (1 - q) ** 2 / np.maximum(q, 1e-9), 0.0))


def test_sums_over_neighbours_agree_with_all_pairs() -> None:
    """Fill, velocity gradients and divergence of stress, particle by particle, in double precision."""
    scene = wr.Scene(gravity=(0, 0, 0))
    sand(scene, floor=False)
    place = block(7, 6, 5, base=1.0, jitter=0.2)
    scene.add_particles(place, radius=0.6 * D / 2, material="sand")
    simulation = wr.Simulation(scene, solver=wr.SPH(), threads=2)
    stepper, state, n = simulation._stepper, simulation.state, len(place)
    spline = spline_for(2 * 0.6 * D / 2)
    random = np.random.default_rng(3)
    listing, around = stepper.listing, stepper.surroundings
    listing.make(state, 1e-3, spline)
    around.find(state, stepper.A, 0.0, 1e-3, 1e-3, spline, 1e-5)
    lists = kernels.SmoothedNeighbours(
        listing.first, listing.depth, listing.neighbours, stepper.near_depth, stepper.near, stepper.gradients
    )
    columns = (state.columns[name] for name in ("pressure", "stress", "moisture"))
    grains = kernels.Sand(state.material, stepper.table, *columns, stepper.fill)
    stepper._set_numbers(state, 1e-3, spline)
    kernels.weigh(
        state.X, state.V, n, lists, around.walls.fill, spline, stepper.numbers, grains, stepper.scratch, stepper.drift
    )
    x = state.X[:n, :3].astype(float)
    apart = x[:, None] - x[None]
    q = np.linalg.norm(apart, axis=2) / float(spline.h)
    fill = float(spline.volume * spline.height) * bell(q).sum(axis=1)
    assert stepper.fill[:n] == pytest.approx(fill, rel=1e-5)

    gradient = float(spline.height) / float(spline.h) ** 2 * bell_slope(q)[..., None] * apart
    stepper.T[:n, :6] = random.normal(size=(n, 6))
    one, none = np.float32(1.0), np.float32(0.0)
    pace = kernels.SPHSubstep(one, one, np.zeros(3, np.float32), none, none, one)
    kernels.push(
        state.X, state.V, n, lists, around.walls.touches, spline, pace, stepper.drift, stepper.T, stepper.U,
        stepper.scratch,
    )  # fmt: skip
    t = stepper.T[:n].astype(float)
    full = np.stack([t[:, [0, 3, 4]], t[:, [3, 1, 5]], t[:, [4, 5, 2]]], axis=1)
    both = full[:, None] + full[None]
    force = -(float(spline.volume) ** 2) * np.einsum("ijab,ijb->ia", both, gradient)
    expected = force * state.V[:n, 3:].astype(float)
    assert stepper.U[:n, :3] == pytest.approx(expected, abs=1e-4 * np.abs(expected).max())


def test_a_particle_is_a_cube_of_the_bulk() -> None:
    scene = sand()
    scene.add_material("loam", soil="loam")
    scene.add_particles([(0, 0, 1.0)], radius=0.1, material="sand")
    scene.add_particles([(1, 0, 1.0)], radius=0.1, material="loam")
    simulation = wr.Simulation(scene, solver=wr.SPH())
    assert simulation.particles.mass[0] == pytest.approx(1600 * 0.2**3)
    from windrow.scene.soils import soil_named

    soil = soil_named("loam")
    assert simulation.particles.mass[1] == pytest.approx(soil.bulk_density.value * 0.2**3)
    made_of = simulation.scene.materials["loam"]
    assert made_of.adhesion == soil.cohesion_pa.value
    assert made_of.friction_static == pytest.approx(np.tan(np.radians(soil.internal_friction_deg.value)))


def test_momentum_is_kept() -> None:
    scene = wr.Scene(gravity=(0, 0, 0))
    sand(scene, floor=False)
    scene.add_particles(block(5, 5, 5), velocity=(0, 0, 2.0), radius=D / 2, material="sand")
    scene.add_particles(block(5, 5, 5, base=0.3), velocity=(0, 0, -1.0), radius=D / 2, material="sand")
    simulation = wr.Simulation(scene, solver=wr.SPH())
    before = (simulation.particles.mass[:, None] * simulation.particles.velocity).sum(axis=0)
    energy = (simulation.particles.velocity**2).sum()
    for _ in range(12):
        simulation.step()
    after = (simulation.particles.mass[:, None] * simulation.particles.velocity).sum(axis=0)
    assert after == pytest.approx(before, abs=1e-4 * 250 * 0.2)
    assert (simulation.particles.velocity**2).sum() < 0.6 * energy


def test_threads_and_restarts_change_no_bit(tmp_path) -> None:
    one, two = heap(), heap()
    two.threads = 2
    for _ in range(10):
        one.step()
        two.step()
    assert one.hash() == two.hash()
    one.save(tmp_path / "now.h5")
    again = wr.Simulation.load(tmp_path / "now.h5")
    for _ in range(5):
        one.step()
        again.step()
    assert one.hash() == again.hash()


def test_sand_comes_to_rest_and_the_floor_bears_its_weight() -> None:
    simulation = heap()
    simulation.run(2.0)
    place = simulation.particles.position
    force = np.mean([simulation.step() and simulation.body("obstacle 0")[0] for _ in range(10)], axis=0)
    weight = 9.81 * simulation.particles.mass.sum()
    assert force == pytest.approx((0.0, 0.0, -weight), abs=0.01 * weight)
    drift = np.linalg.norm(simulation.particles.position - place, axis=1)
    assert np.median(drift) < 1e-4  # in 1/6 s
    assert (simulation.particles.density / 1600).max() < 1.01
    assert simulation.particles.position[:, 2].min() > 0.99 * D / 2


def test_a_bed_in_a_box_has_fill_one_everywhere_and_the_pressure_of_its_depth() -> None:
    scene = sand(friction_static=0.0)
    for axis in range(2):
        for sign in (1, -1):
            normal = [0.0, 0.0, 0.0]
            normal[axis] = float(sign)
            scene.add_plane(normal=tuple(normal), offset=-4 * D, material="sand")
    scene.add_particles(block(8, 8, 10), radius=D / 2, material="sand")
    simulation = wr.Simulation(scene, solver=wr.SPH())
    simulation.run(1.0)
    z, p = simulation.particles.position[:, 2], simulation.particles.pressure
    deep = z < 8 * D
    slope = np.polyfit(z[deep], p[deep], 1)[0]
    assert slope == pytest.approx(-1600 * 9.81, rel=0.15)
    assert (simulation.particles.density / 1600)[z < 9 * D] == pytest.approx(1.0, abs=0.02)


def test_a_lone_particle_lies_on_the_floor_at_its_radius() -> None:
    scene = sand()
    scene.add_particles([(0, 0, 0.2)], radius=0.05, material="sand")
    simulation = wr.Simulation(scene, solver=wr.SPH())
    simulation.run(0.5)
    assert simulation.particles.position[0, 2] == pytest.approx(0.05, abs=1e-4)
    assert simulation.particles.force[0, 2] == pytest.approx(9.81 * simulation.particles.mass[0], rel=1e-3)


def test_bodies_and_sand_keep_momentum_and_the_sand_carries_the_body() -> None:
    scene = sand()
    scene.add_material("steel", density=3000.0, friction_static=0.5)
    scene.add_particles(block(8, 8, 5), radius=D / 2, material="sand")
    scene.add_body("ball", "steel", shapes=[{"shape": Sphere(radius=0.08)}], position=(0, 0, 0.36))
    simulation = wr.Simulation(scene, solver=wr.SPH())
    floor, weight = [], 9.81 * (simulation.particles.mass.sum() + 3000 * 4 / 3 * np.pi * 0.08**3)
    simulation.run(1.0)
    for _ in range(20):
        simulation.step()
        floor.append(simulation.body("obstacle 0")[0][2])
    assert np.mean(floor) == pytest.approx(-weight, rel=0.02)
    assert simulation.body("ball")[0][2] == pytest.approx(3000 * 4 / 3 * np.pi * 0.08**3 * 9.81, rel=0.05)
    assert 0.1 < simulation.frame().body_position[-1][2] < 0.34


def test_moist_sand_stands_where_dry_sand_falls() -> None:
    heights = []
    for moisture in (0.0, 0.05):
        scene = sand()
        scene.add_particles(block(5, 5, 12), radius=D / 2, material="sand", moisture=moisture)
        simulation = wr.Simulation(scene, solver=wr.SPH())
        simulation.run(0.6)
        heights.append(simulation.particles.position[:, 2].max())
    assert heights[0] < 0.45 < 0.57 < heights[1]


def test_stress_that_does_not_last_creeps() -> None:
    """The paper's scheme slides on where ours stands: a cone of 30° of sand of 35°."""
    speeds = []
    for scheme in ("lasting", "ihmsen"):
        scene = cone(35.0, 30.0, 0.05, radius=0.5).scene
        simulation = wr.Simulation(scene, solver=wr.SPH(scheme=scheme, substeps=17))
        simulation.run(1.5)
        speeds.append(np.median(np.linalg.norm(simulation.particles.velocity, axis=1)))
    assert 5 * speeds[0] < speeds[1] < 0.2


def test_what_it_cannot_do_is_said() -> None:
    scene = sand()
    scene.add_particles([(0, 0, 1.0)], radius=0.05, material="sand")
    scene.add_particles([(0, 0, 2.0)], radius=0.04, material="sand")
    with pytest.raises(SceneError, match="one radius for all"):
        wr.Simulation(scene, solver=wr.SPH()).step()
    scene = sand()
    scene.add_particles([(0, 0, 1.0), (0, 0, 1.2)], radius=0.05, material="sand")
    scene.add_link(0, 1)
    with pytest.raises(SceneError, match="NDEM for ropes"):
        wr.Simulation(scene, solver=wr.SPH())
    scene = sand()
    scene.add_terrain((2.0, 2.0), 0.1, soil="dry_sand", depth=1.0)
    scene.add_box((0, 0, 0.2), (0.1, 0.3, 0.3), "sand", name="tool", digs=True)
    with pytest.raises(SceneError, match=r"terrain\.fidelity: .*one radius for all\. Use fidelity = 'field'"):
        wr.Simulation(scene, solver=wr.SPH())
    assert wr.SPH(dt=None).dt == pytest.approx(1 / 60)


def test_sand_that_begins_too_dense_is_refused() -> None:
    scene = sand()
    scene.add_block((-0.2, -0.2, 0), (0.4, 0.4, 0.3), 0.03, "sand", packing="hexagonal", spacing=0.06, jitter=0.0)
    with pytest.raises(SceneError, match=r"denser than the sand.*cubic"):
        wr.Simulation(scene, solver=wr.SPH()).step()
