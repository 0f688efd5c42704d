"""Forces on bodies over a recording: whose are drawn, and that the numbers are those recorded."""

from __future__ import annotations

import numpy as np
import pytest
from made_heaps import frame_of
from PIL import Image

from windrow.errors import SceneError
from windrow.measure.failure import MeasurementError
from windrow.measure.force_plots import plot_forces
from windrow.record import Recorder, Recording

NAMES = ["floor", "left", "right", "arm", "blade", "door", "wheel", "cab"]
FRAMES = 6


def recorded(path, moving: tuple[str, ...], frames: int = FRAMES):
    """Bodies of which body k feels k newtons times the frame's number, downwards; the moving ones move or turn."""
    with Recorder(path, "{}", 10.0) as recorder:
        for f in range(frames):
            frame = frame_of(np.zeros((1, 3)), 0.05, time=0.1 * f, step=f)
            frame.body_names = list(NAMES)
            frame.body_position = np.zeros((len(NAMES), 3))
            frame.body_rotation = np.tile(np.eye(3), (len(NAMES), 1, 1))
            for name in moving:
                k = NAMES.index(name)
                if name == "wheel":
                    c, s = np.cos(f), np.sin(f)
                    frame.body_rotation[k] = [[c, -s, 0], [s, c, 0], [0, 0, 1]]
                else:
                    frame.body_position[k, 0] = 0.1 * f
            frame.body_force = np.outer(np.arange(len(NAMES)), [0.0, 0.0, -1.0]) * f
            frame.body_torque = np.zeros((len(NAMES), 3))
            recorder.write(frame)
    return Recording(path)


def drawn(tmp_path, moving: tuple[str, ...], *bodies: str) -> dict[str, np.ndarray]:
    with recorded(tmp_path / "run.h5", moving) as recording:
        table = plot_forces(recording, tmp_path / "forces.png", bodies)
    assert Image.open(tmp_path / "forces.png").width > 1000
    return table


def test_bodies_that_move_or_turn_are_drawn(tmp_path) -> None:
    table = drawn(tmp_path, ("blade", "wheel"))
    assert list(table) == ["time", "blade", "wheel"]
    assert table["time"] == pytest.approx(0.1 * np.arange(FRAMES))
    assert table["blade"] == pytest.approx(np.outer(np.arange(FRAMES), [0, 0, -4.0]))


def test_of_many_the_four_that_feel_most(tmp_path) -> None:
    table = drawn(tmp_path, ("floor", "arm", "blade", "left", "cab", "wheel"))
    assert list(table)[1:] == ["arm", "blade", "wheel", "cab"]


def test_where_nothing_moves_all_are_looked_at(tmp_path) -> None:
    assert list(drawn(tmp_path, ()))[1:] == ["blade", "door", "wheel", "cab"]


def test_named_ones_are_drawn_in_the_order_named(tmp_path) -> None:
    assert list(drawn(tmp_path, ("blade",), "floor", "arm"))[1:] == ["floor", "arm"]


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path) -> None:
    with recorded(tmp_path / "run.h5", ()) as recording, pytest.raises(SceneError, match="Did you mean 'blade'"):
        plot_forces(recording, tmp_path / "forces.png", ["balde"])
    assert not (tmp_path / "forces.png").exists()


def test_one_frame_is_no_course(tmp_path) -> None:
    with recorded(tmp_path / "run.h5", (), frames=1) as recording, pytest.raises(MeasurementError, match="two frames"):
        plot_forces(recording, tmp_path / "forces.png")
