"""Places and speeds that nothing can be computed with are refused; those that come about are held and counted."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.solvers.ndem.rows import hold_lost
from windrow.solvers.ndem.solver import NDEMStepper
from windrow.state.state import FROZEN

SOLVERS = (wr.P2(), wr.P2(method="gauss_seidel"), wr.P2(mass_splitting=True), wr.NDEM())


def scene(shift: float = 0.0) -> wr.Scene:
    made = wr.Scene()
    made.add_material("sand", density=1600.0, friction_static=0.5, stiffness=1e5, damping=150.0)
    made.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    places = 0.11 * np.stack(np.meshgrid(*[np.arange(5)] * 3, indexing="ij"), -1).reshape(-1, 3) + (shift, 0, 0.06)
    made.add_particles(position=places, radius=0.05, material="sand")
    return made


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: f"{s.name}-{getattr(s, 'method', '')}")
@pytest.mark.parametrize("bad", [1e30, -1e30, np.inf, np.nan, 1.1e7])
def test_a_bad_place_in_the_state_is_held_and_counted(solver, bad: float) -> None:
    simulation = wr.Simulation(scene(), solver=solver)
    simulation.step()
    simulation.state.X[7, 1] = bad
    for _ in range(5):
        report = simulation.step()
    assert report.frozen == 1
    assert simulation.particles.frozen.sum() == 1
    others = ~simulation.particles.frozen
    assert np.isfinite(simulation.particles.position).all()
    assert np.abs(simulation.particles.position[others]).max() < 10.0
    restored = wr.Simulation.restore(simulation.snapshot())
    assert restored.step().frozen == simulation.step().frozen == 1
    assert restored.hash() == simulation.hash()


@pytest.mark.parametrize("solver", SOLVERS[::3], ids=lambda s: s.name)
def test_a_snapshot_may_hold_a_bad_place(solver) -> None:
    """One that came about, or was set, since the last step; the next one finds it."""
    simulation = wr.Simulation(scene(), solver=solver)
    simulation.step()
    simulation.state.X[7, 1] = simulation.state.V[9, 0] = np.nan
    restored = wr.Simulation.restore(simulation.snapshot())
    assert restored.step().frozen == simulation.step().frozen == 2
    assert restored.hash() == simulation.hash()


@pytest.mark.parametrize("bad", [1e30, 1e6, np.nan])
def test_a_bad_place_is_not_taken(bad: float) -> None:
    simulation = wr.Simulation(scene())
    places = simulation.particles.position
    places[3, 0] = bad
    with pytest.raises(SceneError, match="position"):
        simulation.particles.position = places
    with pytest.raises(SceneError, match="velocity"):
        simulation.particles.velocity = places
    simulation.step()


@pytest.mark.parametrize("shift", [1e6, 9.9e6])
def test_a_scene_far_from_the_origin_is_refused_with_the_limit(shift: float) -> None:
    with pytest.raises(SceneError, match=r"within 4194 m of the origin"):
        wr.Simulation(scene(shift))


def test_a_scene_within_the_limit_runs() -> None:
    simulation = wr.Simulation(scene(4000.0), solver=wr.NDEM())
    for _ in range(30):
        simulation.step()
    assert simulation.particles.position[:, 2].min() > 0.0


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e30])
@pytest.mark.parametrize("array", ["X", "U"])
def test_numbers_lost_between_two_legs_of_a_step_are_held_where_it_began(array: str, bad: float) -> None:
    """NDEM sorts the grains again before it goes on."""
    simulation = wr.Simulation(scene(), solver=wr.NDEM())
    simulation.step()
    stepper, state = simulation._stepper, simulation.state
    assert isinstance(stepper, NDEMStepper)
    getattr(stepper, array)[7, 1] = bad
    hold_lost(state, stepper.X, stepper.U, stepper.U0)
    assert np.flatnonzero(state.flags & FROZEN).tolist() == [7]
    assert stepper.X[7].tolist() == state.X[7].tolist()
    assert not stepper.U[7].any()
    assert not stepper.U0[7].any()
