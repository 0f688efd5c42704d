"""Tracks: their seven rows against all of their footprints, Wong's thrust, parking, ruts and restart."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.machines.readings import tracks as read_tracks
from windrow.scene import Scene, Track
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.solvers.multibody.tracks import NORMAL
from windrow.validate.machine_tracks import (
    DT,
    MASS,
    SOILS,
    G,
    add_tracks,
    measured_thrust,
    on_soil,
    parked,
    sinkage,
    spinning,
    thrust,
    tracked,
    turning_moment,
)


def test_seven_rows_do_what_all_footprints_do() -> None:
    """The plain way: every footprint a spring and damper of its own on frame and belts, in one dense equation."""
    bodies = MultibodyStepper(tracked())
    on_soil(bodies, SOILS["dry sand"])
    bodies.control("left", 0.6)
    bodies.control("right", 0.2)
    for _ in range(40):
        bodies.step(DT)
    table, joints, motion = bodies.joints.tracks, bodies.joints, bodies.motion
    start = {name: array.copy() for name, array in bodies.memory().items()}
    rows = [r for j in table.joint for r in range(joints.table.first_row[j], joints.table.first_row[j] + 7)]
    bodies.settings.__dict__["substeps"] = 1
    bodies.step(DT / 4)
    # What the rows gave to frame and belts with the velocities at the end …
    got = np.zeros((bodies.bodies.count, 6))
    for r in rows:
        for block in range(joints.rows.blocks[r]):
            got[joints.rows.body[r, block]] += joints.rows.J[r, 6 * block : 6 * block + 6] * joints.rows.impulse[r]
    # … and what footprints give, one by one.
    frame, V, h = bodies.bodies.index["frame"], motion.V, DT / 4
    wanted = np.zeros_like(got)
    for f, t in enumerate(table.track):
        arm = start["x"][frame] * 0.0 + table.place[f] - start["x"][frame]
        hinge = table.hinge[t]
        belt = bodies.bodies.index[("left", "right")[t] + " sprocket"]
        J = joints.coordinates.J[hinge]
        u = table.reach[t] * (J[:6] @ V[belt] + J[6:] @ V[frame])
        for d in range(3):
            e = table.axis[f, d]
            speed = e @ (V[frame, :3] + np.cross(V[frame, 3:], arm)) - (u if d == 1 else 0.0)
            force = h * (table.base[f, d] - table.slope[f, d] * speed)
            wanted[frame, :3] += force * e
            wanted[frame, 3:] += force * np.cross(arm, e)
            if d == 1:
                wanted[belt] -= force * table.reach[t] * J[:6]
                wanted[frame] -= force * table.reach[t] * J[6:]
    assert np.abs(wanted[frame, :3]).max() > 100.0
    np.testing.assert_allclose(got, wanted, atol=1e-3 * np.abs(wanted).max())


@pytest.mark.parametrize("soil", SOILS)
def test_thrust_over_slip_is_wongs(soil: str) -> None:
    assert measured_thrust(SOILS[soil], 0.05, seconds=6.0) == pytest.approx(thrust(SOILS[soil], 0.05), rel=0.01)


def test_spinning_stalling_and_turning() -> None:
    for result in (*spinning(), *turning_moment()):
        assert result.passed, result


@pytest.mark.parametrize("soil", [None, SOILS["dry sand"]])
def test_a_parked_machine_stays(soil: object) -> None:
    gone, creep = parked(20.0, soil)  # type: ignore[arg-type]
    assert gone < 0.1
    assert abs(creep) < 1e-5


def test_the_ground_bears_the_weight_and_the_reading_says_so() -> None:
    bodies = MultibodyStepper(tracked())
    for _ in range(120):
        bodies.step(DT)
    reading = read_tracks(bodies)
    assert sum(track.load for track in reading.values()) == pytest.approx(MASS * G, rel=1e-3)
    assert bodies.contact_force("frame")[2] == pytest.approx(MASS * G, rel=1e-3)
    force, _ = bodies.touch_forces()
    assert force[bodies.bodies.count, 2] == pytest.approx(-MASS * G, rel=1e-3)
    for name in ("left", "right"):
        bodies.control(name, 0.5)
    for _ in range(180):
        bodies.step(DT)
    assert read_tracks(bodies)["left track"].belt == pytest.approx(0.8, rel=1e-3)
    assert abs(read_tracks(bodies)["left track"].slip) < 0.01


@pytest.mark.parametrize("soil", ["dry_sand", "loam"])
def test_tracks_sink_as_bekker_says_and_keep_the_mass(soil: str) -> None:
    found, expected, error = sinkage(soil)
    assert found == pytest.approx(expected, rel=0.1)
    assert error == 0.0


def test_a_machine_that_drives_leaves_ruts_and_continues_to_the_bit() -> None:
    scene = Scene()
    scene.add_material("steel", density=7800.0, friction_static=0.8)
    scene.add_terrain((16.0, 8.0), 0.125, soil="dry_sand", depth=2.0)
    add_tracks(scene, 0.05)
    simulation = wr.Simulation(scene)
    for name in ("left", "right"):
        simulation.control(name, 0.5)
    for _ in range(90):
        simulation.step()
    kept = simulation.snapshot()
    for _ in range(60):
        simulation.step()
    assert simulation.ledger["mass_error"] == 0.0
    terrain = simulation.terrain
    behind = (np.abs(terrain.x[:, None] + 1.2) < 0.3) & (np.abs(np.abs(terrain.y[None, :]) - 1.19) < 0.15)
    assert terrain.height[behind].max() < -0.02
    restored = wr.Simulation.restore(kept)
    for _ in range(60):
        restored.step()
    assert restored.hash() == simulation.hash()
    assert {"bodies.track_shear", "bodies.track_load", "ground.track_load"} <= set(simulation.contents())


def test_a_track_needs_a_sprocket() -> None:
    scene = tracked()
    scene.joints = [joint for joint in scene.joints if joint.name != "left"]
    with pytest.raises(SceneError, match="no hinge joins 'left sprocket' to 'frame'"):
        scene.check()
    with pytest.raises(SceneError, match="right angles"):
        Track(first="a", second="b", position=(0, 0, 0), forward=(0, 0, 1), radius=0.4, length=3.0, width=0.5)


def test_lifted_shoes_carry_nothing() -> None:
    bodies = MultibodyStepper(tracked())
    bodies.motion.x[: bodies.bodies.count, 2] += 0.5
    bodies.step(DT)
    assert (bodies.joints.tracks.total[:, NORMAL] == 0.0).all()
