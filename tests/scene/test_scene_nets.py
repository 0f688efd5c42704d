"""Ropes, cloth and ladders become grains and links with the right ids."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.errors import SceneError
from windrow.scene import Scene


@pytest.fixture
def scene() -> Scene:
    made = Scene()
    made.add_material("a", density=1000)
    made.add_block((10, 10, 10), (1, 1, 1), 0.1, "a", count=7)
    return made


def test_rope(scene: Scene) -> None:
    ids = scene.add_rope((0, 0, 0), (2, 0, 0), 4, "a", mass=0.5, pinned_start=True, stiffness=100.0)
    start, links = scene.initial_particles(), scene.initial_links()
    assert ids.tolist() == [7, 8, 9, 10, 11]
    assert np.allclose(start["position"][7:, 0], [0, 0.5, 1, 1.5, 2])
    assert np.allclose(start["radius"][7:], 0.225)
    assert start["mass"][7:].tolist() == [0.5] * 5
    assert start["pinned"].tolist() == [False] * 7 + [True] + [False] * 4
    assert links["first"].tolist() == [7, 8, 9, 10]
    assert links["second"].tolist() == [8, 9, 10, 11]
    assert np.allclose(links["length"], 0.5)
    assert links["stiffness"].tolist() == [100.0] * 4


@pytest.mark.parametrize(("pinned", "held"), [("none", 0), ("corners", 4), ("edge", 4), ("border", 10)])
def test_cloth(scene: Scene, pinned: str, held: int) -> None:
    ids = scene.add_cloth((0, 0, 0), (2, 0, 0), (0, 3, 0), 3, 4, "a", pinned=pinned)
    start, links = scene.initial_particles(), scene.initial_links()
    assert len(ids) == 12
    assert start["pinned"].sum() == held
    # 2·4 + 3·3 sides and 2·(2·3) diagonals
    assert len(links["first"]) == 8 + 9 + 12
    assert set(np.round(links["length"], 9)) == {1.0, round(math.sqrt(2), 9)}
    assert links["first"].min() == 7
    assert links["second"].max() == 18
    pairs = {frozenset(pair) for pair in zip(links["first"].tolist(), links["second"].tolist(), strict=True)}
    assert len(pairs) == len(links["first"])


def test_cloth_without_diagonals(scene: Scene) -> None:
    scene.add_cloth((0, 0, 0), (2, 0, 0), (0, 3, 0), 3, 4, "a", diagonals=False)
    assert len(scene.initial_links()["first"]) == 17


def test_rope_ladder(scene: Scene) -> None:
    ids = scene.add_rope_ladder((0, 0, 0), (4, 0, 0), (0, 1, 0), 8, 3, 2, "a")
    start, links = scene.initial_particles(), scene.initial_links()
    assert len(ids) == 2 * 9 + 3
    assert start["pinned"].sum() == 4
    assert len(links["first"]) == 2 * 8 + 3 * 2
    assert np.allclose(links["length"], 0.5)
    rungs = start["position"][7 + 18 :]
    assert np.allclose(rungs[:, 0], [1, 2, 3])
    assert np.allclose(rungs[:, 1], 0.5)


def test_nodes_that_would_overlap_and_rungs_without_room(scene: Scene) -> None:
    with pytest.raises(SceneError, match=r"at most 0.25 m, half of a link"):
        scene.add_rope((0, 0, 0), (2, 0, 0), 4, "a", radius=0.3)
    with pytest.raises(SceneError, match="9 rungs need as many inner nodes"):
        scene.add_rope_ladder((0, 0, 0), (4, 0, 0), (0, 1, 0), 8, 9, 2, "a")
    with pytest.raises(SceneError, match="m long"):
        scene.add_rope((0, 0, 0), (0, 0, 0), 4, "a")
    with pytest.raises(SceneError, match="zero vector"):
        scene.add_cloth((0, 0, 0), (0, 0, 0), (0, 1, 0), 3, 3, "a")


def test_grains_at_one_place_cannot_be_linked_without_a_length() -> None:
    scene = Scene()
    scene.add_material("a")
    scene.add_rope((0, 0, 0), (1, 0, 0), 1, "a", radius=0.1)
    scene.add_particles((0, 5, 0), radius=0.1, material="a")
    scene.add_link(0, 2)
    assert scene.initial_links()["length"].tolist() == [5.0, 1.0]
