"""Recordings keep the ground: patches that changed, for every frame, also in runs that were broken off."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

import windrow as wr
from windrow.scene.terrain import Hills
from windrow.sim.run import run
from windrow.terrain.patches import Relief


def cut_scene() -> wr.Scene:
    scene = wr.Scene()
    scene.add_terrain(
        size=(32.0, 32.0), cell=0.125, height=Hills(height=0.5, length=20.0), soil="dry_sand", avalanche=True
    )
    return scene


def dug(simulation: wr.Simulation) -> wr.Simulation:
    simulation.terrain.set_height(-1.0, x=(0.0, 2.0), y=(0.0, 2.0))
    return simulation


def test_every_frame_shows_the_ground_of_its_moment(tmp_path: Path) -> None:
    simulation = wr.Simulation(cut_scene(), threads=1)
    seen = [simulation.terrain.height]
    path = tmp_path / "run.h5"
    from windrow.record.recorder import Recorder
    from windrow.scene.files import scene_to_json

    with Recorder(path, scene_to_json(simulation.scene), 60.0) as recorder:
        recorder.write(simulation.frame())
        dug(simulation)
        for _ in range(12):
            simulation.step()
            recorder.write(simulation.frame())
            seen.append(simulation.terrain.height)
    with wr.Recording(path) as recording:
        relief = Relief(recording.scene.terrain)  # type: ignore[arg-type]
        for k in (0, 12, 3, 7, 0):
            relief.show(recording[k].ground)
            assert np.array_equal(relief.height.astype(np.float64), seen[k]), k
    with h5py.File(path) as file:
        assert len(file["ground/tile"]) < 13 * 25, "only what changed is written"


def test_a_run_that_is_resumed_keeps_its_ground(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    simulation = dug(wr.Simulation(cut_scene(), threads=1))
    simulation.run(seconds=0.1, record=path, frame_rate=60.0)
    before = simulation.terrain.height
    again = wr.Simulation.restore(simulation.snapshot(), threads=1)
    run(again, seconds=0.1, record=path, frame_rate=60.0)
    with wr.Recording(path) as recording:
        relief = Relief(recording.scene.terrain)  # type: ignore[arg-type]
        relief.show(recording[-1].ground)
        assert np.array_equal(relief.height.astype(np.float64), again.terrain.height)
    assert np.abs(again.terrain.height - before).max() > 0


def test_a_recording_without_ground_has_none(tmp_path: Path) -> None:
    scene = wr.Scene()
    scene.add_material("sand")
    scene.add_plane((0, 0, 1), 0.0, "sand")
    scene.add_particles([(0.0, 0.0, 1.0)], material="sand")
    wr.Simulation(scene, threads=1).run(seconds=0.05, record=tmp_path / "run.h5")
    with wr.Recording(tmp_path / "run.h5") as recording:
        assert recording[0].ground is None
