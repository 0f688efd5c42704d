"""How `windrow calibrate-soil` measures DEM: friction and rolling friction grow together.

Rolling friction is twice the friction: its torque is then at most friction times the radius times the load, as if a
grain stood on an edge. With as much as the friction, heaps end below the 38° of gravel.
"""

from __future__ import annotations

from windrow.scene.settings import DEM
from windrow.solvers.calibration import CalibrationProtocol

PROTOCOL = CalibrationProtocol(
    solver=DEM(dt=1 / 120, substeps=None),
    frictions=((0.1, 16.0), (0.2, 24.0), (0.35, 31.0), (0.6, 36.0), (1.0, 39.0)),
    heap_grains=1500,
    settling=70.0,
    bed_height=18.0,
    seeds=3,
    bed_seeds=1,
    cut_heights=(16.0, 22.0),
    cut_friction=(0.35, 31.0),
    cut_seeds=2,
    rolling=2.0,
    text="linear contacts, stiffness and damping as they are by default, rolling friction twice the friction; heaps of "
    "1,500 to 4,500 grains (radii 0.8 to 1.2 of the mean, 0.05 m) poured onto rough ground from just above their top, "
    "at rest, 3 runs each; beds 24 radii wide and 18 high; vertical cuts of 16 and 22 radii between smooth sides, 2 "
    "runs each",
)
