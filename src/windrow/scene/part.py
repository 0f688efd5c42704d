"""What every piece of a scene has in common: checked fields, and errors that are Windrow's own."""

from __future__ import annotations

import copy
import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, dataclass_transform

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from windrow.errors import SceneError
from windrow.scene.freezing import FrozenDict, FrozenList, refuse_change
from windrow.scene.messages import explain

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


@dataclass_transform(kw_only_default=True, field_specifiers=(Field,))
class _PartClass(ModelMetaclass):
    """Turns a refused construction into a `SceneError`.

    It acts on `Box(...)` written in Python only: tables nested in a file do not pass here, so that their
    problems are gathered with the full path and reported together.
    """

    def __call__(cls, *args: Any, **fields: Any) -> Any:
        try:
            return super().__call__(*args, **fields)
        except ValidationError as error:
            name = fields.get("name")
            named = f" {name[:60]!r}" if isinstance(name, str) and name else ""
            raise SceneError(explain(error, cls.__name__ + named, fields)) from None


class Part(BaseModel, metaclass=_PartClass):
    """A table of a scene file; unknown fields are refused, assignments are checked."""

    model_config = ConfigDict(
        extra="forbid",
        validate_assignment=True,
        arbitrary_types_allowed=True,
        use_attribute_docstrings=False,
        protected_namespaces=(),
        # Importing Windrow stays quick: the checks of a part are built when one is first made.
        defer_build=True,
    )

    _place: str | None = PrivateAttr(default=None)
    """Where in the scene of a simulation this is; None: it belongs to none, and may be changed."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_fields(cls, data: Any) -> Any:
        """Before pydantic does, because the nearest field can be named here."""
        if isinstance(data, Mapping):
            known = list(cls.model_fields)
            strange = [str(key) for key in data if key not in cls.model_fields]
            if strange:
                sentences = []
                for name in strange[:4]:
                    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
                    hint = f" (did you mean {near[0]!r}?)" if near else ""
                    sentences.append(f"unknown field {name[:60]!r}{hint}")
                raise ValueError(f"{', '.join(sentences)}. Known: {', '.join(known)}")
        return data

    def written_fields(self) -> set[str]:
        """Names of the fields that a file has to say."""
        return set(type(self).model_fields)

    def written(self, name: str) -> Any:
        """What a file says in one of those fields."""
        return getattr(self, name)

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise SceneError(explain(error, cls.__name__, obj)) from None

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name not in type(self).model_fields:
            near = difflib.get_close_matches(name, list(type(self).model_fields), n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise SceneError(f"{type(self).__name__} has no field {name!r}{hint}")
        self._refuse_if_frozen(name)
        try:
            super().__setattr__(name, value)
        except ValidationError as error:
            raise SceneError(explain(error, type(self).__name__, {name: value})) from None

    def __delattr__(self, name: str) -> None:
        self._refuse_if_frozen(name)
        super().__delattr__(name)

    def _refuse_if_frozen(self, name: str) -> None:
        if not name.startswith("_") and self._place is not None:
            refuse_change(_below(self._place, name))

    def frozen(self, place: str = "") -> Self:
        """A copy that nobody can change, all the way down; `place` is that of this part in the scene, for messages.

        What is frozen already is not copied again.
        """
        if self._place is not None:
            return self
        made = copy.copy(self)
        for name, value in made.__dict__.items():
            made.__dict__[name] = _frozen(value, _below(place, name))
        made._place = place
        return made

    def copy(self) -> Self:  # type: ignore[override]
        """A copy all the way down. It may be changed, also where this one belongs to a simulation."""
        return copy.deepcopy(self)

    def __copy__(self) -> Self:
        made = super().__copy__()
        made._place = None
        return made

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        made = super().__deepcopy__(memo)
        made._place = None
        return made

    def __eq__(self, other: object) -> bool:
        # Field by field would compare arrays, whose == is not one truth value.
        return type(self) is type(other) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]


def _below(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _frozen(value: Any, place: str) -> Any:
    """A field's value that cannot be changed."""
    if isinstance(value, Part):
        return value.frozen(place)
    if isinstance(value, FrozenList | FrozenDict):
        return value
    if isinstance(value, list):
        return FrozenList((_frozen(item, f"{place}[{k}]") for k, item in enumerate(value)), place)
    if isinstance(value, dict):
        return FrozenDict({key: _frozen(item, _below(place, key)) for key, item in value.items()}, place)
    if isinstance(value, np.ndarray) and value.flags.writeable:
        value = value.copy()
        value.flags.writeable = False
    return value
