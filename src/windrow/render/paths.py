"""A camera that moves: places at some times, and a smooth way between them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.scene.settings import Camera


@dataclass(frozen=True)
class CameraPath:
    """Eye, target and field of view over time, as cubics that go through all places without a jerk (Catmull–Rom)."""

    times: NDArray[np.float64]
    """(k,) s, growing"""
    values: NDArray[np.float64]
    """(k, 7) eye, target, field of view, °"""

    def at(self, time: float) -> Camera:
        """The camera at a time, s; before the first and after the last it stands still."""
        t, v = self.times, self.values
        if len(t) == 1 or time <= t[0]:
            return _camera(v[0])
        if time >= t[-1]:
            return _camera(v[-1])
        k = int(np.searchsorted(t, time, side="right")) - 1
        span = t[k + 1] - t[k]
        s = (time - t[k]) / span
        m0, m1 = self._slope(k) * span, self._slope(k + 1) * span
        a, b = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), s * (1.0 - s) * (1.0 - s)
        c, d = s * s * (3.0 - 2.0 * s), s * s * (s - 1.0)
        return _camera(a * v[k] + b * m0 + c * v[k + 1] + d * m1)

    def _slope(self, k: int) -> NDArray[np.float64]:
        """Change per second at a place: none at both ends, where the camera stands."""
        if k in (0, len(self.times) - 1):
            return np.zeros(7)
        return np.asarray((self.values[k + 1] - self.values[k - 1]) / (self.times[k + 1] - self.times[k - 1]))


def _camera(values: NDArray[np.float64]) -> Camera:
    eye, target, angle = values[:3].tolist(), values[3:6].tolist(), float(values[6])
    return Camera.model_validate({"eye": eye, "target": target, "field_of_view_deg": angle})


def read_camera_path(path: str | Path) -> CameraPath:
    """From a TOML file with a table [[camera]] for each place: time, eye, target, and field_of_view_deg if not 35."""
    path = Path(path)
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8")).get("camera", [])
    except OSError as error:
        raise SceneError(f"{path}: cannot be read ({error.strerror}); check the name") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SceneError(f"{path}: is no TOML file ({error})") from None
    if not isinstance(tables, list) or not tables:
        raise SceneError(f"{path}: write a table [[camera]] for each place, with time, eye and target")
    times, values = [], []
    for number, table in enumerate(tables):
        where = f"{path}: camera[{number}]"
        if not isinstance(table, dict) or not isinstance(table.get("time"), int | float):
            raise SceneError(f"{where}.time: a number is needed, s")
        try:
            camera = Camera.model_validate({key: value for key, value in table.items() if key != "time"})
        except SceneError as error:
            raise SceneError(f"{where}: {error}") from None
        times.append(float(table["time"]))
        values.append([*camera.eye, *camera.target, camera.field_of_view_deg])
    if not (np.diff(times) > 0).all() or not np.isfinite(times).all():
        raise SceneError(f"{path}: camera.time must grow from table to table")
    return CameraPath(np.array(times), np.array(values, np.float64))
