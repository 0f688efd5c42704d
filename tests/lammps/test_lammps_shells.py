"""Turned shells as LAMMPS regions: where grains meet the pieces, and how fast an hourglass runs in both programs."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lammps_scenes import computed, own

import windrow as wr
from windrow.errors import SceneError
from windrow.lammps.deck import deck_of
from windrow.lammps.shells import ShellSegment, pieces_inside
from windrow.scene.shapes import Revolution

REACH = 0.008
"""Radius of the grains, m."""
HEIGHTS = np.linspace(-0.3, 0.3, 25)
PROFILE = [(0.0, -0.3), *((0.05 + 0.12 * math.sin(math.pi * abs(z) / 0.66) ** 2, z) for z in HEIGHTS), (0.0, 0.3)]


def met_at(pieces: list[ShellSegment], r: float, z: float) -> float:
    """Distance of a centre from the nearest piece that pushes it, as LAMMPS has it: only between the ends."""
    least = math.inf
    for low, high, radius_low, radius_high, opened in pieces:
        share = (z - low) / (high - low)
        if not 0.0 <= share <= 1.0 or r > radius_low + share * (radius_high - radius_low):
            continue
        if "3" in opened:
            least = min(least, high - z if "1" in opened else z - low)
        else:
            least = min(least, to_segment((r, z), (radius_low, low), (radius_high, high)))
    return least


def to_segment(point: Any, a: Any, b: Any) -> float:
    p, a, b = (np.array(each) for each in (point, a, b))
    along = np.clip(((p - a) * (b - a)).sum() / ((b - a) ** 2).sum(), 0.0, 1.0)
    return float(np.sqrt(((p - a - along * (b - a)) ** 2).sum()))


@pytest.mark.parametrize("thickness", [0.0, 0.004])
def test_grains_meet_the_pieces_where_the_shell_is(thickness: float) -> None:
    pieces = pieces_inside(Revolution(profile=np.array(PROFILE), thickness=thickness), REACH, "obstacles[0]")
    random, seen = np.random.default_rng(3), 0
    for _ in range(1500):
        z = random.uniform(-0.295, 0.295)
        r = random.uniform(0.0, 0.2)
        shell = min(to_segment((r, z), a, b) for a, b in pairwise(PROFILE)) - 0.5 * thickness
        inside = r < np.interp(z, HEIGHTS, [p[0] for p in PROFILE[1:-1]])
        if inside and 0.5 * REACH < shell < REACH:
            seen += 1
            assert met_at(pieces, r, z) == pytest.approx(shell, abs=0.06 * REACH), (r, z)
    assert seen > 40


def hourglass(seed: int = 1) -> wr.Scene:
    """Grains in the upper bulb; `seed` moves each a little."""
    scene = wr.Scene()
    scene.add_material("sand", density=1600, stiffness=2000.0, restitution=0.5, friction_static=0.5)
    scene.add_revolution(PROFILE, "sand", name="hourglass")
    n = np.arange(2000)
    cell = np.stack([n % 14 - 6.5, n // 14 % 14 - 6.5, n // 196], axis=1) * 2.1 * REACH + (0.0, 0.0, 0.08)
    edge = np.interp(cell[:, 2], HEIGHTS, [p[0] for p in PROFILE[1:-1]])
    inside = np.hypot(cell[:, 0], cell[:, 1]) < edge - 1.5 * REACH
    places = cell[inside] + np.random.default_rng(seed).uniform(-0.04, 0.04, (int(inside.sum()), 3)) * REACH
    scene.add_particles(places, radius=REACH, material="sand")
    scene.run.seconds, scene.run.frame_rate = 0.4, 10.0
    return scene


def test_only_when_asked_for_and_the_deck_says_so() -> None:
    simulation = wr.Simulation(hourglass(), solver=wr.DEM())
    with pytest.raises(SceneError, match=r"obstacles\[0\] \(hourglass\)\.shape: a revolution has no .*--approximate"):
        deck_of(simulation, "case")
    deck = deck_of(simulation, "case", approximate=True)
    assert any("inner side" in text for text in deck.approximations)
    regions = [line for line in deck.script.splitlines() if line.startswith("region ")]
    assert len(regions) == len(PROFILE) - 1
    assert sum(" cone z " in line or " cylinder z " in line for line in regions) == len(regions)
    assert all("side in" in line and "open" in line for line in regions)


@pytest.mark.parametrize(
    ("profile", "fields", "message"),
    [
        ([(0.2, 0.5), (0.2, 0.0), (0.05, 0.0)], {}, "flat ring at z = 0 m"),
        ([(0.2, 0.5), (0.1, 0.0)], {"rotation_deg": (10, 0, 0)}, "upright"),
    ],
)
def test_shells_that_no_region_is(profile: Any, fields: dict[str, Any], message: str) -> None:
    scene = wr.Scene()
    scene.add_material("sand")
    scene.add_revolution(profile, "sand", **fields)
    scene.add_particles([(0, 0, 0.3)], radius=0.01, material="sand")
    with pytest.raises(SceneError, match=message):
        deck_of(wr.Simulation(scene, solver=wr.DEM()), "case", approximate=True)


@pytest.mark.slow
def test_the_hourglass_runs_as_fast_within_the_spread_of_starts(tmp_path: Path) -> None:
    solver = wr.DEM(lever="radius")
    ran: dict[str, list[int]] = {"windrow": [], "lammps": []}
    for seed in range(1, 5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        scene = hourglass(seed)
        lammps = computed(scene, solver, folder, approximate=True)
        mine = own(scene, solver, scene.run.seconds)
        for name, frame in (("windrow", mine), ("lammps", lammps)):
            assert len(frame.position) == len(mine.position)
            ran[name].append(int((frame.position[:, 2] < 0.0).sum()))
    print(ran)
    means = {name: np.mean(found) for name, found in ran.items()}
    spread = max(float(np.std(found, ddof=1)) for found in ran.values())
    assert 0.2 * len(mine.position) < means["windrow"] < 0.8 * len(mine.position)
    # two means of four differ by 0.7 standard deviations by chance
    assert abs(means["windrow"] - means["lammps"]) < 3.0 * spread, ran
