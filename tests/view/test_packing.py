"""Frames survive the way through eight bytes a grain as well as sixteen bits allow."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from made_station import decoded
from wire_fixture import (
    BAD_MESSAGES,
    FOLDER,
    GOOD_MESSAGES,
    expectation,
    known_description,
    known_frame,
    known_packed,
    packed,
)

import windrow as wr
from windrow.scene.scene import Scene
from windrow.scene.terrain import Terrain
from windrow.terrain.patches import Relief
from windrow.view.ground import MOST_NODES, ROW, ground_told
from windrow.view.live import LiveSource
from windrow.view.packing import moistures
from windrow.view.pool import Pool
from windrow.view.rows import TOP, Grains, Roster, box_around, grain_rows
from windrow.view.rows import quantised as quantised_in_rows

FINITE = st.floats(-1e3, 1e3, width=32)


def quantised(position: np.ndarray, vector: np.ndarray, *box: np.ndarray) -> tuple[bytes, float]:
    """Rows in the order the grains come in."""
    return quantised_in_rows(position, vector, np.arange(len(position), dtype=np.int32), *box)


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
    assert told["tiles"]["tile"].tolist() == [[3, 1]]


def test_the_roster_is_left_out_on_request() -> None:
    known = known_packed()
    with_it, without = known.message("force", True), known.message("force", False)
    assert len(with_it) - len(without) == 8 * 5
    assert decoded(without)["value"] == pytest.approx([9.81, 0, 1, 0, 19.62], abs=20 / TOP)
    assert "id" not in decoded(without)


def test_a_frame_without_bodies() -> None:
    frame = known_frame()
    frame.body_names, frame.body_position, frame.body_rotation = [], np.empty((0, 3)), np.empty((0, 3, 3))
    frame.body_force = frame.body_torque = np.empty((0, 3))
    told = decoded(packed(frame, {}).message("speed", True))
    assert told["bodies"].shape == (0, 13)
    assert told["time"] == 1.25


def shuffled_grains(ids: np.ndarray, seed: int) -> Grains:
    """Grains whose numbers follow from their ids, in a random order."""
    mixed = np.random.default_rng(seed).permutation(ids)
    angle = mixed.astype(np.float64)
    position = np.column_stack([np.cos(angle), np.sin(angle), angle / 7, np.full(len(ids), 9.0)])
    return Grains(
        id=mixed,
        position=position.astype(np.float32),
        radius=(0.1 + 0.05 * (mixed % 3)).astype(np.float32),
        material=(mixed % 2).astype(np.int32),
        vectors={"speed": np.column_stack([angle, 0 * angle, 0 * angle]).astype(np.float32)},
    )


def sorted_grains(grains: Grains) -> Grains:
    """The plain way: sort everything by id."""
    order = np.argsort(grains.id, kind="stable")
    return Grains(
        grains.id[order],
        grains.position[order],
        grains.radius[order],
        grains.material[order],
        {name: vector[order] for name, vector in grains.vectors.items()},
    )


@pytest.mark.parametrize(
    "ids",
    [np.arange(50), np.array([3, 9, 4, 100, 7]), np.array([5, 10**12]), np.array([], np.int64)],
    ids=["all", "gaps", "far apart", "none"],
)
def test_rows_in_any_order_are_the_same_as_sorted_ones(ids: np.ndarray) -> None:
    roster = Roster()
    for seed in range(3):
        mixed = shuffled_grains(ids.astype(np.int64), seed)
        made = grain_rows(mixed, roster)
        plain = grain_rows(sorted_grains(mixed), Roster())
        assert made.by_quantity == plain.by_quantity
        assert made.roster == plain.roster
        assert np.array_equal(made.lower, plain.lower)


def test_the_roster_is_new_only_when_somebody_came_or_left() -> None:
    roster = Roster()
    numbers = []
    for ids, seed in [
        (range(20), 0),
        (range(20), 1),
        (range(1, 21), 2),
        (range(1, 20), 3),
        (range(1, 20), 4),
    ]:
        numbers.append(grain_rows(shuffled_grains(np.array(ids, np.int64), seed), roster).roster_number)
    assert numbers == [1, 1, 2, 3, 3]
    roster.forget()
    assert grain_rows(shuffled_grains(np.arange(1, 20), 5), roster).roster_number == 4


def test_the_known_scene_is_what_both_sides_are_tested_with() -> None:
    described = known_description()
    assert described.geometry == (FOLDER / "geometry.bin").read_bytes()
    assert json.loads(described.text) == json.loads((FOLDER / "scene.json").read_text(encoding="utf-8"))
    known = json.loads((FOLDER / "messages.json").read_text(encoding="utf-8"))
    assert known == {"good": GOOD_MESSAGES, "bad": BAD_MESSAGES}


def test_the_known_scene_shares_meshes_and_names_everything() -> None:
    told = json.loads(known_description().text)
    names = [body["name"] for body in told["bodies"]]
    assert names[:4] == ["ground", "terrain", "brick 0", "brick 1"]
    bricks = [mesh for mesh in told["meshes"] if 2 in mesh["bodies"]]
    assert [mesh["bodies"] for mesh in bricks] == [[2, 3]]
    numbers = np.frombuffer(known_description().geometry, "<f4", offset=16)
    first, count = bricks[0]["corners"]
    assert np.abs(numbers[first : first + count].reshape(-1, 3)).max(axis=0) == pytest.approx([0.2, 0.1, 0.1])
    (rock,) = told["balls"]
    first, count = rock["rows"]
    assert numbers[first : first + count].tolist() == [0, 0, 0, 0.25, 0.25, 0, 0, 0.125]
    assert rock["body"] == 4
    (cart,) = told["machines"]
    assert names[cart["tool"]["body"]] == "tray"
    assert told["bodies"][cart["cabin"]["body"]]["machine"] == 0
    levers = {control["name"]: control["low"] for control in told["controls"]}
    assert levers == {"throttle": -1, "brake": 0, "lift": -1}
    assert told["task"]["unit"] == "kg"
    wheels = [mesh for mesh in told["meshes"] if mesh.get("shape", {}).get("kind") == "cylinder"]
    assert sum(len(mesh["bodies"]) for mesh in wheels) == 2


def test_moisture_is_shown_where_it_is_known() -> None:
    """Of a moist soil by its library, of others as dry; offered only if anything is known to be wet."""
    scene = wr.Scene()
    scene.add_material("loam", soil="loam")
    scene.add_material("sand")
    assert scene.materials["loam"].moisture == pytest.approx(0.15)
    shares = moistures(scene, ["sand", "loam", "gone"])
    assert np.linalg.norm(shares, axis=1) == pytest.approx([0.0, 0.15, 0.0])
    scene.add_particles([[0, 0, 1], [0, 0, 2]], radius=0.1, material="loam")
    live = LiveSource(wr.Simulation(scene))
    lengths = np.linalg.norm(live.moment({"moisture"}).grains.vectors["moisture"], axis=1)
    assert lengths == pytest.approx([0.15, 0.15])


def test_a_page_gets_only_the_tiles_it_does_not_have() -> None:
    known = known_packed()
    with_tile, without = known.message("speed", True, 5), known.message("speed", True, 6)
    assert len(with_tile) - len(without) == 4 + ROW.itemsize
    assert known.ground_version == 6
    assert known.message("speed", True) == with_tile


def test_large_ground_is_described_coarsely() -> None:
    terrain = Terrain(size=(1000.0, 500.0), cell=0.5, height=2.0, soil="loam")
    scene, pool = Scene(terrain=terrain), Pool()
    told = ground_told(scene.assembled(), Relief(terrain), pool)
    assert told["stride"] in (2, 4, 8)
    assert told["nodes"][0] * told["nodes"][1] == told["heights"][1] <= MOST_NODES
    assert told["shape"] == [2000, 1000]
    assert len(pool.block(1)) == 16 + 4 * told["heights"][1]
