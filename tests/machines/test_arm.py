"""The arm in closed form against the solver, and an operator that works by it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.machines.arm import Arm
from windrow.machines.digging import DigOperator, Move, dig_cycle
from windrow.scene import Scene, load_machine
from windrow.validate.machine_excavator import TIP
from windrow.validate.machine_rigs import DT, HeldMachine, on_stand

ARM = Arm(load_machine("excavator"))


def test_the_start_is_where_the_file_has_it() -> None:
    reach = ARM.reach(float(ARM._tip[0]), float(ARM._tip[1]), math.degrees(ARM._start[2]))
    assert reach is not None
    assert max(abs(reach.boom), abs(reach.stick), abs(reach.bucket)) < 1e-3


@pytest.mark.parametrize("move", dig_cycle(), ids=lambda move: move.name)
def test_the_teeth_come_where_trigonometry_says(move: Move) -> None:
    reach = ARM.reach(move.x, move.z, move.attack_deg)
    assert reach is not None
    rig = HeldMachine(on_stand("excavator", ("undercarriage", "house")))
    ranges = {name: rig.joints[name].range for name in ("boom", "stick", "bucket")}
    rig.reach(20.0, **{name: (getattr(reach, name) - low) / (high - low) for name, (low, high) in ranges.items()})
    tip = rig.place("bucket", TIP)
    assert (tip[0], tip[2]) == pytest.approx((move.x, move.z), abs=0.05)
    along = rig.place("bucket", (1.0, 0.0, 0.0)) - rig.place("bucket")
    off = math.degrees(math.atan2(along[2], along[0])) - move.attack_deg
    assert (off + 180.0) % 360.0 - 180.0 == pytest.approx(0.0, abs=1.5)


def test_out_of_reach_is_said() -> None:
    assert ARM.reach(12.0, 0.0, -90.0) is None
    assert ARM.reach(1.0, 1.0, 90.0) is None
    with pytest.raises(SceneError, match="does not reach"):
        DigOperator([Move("far", 12.0, 0.0, -90.0, 0.0, 1.0)])
    with pytest.raises(SceneError, match="no joint"):
        Arm(load_machine("bulldozer"))


def test_a_cycle_in_loam_fills_the_bucket_and_empties_it() -> None:
    """Dug without grains: a bucket of 1.14 m³ comes up with about a tonne, and leaves it on the ground beside it."""
    scene = Scene()
    scene.add_terrain((24.0, 20.0), 0.125, soil="loam", depth=3.0, fidelity="field")
    scene.add_machine("excavator", position=(-2.0, 0.0, 0.02))
    simulation, operator, held = wr.Simulation(scene), DigOperator(dig_cycle(depth=0.8)), []
    while not operator.finished and simulation.time < 40.0:
        operator.act(simulation, simulation.solver.dt)
        simulation.step()
        held.append(simulation.ledger["held_mass"])
    assert all(reached for _, _, reached in operator.done)
    assert 600.0 < max(held) < 2500.0
    assert held[-1] < 0.1 * max(held)
    assert simulation.ledger["mass_error"] == 0.0
    assert 12.0 < simulation.time < 20.0


def test_two_cycles_in_the_air() -> None:
    rig, operator = HeldMachine(on_stand("excavator", ("undercarriage",))), DigOperator(dig_cycle(), cycles=2)
    seconds, over = 0.0, 0
    while not operator.finished and seconds < 60.0:
        operator.act(rig.bodies, DT)
        rig.bodies.step(DT)
        seconds += DT
        if len(operator.done) > over:
            over = len(operator.done)
            move, tip = operator.moves[(over - 1) % 8], rig.place("bucket", TIP)
            assert (float(np.hypot(tip[0], tip[1])), tip[2]) == pytest.approx((move.x, move.z), abs=0.2), move.name
    assert all(reached for _, _, reached in operator.done)
    assert 2 * 12.0 < seconds < 2 * 20.0
