"""How `windrow calibrate-soil` measures NDEM."""

from __future__ import annotations

from windrow.scene.settings import NDEM
from windrow.solvers.calibration import CalibrationProtocol

PROTOCOL = CalibrationProtocol(
    solver=NDEM(),
    frictions=(
        (0.02, 14.0),
        (0.05, 17.0),
        (0.1, 21.0),
        (0.15, 25.0),
        (0.2, 30.0),
        (0.25, 35.0),
        (0.3, 40.0),
        (0.4, 48.0),
        (0.5, 55.0),
    ),
    heap_grains=3000,
    settling=70.0,
    bed_height=24.0,
    seeds=6,
    bed_seeds=2,
    cut_heights=(16.0, 20.0, 25.0, 30.0),
    cut_friction=(0.2, 30.0),
    cut_seeds=3,
    text="default settings; heaps of 3,000 to 9,000 grains (radii 0.8 to 1.2 of the mean, 0.05 m) poured onto "
    "rough ground from just above their top, at rest, 6 runs each; beds 24 radii wide and high; vertical cuts "
    "of 16 to 30 radii between smooth sides, 3 runs each",
)
