"""Large arrays in scene files: one line of text instead of millions of numbers."""

from __future__ import annotations

import base64
import re
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FORM = re.compile(r"packed (float32|float64) (\d+)x(\d+) ([A-Za-z0-9+/=]+)")
MOST = 1 << 30
"""Bytes of an unpacked array."""


def packed(array: NDArray[Any]) -> str:
    """An array (n, m) of float32 or float64 as text, to the bit."""
    kind = "float32" if array.dtype == np.float32 else "float64"
    raw = np.ascontiguousarray(array, kind).astype(f"<{np.dtype(kind).str[1:]}").tobytes()
    text = base64.b64encode(zlib.compress(raw, 6)).decode()
    return f"packed {kind} {array.shape[0]}x{array.shape[1]} {text}"


def unpacked(text: str) -> NDArray[Any] | None:
    """The array in a text that `packed` wrote; None: it is another text."""
    if not text.startswith("packed "):
        return None
    form = _FORM.fullmatch(text)
    if form is None:
        raise ValueError("is packed, but not as Windrow writes it; save the scene again")
    kind, shape = np.dtype(form[1]), (int(form[2]), int(form[3]))
    wanted = shape[0] * shape[1] * kind.itemsize
    if wanted > MOST:
        raise ValueError(f"is packed and has {wanted} bytes, more than {MOST}; use fewer cells")
    try:
        reader = zlib.decompressobj()
        raw = reader.decompress(base64.b64decode(form[4]), wanted + 1)
    except (ValueError, zlib.error):
        raise ValueError("is packed, but damaged; save the scene again") from None
    if len(raw) != wanted:
        raise ValueError(f"is packed, but has not the {shape[0]} × {shape[1]} numbers it names; save it again")
    return np.frombuffer(raw, kind.newbyteorder("<")).astype(kind).reshape(shape)
