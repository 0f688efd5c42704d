"""Machines gain no energy: whatever the levers do, on whichever side they lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from made_kernels import as_kernel
from windrow.machines.yard import rock_yard
from windrow.scene import built_in_machines
from windrow.solvers.multibody.agreement import COUNTED, HELD_BACK, hold_back
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.machine_energy import DT, LIFT, SIDES, EnergyBook, Outcome, on_side, work
from windrow.validate.multibody_scenes import four_bar, pendulum, run

EXCAVATOR = Path(__file__).parent / "excavator.toml"


def holds(outcome: Outcome) -> None:
    assert outcome.worst < LIFT
    assert outcome.net < 0.0
    assert (outcome.held_back, outcome.unsolved, outcome.frozen) == (0, 0, 0)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("machine", built_in_machines())
def test_a_machine_gains_no_energy(machine: str, side: str) -> None:
    """Without droop, motors hold their speed to the last newton: contacts then depend most on who gives way."""
    holds(work(on_side(machine, side, droop=0.0), 300, seed=4))


def test_an_excavator_whose_swing_motor_reaches_its_torque_gains_no_energy() -> None:
    """It falls over by itself; when contacts felt the motor as it was a substep ago, it gained 2.5 MJ in one step."""
    names = ("boom", "stick", "bucket", "swing")
    holds(work(on_side(EXCAVATOR, "standing", droop=0.0), 2000, seed=7, names=names))


@pytest.mark.parametrize(("side", "steps"), [("on its left", 600), ("upside down", 800)])
def test_an_excavator_that_lies_gains_no_energy(side: str, steps: int) -> None:
    """These gained 5 MJ and 1 GJ."""
    holds(work(on_side(EXCAVATOR, side, droop=0.0), steps, seed=2))


def test_the_book_balances() -> None:
    """Nothing is given to a pendulum, and nothing lost; a crank that a motor turns has what it was given."""
    bodies = MultibodyStepper(pendulum(60.0))
    book = EnergyBook(bodies)
    run(bodies, 2.0)
    assert abs(book.gain()) < 0.005 * 9.81 * bodies.bodies.mass[0]
    bodies = MultibodyStepper(four_bar(5.0))
    bodies.step(DT)
    book, gain, turnover = EnergyBook(bodies), 0.0, 0.0
    for _ in range(240):
        bodies.step(DT)
        gain += book.gain()
        turnover += sum(abs(bodies.joint(name).work.get("motor", 0.0)) for name in bodies.joints.names)
    assert turnover > 1000.0
    assert abs(gain) < 1e-3 * turnover


def test_contacts_that_give_energy_are_cut() -> None:
    """Impulses a hundred times too large would throw a loader into the air; cut, they leave it where it is."""
    bodies = MultibodyStepper(rock_yard(0, merging=False))
    bodies.control("brake", 1.0)
    run(bodies, 1.0)
    h, counts, pushed = DT / bodies.settings.substeps, np.zeros(COUNTED, np.int64), np.zeros(2)
    chosen = bodies._normals.contact[0, : bodies._normals.size[0]]
    bodies._sweeps.impulse[chosen] *= 100.0
    as_kernel(hold_back)(bodies._touch, bodies.machine, bodies.bodies.table, bodies.motion, h, pushed, counts)
    assert counts[HELD_BACK] == 1
    assert (bodies._sweeps.impulse[chosen, 0] >= 0.0).all()
    mass, V = bodies.bodies.mass, bodies.motion.V
    thrown = 0.5 * mass.sum() * (100.0 * 9.81 * h) ** 2
    assert 0.5 * (mass[:, None] * V[: len(mass), :3] ** 2).sum() < 1e-3 * thrown
