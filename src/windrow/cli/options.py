"""Options that several commands share, and values that need more than a number to check."""

from __future__ import annotations

import functools
import inspect
import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_type_hints

import typer

from windrow.errors import SceneError

if TYPE_CHECKING:
    from windrow.scene.part import Part
    from windrow.scene.scene import Scene

SceneName = Annotated[
    str, typer.Argument(metavar="SCENE", help="Built-in name (see `windrow list`) or file.")
]
Threads = Annotated[int | None, typer.Option(help="Threads to compute on; all cores if left out.")]
CheckpointEvery = Annotated[
    float | None,
    typer.Option(metavar="S", help="Wall seconds between checkpoints: what a power cut can cost."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object at the end, nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no summary; warnings are still shown.")]

UNITS = {"k": 1e3, "M": 1e6, "G": 1e9}


def grain_count(text: str, option: str) -> int:
    """From 20M, 1.4M, 500k or 400000."""
    unit = UNITS.get(text[-1:], 1.0)
    try:
        value = float(text[:-1] if text[-1:] in UNITS else text) * unit
    except ValueError:
        value = float("nan")
    if not 1.0 <= value <= 1e12:
        raise SceneError(f"{option} {text!r}: write a number such as 20M, 500k or 400000")
    return round(value)


def flattened(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each parameter that is a NamedTuple of options replaced by its fields, which Typer reads."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if hasattr(kind, "_fields")}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind = groups.get(name)
        if kind is None:
            parameters.append(parameter.replace(annotation=hints[name], kind=parameter.KEYWORD_ONLY))
            continue
        for field, hint in get_type_hints(kind, include_extras=True).items():
            default = kind._field_defaults[field]
            parameters.append(inspect.Parameter(field, parameter.KEYWORD_ONLY, default=default, annotation=hint))

    @functools.wraps(command)
    def called(**values: Any) -> None:
        for name, kind in groups.items():
            values[name] = kind(**{field: values.pop(field) for field in kind._fields})
        command(**values)

    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    cast(Any, called).__signature__ = inspect.Signature(parameters)
    del cast(Any, called).__wrapped__
    return called


def check_at_least(option: str, value: float | None, least: float) -> None:
    """Refuses a number that is too small or none at all; the message names it, which Typer's own does not."""
    if value is not None and not (least <= value < math.inf):
        raise SceneError(f"{option}: must be at least {least:g} and finite (got {value:g})")


def apply_option(part: Part, field: str, value: Any) -> None:
    """Writes an option into the field of the scene that it stands for; the field knows what is allowed."""
    try:
        setattr(part, field, value)
    except SceneError as error:
        problem = str(error).removeprefix(f"{type(part).__name__}: {field}: ")
        raise SceneError(f"--{field.replace('_', '-')}: {problem}") from None


def apply_solver_options(scene: Scene, options: list[str]) -> None:
    """Changes the scene's solver settings by `key=value` words; raises SceneError for what does not fit.

    `name=…` takes another solver, which starts from its own defaults.
    """
    if not options:
        return
    given: dict[str, Any] = {}
    for option in options:
        key, equals, text = option.partition("=")
        if not equals:
            raise SceneError(f"--solver-option {option!r}: write key=value, for example substeps=8")
        given[key] = _value(text)
    same = given.get("name", scene.solver.name) == scene.solver.name
    values = {**(scene.solver.model_dump() if same else {}), **given}
    try:
        scene.solver = cast(Any, values)
    except SceneError as error:
        problem = str(error).removeprefix("Scene: solver").removeprefix(".")
        raise SceneError(f"--solver-option {problem}".replace(" : ", ": ")) from None


def _value(text: str) -> Any:
    """A number, true or false as a scene file writes it; anything else is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def picture_size(text: str) -> tuple[int, int]:
    """Width and height from `1280x720`."""
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()):
        raise SceneError(f"--size {text!r}: write WIDTHxHEIGHT in pixels, for example 1280x720")
    return int(width), int(height)


def check_folder(path: Path) -> None:
    """Refuses an output in a folder that is not there, before any work is done."""
    if not path.parent.is_dir():
        raise SceneError(f"{path}: folder {path.parent} does not exist; create it or write elsewhere")
    if path.is_dir():
        raise SceneError(f"{path}: is a folder; name a file inside it")
