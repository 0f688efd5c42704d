"""Lists and tables of a scene that a simulation was made of: they can be read, and not changed."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from windrow.errors import SceneError


def refuse_change(place: str) -> NoReturn:
    """Says that nothing would follow from a change, and what to do instead."""
    raise SceneError(
        f"{place or 'scene'}: the scene of a simulation cannot be changed, as the simulation is made of it already. "
        "Change a copy and make a new simulation: scene = sim.scene.copy(), then wr.Simulation(scene)"
    )


class FrozenList(list[Any]):
    """A list that refuses changes; `place` says which field of the scene it is. Copies are plain lists."""

    __slots__ = ("place",)

    def __init__(self, items: Iterable[Any], place: str) -> None:
        super().__init__(items)
        self.place = place

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        refuse_change(self.place)

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def __copy__(self) -> list[Any]:
        return list(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return copy.deepcopy(list(self), memo)

    def __reduce__(self) -> Any:
        return FrozenList, (list(self), self.place)


class FrozenDict(dict[str, Any]):
    """A dict that refuses changes; see `FrozenList`."""

    __slots__ = ("place",)

    def __init__(self, items: Mapping[str, Any], place: str) -> None:
        super().__init__(items)
        self.place = place

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        refuse_change(self.place)

    update = setdefault = pop = popitem = clear = _refuse
    __setitem__ = __delitem__ = __ior__ = _refuse

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return copy.deepcopy(dict(self), memo)

    def __reduce__(self) -> Any:
        return FrozenDict, (dict(self), self.place)
