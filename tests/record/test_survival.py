"""A recording can be read while it is written, after a kill -9, and after the disk ran full."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from made_frames import assert_same, made_frame

from windrow.errors import FileFormatError
from windrow.record import Recorder, Recording, checkpoint_path, load_snapshot, save_snapshot
from windrow.record.checkpoint import Mark, mark_in

WRITER = """
import sys
from made_frames import made_frame
from windrow.record import Recorder
path, first, pause, append = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4] == "append"
import time
recorder = Recorder(path, "{}", 30.0, append=append)
step = first
while True:
    recorder.write(made_frame(step))
    print(step, flush=True)
    step += 1
    time.sleep(pause)
"""


def start_writer(path: Path, first: int, pause: float, mode: str = "new") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(first), str(pause), mode],
        cwd=Path(__file__).parent,
        stdout=subprocess.PIPE,
        text=True,
    )


def reported(writer: subprocess.Popen[str], count: int) -> int:
    """Waits until the writer has reported `count` frames; the last step it reported."""
    assert writer.stdout is not None
    step = -1
    for _ in range(count):
        step = int(writer.stdout.readline())
    return step


def kill(writer: subprocess.Popen[str]) -> int:
    """Kills the writer as the kernel would; the last step it reported before."""
    writer.send_signal(signal.SIGKILL)
    rest = writer.communicate()[0].split()
    return int(rest[-1]) if rest else -1


@pytest.mark.parametrize("moment", [0.0, 0.013, 0.031])
def test_kill_keeps_every_frame_reported(tmp_path, moment):
    path = tmp_path / "run.h5"
    writer = start_writer(path, 0, 0.0)
    last = reported(writer, 9)
    time.sleep(moment)
    last = max(last, kill(writer))
    with Recording(path) as recording:
        assert not recording.finished
        assert len(recording) in (last + 1, last + 2)
        for step, frame in enumerate(recording):
            assert_same(frame, made_frame(step))


def test_killed_recording_is_continued_and_killed_again(tmp_path):
    path = tmp_path / "run.h5"
    writer = start_writer(path, 0, 0.0)
    reported(writer, 5)
    kill(writer)
    kept = len(Recording(path))
    writer = start_writer(path, kept, 0.0, "append")
    reported(writer, 4)
    kill(writer)
    with Recording(path) as recording:
        mark = Mark(str(recording.id), kept)
    with Recorder(path, append=True, mark=mark) as recorder:
        assert recorder.frames == kept + 1
        recorder.write(made_frame(kept + 1))
    with Recording(path) as recording:
        assert recording.finished
        assert len(recording) == kept + 2
        for step, frame in enumerate(recording):
            assert_same(frame, made_frame(step))


KILLED_AT_FIRST_FRAME = """
import os, signal, sys
import windrow.record.recorder as module
from made_frames import made_frame
real = os.replace
def killed(source, target):
    if not str(target).endswith(".checkpoint"):
        if sys.argv[2] == "after":
            real(source, target)
        os.kill(os.getpid(), signal.SIGKILL)
    real(source, target)
os.replace = killed
module.Recorder(sys.argv[1], "{}", 30.0).write(made_frame(0), {"step": 0})
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_at_the_first_frame_leaves_what_can_be_continued(tmp_path, moment):
    """Just before the recording has its name there is a checkpoint; from then on there are both."""
    path = tmp_path / "run.h5"
    command = [sys.executable, "-c", KILLED_AT_FIRST_FRAME, str(path), moment]
    assert subprocess.run(command, cwd=Path(__file__).parent).returncode == -signal.SIGKILL
    mark = mark_in(load_snapshot(checkpoint_path(path)))
    assert mark is not None
    if moment == "after":
        with Recorder(path, append=True, mark=mark) as recorder:
            recorder.write(made_frame(1))
    else:
        assert not path.exists()
        with Recorder(path) as recorder:
            recorder.write(made_frame(0), {"step": 0})
            recorder.write(made_frame(1))
    with Recording(path) as recording:
        assert recording.steps.tolist() == [0, 1]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.h5", "run.h5.checkpoint"]


def test_a_second_process_is_told_until_the_first_is_killed(tmp_path):
    path = tmp_path / "run.h5"
    writer = start_writer(path, 0, 0.01)
    try:
        reported(writer, 1)
        with pytest.raises(FileFormatError, match=f"being written by process {writer.pid}"):
            Recorder(path, append=True)
    finally:
        kill(writer)
    with Recorder(path, append=True) as recorder:
        assert recorder.frames >= 1
    assert [p.name for p in tmp_path.iterdir()] == ["run.h5"]


def test_reading_beside_the_writer(tmp_path):
    path = tmp_path / "run.h5"
    writer = start_writer(path, 0, 0.002)
    try:
        reported(writer, 1)
        with Recording(path) as recording:
            seen, lengths = 0, set()
            while seen < 60:
                count = recording.refresh()
                lengths.add(count)
                for step in range(seen, count):
                    assert_same(recording[step], made_frame(step))
                seen = count
        assert len(lengths) > 3
        assert writer.poll() is None
    finally:
        kill(writer)


def test_reading_in_the_writing_process(tmp_path):
    path = tmp_path / "run.h5"
    with Recorder(path) as recorder:
        recorder.write(made_frame(0))
        with Recording(path) as recording:
            recorder.write(made_frame(1))
            assert recording.refresh() == 2
            assert_same(recording[1], made_frame(1))
            assert not recording.finished
    with Recording(path) as recording:
        assert recording.finished


def test_cut_copy_of_a_killed_recording(tmp_path):
    """A killed file that also lost its end gives the frames that are whole, or a clear refusal."""
    path = tmp_path / "run.h5"
    writer = start_writer(path, 0, 0.0)
    reported(writer, 12)
    kill(writer)
    content = path.read_bytes()
    shorter = set()
    for tenths in range(1, 10):
        path.write_bytes(content[: len(content) * tenths // 10])
        try:
            with Recording(path) as recording:
                shorter.add(len(recording))
                for step, frame in enumerate(recording):
                    assert_same(frame, made_frame(step))
        except FileFormatError:
            pass
    assert shorter
    assert min(shorter) < 12


def test_full_disk_ends_the_recording_cleanly(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    with Recorder(path) as recorder:
        recorder.write(made_frame(0))
        usage = shutil.disk_usage(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr("shutil.disk_usage", lambda _: usage._replace(free=1000))
            with pytest.raises(FileFormatError, match="disk is full"):
                recorder.write(made_frame(1))
        recorder.write(made_frame(2))
    with Recording(path) as recording:
        assert recording.steps.tolist() == [0, 2]


FULL_DISK = """
import resource, signal, sys
import numpy as np
from windrow.errors import FileFormatError
from windrow.record import save_snapshot
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    save_snapshot(sys.argv[1], {"x": np.random.default_rng(0).random(500_000)})
except FileFormatError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the file size through resource")
def test_full_disk_keeps_the_old_snapshot(tmp_path):
    path = tmp_path / "now.h5"
    save_snapshot(path, {"x": 7})
    run = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "disk full" in run.stdout
    assert load_snapshot(path) == {"x": 7}
    assert [p.name for p in tmp_path.iterdir()] == ["now.h5"]


FAILING_FILE = """
import resource, signal, sys
from made_frames import made_frame
from windrow.errors import FileFormatError
from windrow.record import Recorder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
written = 0
with Recorder(sys.argv[1]) as recorder:
    try:
        for step in range(1000):
            recorder.write(made_frame(step, count=3000))
            written += 1
    except FileFormatError as error:
        print(written, error, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the file size through resource")
def test_failing_write_keeps_earlier_frames(tmp_path):
    path = tmp_path / "run.h5"
    run = subprocess.run(
        [sys.executable, "-c", FAILING_FILE, str(path)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "could not be written" in run.stdout
    written = int(run.stdout.split()[0])
    assert 3 < written < 1000
    with Recording(path) as recording:
        assert len(recording) == written
        assert_same(recording[-1], made_frame(written - 1, count=3000))
