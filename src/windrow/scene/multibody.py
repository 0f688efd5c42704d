"""How rigid bodies are computed: substeps, softness of contacts, joining of bodies at rest."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from windrow.scene.arrays import NonNegative, Positive, Whole, plain_number
from windrow.scene.part import Part


class Merging(Part):
    """Bodies at rest on each other become one body until something disturbs them."""

    speed: Positive = Field(default=0.02, description="contacts slower than this may join, m/s")
    rest_time: NonNegative = Field(
        default=0.25, description="for which all contacts of a body must have been slow, s"
    )
    wake_speed: Positive = Field(
        default=0.1,
        description="a body that would be moved faster than this by what hits or drags it is split, m/s",
    )
    support_moves: Positive = Field(
        default=0.003, description="a body is split when a body that carried it has moved by this, m"
    )


class Multibody(Part):
    """Numbers of the rigid-body solver; the time step is that of the scene's solver."""

    substeps: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=4, description="equal parts a step is cut into"
    )
    contact_rate: Positive = Field(
        default=30.0,
        description="natural frequency of the contact springs, Hz; at most a quarter of the substep rate",
    )
    contact_damping_ratio: NonNegative = Field(
        default=10.0, description="of the contact springs, 1: critical"
    )
    push_out_speed: Positive = Field(
        default=3.0, description="overlapping bodies part no faster than this, m/s"
    )
    margin: Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=10)] = Field(
        default=0.02, description="gap at which a pair of bodies is looked at, m"
    )
    sweeps: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=1, description="passes over the contacts per substep"
    )
    merging: Merging | None = Field(default=None, description="join bodies at rest; none: never")
