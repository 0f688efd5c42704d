"""What a deck says: numbers by hand, walls, motion, atom types and the data file. LAMMPS itself is not needed."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lammps_scenes import MASS, RADIUS, bed, single

import windrow as wr
from windrow.errors import SceneError
from windrow.lammps.deck import Deck, deck_of, write_deck


def deck(scene: wr.Scene, approximate: bool = False, **solver: Any) -> Deck:
    return deck_of(wr.Simulation(scene, solver=wr.DEM(**solver)), "case", approximate)


def line(text: str, begins: str) -> str:
    (found,) = [each for each in text.splitlines() if each.startswith(begins)]
    return found


def test_the_linear_law_as_granular_hooke() -> None:
    script = deck(single(True, (0, 0, -1))).script
    words = "hooke 200000 0.7 damping coeff_restitution tangential linear_history 57142.8571429 0.5 0.3"
    assert line(script, "pair_coeff") == f"pair_coeff 1 1 {words}"
    assert line(script, "fix wall0_1") == f"fix wall0_1 kind1 wall/gran/region granular {words} region wall0"
    assert line(script, "region") == "region wall0 plane 0 0 0 0 0 1 side in units box"


def test_forces_at_the_radius_are_gran_hooke_history() -> None:
    script = deck(single(False, (0, 0, -1)), lever="radius").script
    ln = math.log(0.7)
    # c over m*, with m* = m/2
    rate = -2 * ln / math.hypot(math.pi, ln) * math.sqrt(2e5 / (MASS / 2))
    style, k, kt, along, across, friction, damped = line(script, "pair_style").split()[1:]
    assert (style, damped) == ("gran/hooke/history", "1")
    assert [float(k), float(kt), float(friction)] == pytest.approx([2e5, 2e5 * 2 / 7, 0.3])
    assert [float(along), float(across)] == pytest.approx([rate, rate / 2], rel=1e-6)
    assert "differs" not in script


def test_a_damping_is_a_velocity_damper() -> None:
    scene = wr.Scene()
    scene.add_material("a", damping=3.0, stiffness=1e4, friction_static=0.4)
    scene.add_particles([(0, 0, 1)], radius=0.05, material="a")
    assert "hooke 10000 3 damping velocity" in line(deck(scene).script, "pair_coeff")


def test_the_hertz_law() -> None:
    words = line(deck(single(False, (0, 0, -1)), contact="hertz").script, "pair_coeff").split()
    effective = 5e7 / (2 * (1 - 0.25**2))
    shear = 5e7 / (4 * (2 - 0.25) * (1 + 0.25))
    assert words[3] == "hertz"
    assert float(words[4]) == pytest.approx(4 / 3 * effective)
    assert words[words.index("mindlin") - 1] == "tangential"
    assert float(words[words.index("mindlin") + 1]) == pytest.approx(8 * shear)
    assert float(words[5]) == pytest.approx(0.7)


def test_limited_damping_asks_for_the_damper_and_not_for_its_restitution() -> None:
    words = line(deck(single(False, (0, 0, -1)), limit_damping=True).script, "pair_coeff").split()
    assert words[-1] == "limit_damping"
    # a damper that may not pull takes less, so that a stronger one gives the same restitution
    assert 0.5 < float(words[5]) < 0.7


def test_materials_meet_by_pairs_and_friction_is_per_pair() -> None:
    scene = wr.Scene()
    scene.add_material("a", stiffness=1e5, restitution=0.9, friction_static=0.4)
    scene.add_material("b", stiffness=3e5, restitution=0.4, friction_static=0.9)
    scene.add_pair("a", "b", friction_static=0.1, friction_kinetic=0.1)
    scene.add_plane((0, 0, 1), 0, "b")
    scene.add_particles([(0, 0, 1)], radius=0.05, material="a")
    scene.add_particles([(0, 0, 2)], radius=0.05, material="b")
    script = deck(scene).script
    assert "pair_coeff 1 1 hooke 100000 0.9 " in script
    both = "hooke 150000 0.6 damping coeff_restitution tangential linear_history 42857.1428571 0.5 0.1"
    assert line(script, "pair_coeff 1 2") == f"pair_coeff 1 2 {both}"
    assert "pair_coeff 2 2 hooke 300000 0.4 " in script
    assert " 0.1 region wall0" in line(script, "fix wall0_1 kind1")
    assert " 0.9 region wall0" in line(script, "fix wall0_2 kind2")


def test_rolling_and_twisting_resistance_by_size() -> None:
    scene = wr.Scene()
    resisted: dict[str, Any] = {"rolling_friction": 0.1, "twisting_friction": 0.02, "friction_static": 0.5}
    scene.add_material("a", density=1000, stiffness=1e5, restitution=0.5, **resisted)
    scene.add_particles([(0, 0, 1), (0, 0, 2)], radius=[0.05, 0.1], material="a")
    script = deck(scene).script
    words = line(script, "pair_coeff 1 1").split()
    k, m, r = 1e5 * 2 / 7, 1000 * 4 / 3 * math.pi * 0.05**3 / 2, 0.025
    c = 0.6 * math.sqrt(0.4 * k * m)
    at = words.index("rolling")
    assert [float(word) for word in words[at + 2 : at + 5]] == pytest.approx([k, c, 0.1], rel=1e-6)
    at = words.index("twisting")
    assert [float(word) for word in words[at + 2 : at + 5]] == pytest.approx([k * r * r, c * r * r, 0.02 * r], rel=1e-6)
    assert "2 atom types" in deck(scene).data


def test_a_deck_needs_no_more_types_than_it_may_have() -> None:
    scene = wr.Scene()
    scene.add_material("a", rolling_friction=0.1, restitution=0.5, friction_static=0.5)
    count = 40
    scene.add_particles([(k, 0, 1) for k in range(count)], radius=np.linspace(0.05, 0.1, count), material="a")
    with pytest.raises(SceneError, match="40 kinds of grains"):
        deck(scene)
    approximated = deck(scene, approximate=True)
    assert "1 atom types" in approximated.data
    assert "# differs: particles: 40 kinds" in approximated.script


@pytest.mark.parametrize(
    ("shape", "fields", "region"),
    [
        (wr.scene.Box(size=(1, 2, 4)), {"position": (1, 0, 0)}, "block 0.5 1.5 -1 1 -2 2 side out units box"),
        (wr.scene.Box(size=(1, 2, 4)), {"rotation_deg": (0, 0, 90)}, "block -1 1 -0.5 0.5 -2 2 side out units box"),
        (
            wr.scene.Box(size=(1, 2, 4)),
            {"rotation_deg": (0, 30, 0)},
            "block -0.5 0.5 -1 1 -2 2 side out units box rotate v_wall0_angle 0 0 0 0 1 0",
        ),
        (
            wr.scene.Cylinder(radius=0.3, height=1),
            {"rotation_deg": (90, 0, 0), "inside": True},
            "cylinder y 0 0 0.3 -0.5 0.5 side in units box",
        ),
        (
            wr.scene.Cone(radius=0.3, height=1, radius_top=0.1),
            {"rotation_deg": (180, 0, 0), "position": (0, 0, 5)},
            "cone z 0 0 0.1 0.3 4 5 side out units box",
        ),
        (wr.scene.Sphere(radius=2.0), {"inside": True}, "sphere 0 0 0 2 side in units box"),
        (
            wr.scene.Plane(normal=(0, 3, 4), offset=2),
            {"position": (1, 0, 0)},
            "plane 1 1.2 1.6 0 0.6 0.8 side in units box",
        ),
    ],
)
def test_shapes(shape: Any, fields: dict[str, Any], region: str) -> None:
    scene = wr.Scene()
    scene.add_material("a", friction_static=0.5)
    scene.add_obstacle(shape, "a", **fields)
    inside = fields.get("inside", False)
    scene.add_particles([(0, 0, 0) if inside else (9, 9, 9)], radius=0.05, material="a")
    assert line(deck(scene).script, "region") == f"region wall0 {region}"


def test_motion() -> None:
    scene = wr.Scene()
    scene.add_material("a", friction_static=0.5)
    scene.add_particles([(9, 9, 9)], radius=0.05, material="a")
    slide = {"kind": "linear", "velocity": (0, -2, 0), "start": 1.0, "stop": 3.0}
    turn = {"kind": "spin", "axis": (0, 2, 0), "rate": -3.0, "center": (0, 0, 1)}
    shake = {"kind": "oscillate", "direction": (0, 0, 1), "amplitude": 0.1, "frequency": 5.0, "phase": 0.5}
    for motion in (slide, turn, shake):
        scene.add_box((0, 0, 0), (1, 1, 1), "a", motion=motion)
    script = deck(scene).script
    time = "ternary(step*dt<1,0,ternary(step*dt>3,3,step*dt)-1)"
    assert line(script, "variable wall0_y") == f"variable wall0_y equal (-2)*{time}"
    assert "move NULL v_wall0_y NULL" in line(script, "region wall0")
    assert line(script, "variable wall1_angle") == "variable wall1_angle equal -3*(step*dt)"
    assert "rotate v_wall1_angle 0 0 1 0 1 0" in line(script, "region wall1")
    assert line(script, "variable wall2_z").endswith("equal (1)*0.1*(sin(2*PI*5*(step*dt)+(0.5))-sin(0.5))")


def test_pinned_grains_are_frozen_and_do_not_move() -> None:
    scene = wr.Scene()
    scene.add_material("a", friction_static=0.5)
    scene.add_plane((0, 0, 1), 0, "a")
    scene.add_particles([(0, 0, 1), (0, 0, 2)], radius=0.05, material="a", pinned=[True, False])
    script = deck(scene).script
    assert "group free type 1\nfix move free nve/sphere\ngroup pinned type 2\nfix pinned pinned freeze" in script
    assert "fix wall0_2" not in script


def test_the_data_file_has_the_grains_of_the_simulation() -> None:
    simulation = wr.Simulation(bed(), solver=wr.DEM())
    data = deck_of(simulation, "case").data
    assert "500 atoms\n1 atom types\n" in data
    atoms, velocities = (
        np.array([row.split() for row in part.split("\n\n")[1].splitlines()], float)
        for part in data.split("Atoms #")[1].split("Velocities #")
    )
    assert np.array_equal(atoms[:, 0], np.arange(1, 501))
    assert np.array_equal(atoms[:, 4:].astype(np.float32), simulation.particles.position.astype(np.float32))
    assert atoms[:, 2] == pytest.approx(0.1)
    assert atoms[:, 3] == pytest.approx(1600)
    assert np.array_equal(velocities[:, 1:4].astype(np.float32), simulation.particles.velocity.astype(np.float32))


def test_time_step_length_and_frames_are_those_of_the_solver() -> None:
    scene = single(True, (0, 0, -1))
    scene.run.seconds, scene.run.frame_rate = 0.5, 60.0
    made = deck(scene, dt=1e-3, substeps=50)
    assert made.step == pytest.approx(2e-5)
    assert made.steps == 25_000
    assert "timestep 2e-05" in made.script
    assert "run 25000 upto" in made.script
    formula = line(made.script, "variable next").split("equal ")[1]
    due, steps = [], 0
    while steps < 25_000:
        names = {"ceil": math.ceil, "floor": math.floor, "step": steps, "dt": 2e-5}
        steps = eval(formula, names)
        due.append(steps)
    simulation = wr.Simulation(scene, solver=wr.DEM(dt=1e-3, substeps=50))
    from windrow.sim.run import frames_of

    assert due[:12] == [round(each.time / 2e-5) for each in frames_of(simulation, 0.2, 60.0)]


def test_both_files_or_none(tmp_path: Path) -> None:
    made = deck(single(True, (0, 0, -1)))
    assert [path.name for path in write_deck(made, tmp_path / "case.in")] == ["case.in", "case.data"]
    other = tmp_path / "other"
    (other / "case.in").mkdir(parents=True)
    with pytest.raises(Exception, match=re.escape("case.in")):
        write_deck(made, other / "case.in")
    assert [path.name for path in other.iterdir()] == ["case.in"]


def test_radius_of_the_scenes_is_that_of_the_numbers() -> None:
    assert pytest.approx(MASS) == 2500 * 4 / 3 * math.pi * RADIUS**3
