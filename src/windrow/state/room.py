"""Memory that is there when it is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def room(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Zeros whose memory the machine has given already.

    `np.zeros` only promises it, and a page that is first written to within a step takes as long as a hundred contacts.
    """
    array = np.empty(shape, dtype)
    array.fill(0)
    return array
