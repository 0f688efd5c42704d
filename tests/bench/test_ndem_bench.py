"""The scenes NDEM is timed on are what they say, and the tables have a number in every field."""

from __future__ import annotations

from json import loads

import numpy as np
import pytest

from windrow.bench import arrivals, ndem
from windrow.bench.main import run_bench
from windrow.collide.touching import touching_pairs
from windrow.scene import NDEM
from windrow.sim.simulation import Simulation
from windrow.validate import size_scenes


def test_the_grading_is_wide_mixed_and_of_equal_mass_per_octave() -> None:
    particles = Simulation(size_scenes.graded(5000), solver=NDEM()).particles
    radius, position = particles.radius.astype(float), particles.position.astype(float)
    assert 4000 < len(radius) < 6500
    assert 18.0 < radius.max() / radius.min() < 20.5
    assert len(touching_pairs(position, radius)[0]) == 0
    octave = np.floor(np.log2(radius.max() / radius) + np.log2(0.8) * 0.5 + 0.5).astype(int)
    mass = np.bincount(octave, radius**3)
    assert mass.min() > 0.4 * mass.max()
    # large ones are not all in one place
    large = radius > 0.3 * radius.max()
    assert np.ptp(position[large, 2]) > 0.4 * np.ptp(position[:, 2])


def test_the_boulder_lies_on_the_sand() -> None:
    particles = Simulation(size_scenes.sand(3000, boulder=20.0), solver=NDEM()).particles
    assert particles.radius[-1] == np.float32(20 * size_scenes.RADIUS)
    assert len(touching_pairs(particles.position.astype(float), particles.radius.astype(float))[0]) == 0
    assert particles.position[-1, 2] - particles.radius[-1] > particles.position[:-1, 2].max()


def test_tables_of_small_beds_are_complete() -> None:
    (row,) = ndem.bed_rows((1,), (600,))
    assert row["speed-up"] == 1.0
    assert all(np.isfinite(value) and value > 0 for value in row.values())
    sizes = ndem.size_rows(400, steps=40)
    assert [row["scene"] for row in sizes] == ["sand", "sand and a boulder", "graded 1 : 20"]
    assert all(row["settled ms"] > 0 and row["missed pairs"] == 0 for row in sizes)


def test_grains_arrive_in_a_bed_at_rest() -> None:
    (row,) = arrivals.arrival_rows((1500,))
    assert 1000 < row["grains"] < 2000
    assert 0.9 * arrivals.ARRIVE < row["arrive"] <= arrivals.ARRIVE  # some find no room
    assert row["step of the arrival, ms"] == pytest.approx((1 + row["added, of a step"]) * row["step before, ms"])


@pytest.mark.parametrize("json", [False, True])
def test_tables_are_results_and_fit_into_a_terminal(json, monkeypatch, capsys) -> None:
    names = ["grains", "threads", "step ms", "contacts", "ns per listed contact and sweep", "bytes per grain"]
    rows = [dict.fromkeys(names, 1.5) | {"grains": grains} for grains in (20_000, 20_001, 100_000, 100_001)]
    monkeypatch.setattr(ndem, "bed_rows", lambda threads: rows)
    monkeypatch.setenv("COLUMNS", "80")
    assert run_bench(["ndem"], json=json) == 0
    told = capsys.readouterr()
    table = told.err if json else told.out
    assert all(name in table for name in names)
    assert all(f"{row['grains']:,}" in table for row in rows)
    assert "…" not in table
    assert max(map(len, table.splitlines())) <= 80
    if json:
        assert loads(told.out) == {"ndem": rows}
