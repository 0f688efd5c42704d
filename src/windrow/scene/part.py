"""What every piece of a scene has in common: checked fields, and errors that are Windrow's own."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, dataclass_transform

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from windrow.errors import SceneError
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
        try:
            super().__setattr__(name, value)
        except ValidationError as error:
            raise SceneError(explain(error, type(self).__name__, {name: value})) from None

    def __eq__(self, other: object) -> bool:
        # Field by field would compare arrays, whose == is not one truth value.
        return type(self) is type(other) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]
