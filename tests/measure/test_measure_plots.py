"""Series over a recording and the plots of it."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from made_heaps import cone, frame_of
from PIL import Image

from windrow.errors import SceneError
from windrow.measure.failure import MeasurementError
from windrow.measure.plots import plot_profile, plot_series, plot_timings
from windrow.measure.series import measures, series, timings
from windrow.record import Recorder, Recording

SECONDS = {"solve": 0.004, "sort": 0.001}


@pytest.fixture(scope="module")
def heap() -> np.ndarray:
    return 0.05 * cone(28, 18)


@pytest.fixture(scope="module")
def recording(tmp_path_factory, heap):
    """A heap that sinks in and comes to rest, with two grains that arrive from above."""
    path = tmp_path_factory.mktemp("run") / "run.h5"
    scene = json.dumps({"title": "Sinking heap", "gravity": [0, 0, -9.81]})
    with Recorder(path, scene, 10.0) as recorder:
        for k in range(8):
            falling = np.array([[0.0, 0, 3.0 - 0.2 * k]] * (k > 3) + [[1.0, 0, 2.5]] * (k > 5)).reshape(-1, 3)
            x = np.concatenate([heap * (1 - 0.01 * k), falling])
            v = np.full(x.shape, 0.5**k, np.float32)
            noted = {"seconds": SECONDS} if k else {}
            recorder.write(frame_of(x, 0.05, time=0.1 * k, step=6 * k, velocity=v, notes=noted))
    with Recording(path) as opened:
        yield opened


def test_columns(recording, heap):
    table = series(recording)
    assert {len(column) for column in table.values()} == {8}
    assert table["time"] == pytest.approx(0.1 * np.arange(8))
    assert table["grains"].tolist() == [len(heap)] * 4 + [len(heap) + 1] * 2 + [len(heap) + 2] * 2
    first = recording[0]
    assert table["kinetic_energy"][0] == pytest.approx(1.5 * len(heap))
    assert table["potential_energy"][0] == pytest.approx(9.81 * first.position[:, 2].sum(), rel=1e-5)
    assert table["rms_speed"][2] == pytest.approx(np.sqrt(3) / 4)
    assert (np.diff(table["mean_overlap"]) > 0).all()
    assert table["contacts_per_grain"][7] == pytest.approx(2 * table["contacts"][7] / (len(heap) + 2))


def test_grains_in_the_air_are_not_the_height(recording, heap):
    table = series(recording)
    top = heap[:, 2].max()
    assert table["height"] == pytest.approx(top * (1 - 0.01 * np.arange(8)) + 0.05, abs=1e-5)


def test_every_so_many_frames_and_the_last(recording):
    seen = []
    table = series(recording, every=3, progress=seen.append)
    assert table["time"] == pytest.approx([0, 0.3, 0.6, 0.7])
    assert seen == [1, 2, 3, 4]


def test_empty_frame():
    table = measures(frame_of(np.zeros((0, 3))), np.array([0, 0, -9.81]))
    assert np.isnan(table["height"])
    assert (table["grains"], table["contacts_per_grain"], table["max_overlap"]) == (0, 0, 0)


def test_timings_skip_frames_without(recording):
    table = timings(recording)
    assert table["time"] == pytest.approx(0.1 * np.arange(1, 8))
    assert table["solve"].tolist() == 7 * [0.004]


def inked(path) -> float:
    """Fraction of the picture that is not white."""
    return float((np.asarray(Image.open(path).convert("L")) < 250).mean())


def test_series_plot(recording, tmp_path):
    table = plot_series(recording, tmp_path / "series.png")
    assert len(table["time"]) == 8
    assert 0.02 < inked(tmp_path / "series.png") < 0.5
    plot_series(recording, tmp_path / "series.svg", every=4)
    assert ElementTree.parse(tmp_path / "series.svg").getroot().tag.endswith("svg")
    plot_series(recording, tmp_path / "series.pdf", every=4)
    assert (tmp_path / "series.pdf").read_bytes().startswith(b"%PDF")
    assert len(list(tmp_path.iterdir())) == 3


def test_profile_plot_returns_the_angle(recording, tmp_path):
    found = plot_profile(recording[0], tmp_path / "profile.png")
    assert found is not None
    assert found.mean == pytest.approx(28, abs=1)
    assert inked(tmp_path / "profile.png") > 0.02


def test_profile_without_a_heap_is_still_drawn(tmp_path):
    for grains in (np.random.default_rng(0).random((50, 3)), np.zeros((0, 3))):
        assert plot_profile(frame_of(grains, 0.02), tmp_path / "profile.png") is None
        assert inked(tmp_path / "profile.png") > 0.005


def test_timings_plot(recording, tmp_path):
    table = plot_timings(recording, tmp_path / "timings.png")
    assert set(table) == {"time", "solve", "sort"}
    assert inked(tmp_path / "timings.png") > 0.2


def test_timings_plot_needs_timings(tmp_path):
    with Recorder(tmp_path / "run.h5") as recorder:
        recorder.write(frame_of(np.zeros((1, 3))))
    with Recording(tmp_path / "run.h5") as recording, pytest.raises(MeasurementError, match="timings"):
        plot_timings(recording, tmp_path / "timings.png")
    assert not (tmp_path / "timings.png").exists()


def test_targets_that_cannot_be_plots(recording, tmp_path):
    for name, reason in (
        ("plot.bmp", r"\.png"),
        ("plot", "no ending"),
        ("missing/plot.png", "does not exist"),
    ):
        with pytest.raises(SceneError, match=reason):
            plot_series(recording, tmp_path / name)


def test_nothing_global_is_loaded_or_changed():
    code = (
        "import sys, windrow.measure.plots as plots\n"
        "assert 'matplotlib' not in sys.modules\n"
        "plots.new_figure(3, 2)\n"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
