"""P² says that its forces are wrong when somebody reads them under more grains than it carries."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import windrow as wr
from windrow.measure.force_plots import plot_forces
from windrow.sim.limits import ForceWarning, Lying, layers_carried, layers_of
from windrow.view.gauges import tool_force

PLAIN = wr.P2(sleep_threshold=3e-4)


def bed(layers: int, solver: wr.P2 | wr.NDEM, seconds: float = 1.0) -> wr.Simulation:
    scene = wr.Scene(solver=solver)
    scene.add_material("sand", density=1600, stiffness=1e5, damping=150.0)
    scene.add_open_box((0, 0, 0), (0.8, 0.8, 9), "sand")
    height = 0.1155 * layers
    scene.add_block((0, 0, 0), (0.8, 0.8, height), {"min": 0.045, "max": 0.055}, "sand", velocity_spread=0.2)
    simulation = wr.Simulation(scene)
    simulation.run(seconds)
    return simulation


def told(read: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read()
    return [str(one.message) for one in caught if issubclass(one.category, ForceWarning)]


READERS: dict[str, Callable[[wr.Simulation], object]] = {
    "body": lambda simulation: simulation.body("box floor"),
    "contacts": lambda simulation: simulation.contacts,
    "gauge": lambda simulation: tool_force(simulation, 0),
}


@pytest.mark.parametrize("reader", READERS)
def test_who_reads_forces_is_told_once(reader: str) -> None:
    simulation = bed(5, PLAIN)
    (message,) = told(lambda: READERS[reader](simulation))
    assert "Use the solver NDEM" in message
    simulation.run(1.0)
    for read in READERS.values():
        assert told(lambda read=read: read(simulation)) == []  # type: ignore[misc]


def test_the_warning_names_the_line_that_reads() -> None:
    simulation = bed(5, PLAIN)
    with pytest.warns(ForceWarning) as caught:
        simulation.body("box floor")
    assert caught[0].filename == __file__


def test_the_warning_comes_exactly_where_the_floor_does_not_feel_the_weight() -> None:
    for layers, solver in ((1, PLAIN), (2, PLAIN), (3, wr.NDEM()), (3, wr.P2(mass_splitting=True, iterations=20))):
        simulation = bed(layers, solver, seconds=2.0)
        warned = bool(told(lambda: simulation.body("box floor")))  # noqa: B023
        weight = 9.81 * simulation.particles.mass.sum()
        felt = -simulation.body("box floor")[0][2] / weight
        assert warned == (felt < 0.8), (layers, solver.name, felt)


def test_a_recording_says_which_solver_its_forces_are_of(tmp_path: Path) -> None:
    simulation = bed(4, PLAIN)
    scene = simulation.scene.model_copy(update={"solver": wr.NDEM()})
    for solver, wrong in ((PLAIN, True), (wr.NDEM(), False)):
        wr.Simulation(scene, solver=solver).run(1.0, record=tmp_path / "run.h5", frame_rate=10.0)
        recording = wr.Recording(tmp_path / "run.h5")
        assert recording.scene.solver == solver
        messages = told(lambda: plot_forces(recording, tmp_path / "forces.png", ["box floor"]))  # noqa: B023
        assert len(messages) == wrong


def test_grains_that_fall_lie_on_nobody() -> None:
    simulation = bed(12, PLAIN, seconds=0.0)
    simulation.particles.position = simulation.particles.position + np.array([0.0, 0.0, 1.0])
    simulation.particles.velocity = np.zeros((len(simulation.particles), 3))
    simulation.run(0.1)
    assert told(lambda: simulation.body("box floor")) == []


def test_layers_are_counted_along_gravity() -> None:
    random = np.random.default_rng(0)
    for gravity in ((0.0, 0.0, -9.81), (0.0, 3.0, 4.0), (-1.6, 0.0, 0.0)):
        down = np.array(gravity) / np.linalg.norm(gravity)
        side = np.cross(down, (0.3, 0.5, 0.9))
        side /= np.linalg.norm(side)
        place = np.array([k * 0.1 * side - n * 0.1 * down for k in range(8) for n in range(6)])
        mass = np.full(len(place), 2.0)
        carried = -np.outer(mass, gravity) * random.uniform(0.8, 1.2, (len(place), 1))
        grains = Lying(place, np.full(len(place), 0.05), mass, carried)
        assert layers_of(np.array(gravity), grains) == pytest.approx(6.0, abs=0.01)
        assert layers_of(np.array(gravity), grains._replace(force=0.1 * carried)) == 0.0
    assert layers_of(np.zeros(3), grains) == 0.0


def test_what_settings_carry() -> None:
    assert layers_carried(wr.NDEM()) == np.inf
    assert layers_carried(wr.P2()) == 1.0
    assert layers_carried(wr.P2(error_reduction=0.0, substeps=8)) == 8.0
    assert layers_carried(wr.P2(mass_splitting=True, iterations=40)) == 20.0
    assert layers_carried(wr.P2(method="gauss_seidel", error_reduction=0.0)) == 5.0
