"""What only some machines carry from step to step: valves and loads of pumps, soil that tracks have sheared."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.solvers.multibody.joints import Joints
from windrow.state.form import Array, Form

OIL_FORM: Form = {
    "valve": Array(np.float64, ("controls",), low=-1.0, below=1.0 + 1e-9),
    "oil_load": Array(np.float64, ("oil drives",), low=0.0),
}
TRACK_FORM: Form = {
    "track_shear": Array(np.float64, ("footprints", 2), low=-1.0 - 1e-9, below=1.0 + 1e-9),
    "track_load": Array(np.float64, ("footprints",), low=0.0),
}


def carried_by(joints: Joints) -> dict[str, NDArray[Any]]:
    """Arrays that a step changes, by name; none for machines without such parts."""
    oil = joints.hydraulics
    has_oil = len(oil.axial) > 0 or bool(oil.lever[:, 2].any())
    tracks = joints.tracks
    carried: dict[str, NDArray[Any]] = {"valve": oil.valve, "oil_load": oil.load} if has_oil else {}
    return carried | ({"track_shear": tracks.shear, "track_load": tracks.load} if len(tracks.load) else {})


def form_of(joints: Joints) -> Form:
    """What `carried_by` gives must be."""
    known = {**OIL_FORM, **TRACK_FORM}
    return {name: known[name] for name in carried_by(joints)}
