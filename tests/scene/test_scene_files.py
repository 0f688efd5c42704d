"""Scene files: what is written is read back, what cannot be read says why, nothing is half-written."""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scene_strategies import scenes

from windrow.errors import FileFormatError, SceneError, WindrowError
from windrow.scene import (
    NDEM,
    P2,
    TEMPLATE,
    Scene,
    built_in_scenes,
    load_scene,
    save_scene,
    scene_from_dict,
    scene_from_json,
    scene_to_dict,
    scene_to_json,
)
from windrow.scene.machines import load_machine
from windrow.scene.toml_text import toml_text
from windrow.scene.yaml_text import yaml_data, yaml_text

ENDINGS = [".toml", ".yaml", ".json"]


@pytest.mark.parametrize("ending", ENDINGS)
@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=scenes)
def test_round_trip(tmp_path_factory, ending: str, data) -> None:
    try:
        scene = scene_from_dict(data)
    except SceneError:
        return
    path = tmp_path_factory.mktemp("scene") / f"s{ending}"
    save_scene(scene, path)
    assert load_scene(path) == scene
    assert scene_from_json(scene_to_json(scene)) == scene


def test_json_is_strict_and_infinity_survives() -> None:
    scene = Scene()
    scene.add_material("a")
    scene.add_box((0, 0, 0), (1, 1, 1), "a", motion={"kind": "spin", "rate": 1.0})
    text = scene_to_json(scene)
    assert "Infinity" not in text
    assert json.loads(text)["obstacles"][0]["motion"]["stop"] == "inf"
    assert scene_from_json(text).obstacles[0].motion.stop == math.inf


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=6),
        st.recursive(
            st.text(max_size=9)
            | st.integers(-(2**63), 2**63 - 1)
            | st.floats(allow_nan=False)
            | st.booleans(),
            lambda inner: (
                st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
            ),
            max_leaves=40,
        ),
        max_size=4,
    )
)
def test_toml_and_yaml_text_read_back(data) -> None:
    assert tomllib.loads(toml_text(data)) == data
    assert yaml_data(yaml_text(data)) == data


def test_the_template_loads_and_runs_from_every_field_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    path.write_text(TEMPLATE, encoding="utf-8")
    scene = load_scene(path)
    assert len(scene.initial_particles()["radius"]) > 500
    assert scene.obstacles[2].motion.rate == 1.5
    commented = [line[2:] for line in TEMPLATE.splitlines() if line.startswith(("# density", "# capacity"))]
    assert len(commented) == 2
    path.write_text(
        TEMPLATE.replace("# capacity", "capacity").replace("# [[sinks", "[[sinks"), encoding="utf-8"
    )
    with pytest.raises(SceneError, match=r"sinks\[0\]\.region: is missing"):
        load_scene(path)


@pytest.mark.parametrize("name", sorted(built_in_scenes()))
def test_built_in_scenes_load_and_start(name: str) -> None:
    scene = load_scene(name)
    assert scene.title
    assert scene.title == built_in_scenes()[name]
    assert scene.description
    start = scene.initial_particles()
    grains = len(start["radius"]) + sum(emitter.count or 0 for emitter in scene.emitters)
    assert grains + len(scene.assembled().bodies) + (scene.terrain is not None) >= 1
    assert scene.run.camera is not None


def test_the_pile_is_the_one_everybody_measures() -> None:
    scene = load_scene("pile")
    assert scene.emitters[0].count == 2000
    assert scene.emitters[0].radius == 0.05
    solver = scene.solver
    assert (solver.dt, solver.iterations, solver.error_reduction) == (1 / 60, 10, 0.5)
    assert solver.sleep_threshold == 3e-4


def test_a_library_is_there() -> None:
    wanted = {"pile", "column_collapse", "drum", "hopper", "blade", "cut", "settling", "rope_ladder", "cloth"}
    assert wanted <= set(built_in_scenes())
    assert "soils" not in built_in_scenes()


def test_unknown_names_offer_the_nearest() -> None:
    with pytest.raises(SceneError, match=r"unknown scene 'plie'\. Did you mean 'pile'\?"):
        load_scene("plie")
    with pytest.raises(FileFormatError, match=r"nowhere/pile\.toml: there is no such file; .* called 'pile'"):
        load_scene("nowhere/pile.toml")


def test_a_folder_of_the_same_name_does_not_hide_a_built_in_scene(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pile").mkdir()
    assert load_scene("pile").title


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.toml", "gravity = [1,", "cannot be read"),
        ("a.toml", "seed = 1\nseed = 2\n", "line 2"),
        ("a.toml", b"\xff\xfe\x00", "not a text file"),
        ("a.json", "{", "line 1"),
        ("a.json", '{"seed": 1, "seed": 2}', "given twice"),
        ("a.json", "[" * 100_000, "nested too deeply|cannot be read"),
        ("a.yaml", "seed: [1", "line"),
        ("a.yaml", "seed: 1\nseed: 2", "given twice"),
        ("a.yaml", "a: &x [1]\nb: *x", "aliases are not read"),
        ("a.yaml", "a: !!python/object:os.system {}", "cannot be read"),
        ("a.yaml", "? [1]\n: 2", "must be text"),
        ("a.txt", "seed = 1", "not a scene file"),
        ("a.h5", b"\x89HDF\r\n", "not a scene file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content, words: str) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(FileFormatError, match=words) as caught:
        load_scene(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gravty = [0, 0, -1]", "unknown field 'gravty' (did you mean 'gravity'?). Known: "),
        ("seed = 1.5", "seed: must be a whole number (got 1.5)"),
        ("[solver]\ndt = 0", "solver.dt: must be at least 1e-07 (got 0)"),
        ("[solver]\nname = 'p3'", "solver.name: unknown value 'p3'. Did you mean 'p2'?"),
        ("[solver]\nname = 'p2'\nmethod = 'jacoby'", "solver.method: unknown value 'jacoby'. Did you mean 'jacobi'?"),
        ("[materials.a]\ndensity = nan", "materials.a.density: must be a finite number (got nan)"),
        ("[materials.a]\ndensity = '1'", "materials.a.density: must be a number (got '1')"),
        (
            "[[obstacles]]\nmaterial = 'a'\nshape = {kind = 'spere', radius = 1}",
            "obstacles[0].shape: unknown kind 'spere'. Did you mean 'sphere'?",
        ),
        (
            "[[obstacles]]\nmaterial = 'a'\nshape = {kind = 'sphere', radius = -1}",
            "obstacles[0].shape.radius: must be more than 1e-09 (got -1)",
        ),
        (
            "[[obstacles]]\nmaterial = 'a'\nshape = {kind = 'sphere'}",
            "obstacles[0].shape.radius: is missing; add `radius = …`",
        ),
        (
            "[[obstacles]]\nmaterial = 'snad'\nshape = {kind = 'sphere', radius = 1}\n[materials.sand]",
            "obstacles[0].material: unknown material 'snad'. Did you mean 'sand'?",
        ),
        (
            "[[particles]]\nkind = 'ball'\nmaterial = 'a'\nposition = [0, 0]\nball_radius = 1\nradius = 1",
            "particles[0].position: must be 3 numbers in a list (got [0, 0])",
        ),
        (
            "[[particles]]\nkind = 'points'\nmaterial = 'a'\nposition = [[0, 0, 0]]\nradius = -0.1",
            "particles[0].radius: every value must lie between 1e-06 and 10000 (got -0.1)",
        ),
        ("schema_version = 2", "schema_version: unknown value '2'. Known: 1"),
    ],
)
def test_messages_name_file_field_value_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, "s.toml", text)
    with pytest.raises(SceneError) as caught:
        load_scene(path)
    assert any(line.startswith(f"{path}: {message}") for line in str(caught.value).splitlines()), caught.value


def test_several_problems_are_listed_together_and_many_are_counted() -> None:
    with pytest.raises(SceneError) as caught:
        scene_from_dict({"seed": -1, "gravity": "down", "title": 3})
    assert len(str(caught.value).splitlines()) == 3
    with pytest.raises(SceneError, match="and 88 more problems"):
        scene_from_dict({"links": [{"first": -1, "second": i} for i in range(100)]})


def test_yaml_numbers_with_exponents_are_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, "s.yaml", "materials:\n  a: {stiffness: 1e5, damping: 2E+1, density: 1.5e3}\n")
    material = load_scene(path).materials["a"]
    assert (material.stiffness, material.damping, material.density) == (1e5, 20.0, 1500.0)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from([".toml", ".yaml", ".json"]),
    st.text(max_size=60) | st.text("[]{}:=-'\"&*!?|>\n 1a.,#", max_size=40),
)
def test_any_text_is_a_scene_or_a_clear_error(tmp_path: Path, ending: str, text: str) -> None:
    path = written(tmp_path, f"s{ending}", text)
    message = ""
    try:
        load_scene(path)
    except WindrowError as error:
        message = str(error)
    assert not message or str(path) in message


def test_saving_replaces_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    save_scene(Scene(title="old"), path)
    with pytest.raises(FileFormatError, match="unknown file ending"):
        save_scene(Scene(), tmp_path / "s.txt")
    with pytest.raises(FileFormatError, match="cannot write"):
        save_scene(Scene(), tmp_path / "missing" / "s.toml")
    assert load_scene(path).title == "old"
    assert os.listdir(tmp_path) == ["s.toml"]


def test_mesh_files_are_relative_to_the_scene_file(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "rock.stl").write_text("solid x\nendsolid x\n")
    text = "[materials.a]\n[[obstacles]]\nmaterial = 'a'\nshape = {kind = 'mesh', file = 'meshes/rock.stl'}\n"
    scene = load_scene(written(tmp_path, "s.toml", text))
    assert scene.base_dir == tmp_path
    (tmp_path / "other").mkdir()
    save_scene(scene, tmp_path / "other" / "s.json")
    moved = load_scene(tmp_path / "other" / "s.json")
    assert moved.obstacles[0].shape.file == "../meshes/rock.stl"
    assert Path(scene_to_dict(scene)["obstacles"][0]["shape"]["file"]).is_absolute()
    (tmp_path / "meshes" / "rock.stl").unlink()
    with pytest.raises(
        SceneError, match=r"obstacles\[0\]\.shape\.file: there is no mesh file 'meshes/rock\.stl'"
    ):
        load_scene(tmp_path / "s.toml")


def test_large_arrays_survive(tmp_path: Path) -> None:
    scene = Scene()
    scene.add_material("a")
    points = np.random.default_rng(0).uniform(-100, 100, (2000, 3))
    scene.add_particles(points, radius=1e-3, material="a", pinned=np.arange(2000) % 2 == 0)
    for ending in (".toml", ".json"):
        save_scene(scene, tmp_path / f"s{ending}")
        back = load_scene(tmp_path / f"s{ending}").particles[0]
        assert np.array_equal(back.position, points)
        assert back.pinned.sum() == 1000


def test_a_solver_without_a_name_is_ndem() -> None:
    plain = {"materials": {"steel": {}}}
    assert scene_from_dict(plain).solver == Scene().solver == NDEM()
    assert scene_from_dict({**plain, "solver": {"dt": 0.01}}).solver == NDEM(dt=0.01)
    body = {"name": "ball", "material": "steel", "shapes": [{"kind": "sphere", "radius": 0.1}]}
    assert scene_from_dict({**plain, "bodies": [body]}).solver == NDEM()
    named = {**plain, "bodies": [body], "solver": {"name": "p2", "dt": 0.01}}
    assert scene_from_dict(named).solver == P2(dt=0.01)
    with pytest.raises(SceneError, match="solver: 'iterations' is a field of P²; add name = \"p2\""):
        scene_from_dict({**plain, "solver": {"iterations": 20}})


def test_a_solver_survives_being_saved(tmp_path: Path) -> None:
    for solver in (P2(), NDEM()):
        save_scene(Scene(solver=solver), tmp_path / "s.toml")
        assert load_scene(tmp_path / "s.toml").solver == solver


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("ending", ["", ".toml", ".h5"])
def test_what_is_no_file_is_not_read_and_named(tmp_path: Path, ending: str) -> None:
    pipe, device, folder = (tmp_path / f"{name}{ending}" for name in ("pipe", "device", "folder"))
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    folder.mkdir()
    readers: list[Callable[[Path], object]] = [load_scene]
    if ending == ".toml":
        readers.append(load_machine)
    for path, kind in ((pipe, "a named pipe"), (device, "a device"), (folder, "a folder")):
        for reader in readers:
            with pytest.raises(FileFormatError, match=rf"{path.name}: is {kind}, not a file; give a regular file"):
                reader(path)
