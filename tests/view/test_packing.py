"""Frames survive the way through eight bytes a grain as well as sixteen bits allow."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from made_station import decoded
from wire_fixture import FOLDER, expectation, known_frame, known_packed

from windrow.view.packing import TOP, PackedFrame, box_around, quantised

FINITE = st.floats(-1e3, 1e3, width=32)


@settings(max_examples=60, deadline=None)
@given(arrays(np.float32, st.tuples(st.integers(1, 40), st.just(3)), elements=FINITE), st.data())
def test_positions_come_back_within_half_a_step_of_the_box(position: np.ndarray, data: st.DataObject) -> None:
    vector = data.draw(arrays(np.float32, position.shape, elements=FINITE))
    lower, size = box_around(position)
    assert np.array_equal(lower, position.min(axis=0))
    block, highest = quantised(position, vector, lower, size)
    rows = np.frombuffer(block, "<u2").reshape(-1, 4).astype(np.float64)
    back = lower + rows[:, :3] / TOP * size.astype(np.float64)
    assert np.all(np.abs(back - position) <= size * (0.5 / TOP + 3e-7) + 1e-4 * np.finfo(np.float32).eps)
    speed = np.linalg.norm(vector.astype(np.float64), axis=1)
    assert highest == pytest.approx(speed.max(), rel=1e-5, abs=1e-18)
    # Squares of less than 1e-19 vanish in single precision; no grain is that slow and counts.
    assert np.all(np.abs(rows[:, 3] / TOP * highest - speed) <= highest * (0.5 / TOP + 1e-5) + 1e-18)


def test_what_is_not_finite_goes_to_a_corner_and_spoils_nothing() -> None:
    position = np.array([[0, 0, 0], [np.nan, np.inf, 1], [2, 4, 8]], np.float32)
    vector = np.array([[1, 0, 0], [np.nan, 0, 0], [np.inf, 0, 0]], np.float32)
    lower, size = box_around(position)
    assert size.tolist() == [2, 4, 8]
    block, highest = quantised(position, vector, lower, size)
    rows = np.frombuffer(block, "<u2").reshape(-1, 4)
    assert rows[1, :2].tolist() == [0, 0]
    assert rows[:, 3].tolist() == [TOP, 0, 0]
    assert highest == 1.0


def test_no_grains_and_grains_in_one_place() -> None:
    none = np.empty((0, 3), np.float32)
    assert [part.tolist() for part in box_around(none)] == [[0, 0, 0], [0, 0, 0]]
    assert quantised(none, none, *box_around(none)) == (b"", 0.0)
    same = np.full((3, 3), 7.0, np.float32)
    block, highest = quantised(same, np.zeros_like(same), *box_around(same))
    assert not np.frombuffer(block, "<u2").any()
    assert highest == 0.0


def test_the_known_frame_is_what_both_sides_are_tested_with() -> None:
    assert known_packed().message("speed", with_roster=True) == (FOLDER / "frame.bin").read_bytes()
    assert expectation() == json.loads((FOLDER / "frame.json").read_text(encoding="utf-8"))


def test_the_known_frame_reads_as_expected() -> None:
    told, wanted = decoded((FOLDER / "frame.bin").read_bytes()), expectation()
    steps = np.tile(np.array(wanted["box"]) / TOP, 5)
    assert np.all(np.abs(told["position"].ravel() - wanted["position"]) <= 0.51 * steps)
    assert told["value"] == pytest.approx(wanted["speed"], abs=5.0 / TOP)
    assert told["id"].tolist() == wanted["id"]
    assert told["radius"] == pytest.approx(wanted["radius"], abs=0.1 / TOP)
    assert told["material"].tolist() == wanted["material"]
    assert told["bodies"][:, :3].ravel() == pytest.approx(wanted["body_position"])
    assert told["bodies"][:, 3:7].ravel() == pytest.approx(wanted["body_quaternion"])
    assert told["bodies"][:, 7:10].ravel() == pytest.approx(wanted["body_force"])
    assert told["notes"] == wanted["notes"]


def test_the_roster_is_left_out_on_request() -> None:
    packed = known_packed()
    with_it, without = packed.message("force", True), packed.message("force", False)
    assert len(with_it) - len(without) == 8 * 5
    assert decoded(without)["value"] == pytest.approx([9.81, 0, 1, 0, 19.62], abs=20 / TOP)
    assert "id" not in decoded(without)


def test_a_frame_without_bodies() -> None:
    frame = known_frame()
    frame.body_names, frame.body_position, frame.body_rotation = [], np.empty((0, 3)), np.empty((0, 3, 3))
    frame.body_force = frame.body_torque = np.empty((0, 3))
    told = decoded(PackedFrame(frame, 1, 1, 1, 1, {}).message("speed", True))
    assert told["bodies"].shape == (0, 13)
    assert told["time"] == 1.25
