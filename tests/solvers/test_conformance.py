"""What holds for every solver: bits, restarts, books, thin and fast walls, lost numbers, bodies, input."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from solver_cases import (
    OTHER_LAWS,
    SOLVERS,
    WET,
    assert_same_told,
    cannot,
    empty,
    everything,
    heap,
    lattice,
    needs,
    started,
    stepped,
)

import windrow as wr
from windrow.errors import CapacityError, SceneError
from windrow.scene import Box, Sphere
from windrow.scene.links import Link
from windrow.sim.attempt import attempt
from windrow.solvers.registry import stepper_for
from windrow.solvers.stopping import Stop
from windrow.validate.coupling import free_box, momentum
from windrow.validate.impacts import (
    GAINED,
    SETTLES,
    TOOLS,
    Impact,
    energy,
    fastest_pinched,
    pinched,
)


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> str:
    return str(request.param)


laws = pytest.mark.parametrize("solver", OTHER_LAWS, indirect=True)
"""For tests that do not look at bits."""


# --- bits ------------------------------------------------------------------------------------------------------------


def test_threads_change_no_bit(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wr.sim.simulation, "GRAINS_PER_THREAD", 10)  # so few grains have one thread otherwise
    one, two = (started(solver, 40, threads) for threads in (1, 2))
    assert one.hash() == two.hash()
    assert_same_told(one, two)


def test_a_restart_in_mid_contact_is_the_uninterrupted_run(solver: str, tmp_path: Path) -> None:
    """After the first step, while grains fall, and while they lie: to the bit, with all that is told."""
    through = started(solver)
    for steps in (1, 24, 50):
        stepped(through, steps)
        through.save(tmp_path / "now.h5")
        again = wr.Simulation.load(tmp_path / "now.h5", threads=1)
        assert again.hash() == through.hash()
        assert_same_told(again, through)
        stepped(again, 10)
        stepped(through, 10)
        assert again.hash() == through.hash()
        assert again.time == through.time
        assert_same_told(again, through)
    assert through.ledger["emitted"] > 0
    if cannot(solver, "bodies") is None:  # they push grains into it
        assert through.ledger["sunk"] > 0


def test_reset_is_a_new_simulation(solver: str) -> None:
    simulation = started(solver, 20)
    snapshot = simulation.snapshot()
    stepped(simulation, 30)
    for back in (None, snapshot, None):
        other = started(solver) if back is None else wr.Simulation.restore(back, threads=1)
        simulation.reset(back)
        for name in simulation.controls:
            simulation.control(name, 0.5)
        assert simulation.last_report is None
        assert simulation.hash() == other.hash()
        assert_same_told(simulation, other)
        assert stepped(simulation, 15).hash() == stepped(other, 15).hash()


def _hash_after(simulation: wr.Simulation, steps: int, answer: Any) -> None:
    answer.put(stepped(simulation, steps).hash())


def test_copies_pickles_and_forked_processes_go_on_to_the_bit(solver: str) -> None:
    simulation = started(solver, 12, threads=2)
    others = [copy.deepcopy(simulation), copy.copy(simulation), pickle.loads(pickle.dumps(simulation))]
    hashes = [stepped(other, 6).hash() for other in others]
    if "fork" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("fork")
        answer = context.Queue()
        child = context.Process(target=_hash_after, args=(simulation, 6, answer))
        child.start()
        hashes.append(answer.get(timeout=60))
        child.join()
    assert set(hashes) == {stepped(simulation, 6).hash()}


def test_another_seed_is_another_run(solver: str) -> None:
    assert len({stepped(wr.Simulation(everything(solver), seed=seed, threads=1), 1).hash() for seed in (1, 2)}) == 2


class Patience(Stop):
    """Asks that a step be given up at the look with this number, or as soon as a kernel begins that looks by itself."""

    def __init__(self, looks: float, in_kernels: bool = False) -> None:
        super().__init__()
        self.looks, self.in_kernels = looks, in_kernels

    def look(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            self.ask()
        super().look()

    def show_in(self, place: np.ndarray) -> None:
        super().show_in(place)
        if self.in_kernels:
            self.ask()


def test_a_step_that_is_given_up_has_not_happened(solver: str) -> None:
    """At any of its looks, in mid-contact: to the bit, with all that is told, and in what comes then."""
    simulation, through = started(solver, 12), started(solver, 12)
    before, most = simulation.hash(), 10_000
    counted = Patience(most)
    report = attempt(through, counted)
    assert report is not None
    looks = most - int(counted.looks)
    in_kernels = solver.startswith(("ndem", "dem"))
    assert looks > (1 if in_kernels else report.notes.get("substeps", SOLVERS[solver].substeps or 1))
    stops = [Patience(k) for k in sorted({0, 1, looks // 2, looks - 1})]
    for stop in [*stops, *([Patience(most, in_kernels=True)] if in_kernels else [])]:
        assert attempt(simulation, stop) is None
        assert simulation.hash() == before
    assert stepped(simulation, 1).hash() == through.hash()
    assert_same_told(simulation, through)
    assert stepped(simulation, 5).hash() == stepped(through, 5).hash()


# --- symmetry --------------------------------------------------------------------------------------------------------


def poured(
    solver: str, shift: tuple[float, float, float] = (0, 0, 0), turn: float = 0.0, order: np.ndarray | None = None
) -> np.ndarray:
    """A small loose heap that is let fall on a plane: where its grains are, in the original frame and order."""
    x = lattice(5) + np.random.default_rng(2).uniform(-0.004, 0.004, (125, 3))
    rotation = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    scene = empty(solver)
    scene.add_plane((0, 0, 1), shift[2], "sand")
    order = np.arange(len(x)) if order is None else order
    scene.add_particles(position=(x @ rotation.T + shift)[order], radius=0.05, material="sand")
    out = np.empty_like(x)
    out[order] = stepped(wr.Simulation(scene, threads=1), 12).particles.position
    return (out - shift) @ rotation


@laws
def test_place_heading_and_numbering_do_not_matter(solver: str) -> None:
    plain = poured(solver)
    assert plain[:, 2].min() < 0.055  # it has landed
    needs(solver, "any order")
    changes: list[dict[str, Any]] = [
        {"shift": (1.5, -0.7, 0.25)}, {"turn": 0.7}, {"order": np.random.default_rng(0).permutation(125)}
    ]  # fmt: skip
    for change in changes:
        apart = np.abs(plain - poured(solver, **change)).max(axis=1)
        assert np.median(apart) < 5e-6  # rounding, where nobody has slipped yet
        assert apart.max() < 5e-3


# --- counts ----------------------------------------------------------------------------------------------------------


@laws
def test_the_ledger_balances_through_emitters_sinks_and_the_edge(solver: str) -> None:
    scene = empty(solver)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    scene.domain = {"lower": (-3, -3, -1), "upper": (3, 3, 5)}  # type: ignore[assignment]
    scene.add_block((-0.5, -0.5, 0.2), (1, 1, 0.5), 0.06, "sand", velocity=(6.0, 0, 0))
    scene.add_sink({"kind": "cylinder", "radius": 0.25, "height": 1.0}, position=(0.8, 0, 0))
    scene.add_emitter(
        Box(size=(1, 1, 0.2)), 0.06, "sand", position=(0, 0, 2.5), mass_rate=50.0, stop=0.5, velocity=(0, 0, -2)
    )
    scene.capacity = 3000
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(round(1.5 / simulation.solver.dt)):
        simulation.step()
        ledger = simulation.state.ledger
        assert ledger.expected == simulation.state.count
        assert ledger.expected_mass == pytest.approx(simulation.particles.mass.sum(), rel=1e-12)
    assert min(ledger.sunk, ledger.left_domain, ledger.emitted) > 5


@laws
def test_contacts_are_told_before_there_is_a_grain_and_after_the_last(solver: str) -> None:
    needs(solver, "contacts")
    scene = empty(solver)
    scene.add_plane((0, 0, 1), 0.0, "sand")
    step = wr.Simulation(heap(solver), threads=1).solver.dt
    scene.add_emitter(Sphere(radius=0.3), 0.05, "sand", position=(0, 0, 1), rate=4 / step, start=2 * step, count=1)
    scene.add_sink(Box(size=(9, 9, 9)), position=(0, 0, 0), start=5 * step)
    simulation = wr.Simulation(scene, threads=1)
    counts = []
    for _ in range(8):
        for one in (simulation, wr.Simulation.restore(simulation.snapshot(), threads=1)):
            assert len(one.contacts) == 0
        counts.append(simulation.state.count)
        simulation.step()
    assert counts[0] == counts[-1] == 0
    assert max(counts) == 1


@laws
def test_ids_survive_sorting_and_removal(solver: str) -> None:
    x = lattice(6, 0.2)[np.random.default_rng(0).permutation(216)] + 1.0
    scene = empty(solver, gravity=(0, 0, 0))
    scene.add_particles(position=x, radius=0.05, material="sand")
    scene.add_sink(Box(size=(0.5, 9, 9)), position=(1.0, 1, 1))
    simulation = stepped(wr.Simulation(scene, threads=1), 1)
    kept = x[:, 0] > 1.25
    np.testing.assert_allclose(simulation.particles.position, x[kept], atol=1e-6)
    np.testing.assert_array_equal(simulation.particles.id, np.nonzero(kept)[0])


@laws
def test_grains_that_come_and_go_do_not_disturb_others(solver: str) -> None:
    needs(solver, "steps of the others")
    places = []
    for count in (0, 12):
        scene = heap(solver)
        if count:
            scene.add_emitter(Sphere(radius=0.3), 0.05, "sand", position=(3, 0, 1), rate=200.0, count=count)
            scene.add_sink(Sphere(radius=1.5), position=(3, 0, 0), start=0.2)
        simulation = stepped(wr.Simulation(scene, threads=1), 20)
        places.append(simulation.particles.position[simulation.particles.id < 125])
    assert simulation.ledger["emitted"] == simulation.ledger["sunk"] == 12
    np.testing.assert_allclose(places[0], places[1], atol=1e-5)


def test_a_run_restarts_after_a_linked_grain_has_left(solver: str) -> None:
    """The one with the last id: nobody else has one as large."""
    needs(solver, "links")
    scene = empty(solver, gravity=(0, 0, 0))
    scene.add_particles(position=[(0, 0, 0), (0.2, 0, 0), (3, 0, 0)], radius=0.05, material="sand")
    scene.links = [Link(first=0, second=1), Link(first=1, second=2)]
    scene.add_sink(Box(size=(1, 1, 1)), position=(3, 0, 0))
    simulation = stepped(wr.Simulation(scene, threads=1), 1)
    assert len(simulation.particles) == 2
    again = wr.Simulation.restore(simulation.snapshot(), threads=1)
    assert stepped(again, 1).hash() == stepped(simulation, 1).hash()


# --- walls -----------------------------------------------------------------------------------------------------------


@laws
@pytest.mark.parametrize("speed", [20.0, 60.0])
def test_no_grain_passes_a_thin_sheet(solver: str, speed: float) -> None:
    """Thrown against 5 mm, in volleys that also push one another."""
    scene = empty(solver, gravity=(0, 0, 0))
    scene.add_box((1.0, 0, 0), (0.005, 4, 4), "sand", rotation_deg=(0, 12, 5))
    y, z, k = np.meshgrid(np.arange(6), np.arange(6), np.arange(3), indexing="ij")
    x = np.stack([-k * 0.12, (y - 2.5) * 0.11, (z - 2.5) * 0.11], -1).reshape(-1, 3)
    scene.add_particles(position=x, velocity=(speed, 0, 0), radius=0.05, material="sand")
    simulation = wr.Simulation(scene, threads=1)
    normal = np.array(simulation.model.poses(0.0)[0][:9]).reshape(3, 3)[:, 0]
    for _ in range(round(0.3 / simulation.solver.dt)):
        simulation.step()
        side = (simulation.particles.position - (1.0, 0, 0)) @ normal
        near = np.abs(simulation.particles.position[:, 1:]).max(axis=1) < 1.8
        assert (side[near] < 0).all()


@laws
def test_a_fast_wall_leaves_nobody_behind(solver: str) -> None:
    """A plate of 5 mm at 50 m/s through grains that float."""
    needs(solver, "walls at 50 m/s")
    scene = empty(solver, gravity=(0, 0, 0))
    wall = {"kind": "linear", "velocity": (50.0, 0, 0)}
    scene.add_box((-0.5, 0.25, 0.3), (0.005, 3, 3), "sand", motion=wall)
    scene.add_particles(position=lattice(5), radius=0.05, material="sand")
    simulation = wr.Simulation(scene, threads=1)
    for _ in range(round(0.1 / simulation.solver.dt)):
        simulation.step()
        x, y, z = simulation.particles.position.T
        beside = (np.abs(y - 0.25) > 1.4) | (np.abs(z - 0.3) > 1.4)
        assert ((x > -0.5 + 50.0 * simulation.time) | beside).all()
    assert np.isfinite(simulation.particles.velocity).all()
    assert simulation.last_report is not None
    assert simulation.last_report.frozen == 0


# --- lost numbers ----------------------------------------------------------------------------------------------------


@laws
@pytest.mark.parametrize(
    ("array", "bad"), [*(("X", bad) for bad in (1e30, -1e30, np.inf, np.nan, 1.1e7)), ("V", 1e30), ("V", np.nan)]
)
def test_a_lost_number_is_held_and_counted(solver: str, array: str, bad: float) -> None:
    simulation = stepped(wr.Simulation(heap(solver), threads=1), 1)
    getattr(simulation.state, array)[7, 1] = bad
    victim = simulation.state.id[7]
    again = wr.Simulation.restore(simulation.snapshot(), threads=1)
    report = stepped(simulation, 5).last_report
    assert report is not None
    assert report.frozen == 1
    assert simulation.particles.id[simulation.particles.frozen].tolist() == [victim]
    assert np.isfinite(simulation.particles.position).all()
    assert np.isfinite(simulation.particles.velocity).all()
    assert np.abs(simulation.particles.position[~simulation.particles.frozen]).max() < 10.0
    assert simulation.state.count == simulation.state.ledger.expected
    assert stepped(again, 5).hash() == simulation.hash()


@pytest.mark.parametrize("bad", [1e30, np.inf, np.nan])
def test_a_body_whose_numbers_are_lost_is_held_and_counted(solver: str, bad: float) -> None:
    needs(solver, "bodies")
    simulation = started(solver, 15)
    bodies = simulation.bodies
    assert bodies is not None
    bodies.motion.V[bodies.bodies.index["plank 1"], 2] = bad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = simulation.step()
        assert report.frozen_bodies == 1
        assert np.isfinite(simulation.particles.velocity).all()
        again = wr.Simulation.restore(simulation.snapshot(), threads=1)
        assert_same_told(again, simulation)
        assert stepped(again, 5).hash() == stepped(simulation, 5).hash()


# --- bad input -------------------------------------------------------------------------------------------------------


@laws
def test_bad_beginnings_are_refused(solver: str) -> None:
    with pytest.raises(SceneError, match="no grains, no emitter"):
        wr.Simulation(empty(solver))
    buried = heap(solver)
    buried.add_particles(position=[(0, 0, -0.2)], radius=0.05, material="sand")
    with pytest.raises(SceneError, match="inside an obstacle"):
        wr.Simulation(buried)
    crowded = heap(solver)
    crowded.capacity = 1
    with pytest.raises((SceneError, CapacityError), match="capacity"):
        wr.Simulation(crowded)
    for shift in (1e6, 9.9e6):
        with pytest.raises(SceneError, match=r"within 4194 m of the origin"):
            wr.Simulation(heap(solver, shift))
    assert stepped(wr.Simulation(heap(solver, 4000.0), threads=1), 20).particles.position[:, 2].min() > 0.0


@laws
def test_what_lies_still_in_free_space_stays_there(solver: str) -> None:
    """No speed, no weight and no pressure: nothing to choose a substep by."""
    scene = empty(solver, gravity=(0, 0, 0))
    scene.add_particles(position=lattice(2, 0.5), radius=0.05, material="sand")
    simulation = stepped(wr.Simulation(scene, threads=1), 2)
    assert not simulation.particles.velocity.any()


@laws
def test_setters_check_what_they_are_given(solver: str) -> None:
    simulation = wr.Simulation(heap(solver), threads=1)
    places = simulation.particles.position
    simulation.particles.position = places + np.float32(0.5)
    np.testing.assert_allclose(simulation.particles.position, places + np.float32(0.5), atol=1e-6)
    for bad in (1e30, 1e6, np.nan):
        spoilt = places.copy()
        spoilt[3, 0] = bad
        for name in ("position", "velocity"):
            with pytest.raises(SceneError, match=name):
                setattr(simulation.particles, name, spoilt)
    with pytest.raises(SceneError, match="shape"):
        simulation.particles.velocity = [(0, 0, 0)]
    simulation.step()


@laws
def test_a_solver_that_is_not_there_is_refused(solver: str) -> None:
    simulation = wr.Simulation(heap(solver), threads=1)
    other = simulation.solver.model_copy(update={"name": "no such"})
    with pytest.raises(SceneError, match="no such"):
        stepper_for(other, simulation.model)


# --- bodies and tools ------------------------------------------------------------------------------------------------


@laws
def test_momentum_with_bodies_is_kept(solver: str) -> None:
    needs(solver, "bodies", "momentum with bodies")
    simulation = wr.Simulation(free_box(SOLVERS[solver]), threads=1)
    before = momentum(simulation)
    simulation.run(0.4)
    assert simulation.bodies is not None
    assert simulation.bodies.velocity("box")[2] < -1.0
    assert np.allclose(momentum(simulation), before, atol=2e-5 * np.abs(before).max())


@laws
def test_what_tumbles_among_dust_keeps_its_energy(solver: str) -> None:
    """A plank of 10 t at 78 rad/s takes each step in parts; what it meets weighs next to nothing, and lies still."""
    needs(solver, "bodies")
    scene = empty(solver, gravity=(0, 0, 0))
    scene.add_block((-0.3, -0.3, -0.3), (0.6, 0.6, 0.6), 0.02, "sand", packing="cubic", spacing=0.08, jitter=0.0)
    plank = Box(size=(0.4, 0.1, 0.02))
    scene.add_body("plank", "sand", shapes=[plank], position=(0, 0, 0.36), velocity=(0, 0, -1), mass=1e4,
                   rotation_deg=(20, 10, 0), angular_velocity=(30, -60, 40))  # fmt: skip
    simulation = wr.Simulation(scene, threads=1)
    assert simulation.bodies is not None
    before = simulation.bodies.energy()
    stepped(simulation, 1)
    assert simulation.particles.velocity.any(), "nothing was met"
    assert abs(energy(simulation) - before) < 1e-3 * before


HARD = [
    Impact("plank", 0.6, 20.0, "tilted", 0.75),
    Impact("plank", 0.01, 20.0, "tilted", 0.05),
    Impact("plank", 0.01, 100.0, "spinning", 0.3),
    Impact("plank", 0.1, 20.0, "spinning", 0.55),
    Impact("plank", 0.1, 100.0, "edge", 0.8),
    Impact("plank", 500.0, 20.0, "flat", 0.05),
    Impact("plank", 1e4, 1.0, "flat", 0.3),
    Impact("plank", 1e4, 1.0, "spinning", 0.8),
    Impact("plank", 1e4, 100.0, "tilted", 0.55),
    Impact("ball", 0.01, 100.0, "spinning", 0.3),
    Impact("ball", 1.4, 50.0, "flat", 0.55),
]
"""Those that threw the body, or the grains, before exchange was bounded; `windrow validate impacts-*` runs all 840."""


@laws
@pytest.mark.parametrize("impact", HARD, ids=lambda i: f"{i.shape}-{i.mass:g}kg-{i.speed:g}m/s-{i.pose}")
def test_an_impact_gives_no_energy(solver: str, impact: Impact) -> None:
    needs(solver, "bodies")
    assert impact.gain(SOLVERS[solver], steps=12) < GAINED


@laws
def test_a_dropped_plank_stays_in_the_sand(solver: str) -> None:
    """Let go at rest from 2 m."""
    needs(solver, "bodies")
    scene = Impact("plank", 0.6, 0.0, "tilted", 0.0).scene(SOLVERS[solver])
    scene.bodies[0].position = (0.0, 0.0, 2.0)
    simulation = wr.Simulation(scene, threads=1)
    simulation.run(1.2)
    assert simulation.bodies is not None
    assert abs(simulation.bodies.velocity("body")).max() < 20.0
    assert 0.1 < simulation.bodies.position("body")[2] < 1.0


@laws
@pytest.mark.parametrize("how", TOOLS)
def test_pinched_grains_are_not_shot(solver: str, how: str) -> None:
    """They get no more energy than the work done on them, and no more speed than springs, tools or squeezing give."""
    found = fastest_pinched(SOLVERS[solver], how, liquid=solver in WET)
    assert found.over < 1.0
    assert found.given < SETTLES
    needs(solver, "hold pinched grains")
    assert found.held > 100


@laws
def test_a_grain_is_free_again_when_it_has_room(solver: str) -> None:
    needs(solver, "hold pinched grains")
    scene = pinched(SOLVERS[solver], "plates")
    for obstacle in scene.obstacles[-2:]:
        side = 1.0 if obstacle.position[0] > 0 else -1.0
        obstacle.motion = {  # type: ignore[assignment]
            "kind": "keyframes",
            "time": [0.0, 0.34, 0.68],
            "position": [(side * x, 0.0, 0.0) for x in (0.0, -0.34, 0.0)],
        }
    simulation = wr.Simulation(scene, threads=1)
    held = [simulation.step().notes["pinched"] for _ in range(round(1.0 / simulation.solver.dt))]
    assert max(held) > 0
    assert held[-1] == 0
    assert simulation.particles.position[:, 2].max() < 10.0
