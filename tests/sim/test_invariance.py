"""Same bits for any thread count and after a restart; same motion when moved, turned or renumbered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import windrow as wr

SOLVERS = {
    "jacobi": wr.P2(sleep_threshold=3e-4),
    "substeps": wr.P2(substeps=2, iterations=5),
    "split": wr.P2(mass_splitting=True, iterations=5),
    "gauss_seidel": wr.P2(method="gauss_seidel", iterations=4),
}


def busy_scene() -> wr.Scene:
    """Everything at once: two materials, mixed radii, a moving wall, a net, an emitter, a sink."""
    scene = wr.Scene(seed=3)
    scene.add_material(
        "sand",
        density=1600,
        friction_static=0.6,
        friction_kinetic=0.5,
        adhesion=200.0,
        stiffness=1e5,
        damping=150.0,
    )
    scene.add_material(
        "steel",
        density=7800,
        friction_static=0.3,
        friction_kinetic=0.2,
        adhesion=0.0,
        stiffness=1e6,
        damping=10.0,
    )
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="steel")
    scene.add_box(
        position=(-0.9, 0, 0.3),
        size=(0.02, 2.0, 0.6),
        material="steel",
        name="blade",
        motion={"kind": "linear", "velocity": (0.8, 0, 0)},
    )
    scene.add_block(
        lower=(-0.6, -0.4, 0.0),
        size=(1.0, 0.8, 0.5),
        radius={"min": 0.03, "max": 0.05},
        material="sand",
        velocity_spread=0.3,
    )
    scene.add_rope(start=(-0.5, 0, 1.0), end=(0.5, 0, 1.0), segments=12, material="steel")
    scene.add_emitter(
        region={"kind": "box", "size": (0.4, 0.4, 0.1)},
        position=(0, 0, 1.4),
        rate=300.0,
        radius=0.04,
        material="sand",
        count=60,
        velocity=(0, 0, -1.0),
    )
    scene.add_sink(region={"kind": "box", "size": (0.5, 4.0, 4.0)}, position=(1.2, 0, 0))
    return scene


@pytest.mark.parametrize("name", SOLVERS)
def test_thread_count_does_not_change_a_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wr.sim.simulation, "GRAINS_PER_THREAD", 10)  # so few grains have one thread otherwise
    hashes = []
    for threads in (1, 2):
        simulation = wr.Simulation(busy_scene(), solver=SOLVERS[name], threads=threads)
        for _ in range(40):
            simulation.step()
        hashes.append(simulation.hash())
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("name", SOLVERS)
def test_restart_equals_the_uninterrupted_run(name: str, tmp_path: Path) -> None:
    through = wr.Simulation(busy_scene(), solver=SOLVERS[name])
    first = wr.Simulation(busy_scene(), solver=SOLVERS[name])
    for _ in range(17):
        through.step()
        first.step()
    first.save(tmp_path / "now.h5")
    again = wr.Simulation.load(tmp_path / "now.h5")
    assert again.hash() == through.hash()
    for _ in range(23):
        through.step()
        again.step()
    assert again.hash() == through.hash()
    assert again.time == through.time
    assert again.ledger == through.ledger


def test_another_seed_is_another_run() -> None:
    hashes = set()
    for seed in (1, 2):
        simulation = wr.Simulation(busy_scene(), seed=seed)
        simulation.step()
        hashes.add(simulation.hash())
    assert len(hashes) == 2


def pour(
    shift: tuple[float, float, float] = (0, 0, 0), turn: float = 0.0, order: np.ndarray | None = None
) -> np.ndarray:
    """A small loose heap of grains let fall on a plane; returns the end positions in the original frame."""
    random = np.random.default_rng(2)
    x = np.stack(np.meshgrid(*[np.arange(5)] * 3, indexing="ij"), -1).reshape(-1, 3) * 0.11 + (0, 0, 0.06)
    x = x + random.uniform(-0.004, 0.004, x.shape)
    rotation = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    scene = wr.Scene()
    scene.add_material(
        "m",
        density=1600,
        friction_static=0.5,
        friction_kinetic=0.5,
        adhesion=0.0,
        stiffness=1e4,
        damping=100.0,
    )
    scene.add_plane(normal=(0, 0, 1), offset=shift[2], material="m")
    order = np.arange(len(x)) if order is None else order
    scene.add_particles(position=(x @ rotation.T + shift)[order], radius=0.05, material="m")
    simulation = wr.Simulation(scene, solver=wr.P2(iterations=8))
    for _ in range(12):
        simulation.step()
    out = np.empty_like(x)
    out[order] = simulation.particles.position
    return (out - shift) @ rotation


def test_translation_rotation_and_numbering_do_not_matter() -> None:
    plain = pour()
    assert np.abs(plain - pour(shift=(1.5, -0.7, 0.25))).max() < 2e-4
    assert np.abs(plain - pour(turn=0.7)).max() < 2e-4
    assert np.abs(plain - pour(order=np.random.default_rng(0).permutation(125))).max() < 2e-4
