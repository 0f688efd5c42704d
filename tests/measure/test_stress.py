"""Stress in cells against the identities it must obey, for made clusters and for a bed at rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import windrow as wr
from windrow.measure.failure import MeasurementError
from windrow.measure.stress import StressCells, StressField, branches, overburden, stress_field
from windrow.state.contacts import Contacts, rows_of
from windrow.state.frame import Frame

GRAVITY = 9.81


def frame_of(position: np.ndarray, radius: np.ndarray, **arrays: np.ndarray) -> Frame:
    n = len(position)
    fields = {
        "id": np.arange(n, dtype=np.int64),
        "position": position.astype(np.float32),
        "velocity": np.zeros((n, 3), np.float32),
        "radius": radius.astype(np.float32),
        "mass": np.ones(n, np.float32),
        "material": np.zeros(n, np.int32),
        "force": np.zeros((n, 3), np.float32),
    } | arrays
    none = np.zeros((0, 3))
    return Frame(
        time=0.0,
        step=0,
        body_names=[],
        body_position=none,
        body_rotation=np.zeros((0, 3, 3)),
        body_force=none,
        body_torque=none,
        material_names=["sand"],
        **fields,
    )


def cluster(seed: int, n: int = 40, walls: int = 6, central: bool = False) -> tuple[Frame, Contacts]:
    """Grains here and there with any forces between some of them and at some points of walls."""
    random = np.random.default_rng(seed)
    position = random.uniform(-1.0, 1.0, (n, 3))
    frame = frame_of(position, random.uniform(0.05, 0.2, n), id=3 * np.arange(n) + 5)
    x = frame.position.astype(np.float64)
    i, j = np.triu_indices(n, 1)
    chosen = random.random(len(i)) < 0.15
    i, j = i[chosen], j[chosen]
    normal = x[i] - x[j]
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    force = random.normal(size=normal.shape)
    if central:
        force = normal * np.linalg.norm(force, axis=1)[:, None]
    pairs = Contacts(frame.id[i], frame.id[j], np.full(len(i), -1), 0.5 * (x[i] + x[j]), normal, force)
    k = random.integers(0, n, walls)
    away = random.normal(size=(walls, 3))
    away /= np.linalg.norm(away, axis=1)[:, None]
    beside = Contacts(
        frame.id[k],
        np.full(walls, -1),
        random.integers(0, 3, walls),
        x[k] - frame.radius[k, None] * away,
        away,
        random.normal(size=(walls, 3)),
    )
    return frame, Contacts.in_order(pairs, beside)


def whole(field: StressField) -> np.ndarray:
    """Volume times stress, of all cells together."""
    return field.cells.volume * field.stress.sum(axis=(0, 1, 2))


@given(seed=st.integers(0, 10_000), shape=st.tuples(*[st.integers(1, 7)] * 3))
@settings(max_examples=40, deadline=None)
def test_virial_of_all_cells_is_that_of_the_forces_from_outside(seed: int, shape: tuple[int, ...]) -> None:
    """Σ f ⊗ l = Σ F_i ⊗ x_i − Σ f ⊗ p, with the sum F_i of a grain's contact forces and points p of walls."""
    frame, contacts = cluster(seed)
    field = stress_field(frame, contacts, StressCells((-2.0, -2.1, -2.2), (2.3, 2.2, 2.0), (*shape,)))
    position = frame.position.astype(np.float64)
    on_grains = np.einsum("ia,ib->ab", contacts.force_on_grains(frame.id), position)
    walls = contacts.where(contacts.with_body)
    expected = on_grains - np.einsum("ia,ib->ab", walls.force, walls.point)
    assert np.allclose(whole(field), expected, rtol=1e-10, atol=1e-10)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_force_across_a_face_is_that_of_the_branches_through_it(seed: int) -> None:
    """Mean stress of a thin layer times its area: the sum of the forces whose branches pass it."""
    frame, contacts = cluster(seed)
    height, thin = 0.1, 1e-7
    layer = StressCells((-2.0, -2.0, height - thin / 2), (2.0, 2.0, height + thin / 2), (1, 1, 1))
    field = stress_field(frame, contacts, layer)
    own, branch = branches(frame, contacts)
    above = own[:, 2] > height
    through = above != ((own - branch)[:, 2] > height)
    passing = np.where(above, 1.0, -1.0)[through] @ contacts.force[through]
    assert field.stress[0, 0, 0, :, 2] * 16.0 == pytest.approx(passing, rel=1e-6, abs=1e-6)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_a_closed_cluster_of_central_forces_has_symmetric_stress_wherever_it_is(seed: int) -> None:
    frame, contacts = cluster(seed, walls=0, central=True)
    field = stress_field(frame, contacts, StressCells.layers(frame, 1))
    assert np.allclose(whole(field), whole(field).T, atol=1e-10)
    moved = frame_of(frame.position + np.float32(4.0), frame.radius, id=frame.id)
    again = stress_field(moved, contacts, StressCells.layers(moved, 1))
    assert np.allclose(whole(field), whole(again), atol=1e-4)


def test_two_grains_pressed_together() -> None:
    frame = frame_of(np.array([(0.0, 0, 0), (0.2, 0, 0)]), np.full(2, 0.1))
    press = Contacts(
        *(np.array([k]) for k in (0, 1, -1)),
        point=np.array([(0.1, 0, 0)]),
        normal=np.array([(-1.0, 0, 0)]),
        force=np.array([(-50.0, 0, 0)]),
    )
    field = stress_field(frame, press, StressCells((-0.1, -0.1, -0.1), (0.3, 0.1, 0.1), (4, 1, 1)))
    along_x = field.stress[:, 0, 0, 0, 0]
    assert along_x == pytest.approx([0.0, 50.0 / 0.04, 50.0 / 0.04, 0.0], rel=1e-5, abs=1e-3)
    assert field.pressure[1, 0, 0] == pytest.approx(50.0 / 0.04 / 3, rel=1e-5)
    assert field.shear[1, 0, 0] == pytest.approx(50.0 / 0.04 / np.sqrt(3), rel=1e-5)
    most, direction = field.principal()
    assert most[1, 0, 0, 2] == pytest.approx(50.0 / 0.04, rel=1e-5)
    assert abs(direction[1, 0, 0, 0, 2]) == pytest.approx(1.0)


def test_mass_and_volume_are_shared_out_by_where_they_are() -> None:
    radius = np.array([0.1, 0.05])
    frame = frame_of(np.array([(0.0, 0, 0), (0.5, 0.5, 0.5)]), radius, mass=np.array([2.0, np.inf]))
    cells = StressCells((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0), (2, 2, 2))
    field = stress_field(frame, Contacts.none(), cells)
    assert field.density.sum() * cells.volume == pytest.approx(2.0, rel=1e-6)
    assert field.density * cells.volume == pytest.approx(np.full((2, 2, 2), 0.25), abs=0.05)
    volume = 4 / 3 * np.pi * radius**3
    assert field.solid_fraction.sum() * cells.volume == pytest.approx(volume.sum(), rel=1e-6)
    cap = StressCells((-1.0, -1.0, 0.05), (1.0, 1.0, 1.0), (1, 1, 1))
    in_cap = np.pi * 0.05**2 * (3 * 0.1 - 0.05) / 3 + volume[1]
    part = stress_field(frame, Contacts.none(), cap)
    assert part.solid_fraction[0, 0, 0] * cap.volume == pytest.approx(in_cap, rel=0.1)


def test_kinetic_part_is_what_moves_apart_from_the_mean() -> None:
    random = np.random.default_rng(2)
    velocity = random.normal(size=(500, 3)) * (1.0, 2.0, 0.5)
    mass = random.uniform(0.5, 2.0, 500)
    position = random.uniform(0, 1, (500, 3))
    cells = StressCells((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (1, 1, 2))
    fields = []
    for drift in (0.0, 7.0):
        frame = frame_of(
            position, np.full(500, 0.01), velocity=(velocity + drift).astype(np.float32), mass=mass
        )
        assert not stress_field(frame, Contacts.none(), cells).stress.any()
        fields.append(stress_field(frame, Contacts.none(), cells, kinetic=True))
    assert fields[0].stress == pytest.approx(fields[1].stress, rel=1e-3, abs=1e-2)
    low = position[:, 2].astype(np.float32) < 0.5
    own = velocity[low] - np.average(velocity[low], axis=0, weights=mass[low])
    expected = np.einsum("i,ia,ib->ab", mass[low], own, own) / 0.5
    assert fields[0].stress[0, 0, 0] == pytest.approx(expected, rel=1e-4, abs=1e-2)


@pytest.fixture(scope="module")
def bed() -> wr.Simulation:
    """Sand at rest in a wide box with smooth sides, so that the floor carries all of it."""
    scene = wr.Scene(seed=2)
    scene.add_material(
        "sand", density=1600, friction_static=0.4, friction_kinetic=0.4, stiffness=2e5, damping=200.0
    )
    scene.add_material("glass", density=2500, friction_static=0.0, friction_kinetic=0.0, stiffness=2e5)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand", name="floor")
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add_plane(normal=normal, offset=-0.4, material="glass")
    scene.add_block(
        lower=(-0.4, -0.4, 0),
        size=(0.8, 0.8, 0.7),
        radius={"min": 0.02, "max": 0.03},
        material="sand",
        packing="random",
    )
    simulation = wr.Simulation(scene, solver=wr.NDEM())
    for _ in range(100):
        simulation.step()
    return simulation


def test_vertical_stress_of_a_bed_is_the_weight_above(bed: wr.Simulation) -> None:
    frame = bed.frame()
    top = float(frame.position[:, 2].max())
    cells = StressCells((-0.4, -0.4, 0.0), (0.4, 0.4, top), (1, 1, 12))
    field = stress_field(frame, bed.contacts, cells)
    vertical = field.stress[0, 0, :, 2, 2]

    z, edges = frame.position[:, 2].astype(np.float64), cells.edges(2)
    part = np.clip((z[:, None] - edges[:-1]) / np.diff(edges), 0.0, 1.0)
    exact = GRAVITY * (frame.mass.astype(np.float64) @ part) / 0.64
    assert vertical == pytest.approx(exact, rel=0.005, abs=0.002 * exact[0])

    smooth = overburden(field, bed.scene.gravity)[0, 0]
    assert vertical[:8] == pytest.approx(smooth[:8], rel=0.05)
    bulk = field.density[0, 0, 1:8]
    slope = np.polyfit(cells.centers(2)[1:8], vertical[1:8], 1)[0]
    assert slope == pytest.approx(-bulk.mean() * GRAVITY, rel=0.03)
    assert 0.5 < field.solid_fraction[0, 0, 1:8].mean() < 0.7
    assert bulk == pytest.approx(1600 * field.solid_fraction[0, 0, 1:8], rel=1e-3)


def test_walls_belong_to_the_stress(bed: wr.Simulation) -> None:
    """Without the floor's contacts the lowest half grain would carry nothing."""
    frame, contacts = bed.frame(), bed.contacts
    skin = StressCells((-0.4, -0.4, 0.0), (0.4, 0.4, 0.015), (1, 1, 1))
    weight = GRAVITY * float(frame.mass.sum(dtype=np.float64)) / 0.64
    assert stress_field(frame, contacts, skin).stress[0, 0, 0, 2, 2] == pytest.approx(weight, rel=0.01)
    without = stress_field(frame, contacts.where(~contacts.with_body), skin)
    assert without.stress[0, 0, 0, 2, 2] < 0.1 * weight


def test_the_bed_is_pressed_from_the_sides(bed: wr.Simulation) -> None:
    field = stress_field(bed.frame(), bed.contacts, StressCells((-0.4, -0.4, 0.0), (0.4, 0.4, 0.4), (1, 1, 1)))
    stress = field.stress[0, 0, 0]
    ratio = 0.5 * (stress[0, 0] + stress[1, 1]) / stress[2, 2]
    assert 0.3 < ratio < 1.0


def test_only_friction_makes_stress_asymmetric(bed: wr.Simulation) -> None:
    """Grains do not rotate, so nothing balances the torques of friction; those of normal forces are zero."""
    frame, contacts = bed.frame(), bed.contacts
    push = contacts.normal_force[:, None] * contacts.normal
    cells = StressCells((-0.4, -0.4, 0.0), (0.4, 0.4, 0.4), (3, 2, 4))
    normal = stress_field(frame, replace(contacts, force=push), cells).stress
    assert np.abs(normal - np.swapaxes(normal, -1, -2)).max() < 1e-5 * normal.max()
    rubbing = stress_field(frame, replace(contacts, force=contacts.tangential_force), cells).stress
    both = stress_field(frame, contacts, cells).stress
    assert both == pytest.approx(normal + rubbing, rel=1e-9, abs=1e-6)
    assert np.abs(both - np.swapaxes(both, -1, -2)).max() > 1e-3 * both.max()


def test_mean_stress_of_the_bed_is_that_of_its_walls(bed: wr.Simulation) -> None:
    """At rest V σ = −Σ f ⊗ p over the walls − Σ m g ⊗ x: the inside follows from the outside."""
    frame, contacts = bed.frame(), bed.contacts
    field = stress_field(frame, contacts, StressCells.around(frame, 0.2))
    walls = contacts.where(contacts.with_body)
    weight = frame.mass[:, None].astype(np.float64) * np.array([0, 0, -GRAVITY])
    outside = -np.einsum("ia,ib->ab", walls.force, walls.point)
    outside -= np.einsum("ia,ib->ab", weight, frame.position.astype(np.float64))
    assert whole(field) == pytest.approx(outside, rel=0.005, abs=0.005 * np.abs(outside).max())


def test_cells() -> None:
    frame = frame_of(np.array([(0.0, 0, 0), (1.0, 0, 2.0)]), np.array([0.1, 0.2]))
    cells = StressCells.around(frame, 0.3)
    assert cells.lower == pytest.approx((-0.1, -0.2, -0.1))
    assert cells.upper == pytest.approx((1.2, 0.2, 2.2))
    assert cells.shape == (4, 1, 8)
    assert StressCells.layers(frame, 5, axis=0).shape == (5, 1, 1)
    assert StressCells.fitting(frame).shape == (1, 1, 3)
    assert StressCells.fitting(frame, layers=True).shape == (1, 1, 3)
    far = frame_of(np.array([(0.0, 0, 0), (0, 0, 900.0)]), np.array([0.1, 0.1]))
    assert StressCells.fitting(far).shape == StressCells.fitting(far, layers=True).shape == (1, 1, 60)
    assert cells.volume * 32 == pytest.approx(1.3 * 0.4 * 2.3)
    assert cells.edges(0)[[0, -1]] == pytest.approx((-0.1, 1.2))
    assert cells.centers(2)[0] == pytest.approx(-0.1 + 2.3 / 16)
    points = np.array([(-0.1, 0, -0.1), (1.19, 0, 2.19), (1.3, 0, 0), (np.nan, 0, 0)])
    assert cells.places(points).tolist() == [0, 31, -1, -1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda f: StressCells((0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (1, 1, 1)), "no volume"),
        (lambda f: StressCells((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0, 1, 1)), "cells"),
        (lambda f: StressCells.around(f, 0.0), "longer than 0"),
        (lambda f: StressCells.layers(frame_of(np.zeros((0, 3)), np.zeros(0)), 3), "no grains"),
    ],
)
def test_cells_that_cannot_be(make: object, message: str) -> None:
    frame = frame_of(np.zeros((1, 3)), np.ones(1))
    with pytest.raises(MeasurementError, match=message):
        make(frame)  # type: ignore[operator]


def test_frame_and_contacts_must_belong_together() -> None:
    frame, contacts = cluster(1)
    fewer = frame_of(frame.position[:-3], frame.radius[:-3], id=frame.id[:-3])
    with pytest.raises(MeasurementError, match="same step"):
        stress_field(fewer, contacts, StressCells.layers(fewer, 2))
    assert (rows_of(frame.id, fewer.id)[-3:] == -1).all()


def test_an_overburden_needs_gravity_along_z() -> None:
    frame, contacts = cluster(1)
    field = stress_field(frame, contacts, StressCells.layers(frame, 2))
    with pytest.raises(MeasurementError, match="along z"):
        overburden(field, (1.0, 0.0, -9.81))
