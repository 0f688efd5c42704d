"""Scenes: plain data that says what is simulated. Builders in Python, files in TOML, YAML or JSON."""

from windrow.scene.data import Domain, Source
from windrow.scene.files import (
    built_in_scenes,
    load_scene,
    save_scene,
    scene_from_dict,
    scene_from_json,
    scene_to_dict,
    scene_to_json,
)
from windrow.scene.flow import Emitter, Sink
from windrow.scene.grains import Ball, Block, Column, Grading, Points, RadiusRange, sampled_radii
from windrow.scene.links import Link
from windrow.scene.materials import Material, MaterialPair, PairValues, combine
from windrow.scene.motion import Keyframes, Linear, Motion, Oscillate, Spin, pose_at, rotation_matrix
from windrow.scene.nets import Cloth, Rope, RopeLadder
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.scene.settings import P2, Camera, RunSettings, SolverSettings
from windrow.scene.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    DistanceGrid,
    HeightField,
    Mesh,
    Plane,
    Region,
    Revolution,
    Shape,
    Sphere,
)
from windrow.scene.soils import Soil, soil_named, soils
from windrow.scene.template import TEMPLATE

__all__ = [
    "P2",
    "TEMPLATE",
    "Ball",
    "Block",
    "Box",
    "Camera",
    "Capsule",
    "Cloth",
    "Column",
    "Cone",
    "Cylinder",
    "DistanceGrid",
    "Domain",
    "Emitter",
    "Grading",
    "HeightField",
    "Keyframes",
    "Linear",
    "Link",
    "Material",
    "MaterialPair",
    "Mesh",
    "Motion",
    "Obstacle",
    "Oscillate",
    "PairValues",
    "Plane",
    "Points",
    "RadiusRange",
    "Region",
    "Revolution",
    "Rope",
    "RopeLadder",
    "RunSettings",
    "Scene",
    "Shape",
    "Sink",
    "Soil",
    "SolverSettings",
    "Source",
    "Sphere",
    "Spin",
    "built_in_scenes",
    "combine",
    "load_scene",
    "pose_at",
    "rotation_matrix",
    "sampled_radii",
    "save_scene",
    "scene_from_dict",
    "scene_from_json",
    "scene_to_dict",
    "scene_to_json",
    "soil_named",
    "soils",
]
