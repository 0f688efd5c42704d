"""What moves in a step: grains, then bodies, then the ground."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from windrow.solvers.multibody.report import MultibodyReport
from windrow.solvers.report import SolverReport
from windrow.team import TEAM

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation


def advance(simulation: Simulation) -> tuple[SolverReport, MultibodyReport]:
    """Grains, then bodies: over the whole step, or in parts where bodies are spun so fast that it takes several."""
    state, dt = simulation.state, simulation.solver.dt
    begin, done = state.time, 0.0
    bodies_begin = 0.0 if simulation.bodies is None else simulation.bodies.time
    solved, moved = SolverReport(), MultibodyReport()
    force, torque = np.zeros_like(state.body_force), np.zeros_like(state.body_torque)
    simulation.tools.begin(simulation)
    while done < dt * (1.0 - 1e-6):
        simulation._stepper.stop.look()
        part = dt - done
        if simulation._movers is not None:
            part = simulation._movers.part(state, part, dt)
            simulation._movers.begin(part)
            simulation._movers.preview(state)
        reported = simulation._stepper.step(state, part, simulation._movers)
        part = reported.span
        solved.take_in(reported)
        simulation._seen("solver")
        moved.take_in(_move_bodies(simulation, part))
        simulation._seen("bodies")
        if part == dt:
            break
        done += part
        force += part / dt * state.body_force
        torque += part / dt * state.body_torque
        state.body_force[:], state.body_torque[:] = force, torque
    state.time = begin + dt
    state.step += 1
    if simulation.bodies is not None:
        simulation.bodies.time = bodies_begin + dt
    return solved, moved


def _move_bodies(simulation: Simulation, dt: float) -> MultibodyReport:
    """Moves the bodies, and adds what touches them to the forces on bodies and obstacles."""
    if simulation.bodies is None:
        return MultibodyReport()
    obstacles = len(simulation.assembled.obstacles)
    assert simulation._movers is not None
    force, torque = simulation._movers.hand_over()
    simulation.state.body_force[obstacles:], simulation.state.body_torque[obstacles:] = force, torque
    simulation.tools.push(simulation, dt)
    if simulation._ground is not None and simulation._ground.digging is not None:
        simulation._ground.digging.beds.push(simulation, dt)
    report = simulation.bodies.step(dt)
    simulation._movers.settle()
    force, torque = simulation.bodies.touch_forces()
    simulation.tools.touched = force
    # in the stepper's order bodies come before obstacles
    order = np.roll(np.arange(len(force)), obstacles)
    simulation.state.body_force += force[order]
    simulation.state.body_torque += torque[order]
    return report


def exchange_ground(simulation: Simulation) -> tuple[dict[str, float], dict[str, float]]:
    """Lets ground turn into grains before tools, and grains at rest into ground; returns notes and the wall time."""
    if simulation._ground is None or simulation._ground.digging is None:
        return {}, {}
    begin = perf_counter()
    done = simulation._ground.digging.step(simulation)
    if done is not None:
        simulation._ground.tell(simulation.state)
    simulation._seen("digging")
    return {} if done is None else done.notes(), {"digging": perf_counter() - begin}


def move_ground(simulation: Simulation, free: int) -> dict[str, float]:
    """Lets tools dig and the ground move, on so many threads; returns the wall time it took."""
    begin = perf_counter()
    simulation.tools.end(simulation)
    if simulation._ground is None:
        return {}
    TEAM.use(free)
    simulation._ground.step(simulation.state, simulation.solver.dt)
    simulation._seen("ground")
    return {"ground": perf_counter() - begin}
