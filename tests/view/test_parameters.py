"""Numbers changed while a simulation runs: where they come from, what is refused, and that they count."""

from __future__ import annotations

import numpy as np
import pytest
from made_station import Page, cart_scene, live, small_scene, station

from windrow.errors import SceneError
from windrow.scene.settings import BUILT_IN, DEM, NDEM, P2, SPH, Fluid, Mixture, name_of
from windrow.sim.simulation import Simulation
from windrow.view.parameters import changed, items, unit_in

SOLVERS = {
    "p2": P2(),
    "ndem": NDEM(),
    "dem": DEM(dt=1 / 60, substeps=None),
    "sph": SPH(),
    "fluid": Fluid(),
    "mixture": Mixture(),
}


def small(solver: str = "p2") -> Simulation:
    scene = small_scene()
    scene.solver = SOLVERS[solver]
    if solver in ("sph", "fluid"):
        scene.particles[0].packing = "cubic"
    return Simulation(scene, threads=1)


def item(simulation: Simulation, path: str) -> dict[str, object]:
    return next(found for found in items(simulation) if found.path == path).told()


@pytest.mark.parametrize(
    ("description", "unit"),
    [
        ("normal spring of a contact, N/m", "N/m"),
        ("kg/m³ of the solid grain, not of the heap", "kg/m³"),
        ("time step, s", "s"),
        ("Coulomb coefficient that starts sliding, –", ""),
        ("a grain that moves less than this in a step stays where it is, m; 0: off", "m"),
        ("solver iterations per substep", ""),
    ],
)
def test_units_are_read_from_the_descriptions_of_fields(description: str, unit: str) -> None:
    assert unit_in(description) == unit


def test_items_have_the_units_and_ranges_of_their_fields() -> None:
    simulation = small()
    stiffness = item(simulation, "materials.sand.stiffness")
    assert (stiffness["unit"], stiffness["low"], stiffness["value"]) == ("N/m", 0.0, 1e5)
    assert stiffness["logarithmic"]
    iterations = item(simulation, "solver.iterations")
    assert (iterations["kind"], iterations["low"], iterations["value"]) == ("whole", 1, 10)
    assert item(simulation, "solver.method")["choices"] == ["jacobi", "gauss_seidel"]
    assert item(simulation, "solver.mass_splitting")["kind"] == "switch"
    assert item(simulation, "solver.error_reduction")["high"] == 1
    automatic = item(small("ndem"), "solver.substeps")
    assert (automatic["kind"], automatic["value"], automatic["low"]) == ("whole", 0, 0)
    assert not any(found.path.startswith("multibody") for found in items(simulation))
    bodies = Simulation(cart_scene(), threads=1)
    assert item(bodies, "multibody.contact_rate")["unit"] == "Hz"
    assert item(bodies, "materials.cart_steel.friction_static")["value"] == 0.4


def test_every_item_takes_the_value_it_has() -> None:
    assert SOLVERS.keys() == {name_of(kind) for kind in BUILT_IN}
    for simulation in (*map(small, SOLVERS), Simulation(cart_scene(), threads=1)):
        simulation.step()
        for found in items(simulation):
            again = changed(simulation, found.path, found.value)
            assert again.time == simulation.time
            assert item(again, found.path)["value"] == found.value


def test_what_is_left_to_the_solver_is_no_slider_until_it_is_set() -> None:
    """But for whole numbers, whose 0 says so."""
    simulation = small("sph")
    assert {"solver.viscosity", "solver.yield_surface"}.isdisjoint(found.path for found in items(simulation))
    for path, value in (("solver.viscosity", 0.2), ("solver.yield_surface", "cone")):
        simulation = changed(simulation, path, value)
        assert item(simulation, path)["value"] == value
    assert item(simulation, "solver.yield_surface")["choices"] == ["nakai", "cone", "components"]


def test_substeps_of_dem_may_be_left_to_it_again() -> None:
    simulation = small("dem")
    chosen = simulation.solver.substeps
    assert chosen is not None
    assert chosen > 10
    simulation = changed(simulation, "solver.substeps", 2 * chosen)
    simulation = changed(simulation, "solver.substeps", 0)
    assert simulation.solver.substeps == chosen
    simulation.step()


@pytest.mark.parametrize("solver", ["p2", "ndem"])
def test_without_gravity_grains_keep_their_speed(solver: str) -> None:
    simulation = small(solver)
    for _ in range(3):
        simulation.step()
    speed = simulation.particles.velocity[:, 2].copy()
    simulation = changed(simulation, "gravity.z", 0.0)
    simulation.step()
    assert simulation.particles.velocity[:, 2] == pytest.approx(speed, abs=1e-5)
    assert speed.max() < -0.4
    assert simulation.scene.gravity == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("solver", ["p2", "ndem"])
def test_a_change_gives_what_a_run_with_that_number_gives(solver: str) -> None:
    """Changed before the first step, it is the same as if the scene had said so."""
    scene = small_scene()
    scene.solver = NDEM() if solver == "ndem" else scene.solver
    told = changed(Simulation(scene, threads=1), "materials.sand.friction_static", 0.9)
    told = changed(told, "gravity.z", -3.0)
    scene.materials["sand"].friction_static = 0.9
    scene.gravity = (0.0, 0.0, -3.0)
    made = Simulation(scene, threads=1)
    for _ in range(20):
        told.step()
        made.step()
    assert np.array_equal(told.particles.position, made.particles.position)


def test_a_rebuilt_simulation_goes_on_from_where_it_was() -> None:
    simulation = small("ndem")
    for _ in range(5):
        simulation.step()
    again = changed(simulation, "solver.sweeps", 6)
    assert again is not simulation
    assert again.solver.sweeps == 6
    assert again.scene.solver.sweeps == 6
    assert np.array_equal(again.particles.position, simulation.particles.position)
    again.step()
    assert again.state.step == 6
    assert changed(again, "solver.substeps", 0).solver.substeps is None


def test_bodies_at_rest_wake_when_gravity_changes() -> None:
    scene = cart_scene()
    scene.multibody.merging = {"rest_time": 0.05}
    scene.machines.clear()
    scene.bodies[0].position = (0.0, 0.0, 0.2)
    simulation = Simulation(scene, threads=1)
    for _ in range(40):
        simulation.step()
    assert simulation.bodies is not None
    assert simulation.bodies.merger.asleep == 1
    changed(simulation, "gravity.z", 5.0)
    for _ in range(10):
        simulation.step()
    assert simulation.bodies.position("brick")[2] > 0.25


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("materials.sand.friction_static", -1.0, "friction_static"),
        ("materials.sand.friction_static", 0.1, "friction_kinetic"),
        ("materials.sand.friction_static", "much", "number"),
        ("materials.sand.density", 100.0, "mass they were made with"),
        ("materials.gold.friction_static", 0.1, "unknown material"),
        ("materials.sand.color", 0.1, "unknown number"),
        ("solver.iterations", 0, "iterations"),
        ("solver.iterations", 2.5, "whole"),
        ("solver.name", "ndem", "unknown parameter"),
        ("solver.__class__", 1, "unknown parameter"),
        ("gravity.w", 1.0, "unknown parameter"),
        ("gravity.z", "down", "gravity"),
        ("gravity.z", 1e99, "gravity"),
        ("multibody.sweeps", 2, "unknown parameter"),
        ("", 1, "unknown parameter"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(path: str, value: object, reason: str) -> None:
    simulation = small()
    before = simulation.scene.model_dump()
    with pytest.raises(SceneError, match=reason):
        changed(simulation, path, value)  # type: ignore[arg-type]
    assert simulation.scene.model_dump() == before


def test_pages_are_told_and_refused() -> None:
    source = live()
    with station(source) as viewer, Page(viewer) as operator, Page(viewer) as watcher:
        operator.until(lambda page: page.frames and page.parameters)

        def shown(page: Page, path: str) -> object:
            return next(found for found in page.parameters["items"] if found["path"] == path)["value"]

        assert shown(operator, "gravity.z") == -9.81
        operator.say(type="parameter", path="gravity.z", value=-1.62)
        operator.until(lambda page: shown(page, "gravity.z") == -1.62)
        watcher.until(lambda page: page.parameters and shown(page, "gravity.z") == -1.62)
        operator.say(type="parameter", path="solver.iterations", value=0)
        operator.until(lambda page: page.refusals)
        assert "iterations" in operator.refusals[0]["reason"]
        assert operator.refusals[0]["value"] == 0
        operator.say(type="parameter", path="solver.iterations", value=12)
        operator.until(lambda page: shown(page, "solver.iterations") == 12)
        operator.say(type="reset")
        operator.until(lambda page: page.frame["epoch"] == 2)
        assert source.simulation.solver.iterations == 12
        assert source.simulation.scene.gravity[2] == -1.62
        watcher.listen(0.2)
        assert watcher.refusals == []
