"""Every builder puts the right data into the scene and refuses the wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.errors import CapacityError, SceneError
from windrow.scene import P2, Box, Cylinder, Grading, Obstacle, Scene, Sphere, Spin


@pytest.fixture
def scene() -> Scene:
    made = Scene(gravity=(0, 0, -9.81))
    made.add_material(
        "sand",
        density=1600,
        friction_static=0.6,
        friction_kinetic=0.5,
        adhesion=0.0,
        stiffness=1e5,
        damping=150.0,
    )
    made.add_material("steel", density=7850, friction_static=0.4)
    return made


def test_the_public_example(scene: Scene) -> None:
    xyz = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]])
    scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand")
    ids = scene.add_particles(position=xyz, velocity=None, radius=0.05, mass=None, material="sand")
    assert ids.tolist() == [0, 1]
    start = scene.initial_particles()
    assert np.array_equal(start["position"], xyz)
    assert start["position"].dtype == np.float64
    assert np.allclose(start["mass"], 1600 * 4 / 3 * math.pi * 0.05**3)
    assert start["material"].tolist() == [0, 0]
    assert not start["pinned"].any()


def test_mass_overrides_density_and_values_may_differ_per_grain(scene: Scene) -> None:
    scene.add_particles(
        [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
        velocity=[1, 2, 3],
        radius=[0.1, 0.2, 0.3],
        mass=[1, 2, 3],
        material="steel",
        pinned=[True, False, False],
    )
    start = scene.initial_particles()
    assert start["mass"].tolist() == [1, 2, 3]
    assert start["radius"].tolist() == [0.1, 0.2, 0.3]
    assert start["velocity"].tolist() == [[1, 2, 3]] * 3
    assert start["pinned"].tolist() == [True, False, False]
    assert start["material"].tolist() == [1, 1, 1]


def test_ids_go_on_after_every_kind_of_source(scene: Scene) -> None:
    block = scene.add_block((0, 0, 0), (0.5, 0.5, 0.5), 0.05, "sand", count=20)
    assert block.kind == "block"
    assert scene.add_particles((0, 0, 3), radius=0.05, material="sand").tolist() == [20]
    assert scene.add_rope((0, 0, 5), (1, 0, 5), 4, "sand").tolist() == [21, 22, 23, 24, 25]
    cloth = scene.add_cloth((0, 0, 7), (1, 0, 0), (0, 1, 0), 3, 4, "sand")
    assert cloth.tolist() == list(range(26, 38))
    start = scene.initial_particles()
    assert len(start["radius"]) == 38
    assert start["position"][20].tolist() == [0, 0, 3]
    assert start["position"][21].tolist() == [0, 0, 5]
    assert start["position"][26].tolist() == [0, 0, 7]


def test_ids_stay_right_when_an_earlier_source_or_the_seed_changes(scene: Scene) -> None:
    block = scene.add_block((0, 0, 0), (1, 1, 1), {"min": 0.05, "max": 0.1}, "sand", packing="random")
    first = scene.add_particles((0, 0, 3), radius=0.05, material="sand")[0]
    assert first > 20
    block.count = 5
    assert scene.add_particles((0, 0, 5), radius=0.05, material="sand").tolist() == [6]
    assert len(scene.initial_particles()["radius"]) == 7


def test_numbering_one_more_grain_does_not_place_the_block_again(scene: Scene, monkeypatch) -> None:
    from windrow.scene import start

    calls = []
    packed = start.packed
    monkeypatch.setattr(start, "packed", lambda *given: calls.append(given) or packed(*given))
    scene.add_block((0, 0, 0), (1, 1, 1), 0.1, "sand")
    for height in range(50):
        scene.add_particles((0, 0, 5 + height), radius=0.05, material="sand")
    assert len(calls) == 1


def test_a_scene_without_grains_gives_empty_arrays() -> None:
    start = Scene().initial_particles()
    assert start["position"].shape == (0, 3)
    assert start["material"].dtype == np.int64
    assert Scene().initial_links()["first"].shape == (0,)


def test_obstacle_builders(scene: Scene) -> None:
    import trimesh

    scene.add_box((0, 0, 1), (1, 2, 3), "steel", rotation_deg=(0, 0, 45), inside=True, name="tub")
    scene.add_sphere((1, 0, 0), 0.5, "steel")
    scene.add_cylinder((2, 0, 0), 0.5, 1.0, "steel", motion=Spin(rate=2.0))
    scene.add_capsule((3, 0, 0), 0.5, 1.0, "steel", motion={"kind": "linear", "velocity": [1, 0, 0]})
    scene.add_cone((4, 0, 0), 0.5, 1.0, "steel", radius_top=0.25)
    scene.add_height_field((2, 3), np.zeros((4, 5)), "sand")
    scene.add_mesh(trimesh.creation.box((1, 1, 1)), "steel", position=(0, 5, 0))
    scene.add_revolution([(1, 0), (1, 1)], "steel", thickness=0.01)
    kinds = [obstacle.shape.kind for obstacle in scene.obstacles]
    assert kinds == ["box", "sphere", "cylinder", "capsule", "cone", "height_field", "mesh", "revolution"]
    assert scene.obstacles[0].inside
    assert scene.obstacles[3].motion.kind == "linear"
    assert scene.obstacles[6].shape.vertices.shape == (8, 3)


def test_open_box_is_a_floor_and_four_walls_that_hold_its_inside(scene: Scene) -> None:
    planes = scene.add_open_box((-1, -2, 0.5), (3, 4, 2), "steel")
    assert [plane.name for plane in planes] == [
        "box floor",
        "box wall -x",
        "box wall +x",
        "box wall -y",
        "box wall +y",
    ]
    middle = np.array([1.0, 1.0, 1.0])
    gaps = [np.dot(plane.shape.normal, middle) - plane.shape.offset for plane in planes]
    assert gaps == [0.5, 2.0, 2.0, 3.0, 3.0]
    with pytest.raises(SceneError, match="taken"):
        scene.add_open_box((-1, -2, 0.5), (3, 4, 2), "steel")
    with pytest.raises(SceneError, match="edge"):
        scene.add_open_box((0, 0, 0), (0, 1, 1), "steel", name="flat")


def test_distance_function_is_sampled_where_it_is_asked(scene: Scene) -> None:
    obstacle = scene.add_distance_function(
        lambda points: np.linalg.norm(points, axis=1) - 0.5, (-1, -1, -1), (1, 1, 1), 0.1, "steel"
    )
    grid = obstacle.shape
    assert grid.values.shape == (21, 21, 21)
    assert grid.values[10, 10, 10] == pytest.approx(-0.5)
    assert grid.values[20, 10, 10] == pytest.approx(0.5)
    assert grid.values[10, 0, 10] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("function", "spacing", "words"),
    [
        (lambda points: points, 0.1, "returned shape"),
        (lambda points: np.full(len(points), np.nan), 0.1, "NaN"),
        (lambda points: points[:, 0], 0.0, "spacing"),
        (lambda points: points[:, 0], 1e-4, "samples"),
    ],
)
def test_bad_distance_functions(scene: Scene, function, spacing, words) -> None:
    with pytest.raises(SceneError, match=words):
        scene.add_distance_function(function, (-1, -1, -1), (1, 1, 1), spacing, "steel")


def test_flow_builders(scene: Scene) -> None:
    scene.add_emitter(Cylinder(radius=0.2, height=0.1), {"min": 0.01, "max": 0.02}, "sand", rate=100.0)
    scene.add_emitter(Sphere(radius=0.3), Grading(radii=[0.1], mass_fractions=[1]), "sand", mass_rate=2.0)
    scene.add_sink(Box(size=(1, 1, 1)), position=(0, 0, -2), name="drain")
    assert scene.emitters[0].radius.max == 0.02
    assert scene.emitters[0].stop == math.inf
    with pytest.raises(SceneError, match="neither is given"):
        scene.add_emitter(Sphere(radius=0.3), 0.1, "sand")
    with pytest.raises(SceneError, match="both are given"):
        scene.add_emitter(Sphere(radius=0.3), 0.1, "sand", rate=1.0, mass_rate=1.0)


def test_unknown_materials_are_named_with_the_nearest(scene: Scene) -> None:
    with pytest.raises(SceneError, match=r"unknown material 'snad'\. Did you mean 'sand'\?"):
        scene.add_plane((0, 0, 1), 0.0, "snad")
    with pytest.raises(SceneError, match="is a soil"):
        scene.add_block((0, 0, 0), (1, 1, 1), 0.1, "loam")
    scene.obstacles.append(Obstacle(shape=Sphere(radius=1), material="stele"))
    with pytest.raises(SceneError, match=r"obstacles\[0\]\.material: unknown material 'stele'"):
        scene.check()


def test_assignments_are_checked_and_errors_are_ours(scene: Scene) -> None:
    with pytest.raises(SceneError, match=r"seed: must be at least 0 \(got -1\)"):
        scene.seed = -1
    with pytest.raises(SceneError, match="did you mean 'gravity'"):
        scene.gravty = (0, 0, 0)
    with pytest.raises(SceneError, match=r"P2: dt: must be at least 1e-07 \(got 0\)"):
        scene.solver = P2(dt=0)
    with pytest.raises(SceneError, match="must be a finite number"):
        P2(dt=math.nan)
    assert scene.seed == 0


def test_capacity_is_a_promise(scene: Scene) -> None:
    scene.add_block((0, 0, 0), (1, 1, 1), 0.1, "sand")
    scene.capacity = 10
    with pytest.raises(CapacityError, match="capacity is 10"):
        scene.initial_particles()


def test_links_refer_to_grains_that_exist(scene: Scene) -> None:
    scene.add_particles([[0, 0, 0], [0, 0, 1]], radius=0.1, material="sand")
    scene.add_link(0, 1)
    scene.add_link(1, 0, length=2.0, stiffness=5.0, damping=1.0)
    links = scene.initial_links()
    assert links["length"].tolist() == [1.0, 2.0]
    assert links["stiffness"].tolist() == [math.inf, 5.0]
    scene.add_link(0, 7)
    with pytest.raises(SceneError, match=r"links\[2\]: grain 7 does not exist"):
        scene.initial_links()
    with pytest.raises(SceneError, match="itself"):
        scene.add_link(1, 1)


def test_missing_mesh_file_is_named(scene: Scene) -> None:
    with pytest.raises(SceneError, match=r"nowhere\.stl"):
        scene.add_mesh("nowhere.stl", "steel")
    with pytest.raises(SceneError, match="vertices and faces"):
        scene.add_mesh(object(), "steel")


def test_every_field_of_the_schema_is_described() -> None:
    schema = Scene.model_json_schema()
    models = [schema, *schema["$defs"].values()]
    bare = [
        f"{model['title']}.{name}"
        for model in models
        for name, field in model.get("properties", {}).items()
        if name not in ("kind", "name") and not field.get("description")
    ]
    assert len(models) > 25
    assert bare == []
    assert schema["additionalProperties"] is False
