"""The error of a measurement that has nothing to measure."""

from __future__ import annotations

from windrow.errors import WindrowError


class MeasurementError(WindrowError):
    """The grains do not have what was to be measured; the message says what is missing."""
