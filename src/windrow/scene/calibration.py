"""From bulk numbers of a soil to numbers of its grains, by curves that were measured with each solver.

Round grains that do not roll stand steeper than their contact friction says, and how much steeper depends on how
the contacts are solved. So a soil is defined by what is measured of it as a whole (angle of internal friction,
cohesion, bulk density), and the grain numbers are read off curves that `windrow calibrate-soil` measured: angle of a
poured heap and solid fraction of a poured bed over contact friction, height of a vertical cut over adhesion.
"""

from __future__ import annotations

import math
import tomllib
from functools import cache
from importlib import resources
from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from windrow.fixed_math import tangent
from windrow.scene.arrays import ArrayOf, FloatArray, Fraction
from windrow.scene.part import Part

Curve = Annotated[FloatArray, ArrayOf(((None,),), minimum=0, shortest=2)]


class FrictionCurve(Part):
    """Poured heaps: their angle over the friction between grains; no adhesion, rough ground. No friction, no heap."""

    static: Curve = Field(description="friction_static between grains, ascending, –")
    angle_deg: Curve = Field(description="angle of the heap, mean over the runs, ascending, degrees")
    scatter_deg: Curve = Field(description="standard deviation over the runs, degrees")

    @model_validator(mode="after")
    def _usable(self) -> Self:
        _check_columns(self.static, self.angle_deg, self.scatter_deg)
        _check_ascending("angle_deg", self.angle_deg)
        return self


class PackingCurve(Part):
    """Poured beds: the solid fraction over the friction between grains."""

    static: Curve = Field(description="friction_static between grains, ascending, –")
    solid_fraction: Curve = Field(description="–")

    @model_validator(mode="after")
    def _usable(self) -> Self:
        _check_columns(self.static, self.solid_fraction)
        return self


class CohesionCurve(Part):
    """Vertical cuts: the cohesion that their greatest height amounts to, over the adhesion between grains."""

    adhesion_pa: Curve = Field(description="adhesion between grains, ascending, Pa")
    cohesion_pa: Curve = Field(description="γ H / (4 tan(45° + φ/2)) of the highest cut that stands, Pa")

    @model_validator(mode="after")
    def _usable(self) -> Self:
        _check_columns(self.adhesion_pa, self.cohesion_pa)
        _check_ascending("cohesion_pa", self.cohesion_pa)
        return self


class Calibration(Part):
    """The curves of one solver."""

    protocol: str = Field(description="how they were measured")
    kinetic_over_static: Fraction = Field(description="friction_kinetic over friction_static in all runs, –")
    rolling_over_static: float | None = Field(
        default=None, ge=0, le=10, description="rolling_friction over friction_static, –; none: grains do not rotate"
    )
    friction: FrictionCurve
    packing: PackingCurve
    cohesion: CohesionCurve | None = Field(
        default=None, description="none where no adhesion holds a vertical cut; adhesion is then the cohesion"
    )

    def friction_for(self, internal_friction_deg: float) -> float:
        """friction_static between grains whose heap stands at that angle."""
        angles = self.friction.angle_deg
        # heaps of one friction scatter: an angle that lies within that of the last point is the last point's
        most = angles[-1] + self.friction.scatter_deg[-1]
        if not angles[0] <= internal_friction_deg <= most:
            raise ValueError(
                f"internal_friction_deg {internal_friction_deg:g}° is outside of what was calibrated, "
                f"{angles[0]:.3g}° to {angles[-1]:.3g}°; give friction_static instead"
            )
        return float(np.interp(internal_friction_deg, angles, self.friction.static))

    def solid_fraction_for(self, static: float) -> float:
        """Share of a bed's volume that the grains fill."""
        return float(np.interp(static, self.packing.static, self.packing.solid_fraction))

    def adhesion_for(self, cohesion_pa: float) -> float:
        """Adhesion between grains, Pa, that gives the bulk this cohesion; in proportion beyond the curve."""
        if self.cohesion is None:
            return cohesion_pa
        cohesion, adhesion = self.cohesion.cohesion_pa, self.cohesion.adhesion_pa
        if cohesion_pa > cohesion[-1]:
            return float(adhesion[-1] * cohesion_pa / cohesion[-1])
        return float(np.interp(cohesion_pa, np.r_[0.0, cohesion], np.r_[0.0, adhesion]))


@cache
def calibrations() -> dict[str, Calibration]:
    """Curves of the library by the solver's name."""
    text = (
        resources.files("windrow.scene").joinpath("library", "calibration.toml").read_text(encoding="utf-8")
    )
    return {name: Calibration(**fields) for name, fields in tomllib.loads(text).items()}


def cut_cohesion(height: float, weight: float, internal_friction_deg: float) -> float:
    """Cohesion (Pa) of a soil of unit weight `weight` (N/m³) whose vertical cuts stand up to `height` (m).

    Rankine: H = (4 c/γ) tan(45° + φ/2).
    """
    return weight * height / (4.0 * float(tangent(math.radians(45.0 + internal_friction_deg / 2.0))))


def cut_height(cohesion_pa: float, weight: float, internal_friction_deg: float) -> float:
    """Height (m) up to which a vertical cut stands: the inverse of `cut_cohesion`."""
    return 4.0 * cohesion_pa / weight * float(tangent(math.radians(45.0 + internal_friction_deg / 2.0)))


def _check_columns(first: FloatArray, *others: FloatArray) -> None:
    if any(len(other) != len(first) for other in others):
        raise ValueError("the columns of a curve must have the same length")
    if np.diff(first).min() <= 0:
        raise ValueError("the first column of a curve must ascend")


def _check_ascending(name: str, values: FloatArray) -> None:
    if np.diff(values).min() <= 0:
        raise ValueError(f"{name} must ascend; more runs per point make the curve smoother")
