"""Times of single steps: phases add up to the step, and the file and the picture have every step."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import windrow as wr
from windrow.bench.steps import NAMES, PHASES, Steps, draw


def test_phases_add_up_and_are_written(tmp_path: Path) -> None:
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0, friction_static=0.3)
    scene.add_terrain(size=(3.2, 3.2), cell=0.1, soil="dry_sand", depth=1.0)
    motion = {"kind": "linear", "velocity": (0.5, 0.0, 0.0)}
    scene.add_box((-0.6, 0.0, 0.2), (0.06, 0.4, 0.5), "steel", name="blade", digs=True, motion=motion)
    steps = Steps(wr.Simulation(scene, threads=1))
    for _ in range(14):
        steps.step()
    for clock in ("", "processor "):
        phases = sum(steps.column(f"{phase} {clock}ms") for phase in PHASES)
        np.testing.assert_allclose(phases, steps.column(f"step {clock}ms"), rtol=1e-9)
        assert (steps.column(f"step {clock}ms") > 0.0).all()
    assert (steps.column("digging ms") > 0.0).all()
    assert steps.column("grains").max() > 100
    told = steps.spread()
    assert [told[f"step ms, {name}"] for name in NAMES] == sorted(told[f"step ms, {name}"] for name in NAMES)
    steps.write(tmp_path / "steps.csv")
    read = np.genfromtxt(tmp_path / "steps.csv", delimiter=",", names=True, deletechars="")
    np.testing.assert_allclose(read["time_s"], steps.column("time s"), rtol=1e-5)
    assert len(read) == 14
    draw({"a blade": steps, "again": steps}, tmp_path / "steps.png")
    assert (tmp_path / "steps.png").stat().st_size > 10_000
