"""Memory for arrays."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.state.room import LINE, room


@pytest.mark.parametrize("shape", [0, 7, (5, 17, 8), (1000, 4)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.int64])
def test_room_is_zero_and_begins_with_a_cache_line(shape: int | tuple[int, ...], dtype: type) -> None:
    array = room(shape, dtype)
    assert array.shape == np.zeros(shape).shape
    assert array.dtype == dtype
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert not array.any()
    assert array.size == 0 or array.ctypes.data % LINE == 0
