"""How `windrow calibrate-soil` measures P²."""

from __future__ import annotations

from windrow.scene.settings import P2
from windrow.solvers.calibration import CalibrationProtocol

PROTOCOL = CalibrationProtocol(
    solver=P2(),
    frictions=(
        (0.1, 22.0),
        (0.15, 25.0),
        (0.2, 28.0),
        (0.3, 33.0),
        (0.4, 40.0),
        (0.5, 45.0),
        (0.6, 50.0),
    ),
    heap_grains=1500,
    settling=28.0,
    bed_height=12.0,
    seeds=6,
    bed_seeds=2,
    cut_heights=(),
    cut_friction=(0.3, 33.0),
    cut_seeds=0,
    text="default settings; heaps of 1,500 grains (radii 0.8 to 1.2 of the mean, 0.05 m) poured onto rough ground "
    "from just above their top, measured 2 s after the last grain, 6 runs each: P² never quite rests, and "
    "such heaps lose some 3° in the next second; beds 24 radii wide and 12 high; no adhesion holds a vertical cut",
)
