"""A film and stills of a recording: coloured by speed, from a camera of one's own.

    python examples/11_film.py            writes out/collapse.mp4 and out/collapse_stills.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import windrow as wr
from windrow.render.picture import draw, save_picture
from windrow.render.video import write_video
from windrow.scene import Camera

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the film")
parser.add_argument("--quick", action="store_true", help="a few small frames")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)
file, size = options.out / "collapse.h5", (160, 90) if options.quick else (640, 360)

scene = wr.load_scene("column_collapse")
wr.Simulation(scene).run(seconds=0.2 if options.quick else 1.6, record=file, frame_rate=30)

camera = Camera(eye=(1.9, -2.6, 1.3), target=(0.0, 0.0, 0.25))
with wr.Recording(file) as recording:
    count = write_video(
        recording, scene, options.out / "collapse.mp4", fps=30, size=size, camera=camera, color_by="speed"
    )
    print(f"{count} frames in collapse.mp4")
    moments = [recording.frame_at(share * recording.times[-1]) for share in (0.0, 0.2, 0.5, 1.0)]
stills = [
    draw(frame, scene, camera, (size[0] * 3 // 4, size[1] * 3 // 4), "speed", limits=(0.0, 2.0))
    for frame in moments
]
rows = [np.concatenate(stills[:2], axis=1), np.concatenate(stills[2:], axis=1)]
save_picture(options.out / "collapse_stills.png", np.concatenate(rows))
