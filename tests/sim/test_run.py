"""The loop around the step: frames, recordings, interruption."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.record.checkpoint import checkpoint_path
from windrow.sim.run import run


def falling() -> wr.Simulation:
    scene = wr.Scene()
    scene.add_material("m", density=1600, friction_static=0.5, stiffness=1e5, damping=150.0)
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="m")
    scene.add_block(lower=(-0.3, -0.3, 0.2), size=(0.6, 0.6, 0.4), radius=0.05, material="m")
    return wr.Simulation(scene)


def test_frames_come_at_their_rate_and_hold_the_state(tmp_path: Path) -> None:
    simulation = falling()
    summary = simulation.run(seconds=1.0, record=tmp_path / "run.h5", frame_rate=20.0)
    assert summary.steps == 60
    assert summary.simulated == pytest.approx(1.0)
    recording = wr.Recording(tmp_path / "run.h5")
    assert summary.frames == len(recording) == 21
    np.testing.assert_allclose(recording.times, np.arange(21) / 20, atol=1e-6)
    np.testing.assert_array_equal(recording[20].position, simulation.particles.position)


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard as in a terminal: whoever starts the tests in the background lets them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_ctrl_c_stops_between_steps_and_continues_to_the_bit(tmp_path: Path) -> None:
    through = falling()
    for _ in range(60):
        through.step()
    simulation = falling()

    def interrupt(at: wr.Simulation) -> None:
        if at.state.step == 23:
            os.kill(os.getpid(), signal.SIGINT)

    summary = run(simulation, seconds=1.0, record=tmp_path / "run.h5", on_step=interrupt)
    assert summary.interrupted
    assert simulation.state.step == 23
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    again = wr.Simulation.load(checkpoint_path(tmp_path / "run.h5"))
    run(again, seconds=37 / 60, record=tmp_path / "run.h5", append=True)
    assert again.hash() == through.hash()
    assert list(np.diff(wr.Recording(tmp_path / "run.h5").steps)) == [2] * 30


@pytest.mark.parametrize(("argument", "value"), [("seconds", -1.0), ("seconds", np.nan), ("frame_rate", 0.0)])
def test_bad_arguments_name_themselves(argument: str, value: float) -> None:
    with pytest.raises(SceneError, match=argument):
        falling().run(**{argument: value})
