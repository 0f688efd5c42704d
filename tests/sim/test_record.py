"""Recordings of loops that somebody else runs: when frames come, what they hold, and what a crash leaves."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError, SceneError
from windrow.record.checkpoint import checkpoint_path, load_snapshot
from windrow.scene.joints import CylinderJoint, Hinge, VelocityMotor
from windrow.scene.shapes import Box, Sphere
from windrow.sim.run import run
from windrow.view.parameters import changed

MASS, HANGING = 100.0, 9.81 * 100.0


def rig() -> wr.Scene:
    """A weight on a cylinder, a wheel with a motor, and a few grains that fall."""
    scene = wr.Scene(title="rig")
    scene.add_material("m", density=1600.0)
    scene.add_plane((0, 0, 1), 0.0, "m", name="floor")
    scene.add_body("weight", "m", shapes=[Box(size=(0.4, 0.4, 0.4))], mass=MASS, position=(0, 0, 2))
    scene.add_joint(
        CylinderJoint(
            name="ram",
            first="weight",
            positions=((0, 0, 2), (0, 0, 4)),
            range=(1.0, 3.0),
            area=0.01,
            pressure_limit=1e6,
            flow_limit=0.002,
            control="ram",
        )
    )
    scene.add_body("wheel", "m", shapes=[Sphere(radius=0.3)], position=(3, 0, 2))
    motor = VelocityMotor(speed=2.0, control="turn", max_force=500.0)
    scene.add_joint(Hinge(name="axle", first="wheel", position=(3, 0, 2), axis=(0, 1, 0), motor=motor))
    scene.add_block((-2, -2, 0.5), (0.3, 0.3, 0.3), 0.05, "m")
    return scene


def drive(simulation: wr.Simulation, steps: int) -> None:
    for _ in range(steps):
        simulation.control("ram", -0.5 if simulation.time >= 0.5 else 0.0)
        simulation.control("turn", 1.0)
        simulation.step()


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("driven") / "driven.h5"
    simulation = wr.Simulation(rig())
    with simulation.record(path, frame_rate=20.0) as recording:
        drive(simulation, 60)
        assert recording.path == path
        assert recording.frames == 21
    simulation.run(0.5)
    return path


def test_frames_come_when_they_are_due(driven: Path) -> None:
    with wr.Recording(driven) as recording:
        assert recording.finished
        assert recording.frame_rate == 20.0
        np.testing.assert_allclose(recording.times, np.arange(21) / 20, atol=1e-6)


def test_frames_hold_controls_joints_and_forces_of_cylinders(driven: Path) -> None:
    with wr.Recording(driven) as recording:
        assert recording.control_names == ["ram", "turn"]
        assert recording.joint_names == ["ram", "axle"]
        assert set(recording.control("turn")) == {0.0, 1.0}
        np.testing.assert_array_equal(recording.control("ram")[recording.times > 0.55], -0.5)
        ram, axle = recording.joint("ram"), recording.joint("axle")
        # it hangs at first, and is then drawn in by half of flow over area
        assert ram["position"][0] == pytest.approx(2.0)
        assert ram["force"][9] == pytest.approx(-HANGING, rel=0.02)
        assert ram["rate"][-1] == pytest.approx(-0.1, rel=0.05)
        assert np.diff(ram["position"][-3:]) == pytest.approx([-0.1 / 20] * 2, rel=0.05)
        assert axle["rate"][-1] == pytest.approx(2.0, rel=0.01)
        last = recording[-1]
        assert last.control_names == recording.control_names
        assert last.controls.tolist() == [-0.5, 1.0]
        assert last.joint_names == recording.joint_names
        for field in ("position", "rate", "force"):
            np.testing.assert_array_equal(getattr(last, f"joint_{field}"), recording.joint_rows()[field][-1])
        with pytest.raises(SceneError, match=r"unknown joint 'rm'.*Did you mean 'ram'"):
            recording.joint("rm")
        with pytest.raises(SceneError, match=r"unknown control 'trn'.*Did you mean 'turn'"):
            recording.control("trn")


def test_a_frame_tells_what_the_joints_told() -> None:
    simulation = wr.Simulation(rig())
    drive(simulation, 40)
    frame = simulation.frame()
    assert simulation.bodies is not None
    for k, name in enumerate(frame.joint_names):
        told = simulation.bodies.joint(name)
        drive_force = told.along.get("cylinder", told.along.get("motor"))
        assert (frame.joint_position[k], frame.joint_rate[k], frame.joint_force[k]) == (
            told.coordinate,
            told.rate,
            drive_force,
        )
    assert frame.joint_force[0] < -0.5 * HANGING


def test_recording_changes_nothing_and_run_is_recorded_too(tmp_path: Path) -> None:
    plain, taped = wr.Simulation(rig()), wr.Simulation(rig())
    plain.run(0.5)
    with taped.record(tmp_path / "a.h5", 10.0), taped.record(tmp_path / "b.h5", 60.0):
        taped.run(0.5, record=tmp_path / "c.h5", frame_rate=30.0)
    assert taped.hash() == plain.hash()
    for name, frames in (("a", 6), ("b", 31), ("c", 16)):
        with wr.Recording(tmp_path / f"{name}.h5") as recording:
            assert len(recording) == frames


def test_the_rate_is_that_of_the_scene_unless_it_is_given(tmp_path: Path) -> None:
    scene = rig()
    scene.run.frame_rate = 30.0
    simulation = wr.Simulation(scene)
    with simulation.record(tmp_path / "run.h5"):
        drive(simulation, 30)
    with wr.Recording(tmp_path / "run.h5") as recording:
        assert recording.frame_rate == 30.0
        assert len(recording) == 16
    with pytest.raises(SceneError, match="frame_rate: 0"), simulation.record(tmp_path / "no.h5", 0):
        pass
    with pytest.raises(FileFormatError, match="does not exist"), simulation.record(tmp_path / "no" / "no.h5"):
        pass


def test_an_error_inside_leaves_what_there_was(tmp_path: Path) -> None:
    simulation = wr.Simulation(rig())

    def crash() -> None:
        with simulation.record(tmp_path / "run.h5", 60.0):
            drive(simulation, 10)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        crash()
    with wr.Recording(tmp_path / "run.h5") as recording:
        assert len(recording) == 11
        np.testing.assert_array_equal(recording[-1].position, simulation.particles.position)
    # it is over: further steps are not recorded, and time may go back
    simulation.step()
    simulation.reset()
    with wr.Recording(tmp_path / "run.h5") as recording:
        assert len(recording) == 11


KILLED = """
import os, signal, sys
import windrow as wr
scene = wr.Scene()
scene.add_material("m", density=1600.0)
scene.add_block((0, 0, 1), (0.3, 0.3, 0.3), 0.05, "m")
simulation = wr.Simulation(scene, threads=1)
with simulation.record(sys.argv[1], frame_rate=60.0):
    while simulation.state.step < 7:
        simulation.step()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_killed_process_leaves_a_recording_that_can_be_read(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "run.h5")], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with wr.Recording(tmp_path / "run.h5") as recording:
        assert not recording.finished
        assert recording.steps.tolist() == list(range(8))


def test_a_block_with_a_checkpoint_is_continued_and_the_checkpoint_of_another_is_not(tmp_path: Path) -> None:
    path, simulation = tmp_path / "run.h5", wr.Simulation(rig())
    with simulation.record(path, frame_rate=20) as recording:
        drive(simulation, 12)
        recording.checkpoint(simulation.snapshot())
        drive(simulation, 12)
    times = wr.Recording(path).times.tolist()
    marked = wr.Simulation.load(checkpoint_path(path))
    assert marked.mark is not None
    assert marked.mark.recording == wr.Recording(path).id
    simulation.reset(checkpoint_path(path))
    assert simulation.mark == marked.mark
    for one in (simulation, marked):
        run(one, 12 * one.solver.dt, record=path, frame_rate=20, append=True)
        assert one.mark is None
        assert wr.Recording(path).times.tolist() == times
        one.reset(load_snapshot(checkpoint_path(path)))
        one.reset()
        assert one.mark is None
    with simulation.record(tmp_path / "other.h5") as other, pytest.raises(FileFormatError, match="is being written"):
        simulation.run(0.1, record=other.path)
    simulation.reset(checkpoint_path(path))
    with pytest.raises(FileFormatError, match="belongs to another recording"):
        run(simulation, 0.1, record=tmp_path / "other.h5", append=True)


def test_time_does_not_go_back_in_a_recording(tmp_path: Path) -> None:
    simulation = wr.Simulation(rig())
    start = simulation.snapshot()
    with simulation.record(tmp_path / "run.h5", 60.0):
        drive(simulation, 3)
        with pytest.raises(SceneError, match=r"recording cannot go back.*sim\.record"):
            simulation.reset(start)
        drive(simulation, 3)
    simulation.reset(start)
    assert len(wr.Recording(tmp_path / "run.h5")) == 7


@pytest.mark.parametrize("solver", [wr.P2(), wr.NDEM()], ids=lambda solver: solver.name)
def test_numbers_changed_while_it_runs_are_recorded_with_their_time(solver: wr.P2 | wr.NDEM, tmp_path: Path) -> None:
    scene = wr.Scene(solver=solver)
    scene.add_material("m", density=1600.0, friction_static=0.5, friction_kinetic=0.4)
    scene.add_plane((0, 0, 1), 0.0, "m")
    scene.add_block((0, 0, 0.1), (0.3, 0.3, 0.3), 0.05, "m")
    simulation = wr.Simulation(scene)
    with simulation.record(tmp_path / "run.h5", 60.0):
        simulation.step()
        at = simulation.time
        assert changed(simulation, "gravity.z", -2.0) is simulation
        simulation.step()
        again = changed(simulation, "materials.m.friction_static", 0.9)
        again.step()
    first, both = [at, "gravity.z", -2.0], [again.solver.dt * 2, "materials.m.friction_static", 0.9]
    with wr.Recording(tmp_path / "run.h5") as recording:
        assert recording.scene.gravity[2] == -9.81
        noted = [recording.notes(k).get("changes") for k in range(4)]
        assert noted == [None, None, [first], [first, both]]
    assert again.changes == [first, both]
    assert again.scene.materials["m"].friction_static == again.assembled.materials["m"].friction_static == 0.9
    restored = wr.Simulation.restore(again.snapshot())
    assert restored.changes == again.changes
    assert restored.scene == again.scene
    for other in (again, restored):
        other.run(0.3)
    assert restored.hash() == again.hash()
    # back at the start the numbers stay, and are those of the scene that it begins with
    again.reset()
    assert again.changes == []
    made = wr.Simulation(again.scene)
    for other in (again, made):
        other.run(0.3)
    assert made.hash() == again.hash()
