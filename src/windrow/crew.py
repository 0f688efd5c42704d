"""A crew: threads that go through the loops of a kernel together, and are not sent home between them.

A `prange` sends the threads out and waits until the last is back, and each thread has the part that it was given. A
contact solver has some ninety loops a step, most of them a few microseconds long: then the sending out is what takes
the time, and a thread that the machine held up for a moment holds up all. Members of a crew walk through the same
sequence of loops instead. The pieces of a loop lie in one stretch for each member, who takes its own from the front,
one by one, and when there are none left helps others with theirs. Nobody goes on to the next loop before all pieces of
this one are done.

Who does which piece is a matter of chance, so pieces of one loop must not touch the same memory. Nothing waits for a
member that has not come: one alone does all the work, and one that comes late finds earlier loops done, so that it does
not matter whether the threads really run at the same time. What decides the way through the loops must therefore be
written once, in a loop before, and never again.

    done = 0                                                # pieces of all loops before
    piece = take(board, member, done, begin)                # begin: (members + 1,), where each one's stretch begins
    mine = 0
    while piece >= 0:
        ...
        mine += 1
        piece = take(board, member, done, begin)
    done = wait(board, mine, done + begin[-1] - begin[0])

The board, zero before the first loop, is int64: the pieces done so far, then for each member how far its stretch has
been taken, each in a cache line of its own.
"""

from __future__ import annotations

import platform
import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from windrow.kernel import bare_inner, inner
from windrow.simd import INT64

LINE = 8
"""int64 numbers that no two members write to: a cache line."""
PIECES = 20
"""Bits for the pieces of a stretch that were taken; the others say in which loop."""
PATIENCE = 2000
"""Looks at the board, a few tens of microseconds, after which the processor is offered to others: to the thread that is
waited for, if there are more threads than processors."""

_yield = types.ExternalFunction("SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32())
_X86 = platform.machine().lower() in ("x86_64", "amd64")


def _pointer(b: Any, where: Any) -> Any:
    return b.inttoptr(where, ir.PointerType())


@intrinsic
def _look(context, where):
    """The int64 at an address, and all that was written before it was."""

    def generate(context, b, signature, arguments):
        return b.load_atomic(_pointer(b, arguments[0]), "acquire", 8, typ=INT64)

    return types.int64(types.int64), generate


@intrinsic
def _add(context, where, value):
    """Adds to the int64 at an address; what was written before is there for all who look."""

    def generate(context, b, signature, arguments):
        return b.atomic_rmw("add", _pointer(b, arguments[0]), arguments[1], "acq_rel")

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _replace(context, where, expected, value):
    """Replaces the int64 at an address if it is still as expected; returns whether it was."""

    def generate(context, b, signature, arguments):
        where, expected, value = arguments
        return b.extract_value(b.cmpxchg(_pointer(b, where), expected, value, "acq_rel", "acquire"), 1)

    return types.boolean(types.int64, types.int64, types.int64), generate


@intrinsic
def _pause(context):
    """Tells the processor that this thread waits for another."""

    def generate(context, b, signature, arguments):
        if _X86:
            name, kind = "llvm.x86.sse2.pause", ir.FunctionType(ir.VoidType(), [])
            b.call(b.module.globals.get(name) or ir.Function(b.module, kind, name), [])
        return context.get_dummy_value()

    return types.void(), generate


@bare_inner
def take(board, member, done, begin):
    """A piece of the loop that comes after `done` pieces; −1 if all are taken. board: its address."""
    members = len(begin) - 1
    for further in range(members):
        owner = (member + further) % members
        many = begin[owner + 1] - begin[owner]
        where = board + 8 * LINE * (1 + owner)
        while True:
            known = _look(where)
            loop = known >> PIECES
            taken = known & ((1 << PIECES) - 1) if loop == done else 0
            if loop > done or taken >= many:
                break
            if _replace(where, known, (done << PIECES) | (taken + 1)):
                return begin[owner] + taken
    return -1


@bare_inner
def wait(board, mine, due):
    """Tells that so many pieces were done here, and returns when `due` pieces are done in all."""
    if mine > 0:
        _add(board, mine)
    looks = 0
    while _look(board) < due:
        _pause()
        looks += 1
        if looks > PATIENCE:
            _yield()
    return due


@inner
def board_and_shares(members, pieces):
    """A board (see above), and two shares: of one piece, the first member's; and of so many pieces, in equal parts.

    The board's address is to be taken within the `prange` of the members: an array of which only the address is used
    from then on is freed before they begin.
    """
    alone, even = np.ones(members + 1, np.int64), np.empty(members + 1, np.int64)
    alone[0] = 0
    for member in range(members + 1):
        even[member] = pieces * member // members
    return np.zeros((members + 1) * LINE, np.int64), alone, even
