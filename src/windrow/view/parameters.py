"""Numbers of a scene that an operator may change while it runs: which there are, in which unit and range.

Names, units, ranges and checks are those of the scene's own fields. Where the solver looks a number up in every
step, it is changed in place; else the simulation is built anew around its present state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal, cast, get_args, get_origin

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from windrow.errors import SceneError, unknown_name
from windrow.scene.files import scene_to_json
from windrow.scene.part import Part
from windrow.scene.scene import Scene
from windrow.scene.settings import SolverSettings
from windrow.sim.simulation import Simulation
from windrow.solvers.registry import solver_class
from windrow.view.costs import Costs, Numbers, numbers_of

Value = bool | int | float | str
Kind = Literal["number", "whole", "switch", "choice"]

MATERIAL_FIELDS = ("friction_static", "friction_kinetic", "wall_friction", "adhesion", "stiffness", "damping")
FIXED_MATERIAL_FIELDS = {"density": "grains keep the mass they were made with; change it in the scene"}
FIXED_SOLVER_FIELDS = ("name",)
FIXED_MULTIBODY_FIELDS = ("merging",)
AXES = ("x", "y", "z")
STRONGEST_GRAVITY = 30.0
"""m/s²; end of the slider: more than on any planet one can stand on."""
BEYOND = 10.0
"""A slider without a natural end reaches so many times the present value."""
UNITS = ("N·s/m", "kg/m³", "m/s²", "N/m", "m/s", "Pa", "Hz", "degrees", "kg", "m", "s", "–")
AUTOMATIC = 0
"""Stands for a whole number that is left to the solver."""


@dataclass(frozen=True)
class Item:
    """A number as a page shows it."""

    path: str
    group: str
    label: str
    description: str
    unit: str
    kind: Kind
    value: Value
    low: float | None
    high: float | None
    step: float | None
    logarithmic: bool
    choices: list[str]
    restarts: bool
    """whether the simulation is built anew around its state"""

    def told(self) -> dict[str, Any]:
        return asdict(self)


def items(simulation: Simulation) -> list[Item]:
    """All that may be changed, as it is now."""
    return [*_gravity(simulation), *_materials(simulation), *_solver(simulation), *_multibody(simulation)]


def changed(simulation: Simulation, path: str, value: Value) -> Simulation:
    """The simulation with another number: the same one, or one that continues from where it is.

    Raises SceneError with the reason when the number cannot be changed, or not to this.
    """
    head, _, rest = path.partition(".")
    if head == "gravity" and rest in AXES:
        again, scene = _with_gravity(simulation, AXES.index(rest), value)
    elif head == "materials":
        name, _, field = rest.rpartition(".")
        again, scene = _with_material(simulation, name, field, value)
    else:
        numbers = numbers_with(simulation, path, value)
        if numbers is None:
            raise SceneError(unknown_name("parameter", path, [item.path for item in items(simulation)]))
        scene = _copy(simulation.scene, multibody=numbers.multibody)
        again, scene = _rebuilt(simulation, scene, numbers.solver)
    again._continue_as(scene, simulation, path, value)
    return again


def affordable(simulation: Simulation, path: str, value: Value, costs: Costs) -> Value:
    """The value, or the nearest to it with which a step does not take too long."""
    if numbers_with(simulation, path, value) is None or isinstance(value, bool | str):
        return value
    head, _, field = path.partition(".")
    now = getattr(getattr(numbers_of(simulation), head), field)
    then = cast(Callable[[float], Numbers], partial(numbers_with, simulation, path))
    least = costs.limited(1 if now is None else now, value, then)
    # between a number and what the solver chooses itself there is nothing
    return now if least != value and value == AUTOMATIC and now is not None else least


def numbers_with(simulation: Simulation, path: str, value: Value) -> Numbers | None:
    """Settings of the solvers with another value; None: the path is none of theirs."""
    head, _, field = path.partition(".")
    numbers = numbers_of(simulation)
    fields = {"solver": _solver_fields, "multibody": _multibody_fields}.get(head)
    if fields is None or field not in fields(simulation):
        return None
    replaced = _replaced(getattr(numbers, head), field, value)
    if head == "solver" and getattr(replaced, field) is None:
        replaced = _chosen(simulation, replaced)
    return numbers._replace(**{head: replaced})


# --- what there is ---------------------------------------------------------------------------------------


def _gravity(simulation: Simulation) -> Iterator[Item]:
    for axis, value in zip(AXES, simulation.scene.gravity, strict=True):
        yield Item(
            path=f"gravity.{axis}",
            group="gravity",
            label=axis,
            description=f"gravity along {axis}, m/s²",
            unit="m/s²",
            kind="number",
            value=float(value),
            low=-STRONGEST_GRAVITY,
            high=STRONGEST_GRAVITY,
            step=0.01,
            logarithmic=False,
            choices=[],
            restarts=False,
        )


def _materials(simulation: Simulation) -> Iterator[Item]:
    used = _materials_in_use(simulation.assembled)
    for name, material in simulation.assembled.materials.items():
        if name in used:
            for field in MATERIAL_FIELDS:
                if getattr(material, field) is not None:
                    yield _item(
                        material, field, f"materials.{name}.{field}", name, not _pairs_in_place(simulation)
                    )


def _solver(simulation: Simulation) -> Iterator[Item]:
    if simulation.state.count == 0 and not simulation.scene.emitters:
        return
    for field in _solver_fields(simulation):
        if not _left_open(simulation.solver, field):
            yield _item(
                simulation.solver, field, f"solver.{field}", f"solver {simulation.solver.name}", restarts=True
            )


def _multibody(simulation: Simulation) -> Iterator[Item]:
    for field in _multibody_fields(simulation):
        settings = simulation.scene.multibody
        yield _item(settings, field, f"multibody.{field}", "rigid bodies", restarts=True)


def _solver_fields(simulation: Simulation) -> list[str]:
    return [field for field in type(simulation.solver).model_fields if field not in FIXED_SOLVER_FIELDS]


def _left_open(part: Part, field: str) -> bool:
    """Whether it is left to the solver, and no slider or list has a place for that; for whole numbers 0 is one."""
    return getattr(part, field) is None and _kind(type(part).model_fields[field].annotation)[0] != "whole"


def _multibody_fields(simulation: Simulation) -> list[str]:
    if simulation.bodies is None:
        return []
    fields = type(simulation.scene.multibody).model_fields
    return [field for field in fields if field not in FIXED_MULTIBODY_FIELDS]


def _item(part: Part, field: str, path: str, group: str, restarts: bool) -> Item:
    info = type(part).model_fields[field]
    value = getattr(part, field)
    kind, choices = _kind(info.annotation)
    low, high = _bounds(info)
    description = info.description or ""
    if kind == "whole" and type(None) in get_args(info.annotation):
        low, value, description = AUTOMATIC, value or AUTOMATIC, f"{description}; 0: automatic"
    logarithmic = False
    if kind in ("number", "whole"):
        reach = BEYOND * abs(float(value)) or 1.0
        if high is None or high > 100 * max(reach, 1.0):
            high = max(reach, 1.0) if kind == "number" else max(round(reach), 10)
            logarithmic = high > 1e3
        if low is None or low < -reach:
            low = -reach
    return Item(
        path=path,
        group=group,
        label=field.replace("_", " "),
        description=description,
        unit=unit_in(description) if kind == "number" else "",
        kind=kind,
        value=value,
        low=low,
        high=high,
        step=1 if kind == "whole" else None,
        logarithmic=logarithmic,
        choices=choices,
        restarts=restarts,
    )


def unit_in(description: str) -> str:
    """The unit that a field's description names: what its first part or one after a comma begins with."""
    for part in re.split(r"[,;] ", description):
        for unit in UNITS:
            if part == unit or part.startswith((f"{unit} ", f"{unit};")):
                return "" if unit == "–" else unit
    return ""


def _kind(annotation: Any) -> tuple[Kind, list[str]]:
    for part in (annotation, *get_args(annotation)):
        if get_origin(part) is Literal:
            return "choice", [str(choice) for choice in get_args(part)]
    plain = [part for part in (get_args(annotation) or (annotation,)) if part is not type(None)]
    plain = [get_args(part)[0] if hasattr(part, "__metadata__") else part for part in plain]
    if bool in plain:
        return "switch", []
    return ("whole" if int in plain else "number"), []


def _bounds(info: Any) -> tuple[float | None, float | None]:
    """Least and largest value that the field takes, wherever in its annotation they are said."""
    low: float | None = None
    high: float | None = None
    for rule in _rules([*info.metadata, info.annotation]):
        if isinstance(rule, Ge | Gt):
            least = float(rule.ge if isinstance(rule, Ge) else rule.gt)  # type: ignore[arg-type]
            low = least if low is None else max(low, least)
        elif isinstance(rule, Le | Lt):
            most = float(rule.le if isinstance(rule, Le) else rule.lt)  # type: ignore[arg-type]
            high = most if high is None else min(high, most)
    return low, high


def _rules(parts: list[Any]) -> Iterator[Any]:
    for part in parts:
        yield part
        yield from _rules(list(getattr(part, "metadata", ()) or ()))
        yield from _rules(list(getattr(part, "__metadata__", ()) or ()))
        if get_args(part) and get_origin(part) is not Literal:
            yield from _rules([inner for inner in get_args(part) if inner is not type(None)])


def _materials_in_use(scene: Scene) -> set[str]:
    """What grains, obstacles and bodies are made of."""
    sources = [*scene.particles, *scene.emitters, *scene.obstacles, *scene.bodies]
    return {source.material for source in sources}


# --- how it is changed -----------------------------------------------------------------------------------


Changed = tuple[Simulation, Scene]
"""A simulation that has the other number, and the scene that it now is of."""


def _with_gravity(simulation: Simulation, axis: int, value: Value) -> Changed:
    given: list[Any] = list(simulation.scene.gravity)
    given[axis] = value
    scene: Any = _copy(simulation.scene)
    scene.gravity = given
    simulation._model_changed("gravity", scene)
    return simulation, scene


def _with_material(simulation: Simulation, name: str, field: str, value: Value) -> Changed:
    known = simulation.assembled.materials
    if name not in known:
        raise SceneError(unknown_name("material", name, known))
    if field in FIXED_MATERIAL_FIELDS:
        raise SceneError(f"materials.{name}.{field}: {FIXED_MATERIAL_FIELDS[field]}")
    if field not in MATERIAL_FIELDS:
        raise SceneError(unknown_name("number of a material", field, MATERIAL_FIELDS))
    material = _replaced(known[name], field, value)
    # One that a machine brought along becomes the scene's own, which then counts for the machine, too.
    scene = _copy(simulation.scene, materials=simulation.scene.materials | {name: material})
    if not _pairs_in_place(simulation):
        return _rebuilt(simulation, scene, simulation.solver)
    simulation._model_changed("pairs", scene)
    return simulation, scene


def _replaced(part: Any, field: str, value: Value) -> Any:
    """A copy with one field changed, checked as if it had been in the scene's file."""
    info = type(part).model_fields[field]
    if (
        _kind(info.annotation)[0] == "whole"
        and type(None) in get_args(info.annotation)
        and value == AUTOMATIC
    ):
        value = None  # type: ignore[assignment]
    copy = part.model_copy()
    setattr(copy, field, value)
    return copy


def _chosen(simulation: Simulation, solver: SolverSettings) -> SolverSettings:
    """The settings with what they leave to the solver, as it chooses for the grains that there are."""
    state, n = simulation.state, simulation.state.count
    mass = 1.0 / np.maximum(state.V[:n, 3].astype(np.float64), 1e-30)
    movable = state.V[:n, 3] > 0
    grains: dict[str, Any] = {
        "position": state.X[:n, :3][movable],
        "radius": state.X[:n, 3][movable],
        "mass": mass[movable],
        "material": state.material[:n][movable],
    }
    resolved: SolverSettings = solver_class(solver.name).resolved(solver, simulation.assembled, grains)
    return resolved


def _copy(scene: Scene, **changes: Any) -> Scene:
    copy = scene.model_copy(update=changes)
    copy._base_dir = scene._base_dir
    return copy


def _rebuilt(simulation: Simulation, scene: Scene, solver: SolverSettings) -> Changed:
    """A simulation of another scene or solver that goes on from the present state."""
    snapshot = simulation.snapshot()
    snapshot["scene"] = scene_to_json(_copy(scene, solver=solver))
    snapshot["solver"] = solver.model_dump_json()
    again = Simulation.restore(snapshot, simulation.threads)
    again.last_report = simulation.last_report
    if again.bodies is not None:
        again.bodies.wake_all()  # bodies at rest that are joined do not look at what has changed around them
    return again, again.scene


def _pairs_in_place(simulation: Simulation) -> bool:
    """Whether the solver looks contact numbers up in every step; bodies prepare tables of them."""
    return "pairs" in simulation._stepper.live and simulation.bodies is None


__all__ = ["Item", "affordable", "changed", "items", "unit_in"]
