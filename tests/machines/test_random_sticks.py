"""Somebody who moves all levers at random: no mass is lost, nothing explodes, no machine goes through the ground."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.scene import Scene
from windrow.sim.simulation import Simulation

MACHINES = ("excavator", "bulldozer", "wheel_loader", "tipper")
SOILS = ("dry_sand", "wet_sand", "gravel", "loam", "clay")
HELD = 0.4
"""s for which a lever stays where it is"""
FASTEST = 25.0
"""m/s of any part; the fastest a machine drives is 9"""
DEEPEST = 1.5
"""m of any body's middle below the surface: a bucket digs deeper than a track"""


def yard(machine: str, soil: str, fidelity: str) -> Scene:
    scene = Scene()
    more = {} if fidelity == "field" else {"grain_radius": 0.08, "most_grains": 10000}
    heap = {"center": (9.0, 0.0), "height": 1.5, "slope_deg": 26.0}
    scene.add_terrain(size=(40.0, 40.0), cell=0.125, soil=soil, depth=4.0, fidelity=fidelity, heaps=[heap], **more)
    scene.add_machine(machine, position=(0.0, 0.0, 0.02))
    return scene


def shaken(machine: str, soil: str, seconds: float, fidelity: str = "field", seed: int = 1) -> Simulation:
    """A simulation after so many seconds of random levers; asserts on the way."""
    simulation = Simulation(yard(machine, soil, fidelity))
    rng, bodies, terrain = np.random.default_rng(seed), simulation.bodies, simulation.terrain
    assert bodies is not None
    assert terrain is not None
    every, low = max(round(HELD / simulation.solver.dt), 1), float(terrain.height.min()) - 4.0
    for k in range(round(seconds / simulation.solver.dt)):
        if k % every == 0:
            for name in simulation.controls:
                bodies.control(name, float(np.clip(rng.normal(0.0, 0.7), -1.0, 1.0)))
        simulation.step()
        if k % 20 == 0:
            assert abs(simulation.ledger["mass_error"]) <= 1e-9
            place, speed = bodies.motion.x, bodies.motion.V[:, :3]
            assert np.isfinite(place).all()
            assert np.isfinite(bodies.motion.V).all()
            assert np.abs(speed).max() < FASTEST, f"{machine} in {soil}: a part at {np.abs(speed).max():.0f} m/s"
            over = place[:, 2] - terrain.height_at(place[:, 0], place[:, 1])
            assert np.nanmin(over) > -DEEPEST, f"{machine} in {soil}: a part {-np.nanmin(over):.2f} m below the ground"
            assert place[:, 2].min() > low
            grains = simulation.state.X[: simulation.state.count]
            assert np.isfinite(grains).all()
    assert simulation.last_report is not None
    assert simulation.last_report.frozen_bodies == 0
    return simulation


@pytest.mark.parametrize("machine", MACHINES)
def test_random_levers_do_no_harm(machine: str) -> None:
    soil = SOILS[MACHINES.index(machine)]
    first = shaken(machine, soil, 2.0)
    assert first.time == pytest.approx(2.0, abs=0.02)


def test_a_dig_at_random_goes_on_to_the_bit() -> None:
    simulation = shaken("excavator", "loam", 1.5, seed=4)
    again = Simulation.restore(simulation.snapshot())
    for _ in range(20):
        simulation.step()
        again.step()
    assert again.hash() == simulation.hash()


@pytest.mark.slow
@pytest.mark.parametrize("soil", SOILS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("fidelity", ["field", "hybrid"])
def test_random_levers_for_long(machine: str, soil: str, fidelity: str) -> None:
    """Half a minute each: 20 minutes of levers in all; `shaken` takes any length."""
    shaken(machine, soil, 30.0, fidelity, seed=7)
