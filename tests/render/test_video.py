"""Films can be decoded, have every frame, and leave nothing behind when they fail."""

from __future__ import annotations

import imageio_ffmpeg
import numpy as np
import pytest
from made_scenes import empty_scene, frame_of, heap

from windrow.errors import SceneError
from windrow.render.video import write_video


def rising(count):
    scene = empty_scene()
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    lift = np.array([0.0, 0.0, 0.05])
    return scene, [frame_of(scene, heap(3) + k * lift, 0.05, time=0.1 * k) for k in range(count)]


@pytest.mark.parametrize("stream", [False, True])
def test_film_has_every_frame_in_the_right_size(tmp_path, stream):
    scene, frames = rising(7)
    told = []
    path = tmp_path / "film.mp4"
    done = write_video(
        iter(frames) if stream else frames, scene, path, 25, (161, 121), told.append, supersample=1
    )
    reader = imageio_ffmpeg.read_frames(str(path))
    about = next(reader)
    images = [np.frombuffer(data, np.uint8).reshape(120, 160, 3).astype(float) for data in reader]
    assert about["source_size"] == (160, 120)
    assert about["fps"] == pytest.approx(25)
    assert "h264" in about["codec"]
    assert about["pix_fmt"].startswith("yuv420p")
    assert done == len(images) == 7
    assert told == [1, 2, 3, 4, 5, 6, 7]
    assert np.abs(images[0] - images[-1]).max() > 40.0
    assert [file.name for file in tmp_path.iterdir()] == ["film.mp4"]


def test_film_without_frames_is_refused(tmp_path):
    scene, _ = rising(0)
    for frames in ([], iter([])):
        with pytest.raises(SceneError, match="no frames"):
            write_video(frames, scene, tmp_path / "film.mp4")
    assert not list(tmp_path.iterdir())


def test_failure_half_way_leaves_no_file(tmp_path):
    scene, frames = rising(3)

    def broken():
        yield frames[0]
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        write_video(broken(), scene, tmp_path / "film.mp4", size=(64, 64), supersample=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fps": 0}, "film rate"),
        ({"size": (1, 50)}, "film size"),
        ({"color_by": "spede"}, "speed"),
    ],
)
def test_bad_film_settings_are_refused(tmp_path, options, message):
    scene, frames = rising(1)
    with pytest.raises(SceneError, match=message):
        write_video(frames, scene, tmp_path / "film.mp4", **options)


def test_other_formats_are_refused(tmp_path):
    scene, frames = rising(1)
    with pytest.raises(SceneError, match=r"\.mp4"):
        write_video(frames, scene, tmp_path / "film.gif")
