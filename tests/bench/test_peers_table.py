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
    for name in ("compare", "settling"):
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


def test_a_section_is_replaced_in_place(compare, figures):
    page = "# Page\n\nText.\n\n### 2,000 grains\n\nold\n\n### 20,000 grains\n\nkept\n"
    new = compare.section(2_000, {"one": figures}, ["remark"])
    once = compare.with_section(page, new)
    assert "old" not in once
    assert once.startswith("# Page\n\nText.\n\n### 2,000 grains\n\n| |")
    assert once.endswith("remark\n\n### 20,000 grains\n\nkept\n")
    assert compare.with_section(once, new) == once
    assert compare.with_section(page, compare.section(500, {}, [])).startswith(page)
