"""Fine grains on a coarse run: a ball of sand hits the ground, 300,000 grains on 3,000 particles.

    python examples/22_detail.py            writes out/detail_splash.png and out/detail_splash.mp4
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.detail.looks import Looks
from windrow.render.fine import film_detail, stage_of
from windrow.render.picture import draw, save_picture
from windrow.scene import Camera

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for pictures and film")
parser.add_argument("--quick", action="store_true", help="few particles, few grains, few frames")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)
d, grains, seconds = (0.08, 8_000, 0.1) if options.quick else (0.04, 300_000, 0.8)
size = (160, 90) if options.quick else (560, 315)

scene = wr.Scene(title="A ball of sand")
scene.add_material("sand", soil="dry_sand")
scene.add_plane((0, 0, 1), 0.0, "sand")
grid = np.arange(-0.36, 0.37, d)
ball = np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), axis=-1).reshape(-1, 3)
ball = ball[np.square(ball).sum(axis=1) < 0.36 * 0.36] + [0.0, 0.0, 0.42]
scene.add_particles(ball.tolist(), radius=0.5 * d, material="sand", velocity=(1.0, 0.0, -3.0))
scene.solver = wr.SPH()
run, fine = options.out / "detail_splash.h5", options.out / "detail_splash.fine"
wr.Simulation(scene).run(seconds=seconds, record=run, frame_rate=50)

sand, dark = (0.87, 0.74, 0.52), (0.45, 0.36, 0.28)
looks = Looks(sizes=(0.5, 0.8, 1.0, 1.2, 1.6), colors=((sand, 0.9), (dark, 0.1)))
camera = Camera(eye=(2.1, -2.7, 1.2), target=(0.35, 0.0, 0.15))
with wr.Recording(run) as recording, wr.detail(recording, grains, out=fine, looks=looks, force=True) as made:
    size_mb = fine.stat().st_size / 1e6
    print(f"{len(ball)} particles, {made[-1].there} fine grains, {len(made)} frames, {size_mb:.1f} MB")
    stage, rows = stage_of(made), []
    for share in (0.15, 0.35, 1.0):
        k = round(share * (len(made) - 1))
        coarse = draw(recording[k], recording.scene, camera, size)
        rows.append(np.concatenate([coarse, stage.draw(made[k], camera, size)], axis=1))
    save_picture(options.out / "detail_splash.png", np.concatenate(rows))
    film_detail(made, options.out / "detail_splash.mp4", 25.0, size, camera=camera)
