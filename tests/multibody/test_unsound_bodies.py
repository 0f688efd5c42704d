"""Bodies that nothing can be computed with are held and counted; the others go on."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from windrow.machines.yard import rock_yard
from windrow.scene import Box, Scene, Sphere
from windrow.sim.simulation import Simulation
from windrow.solvers.multibody.holding import HeldBodyWarning
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.multibody_scenes import DT, on_ground

BAD = [np.nan, np.inf, -np.inf, 1e30]


def boxes(merging: bool = False) -> Scene:
    """A stack of three, and one aside."""
    scene = on_ground()
    if not merging:
        scene.multibody.merging = None
    for k in range(3):
        scene.add_body(f"box {k}", "steel", shapes=[Box(size=(1, 1, 1))], position=(0, 0, 0.5 + k))
    scene.add_body("aside", "steel", shapes=[Sphere(radius=0.3)], position=(3, 0, 1.5))
    return scene


def spoil(bodies: MultibodyStepper, what: str, k: int, bad: float) -> None:
    array = bodies.outer if what == "outer" else getattr(bodies.motion, what)
    array[k, 2] = bad


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("what", ["x", "q", "V", "outer"])
@pytest.mark.parametrize("merging", [False, True])
def test_a_bad_number_holds_its_body_and_no_other(what: str, bad: float, merging: bool) -> None:
    bodies = MultibodyStepper(boxes(merging))
    for _ in range(120 if merging else 30):
        bodies.step(DT)
    place, turn = bodies.motion.x[1].copy(), bodies.motion.q[1].copy()
    spoil(bodies, what, 1, bad)
    with pytest.warns(HeldBodyWarning, match="box 1"):
        assert bodies.step(DT).frozen == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(60):
            assert bodies.step(DT).frozen == 1
    np.testing.assert_array_equal(bodies.motion.x[1], place)
    np.testing.assert_array_equal(bodies.motion.q[1], turn)
    # The box above stands on it, the one below and the ball aside where they were going to.
    np.testing.assert_allclose(bodies.motion.x[:4, 2], [0.5, 1.5, 2.5, 0.3], atol=0.01)
    assert np.abs(bodies.motion.V).max() < 0.05


def test_of_a_machine_all_is_held_and_carries_what_falls_on_it() -> None:
    scene = rock_yard(0, merging=False)
    scene.add_body("box", "rock", shapes=[Box(size=(0.5, 0.5, 0.5))], position=(-0.75, 0.0, 4.5))
    bodies = MultibodyStepper(scene)
    box = bodies.bodies.index["box"]
    for _ in range(10):
        bodies.step(DT)
    places, others = bodies.motion.x.copy(), [k for k in range(bodies.bodies.count) if k != box]
    coordinates = bodies.joints.coordinates.value.copy()
    bodies.motion.V[bodies.bodies.index["bucket"], 1] = np.nan
    for name in bodies.joints.controls:
        bodies.control(name, 1.0)
    with pytest.warns(HeldBodyWarning, match=f"and {len(others) - 3} more"):
        bodies.step(DT)
    for _ in range(180):
        report = bodies.step(DT)
    assert report.frozen == len(others)
    assert report.unsolved == 0
    np.testing.assert_array_equal(bodies.motion.x[others], places[others])
    np.testing.assert_allclose(bodies.joints.coordinates.value, coordinates, atol=1e-12)
    # The box lies on the roof.
    assert bodies.motion.x[box, 2] > 3.5
    assert abs(bodies.contact_force("box")[2]) == pytest.approx(9.81 * bodies.bodies.mass[box], rel=0.05)
    assert all(np.isfinite(value).all() for value in bodies.memory().values())


def test_held_bodies_restart_to_the_bit_and_are_let_go_by_what_was_before() -> None:
    bodies, other, fresh = (MultibodyStepper(boxes()) for _ in range(3))
    for _ in range(20):
        bodies.step(DT)
    sound = bodies.memory()
    spoil(bodies, "V", 2, np.nan)
    with pytest.warns(HeldBodyWarning):
        bodies.step(DT)
    other.recall(bodies.memory())
    for _ in range(20):
        bodies.step(DT)
        other.step(DT)
    for name, value in bodies.memory().items():
        np.testing.assert_array_equal(value, other.memory()[name], err_msg=name)
    bodies.recall(sound)
    fresh.recall(sound)
    for _ in range(40):
        assert bodies.step(DT).frozen == 0
        fresh.step(DT)
    for name, value in bodies.memory().items():
        np.testing.assert_array_equal(value, fresh.memory()[name], err_msg=name)


def test_the_report_of_a_simulation_counts_them() -> None:
    simulation = Simulation(boxes())
    assert simulation.step().frozen_bodies == 0
    assert simulation.bodies is not None
    simulation.bodies.motion.V[0, 0] = np.inf
    with pytest.warns(HeldBodyWarning, match="box 0"):
        report = simulation.step()
    assert (report.frozen, report.frozen_bodies) == (0, 1)


def test_what_becomes_too_fast_is_put_back() -> None:
    scene = boxes()
    scene.gravity = (0.0, 0.0, 1e6)
    bodies = MultibodyStepper(scene)
    start = bodies.motion.x.copy()
    with pytest.warns(HeldBodyWarning):
        report = bodies.step(DT)
    assert report.frozen == 4
    np.testing.assert_array_equal(bodies.motion.x, start)
    assert not bodies.motion.V.any()
