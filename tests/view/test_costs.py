"""Numbers that would make steps so long that nobody is heard are cut, and it is said."""

from __future__ import annotations

from typing import Any

import pytest
from made_station import Page, cart, live, small_scene, station

import windrow.view.live as live_module
from windrow.errors import SceneError
from windrow.scene.settings import BUILT_IN, DEM, NDEM, P2, SPH, Fluid, Mixture, SolverSettings, name_of
from windrow.sim.simulation import Simulation, StepReport
from windrow.view.costs import LONGEST_STEP, Costs, Numbers, numbers_of
from windrow.view.live import LiveSource
from windrow.view.messages import Parameter


def report(simulation: Simulation, **seconds: float) -> StepReport:
    """Of a step that took so long."""
    phases = {phase.replace("_", ": "): spent for phase, spent in seconds.items()}
    return StepReport(1, 0.0, 9, 9, phases, 0, 0, 0, 0, 0, {}, {"substeps": 10})


def measured(simulation: Simulation, **seconds: float) -> Costs:
    costs = Costs(simulation)
    costs.note(simulation, report(simulation, **seconds))
    return costs


def simulation_with(solver: P2 | NDEM) -> Simulation:
    return Simulation(small_scene(), solver=solver, threads=1)


@pytest.mark.parametrize(
    ("before", "after", "times"),
    [
        (P2(substeps=1), P2(substeps=7), 7.0),
        (P2(mass_splitting=True, iterations=10), P2(mass_splitting=True, iterations=200), 20.0),
        (P2(iterations=20), P2(iterations=980), 49.0 * 25.0),
        (NDEM(sweeps=2), NDEM(sweeps=100), 50.0),
        (NDEM(), NDEM(substeps=1000), 100.0),
        (NDEM(substeps=5), NDEM(), 24.0 / 5.0),
        (NDEM(), NDEM(dt=0.1), 6.0),
        (P2(), P2(), 1.0),
    ],
)
def test_the_time_of_a_step_grows_with_its_work(before: Any, after: Any, times: float) -> None:
    simulation = simulation_with(before)
    costs = measured(simulation, exchange=0.001, solve=0.01)
    numbers = numbers_of(simulation)
    assert costs.expected(Numbers(after, numbers.multibody)) == pytest.approx(0.001 + 0.01 * times)


def test_only_what_grows_is_taken_to_grow() -> None:
    simulation = cart().simulation
    costs = measured(simulation, exchange=0.5, bodies_solve=0.01)
    numbers = numbers_of(simulation)
    more = numbers.multibody.model_copy(update={"sweeps": 5 * numbers.multibody.sweeps})
    assert costs.expected(Numbers(numbers.solver, more)) == pytest.approx(0.55)
    simulation = simulation_with(P2())
    costs = measured(simulation, walls=0.01, solve=0.01)
    once = numbers_of(simulation)
    assert costs.expected(Numbers(P2(iterations=1), once.multibody)) == pytest.approx(0.01 + 0.01 * 0.1 * 21 / 30)


def test_a_value_that_takes_too_long_is_cut_to_what_does_not() -> None:
    simulation = simulation_with(P2(mass_splitting=True, iterations=10))
    costs = measured(simulation, solve=0.01)

    def with_iterations(value: float) -> Numbers:
        return numbers_of(simulation)._replace(solver=P2(mass_splitting=True, iterations=value))

    assert costs.limited(10, 400, with_iterations) == 400
    assert costs.limited(10, 10_000, with_iterations) == 500
    slow = measured(simulation, solve=3.0)
    assert slow.limited(10, 20, with_iterations) == 10
    assert slow.limited(10, 9, with_iterations) == 9
    unmeasured = Costs(simulation)
    assert 20 < unmeasured.limited(10, 10_000, with_iterations) <= 100


def test_sleeping_grains_and_an_empty_scene_measure_nothing() -> None:
    simulation = simulation_with(NDEM())
    costs = Costs(simulation)
    costs.note(simulation, report(simulation, exchange=1e-6))
    assert not costs.measured


def told(source: LiveSource, path: str, value: Any) -> str:
    """What the operator hears; nothing if it is as wished."""
    try:
        source.obey(Parameter(type="parameter", path=path, value=value))
    except SceneError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("stepped", [True, False])
def test_two_sliders_at_their_ends(stepped: bool) -> None:
    source = live(paused=False)
    if stepped:
        source.advance(0.0)
        source.advance(1.0)
    texts = [told(source, "solver.iterations", 10_000), told(source, "solver.substeps", 1000)]
    solver = source.simulation.solver
    assert isinstance(solver, P2)
    assert f"set to {solver.substeps} instead of 1000" in texts[1]
    assert source._costs.expected(numbers_of(source.simulation)) <= 1.01 * LONGEST_STEP
    assert solver.iterations * solver.substeps < 1e6
    assert source._changed["solver.substeps"] == solver.substeps
    assert ("not known yet" in texts[1]) == (not stepped)


ENDS: dict[str, tuple[SolverSettings, dict[str, float]]] = {
    "p2": (P2(), {"iterations": 10_000, "substeps": 1000}),
    "ndem": (NDEM(), {"dt": 1e-4, "sweeps": 100, "substeps": 1000}),
    "dem": (DEM(dt=1 / 60, substeps=None), {"substeps": 100_000}),
    "sph": (SPH(), {"dt": 1e-4, "iterations": 1000, "substeps": 10_000}),
    "fluid": (Fluid(), {"dt": 1e-4, "iterations": 10_000, "substeps": 10_000}),
    "mixture": (Mixture(), {"dt": 1e-4, "iterations": 10_000, "grain_substeps": 1000, "substeps": 10_000}),
}
"""Sliders at their ends, in an order in which each looks harmless beside the last."""


def counted(solver: Any) -> float:
    """Loops over all contacts in the time of a step."""
    return float(solver.substeps * getattr(solver, "iterations", getattr(solver, "sweeps", 1)))


@pytest.mark.parametrize("name", ENDS)
def test_all_sliders_at_their_ends_are_a_bounded_number_of_loops(name: str) -> None:
    """Counted: a step of 10 substeps that took 10 ms may become one of 0.5 s, and no longer one."""
    assert ENDS.keys() == {name_of(kind) for kind in BUILT_IN}
    settings, ends = ENDS[name]
    scene = small_scene()
    scene.solver = settings
    if name in ("sph", "fluid"):
        scene.particles[0].packing = "cubic"
    source = LiveSource(Simulation(scene, threads=1))
    source._costs = measured(source.simulation, solve=0.01)
    begun = source.simulation.solver
    before = counted(begun.model_copy(update={"substeps": begun.substeps or 10}))
    texts = [told(source, f"solver.{field}", value) for field, value in ends.items()]
    assert "instead of" in texts[-1]
    assert counted(source.simulation.solver) <= 1.001 * LONGEST_STEP / 0.01 * before
    source.advance(0.0)
    source.advance(1.0)


def test_what_a_solver_would_choose_for_itself_is_taken_or_not_at_all() -> None:
    """Between 500 substeps and automatic ones there is nothing that could be set instead."""
    source = LiveSource(simulation_with(NDEM(substeps=2)))
    source._costs = measured(source.simulation, solve=0.1)
    assert "set to 2 instead of 0" in told(source, "solver.substeps", 0)
    assert source.simulation.solver.substeps == 2
    source._costs = measured(source.simulation, solve=0.01)
    assert told(source, "solver.substeps", 0) == ""
    assert source.simulation.solver.substeps is None


def test_the_page_is_told_and_shows_what_was_set() -> None:
    source = live()
    with station(source) as viewer, Page(viewer) as page:
        page.until(lambda page: page.frames and page.parameters)
        page.say(type="parameter", path="solver.substeps", value=1000)
        page.until(lambda page: page.refusals)
        set_to = source.simulation.solver.substeps
        assert page.refusals[0]["reason"].startswith(f"set to {set_to} instead of 1000")

        def shown(page: Page) -> object:
            return next(item["value"] for item in page.parameters["items"] if item["path"] == "solver.substeps")

        page.until(lambda page: shown(page) == set_to)


def patch_steps(monkeypatch: pytest.MonkeyPatch, simulation: Simulation) -> None:
    """Steps, and those that may be given up, take long."""
    monkeypatch.setattr(Simulation, "step", lambda self: report(simulation, solve=4 * LONGEST_STEP))
    monkeypatch.setattr(live_module, "attempt", lambda *given: report(simulation, solve=4 * LONGEST_STEP))


def test_steps_that_grow_long_after_a_change_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    source = live(paused=False)
    simulation = source.simulation
    patch_steps(monkeypatch, simulation)
    for _ in range(4):
        source._take_a_step()  # the scene's own numbers
    monkeypatch.undo()
    assert told(source, "solver.sleep_threshold", 1e-4) == ""
    assert told(source, "solver.iterations", 9) == ""
    patch_steps(monkeypatch, simulation)
    source._take_a_step()
    with pytest.raises(SceneError, match=r"steps take 2\.0 s now.*Change solver\.iterations again"):
        source._take_a_step()
    source._take_a_step()
