"""What can only be seen across a scene: names that exist, names that are unique, pairs that make sense."""

from __future__ import annotations

from collections.abc import Iterator

from windrow.errors import SceneError, unknown_name
from windrow.scene.data import SceneData
from windrow.scene.materials import combine
from windrow.scene.messages import listed
from windrow.scene.soils import soils


def check(scene: SceneData, subject: str = "scene") -> None:
    """Raises a SceneError that lists every problem; cheap, no grain is placed."""
    problems = [*_unknown_materials(scene), *_repeated_names(scene), *_odd_pairs(scene)]
    if problems:
        raise SceneError(listed(problems, subject))


def unknown_material(scene: SceneData, name: str) -> str:
    """Sentence about a material that the scene does not have."""
    sentence = unknown_name("material", name, scene.materials)
    if name in soils():
        sentence += f". {name!r} is a soil: add a material {name!r} with soil = {name!r} first"
    elif not scene.materials:
        sentence += ". Add materials first"
    return sentence


def _unknown_materials(scene: SceneData) -> Iterator[str]:
    for field in ("particles", "obstacles", "emitters"):
        for index, item in enumerate(getattr(scene, field)):
            if item.material not in scene.materials:
                yield f"{field}[{index}].material: {unknown_material(scene, item.material)}"
    for index, pair in enumerate(scene.material_pairs):
        for name in pair.materials:
            if name not in scene.materials:
                yield f"material_pairs[{index}].materials: {unknown_material(scene, name)}"


def _repeated_names(scene: SceneData) -> Iterator[str]:
    for field in ("obstacles", "emitters", "sinks"):
        seen: dict[str, int] = {}
        for index, item in enumerate(getattr(scene, field)):
            if item.name and item.name in seen:
                first = f"{field}[{seen[item.name]}]"
                yield f"{field}[{index}].name: {item.name!r} is taken by {first}; choose another"
            seen.setdefault(item.name, index)


def _odd_pairs(scene: SceneData) -> Iterator[str]:
    seen: dict[frozenset[str], int] = {}
    for index, pair in enumerate(scene.material_pairs):
        key = frozenset(pair.materials)
        if key in seen:
            yield f"material_pairs[{index}].materials: {pair.materials} repeats material_pairs[{seen[key]}]"
        seen.setdefault(key, index)
        a, b = (scene.materials.get(name) for name in pair.materials)
        if a is None or b is None:
            continue
        values = combine(a, b, pair)
        if values.friction_kinetic > values.friction_static:
            yield (
                f"material_pairs[{index}]: friction_kinetic {values.friction_kinetic:g} exceeds "
                f"friction_static {values.friction_static:g}; give both"
            )
