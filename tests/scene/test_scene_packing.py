"""Fillings: grains inside, without overlap, as many as said, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from windrow.errors import SceneError
from windrow.measure.packing import solid_fraction
from windrow.scene import Grading, RadiusRange, Scene, sampled_radii

PACKINGS = ["cubic", "hexagonal", "random", "dense"]


def empty(seed: int = 0) -> Scene:
    scene = Scene(seed=seed)
    scene.add_material("a", density=1000)
    return scene


def worst_overlap(start) -> float:
    """Largest overlap of two grains, of the smaller radius."""
    position, radius = start["position"], start["radius"]
    pairs = cKDTree(position).query_pairs(2 * radius.max(), output_type="ndarray")
    if not len(pairs):
        return 0.0
    i, j = pairs.T
    overlap = radius[i] + radius[j] - np.linalg.norm(position[i] - position[j], axis=1)
    return float((overlap / np.minimum(radius[i], radius[j])).max())


def fill(scene: Scene, shape: str, radius, **fields):
    if shape == "block":
        scene.add_block((-1, 0, 2), (0.6, 0.5, 0.7), radius, "a", **fields)
    elif shape == "column":
        scene.add_column((0, 0, 1), 0.4, 0.7, radius, "a", **fields)
    else:
        scene.add_ball((0, 0, 1), 0.4, radius, "a", **fields)
    return scene.initial_particles()


radii = st.one_of(
    st.floats(0.03, 0.1),
    st.tuples(st.floats(0.03, 0.06), st.floats(0.06, 0.1)).map(lambda r: RadiusRange(min=r[0], max=r[1])),
    st.lists(st.floats(0.03, 0.1), min_size=1, max_size=3).map(
        lambda r: Grading(radii=r, mass_fractions=np.ones(len(r)))
    ),
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["block", "column", "ball"]), st.sampled_from(PACKINGS[:3]), radii, st.floats(0, 0.05))
def test_grains_lie_inside_and_apart(shape, packing, radius, jitter) -> None:
    start = fill(empty(), shape, radius, packing=packing, jitter=jitter)
    assert len(start["radius"]) > 0
    assert worst_overlap(start) < 1e-9
    check_inside(start, shape)


@pytest.mark.parametrize("radius", [0.03, 0.06, RadiusRange(min=0.034, max=0.046)], ids=str)
@pytest.mark.parametrize("shape", ["block", "column", "ball"])
def test_dense_grains_lie_inside_and_hardly_overlap(shape, radius) -> None:
    start = fill(empty(), shape, radius, packing="dense")
    assert worst_overlap(start) < 2e-3
    check_inside(start, shape)
    if isinstance(radius, RadiusRange):
        assert start["radius"].min() >= radius.min
        assert start["radius"].max() <= radius.max
        assert start["radius"].std() == pytest.approx((radius.max - radius.min) / np.sqrt(12), rel=0.1)
    else:
        assert (start["radius"] == radius).all()


def check_inside(start, shape: str) -> None:
    position, r = start["position"], start["radius"][:, None]
    slack = 1e-7
    if shape == "block":
        assert (position - r >= np.array([-1, 0, 2]) - slack).all()
        assert (position + r <= np.array([-0.4, 0.5, 2.7]) + slack).all()
    elif shape == "column":
        assert (np.linalg.norm(position[:, :2], axis=1) + r[:, 0] <= 0.4 + slack).all()
        assert (position[:, 2:] - r >= 1 - slack).all()
        assert (position[:, 2:] + r <= 1.7 + slack).all()
    else:
        assert (np.linalg.norm(position - [0, 0, 1], axis=1) + r[:, 0] <= 0.4 + slack).all()


def test_a_box_of_ten_diameters_holds_a_thousand_grains() -> None:
    scene = empty()
    scene.add_block((0, 0, 0), (1, 1, 1), 0.05, "a", spacing=0.1, jitter=0)
    start = scene.initial_particles()
    assert len(start["radius"]) == 1000
    assert np.allclose(start["position"].min(axis=0), 0.05)
    assert np.allclose(start["position"].max(axis=0), 0.95)


def test_hexagonal_is_the_densest_and_every_inner_grain_touches_twelve() -> None:
    scene = empty()
    scene.add_block((0, 0, 0), (1, 1, 1), 0.05, "a", spacing=0.1, jitter=0, packing="hexagonal")
    position = scene.initial_particles()["position"]
    assert len(position) > 1100
    tree = cKDTree(position)
    inner = (np.abs(position - 0.5) < 0.25).all(axis=1)
    near = tree.query_ball_point(position[inner], 0.1001)
    assert inner.sum() > 50
    assert {len(found) - 1 for found in near} == {12}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("shape", ["block", "column", "ball"])
def test_count_is_exact_and_fills_from_below(packing: str, shape: str) -> None:
    full = fill(empty(), shape, 0.04, packing=packing)
    part = fill(empty(), shape, 0.04, packing=packing, count=60)
    assert len(full["radius"]) > 60
    assert len(part["radius"]) == 60
    assert (np.diff(part["position"][:, 2]) > -0.05).all()
    if (packing, shape) != ("random", "ball"):
        assert part["position"][:, 2].max() < full["position"][:, 2].max() - 0.1


def test_how_solid_each_packing_is() -> None:
    """What the docs say; in the middle of a large block."""
    lower, upper = np.full(3, 0.25), np.full(3, 0.75)
    found = {}
    for packing in PACKINGS:
        for name, radius in (("one", 0.025), ("mixed", RadiusRange(min=0.02125, max=0.02875))):
            scene = empty()
            scene.add_block((0, 0, 0), (1, 1, 1), radius, "a", packing=packing)
            start = scene.initial_particles()
            found[packing, name] = solid_fraction(start["position"], start["radius"], lower, upper)
    expected = {"cubic": (0.45, 0.30), "hexagonal": (0.64, 0.43), "random": (0.27, 0.28), "dense": (0.61, 0.62)}
    for packing, (one, mixed) in expected.items():
        assert found[packing, "one"] == pytest.approx(one, abs=0.03)
        assert found[packing, "mixed"] == pytest.approx(mixed, abs=0.03)
    assert min(found["dense", "one"], found["dense", "mixed"]) > 0.6


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("shape", ["block", "column", "ball"])
def test_another_seed_has_as_many_grains(packing: str, shape: str) -> None:
    mixes = [0.05, 0.1, RadiusRange(min=0.034, max=0.046)]
    if packing != "dense":
        mixes += [RadiusRange(min=0.02, max=0.09), Grading(radii=[0.02, 0.1], mass_fractions=[1, 4])]
    for radius in mixes:
        counts = {len(fill(empty(seed), shape, radius, packing=packing)["radius"]) for seed in range(5)}
        assert len(counts) == 1
        (count,) = counts
        for seed in range(5):
            # as many as fit, asked for: never more for one seed than for another
            again = fill(empty(seed), shape, radius, packing=packing, count=count)
            assert len(again["radius"]) == count
            with pytest.raises(SceneError, match=f"count = {count + 1}, but only"):
                fill(empty(seed), shape, radius, packing=packing, count=count + 1)


def test_dense_packings_have_two_mixes() -> None:
    with pytest.raises(SceneError, match=r"radius = \{min = 0\.02975, max = 0\.04025\}"):
        fill(empty(), "block", RadiusRange(min=0.03, max=0.04), packing="dense")
    with pytest.raises(SceneError, match="of a grading"):
        fill(empty(), "block", Grading(radii=[0.02, 0.04], mass_fractions=[1, 1]), packing="dense")
    with pytest.raises(SceneError, match="make the space larger"):
        fill(empty(), "block", 0.24, packing="dense")


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_count_that_does_not_fit_says_how_many_do(packing: str) -> None:
    with pytest.raises(
        SceneError, match=r"particles\[0\] \(block\): count = 5000, but only (about )?\d+ grains"
    ):
        fill(empty(), "block", 0.04, packing=packing, count=5000)


def test_a_tall_room_with_a_small_count_costs_little() -> None:
    scene = empty()
    scene.add_block((0, 0, 0), (1, 1, 1e6), 0.05, "a", count=500)
    scene.add_column((5, 0, 0), 0.051, 1e6, 0.05, "a", count=500)
    start = scene.initial_particles()
    assert len(start["radius"]) == 1000
    assert start["position"][:500, 2].max() < 1


@pytest.mark.parametrize("packing", PACKINGS)
def test_absurd_numbers_of_grains_are_refused_at_once(packing: str) -> None:
    for add in (
        lambda s: s.add_block((0, 0, 0), (1000, 1000, 1000), 1e-5, "a", packing=packing),
        lambda s: s.add_column((0, 0, 0), 1000, 1e6, 1e-5, "a", packing=packing),
        lambda s: s.add_ball((0, 0, 0), 1e6, 1e-5, "a", packing=packing),
    ):
        scene = empty()
        add(scene)
        with pytest.raises(SceneError, match="more than"):
            scene.initial_particles()


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_room_too_small_for_one_grain(packing: str) -> None:
    with pytest.raises(SceneError, match="no grain fits"):
        fill(empty(), "block", 0.3, packing=packing)


@pytest.mark.parametrize("packing", PACKINGS)
def test_same_seed_same_grains_other_seed_others(packing: str) -> None:
    first, again, other = (fill(empty(seed), "ball", 0.05, packing=packing) for seed in (1, 1, 2))
    for name in first:
        assert np.array_equal(first[name], again[name])
    assert not np.array_equal(first["position"], other["position"])


def test_a_source_added_later_does_not_move_the_grains_before() -> None:
    scene = empty()
    before = fill(scene, "block", RadiusRange(min=0.03, max=0.05))
    scene.add_ball((9, 9, 9), 0.5, 0.05, "a")
    after = scene.initial_particles()
    assert np.array_equal(after["position"][: len(before["radius"])], before["position"])


def test_velocity_and_its_spread() -> None:
    start = fill(empty(), "block", 0.03, velocity=(1, 0, 0), velocity_spread=0.5)
    off = start["velocity"] - (1, 0, 0)
    assert np.abs(off).max() <= 0.5
    assert np.abs(off).max() > 0.4
    assert np.abs(off.mean(axis=0)).max() < 0.1


def test_a_grading_is_met_by_mass_and_a_range_by_number() -> None:
    random = np.random.default_rng(1)
    grading = Grading(radii=[0.01, 0.02, 0.04], mass_fractions=[50, 30, 20])
    radius = sampled_radii(grading, 200_000, random)
    mass = np.array([(radius[radius == r] ** 3).sum() for r in grading.radii])
    assert np.allclose(mass / mass.sum(), [0.5, 0.3, 0.2], atol=0.02)
    radius = sampled_radii(RadiusRange(min=0.01, max=0.03), 100_000, random)
    assert radius.mean() == pytest.approx(0.02, rel=0.01)
    assert radius.min() >= 0.01
    assert radius.max() <= 0.03


def test_random_packing_of_very_unequal_grains() -> None:
    scene = empty()
    grading = Grading(radii=[0.02, 0.3], mass_fractions=[1, 4])
    scene.add_block((0, 0, 0), (2, 2, 2), grading, "a", packing="random")
    start = scene.initial_particles()
    assert (start["radius"] == 0.3).sum() >= 5
    sand = start["radius"] == 0.02
    assert sand.sum() > 2000
    assert worst_overlap({name: start[name][sand] for name in ("position", "radius")}) < 1e-9
    for boulder in np.flatnonzero(~sand):
        gap = np.linalg.norm(start["position"] - start["position"][boulder], axis=1) - start["radius"] - 0.3
        gap[boulder] = 0
        assert gap.min() > -1e-9
    filled = 4 / 3 * np.pi * (start["radius"] ** 3).sum() / 8
    assert 0.2 < filled < 0.36


def test_spacing_below_touching_is_refused() -> None:
    with pytest.raises(SceneError, match="at least twice the largest radius"):
        fill(empty(), "block", 0.05, spacing=0.09)
    with pytest.raises(SceneError, match="leave it out for random"):
        fill(empty(), "block", 0.05, spacing=0.2, packing="random")
    with pytest.raises(SceneError, match="leave it out for dense"):
        fill(empty(), "block", 0.05, spacing=0.2, packing="dense")


def test_overlapping_grains_are_named() -> None:
    scene = empty()
    scene.add_block((0, 0, 0), (1, 1, 1), 0.05, "a")
    count = len(scene.initial_particles()["radius"])
    scene.add_particles([[5, 5, 5], [0.5, 0.5, 0.5]], radius=0.05, material="a")
    message = (
        rf"particles\[0\] \(block\) and particles\[1\] \(points\): grains \d+ and {count + 1} overlap by"
    )
    with pytest.raises(SceneError, match=message):
        scene.initial_particles()


def test_slight_overlap_is_let_through_and_more_is_not() -> None:
    for gap, fine in ((0.16, True), (0.14, False)):
        scene = empty()
        scene.add_particles([[0, 0, 0], [gap, 0, 0]], radius=0.1, material="a")
        if fine:
            scene.initial_particles()
        else:
            with pytest.raises(SceneError, match=r"grains 0 and 1 overlap by 0\.06 m"):
                scene.initial_particles()


def test_a_grain_inside_of_a_boulder_is_found_across_sizes() -> None:
    scene = empty()
    sand = np.random.default_rng(0).uniform(-50, 50, (5000, 3))
    sand = sand[np.linalg.norm(sand, axis=1) > 6]
    scene.add_particles(sand, radius=0.01, material="a")
    boulder = scene.add_particles((0, 0, 0), radius=5.0, material="a")
    scene.initial_particles()
    scene.add_particles((0, 4.5, 0), radius=0.01, material="a")
    with pytest.raises(SceneError, match=f"grains {boulder[0]} and {boulder[0] + 1} overlap"):
        scene.initial_particles()


def test_a_million_grains_in_one_place_are_an_error_not_a_wait() -> None:
    scene = empty()
    scene.add_particles(np.zeros((1_000_000, 3)), radius=0.1, material="a")
    with pytest.raises(SceneError, match=r"overlap by 0\.2 m"):
        scene.initial_particles()


@given(st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_overlap_search_agrees_with_a_tree(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 60))
    scene = empty()
    scene.add_particles(
        random.uniform(-1, 1, (count, 3)), radius=0.02 * 2 ** random.uniform(0, 4, count), material="a"
    )
    grains = {
        "position": scene.particles[0].position,
        "radius": np.asarray(scene.particles[0].radius),
    }
    if worst_overlap(grains) > 0.5:
        with pytest.raises(SceneError, match="overlap by"):
            scene.initial_particles()
    else:
        scene.initial_particles()
