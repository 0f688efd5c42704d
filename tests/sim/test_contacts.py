"""`sim.contacts`: the forces that moved the grains, once each, in the order of ids."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.state.contacts import Contacts, rows_of

FRICTION = 0.5


def sandbox(adhesion: float = 0.0, **changes: object) -> wr.Scene:
    """Sand of mixed sizes that falls into a box, with a boulder on top and a blade that moves through it."""
    scene = wr.Scene(seed=4, **changes)
    scene.add_material(
        "sand",
        density=1600,
        friction_static=FRICTION,
        friction_kinetic=FRICTION,
        adhesion=adhesion,
        stiffness=1e5,
        damping=150.0,
    )
    scene.add_open_box(lower=(-0.4, -0.3, 0.0), upper=(0.4, 0.3, 1.0), material="sand")
    scene.add_box(
        position=(-0.36, 0, 0.2),
        size=(0.04, 0.56, 0.3),
        material="sand",
        name="blade",
        motion={"kind": "linear", "velocity": (0.2, 0, 0)},
    )
    scene.add_block(
        lower=(-0.3, -0.28, 0.0),
        size=(0.66, 0.56, 0.5),
        radius={"min": 0.014, "max": 0.028},
        material="sand",
        velocity_spread=0.2,
    )
    scene.add_particles(position=[(0.05, 0.0, 0.64)], radius=0.12, mass=5.0, material="sand")
    return scene


def stepped(scene: wr.Scene, solver: wr.NDEM | wr.P2, steps: int, threads: int = 2) -> wr.Simulation:
    simulation = wr.Simulation(scene, solver=solver, threads=threads)
    for _ in range(steps):
        simulation.step()
    return simulation


def same(one: Contacts, other: Contacts) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in Contacts.__dataclass_fields__
    )


@pytest.fixture(scope="module")
def moving() -> wr.Simulation:
    """One substep a step, so that a step's forces are those of the substep."""
    return stepped(sandbox(), wr.NDEM(dt=1 / 600, substeps=1), 400)


@pytest.mark.parametrize("adhesion", [0.0, 400.0])
def test_contact_forces_and_gravity_accelerate_every_grain(adhesion: float, moving: wr.Simulation) -> None:
    simulation = moving
    if adhesion:
        simulation = stepped(sandbox(adhesion), wr.NDEM(dt=1 / 600, substeps=1), 150)
    before = simulation.particles.velocity.astype(np.float64)
    simulation.step()
    grains, contacts = simulation.particles, simulation.contacts
    acceleration = (grains.velocity - before) * 600.0
    weight = grains.mass[:, None] * np.array([0, 0, -9.81])
    assert len(contacts) > 200
    assert contacts.with_body.sum() > 20
    left = contacts.force_on_grains(grains.id) + weight - grains.mass[:, None] * acceleration
    assert np.abs(left).max() < 1e-4 * np.abs(contacts.force).max()


def test_bodies_receive_the_opposite(moving: wr.Simulation) -> None:
    contacts, bodies = moving.contacts, len(moving.body_names)
    assert np.allclose(contacts.force_on_bodies(bodies), moving.state.body_force, rtol=1e-9, atol=1e-9)
    walls = contacts.where(contacts.with_body)
    arm = walls.point - moving.frame().body_position[walls.body]
    torque = np.stack(
        [np.bincount(walls.body, t, minlength=bodies) for t in np.cross(arm, -walls.force).T], axis=1
    )
    # the reaction is taken before float32 positions are written, and a plane's force has a long arm
    assert np.allclose(torque, moving.state.body_torque, rtol=1e-4, atol=1e-3)


def test_what_a_contact_says(moving: wr.Simulation) -> None:
    contacts, grains = moving.contacts, moving.particles
    assert ((contacts.second == -1) == (contacts.body >= 0)).all()
    pairs = contacts.where(~contacts.with_body)
    assert (pairs.first < pairs.second).all()
    order = np.lexsort((contacts.body, contacts.second, contacts.first))
    assert (order == np.arange(len(contacts))).all()
    assert np.allclose(np.linalg.norm(contacts.normal, axis=1), 1.0, atol=1e-5)
    assert len(np.unique(np.stack([pairs.first, pairs.second]), axis=1).T) == len(pairs)

    i, j = rows_of(pairs.first, grains.id), rows_of(pairs.second, grains.id)
    line = grains.position[i].astype(np.float64) - grains.position[j]
    distance = np.linalg.norm(line, axis=1)
    assert np.allclose(pairs.normal, line / distance[:, None], atol=1e-6)
    gap = distance - grains.radius[i] - grains.radius[j]
    to_first = np.linalg.norm(pairs.point - grains.position[i], axis=1)
    assert np.allclose(to_first, grains.radius[i] + 0.5 * gap, atol=1e-6)
    assert gap.max() < 2e-3  # a force needs a touch, if only a substep ago

    walls = contacts.where(contacts.with_body)
    i = rows_of(walls.first, grains.id)
    assert np.allclose(walls.point, grains.position[i] - grains.radius[i, None] * walls.normal, atol=1e-6)


def test_contacts_push_and_rub_within_the_law(moving: wr.Simulation) -> None:
    contacts = moving.contacts
    push, rub = contacts.normal_force, np.linalg.norm(contacts.tangential_force, axis=1)
    slack = 0.02 * contacts.normal_force.max()  # the normals turned a little since the forces acted
    assert push.min() > -slack
    assert (rub < FRICTION * push + slack).all()
    assert rub.max() > 0.1 * push.max()


def test_adhesion_pulls() -> None:
    scene = wr.Scene(gravity=(0, 0, 0))
    scene.add_material("clay", density=1600, adhesion=5e4, stiffness=1e5, damping=100.0)
    scene.add_particles(
        position=[(0, 0, 0), (0.098, 0, 0)],
        velocity=[(-0.2, 0, 0), (0.2, 0, 0)],
        radius=0.05,
        material="clay",
    )
    contacts = stepped(scene, wr.NDEM(dt=1e-3, substeps=1), 4).contacts
    assert len(contacts) == 1
    assert contacts.normal_force[0] < 0
    assert contacts.force[0, 0] > 0  # on the left one, toward the right


def test_a_boulder_is_among_the_contacts(moving: wr.Simulation) -> None:
    contacts = moving.contacts
    boulder = moving.particles.id[-1]
    touching = (contacts.first == boulder) | (contacts.second == boulder)
    assert touching.sum() >= 1
    assert moving.last_report is not None
    assert moving.last_report.notes["levels"] > 1  # by a level of the grid for large grains


def resting_bed() -> wr.Scene:
    scene = wr.Scene(seed=1)
    scene.add_material(
        "sand", density=1600, friction_static=0.5, friction_kinetic=0.4, stiffness=1e5, damping=150.0
    )
    scene.add_open_box(lower=(-0.2, -0.2, 0), upper=(0.2, 0.2, 1.0), material="sand")
    scene.add_block(lower=(-0.2, -0.2, 0), size=(0.4, 0.4, 0.6), radius=0.04, material="sand")
    return scene


def test_a_settled_bed_of_ndem_carries_itself() -> None:
    simulation = stepped(resting_bed(), wr.NDEM(), 90)
    grains, contacts = simulation.particles, simulation.contacts
    weight = grains.mass[:, None] * np.array([0, 0, -9.81])
    unbalanced = np.linalg.norm(contacts.force_on_grains(grains.id) + weight, axis=1)
    assert unbalanced.max() < 0.01 * np.linalg.norm(weight, axis=1).min()
    carried = contacts.force_on_bodies(len(simulation.body_names)).sum(axis=0)
    assert carried == pytest.approx(weight.sum(axis=0), rel=1e-3, abs=1e-3 * abs(weight.sum()))


def test_sleepers_keep_their_forces(tmp_path: Path) -> None:
    simulation = stepped(resting_bed(), wr.NDEM(sleep_speed=0.01), 90)
    grains, contacts = simulation.particles, simulation.contacts
    assert simulation.last_report is not None
    assert simulation.last_report.asleep == len(grains)
    weight = grains.mass[:, None] * np.array([0, 0, -9.81])
    unbalanced = np.linalg.norm(contacts.force_on_grains(grains.id) + weight, axis=1)
    assert unbalanced.max() < 0.05 * np.linalg.norm(weight, axis=1).min()  # more would wake them
    simulation.step()
    assert same(contacts, simulation.contacts)
    simulation.save(tmp_path / "now.h5")
    assert same(contacts, wr.Simulation.load(tmp_path / "now.h5").contacts)


def test_grains_that_left_have_no_contacts() -> None:
    scene = sandbox()
    scene.add_sink(region={"kind": "box", "size": (2.0, 0.3, 2.0)}, position=(0, 0.3, 0), start=0.1)
    scene.add_emitter(
        region={"kind": "box", "size": (0.2, 0.2, 0.1)},
        position=(0, -0.1, 0.8),
        rate=200.0,
        radius=0.03,
        material="sand",
        count=20,
    )
    simulation = wr.Simulation(scene, solver=wr.NDEM())
    for _ in range(12):
        simulation.step()
        contacts, present = simulation.contacts, simulation.particles.id
        assert np.isin(contacts.first, present).all()
        assert np.isin(contacts.second[contacts.second >= 0], present).all()
    assert simulation.ledger["sunk"] > 50
    assert simulation.ledger["emitted"] > 10


def test_before_the_first_step() -> None:
    scene = wr.Scene()
    scene.add_material("sand", density=1600, stiffness=1e4)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    scene.add_particles(position=[(0, 0, 0.049), (0.099, 0, 0.06)], radius=0.05, material="sand")
    assert len(wr.Simulation(scene, solver=wr.NDEM()).contacts) == 0
    springs = wr.Simulation(scene, solver=wr.P2()).contacts
    assert springs.second.tolist() == [-1, 1]
    overlap = 0.1 - np.hypot(0.099, 0.011)
    assert springs.normal_force == pytest.approx([1e4 * 0.001, 1e4 * overlap], rel=1e-3)
    assert springs.force[0] == pytest.approx([0, 0, 10.0], rel=1e-3)
    assert springs.force[1, 0] < 0


def test_p2_tells_springs_between_grains_and_what_walls_gave(tmp_path: Path) -> None:
    scene = wr.Scene()
    scene.add_material("steel", density=7800, stiffness=1e5, damping=300.0)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="steel", name="floor")
    scene.add_particles(position=[(0, 0, 0.05), (0, 0, 0.15)], radius=0.05, material="steel")
    simulation = stepped(scene, wr.P2(iterations=20, error_reduction=0.0, mass_splitting=True), 120)
    contacts, weight = simulation.contacts, float(simulation.particles.mass[0]) * 9.81
    low, high = simulation.particles.position[:, 2].astype(np.float64)
    assert contacts.first.tolist() == [0, 0]
    assert contacts.second.tolist() == [-1, 1]
    assert contacts.body.tolist() == [0, -1]
    assert contacts.normal_force[0] == pytest.approx(2 * weight, rel=0.01)
    assert contacts.normal_force[1] == pytest.approx(1e5 * (0.1 - (high - low)), rel=1e-3)
    assert contacts.normal_force[1] == pytest.approx(weight, rel=0.1)
    assert contacts.force_on_bodies(1) == pytest.approx(simulation.state.body_force, rel=1e-6)
    simulation.save(tmp_path / "now.h5")
    assert same(contacts, wr.Simulation.load(tmp_path / "now.h5").contacts)


def test_pinned_grains_bear_contacts_but_not_among_themselves() -> None:
    """A smooth grain on three that are pinned: whichever it lands on first, it comes to lie on all of them."""
    scene = wr.Scene()
    smooth = {"friction_static": 0.0, "friction_kinetic": 0.0}
    scene.add_material("sand", density=1600, stiffness=1e5, damping=100.0, **smooth)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    scene.add_particles(
        position=[(0, 0, 0.049), (0.099, 0, 0.049), (0.0495, 0.0857, 0.049), (0.0495, 0.0286, 0.1312)],
        radius=0.05,
        material="sand",
        pinned=[True, True, True, False],
    )
    for solver in (wr.NDEM(), wr.P2(iterations=20)):
        simulation = stepped(scene, solver, 60)
        contacts = simulation.contacts
        assert contacts.first.tolist() == [0, 1, 2]
        assert contacts.second.tolist() == [3, 3, 3]
        if solver.name == "ndem":
            weight = simulation.particles.mass[3] * 9.81
            assert contacts.force[:, 2].sum() == pytest.approx(-weight, rel=1e-3)


def test_order_and_sums_of_made_contacts() -> None:
    made = Contacts(
        first=np.array([7, 2, 7]),
        second=np.array([2, -1, 9]),
        body=np.array([-1, 1, -1]),
        point=np.arange(9.0).reshape(3, 3),
        normal=np.array([(1.0, 0, 0), (0, 0, 1.0), (0, 1.0, 0)]),
        force=np.array([(5.0, 1.0, 0), (0, 0, 3.0), (0, 4.0, 2.0)]),
    )
    contacts = Contacts.in_order(made, Contacts.none())
    assert contacts.first.tolist() == [2, 2, 7]
    assert contacts.second.tolist() == [-1, 7, 9]
    assert contacts.point.tolist() == [[3, 4, 5], [0, 1, 2], [6, 7, 8]]
    assert contacts.normal[1].tolist() == [-1, 0, 0]
    assert contacts.force[1].tolist() == [-5, -1, 0]
    assert contacts.normal_force.tolist() == [3, 5, 4]
    assert contacts.tangential_force[1].tolist() == [0, -1, 0]
    assert contacts.force_on_grains(np.array([2, 5, 7, 9])).tolist() == [
        [-5, -1, 3],
        [0, 0, 0],
        [5, 5, 2],
        [0, -4, -2],
    ]
    assert contacts.force_on_bodies(2).tolist() == [[0, 0, 0], [0, 0, -3]]
    assert len(Contacts.none()) == 0
    assert Contacts.none().force_on_grains(np.array([1])).tolist() == [[0, 0, 0]]


def test_a_solver_without_contacts_says_so(monkeypatch: pytest.MonkeyPatch, moving: wr.Simulation) -> None:
    monkeypatch.setattr(moving._stepper, "contacts", lambda state: None)
    with pytest.raises(SceneError, match="does not tell its contact forces"):
        _ = moving.contacts
