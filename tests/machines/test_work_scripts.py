"""Scripts for bulldozer, loader and trench: what they plan, and that their first seconds go as planned."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.machines.carrying import FROM_HEAP, SIDE, CarryOperator
from windrow.machines.digging import DigOperator, Move, seen_from, trench_cycles
from windrow.machines.dozing import AHEAD, BladeOperator, slot_passes, spread_passes
from windrow.machines.readings import pose_of
from windrow.machines.yard import heap_yard, slot_begin, slot_yard
from windrow.scene import load_machine
from windrow.sim.simulation import Simulation


def test_the_edge_is_where_the_script_believes_it() -> None:
    machine = load_machine("bulldozer")
    assert machine.tool is not None
    assert machine.tool.cutting is not None
    assert machine.tool.cutting.kind == "blade"  # what it pushes is not carried
    blade = next(body for body in machine.bodies if body.name == machine.tool.body)
    assert blade.position[0] + machine.tool.cutting.edge[0][0] == pytest.approx(AHEAD)


def test_each_pass_is_a_layer_deeper_and_ends_at_the_bank() -> None:
    legs = slot_passes(3, -16.0, 30.0, layer=0.1)
    assert [leg.name for leg in legs[:3]] == ["cut", "carry", "back"]
    depths = [min(z for _, z in leg.edge) for leg in legs if leg.name == "cut" and leg.edge]
    assert depths == pytest.approx([-0.1, -0.2, -0.3])
    assert legs[1].x + AHEAD == pytest.approx(14.0)
    assert [leg.name for leg in spread_passes(1, 0.0)] == ["cut", "carry", "spread", "back"]


def test_a_trench_is_within_reach_and_as_deep_as_wanted() -> None:
    operator = DigOperator(trench_cycles(0.8))
    drawn = [move for move in operator.moves if move.name == "draw"]
    assert min(move.z for move in drawn) == pytest.approx(-0.8)
    assert {move.swing_deg for move in drawn} == {0.0}


def test_sides_that_slope_are_cut_in_slots_beside_each_other() -> None:
    moves = [move for move in trench_cycles(1.2, layer=0.3, slope_deg=60.0) if move.name == "draw"]
    aside = {}
    for move in moves:
        aside.setdefault(round(-move.z, 6), set()).add(round(6.2 * math.tan(math.radians(move.swing_deg)), 6))
    assert sorted(aside) == pytest.approx([0.3, 0.6, 0.9, 1.2])
    for deep, places in aside.items():
        wanted = (1.2 - deep + 0.15) / math.sqrt(3.0)  # where the slope is in the middle of the layer
        assert max(places) == pytest.approx(wanted, abs=1e-5)
        steps = np.diff(sorted(places - {0.0} if deep == 1.2 else places))
        assert steps.max() <= 1.3  # no ridge is left between cuts
    assert {move.swing_deg for move in trench_cycles(0.8)} == {0.0, 22.5, 75.0}


def test_a_place_stays_where_it_was_when_the_machine_slides_and_turns() -> None:
    def turned(yaw: float, place: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
        c, s = math.cos(yaw), math.sin(yaw)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array(place)

    middle, move = np.array([0.1, 0.0, 0.5]), Move("draw", 6.0, -0.4, -90.0, 170.0, 1.0)
    stood, stands = turned(0.3, (2.0, 1.0, 0.5)), turned(0.4, (2.3, 1.2, 0.45))
    assert seen_from(stood, stood, middle, move) == pytest.approx((6.0, -0.4, math.radians(170.0)))
    x, z, swing = seen_from(stood, stands, middle, move)
    assert swing > math.pi - 0.3  # not a turn the other way round
    places = []
    for pose, far, high, angle in ((stood, 6.0, -0.4, math.radians(170.0)), (stands, x, z, swing)):
        local = np.array([far * math.cos(angle), far * math.sin(angle), high])
        places.append(pose[1] + pose[0] @ (local - middle))
    assert places[1] == pytest.approx(places[0])
    assert seen_from(stood, stands, middle, move, 0.0) == pytest.approx((6.0, -0.4, math.radians(170.0)))


def test_a_bulldozer_holds_its_edge_and_its_line() -> None:
    scene = slot_yard("loam", push=10.0, cell=0.25)
    begin = slot_begin(scene)
    simulation = Simulation(scene)
    operator = BladeOperator(slot_passes(1, begin, 10.0))
    for _ in range(240):
        operator.act(simulation, simulation.solver.dt)
        simulation.step()
    assert simulation.bodies is not None
    _, edge = pose_of(simulation.bodies, "blade")
    leg = operator.legs[0]
    assert leg.edge is not None
    wanted = np.interp(edge[0], [x for x, _ in leg.edge], [z for _, z in leg.edge])
    assert edge[2] == pytest.approx(wanted, abs=0.06)
    assert abs(edge[1]) < 0.1
    assert simulation.tools["blade"].volume > 0.3
    assert simulation.ledger["mass_error"] == 0.0


def test_the_truck_stands_where_the_loader_dumps() -> None:
    scene = heap_yard("gravel", pile=4.0)
    truck = scene.machines[1]
    assert truck.position[1] == SIDE
    bed = next(tool for machine in scene.placed_machines() for tool in machine.all_tools() if tool.settles)
    middle = 0.5 * (bed.lower[0] + bed.upper[0]) - 4.9  # where its body stands in the machine
    assert truck.position[0] - middle == pytest.approx(4.0 - FROM_HEAP, abs=0.05)
    assert CarryOperator(4.0, 2).phase == "approach"
