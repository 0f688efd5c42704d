"""What particles are made of, as the laws read it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.scene.materials import Material
from windrow.scene.settings import SPH
from windrow.solvers.sph.laws import COHESION, DENSITY, MATERIAL_COLUMNS, SLOPE, SURFACE, SURFACES, WETTED

STEEPEST = 0.95
"""Greatest slope of Nakai's surface in simple shear. At 1 a principal stress ends, and nothing yields any more."""


def material_table(materials: dict[str, Material], settings: SPH) -> NDArray[np.float32]:
    """(materials, columns): density kg/m³, slope –, cohesion Pa, number of the yield surface."""
    table = np.zeros((len(materials), MATERIAL_COLUMNS), np.float32)
    for row, material in zip(table, materials.values(), strict=True):
        row[DENSITY] = material.density
        row[SLOPE] = slope_of(material.friction_static, settings.surface)
        row[COHESION] = material.adhesion
        row[WETTED] = settings.wet_cohesion
        row[SURFACE] = SURFACES.index(settings.surface)
    return table


def slope_of(tangent: float, surface: str) -> float:
    """Slope in simple shear of a surface for sand whose angle of repose has this tangent.

    "components" is the paper's, with the sine. "cone" has the tangent. Nakai's lies halfway between the surface that
    has this angle in triaxial compression and extension (Mohr and Coulomb's, K = 9 + 8 tan²) and the one that has it in
    simple shear: cones of sand that were cut too steep settle near the angle then (docs/solver-sph.md).
    """
    square = tangent * tangent
    if surface == "components":
        return float(np.sqrt(square / (1.0 + square)))
    if surface == "cone":
        return tangent
    triaxial = float(np.sqrt(8.0 * square / (6.0 + 8.0 * square)))
    return min(0.5 * (triaxial + tangent), STEEPEST)
