"""What a page may say: a closed set of small messages, each checked before anything is done with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from windrow.view.packing import Quantity

PROTOCOL = 1
"""Goes up when a page of another version could not follow."""
LONGEST_MESSAGE = 4096
"""Characters a page may send at once."""


class Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ack(Said):
    """The page has a frame; the next may come."""

    type: Literal["ack"]
    sequence: int = Field(ge=0, lt=2**32)


class Color(Said):
    """Which quantity the fourth number of each grain carries, for this page."""

    type: Literal["color"]
    quantity: Quantity


class Operate(Said):
    """The page wants to be the one that steers."""

    type: Literal["operate"]


class Pause(Said):
    type: Literal["pause"]


class Resume(Said):
    type: Literal["resume"]


class Step(Said):
    """So many steps (frames of a recording; back if negative), then pause."""

    type: Literal["step"]
    count: int = Field(default=1, ge=-100, le=100)


class Reset(Said):
    type: Literal["reset"]


class TimeScale(Said):
    """Simulated seconds per wall second."""

    type: Literal["time_scale"]
    value: float = Field(ge=0.01, le=100.0, allow_inf_nan=False)


class ChooseScene(Said):
    type: Literal["scene"]
    name: str = Field(max_length=200)


class Save(Said):
    type: Literal["save"]


class Restore(Said):
    type: Literal["restore"]
    number: int = Field(ge=0, lt=2**31)


class Seek(Said):
    """Moment of a recording, s."""

    type: Literal["seek"]
    time: float = Field(allow_inf_nan=False)


Command = Pause | Resume | Step | Reset | TimeScale | ChooseScene | Save | Restore | Seek
"""What only the operator may say."""

Message = Annotated[Ack | Color | Operate | Command, Field(discriminator="type")]

_MESSAGE: TypeAdapter[Ack | Color | Operate | Command] = TypeAdapter(Message)


class BadMessageError(ValueError):
    """A message that no page of ours sends."""


def message_from(text: str) -> Ack | Color | Operate | Command:
    """The checked message; BadMessageError says what is wrong with it."""
    if len(text) > LONGEST_MESSAGE:
        raise BadMessageError(f"message of {len(text)} characters; {LONGEST_MESSAGE} are allowed")
    try:
        return _MESSAGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "message"
        raise BadMessageError(f"{place}: {first['msg']}") from None
