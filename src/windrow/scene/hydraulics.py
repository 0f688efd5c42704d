"""What drives the functions of a machine: an engine, pumps that share its power, and levers that open valves."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from windrow.scene.arrays import Fraction, NonNegative, Positive, plain_number
from windrow.scene.part import Part


class Engine(Part):
    """Gives power to the pumps, and no more than it has."""

    power: Positive = Field(description="at its shaft, W")
    efficiency: Fraction = Field(
        default=0.85, description="share of it that reaches the oil, 0 to 1; what pumps and cooling take is lost"
    )


class Pump(Part):
    """Gives oil to all cylinders and hydraulic drives that name it; when they want more, each gets its share."""

    flow: Positive = Field(description="m³/s at most")
    pressure_limit: Positive = Field(description="at which its relief valve opens, Pa")
    engine: str = Field(
        default="",
        max_length=100,
        description="name of the engine that turns it; empty: that of the machine, in a scene one without limit",
    )


class Lever(Part):
    """From the hand to the valve: a dead band, a curve that is fine near the middle, and a lag."""

    dead_band: Annotated[float, BeforeValidator(plain_number), Field(ge=0, lt=1)] = Field(
        default=0.1, description="share of the way in which nothing happens, 0 to 1"
    )
    exponent: Annotated[float, BeforeValidator(plain_number), Field(ge=1, le=10)] = Field(
        default=1.7, description="of the curve behind the dead band: opening = way^exponent"
    )
    lag: NonNegative = Field(default=0.1, description="time constant with which the valve follows, s")
