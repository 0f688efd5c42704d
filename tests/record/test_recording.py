"""Recordings: what goes in comes out, and what is no recording is refused with a remedy."""

from __future__ import annotations

import json
import os
import shutil

import h5py
import numpy as np
import pytest
from made_frames import assert_same, made_frame

from windrow.errors import FileFormatError
from windrow.record import Recorder, Recording, checkpoint_path, load_snapshot, save_snapshot
from windrow.record.checkpoint import Mark, mark_in

SCENE = json.dumps({"title": "déjà vu", "gravity": [0, 0, -1.5]})


def write(path, steps, **settings):
    with Recorder(path, SCENE, 30.0) as recorder:
        for step in steps:
            recorder.write(made_frame(step, **settings))


def test_frames_come_back_exactly(tmp_path):
    path = tmp_path / "run.h5"
    write(path, range(15))
    with Recording(path) as recording:
        assert len(recording) == 15
        assert recording.finished
        assert recording.frame_rate == 30.0
        assert recording.scene_json == SCENE
        assert recording.gravity.tolist() == [0, 0, -1.5]
        assert recording.times.tolist() == [step / 30.0 for step in range(15)]
        assert recording.steps.tolist() == list(range(15))
        for step, frame in enumerate(recording):
            assert_same(frame, made_frame(step))
        assert_same(recording[-2], made_frame(13))
        assert recording.notes(4)["ledger"] == {"emitted": 4, "emitted_mass": 0.4}
        with pytest.raises(IndexError):
            recording[15]


@pytest.mark.parametrize(("count", "bodies"), [(0, 0), (0, 3), (4096, 1), (4097, 0)])
def test_counts_at_the_edges(tmp_path, count, bodies):
    path = tmp_path / "run.h5"
    write(path, range(3), count=count, bodies=bodies)
    with Recording(path) as recording:
        for step, frame in enumerate(recording):
            assert_same(frame, made_frame(step, bodies, count))


def test_nearest_frame(tmp_path):
    path = tmp_path / "run.h5"
    write(path, [0, 3, 6])
    with Recording(path) as recording:
        assert [recording.index_at(t) for t in (-1.0, 0.04, 0.06, 0.19, 5.0)] == [0, 0, 1, 2, 2]
        assert recording.frame_at(0.11).step == 3


def test_unchanged_roster_is_stored_once(tmp_path):
    path = tmp_path / "run.h5"
    write(path, range(6), count=4000)
    with h5py.File(path) as file:
        assert len(file["roster/id"]) == 4096
        assert len(file["grains/position"]) == 6 * 4096


def test_compression_earns_its_place(tmp_path):
    path = tmp_path / "run.h5"
    frame = made_frame(1, count=4096)
    frame.position[:] = np.arange(4096)[:, None] * 0.1
    frame.velocity[:] = frame.force[:] = 0
    with Recorder(path) as recorder:
        recorder.write(frame)
    assert path.stat().st_size < 0.5 * (36 + 20) * 4096


def test_plain_hdf5_reads_the_chunks(tmp_path):
    """The chunks are packed outside of HDF5; its own filters must agree."""
    path = tmp_path / "run.h5"
    write(path, [5])
    with h5py.File(path) as file:
        assert file["grains/velocity"].compression == "gzip"
        assert file["grains/velocity"][:4100].tobytes() == made_frame(5).velocity[:4100].tobytes()


def test_step_written_twice_is_kept_once(tmp_path):
    with Recorder(tmp_path / "run.h5") as recorder:
        assert recorder.write(made_frame(1))
        assert not recorder.write(made_frame(1))
        with pytest.raises(ValueError, match="step 0 after step 1"):
            recorder.write(made_frame(0))
        assert recorder.frames == 1


def test_notes_may_hold_numpy_numbers(tmp_path):
    frame = made_frame(1)
    frame.notes = {"a": np.int64(3), "b": np.float32(0.5), "c": np.arange(2)}
    with Recorder(tmp_path / "run.h5") as recorder:
        recorder.write(frame)
    with Recording(tmp_path / "run.h5") as recording:
        assert recording.notes(0) == {"a": 3, "b": 0.5, "c": [0, 1]}


def test_nothing_written_leaves_no_file(tmp_path):
    with Recorder(tmp_path / "run.h5"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_failing_first_frame_leaves_no_file(tmp_path):
    frame = made_frame(1)
    frame.body_position = np.zeros((7, 3))
    with Recorder(tmp_path / "run.h5") as recorder, pytest.raises(ValueError):
        recorder.write(frame)
    assert list(tmp_path.iterdir()) == []


def test_new_recording_replaces_old_one_and_its_checkpoint(tmp_path):
    path = tmp_path / "run.h5"
    write(path, range(4))
    save_snapshot(checkpoint_path(path), {"step": 3})
    recorder = Recorder(path, SCENE)
    assert len(Recording(path)) == 4
    recorder.write(made_frame(9))
    recorder.close()
    assert not checkpoint_path(path).exists()
    assert Recording(path).steps.tolist() == [9]


def test_foreign_files_are_never_replaced(tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("precious")
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["x"] = 1
    for path in (notes, other, tmp_path):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(FileFormatError, match=r"left alone|folder"):
            Recorder(path)
        assert before is None or path.read_bytes() == before
    with pytest.raises(FileFormatError, match="does not exist"):
        Recorder(tmp_path / "missing" / "run.h5")


def test_what_is_no_recording_is_named(tmp_path):
    def message(path):
        with pytest.raises(FileFormatError) as failure:
            Recording(path)
        assert str(path) in str(failure.value)
        return str(failure.value)

    assert "no such file" in message(tmp_path / "missing.h5")
    assert "folder" in message(tmp_path)
    (tmp_path / "a.h5").write_bytes(b"not at all")
    assert "foreign or was cut short" in message(tmp_path / "a.h5")
    (tmp_path / "b.h5").write_bytes(b"")
    assert "foreign or was cut short" in message(tmp_path / "b.h5")
    with h5py.File(tmp_path / "c.h5", "w") as file:
        file["x"] = 1
    assert "not a Windrow recording" in message(tmp_path / "c.h5")
    save_snapshot(tmp_path / "d.h5", {"x": 1})
    assert "is a Windrow snapshot" in message(tmp_path / "d.h5")
    with h5py.File(tmp_path / "e.h5", "w") as file:
        file.attrs["format"] = np.bytes_("windrow-recording")
        file.attrs["version"] = 1
    assert "damaged" in message(tmp_path / "e.h5")
    write(tmp_path / "f.h5", range(2))
    with h5py.File(tmp_path / "f.h5", "r+") as file:
        file.attrs["version"] = 99
    assert "newer Windrow" in message(tmp_path / "f.h5")


def test_cut_files_are_refused(tmp_path):
    whole = tmp_path / "whole.h5"
    write(whole, range(3))
    content = whole.read_bytes()
    cut = tmp_path / "cut.h5"
    for length in np.linspace(0, len(content) - 1, 40).astype(int):
        cut.write_bytes(content[:length])
        with pytest.raises(FileFormatError):
            Recording(cut)


def test_damaged_bytes_never_end_in_another_error(tmp_path):
    whole = tmp_path / "whole.h5"
    write(whole, range(3), count=50)
    content = np.fromfile(whole, np.uint8)
    rng = np.random.default_rng(0)
    bad = tmp_path / "bad.h5"
    refused = 0
    for _ in range(60):
        damaged = content.copy()
        at = rng.integers(0, len(content) - 64)
        damaged[at : at + 64] = rng.integers(0, 256, 64)
        damaged.tofile(bad)
        try:
            with Recording(bad) as recording:
                list(recording)
        except FileFormatError:
            refused += 1
    assert refused > 5


def test_zeroed_blocks_cost_frames_and_no_more(tmp_path):
    """As a file has them whose end reached the disk and whose middle did not."""
    whole, bad = tmp_path / "whole.h5", tmp_path / "bad.h5"
    write(whole, range(3), count=50)
    content = np.fromfile(whole, np.uint8)
    # HDF5 searches for ever in a heap of texts that has zeros in it
    assert b"GCOL" not in content.tobytes()
    refused = 0
    for at in range(0, len(content), 1024):
        damaged = content.copy()
        damaged[at : at + 4096] = 0
        damaged.tofile(bad)
        try:
            with Recording(bad) as recording:
                for frame in recording:
                    assert len(frame.id) == 50
        except FileFormatError:
            refused += 1
    assert refused > 5


def test_a_mark_in_the_heap_is_not_read(tmp_path):
    """As older recordings have it: they are known by their parts."""
    path = tmp_path / "run.h5"
    write(path, range(3))
    with h5py.File(path, "r+") as file:
        file.attrs["format"] = "anything at all"
    content = path.read_bytes()
    heap = content.index(b"GCOL")
    path.write_bytes(content[: heap + 16] + bytes(4096 - 16) + content[heap + 4096 :])
    with Recording(path) as recording:
        assert_same(recording[2], made_frame(2))


def mark_of(path, step):
    with Recording(path) as recording:
        return Mark(recording.id, step)


def test_appending_keeps_frames_up_to_the_checkpoint(tmp_path):
    path = tmp_path / "run.h5"
    write(path, range(10))
    with Recorder(path, append=True, mark=mark_of(path, 6)) as recorder:
        assert recorder.frames == 7
        for step in range(6, 12):
            recorder.write(made_frame(step))
    with Recording(path) as recording:
        assert recording.scene_json == SCENE
        assert recording.frame_rate == 30.0
        for step, frame in enumerate(recording):
            assert_same(frame, made_frame(step))
        assert len(recording) == 12
    assert [p.name for p in tmp_path.iterdir()] == ["run.h5"]


def test_appending_to_another_recording_is_refused(tmp_path):
    path, other = tmp_path / "run.h5", tmp_path / "other.h5"
    write(path, range(5))
    write(other, range(5))
    kept = path.read_bytes()
    with pytest.raises(FileFormatError, match=r"belongs to another recording; continue into a new .*--out FILE"):
        Recorder(path, append=True, mark=mark_of(other, 3))
    assert path.read_bytes() == kept
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.h5", "run.h5"]


@pytest.mark.parametrize("step", [3, 8])
def test_appending_after_a_gap_is_refused(tmp_path, step):
    path = tmp_path / "run.h5"
    write(path, [4, 6])
    with pytest.raises(FileFormatError, match=rf"ends at step 6 .*frame of step {step}: .*lost; .*--out FILE"):
        Recorder(path, append=True, mark=mark_of(path, step))
    assert len(Recording(path)) == 2


def test_a_checkpoint_names_its_recording_and_comes_after_it(tmp_path, monkeypatch):
    """What the checkpoint counts on is on the disk before it is."""
    import windrow.record.recorder as module

    path, done = tmp_path / "run.h5", []
    for name in ("sync_file", "save_snapshot"):
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, real=real, name=name: (done.append(name), real(*a)))
    with Recorder(path, SCENE) as recorder:
        recorder.write(made_frame(0), {"step": 0})
        assert done[:2] == ["sync_file", "save_snapshot"]
        assert mark_in(load_snapshot(checkpoint_path(path))) == Mark(recorder.id, 0)
        recorder.write(made_frame(4))
        done.clear()
        recorder.checkpoint({"step": 5})
        assert done == ["sync_file", "save_snapshot"]
        assert mark_in(load_snapshot(checkpoint_path(path))) == Mark(recorder.id, 4)
    assert Recording(path).id == recorder.id


def test_a_second_writer_is_told(tmp_path):
    path = tmp_path / "run.h5"
    with Recorder(path, SCENE) as recorder:
        for append in (False, True):
            with pytest.raises(FileFormatError, match=rf"being written by process {os.getpid()}; wait"):
                Recorder(path, SCENE, append=append)
        recorder.write(made_frame(0))
        with pytest.raises(FileFormatError, match="being written"):
            Recorder(path, SCENE)
        with Recorder(tmp_path / "other.h5", SCENE) as other:
            other.write(made_frame(1))
    write(path, range(3))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.h5", "run.h5"]


def test_appending_needs_a_recording(tmp_path):
    with pytest.raises(FileFormatError, match="no such file"):
        Recorder(tmp_path / "run.h5", append=True)


def test_renaming_refused_while_open(tmp_path, monkeypatch):
    """As on Windows: the file is closed, renamed and opened again."""
    import windrow.record.recorder as module

    real, calls = module.os.replace, []

    def replace(source, target):
        calls.append(target)
        if len(calls) == 1:
            raise PermissionError("file is open")
        real(source, target)

    monkeypatch.setattr(module.os, "replace", replace)
    write(tmp_path / "run.h5", range(3))
    assert len(calls) == 2
    with Recording(tmp_path / "run.h5") as recording:
        assert_same(recording[2], made_frame(2))


def test_copies_are_independent(tmp_path):
    path, copy = tmp_path / "run.h5", tmp_path / "copy.h5"
    write(path, range(3))
    shutil.copy(path, copy)
    with Recording(path) as one, Recording(copy) as other:
        assert_same(one[1], other[1])
