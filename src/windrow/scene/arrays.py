"""Numbers, vectors and arrays as scene fields: NumPy or plain lists in, finite values only, lists out.

Every number is bounded. The bounds are far outside of anything meant, and keep what follows (float32 state,
grids, packings) free of overflow, so that absurd input is an error and never a hang.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from windrow.fixed_math import norm
from windrow.scene.messages import shown

LARGEST = 1e12
"""Largest magnitude of any number in a scene, in its own unit."""

LARGEST_LENGTH = 1e7
"""Largest coordinate or length, m: beyond it float32 positions are metres apart."""


def plain_number(value: Any) -> Any:
    """A plain number; text and truth values are not silently turned into one."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("float_type", "must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.nan
    if not math.isfinite(number):
        raise PydanticCustomError("finite_number", "must be a finite number")
    return number


def _number_or_infinity(value: Any) -> Any:
    if isinstance(value, str) and value.strip().lower() in ("inf", "+inf", "infinity"):
        return math.inf
    return math.inf if isinstance(value, float) and value == math.inf else plain_number(value)


def _integer(value: Any) -> Any:
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int):
        raise PydanticCustomError("int_type", "must be a whole number")
    return value


def _path_text(value: Any) -> Any:
    return str(value) if hasattr(value, "__fspath__") else value


Number = Annotated[float, BeforeValidator(plain_number), Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
NonNegative = Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=LARGEST, allow_inf_nan=False)]
Positive = Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=LARGEST, allow_inf_nan=False)]
Length = Annotated[
    float, BeforeValidator(plain_number), Field(gt=1e-9, le=LARGEST_LENGTH, allow_inf_nan=False)
]
LengthOrZero = Annotated[
    float, BeforeValidator(plain_number), Field(ge=0, le=LARGEST_LENGTH, allow_inf_nan=False)
]
GrainRadius = Annotated[float, BeforeValidator(plain_number), Field(ge=1e-6, le=1e4, allow_inf_nan=False)]
Density = Annotated[float, BeforeValidator(plain_number), Field(ge=1e-3, le=1e6, allow_inf_nan=False)]
Degrees = Annotated[float, BeforeValidator(plain_number), Field(ge=0, lt=90, allow_inf_nan=False)]
"""An angle of friction."""
Mass = Annotated[float, BeforeValidator(plain_number), Field(ge=1e-18, le=1e18, allow_inf_nan=False)]
Fraction = Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1, allow_inf_nan=False)]
Time = Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=LARGEST, allow_inf_nan=False)]
TimeOrNever = Annotated[float, BeforeValidator(_number_or_infinity), Field(ge=0)]
PositiveOrInfinite = Annotated[float, BeforeValidator(_number_or_infinity), Field(gt=0)]
Index = Annotated[int, BeforeValidator(_integer), Field(ge=0, le=2**31 - 1)]
Whole = Annotated[int, BeforeValidator(_integer)]
Switch = Annotated[bool, Field(strict=True)]
FileName = Annotated[str, BeforeValidator(_path_text), Field(min_length=1)]


def _as_array(value: Any, kind: Literal["float", "int", "bool"]) -> NDArray[Any]:
    """An own copy of `value` as a NumPy array of the kind asked for; words, not exceptions of NumPy's."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise ValueError(f"must be a list of equally long rows of numbers (got {shown(value)})") from None
    allowed = {"float": "iuf", "int": "iu", "bool": "b"}[kind]
    if array.dtype.kind not in allowed and array.size:
        word = {"float": "numbers", "int": "whole numbers", "bool": "true and false"}[kind]
        raise ValueError(f"must hold {word} only (got {shown(value)})")
    dtype = {"float": np.float64, "int": np.int64, "bool": np.bool_}[kind]
    array = np.array(array, dtype=dtype, order="C")
    if kind == "float" and not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(np.atleast_1d(array)))[0].tolist()
        raise ValueError(f"must be finite: entry {where} is {np.atleast_1d(array)[tuple(where)]}")
    return array


@dataclass(frozen=True)
class VectorOf:
    """Marks a field as a tuple of so many lengths; `check` returns what is wrong with them, if anything."""

    length: int
    check: Callable[[NDArray[Any]], str | None] | None = None

    def validate(self, value: Any) -> tuple[float, ...]:
        array = _as_array(value, "float")
        if array.shape != (self.length,):
            raise ValueError(f"must be {self.length} numbers in a list (got {shown(value)})")
        if np.abs(array).max() > LARGEST_LENGTH:
            raise ValueError(f"must stay within ±{LARGEST_LENGTH:g} (got {shown(value)})")
        problem = self.check(array) if self.check else None
        if problem:
            raise ValueError(f"{problem} (got {shown(value)})")
        return tuple(array.tolist())

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        number = {"type": "number"}
        return {"type": "array", "items": number, "minItems": self.length, "maxItems": self.length}


def _all_positive(array: NDArray[Any]) -> str | None:
    return None if array.min() > 1e-9 else "every edge must be longer than 1e-9 m"


def _has_direction(array: NDArray[Any]) -> str | None:
    return None if norm(array) > 1e-9 else "must not be the zero vector"


def _is_color(array: NDArray[Any]) -> str | None:
    return None if array.min() >= 0 and array.max() <= 1 else "red, green and blue must be between 0 and 1"


Vector3 = Annotated[tuple[float, float, float], VectorOf(3)]
Size3 = Annotated[tuple[float, float, float], VectorOf(3, _all_positive)]
Size2 = Annotated[tuple[float, float], VectorOf(2, _all_positive)]
Direction = Annotated[tuple[float, float, float], VectorOf(3, _has_direction)]
Color = Annotated[tuple[float, float, float], VectorOf(3, _is_color)]


@dataclass(frozen=True)
class ArrayOf:
    """Marks a field as an array with one of the given shapes (`None`: any length) and range of values.

    The shape `()` is a single number, kept as a plain Python number.
    """

    shapes: tuple[tuple[int | None, ...], ...]
    kind: Literal["float", "int", "bool"] = "float"
    minimum: float = -LARGEST
    maximum: float = LARGEST
    shortest: int = 0
    """Least length of each free axis."""

    def validate(self, value: Any) -> Any:
        array = _as_array(value, self.kind)
        if not any(self._fits(array.shape, shape) for shape in self.shapes):
            wanted = " or ".join(self._words(shape) for shape in self.shapes)
            raise ValueError(f"must be {wanted} (got shape {array.shape})")
        if self.kind != "bool" and array.size:
            low, high = array.min(), array.max()
            if low < self.minimum or high > self.maximum:
                worst = low if low < self.minimum else high
                raise ValueError(
                    f"every value must lie between {self.minimum:g} and {self.maximum:g} (got {worst:g})"
                )
        return array.item() if array.ndim == 0 else array

    def _fits(self, shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
        return len(shape) == len(wanted) and all(
            length >= self.shortest if want is None else length == want
            for length, want in zip(shape, wanted, strict=True)
        )

    def _words(self, shape: tuple[int | None, ...]) -> str:
        one = {"float": "number", "int": "whole number", "bool": "true or false"}[self.kind]
        if shape == ():
            return f"one {one}" if self.kind != "bool" else one
        axes = " × ".join("n" if length is None else str(length) for length in shape)
        least = f", n at least {self.shortest}" if self.shortest else ""
        return f"a list of shape {axes}{least}"

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self.validate,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.tolist() if isinstance(value, np.ndarray) else value
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        item = {"float": "number", "int": "integer", "bool": "boolean"}[self.kind]
        options: list[dict[str, Any]] = []
        for shape in self.shapes:
            option: dict[str, Any] = {"type": item}
            for length in reversed(shape):
                option = {"type": "array", "items": option}
                if length is not None:
                    option |= {"minItems": length, "maxItems": length}
            options.append(option)
        return options[0] if len(options) == 1 else {"anyOf": options}


FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

Positions = Annotated[FloatArray, ArrayOf(((None, 3),), minimum=-LARGEST_LENGTH, maximum=LARGEST_LENGTH)]
Velocities = Annotated[FloatArray, ArrayOf(((None, 3), (3,)), minimum=-1e6, maximum=1e6)]
Radii = Annotated[float | FloatArray, ArrayOf(((), (None,)), minimum=1e-6, maximum=1e4)]
Masses = Annotated[float | FloatArray, ArrayOf(((), (None,)), minimum=1e-18, maximum=1e18)]
Switches = Annotated[bool | BoolArray, ArrayOf(((), (None,)), kind="bool")]
