"""The same numbers from LAMMPS and from Windrow: impacts, inclines, rolling, moving walls, a bed, ranks, restarts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lammps_scenes import MASS, NUMBERS, RADIUS, bed, computed, lammps_command, motion, own, single

import windrow as wr
from windrow.lammps.runs import LammpsRun
from windrow.measure.overlap import contacts
from windrow.state.frame import Frame

pytestmark = pytest.mark.slow
G = 9.81


def hit(angle_deg: float) -> tuple[float, float, float]:
    """m/s, at that angle to the normal."""
    angle = math.radians(angle_deg)
    return math.sin(angle), 0.0, -math.cos(angle)


@pytest.mark.parametrize("wall", [False, True], ids=["pair", "wall"])
@pytest.mark.parametrize("angle", [0.0, 20.0, 60.0])
@pytest.mark.parametrize(
    ("solver", "within"),
    [
        (wr.DEM(lever="radius"), 1e-4),
        (wr.DEM(lever="radius", limit_damping=True), 1e-4),
        (wr.DEM(), 3e-3),
        (wr.DEM(contact="hertz", lever="radius"), 2e-3),
        (wr.DEM(contact="hertz"), 1.5e-2),
    ],
    ids=["radius", "limited", "overlap", "hertz", "hertz-overlap"],
)
def test_one_impact_at_one_metre_per_second(
    tmp_path: Path, wall: bool, angle: float, solver: wr.DEM, within: float
) -> None:
    scene = single(wall, hit(angle))
    theirs = computed(scene, solver, tmp_path)
    ours = own(scene, solver, theirs.time)
    print(f"impact {solver.contact} {solver.lever} {wall} {angle}: {np.abs(motion(theirs) - motion(ours)).max():.2e}")
    assert motion(theirs) == pytest.approx(motion(ours), abs=within)


@pytest.mark.parametrize("wall", [False, True], ids=["pair", "wall"])
def test_stiff_spheres_agree_to_a_thousandth_with_either_lever(tmp_path: Path, wall: bool) -> None:
    scene = single(wall, hit(40.0), stiffness=5e6)
    scene.run.seconds = 0.002
    theirs = computed(scene, wr.DEM(), tmp_path)
    ours = own(scene, wr.DEM(), theirs.time)
    print(f"stiff {wall}: {np.abs(motion(theirs) - motion(ours)).max():.2e}")
    assert motion(theirs) == pytest.approx(motion(ours), abs=1e-3)


@pytest.mark.parametrize("contact", ["linear", "hertz"])
def test_restitution_is_the_one_asked_for(tmp_path: Path, contact: Any) -> None:
    scene = single(True, (0, 0, -1), restitution=0.6)
    solver = wr.DEM(contact=contact, dt=2e-6)
    last = computed(scene, solver, tmp_path)
    assert last.velocity[0, 2] == pytest.approx(0.6, rel=3e-3)


def sliding(degrees: float, speed: float = 0.0, **numbers: float) -> wr.Scene:
    """A sphere on a plane, with gravity turned by the angle of an incline."""
    angle = math.radians(degrees)
    scene = wr.Scene(gravity=(G * math.sin(angle), 0.0, -G * math.cos(angle)))
    scene.add_material("steel", **{**NUMBERS, **numbers})
    scene.add_plane((0, 0, 1), 0.0, "steel")
    sunk = MASS * G * math.cos(angle) / 2e5
    scene.add_particles([(0, 0, RADIUS - sunk)], velocity=[(speed, 0, 0)], radius=RADIUS, material="steel")
    scene.run.seconds, scene.run.frame_rate = 0.3, 100.0
    return scene


@pytest.mark.parametrize(("degrees", "acceleration"), [(20.0, "rolls"), (60.0, "slides")])
def test_incline(tmp_path: Path, degrees: float, acceleration: str) -> None:
    scene, angle = sliding(degrees), math.radians(degrees)
    last = computed(scene, wr.DEM(lever="radius"), tmp_path)
    ours = own(scene, wr.DEM(lever="radius"), last.time)
    rolls = 5 / 7 * G * math.sin(angle)
    slides = G * (math.sin(angle) - 0.3 * math.cos(angle))
    expected = (rolls if acceleration == "rolls" else slides) * last.time
    print(f"incline {degrees}: {last.velocity[0, 0]:.6f} {ours.velocity[0, 0]:.6f} {expected:.6f}")
    assert last.velocity[0, 0] == pytest.approx(expected, rel=5e-3)
    assert last.velocity[0, 0] == pytest.approx(ours.velocity[0, 0], rel=1e-3)


def test_sliding_becomes_rolling(tmp_path: Path) -> None:
    scene = sliding(0.0, speed=0.5)
    last = computed(scene, wr.DEM(lever="radius"), tmp_path)
    ours = own(scene, wr.DEM(lever="radius"), last.time)
    print(f"rolling: {last.velocity[0, 0]:.6f} {ours.velocity[0, 0]:.6f} {0.5 * 5 / 7:.6f}")
    assert last.velocity[0, 0] == pytest.approx(0.5 * 5 / 7, rel=2e-3)
    assert last.velocity[0, 0] == pytest.approx(ours.velocity[0, 0], rel=1e-3)


def test_rolling_resistance_takes_the_same_speed(tmp_path: Path) -> None:
    scene = sliding(0.0, speed=0.5, rolling_friction=0.05, twisting_friction=0.05)
    last = computed(scene, wr.DEM(lever="radius"), tmp_path)
    ours = own(scene, wr.DEM(lever="radius"), last.time)
    print(f"resisted: {last.velocity[0, 0]:.6f} {ours.velocity[0, 0]:.6f}")
    assert last.velocity[0, 0] < 0.9 * 0.5 * 5 / 7
    assert last.velocity[0, 0] == pytest.approx(ours.velocity[0, 0], rel=2e-3)


def pushed(kind: str) -> wr.Scene:
    """A few grains and walls that move."""
    scene = wr.Scene(gravity=(0.0, 0.0, -G))
    scene.add_material("steel", **NUMBERS)
    place = [(0.0, 0.0, RADIUS)]
    if kind == "drum":
        turn = {"kind": "spin", "axis": (0, 1, 0), "rate": 4.0}
        scene.add_cylinder((0, 0, 0.1), 0.1, 0.2, "steel", inside=True, rotation_deg=(90, 0, 0), motion=turn)
        place = [(0.0, 0.0, 1.001 * RADIUS), (0.0, 0.03, 1.001 * RADIUS)]
    elif kind == "blade":
        scene.add_plane((0, 0, 1), 0.0, "steel")
        push = {"kind": "linear", "velocity": (0.3, 0, 0), "start": 0.05, "stop": 0.2}
        scene.add_box((-0.03, 0, 0.05), (0.02, 0.2, 0.1), "steel", motion=push)
    elif kind == "shaker":
        shake = {"kind": "oscillate", "direction": (0, 0, 1), "amplitude": 0.002, "frequency": 20.0, "phase": 0.5}
        scene.add_plane((0, 0, 1), 0.0, "steel", motion=shake)
    else:
        scene.add_box((0, 0, -0.05), (0.4, 0.4, 0.1), "steel", rotation_deg=(0, 15, 0))
        place = [(0.0, 0.0, 0.0155)]
    scene.add_particles(place, radius=RADIUS, material="steel")
    # a grain that jumps on a shaker is chaotic from the third jump on
    scene.run.seconds, scene.run.frame_rate = 0.1 if kind == "shaker" else 0.25, 100.0
    return scene


@pytest.mark.parametrize("kind", ["drum", "blade", "shaker", "ramp"])
def test_moving_and_turned_walls(tmp_path: Path, kind: str) -> None:
    scene = pushed(kind)
    last = computed(scene, wr.DEM(lever="radius"), tmp_path)
    ours = own(scene, wr.DEM(lever="radius"), last.time)
    away = np.abs(last.position - ours.position).max()
    print(f"{kind}: {away:.2e} m of {np.abs(ours.position - wr.Simulation(scene).particles.position).max():.2e} m")
    assert away < 1e-4 * RADIUS
    assert last.body_position == pytest.approx(ours.body_position)


def bulk(frame: Frame) -> np.ndarray:
    """Mean height, contacts per grain, kinetic energy (J) of a bed."""
    touching = contacts(frame.position, frame.radius)
    energy = 0.5 * float((frame.mass * (frame.velocity**2).sum(axis=1)).sum())
    return np.array([frame.position[:, 2].mean(), 2 * len(touching) / len(frame.id), energy])


def test_a_settling_bed_within_the_spread_of_starts_on_one_and_two_ranks(tmp_path: Path) -> None:
    solver = wr.DEM(lever="radius")
    theirs, ours = [], []
    for seed in range(1, 6):
        folder = tmp_path / str(seed)
        folder.mkdir()
        last = computed(bed(seed), solver, folder, ranks=1 + seed % 2)
        theirs.append(bulk(last))
        ours.append(bulk(own(bed(seed), solver, last.time)))
    a, b = np.array(theirs), np.array(ours)
    print("LAMMPS", a.mean(axis=0), a.std(axis=0, ddof=1), "\nWindrow", b.mean(axis=0), b.std(axis=0, ddof=1))
    spread = np.hypot(a.std(axis=0, ddof=1), b.std(axis=0, ddof=1)) / math.sqrt(len(a))
    assert (np.abs(a.mean(axis=0) - b.mean(axis=0))[:2] < 4 * spread[:2]).all()
    assert a[:, 2].max() < 10 * b[:, 2].max() + 1e-6


def test_two_ranks_compute_what_one_does(tmp_path: Path) -> None:
    frames = []
    for ranks in (1, 2):
        folder = tmp_path / str(ranks)
        folder.mkdir()
        scene = bed()
        scene.run.seconds = 0.2
        frames.append(computed(scene, wr.DEM(), folder, ranks))
    away = np.abs(frames[0].position - frames[1].position)
    print(f"ranks: median {np.median(away):.2e} m")
    assert np.median(away) < 1e-6


def test_a_real_run_stops_and_resumes(tmp_path: Path) -> None:
    """LAMMPS' restarts are not exact: dampers of the first step are those of the velocities at its end."""
    scene = bed()
    scene.run.seconds, scene.run.frame_rate = 0.5, 200.0
    broken_at = 0
    recordings = []
    for name, stops in (("whole", False), ("broken", True)):
        out = tmp_path / f"{name}.h5"
        seen: list[int] = []

        def heed(seen: list[int] = seen, stops: bool = stops) -> None:
            if stops and len(seen) > 20:
                raise KeyboardInterrupt

        simulation = wr.Simulation(scene, solver=wr.DEM())
        with LammpsRun.begin(simulation, out, lammps_command(), 1, False) as run:
            done = run.go(seen.append, heed)
            _, last = run.record()
        assert done != stops
        if not done:
            broken_at = last.step
            with LammpsRun.continued(out) as run:
                assert run.go(seen.append, lambda: None)
                run.record()
        recordings.append(out)
    with wr.Recording(recordings[0]) as whole, wr.Recording(recordings[1]) as broken:
        assert whole.times == pytest.approx(broken.times)
        after = next(k for k in range(len(whole)) if whole[k].step > broken_at) + 1
        away = np.abs(whole[after].position - broken[after].position)
        print(f"restart: median {np.median(away):.2e} m, most {away.max():.2e} m of {len(whole)} frames at {after}")
        assert np.median(away) < 1e-6
        heights = [recording[-1].position[:, 2].mean() for recording in (whole, broken)]
        assert heights[0] == pytest.approx(heights[1], abs=0.01)
