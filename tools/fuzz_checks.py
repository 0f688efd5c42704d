"""What trials of `fuzz.py` share: odd values, and what must hold of a simulation whatever it computes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

Chance = np.random.Generator
ODD_NUMBERS = (0, -1, 1e-30, 1e30, -1e30, 1e6, float("nan"), float("inf"), 2**63, 0.1, 3, 1e-3, 100)
ODD_VALUES = (*ODD_NUMBERS, "", "sand", True, None, [], [0, 0, 0], {}, [1e30, 0, 0], "\x00", "../x", -0.0)


class Broken(Exception):
    """A trial has found something."""


def check_same(scene: Any, steps: int, after: int = 8, act: Any = None) -> Any:
    """One and two threads, and a restart after `steps`, give the same bits; returns the simulation of one thread.

    act(simulation, k): what is done to it before its k-th step.
    """
    import windrow as wr

    one, two = wr.Simulation(scene, threads=1), wr.Simulation(scene, threads=2)
    for simulation, k in itertools.product((one, two), range(steps)):
        if act is not None:
            act(simulation, k)
        simulation.step()
    again = wr.Simulation.restore(one.snapshot(), threads=1)
    for simulation in (one, two, again):
        for k in range(steps, steps + after):
            if act is not None:
                act(simulation, k)
            simulation.step()
        finite(simulation)
    if one.hash() != two.hash():
        raise Broken(f"{scene.solver.name}: one and two threads differ")
    if one.hash() != again.hash():
        raise Broken(f"{scene.solver.name}: a restart after {steps} steps differs")
    if not abs(one.ledger["mass_error"]) < 1e-9:
        raise Broken(f"mass_error is {one.ledger['mass_error']:.3g}")
    return one


def slower(simulation: Any, most: float) -> None:
    """Nothing is faster than that, m/s."""
    state, n = simulation.state, simulation.state.count
    fastest = float(np.abs(state.V[:n, :3]).max(initial=0.0))
    if simulation.bodies is not None:
        fastest = max(fastest, float(np.abs(simulation.bodies.motion.V[:, :3]).max(initial=0.0)))
    if not fastest < most:
        raise Broken(f"{simulation.solver.name}: something moves at {fastest:.3g} m/s, {most:.3g} at most")


def check_resets(scene: Any, simulation: Any) -> None:
    """A reset to the start or to a snapshot is a new simulation, or a restored one, in bits and in what it tells."""
    import windrow as wr

    snapshot = simulation.snapshot()
    for back in (None, snapshot, None):
        other = wr.Simulation(scene, threads=1) if back is None else wr.Simulation.restore(back, threads=1)
        simulation.reset(back)
        told = contacts_of(simulation)
        for name, value in contacts_of(other).items():
            if not np.array_equal(value, told[name]):
                raise Broken(f"after a reset, contacts.{name} is another one")
        for _ in range(4):
            simulation.step()
            other.step()
        if simulation.hash() != other.hash():
            raise Broken("a reset to " + ("the start" if back is None else "a snapshot") + " differs")
    simulation.reset(snapshot)


def contacts_of(simulation: Any) -> dict[str, Any]:
    """Arrays by name; none of a solver that tells none."""
    import windrow as wr

    try:
        return dict(vars(simulation.contacts))
    except wr.errors.SceneError:
        return {}


def hastened(solver: Any) -> Any:
    """With steps that are soon made: what takes long is no failure."""
    return solver.model_copy(update={"dt": 1e-3}) if solver.name == "dem" else solver


def laid(solver: Any, radius: float, jitter: float = 0.0) -> dict[str, Any]:
    """How a block begins: a particle of a continuum fills a cube."""
    return {"packing": "cubic", "spacing": 2.0 * radius} if solver.continuum else {"jitter": jitter}


def finite(simulation: Any) -> None:
    state, n = simulation.state, simulation.state.count
    if not (np.isfinite(state.X[:n]).all() and np.isfinite(state.V[:n]).all()):
        raise Broken("grains whose numbers are not finite")
    if simulation.bodies is not None and not np.isfinite(simulation.bodies.motion.V).all():
        raise Broken("bodies whose numbers are not finite")


def pick(chance: Chance, choices: Any) -> Any:
    return choices[int(chance.integers(len(choices)))]
