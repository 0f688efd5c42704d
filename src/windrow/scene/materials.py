"""What grains and walls are made of, and what two materials do to each other when they touch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Self

from pydantic import BeforeValidator, Field, ModelWrapValidatorHandler, model_validator

from windrow.scene.arrays import Color, Degrees, Density, Fraction, NonNegative, Switch, plain_number
from windrow.scene.part import Part
from windrow.scene.soils import soil_named

Name = Annotated[str, Field(min_length=1, max_length=100)]
Restitution = Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=1, allow_inf_nan=False)]
Positive = Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=1e13, allow_inf_nan=False)]
PoissonRatio = Annotated[float, BeforeValidator(plain_number), Field(gt=-1, le=0.5, allow_inf_nan=False)]


class Material(Part):
    """Numbers of a grain or wall material: its own, or those of a soil.

    `soil = "dry_sand"`, or bulk numbers (`internal_friction_deg`, `cohesion_pa`, `bulk_density`), say what the
    material is like as a whole. The grain numbers that give such a bulk depend on the solver; a simulation takes them
    from calibration curves when it begins (`scene/calibration.py`). Numbers given here always win, grain numbers over
    bulk numbers over those of the soil.
    """

    density: Density = Field(default=1600.0, description="kg/m³ of the solid grain, not of the heap")
    friction_static: NonNegative = Field(
        default=0.6, description="Coulomb coefficient that starts sliding, –"
    )
    friction_kinetic: NonNegative = Field(
        default=0.5,
        description="Coulomb coefficient while sliding, –; at most friction_static, the same if left out",
    )
    wall_friction: NonNegative | None = Field(
        default=None,
        description="friction_static of these grains on obstacles, which are smoother than a bed of grains, –; "
        "none: as between grains; of a soil: tan of its internal friction angle",
    )
    adhesion: NonNegative = Field(default=0.0, description="pull per contact area, Pa")
    stiffness: NonNegative = Field(default=1e5, description="normal spring of a contact, N/m")
    damping: NonNegative = Field(default=150.0, description="normal damper of a contact, N·s/m")
    restitution: Restitution | None = Field(
        default=None,
        description="speed after a collision over that before, above 0 to 1; DEM only; none: the damping decides",
    )
    young_modulus: Positive | None = Field(
        default=None, description="of the solid, Pa; DEM with Hertz contacts only, which need it"
    )
    poisson_ratio: PoissonRatio = Field(default=0.25, description="of the solid, –; DEM with Hertz contacts only")
    rolling_friction: NonNegative = Field(
        default=0.0, description="torque against rolling over normal force and radius, –; DEM only"
    )
    twisting_friction: NonNegative = Field(
        default=0.0, description="torque against turning about the normal over normal force and radius, –; DEM only"
    )
    surface_energy: NonNegative = Field(
        default=0.0,
        description="J/m² of one surface: touching grains pull each other (DMT, or JKR by the solver's "
        "`surface_energy`); DEM only",
    )
    bridge_volume: NonNegative = Field(
        default=0.0, description="liquid between two grains that have touched, m³; DEM only; 0: dry"
    )
    surface_tension: NonNegative = Field(default=0.072, description="of that liquid, N/m; water: 0.072")
    wetting_angle_deg: Degrees = Field(default=0.0, description="between the liquid and the solid, degrees")
    liquid: Switch = Field(
        default=False,
        description="whether its particles are cubes of a liquid of side 2 radius, not grains; for solvers that "
        "compute both in one scene",
    )
    source: str = Field(default="", description="where the numbers come from")
    color: Color | None = Field(default=None, description="red, green, blue, each 0 to 1")
    moisture: Fraction | None = Field(
        default=None,
        description="mass of water over that of the dry soil, 0 to 1; to be told and shown, cohesion is given apart",
    )
    soil: str | None = Field(
        default=None, description="soil of the library whose numbers fill the fields left out"
    )
    internal_friction_deg: Degrees | None = Field(
        default=None, description="of the bulk, degrees; friction follows from it unless given"
    )
    cohesion_pa: NonNegative | None = Field(
        default=None, description="of the bulk, Pa; adhesion follows from it unless given"
    )
    bulk_density: Density | None = Field(
        default=None, description="kg/m³, voids included; density follows from it unless given"
    )

    @model_validator(mode="wrap")
    @classmethod
    def _fill_from_soil(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, Mapping):
            return handler(data)
        given = dict(data)
        if "friction_static" in data and "friction_kinetic" not in data:
            given["friction_kinetic"] = data["friction_static"]
        if not isinstance(given.get("soil"), str):
            return handler(given)
        material = handler(soil_named(given["soil"]).material_fields() | given)
        # What was only filled in does not count as given: a solver's calibration may replace it.
        material.model_fields_set.intersection_update(given)
        return material

    def written_fields(self) -> set[str]:
        """What a file has to say; the soil or the bulk numbers say the rest."""
        bulk = (self.soil, self.internal_friction_deg, self.cohesion_pa, self.bulk_density)
        by_bulk = any(number is not None for number in bulk)
        return set(self.model_fields_set if by_bulk else type(self).model_fields)

    @model_validator(mode="after")
    def _kinetic_below_static(self) -> Self:
        if self.friction_kinetic > self.friction_static:
            raise ValueError(
                f"friction_kinetic {self.friction_kinetic:g} exceeds friction_static "
                f"{self.friction_static:g}; a grain that slides is never held better than one at rest"
            )
        return self


class MaterialPair(Part):
    """Contact numbers of two materials where the mean of both is not right; fields left out keep the mean."""

    materials: tuple[Name, Name] = Field(description="names of the two materials, in any order")
    friction_static: NonNegative | None = Field(default=None, description="–")
    friction_kinetic: NonNegative | None = Field(default=None, description="–")
    adhesion: NonNegative | None = Field(default=None, description="Pa")
    stiffness: NonNegative | None = Field(default=None, description="N/m")
    damping: NonNegative | None = Field(default=None, description="N·s/m")
    restitution: Restitution | None = Field(default=None, description="above 0 to 1; DEM only")
    rolling_friction: NonNegative | None = Field(default=None, description="–; DEM only")
    twisting_friction: NonNegative | None = Field(default=None, description="–; DEM only")
    surface_energy: NonNegative | None = Field(default=None, description="J/m²; DEM only")


class PairValues(NamedTuple):
    """What a contact of two given materials uses."""

    stiffness: float
    damping: float
    friction_static: float
    friction_kinetic: float
    adhesion: float


def combine(
    a: Material, b: Material, override: MaterialPair | None = None, at_wall: bool = False
) -> PairValues:
    """Contact numbers of two materials, between grains or of a grain at a wall.

    Springs and dampers in series: harmonic mean 2ab/(a + b), which is the value itself for equal materials.
    Friction and adhesion: geometric mean, so that one smooth or clean partner decides.
    """

    def harmonic(x: float, y: float) -> float:
        return 2 * x * y / (x + y) if x + y > 0 else 0.0

    (static_a, kinetic_a), (static_b, kinetic_b) = (
        _wall_friction(m) if at_wall else (m.friction_static, m.friction_kinetic) for m in (a, b)
    )
    values = PairValues(
        stiffness=harmonic(a.stiffness, b.stiffness),
        damping=harmonic(a.damping, b.damping),
        friction_static=math.sqrt(static_a * static_b),
        friction_kinetic=math.sqrt(kinetic_a * kinetic_b),
        adhesion=math.sqrt(a.adhesion * b.adhesion),
    )
    if override is None:
        return values
    given = {name: getattr(override, name) for name in PairValues._fields}
    return values._replace(**{name: value for name, value in given.items() if value is not None})


def _wall_friction(material: Material) -> tuple[float, float]:
    """Static and kinetic, in the same proportion as between grains."""
    static, kinetic = material.friction_static, material.friction_kinetic
    if material.wall_friction is None:
        return static, kinetic
    return material.wall_friction, material.wall_friction * (kinetic / static if static > 0 else 1.0)
