"""What the grains are made of that a scene's terrain turns into."""

from __future__ import annotations

from typing import Any, TypeVar

from windrow.scene.assembling import turns_into_grains
from windrow.scene.data import SceneData
from windrow.scene.materials import Material
from windrow.scene.terrain import Terrain

AnyScene = TypeVar("AnyScene", bound=SceneData)


def soil_materials(terrain: Terrain) -> dict[str, Material]:
    """What grains of each layer are made of, by name, in the order of the layers.

    A scene that has a material of that name already keeps its own.
    """
    made: dict[str, Material] = {}
    for layer in terrain.layers_down():
        name, number = f"{layer.soil} grains", 1
        while name in made:
            number += 1
            name = f"{layer.soil} grains {number}"
        own: dict[str, Any] = {"bulk_density": layer.density, "internal_friction_deg": layer.internal_friction_deg}
        own["cohesion_pa"] = layer.cohesion_pa
        given = {field: value for field, value in own.items() if value is not None}
        made[name] = Material(soil=layer.soil, **given)
    return made


def with_soil_materials(scene: AnyScene) -> AnyScene:
    """The scene with the materials of the grains that its terrain turns into; itself where it does not."""
    if not turns_into_grains(scene):
        return scene
    assert scene.terrain is not None
    together = scene.model_copy(update={"materials": soil_materials(scene.terrain) | scene.materials})
    together._base_dir = scene._base_dir
    return together
