"""How a scene is computed and shown: solver settings, length of a run, camera."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Discriminator, Field, Tag, TypeAdapter, model_validator

from windrow.scene.arrays import LengthOrZero, NonNegative, Switch, Vector3, Whole, plain_number
from windrow.scene.part import Part

TimeStep = Annotated[float, BeforeValidator(plain_number), Field(ge=1e-7, le=1.0, allow_inf_nan=False)]


class P2(Part):
    """Position-based granular solver P² (Holz 2014), with real springs, dampers, friction and adhesion.

    Limits. Each grain averages the corrections of its contacts, so a fixed number of iterations carries less
    and less with depth: a column 40 grains tall (radius 0.05 m, stiffness 1e5 N/m, dt 1/60 s, 10 iterations)
    sinks to about half of its height within seconds with `error_reduction` 0. With 0.5 it does not sink, but gains
    upward momentum from nowhere, and with more iterations or substeps it flies apart. Low heaps, up to some ten
    layers, are fine. Forces are wrong from the second layer on (a floor feels 67 % of two, 16 % of eighteen) and do not
    converge to those of the springs unless `mass_splitting` is on; a `ForceWarning` says so when they are read.
    Grains do not rotate, so heaps stand steeper than the friction coefficient alone says.
    """

    name: Literal["p2"] = "p2"
    dt: TimeStep = Field(default=1 / 60, description="time step, s")
    iterations: Annotated[Whole, Field(ge=1, le=10_000)] = Field(
        default=10, description="solver iterations per substep"
    )
    error_reduction: Annotated[
        float, BeforeValidator(plain_number), Field(ge=0, le=1, allow_inf_nan=False)
    ] = Field(
        default=0.5, description="how much more an upper grain yields than the one that carries it, 0 to 1"
    )
    sleep_threshold: LengthOrZero = Field(
        default=0.0, description="a grain that moves less than this in a step stays where it is, m; 0: off"
    )
    method: Literal["jacobi", "gauss_seidel"] = Field(
        default="jacobi",
        description="jacobi: parallel, averaged; gauss_seidel: one contact after the other, the reference",
    )
    mass_splitting: Switch = Field(
        default=False,
        description="share a grain's mass among its contacts, so that forces converge with iterations",
    )
    substeps: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=1, description="equal parts a step is cut into"
    )
    margin: NonNegative = Field(
        default=0.1, le=10, description="reach of the contact search beyond touching, of the mean radius"
    )


class NDEM(Part):
    """Contacts with memory at velocity level: soil that carries load, and forces that converge.

    Each substep sweeps over all contacts (coloured Gauss-Seidel, warm-started from the substep before). A
    contact is an implicit spring-damper of its two materials along and across its normal, across it up to Coulomb's
    cap, so that one grain on the ground is implicit Euler, and a column of any depth comes to rest at the height of
    its springs.

    Limits. A substep of length h carries stiffnesses up to 4/(h² (1/m_i + 1/m_j)); what is stiffer is computed
    with that value, and a warning and the report's notes say so (`stiffness_used`). With automatic substeps this begins
    where more than 16 per step would be needed. Springs yield up to half a radius (of the smaller grain); from
    there on contacts are rigid. A heavy grain on light ones is carried, but its springs must be stiff enough
    for its weight. Grains do not rotate, so heaps stand steeper than the friction coefficient alone says.
    """

    name: Literal["ndem"] = "ndem"
    dt: TimeStep = Field(default=1 / 60, description="time step, s")
    substeps: Annotated[Whole, Field(ge=1, le=1000)] | None = Field(
        default=None, description="equal parts a step is cut into; none: by stiffness, mass and impact speed"
    )
    sweeps: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=2,
        description="least Gauss-Seidel sweeps over all contacts per substep; under heavy grains there are more",
    )
    relaxation_time: Annotated[
        float, BeforeValidator(plain_number), Field(ge=0, le=10, allow_inf_nan=False)
    ] = Field(
        default=0.1,
        description="loaded grains with more than one contact are damped by at least their stiffness times this, s: it "
        "calms the ringing of deep soil; 0, or a single contact: the damping of the materials alone. Contacts with "
        "friction spring back without it",
    )
    sleep_speed: NonNegative = Field(
        default=0.0,
        description="grains slower than this, among others that are, for half a second are left out of the sweeps "
        "until their load changes, m/s; 0: off",
    )
    margin: NonNegative = Field(
        default=0.15, le=10, description="reach of the contact search beyond touching, of the mean radius"
    )

    @model_validator(mode="before")
    @classmethod
    def _meant_for_p2(cls, data: Any) -> Any:
        """A table without a name that has fields of P² was written for it."""
        if isinstance(data, Mapping) and "name" not in data:
            strange = [name for name in data if name in P2.model_fields and name not in cls.model_fields]
            if strange:
                raise ValueError(f"{strange[0]!r} is a field of P²; add name = \"p2\", or leave the field out for NDEM")
        return data


def _solver_tag(settings: Any) -> str:
    """Whose settings these are. A table without a name means NDEM; a misspelt name goes to the nearest solver, which
    refuses it and offers its own."""
    name = settings.get("name", "ndem") if isinstance(settings, Mapping) else getattr(settings, "name", "ndem")
    nearest = difflib.get_close_matches(str(name), ("p2", "ndem"), n=1, cutoff=0.0)
    return f"<{nearest[0] if nearest else 'ndem'}>"


# The tags stand in angle brackets so that errors name the field without them.
SolverSettings = Annotated[
    Annotated[P2, Tag("<p2>")] | Annotated[NDEM, Tag("<ndem>")], Discriminator(_solver_tag)
]
"""Settings of any solver, told apart by `name`."""


def solver_settings_from_json(text: str) -> P2 | NDEM:
    """The settings that `model_dump_json` wrote, whichever solver's they are."""
    settings: P2 | NDEM = TypeAdapter(SolverSettings).validate_json(text)
    return settings


class Camera(Part):
    """Where a picture is taken from."""

    eye: Vector3 = Field(description="m")
    target: Vector3 = Field(description="point in the middle of the picture, m")
    field_of_view_deg: Annotated[
        float, BeforeValidator(plain_number), Field(ge=1, le=170, allow_inf_nan=False)
    ] = Field(default=35.0, description="vertical opening angle, degrees")

    @model_validator(mode="after")
    def _looks_somewhere(self) -> Self:
        if self.eye == self.target:
            raise ValueError("eye and target are the same point; move one of them")
        return self


class RunSettings(Part):
    """How long and how finely a scene runs when nobody says otherwise."""

    seconds: Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1e7, allow_inf_nan=False)] = (
        Field(default=2.0, description="simulated time, s")
    )
    frame_rate: Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=1e6, allow_inf_nan=False)] = (
        Field(default=30.0, description="recorded frames per simulated second, Hz")
    )
    camera: Camera | None = Field(default=None, description="for pictures; none: chosen from the scene")
