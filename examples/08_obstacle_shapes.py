"""Every kind of obstacle under a shower of grains: primitives, height field, mesh, turned shell, distance function.

    python examples/08_obstacle_shapes.py writes out/obstacles.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import trimesh

import windrow as wr
from windrow.render.picture import draw, save_picture
from windrow.scene import Box, Camera, Spin

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the picture")
parser.add_argument("--quick", action="store_true", help="a few steps only")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.Scene(title="Obstacles", description="One of every kind")
scene.add_material("sand", soil="dry_sand")
scene.add_material("steel", density=7850, friction_static=0.4, friction_kinetic=0.3, color=(0.45, 0.47, 0.5))
scene.add_plane(normal=(0, 0, 1), offset=0.0, material="sand", name="ground")

# Front row: the primitives. Axes point along z until rotation_deg (a rotation vector, in degrees) turns them.
scene.add_box((-1.6, -0.6, 0.2), (0.4, 0.4, 0.4), "steel", rotation_deg=(0, 0, 30))
scene.add_sphere((-0.8, -0.6, 0.25), 0.25, "steel")
scene.add_cylinder((0.0, -0.6, 0.2), 0.2, 0.5, "steel", rotation_deg=(90, 0, 0))
scene.add_capsule((0.8, -0.6, 0.15), 0.15, 0.35, "steel", rotation_deg=(0, 90, 0))
scene.add_cone((1.6, -0.6, 0.0), 0.28, 0.5, "steel", radius_top=0.05)

# Back row: anything else.
x, y = np.meshgrid(np.linspace(-1, 1, 25), np.linspace(-1, 1, 25), indexing="ij")
hills = 0.16 + 0.1 * np.cos(4 * x) * np.cos(4 * y)
scene.add_height_field((0.7, 0.7), hills, "steel", position=(-1.6, 0.4, 0.0))
scene.add_mesh(trimesh.creation.torus(0.22, 0.09), "steel", position=(-0.8, 0.4, 0.1))
funnel = [(0.35, 0.55), (0.08, 0.3), (0.08, 0.2)]  # (r, z) of the line that is turned
scene.add_revolution(funnel, "steel", thickness=0.01, position=(0.0, 0.4, 0.0))


def egg_box(points: np.ndarray) -> np.ndarray:
    """Signed distance, negative inside: a gyroid cut to a ball."""
    px, py, pz = 14.0 * points.T
    gyroid = np.abs(np.sin(px) * np.cos(py) + np.sin(py) * np.cos(pz) + np.sin(pz) * np.cos(px)) / 20.0 - 0.015
    return np.maximum(gyroid, np.linalg.norm(points, axis=1) - 0.3)


scene.add_distance_function(egg_box, (-0.35,) * 3, (0.35,) * 3, 0.0125, "steel", position=(0.8, 0.4, 0.3))
scene.add_box((1.6, 0.4, 0.25), (0.7, 0.04, 0.25), "steel", motion=Spin(axis=(0, 0, 1), rate=4.0), name="rotor")

scene.add_emitter(
    Box(size=(4.0, 1.8, 0.4)), {"min": 0.022, "max": 0.028}, "sand",
    position=(0, -0.1, 1.6), rate=1500.0, count=3000, velocity=(0, 0, -1), velocity_spread=0.2,
)  # fmt: skip
scene.solver = wr.P2(iterations=10)
scene.run.camera = Camera(eye=(0.6, -3.6, 2.5), target=(0.0, -0.1, 0.2))

sim = wr.Simulation(scene)
sim.run(seconds=0.1 if options.quick else 2.4)
size = (320, 180) if options.quick else (960, 540)
save_picture(options.out / "obstacles.png", draw(sim.frame(), scene, size=size))
print(f"{len(sim.particles)} grains on {len(scene.obstacles)} obstacles; forces in N:")
for name in ("ground", "rotor"):
    print(f"  {name}: {np.round(sim.body(name)[0], 1)}")
