"""The grain numbers of soils for one solver: what a simulation replaces a scene's materials by when it begins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from windrow.errors import SceneError
from windrow.fixed_math import tangent
from windrow.scene.calibration import Calibration, calibrations
from windrow.scene.materials import Material
from windrow.scene.soils import soil_named

UNKNOWN_SOLID_FRACTION = 0.6
"""Share of a bed that grains are taken to fill for a solver without calibration, –."""


def materials_for(
    materials: Mapping[str, Material], solver: str, continuum: bool = False
) -> dict[str, Material]:
    """The materials with the grain numbers that a solver of that name needs; explicit numbers stay.

    continuum: whether its particles are made of the bulk, see `SolverBase.continuum`.
    """
    ready = {}
    for name, material in materials.items():
        try:
            ready[name] = material_for(material, solver, continuum)
        except (ValueError, SceneError) as error:
            raise SceneError(f"materials.{name}: {str(error).removeprefix('Material: ')}") from None
    return ready


def material_for(material: Material, solver: str, continuum: bool = False) -> Material:
    """The same bulk, as grains of a solver; materials that are no soil stay as they are."""
    if continuum:
        return _as_bulk(material)
    return numbers_from(material, calibrations().get(solver), solver)


def numbers_from(material: Material, curves: Calibration | None, solver: str) -> Material:
    """The same with given curves."""
    angle, cohesion, density = _bulk_numbers(material)
    if angle is None and cohesion is None and density is None:
        return material
    given = material.model_fields_set
    numbers: dict[str, Any] = {}
    if angle is not None and "friction_static" not in given:
        numbers |= _friction(angle, curves, material)
    if cohesion is not None and "adhesion" not in given:
        numbers["adhesion"] = cohesion if curves is None else curves.adhesion_for(cohesion)
    if density is not None and "density" not in given:
        static = numbers.get("friction_static", material.friction_static)
        filled = UNKNOWN_SOLID_FRACTION if curves is None else curves.solid_fraction_for(static)
        numbers["density"] = density / filled
    if numbers and "source" not in given:
        how = f"calibrated for {solver}" if curves is not None else f"not calibrated for {solver}"
        numbers["source"] = "; ".join(part for part in (material.source, how) if part)
    fields = {name: getattr(material, name) for name in type(material).model_fields}
    return Material(**fields | numbers)


def _as_bulk(material: Material) -> Material:
    """For particles that are made of the bulk: its numbers are theirs."""
    angle, cohesion, density = _bulk_numbers(material)
    given = material.model_fields_set
    numbers: dict[str, Any] = {}
    if angle is not None and "friction_static" not in given:
        numbers["friction_static"] = numbers["wall_friction"] = float(tangent(math.radians(angle)))
        numbers["friction_kinetic"] = numbers["friction_static"]
        if material.wall_friction is not None:
            numbers["wall_friction"] = material.wall_friction
    if cohesion is not None and "adhesion" not in given:
        numbers["adhesion"] = cohesion
    if density is not None and "density" not in given:
        numbers["density"] = density
    if not numbers:
        return material
    return Material(**{name: getattr(material, name) for name in type(material).model_fields} | numbers)


def _bulk_numbers(material: Material) -> tuple[float | None, float | None, float | None]:
    """Angle (degrees), cohesion (Pa) and density (kg/m³) of the bulk: the material's own, else its soil's."""
    own = (material.internal_friction_deg, material.cohesion_pa, material.bulk_density)
    if material.soil is None:
        return own
    soil = soil_named(material.soil)
    library = (soil.internal_friction_deg, soil.cohesion_pa, soil.bulk_density)
    angle, cohesion, density = (
        number.value if mine is None else mine for mine, number in zip(own, library, strict=True)
    )
    return angle, cohesion, density


def _friction(angle: float, curves: Calibration | None, material: Material) -> dict[str, float]:
    given = material.model_fields_set
    flat = float(tangent(math.radians(angle)))
    static = flat if curves is None else curves.friction_for(angle)
    ratio = (
        material.friction_kinetic / material.friction_static if curves is None else curves.kinetic_over_static
    )
    numbers = {"friction_static": static}
    if "friction_kinetic" not in given:
        numbers["friction_kinetic"] = ratio * static
    if curves is not None and curves.rolling_over_static is not None and "rolling_friction" not in given:
        numbers["rolling_friction"] = curves.rolling_over_static * static
    if material.wall_friction is None:
        numbers["wall_friction"] = flat
    return numbers
