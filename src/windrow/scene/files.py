"""Scene files: TOML, YAML or JSON in and out, and the built-in scenes by name."""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from windrow.errors import FileFormatError, SceneError, unknown_name
from windrow.files import refuse_other_than_files, write_text
from windrow.scene import checks
from windrow.scene.machines import MachineDescription
from windrow.scene.messages import explain, field_path, shown
from windrow.scene.part import Part
from windrow.scene.scene import Scene
from windrow.scene.shapes import Mesh
from windrow.scene.toml_text import toml_text

LARGEST_FILE = 1 << 30
"""Bytes of a scene file; grains by the million belong into a block or an emitter, or into Python."""

_NOT_SCENES = {"soils", "calibration"}


def load_scene(name_or_path: str | Path) -> Scene:
    """A built-in scene by name, or the scene in a .toml, .yaml, .yml or .json file.

    A file that is missing or cannot be read is a FileFormatError; a scene that cannot be used is a SceneError
    that lists every problem with file, field, value and remedy.
    """
    path = Path(name_or_path)
    if not path.suffix and not path.is_file():
        name = str(name_or_path)
        if name in built_in_scenes():
            return _built_in(name)
        refuse_other_than_files(path)
        raise SceneError(
            f"{unknown_name('scene', name, built_in_scenes())}. "
            "Or give the path of a .toml, .yaml or .json file"
        )
    data = _read(path)
    scene = scene_from_dict(data, str(path), path.parent)
    for place, mesh in _mesh_files(scene):
        if not (path.parent / str(mesh.file)).is_file():
            raise SceneError(
                f"{path}: {field_path(place)}.file: there is no mesh file {mesh.file!r} "
                f"(looked for {path.parent / str(mesh.file)}); paths are relative to the scene file"
            )
    return scene


def save_scene(scene: Scene, path: str | Path) -> None:
    """Writes a scene that `load_scene` reads back; the format follows from the file's ending.

    The file is replaced as a whole or not at all. Mesh files are named relative to the new place.
    """
    path = Path(path)
    writers: dict[str, Callable[[dict[str, Any]], str]] = {
        ".toml": toml_text,
        ".json": lambda data: json.dumps(_strict_json(data), indent=2, ensure_ascii=False) + "\n",
        ".yaml": _yaml_text,
        ".yml": _yaml_text,
    }
    if path.suffix.lower() not in writers:
        raise FileFormatError(f"{path}: {unknown_name('file ending', path.suffix, writers)}")
    write_text(path, writers[path.suffix.lower()](scene_to_dict(scene, path.parent)))


def save_machine(machine: MachineDescription, path: str | Path) -> None:
    """Writes a machine that `load_machine` reads back, as .toml; mesh files are named relative to the new place."""
    path = Path(path)
    if path.suffix.lower() != ".toml":
        raise FileFormatError(f"{path}: a machine file ends in .toml (got {path.suffix!r}); rename it")
    data = _plain(machine)
    for body, written in zip(machine.bodies, data["bodies"], strict=True):
        for piece, entry in zip(body.shapes, written.get("shapes", []), strict=True):
            if isinstance(piece.shape, Mesh) and piece.shape.file is not None:
                full, place = Path(piece.shape.file).resolve(), path.parent.resolve()
                entry["shape"]["file"] = Path(os.path.relpath(full, place)).as_posix()
    write_text(path, toml_text(data))


def scene_from_dict(data: object, subject: str = "scene", base_dir: Path | None = None) -> Scene:
    """A checked scene from nested dicts and lists; `subject` leads each error, usually the file's name."""
    if not isinstance(data, Mapping):
        raise SceneError(f"{subject}: a scene is a table of named fields (got {shown(data)})")
    try:
        scene = Scene.__pydantic_validator__.validate_python(dict(data))
    except ValidationError as error:
        raise SceneError(explain(error, subject, data)) from None
    assert isinstance(scene, Scene)
    if base_dir is not None:
        scene._base_dir = base_dir
    checks.check(scene, subject)
    return scene


def scene_to_dict(scene: Scene, base_dir: str | Path | None = None) -> dict[str, Any]:
    """Nested dicts and lists that `scene_from_dict` reads back; fields without a value are left out.

    Files of meshes and machines are named relative to `base_dir`, or by their full path if there is none.
    """
    data = _plain(scene)

    def named(file: str) -> str:
        full = (scene.base_dir / file).resolve()
        try:
            here = full if base_dir is None else Path(os.path.relpath(full, Path(base_dir).resolve()))
        except ValueError:  # another drive
            here = full
        return here.as_posix()

    for place, mesh in _mesh_files(scene):
        entry: Any = data
        for key in place:
            entry = entry[key]
        entry["file"] = named(str(mesh.file))
    for index, machine in enumerate(scene.machines):
        if machine.is_file:
            data["machines"][index]["model"] = named(machine.model)
    if scene.terrain is not None and isinstance(scene.terrain.height, str):
        data["terrain"]["height"] = named(scene.terrain.height)
    return data


def _mesh_files(scene: Scene) -> Iterator[tuple[list[str | int], Mesh]]:
    """Every mesh of a scene that is in a file, and where in the scene it is said."""
    for index, obstacle in enumerate(scene.obstacles):
        if isinstance(obstacle.shape, Mesh) and obstacle.shape.file is not None:
            yield ["obstacles", index, "shape"], obstacle.shape
    for index, body in enumerate(scene.bodies):
        for number, piece in enumerate(body.shapes):
            if isinstance(piece.shape, Mesh) and piece.shape.file is not None:
                yield ["bodies", index, "shapes", number, "shape"], piece.shape


def scene_to_json(scene: Scene) -> str:
    """The scene as one line of JSON, mesh files by their full path; what recordings carry along."""
    return json.dumps(_strict_json(scene_to_dict(scene)), ensure_ascii=False)


def scene_from_json(text: str | bytes, subject: str = "scene") -> Scene:
    """Reads what `scene_to_json` wrote."""
    return scene_from_dict(
        _parse(_json_data, text.decode() if isinstance(text, bytes) else text, subject), subject
    )


@cache
def _titles() -> dict[str, str]:
    folder = resources.files("windrow.scene").joinpath("library")
    titles = {}
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        name = entry.name.removesuffix(".toml")
        if entry.name.endswith(".toml") and name not in _NOT_SCENES:
            titles[name] = str(tomllib.loads(entry.read_text(encoding="utf-8")).get("title", ""))
    return titles


def built_in_scenes() -> dict[str, str]:
    """Titles of the built-in scenes by name."""
    return dict(_titles())


def _built_in(name: str) -> Scene:
    text = resources.files("windrow.scene").joinpath("library", f"{name}.toml").read_text(encoding="utf-8")
    return scene_from_dict(tomllib.loads(text), f"built-in scene {name}")


def _read(path: Path) -> Any:
    readers: dict[str, Callable[[str], Any]] = {
        ".toml": tomllib.loads,
        ".json": _json_data,
        ".yaml": _yaml_data,
        ".yml": _yaml_data,
    }
    if path.suffix.lower() not in readers:
        refuse_other_than_files(path)
        ending = unknown_name("file ending", path.suffix, readers)
        raise FileFormatError(f"{path}: not a scene file: {ending}")
    try:
        refuse_other_than_files(path)
        if path.stat().st_size > LARGEST_FILE:
            raise FileFormatError(
                f"{path}: {path.stat().st_size} bytes are more than a scene file may have ({LARGEST_FILE}); "
                "describe grains by blocks and emitters, or add them from Python"
            )
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        hint = f"; the built-in scene is called {path.stem!r}" if path.stem in built_in_scenes() else ""
        raise FileFormatError(f"{path}: there is no such file{hint}") from None
    except UnicodeDecodeError as error:
        raise FileFormatError(f"{path}: not a text file: byte {error.start} is not UTF-8") from None
    except OSError as error:
        raise FileFormatError(f"{path}: cannot read: {error.strerror}") from None
    return _parse(readers[path.suffix.lower()], text, str(path))


def _parse(reader: Callable[[str], Any], text: str, subject: str) -> Any:
    try:
        return reader(text)
    except RecursionError:
        raise FileFormatError(f"{subject}: tables are nested too deeply") from None
    except ValueError as error:  # what json, tomllib and the YAML reader below raise, with line and column
        raise FileFormatError(f"{subject}: cannot be read: {' '.join(str(error).split())}") from None


def _json_data(text: str) -> Any:
    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        named = dict(pairs)
        if len(named) < len(pairs):
            names = [name for name, _ in pairs]
            repeated = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"the field {repeated!r} is given twice")
        return named

    return json.loads(text, object_pairs_hook=table)


def _yaml_data(text: str) -> Any:
    from windrow.scene.yaml_text import yaml_data

    return yaml_data(text)


def _yaml_text(data: dict[str, Any]) -> str:
    from windrow.scene.yaml_text import yaml_text

    return yaml_text(data)


def _plain(value: Any) -> Any:
    """Models and arrays as dicts and lists. Empty fields are left out: TOML has no word for nothing."""
    if isinstance(value, Part):
        # What it is stands first, as one writes it.
        names = sorted(type(value).model_fields, key=lambda name: name != "kind")
        fields = {name: _plain(value.written(name)) for name in names if name in value.written_fields()}
        return {
            name: field for name, field in fields.items() if field is not None and field not in ("", [], {})
        }
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _strict_json(value: Any) -> Any:
    """Infinity as the text "inf", which the fields that allow it read: JSON has no number for it."""
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {key: _strict_json(item) for key, item in value.items()}
    return [_strict_json(item) for item in value] if isinstance(value, list) else value
