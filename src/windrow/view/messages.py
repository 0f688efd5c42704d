"""What a page may say: a closed set of small messages, each checked before anything is done with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from windrow.view.packing import Quantity

PROTOCOL = 2
"""Goes up when a page of another version could not follow."""
LONGEST_MESSAGE = 4096
"""Characters a page may send at once."""
MOST_CONTROLS = 64
"""Controls in one message."""

ControlName = Annotated[str, Field(min_length=1, max_length=200)]
Lever = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
"""Where a lever is, −1…1."""


class Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ack(Said):
    """The page has a frame; the next may come."""

    type: Literal["ack"]
    sequence: int = Field(ge=0, lt=2**32)


class Color(Said):
    """Which quantity the fourth number of each grain carries, for this page."""

    type: Literal["color"]
    quantity: Quantity = Field(pattern=r"^[^\W\d]\w{0,63}$")


class Operate(Said):
    """The page wants to be the one that steers."""

    type: Literal["operate"]


class Control(Said):
    """How far the operator's levers are out; each is held until the page says otherwise.

    A page repeats it while any is not at rest, see `controls.DEAD_MAN`. `stamp` counts up; frames tell the
    highest one they obey, so that a page can measure how long its hand takes to show.
    """

    type: Literal["control"]
    values: dict[ControlName, Lever] = Field(max_length=MOST_CONTROLS)
    stamp: int = Field(default=0, ge=0, lt=2**53)


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


class Parameter(Said):
    """Another value for a number of the scene; `parameters` says which there are."""

    type: Literal["parameter"]
    path: str = Field(max_length=300)
    value: bool | int | float | str = Field(union_mode="smart")


class ForTask(Said):
    """Begins the scene's task now, or ends it."""

    type: Literal["task"]
    action: Literal["start", "stop"]


Command = (
    Pause | Resume | Step | Reset | TimeScale | ChooseScene | Save | Restore | Seek | Parameter | ForTask
)
"""What only the operator may say."""

Heard = Ack | Color | Operate | Control | Command
"""Everything that a page may say."""

Message = Annotated[Heard, Field(discriminator="type")]

_MESSAGE: TypeAdapter[Heard] = TypeAdapter(Message)


class BadMessageError(ValueError):
    """A message that no page of ours sends."""


def message_from(text: str) -> Heard:
    """The checked message; BadMessageError says what is wrong with it."""
    if len(text) > LONGEST_MESSAGE:
        raise BadMessageError(f"message of {len(text)} characters; {LONGEST_MESSAGE} are allowed")
    try:
        return _MESSAGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "message"
        raise BadMessageError(f"{place}: {first['msg']}") from None
