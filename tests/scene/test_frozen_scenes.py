"""Scenes of simulations: nothing in them can be changed, and a copy can."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from windrow.errors import SceneError
from windrow.scene import (
    NDEM,
    Block,
    Emitter,
    Scene,
    Sphere,
    Spheres,
    built_in_scenes,
    load_scene,
    scene_to_json,
)


def made() -> Scene:
    """One of each kind of field: tables, lists, arrays, tables in lists, tables in those."""
    scene = Scene(title="frozen", solver=NDEM())
    scene.add_material("g", density=1600.0)
    scene.add_material("h", density=1600.0)
    scene.add_pair("g", "h", friction_static=0.3)
    scene.add_plane((0, 0, 1), 0.0, "g", name="floor")
    scene.add_height_field((1.0, 1.0), np.zeros((3, 3)), "g", name="ground")
    scene.add_particles([[0, 0, 1], [0, 0, 2]], material="g")
    scene.add_block((0, 0, 3), (0.2, 0.2, 0.2), {"min": 0.02, "max": 0.03}, "g")
    scene.add_body("stone", "g", shapes=[Spheres(centers=[[0, 0, 0]], radii=0.1)], position=(2, 0, 1))
    scene.add_emitter({"kind": "box", "size": (1, 1, 1)}, 0.02, "g", rate=1.0, count=3)
    return scene


def _add(into: Any, item: Any) -> None:
    into += item


CHANGES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "field": ("gravity", lambda s: setattr(s, "gravity", (0, 0, 0))),
    "deleted field": ("title", lambda s: delattr(s, "title")),
    "table": ("materials.g.friction_static", lambda s: setattr(s.materials["g"], "friction_static", 0.9)),
    "table of a table": ("solver.dt", lambda s: setattr(s.solver, "dt", 0.01)),
    "in a list": ("obstacles[0].shape.offset", lambda s: setattr(s.obstacles[0].shape, "offset", 1.0)),
    "deep": (
        "particles[1].radius.max",
        lambda s: setattr(s.particles[1].radius, "max", 0.5),
    ),
    "in a body": ("bodies[0].shapes[0].position", lambda s: setattr(s.bodies[0].shapes[0], "position", (1, 1, 1))),
    "another entry": ("materials", lambda s: s.materials.__setitem__("new", s.materials["g"])),
    "entry less": ("materials", lambda s: s.materials.pop("h")),
    "updated": ("materials", lambda s: s.materials.update(g=1)),
    "merged": ("materials", lambda s: s.materials.__ior__({"g": 1})),
    "emptied": ("materials", lambda s: s.materials.clear()),
    "default": ("materials", lambda s: s.materials.setdefault("new", 1)),
    "appended": ("obstacles", lambda s: s.obstacles.append(1)),
    "replaced": ("obstacles", lambda s: s.obstacles.__setitem__(0, 1)),
    "removed": ("obstacles", lambda s: s.obstacles.__delitem__(0)),
    "popped": ("obstacles", lambda s: s.obstacles.pop()),
    "added": ("obstacles", lambda s: _add(s.obstacles, [1])),
    "turned round": ("bodies[0].shapes", lambda s: s.bodies[0].shapes.reverse()),
    "builder": ("obstacles", lambda s: s.add_sphere((0, 0, 9), 0.1, "g")),
    "builder of materials": ("materials", lambda s: s.add_material("new", density=1.0)),
    "builder of grains": ("particles", lambda s: s.add_particles([[0, 0, 7]], material="g")),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_every_change_is_refused_with_its_field_and_the_remedy(kind: str) -> None:
    scene = made().frozen()
    before = scene_to_json(scene)
    place, change = CHANGES[kind]
    with pytest.raises(SceneError) as refused:
        change(scene)
    assert str(refused.value).startswith(f"{place}: ")
    assert "sim.scene.copy()" in str(refused.value)
    assert "Simulation(scene)" in str(refused.value)
    assert scene_to_json(scene) == before


def test_arrays_cannot_be_written() -> None:
    scene: Any = made().frozen()
    stone = scene.bodies[0].shapes[0].shape
    for array in (scene.particles[0].position, scene.obstacles[1].shape.heights, stone.centers):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


@pytest.mark.parametrize("kind", CHANGES)
def test_a_copy_can_be_changed_and_leaves_the_original_alone(kind: str) -> None:
    scene = made().frozen()
    before = scene_to_json(scene)
    for other in (scene.copy(), copy.deepcopy(scene)):
        assert other == scene
        CHANGES[kind][1](other)
        other.particles[0].position[0] = 5.0  # type: ignore[union-attr]
        assert scene_to_json(scene) == before


def test_what_was_frozen_shares_nothing_that_can_be_changed() -> None:
    scene: Any = made()
    frozen = scene.frozen()
    before = scene_to_json(frozen)
    scene.materials["g"].friction_static = 0.9
    scene.particles[0].position[:] = 7.0
    scene.bodies[0].shapes.clear()
    scene.add_sphere((0, 0, 9), 0.1, "g")
    assert scene_to_json(frozen) == before
    assert frozen.frozen() is frozen


def test_frozen_scenes_are_pickled_as_such() -> None:
    again = pickle.loads(pickle.dumps(made().frozen()))
    assert again == made()
    with pytest.raises(SceneError, match=r"^obstacles: "):
        again.obstacles.append(1)
    with pytest.raises(SceneError, match=r"^materials\.g\.density: "):
        again.materials["g"].density = 1.0


@pytest.mark.parametrize("name", built_in_scenes())
def test_frozen_or_not_it_is_the_same_scene(name: str) -> None:
    scene = load_scene(name)
    assert scene.frozen() == scene
    assert scene_to_json(scene.frozen()) == scene_to_json(scene)
    assert scene_to_json(scene.frozen().copy()) == scene_to_json(scene)


def test_parts_of_their_own_can_be_changed() -> None:
    """Only what belongs to a simulation is frozen."""
    block = Block(lower=(0, 0, 0), size=(1, 1, 1), radius=0.1, material="g")
    block.radius = 0.2
    emitter = Emitter(region=Sphere(radius=1.0), radius=0.1, material="g", rate=1.0)
    emitter.copy().rate = 2.0
    assert emitter.rate == 1.0
