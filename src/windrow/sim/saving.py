"""What a simulation keeps and takes back: the one way of snapshots, of `restore` and of `reset`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from windrow.record.checkpoint import Mark
from windrow.sim.digging.setting_up import lay_ground
from windrow.sim.saved import Changes, Kept, Snapshot
from windrow.solvers.multibody.form import check as check_bodies
from windrow.state.form import checked
from windrow.state.state import check_state

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation


def contents_of(simulation: Simulation) -> dict[str, Any]:
    """Everything that decides how it continues, by name."""
    bodies = {f"bodies.{name}": value for name, value in _bodies_memory(simulation).items()}
    ground = {f"ground.{name}": value for name, value in _ground_memory(simulation).items()}
    held = {f"tools.{name}": value for name, value in simulation.tools.memory().items() if name == "held"}
    return {**simulation.state.snapshot(), **simulation._stepper.memory(), **bodies, **ground, **held}


def snapshot_of(simulation: Simulation) -> Snapshot:
    """Everything that a simulation which continues is made of; see `Saved`."""
    return {
        **kept_of(simulation).flat(),
        **{f"links.{name}": value.copy() for name, value in vars(simulation.model.links).items()},
        "changes": json.dumps(simulation.changes),
        "scene": simulation._scene_text,
        "solver": simulation._solver_text,
    }


def kept_of(simulation: Simulation) -> Kept:
    """All that a run changes, and what is read of its last step."""
    state, stepper = simulation.state, simulation._stepper
    readings = {} if simulation.bodies is None else simulation.bodies.readings()
    bodies = {**_bodies_memory(simulation), **readings}
    ground, tools = _ground_memory(simulation), simulation.tools.memory()
    return Kept(state.snapshot(), {**stepper.memory(), **stepper.readings(state)}, bodies, ground, tools)


def recall(simulation: Simulation, kept: Kept, changes: Changes, mark: Mark | None) -> None:
    """Takes back what `kept_of` gave, in place; FileFormatError, and nothing is changed, where it does not fit."""
    bodies, movers = simulation.bodies, simulation._movers
    check_state(kept.state, simulation.assembled, simulation._stepper.columns)
    simulation._stepper.check(kept.memory)
    simulation.tools.check(kept.tools)
    if simulation._ground is None:
        checked("ground", kept.ground, {}, {})
    else:
        simulation._ground.check(kept.ground, kept.tools)
    if bodies is None or movers is None:
        checked("bodies", kept.bodies, {}, {})
    else:
        check_bodies(bodies, kept.bodies, movers.form())
        bodies.recall(kept.bodies)
        movers.recall(kept.bodies)
    simulation.state.take(kept.state)
    simulation._stepper.recall(kept.memory)
    lay_ground(simulation)
    if simulation._ground is not None:
        simulation._ground.recall(simulation, kept.ground)
    simulation.tools.recall(kept.tools)
    simulation.last_report, simulation.changes, simulation.mark = None, changes, mark


def _bodies_memory(simulation: Simulation) -> dict[str, Any]:
    if simulation.bodies is None or simulation._movers is None:
        return {}
    return {**simulation.bodies.memory(), **simulation._movers.memory()}


def _ground_memory(simulation: Simulation) -> dict[str, Any]:
    return {} if simulation._ground is None else simulation._ground.memory()
