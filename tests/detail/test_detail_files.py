"""Files of fine grains: what they hold, that they go on where they were left, and what is refused."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.detail import planning
from windrow.detail.file import BYTES, DetailFile
from windrow.detail.making import Order, write_detail
from windrow.detail.regions import region_of
from windrow.detail.saved import saved_path
from windrow.errors import FileFormatError, SceneError
from windrow.record.recording import Recording


class Stopped(Exception):
    pass


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A drop of sand in P², with an emitter, a rope and a body that is moved."""
    path = tmp_path_factory.mktemp("detail") / "run.h5"
    scene = wr.Scene(title="drop")
    scene.add_material("sand", density=1600.0)
    scene.add_material("steel", density=7800.0, color=(0.4, 0.4, 0.45))
    scene.add_plane((0, 0, 1), 0.0, "sand", name="floor")
    scene.add_box((-0.4, 0.0, 0.2), (0.05, 0.4, 0.4), "steel", name="blade", motion={"kind": "linear", "velocity":
    (0.5, 0, 0)})
    scene.add_block((-0.2, -0.2, 0.02), (0.4, 0.4, 0.3), 0.03, "sand")
    scene.add_rope((-0.3, 0.5, 0.5), (0.3, 0.5, 0.5), 6, "steel", pinned_start=True)
    scene.add_emitter(wr.scene.Box(size=(0.1, 0.1, 0.1)), 0.03, "sand", position=(0, 0, 0.8), rate=60.0, count=10)
    scene.run.frame_rate = 30.0
    wr.Simulation(scene).run(seconds=0.3, record=path)
    return path


def test_a_file_holds_the_grains_of_every_frame(run: Path, tmp_path: Path) -> None:
    told: list[int] = []
    with Recording(run) as recording:
        with wr.detail(recording, 20_000, out=tmp_path / "a.fine", progress=told.append) as made:
            assert len(made) == len(recording) == told[-1]
            assert np.allclose(made.times, recording.times)
            # sand only: balls of the rope are drawn as they are
            ropes = int((recording[0].material == 1).sum())
            assert len(made[0].frame.id) == ropes > 0
            counts = [fine.there for fine in made]
            assert abs(max(counts) / 20_000 - 1.0) < 0.1
            assert counts[-1] > counts[0]
            fine = wr.detail(recording, 20_000)
            for number in range(len(made)):
                if number:
                    fine.follow(recording[number])
                # 16 bits along the side of a block
                assert np.abs(made.positions(number) - fine.position).max() < 1e-4
            assert made[-1].frame.body_names == recording.body_names
            assert np.array_equal(made[-1].frame.body_position, recording[-1].body_position)
        size = (tmp_path / "a.fine").stat().st_size
        assert size < len(recording) * (20_000 * 1.1 * BYTES + 20_000) + 20_000


def test_what_was_interrupted_goes_on_to_the_same_bytes(run: Path, tmp_path: Path) -> None:
    order = Order(8_000, seed=4)
    whole, cut = tmp_path / "whole.fine", tmp_path / "cut.fine"

    def stop_after(frames: int) -> Any:
        left = [frames]

        def between() -> None:
            left[0] -= 1
            if left[0] == 0:
                raise Stopped

        return between

    with Recording(run) as recording:
        write_detail(recording, whole, order)
        for frames in (2, 3):
            with pytest.raises(Stopped):
                write_detail(recording, cut, order, between=stop_after(frames))
        # a kill leaves half a frame behind the last whole one
        with open(cut, "ab") as file:
            file.write(b"FINE" + bytes(1000))
        assert len(DetailFile(cut)) == 6
        with pytest.raises(FileFormatError, match="other settings"):
            write_detail(recording, cut, Order(8_001, seed=4))
        made = write_detail(recording, cut, order)
        assert made.continued == 6
        assert not saved_path(cut).exists()
        assert cut.read_bytes() == whole.read_bytes()
        with pytest.raises(FileFormatError, match="exists already"):
            write_detail(recording, cut, order)


def test_only_a_part_gets_fine_grains(run: Path, tmp_path: Path) -> None:
    with Recording(run) as recording:
        with wr.detail(recording, 5_000, out=tmp_path / "box.fine", region=((0, -1, 0), (1, 1, 1))) as made:
            assert made.positions(-1)[:, 0].min() > -0.1
            sand = made[0].frame.position[made[0].frame.material == 0]
            assert len(sand) > 10
            assert sand[:, 0].max() < 0.0
        fine = wr.detail(recording, 5_000, region=("blade", 0.35))
        middle = recording[0].body_position[recording.body_names.index("blade")]
        assert np.linalg.norm(fine.position - middle, axis=1).max() < 0.45


def test_a_simulation_is_followed_while_it_runs(run: Path) -> None:
    with Recording(run) as recording:
        scene = recording.scene
    simulation = wr.Simulation(scene)
    before = simulation.hash()
    fine = wr.detail(simulation, 10_000)
    assert simulation.hash() == before
    simulation.run(seconds=0.05)
    fine.follow(simulation.frame())
    assert fine.time == simulation.time
    assert len(fine) > 9_000
    with pytest.raises(SceneError, match="only go forward"):
        fine.follow(simulation.frame())
    with pytest.raises(SceneError, match="made of a recording"):
        wr.detail(simulation, 10_000, out="a.fine")


def test_what_does_not_fit_is_refused_before_any_work(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Recording(run) as recording:
        with pytest.raises(SceneError, match="use at least as many"):
            wr.detail(recording, 3)
        with pytest.raises(SceneError, match="no grain of the run lies in the region"):
            wr.detail(recording, 1000, region=((5, 5, 5), (6, 6, 6)))
        monkeypatch.setattr(planning, "free_memory", lambda: None)
        monkeypatch.setattr(planning.shutil, "disk_usage", lambda path: SimpleNamespace(free=10**9))
        with pytest.raises(SceneError, match=r"grains take .* GB, and 1\.0 GB are free there; use at most \d"):
            wr.detail(recording, 100_000_000, out=tmp_path / "b.fine")
        monkeypatch.setattr(planning, "free_memory", lambda: 1_000_000_000)
        with pytest.raises(SceneError,
        match=r"GB of memory are needed and 1\.0 GB are free; use at most 1\d{7} grains"):
            wr.detail(recording, 100_000_000, out=tmp_path / "b.fine")
    assert not (tmp_path / "b.fine").exists()


@pytest.mark.parametrize("given", [((0, 0, 0), (1, -1, 1)), ("blade", 0.0), 3.0, ((0, 0), (1, 1))])
def test_bad_regions_are_refused(given: Any) -> None:
    with pytest.raises(SceneError, match="region"):
        region_of(given)


def test_the_commands(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "c.fine"
    call = CliRunner().invoke
    result = call(app, ["detail", str(run), "--grains", "4k", "--out", str(target), "--every", "5", "--quiet"])
    assert result.exit_code == 0, result.output
    with DetailFile(target) as made:
        assert len(made) == 2
    path = tmp_path / "path.toml"
    path.write_text("[[camera]]\ntime = 0.0\neye = [2, -2, 1]\ntarget = [0, 0, 0.2]\n")
    picture = tmp_path / "c.png"
    options = ["--size", "96x54", "--quiet"]
    result = call(app, ["render", str(target), "--camera", str(path), "--out", str(picture), *options])
    assert result.exit_code == 0, result.output
    assert picture.stat().st_size > 1000
    result = call(app, ["render", str(target), "--out", str(tmp_path / "c.mp4"), *options])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "c.mp4").stat().st_size > 1000
    for wrong, said in (
        (["detail", str(run), "--grains", "many", "--out", str(target)], "20M"),
        (["detail", str(run), "--grains", "4k", "--out", str(target)], "--force"),
        (["detail", str(run), "--grains", "4k", "--around", "blade", "--out", str(tmp_path / "d.fine")], "NAME:METRES"),
        (["detail", str(run), "--grains", "4k", "--around", "spoon:1", "--out", str(tmp_path / "d.fine")], "spoon"),
        (["detail", str(run), "--grains", "4k", "--region", "1,2", "--out", str(tmp_path / "d.fine")], "six numbers"),
        (["render", str(target), "--color-by", "force", *options], "leave it out"),
        (["render", str(target), "--frame", "7", *options], "frames 0 to 1"),
    ):
        result = call(app, wrong)
        assert result.exit_code == 2, wrong
        assert said in " ".join(result.output.split()), wrong
