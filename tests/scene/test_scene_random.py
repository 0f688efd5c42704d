"""Whatever dictionary comes: a valid scene or a SceneError that names the place, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scene_strategies import anything, damaged_scenes, scenes

from windrow.errors import CapacityError, SceneError
from windrow.scene import Scene, scene_from_dict

relaxed = settings(
    deadline=30_000,
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def made(data: Any, subject: str = "scene") -> tuple[Scene | None, str]:
    """The scene, or the message of the only exception that may come."""
    try:
        return scene_from_dict(data, subject), ""
    except SceneError as error:
        return None, str(error)


def starts_or_says_why(scene: Scene) -> None:
    try:
        start = scene.initial_particles()
        links = scene.initial_links()
    except (SceneError, CapacityError):
        return
    count = len(start["radius"])
    for name in ("position", "velocity", "mass", "material", "pinned"):
        assert len(start[name]) == count
        assert np.isfinite(start[name]).all()
    assert (start["mass"] > 0).all()
    assert (start["radius"] > 0).all()
    assert (start["material"] < len(scene.materials)).all()
    assert max([-1, *links["first"], *links["second"]]) < count
    assert np.isfinite(links["length"]).all()


@relaxed
@given(scenes)
def test_what_is_meant_to_be_valid_is(data: dict[str, Any]) -> None:
    scene, message = made(data)
    if scene is None:
        # Ropes of random ends can be too short, and cloth of random edges flat.
        assert "links are only" in message
    else:
        starts_or_says_why(scene)


@relaxed
@given(damaged_scenes())
def test_a_damaged_scene_is_valid_or_refused_with_a_place(data: dict[str, Any]) -> None:
    scene, message = made(data, "my.toml")
    if scene is None:
        lines = message.splitlines()
        assert 1 <= len(lines) <= 13
        assert all(line.startswith("my.toml: ") and len(line) < 1000 for line in lines)
    else:
        starts_or_says_why(scene)


@relaxed
@given(anything | st.dictionaries(st.sampled_from(list(Scene.model_fields)), anything, max_size=4))
def test_any_data_is_valid_or_refused(data: Any) -> None:
    scene, message = made(data)
    if scene is None:
        assert message.startswith("scene: ")
    else:
        starts_or_says_why(scene)


def test_deeply_nested_data_is_refused() -> None:
    data: Any = 1.0
    for _ in range(500):
        data = [data]
    for field in ("particles", "gravity", "materials", "run", "title"):
        with pytest.raises(SceneError, match=field):
            scene_from_dict({field: data})
    with pytest.raises(SceneError, match="heights"):
        scene_from_dict(
            {
                "obstacles": [
                    {"shape": {"kind": "height_field", "size": [1, 1], "heights": data}, "material": "a"}
                ]
            }
        )
