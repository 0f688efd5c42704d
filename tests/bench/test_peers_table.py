"""The table of peers: what a missing peer looks like, and that writing one section leaves the others alone."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "peers"


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(FOLDER)
    for name in ("compare", "same_law", "settling"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import compare

    return compare


@pytest.fixture
def figures(compare: ModuleType) -> dict[str, float]:
    return dict.fromkeys(compare.COLUMNS, 0.5) | {"overlap_peak": 0.25}


def test_missing_and_failing_peers_are_rows(compare, figures, monkeypatch, tmp_path):
    def run(command: list[str | Path], result: Path, **variables: str) -> dict[str, float]:
        if "run_mujoco.py" in command:
            raise compare.subprocess.CalledProcessError(1, "python")
        return figures

    monkeypatch.setattr(compare, "figures", run)
    monkeypatch.setattr(compare.shutil, "which", lambda name: None)
    monkeypatch.setattr(compare, "environment", lambda peer: tmp_path)
    table = compare.compare(500, ["lammps", "yade", "mujoco"], 1)
    assert "| YADE, 1 thread | not installed: Debian package yade |" in table
    assert "| MuJoCo, 1 thread | fails |" in table
    assert "| LAMMPS, 1 rank | 0.5 | 0.5 |" in table
    assert "Windrow needs 1.0 times less wall time than LAMMPS" in table
    columns = {line.count("|") for line in table.splitlines() if line.startswith("|")}
    assert columns == {len(compare.COLUMNS) + 2}


def test_dem_beside_dem_on_one_thread_and_more(compare, monkeypatch, tmp_path):
    def run(command: list[str | Path], result: Path, **variables: str) -> dict[str, float]:
        wall = 2.0 if "run_lammps.py" in command else 0.5
        return dict.fromkeys(compare.same_law.COLUMNS, 0.5) | {"wall_per_second": wall}

    monkeypatch.setattr(compare, "figures", run)
    monkeypatch.setattr(compare.shutil, "which", lambda name: None)
    monkeypatch.setattr(compare, "environment", lambda peer: tmp_path)
    table = compare.compare_dem(600, ["lammps", "liggghts"], 2)
    assert table.startswith("### 600 grains, the same law and step\n")
    assert "| LAMMPS, 1 thread | 0.25 | 0.5 |" in table
    assert "| Windrow DEM, 2 threads | 1 | 0.5 |" in table
    assert "| LIGGGHTS, 2 threads | not installed: Debian package liggghts |" in table
    assert "On 2: 4.00 times the particle-steps of LAMMPS." in table
    assert len({line.count("|") for line in table.splitlines() if line.startswith("|")}) == 1


def test_touching_grains_are_those_of_all_pairs(compare):
    import numpy as np

    settling = compare.settling
    places = np.random.default_rng(5).uniform(-0.4, 0.4, (300, 3))
    gaps = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    expected = {(i, j) for i, j in zip(*np.nonzero(gaps < 2 * settling.RADIUS), strict=True) if i < j}
    found = [tuple(pair) for pair in settling.touching(places)]
    assert len(found) == len(expected) > 100
    assert set(found) == expected


def test_starts_are_told_by_mean_error_and_extremes(compare, monkeypatch, tmp_path):
    asked = []

    def run(command: list[str | Path], result: Path, **variables: str) -> dict[str, list[float]]:
        asked.append([str(part) for part in command])
        peak = [0.3, 0.5] if "run_lammps.py" in command else [0.2, 0.3]
        return {name: [0.01, 0.03] for name in compare.OVER_STARTS} | {"overlap_peak": peak}

    monkeypatch.setattr(compare, "figures", run)
    monkeypatch.setattr(compare, "environment", lambda peer: tmp_path)
    table = compare.compare_starts(500, ["lammps", "yade", "lammps-still"], 2, 2)
    assert table.startswith("### 500 grains, 2 starts\n")
    assert "| LAMMPS, 2 ranks | 0.02 ± 0.01 (0.01 to 0.03) | 0.02" in table
    assert "0.4 ± 0.1 (0.3 to 0.5)" in table
    assert "| Windrow NDEM, 2 threads |" in table
    assert "0.25 ± 0.05 (0.2 to 0.3)" in table
    assert len(asked) == 3
    assert all(command[-2:] == ["--starts", "2"] for command in asked)
    assert ["--still" in command for command in asked] == [False, True, False]
    page = compare.section(500, {}, ["of one start"])
    assert "of one start" in compare.with_section(page, table)


def test_a_section_is_replaced_in_place(compare, figures):
    page = "# Page\n\nText.\n\n### 2,000 grains\n\nold\n\n### 20,000 grains\n\nkept\n"
    new = compare.section(2_000, {"one": figures}, ["remark"])
    once = compare.with_section(page, new)
    assert "old" not in once
    assert once.startswith("# Page\n\nText.\n\n### 2,000 grains\n\n| |")
    assert once.endswith("remark\n\n### 20,000 grains\n\nkept\n")
    assert compare.with_section(once, new) == once
    assert compare.with_section(page, compare.section(500, {}, [])).startswith(page)
