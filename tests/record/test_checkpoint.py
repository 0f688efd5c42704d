"""Snapshots: exact to the bit, or refused."""

from __future__ import annotations

import os

import h5py
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from windrow.errors import FileFormatError
from windrow.record import Recording, checkpoint_path, load_snapshot, save_snapshot
from windrow.record.container import HEAD

EXAMPLE = {
    "position": np.random.default_rng(0).normal(size=(50_000, 4)).astype(np.float32),
    "id": np.arange(5, dtype=np.int64),
    "flags": np.array([True, False]),
    "empty": np.zeros((0, 3), np.float64),
    "scalar_array": np.array(3, np.int16),
    "swapped": np.arange(3, dtype=">f8"),
    "names": np.array(["sand", "grüße", ""]),
    "row": np.zeros(2, [("a", "<i4"), ("b", "<f8", 3)]),
    "solver/contacts/start": np.arange(4, dtype=np.uint32),
    "half": np.float16(0.1),
    "time": 0.1 + 0.2,
    "minus_zero": -0.0,
    "infinite": float("-inf"),
    "generator": 2**127 + 12345678901234567890,
    "step": -3,
    "on": True,
    "text": "a\0b ☃",
    "blank": "",
}


def assert_identical(got, expected):
    assert got.keys() == expected.keys()
    for name, value in expected.items():
        assert type(got[name]) is type(value), name
        if isinstance(value, np.ndarray | np.generic):
            assert got[name].dtype == value.dtype, name
            assert got[name].shape == value.shape, name
            assert got[name].tobytes() == value.tobytes(), name
        else:
            assert repr(got[name]) == repr(value), name


def test_everything_comes_back_exactly(tmp_path):
    save_snapshot(tmp_path / "now.h5", EXAMPLE)
    assert_identical(load_snapshot(tmp_path / "now.h5"), EXAMPLE)
    assert [p.name for p in tmp_path.iterdir()] == ["now.h5"]


names = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=8)
numeric = hnp.boolean_dtypes() | hnp.integer_dtypes(endianness="?") | hnp.floating_dtypes(endianness="?")
values = st.one_of(
    st.integers(),
    st.floats(),
    st.booleans(),
    st.text(),
    hnp.arrays(numeric, hnp.array_shapes(min_dims=0, min_side=0, max_side=5)),
)


@settings(max_examples=60, deadline=None)
@given(snapshot=st.dictionaries(names, values, max_size=4))
def test_any_dictionary_comes_back_exactly(tmp_path_factory, snapshot):
    path = tmp_path_factory.mktemp("snapshot") / "now.h5"
    save_snapshot(path, snapshot)
    assert_identical(load_snapshot(path), snapshot)


def test_values_that_cannot_be_exact_are_refused(tmp_path):
    for value in (None, [1, 2], np.array([object()]), np.array(["2020"], "datetime64[Y]")):
        with pytest.raises(TypeError, match="odd"):
            save_snapshot(tmp_path / "now.h5", {"fine": 1, "odd": value})
        assert list(tmp_path.iterdir()) == []


def test_overwriting(tmp_path):
    path = tmp_path / "now.h5"
    save_snapshot(path, {"x": 1})
    save_snapshot(path, {"x": 2})
    assert load_snapshot(path) == {"x": 2}
    foreign = tmp_path / "notes.txt"
    foreign.write_text("precious")
    with pytest.raises(FileFormatError, match="left alone"):
        save_snapshot(foreign, {"x": 1})
    assert foreign.read_text() == "precious"


def test_cut_snapshots_are_refused(tmp_path):
    path = tmp_path / "now.h5"
    save_snapshot(path, EXAMPLE)
    content = path.read_bytes()
    for length in np.linspace(0, len(content) - 1, 30).astype(int):
        path.write_bytes(content[:length])
        with pytest.raises(FileFormatError, match=r"now\.h5"):
            load_snapshot(path)


def refused_unopened(path, monkeypatch):
    """Whether a file is refused; HDF5, which searches some damaged files for ever, must not see it."""
    with monkeypatch.context() as patch:
        patch.setattr("h5py.File", lambda *_, **__: pytest.fail("HDF5 was asked to open a damaged file"))
        with pytest.raises(FileFormatError, match=r"now\.h5.*(does not match its SHA-256|check the name)"):
            load_snapshot(path)
    return True


def test_a_single_wrong_bit_is_noticed_before_hdf5_sees_it(tmp_path, monkeypatch):
    path = tmp_path / "now.h5"
    save_snapshot(path, {"x": np.arange(2000.0), "seed": 12345, "name": "heap"})
    content = np.fromfile(path, np.uint8)
    rng = np.random.default_rng(1)
    for at in [HEAD, len(content) - 1, *rng.integers(HEAD, len(content), 60)]:
        damaged = content.copy()
        damaged[at] ^= np.uint8(1 << rng.integers(8))
        damaged.tofile(path)
        assert refused_unopened(path, monkeypatch)
    for at in range(HEAD):
        damaged = content.copy()
        damaged[at] ^= np.uint8(1 << at % 8)
        damaged.tofile(path)
        with pytest.raises(FileFormatError):
            load_snapshot(path)


@pytest.mark.parametrize("block", [512, 4096])
def test_zeroed_blocks_are_noticed_before_hdf5_sees_them(tmp_path, monkeypatch, block):
    """As a file has them whose end reached the disk and whose middle did not."""
    path = tmp_path / "now.h5"
    save_snapshot(path, {f"x{k}": np.arange(1.0, 100.0) for k in range(30)})
    content = np.fromfile(path, np.uint8)
    for at in range(block, len(content), block // 2):
        damaged = content.copy()
        damaged[at : at + block] = 0
        if not np.array_equal(damaged, content):
            damaged.tofile(path)
            assert refused_unopened(path, monkeypatch)


def test_other_files_are_named(tmp_path):
    with pytest.raises(FileFormatError, match="no such file"):
        load_snapshot(tmp_path / "missing.h5")
    (tmp_path / "empty.h5").touch()
    with pytest.raises(FileFormatError, match="no Windrow snapshot, or its beginning is damaged"):
        load_snapshot(tmp_path / "empty.h5")
    save_snapshot(tmp_path / "newer.h5", {"x": 1})
    content = (tmp_path / "newer.h5").read_bytes()
    (tmp_path / "newer.h5").write_bytes(content.replace(b"snapshot 2", b"snapshot 3"))
    with pytest.raises(FileFormatError, match="newer Windrow"):
        load_snapshot(tmp_path / "newer.h5")
    with h5py.File(tmp_path / "older.h5", "w") as file:
        file.attrs["format"] = "windrow-snapshot"
        file.attrs["version"] = 1
        file["values/x"] = 1
    with pytest.raises(FileFormatError, match="not a Windrow snapshot, or one of an older Windrow"):
        load_snapshot(tmp_path / "older.h5")
    with pytest.raises(FileFormatError, match="is a Windrow snapshot, not a recording"):
        Recording(tmp_path / "newer.h5")


def test_plain_hdf5_reads_what_follows_the_head(tmp_path):
    save_snapshot(tmp_path / "now.h5", {"x": np.arange(3.0)})
    with h5py.File(tmp_path / "now.h5") as file:
        assert file.userblock_size == HEAD
        assert file["values/x"][()].tolist() == [0, 1, 2]


def test_checkpoint_lies_beside_its_recording(tmp_path):
    assert checkpoint_path(tmp_path / "run.h5") == tmp_path / "run.h5.checkpoint"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_and_devices_are_named_and_not_read(tmp_path):
    pipe, device = tmp_path / "pipe.h5", tmp_path / "device.h5"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path, kind in ((pipe, "named pipe"), (device, "device")):
        for reader in (load_snapshot, Recording):
            with pytest.raises(FileFormatError, match=f"is a {kind}, not a file; give a regular file"):
                reader(path)
        with pytest.raises(FileFormatError, match="not a Windrow snapshot, so it is left alone"):
            save_snapshot(path, {"x": 1})
