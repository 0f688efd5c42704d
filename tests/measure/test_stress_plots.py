"""Plots of stress show what was measured, and refuse what they cannot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from windrow.errors import SceneError
from windrow.measure.failure import MeasurementError
from windrow.measure.stress import StressCells, StressField
from windrow.measure.stress_plots import plot_stress_map, plot_stress_profile


def resting(shape: tuple[int, int, int] = (6, 2, 8), height: float = 2.0) -> StressField:
    """Soil of 1500 kg/m³ at rest, with half of the vertical stress sideways; the top quarter is air."""
    cells = StressCells((0.0, 0.0, 0.0), (3.0, 1.0, height), shape)
    depth = np.maximum(0.75 * height - cells.centers(2), 0.0)
    vertical = np.broadcast_to(1500.0 * 10.0 * depth, shape)
    stress = vertical[..., None, None] * np.diag([0.5, 0.5, 1.0])
    there = np.broadcast_to(cells.centers(2) < 0.75 * height, shape)
    return StressField(cells, stress, 1500.0 * there, 0.6 * there)


def drawn(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def test_profile(tmp_path: Path) -> None:
    table = plot_stress_profile(resting(), tmp_path / "profile.png", gravity=(0, 0, -10.0))
    assert table["vertical"] == pytest.approx(table["weight_above"])
    assert table["horizontal"] == pytest.approx(0.5 * table["vertical"])
    assert table["vertical"][0] == pytest.approx(15e3 * (1.5 - 0.125))
    assert table["density"].tolist() == [1500.0] * 6 + [0.0] * 2
    image = drawn(tmp_path / "profile.png")
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("quantity", ["pressure", "vertical", "shear", "density"])
def test_maps(quantity: str, tmp_path: Path) -> None:
    shown = plot_stress_map(resting(), tmp_path / "map.png", quantity)
    assert shown.shape == (6, 8)
    assert np.isnan(shown[:, 6:]).all()  # air is blank
    bottom = 15e3 * (1.5 - 0.125)
    share = {"pressure": 2 / 3, "vertical": 1.0, "shear": 0.5 / np.sqrt(3), "density": 1500 / bottom}
    assert shown[:, 0] == pytest.approx(np.full(6, share[quantity] * bottom))
    assert len(np.unique(drawn(tmp_path / "map.png").reshape(-1, 3), axis=0)) > 50


def test_slices_across_any_axis(tmp_path: Path) -> None:
    field = resting()
    assert plot_stress_map(field, tmp_path / "x.png", axis=0, index=5).shape == (2, 8)
    assert plot_stress_map(field, tmp_path / "z.png", axis=2, crosses=False).shape == (6, 2)
    with pytest.raises(MeasurementError, match="slices 0 to 5 along x"):
        plot_stress_map(field, tmp_path / "no.png", axis=0, index=6)
    assert not (tmp_path / "no.png").exists()


def test_crosses_are_drawn(tmp_path: Path) -> None:
    for crosses in (True, False):
        plot_stress_map(resting(), tmp_path / f"{crosses}.png", crosses=crosses)
    dark = [int((drawn(tmp_path / f"{c}.png").max(axis=2) < 70).sum()) for c in (True, False)]
    assert dark[0] > dark[1] + 1000


def test_nothing_under_stress(tmp_path: Path) -> None:
    cells = StressCells((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (3, 1, 3))
    empty = StressField(cells, np.zeros((3, 1, 3, 3, 3)), np.zeros((3, 1, 3)), np.zeros((3, 1, 3)))
    plot_stress_profile(empty, tmp_path / "profile.png")
    assert np.isnan(plot_stress_map(empty, tmp_path / "map.png")).all()


def test_what_cannot_be_plotted(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match="pressure"):
        plot_stress_map(resting(), tmp_path / "map.png", "presure")
    with pytest.raises(SceneError, match="saved as"):
        plot_stress_profile(resting(), tmp_path / "profile.bmp")
