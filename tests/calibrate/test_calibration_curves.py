"""Curves: reading, inverting, refusing what is unusable; and the grain numbers that soils get from them."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from windrow.calibrate.library import calibration_text, write_calibration
from windrow.errors import SceneError
from windrow.scene import Material, Scene, combine, soils
from windrow.scene.calibration import (
    Calibration,
    CohesionCurve,
    FrictionCurve,
    PackingCurve,
    calibrations,
    cut_cohesion,
    cut_height,
)
from windrow.scene.files import scene_from_dict, scene_to_dict
from windrow.scene.grain_numbers import material_for, materials_for, numbers_from


def curves(cohesion: bool = True) -> Calibration:
    return Calibration(
        protocol="made up",
        kinetic_over_static=0.8,
        friction=FrictionCurve(
            static=np.array([0.0, 0.2, 0.4]), angle_deg=np.array([0.0, 30.0, 50.0]), scatter_deg=np.zeros(3)
        ),
        packing=PackingCurve(static=np.array([0.1, 0.3]), solid_fraction=np.array([0.64, 0.60])),
        cohesion=CohesionCurve(adhesion_pa=np.array([1e4, 3e4]), cohesion_pa=np.array([1e3, 4e3]))
        if cohesion
        else None,
    )


def test_bulk_numbers_become_grain_numbers() -> None:
    bulk = Material(internal_friction_deg=40.0, cohesion_pa=2500.0, bulk_density=1500.0)
    grain = numbers_from(bulk, curves(), "made")
    assert grain.friction_static == pytest.approx(0.3)
    assert grain.friction_kinetic == pytest.approx(0.24)
    assert grain.wall_friction == pytest.approx(math.tan(math.radians(40.0)))
    assert grain.adhesion == pytest.approx(2e4)
    assert grain.density == pytest.approx(1500.0 / 0.60)


def test_adhesion_is_in_proportion_outside_of_the_curve_and_the_cohesion_without_one() -> None:
    assert curves().adhesion_for(500.0) == pytest.approx(5e3)
    assert curves().adhesion_for(8000.0) == pytest.approx(6e4)
    assert curves(cohesion=False).adhesion_for(1234.0) == 1234.0


def test_numbers_that_are_given_win() -> None:
    grain = material_for(Material(soil="dry_sand", friction_static=0.5, density=2000.0), "ndem")
    assert (grain.friction_static, grain.friction_kinetic, grain.density) == (0.5, 0.5, 2000.0)
    assert grain.wall_friction is None
    soil = soils()["dry_sand"]
    changed = material_for(Material(soil="dry_sand", internal_friction_deg=38.0), "ndem")
    plain = material_for(Material(soil="dry_sand"), "ndem")
    assert changed.friction_static > plain.friction_static
    assert plain.wall_friction == pytest.approx(math.tan(math.radians(soil.internal_friction_deg.value)))


def test_a_material_that_is_no_soil_stays_as_it_is() -> None:
    steel = Material(density=7850.0, friction_static=0.3)
    assert material_for(steel, "ndem") is steel


@pytest.mark.parametrize("solver", ["ndem", "p2", "a solver without curves"])
@pytest.mark.parametrize("name", ["dry_sand", "wet_sand", "gravel", "loam", "clay"])
def test_every_soil_of_the_library_has_grain_numbers(name: str, solver: str) -> None:
    grain = material_for(Material(soil=name), solver)
    assert 0.0 < grain.friction_kinetic <= grain.friction_static <= 1.0
    assert soils()[name].bulk_density.value < grain.density
    assert ("not calibrated" in grain.source) == (solver not in calibrations())


def test_what_is_not_covered_is_refused_with_the_name_and_the_range() -> None:
    with pytest.raises(
        SceneError, match=r"materials\.bank: internal_friction_deg 80° is outside .* friction_static"
    ):
        materials_for({"bank": Material(internal_friction_deg=80.0)}, "ndem")
    with pytest.raises(SceneError, match=r"materials\.bank: friction_kinetic 0\.5 exceeds"):
        materials_for({"bank": Material(soil="dry_sand", friction_kinetic=0.5)}, "ndem")


def test_a_saved_scene_keeps_the_soil_and_not_its_numbers() -> None:
    scene = Scene()
    scene.add_material("sand", soil="dry_sand", adhesion=3.0)
    scene.add_material("bank", bulk_density=1700.0)
    data = scene_to_dict(scene)["materials"]
    assert data == {"sand": {"soil": "dry_sand", "adhesion": 3.0}, "bank": {"bulk_density": 1700.0}}
    again = scene_from_dict(scene_to_dict(scene))
    assert materials_for(again.materials, "ndem") == materials_for(scene.materials, "ndem")


def test_grains_meet_walls_with_the_wall_friction() -> None:
    soil = Material(friction_static=0.2, friction_kinetic=0.1, wall_friction=0.6)
    steel = Material(friction_static=0.3)
    assert combine(soil, soil).friction_static == pytest.approx(0.2)
    assert combine(soil, soil, at_wall=True).friction_static == pytest.approx(0.6)
    assert combine(soil, soil, at_wall=True).friction_kinetic == pytest.approx(0.3)
    assert combine(soil, steel, at_wall=True).friction_static == pytest.approx(math.sqrt(0.6 * 0.3))


def test_curves_must_ascend() -> None:
    with pytest.raises(SceneError, match="angle_deg must ascend"):
        FrictionCurve(static=np.array([0.0, 0.1]), angle_deg=np.array([5.0, 4.0]), scatter_deg=np.zeros(2))
    with pytest.raises(SceneError, match="same length"):
        PackingCurve(static=np.array([0.0, 0.1]), solid_fraction=np.array([0.6, 0.5, 0.4]))


def test_the_library_file_reads_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    write_calibration("made", curves(), path)
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(data) == {*calibrations(), "made"}
    assert Calibration(**data["made"]) == curves()
    assert path.read_text(encoding="utf-8") == calibration_text(calibrations() | {"made": curves()})


def test_cut_height_and_cohesion_are_inverse_and_as_published() -> None:
    assert cut_height(5000.0, 17_000.0, 20.0) == pytest.approx(1.68, abs=0.01)
    assert cut_cohesion(cut_height(1234.0, 16_000.0, 33.0), 16_000.0, 33.0) == pytest.approx(1234.0)
