"""What a scene prepares before its first step has the same bits whatever the processor offers.

Each setting runs in a process of its own, in which NumPy, BLAS and the C library take this processor for an older one.
"""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

from windrow import Scene, Simulation, load_scene
from windrow.scene import Task, Zone
from windrow.scene.files import built_in_scenes
from windrow.scene.shapes import Capsule, Cone, Cylinder, Sphere
from windrow.view.description import description_of

SETTINGS = {
    "as it is": {},
    "without AVX-512": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
        "OPENBLAS_CORETYPE": "Haswell",
    },
    "without FMA and AVX2": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"
        " X86_V3 AVX2 FMA3",
        "OPENBLAS_CORETYPE": "Sandybridge",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
    },
}
"""Names that a release of NumPy does not know are no error."""


def one_of_everything() -> Scene:
    """Shapes, motions, packings and gradings that no built-in scene has."""
    scene = Scene(title="everything", seed=5)
    scene.add_material("gravel", density=2650.0, internal_friction_deg=37.0)
    grading = {"radii": [0.01, 0.02, 0.035], "mass_fractions": [0.3, 0.4, 0.3]}
    scene.add_ball((0, 0, 3), 0.4, grading, "gravel", packing="hexagonal", jitter=0.04)
    scene.add_block((2, 0, 3), (0.4, 0.4, 0.4), grading, "gravel", packing="random")
    turned = {"rotation_deg": (20.0, 31.0, -47.0)}
    scene.add_plane((1, 2, 9), 0.1, "gravel")
    scene.add_obstacle(Cone(radius=0.5, radius_top=0.2, height=0.7), "gravel", position=(-4, 0, 1), **turned)
    scene.add_obstacle(Capsule(radius=0.3, height=0.7), "gravel", position=(-6, 0, 1), **turned)
    scene.add_revolution([(0.9, 1.0), (0.2, 0.1), (0.3, -0.4)], "gravel", thickness=0.07, position=(-8, 0, 1))
    for k, motion in enumerate(
        (
            {"kind": "spin", "axis": (1, 2, 3), "rate": 3.3, "center": (0.1, 0.2, 0.3)},
            {"kind": "oscillate", "direction": (3, 1, 2), "amplitude": 0.3, "frequency": 1.7, "phase": 0.4},
        )
    ):
        scene.add_obstacle(
            Cylinder(radius=0.3, height=0.7), "gravel", position=(-10 - k, 0, 1), motion=motion
        )
    scene.add_distance_function(
        lambda p: np.sqrt((p * p).sum(axis=1)) - 0.4,
        (-0.6,) * 3,
        (0.6,) * 3,
        0.1,
        "gravel",
        position=(-14, 0, 1),
    )
    corners = np.array([[0, 0, 0], [0.7, 0.1, 0], [0.2, 0.9, 0.1], [0.3, 0.4, 0.8]])
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    wedge = {"kind": "mesh", "vertices": corners, "faces": faces}
    balls = {"kind": "spheres", "centers": [[0, 0, 0], [0.25, 0, 0.1]], "radii": [0.25, 0.2]}
    shapes = [Cone(radius=0.5, height=0.7), Capsule(radius=0.2, height=0.3), Sphere(radius=0.3), wedge, balls]
    for k, shape in enumerate(shapes):
        piece = {"shape": shape, "position": (0.1, 0.2, 0.3), **turned}
        scene.add_body(f"body {k}", "gravel", shapes=[piece], position=(3.0 + 2 * k, 5.0, 2.0), **turned)
    scene.add_body("all", "gravel", shapes=shapes[:3], position=(1.0, 9.0, 2.0))
    scene.task = Task(
        title="", text="", target=1.0, destination=Zone(lower=(-1, -1, 0), upper=(1, 1, 1)), time_limit=60.0
    )
    return scene


def arrays_in(thing: Any, name: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All arrays, numbers and texts in tables, tuples and lists of such, with their names."""
    if is_dataclass(thing):
        for field in fields(thing):
            yield from arrays_in(getattr(thing, field.name), f"{name}.{field.name}")
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from arrays_in(value, f"{name}.{key}")
    elif isinstance(thing, tuple | list):
        for key, value in zip(getattr(thing, "_fields", range(len(thing))), thing, strict=True):
            yield from arrays_in(value, f"{name}.{key}")
    elif isinstance(thing, np.ndarray | int | float | str | bytes):
        yield name, np.asarray(thing)


def prepared(scene: Scene) -> dict[str, Any]:
    """All that is computed outside of kernels before the first step, and the poses of some later times."""
    simulation = Simulation(scene, threads=1)
    described = description_of(simulation.scene, simulation.frame(), 1, "live", simulation.controls)
    found: dict[str, Any] = {
        "grains": simulation.assembled.initial_particles(),
        "state": simulation.state.snapshot(),
        "model": simulation.model,
        "poses": [simulation.model.poses(time) for time in (0.0, 0.1, 3.7, 1234.5)],
        "description": described.text,
        "meshes": described.geometry,
    }
    if simulation.bodies is not None:
        bodies = simulation.bodies
        found |= {
            "bodies": bodies.bodies,
            "joints": bodies.joints,
            "parts": bodies.parts,
            "motion": bodies.motion,
        }
    return found


def by_processor() -> list[np.ndarray]:
    """What may differ from setting to setting."""
    x = np.linspace(0.1, 3.0, 1001)
    m = np.outer(x[:40], x[:40]) + np.diag(x[:40])
    library = np.array([math.pow(v, 1.7) + math.sin(v) + math.exp(v) for v in x])
    return [np.sin(x), np.exp(x), x**1.7, np.array(x @ x), m @ m, np.linalg.inv(m), library]


def told() -> str:
    lines = [f"by processor {hashlib.sha256(b''.join(a.tobytes() for a in by_processor())).hexdigest()}"]
    scenes = {"everything": one_of_everything()} | {name: load_scene(name) for name in built_in_scenes()}
    for title, scene in scenes.items():
        for part, thing in prepared(scene).items():
            for name, array in arrays_in(thing, part):
                lines.append(f"{title}: {name} {array.dtype} {hashlib.sha256(array.tobytes()).hexdigest()}")
    return "\n".join(lines)


def test_what_is_prepared_does_not_depend_on_the_processor() -> None:
    answers = {}
    for setting, more in SETTINGS.items():
        done = subprocess.run(
            [sys.executable, "-W", "ignore", __file__],
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{setting}: {done.stderr}"
        answers[setting] = done.stdout.splitlines()
    (varying, *expected) = answers["as it is"]
    for setting, (_, *lines) in answers.items():
        differing = [line for line, other in zip(expected, lines, strict=True) if line != other]
        assert not differing, f"{setting}: {len(differing)} differ, first {differing[:5]}"
    assert len(expected) > 1000
    if all(lines[0] == varying for lines in answers.values()):
        pytest.skip("this processor offers one way only")


if __name__ == "__main__":
    print(told())
