"""Where curves are kept: a file of the library that the scene package reads."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from windrow import __version__
from windrow.files import write_text
from windrow.scene.calibration import Calibration, calibrations
from windrow.scene.part import Part
from windrow.scene.toml_text import toml_text

HEAD = """\
# Calibration curves: which grain numbers give a soil its bulk numbers, measured with each solver.
# Written by `windrow calibrate-soil --write`, Windrow {version}; do not edit by hand.
"""


def library_file() -> Path:
    """The file with the curves of all solvers."""
    return Path(str(resources.files("windrow.scene").joinpath("library", "calibration.toml")))


def write_calibration(solver: str, calibration: Calibration, path: Path | None = None) -> Path:
    """Puts the curves of one solver into the library, beside those of the others; all or nothing."""
    target = library_file() if path is None else path
    text = calibration_text(calibrations() | {solver: calibration})
    write_text(target, text)
    calibrations.cache_clear()
    return target


def calibration_text(curves: dict[str, Calibration]) -> str:
    """The file's text."""
    data = {name: plain_curves(curves[name]) for name in sorted(curves)}
    return HEAD.format(version=__version__) + "\n" + toml_text(data)


def plain_curves(value: Any) -> Any:
    """Curves as dicts, lists and numbers."""
    if isinstance(value, Part):
        fields = {name: plain_curves(getattr(value, name)) for name in type(value).model_fields}
        return {name: field for name, field in fields.items() if field is not None}
    return value.tolist() if isinstance(value, np.ndarray) else value
