"""Controls, cylinders and motors over a recording: what is drawn are the numbers recorded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import windrow as wr
from windrow.measure.failure import MeasurementError
from windrow.measure.machine_plots import plot_machine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("machine")
    scene = wr.Scene()
    scene.add_material("ground", density=2000.0)
    scene.add_plane((0, 0, 1), 0.0, "ground", name="ground")
    scene.add_machine("wheel_loader")
    sim = wr.Simulation(scene)
    with sim.record(folder / "driven.h5", frame_rate=60.0):
        for _ in range(12):
            sim.control("lift", 0.8)
            sim.step()
    return folder


def test_what_is_drawn_is_what_was_recorded(folder: Path) -> None:
    with wr.Recording(folder / "driven.h5") as recording:
        table = plot_machine(recording, folder / "machine.png")
        lift = recording.joint("lift")
        np.testing.assert_array_equal(table["lift position"], lift["position"])
        np.testing.assert_array_equal(table["lift force"], lift["force"])
        assert set(recording.control_names) <= set(table)
        assert table["lift"].tolist() == [0.0] + [0.8] * 12
        assert len(table["time"]) == 13
    with Image.open(folder / "machine.png") as image:
        assert min(image.size) > 1000


def test_a_recording_without_a_machine_says_so(tmp_path: Path) -> None:
    scene = wr.Scene()
    scene.add_material("m", density=1600.0)
    scene.add_particles((0, 0, 1), material="m")
    wr.Simulation(scene).run(0.1, record=tmp_path / "run.h5")
    with wr.Recording(tmp_path / "run.h5") as recording, pytest.raises(MeasurementError, match=r"sim\.record"):
        plot_machine(recording, tmp_path / "machine.png")
    assert not (tmp_path / "machine.png").exists()
