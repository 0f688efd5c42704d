"""Materials, pairs and the soil library."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.errors import SceneError
from windrow.scene import Material, MaterialPair, Scene, combine, soils

amount = st.floats(0, 1e6)
materials = st.builds(
    lambda k, c, mu, a: Material(stiffness=k, damping=c, friction_static=mu, adhesion=a),
    amount,
    amount,
    st.floats(0, 10),
    amount,
)


@given(materials)
def test_a_material_with_itself_is_itself(material: Material) -> None:
    values = combine(material, material)
    assert values.stiffness == pytest.approx(material.stiffness)
    assert values.damping == pytest.approx(material.damping)
    assert values.friction_static == pytest.approx(material.friction_static, abs=1e-150)
    assert values.adhesion == pytest.approx(material.adhesion, abs=1e-150)


@given(materials, materials)
def test_combining_does_not_depend_on_the_order_and_stays_between(a: Material, b: Material) -> None:
    values = combine(a, b)
    assert values == combine(b, a)
    for name in values._fields:
        low, high = sorted((getattr(a, name), getattr(b, name)))
        # A harmonic mean can reach twice the smaller value only, never more than the larger.
        assert low * (1 - 1e-9) - 1e-150 <= getattr(values, name) <= high * (1 + 1e-9) + 1e-150


def test_means_by_hand_and_overrides() -> None:
    a = Material(stiffness=1e5, damping=100, friction_static=0.9, friction_kinetic=0.4, adhesion=100)
    b = Material(stiffness=3e5, damping=0, friction_static=0.4, friction_kinetic=0.1, adhesion=400)
    values = combine(a, b)
    assert values.stiffness == pytest.approx(1.5e5)
    assert values.damping == 0
    assert values.friction_static == pytest.approx(0.6)
    assert values.friction_kinetic == pytest.approx(0.2)
    assert values.adhesion == pytest.approx(200)
    override = MaterialPair(materials=("a", "b"), friction_static=0.0, friction_kinetic=0.0, stiffness=7.0)
    changed = combine(a, b, override)
    assert (changed.stiffness, changed.friction_static, changed.friction_kinetic) == (7.0, 0.0, 0.0)
    assert changed.adhesion == values.adhesion


def test_pairs_in_a_scene_work_in_any_order() -> None:
    scene = Scene()
    scene.add_material("a", stiffness=10.0)
    scene.add_material("b", stiffness=20.0)
    scene.add_pair("b", "a", stiffness=5.0)
    assert scene.pair_values("a", "b").stiffness == 5.0
    assert scene.pair_values("b", "a").stiffness == 5.0
    assert scene.pair_values("a", "a").stiffness == 10.0
    scene.add_pair("a", "b", stiffness=6.0)
    with pytest.raises(SceneError, match=r"material_pairs\[1\].*repeats"):
        scene.check()


def test_a_pair_that_slides_harder_than_it_holds_is_refused() -> None:
    scene = Scene()
    scene.add_material("a", friction_static=0.6, friction_kinetic=0.5)
    scene.add_pair("a", "a", friction_static=0.2)
    with pytest.raises(SceneError, match=r"friction_kinetic 0\.5 exceeds friction_static 0\.2"):
        scene.check()


def test_kinetic_friction_follows_static_unless_said() -> None:
    assert Material(friction_static=0.3).friction_kinetic == 0.3
    with pytest.raises(SceneError, match="exceeds friction_static"):
        Material(friction_static=0.3, friction_kinetic=0.4)


@pytest.mark.parametrize("name", ["dry_sand", "wet_sand", "gravel", "loam", "clay"])
def test_soils_carry_sources_and_consistent_numbers(name: str) -> None:
    soil = soils()[name]
    for number in (soil.internal_friction_deg, soil.cohesion_pa, soil.bulk_density):
        assert len(number.source) > 20
        assert number.low <= number.value <= number.high
    for field in type(soil.grain).model_fields:
        assert len(getattr(soil.grain, field).source) > 10
    grain = soil.grain
    assert grain.density.value * 0.6 == pytest.approx(soil.bulk_density.value, rel=0.01)
    assert grain.friction_static.value == pytest.approx(
        math.tan(math.radians(soil.internal_friction_deg.value)), abs=0.01
    )


def test_a_material_starts_from_a_soil_and_overrides_it() -> None:
    material = Material(soil="wet_sand", adhesion=5.0)
    assert material.adhesion == 5.0
    assert material.density == soils()["wet_sand"].grain.density.value
    assert "Wet sand" in material.source
    assert Material(soil="dry_sand", friction_static=0.1).friction_kinetic == 0.1
    with pytest.raises(SceneError, match=r"unknown soil 'dry_snad'\. Did you mean 'dry_sand'\?"):
        Material(soil="dry_snad")
