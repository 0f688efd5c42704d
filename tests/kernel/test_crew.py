"""Crews: every piece of every loop is done once, after all of the loops before, whoever comes when."""

from __future__ import annotations

import numpy as np
import pytest

from windrow.crew import board_and_shares, take, wait
from windrow.kernel import bare_kernel, kernel, kernel_parallel, prange, use_threads

PIECES, LOOPS = 37, 200


@bare_kernel
def work(board, member, begin, alone, loops, times, before, sums, helped):
    """Each loop adds 1 to all pieces; then one piece of work notes the sum, which must be whole by then.

    before[piece]: the sum that was noted last when the piece was done. helped[member]: pieces done for others.
    """
    done = 0
    for loop in range(loops):
        mine = 0
        piece = take(board, member, done, begin)
        while piece >= 0:
            times[piece] += 1
            before[piece] = sums[loop - 1] if loop > 0 else 0
            if piece < begin[member] or piece >= begin[member + 1]:
                helped[member] += 1
            mine += 1
            piece = take(board, member, done, begin)
        done = wait(board, mine, done + begin[-1])
        mine = 0
        if take(board, member, done, alone) >= 0:
            mine = 1
            sums[loop] = times.sum()
        done = wait(board, mine, done + 1)


@kernel_parallel
def together(members, pieces, loops, times, before, sums, helped):
    board, alone, begin = board_and_shares(members, pieces)
    at = board.ctypes.data
    for member in prange(members):
        work(at, member, begin, alone, loops, times, before, sums, helped)


@kernel
def one_after_another(order, pieces, loops, times, before, sums, helped):
    board, alone, begin = board_and_shares(len(order), pieces)
    for member in order:
        work(board.ctypes.data, member, begin, alone, loops, times, before, sums, helped)


def _records() -> tuple[np.ndarray, ...]:
    return tuple(np.zeros(n, np.int64) for n in (PIECES, PIECES, LOOPS, 8))


def _complete(times: np.ndarray, before: np.ndarray, sums: np.ndarray) -> None:
    assert (times == LOOPS).all()
    assert np.array_equal(sums, PIECES * np.arange(1, LOOPS + 1))
    assert (before == PIECES * (LOOPS - 1)).all()


@pytest.mark.parametrize("members", [1, 2, 3, 8])
def test_threads_do_every_piece_once_and_in_order(members: int) -> None:
    """Also more members than threads: then some come when all is done."""
    use_threads(min(members, 2))
    for _ in range(20):
        times, before, sums, helped = _records()
        together(members, PIECES, LOOPS, times, before, sums, helped)
        _complete(times, before, sums)


@pytest.mark.parametrize("order", [[0], [0, 1], [1, 0], [2, 0, 1]])
def test_nobody_waits_for_a_member_that_has_not_come(order: list[int]) -> None:
    times, before, sums, helped = _records()
    one_after_another(np.array(order), PIECES, LOOPS, times, before, sums, helped)
    _complete(times, before, sums)
    own = PIECES * (order[0] + 1) // len(order) - PIECES * order[0] // len(order)
    assert helped[order[0]] == LOOPS * (PIECES - own)
    assert helped.sum() == helped[order[0]]
