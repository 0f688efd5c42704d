"""What this machine can do at most: memory traffic and fused multiply-adds, by threads."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numba import types
from numba.extending import intrinsic

from windrow import simd
from windrow.team import TEAM, deal, parallel

CHAINS = 12
"""Independent sums kept in registers, enough to hide the latency of a multiply-add."""


@parallel
def _triad(team, a, b, c, parts):
    n = len(a) // parts
    half = np.float32(0.5)
    for part in deal(team, parts):
        for i in range(part * n, part * n + n):
            a[i] = b[i] + half * c[i]


@intrinsic
def _multiply_add(context, count, out):
    """`count` rounds of CHAINS vector multiply-adds; the result goes to address `out` so that it is computed."""

    def generate(context, b, signature, arguments):
        count, out = arguments
        slots = [simd.Sum(b) for _ in range(CHAINS)]
        factor = simd.Lanes(b, simd.load(b, out, simd.VECTOR))
        with simd.loop(b, count):
            for slot in slots:
                now = simd.Lanes(b, slot.total)
                slot.replace(now * factor + 1e-4)
        total = simd.Lanes(b, slots[0].total)
        for slot in slots[1:]:
            total = total + simd.Lanes(b, slot.total)
        simd.store(b, total.v, out)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@parallel
def _spin(team, rounds, out, parts):
    at = out.ctypes.data
    for part in deal(team, parts):
        _multiply_add(rounds, at + 256 * part)


def _best(repeat: int, work) -> float:
    work()
    times = []
    for _ in range(repeat):
        begin = perf_counter()
        work()
        times.append(perf_counter() - begin)
    return min(times)


def memory_bandwidth(threads: int) -> float:
    """GB/s of a + b → c over arrays far larger than any cache (two reads, one write)."""
    n = 3 * 2**25
    a, b, c = (np.ones(n, np.float32) for _ in range(3))
    TEAM.use(threads)
    return 12.0 * n / _best(4, lambda: _triad(a, b, c, threads)) / 1e9


def fma_peak(threads: int) -> float:
    """Single-precision GFLOP/s of vector multiply-adds in registers (two operations each)."""
    out = np.full((threads, 64), 0.999, np.float32)
    rounds = 2_000_000
    TEAM.use(threads)

    def work() -> None:
        out[:] = 0.999
        _spin(rounds, out, threads)

    operations = 2.0 * simd.WIDTH * CHAINS * rounds * threads
    return operations / _best(4, work) / 1e9


__all__ = ["fma_peak", "memory_bandwidth"]
