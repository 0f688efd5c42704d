"""Teams: every piece of every loop is done once, after all of the loops before, whoever comes when."""

from __future__ import annotations

import multiprocessing
import threading
import time

import numpy as np
import pytest

from windrow import team as teams
from windrow.kernel import kernel
from windrow.team import TEAM, deal, deal_stretches, parallel, parallel_counted

PIECES, LOOPS = 37, 200


@parallel
def work(team, loops, begin, times, before, sums):
    """Each loop adds 1 to all pieces; then one piece of work notes the sum, which must be whole by then.

    before[piece]: the sum that was noted last when the piece was done.
    """
    for loop in range(loops):
        if loop % 2:
            for piece in deal(team, len(times)):
                times[piece] += 1
                before[piece] = sums[loop - 1]
        else:
            for piece in deal_stretches(team, begin):
                times[piece] += 1
                before[piece] = sums[loop - 1] if loop > 0 else 0
        for _ in deal(team, 1):
            sums[loop] = times.sum()


@parallel
def call_another(team, loops, begin, times, before, sums):
    for _ in deal(team, 0):
        sums[:] = -1
    work(team, loops, begin, times, before, sums)


@kernel
def one_after_another(board, order, loops, begin, times, before, sums):
    for member in order:
        work(teams._record(board, member), loops, begin, times, before, sums)


@parallel
def hold_up(team, pieces, looks, out):
    """One long piece, and short ones."""
    for piece in deal(team, pieces):
        for _ in range(looks if piece == 0 else 1):
            out[piece] = np.sqrt(out[piece] + 1.0)


@parallel_counted
def fails(team, x):
    for piece in deal(team, 4):
        x[piece] = np.zeros(x[4])[0]


@pytest.fixture(autouse=True)
def members():
    before = TEAM.members
    yield
    TEAM.use(before)


def _records(stretches: int = 3) -> tuple[np.ndarray, ...]:
    begin = PIECES * np.arange(stretches + 1) // stretches
    return begin, *(np.zeros(n, np.int64) for n in (PIECES, PIECES, LOOPS))


def _complete(times: np.ndarray, before: np.ndarray, sums: np.ndarray) -> None:
    assert (times == LOOPS).all()
    assert np.array_equal(sums, PIECES * np.arange(1, LOOPS + 1))
    assert (before == PIECES * (LOOPS - 1)).all()


@pytest.mark.parametrize("many", [1, 2, 3, 8])
@pytest.mark.parametrize("kernel_", [work, call_another])
def test_threads_do_every_piece_once_and_in_order(many: int, kernel_) -> None:
    """Also more members than processors: then some come when all is done."""
    TEAM.use(many)
    for _ in range(20):
        begin, *records = _records()
        kernel_(LOOPS, begin, *records)
        _complete(*records)


@pytest.mark.parametrize("order", [[0], [0, 1], [1, 0], [2, 0, 1]])
def test_nobody_waits_for_a_member_that_has_not_come(order: list[int]) -> None:
    board = np.zeros(teams.WORDS, np.int64)
    board[teams.MEMBERS] = len(order)
    begin, *records = _records(len(order))
    one_after_another(board.ctypes.data, np.array(order), LOOPS, begin, *records)
    _complete(*records)


def test_two_threads_of_python_may_run_kernels_at_once() -> None:
    TEAM.use(2)
    made = [_records() for _ in range(4)]
    threads = [threading.Thread(target=work, args=(LOOPS, *records)) for records in made for _ in range(1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _, *records in made:
        _complete(*records)


def test_members_that_wait_sleep() -> None:
    """Three that wait for a fourth take little of the processor's time: what one thread alone needs, and some looks."""
    out = np.zeros(4)
    hold_up(4, 1, out)
    looks = 30_000_000

    def processor_seconds(many: int) -> float:
        TEAM.use(many)
        begin = time.process_time()
        hold_up(4, looks, out)
        return time.process_time() - begin

    assert processor_seconds(4) < 1.5 * processor_seconds(1) + 0.02


def test_workers_without_a_job_sleep() -> None:
    TEAM.use(4)
    hold_up(4, 1, np.zeros(4))
    time.sleep(0.1)
    begin = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - begin < 0.1


def _child(queue) -> None:
    begin, *records = _records()
    TEAM.use(2)
    work(LOOPS, begin, *records)
    queue.put(int(records[0].sum()))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_kernels_run_in_a_forked_process() -> None:
    TEAM.use(2)
    begin, *records = _records()
    work(LOOPS, begin, *records)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == PIECES * LOOPS
    child.join()
    work(LOOPS, begin, *(r * 0 for r in records))


def test_a_member_that_fails_is_told() -> None:
    TEAM.use(2)
    with pytest.raises(RuntimeError, match="fails"):
        fails(np.array([0, 0, 0, 0, -1]))
    fails(np.array([0, 0, 0, 0, 3]))
