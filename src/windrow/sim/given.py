"""What a simulation was made with: it can be read, and not replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NoReturn, Self, TypeVar, overload

from windrow.errors import SceneError

Value = TypeVar("Value")


class ComputedProperty(Generic[Value]):
    """A property whose assignment says what to do instead."""

    def __init__(self, read: Callable[[Any], Value]) -> None:
        self.read = read
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, simulation: None, owner: type) -> Self: ...
    @overload
    def __get__(self, simulation: object, owner: type) -> Value: ...
    def __get__(self, simulation: object | None, owner: type) -> Self | Value:
        return self if simulation is None else self.read(simulation)

    def __set__(self, simulation: object, value: Any) -> NoReturn:
        raise SceneError(
            f"{self.name}: a simulation keeps the {self.name} that it was made with. Make a new one: "
            "wr.Simulation(scene, solver=…, seed=…), with scene = sim.scene.copy() and its changes"
        )
