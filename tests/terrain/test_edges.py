"""Where an obstacle cuts: its own word, or the lowest edge that leads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import SceneError
from windrow.terrain.tools import tools_of

AHEAD = {"kind": "linear", "velocity": (0.5, 0.0, 0.0)}


def scene_with(ground: bool = True) -> wr.Scene:
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0, friction_static=0.3)
    if ground:
        scene.add_terrain(size=(4.0, 4.0), cell=0.1, soil="dry_sand", fidelity="field")
    return scene


def found_edge(motion: Any, **fields: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    scene = scene_with()
    scene.add_box((0.0, 0.0, 0.0), (0.1, 1.0, 0.6), "steel", name="blade", digs=True, motion=motion, **fields)
    cutting = tools_of(scene)[0].cutting
    assert cutting is not None
    return np.array(cutting.edge), np.array(cutting.top), np.array(cutting.direction)


@pytest.mark.parametrize(
    ("velocity", "edge", "top"),
    [
        ((0.5, 0.0, 0.0), [(0.05, -0.5, -0.3), (0.05, 0.5, -0.3)], [(0.05, -0.5, 0.3), (0.05, 0.5, 0.3)]),
        ((-2.0, 0.0, -0.3), [(-0.05, 0.5, -0.3), (-0.05, -0.5, -0.3)], [(-0.05, 0.5, 0.3), (-0.05, -0.5, 0.3)]),
        ((0.0, 1.0, 0.0), [(0.05, 0.5, -0.3), (-0.05, 0.5, -0.3)], [(0.05, 0.5, 0.3), (-0.05, 0.5, 0.3)]),
    ],
)
def test_of_a_box_it_is_the_lower_front(velocity: Any, edge: Any, top: Any) -> None:
    found = found_edge({"kind": "linear", "velocity": velocity})
    assert found[0] == pytest.approx(np.array(edge))
    assert found[1] == pytest.approx(np.array(top))


def test_a_blade_at_an_angle_to_its_way_cuts_with_its_face() -> None:
    edge, _, direction = found_edge(AHEAD, rotation_deg=(0.0, 0.0, 25.0))
    assert edge == pytest.approx(np.array([(0.05, -0.5, -0.3), (0.05, 0.5, -0.3)]))
    assert direction == pytest.approx([np.cos(np.deg2rad(25.0)), -np.sin(np.deg2rad(25.0)), 0.0])


def test_a_blade_that_leans_back_stands_on_its_lowest_edge() -> None:
    edge, top, _ = found_edge(AHEAD, rotation_deg=(0.0, -30.0, 0.0))
    # leaning back lifts the front of its lower side
    assert edge == pytest.approx(np.array([(-0.05, -0.5, -0.3), (-0.05, 0.5, -0.3)]))
    assert top == pytest.approx(np.array([(0.05, -0.5, 0.3), (0.05, 0.5, 0.3)]))


def test_keyframes_lead_where_they_first_go() -> None:
    motion = {"kind": "keyframes", "time": [0, 1, 2], "position": [(0, 0, 1), (0, 0, 0), (0, -3, 0)]}
    _, _, direction = found_edge(motion)
    assert direction == pytest.approx([0.0, -1.0, 0.0])


def test_a_mesh_is_searched_for_its_lowest_front() -> None:
    class Wedge:
        vertices = np.array([
            [0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [-0.5, -1.0, 0.8], [-0.5, 1.0, 0.8], [-0.6, -1.0, 0.1], [-0.6, 1.0, 0.1],
        ])  # fmt: skip
        faces = np.array([[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4], [4, 5, 1], [4, 1, 0], [0, 2, 4], [1, 5, 3]])

    scene = scene_with()
    scene.add_mesh(Wedge(), "steel", name="wedge", digs=True, motion=AHEAD)
    tool = tools_of(scene)[0]
    assert tool.cutting is not None
    assert np.array(tool.cutting.edge) == pytest.approx(np.array([(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)]))
    assert np.array(tool.cutting.top) == pytest.approx(np.array([(-0.5, -1.0, 0.8), (-0.5, 1.0, 0.8)]))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda s: s.add_sphere((0, 0, 1), 0.2, "steel", name="ball", digs=True, motion=AHEAD), "no edge"),
        (lambda s: s.add_box((0, 0, 0), (1, 1, 1), "steel", digs=True), "does not move"),
        (
            lambda s: s.add_box((0, 0, 0), (1, 1, 1), "steel", digs=True, motion={"kind": "spin", "rate": 1.0}),
            "never moves along",
        ),
        (
            lambda s: s.add_box(
                (0, 0, 0), (1, 1, 1), "steel", name="b", digs=True,
                cutting={"edge": [(0, 0, 0), (0, 1, 0)], "top": [(0, 0, 1), (0, 1, 1)], "direction": (1, 0, 0),
                         "kind": "bucket"},
            ),
            "cutting.volume",
        ),
    ],
)  # fmt: skip
def test_a_tool_without_an_edge_is_named_with_the_remedy(make: Any, words: str) -> None:
    scene = scene_with()
    make(scene)
    with pytest.raises(SceneError, match=words) as caught:
        wr.Simulation(scene)
    assert "obstacles[0]" in str(caught.value)


def test_a_tool_needs_terrain() -> None:
    scene = scene_with(ground=False)
    scene.add_box((0, 0, 0), (1, 1, 1), "steel", name="blade", digs=True, motion=AHEAD)
    scene.add_particles([(0.0, 0.0, 2.0)], radius=0.05, material="steel")
    with pytest.raises(SceneError, match="no terrain; add one with add_terrain"):
        wr.Simulation(scene)


def test_the_wheel_loader_has_an_edge() -> None:
    scene = scene_with()
    scene.add_machine("wheel_loader", position=(0.0, 0.0, 0.1), name="A")
    tool = tools_of(scene)[0]
    assert (tool.name, tool.bucket, tool.volume) == ("A bucket", True, 3.0)
