"""What tools tell where grains resist: parts that add up, a load that is weighed, the equation beside it; recorded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.machines.readings import payload
from windrow.measure.tool_plots import plot_equation, plot_tool
from windrow.record.recording import Recording


def blade_in_grains(fidelity: str = "hybrid") -> wr.Scene:
    """A blade that pushes a bank of grains that lies on ground."""
    scene = wr.Scene(solver=wr.NDEM())
    scene.add_material("steel", density=7800.0, friction_static=0.3)
    scene.add_material("sand", soil="dry_sand")
    scene.add_terrain(size=(4.0, 3.0), cell=0.1, soil="dry_sand", fidelity=fidelity)
    scene.add_block((-0.6, -0.45, 0.05), (0.9, 0.9, 0.3), 0.05, "sand", packing="dense")
    scene.add_box(
        (-0.8, 0.0, 0.32), (0.05, 0.8, 0.6), "steel", name="blade", digs=True,
        motion={"kind": "linear", "velocity": (0.3, 0.0, 0.0), "start": 0.2},
    )  # fmt: skip
    return scene


def test_parts_add_up_to_what_acts_and_the_surface_counts_grains() -> None:
    simulation = wr.Simulation(blade_in_grains(), threads=1)
    tool, deepest = simulation.tools["blade"], 0.0
    for _ in range(90):
        report = simulation.step()
        assert sum(tool.parts.values()) == pytest.approx(simulation.body("blade")[0], abs=1e-6)
        deepest = max(deepest, tool.depth)
    assert tool.force[0] < -20.0
    assert tool.parts["grains"][0] == pytest.approx(tool.force[0], rel=0.2)
    for name in ("cutting", "penetration"):
        assert not tool.parts[name].any(), "the equation is a monitor here, and no force"
    # the bank is 0.3 m high and lies on ground that the blade does not reach
    assert 0.1 < deepest < 0.5
    assert tool.earthmoving[0] < -20.0
    ratio = report.notes["blade: force over equation"]
    assert ratio > 0.0
    assert ("blade: resolution" in report.notes) == (not 0.5 <= ratio <= 2.0)


def test_a_machines_tool_weighs_what_lies_in_it() -> None:
    simulation = wr.Simulation(wr.load_scene("loader_gravel"), threads=2)
    for _ in range(60):
        simulation.control("throttle", 0.8)
        simulation.step()
    (machine,) = simulation.scene.placed_machines()
    assert machine.tool is not None
    tool = simulation.tools["bucket"]
    assert tool.payload == pytest.approx(payload(simulation, machine.tool))
    assert tool.fill_factor == pytest.approx(tool.volume / 3.0)
    assert tool.force == pytest.approx(simulation.body("bucket")[0])
    with pytest.raises(SceneError, match="bucket"):
        simulation.tools["buckett"]


def test_tools_are_recorded_and_plotted(tmp_path: Path) -> None:
    scene = wr.load_scene("field_bucket")
    simulation = wr.Simulation(scene, threads=1)
    simulation.run(seconds=3.0, record=tmp_path / "dig.h5", frame_rate=20.0)
    with Recording(tmp_path / "dig.h5") as recording:
        rows = plot_tool(recording, tmp_path / "tool.png")
        assert rows["payload"][-1] == pytest.approx(simulation.tools["bucket"].payload)
        parts = sum(rows[name] for name in simulation.tools["bucket"].parts)
        assert parts == pytest.approx(rows["force"])
        assert np.linalg.norm(rows["earthmoving"], axis=1).max() > 1e3
        with pytest.raises(SceneError, match="bucket"):
            plot_tool(recording, tmp_path / "tool.png", "bukket")
    drawn = plot_equation(tmp_path / "equation.png")
    assert (np.diff(drawn["depth 32"]) > 0).all()
    assert (tmp_path / "tool.png").stat().st_size > 10_000
