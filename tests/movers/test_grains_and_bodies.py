"""Grains and rigid bodies push each other: momentum, statics, and the scenes in which it is to be seen."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.scene import Merging, Multibody
from windrow.scene.joints import Hinge
from windrow.scene.settings import NDEM, P2
from windrow.scene.shapes import Box
from windrow.validate.coupling import SPLIT, balls, bucket, free_box, grain_mass


@pytest.mark.parametrize("mass", [500.0, 20.0])
def test_a_filled_bucket_rests_on_the_ground(mass: float) -> None:
    """Grains fourteen times as heavy as the bucket, and no joint that holds it."""
    simulation = wr.Simulation(bucket(mass, False, NDEM()), threads=1)
    simulation.run(1.2)
    grains = grain_mass(simulation)
    assert simulation.bodies is not None
    height = simulation.bodies.position("bucket")[2]
    assert abs(height) < 1e-3
    assert np.abs(simulation.bodies.velocity("bucket")).max() < 1e-5
    assert simulation.body("floor")[0][2] == pytest.approx(-(grains + mass) * 9.81, rel=1e-3)
    # the grains' weight and the floor's push: what touches the bucket carries it
    assert simulation.body("bucket")[0][2] == pytest.approx(mass * 9.81, rel=0.02)


def test_a_light_bucket_on_a_cylinder_bears_its_load() -> None:
    simulation = wr.Simulation(bucket(20.0, True, NDEM()), threads=1)
    simulation.run(1.2)
    assert simulation.bodies is not None
    weight = (grain_mass(simulation) + 20.0) * 9.81
    assert sum(simulation.bodies.joint("cylinder").along.values()) == pytest.approx(weight, rel=1e-3)
    assert np.abs(simulation.bodies.velocity("bucket")).max() < 1e-5
    inside = simulation.frame().position
    assert (np.abs(inside[:, :2]) < 0.5).all()
    assert (inside[:, 2] > 1.0).all()


def test_mass_splitting_weighs_a_bucket_as_well() -> None:
    simulation = wr.Simulation(bucket(20.0, False, P2(**SPLIT)), threads=1)
    simulation.run(1.5)
    floor = []
    for _ in range(30):
        simulation.step()
        floor.append(simulation.body("floor")[0][2])
    assert np.mean(floor) == pytest.approx(-(grain_mass(simulation) + 20.0) * 9.81, rel=0.02)


def test_mobility_foretells_what_a_push_does() -> None:
    """A box on the ground: pushed down it stays, pushed aside below friction it stays, lifted it would move."""
    scene = bucket(500.0, False, NDEM())
    scene.particles = []
    simulation = wr.Simulation(scene, threads=1)
    simulation.run(0.5)
    bodies = simulation.bodies
    assert bodies is not None
    dt, mass = simulation.solver.dt, 500.0
    free = bodies.preview(dt).V[0]
    mobility = bodies.mobility(np.array([0]))
    assert mobility.body.tolist() == [0]
    impulse = np.array([0.5, 0.2, -2.0, 0.1, -0.2, 0.0]) * mass * dt
    bodies.outer[0] += impulse
    pushed = bodies.preview(dt).V[0]
    bodies.outer[0] = 0.0
    alone = impulse[:3] / mass
    foretold = mobility.W[0, 0] @ impulse
    assert np.abs(pushed - free).max() < 0.02 * np.abs(alone).max()
    assert np.abs(foretold - (pushed - free)).max() < 0.05 * np.abs(alone).max()


def test_a_body_in_the_air_is_free() -> None:
    simulation = wr.Simulation(free_box(NDEM()), threads=1)
    assert simulation.bodies is not None
    simulation.bodies.preview(1 / 60)
    W = simulation.bodies.mobility(np.array([0])).W[0, 0]
    assert np.allclose(W[:3, :3], np.eye(3) / 50.0)
    assert np.allclose(W[:3, 3:], 0.0)


def test_grains_turn_the_wheel_and_tip_the_plank() -> None:
    """Figure 4 of Holz 2014: the wheel turns, the plank tilts, the weights slide down."""
    simulation = wr.Simulation(wr.load_scene("wheel_and_plank"), threads=1)
    bodies = simulation.bodies
    assert bodies is not None
    simulation.run(2.0)
    assert bodies.joint("axle").coordinate > 5.0
    assert abs(bodies.joint("pivot").coordinate) < 0.01
    start = bodies.position("weight 1")
    assert start[0] == pytest.approx(1.55, abs=2e-3)
    simulation.run(3.6)
    assert bodies.joint("pivot").coordinate == pytest.approx(np.radians(-32.0), abs=0.01)
    assert bodies.position("weight 1")[0] < start[0] - 0.3


def test_balls_rest_in_sand_by_their_density() -> None:
    assert [result for result in balls() if not result.passed] == []


def test_a_gate_opens_under_its_load() -> None:
    simulation = wr.Simulation(wr.load_scene("gate"), threads=1)
    bodies = simulation.bodies
    assert bodies is not None
    simulation.run(0.5)
    assert abs(bodies.joint("hinge").coordinate) < 2e-3
    simulation.run(2.0)
    assert bodies.joint("hinge").coordinate > 0.08


@pytest.mark.parametrize("solver", [NDEM(), P2(**SPLIT)], ids=["ndem", "p2"])
def test_contacts_with_bodies_are_told(solver: NDEM | P2) -> None:
    """Their forces add up to what the bucket was given; after a restart as before."""
    simulation = wr.Simulation(bucket(50.0, True, solver), threads=1)
    simulation.run(1.0)
    contacts = simulation.contacts
    assert set(contacts.body[contacts.with_body]) == {1}
    total = contacts.force_on_bodies(2)[1]
    assert total[2] == pytest.approx(-grain_mass(simulation) * 9.81, rel=0.05)
    assert total == pytest.approx(simulation.body("bucket")[0], rel=0.05, abs=20.0)


def test_grains_fall_on_a_machine_that_rests_on_bodies_at_rest_in_the_world() -> None:
    """The box is joined with the world, and the arm on a hinge, which never is, lies on it."""
    scene = wr.Scene(solver=NDEM(), multibody=Multibody(merging=Merging()))
    scene.add_material("steel", density=7800.0, friction_static=0.5, stiffness=1e5, damping=150.0)
    scene.add_plane((0, 0, 1), 0.0, "steel")
    scene.add_body("arm", "steel", shapes=[Box(size=(1.0, 0.2, 0.1))], position=(0, 0, 0.25))
    scene.add_joint(Hinge(first="arm", position=(-0.5, 0, 0.25), axis=(0, 1, 0)))
    scene.add_body("box", "steel", shapes=[Box(size=(0.2, 0.2, 0.2))], position=(0.4, 0, 0.1))
    scene.add_particles(position=[(0, 0, 6.0)], radius=0.05, material="steel")
    simulation = wr.Simulation(scene, threads=1)
    simulation.run(0.9)
    assert simulation.bodies is not None
    assert simulation.bodies.merger.asleep == 1
    simulation.run(0.4)
    assert simulation.particles.velocity[0, 2] > -5.0
    assert np.isfinite(simulation.bodies.motion.x).all()


def test_grains_carry_bodies_that_are_joined_at_rest() -> None:
    """Two plates on sand are joined with each other once they rest; the sand goes on carrying them."""
    scene = wr.Scene(solver=NDEM(), multibody=Multibody(merging=Merging()))
    scene.add_material("sand", density=1600.0, friction_static=0.5, stiffness=1e5, damping=150.0)
    scene.add_open_box((-0.3, -0.3, 0), (0.3, 0.3, 0.6), "sand")
    scene.add_block((-0.3, -0.3, 0.0), (0.6, 0.6, 0.2), 0.04, "sand", packing="hexagonal")
    for k in range(2):
        plate = Box(size=(0.3, 0.3, 0.05))
        scene.add_body(f"plate {k}", "sand", shapes=[plate], position=(0, 0, 0.24 + 0.051 * k))
    simulation = wr.Simulation(scene, threads=1)
    simulation.run(1.0)
    bodies = simulation.bodies
    assert bodies is not None
    assert len(np.unique(bodies._search.owner[:2])) == 1
    place = bodies.position("plate 0")[2]
    simulation.run(1.0)
    assert bodies.position("plate 0")[2] == pytest.approx(place, abs=2e-3)
    assert np.abs(simulation.particles.velocity).max() < 0.5
