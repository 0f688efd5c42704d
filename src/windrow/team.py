"""A team of threads that goes through the loops of a kernel together.

A parallel kernel is run by every member of the team from its first line to its last. What they share are its loops:

    @parallel
    def double(team, x):
        for piece in deal(team, 8):
            for i in range(piece * len(x) // 8, (piece + 1) * len(x) // 8):
                x[i] *= 2.0

    double(x)           # Python leaves out the team

`deal` deals out the pieces of a loop and returns when all of them are done, whoever did them. The pieces lie in one
stretch for each member, which takes its own from the front, one by one, and helps others when it has none left.

Which member does which piece is a matter of chance, so three rules keep the result the same for any number of threads:

* pieces of one loop must not touch the same memory;
* what is not in a `deal` loop is done by every member, so it must not write to shared arrays; work for one member
  is a loop of one piece;
* what decides the way through the loops is written in a loop before, and never again: a member that comes late goes
  through loops that are done already, and must take the same way.

Nothing waits for a member that has not come: one alone does all the work. A thread that waits looks for a short while
and then sleeps (futex on Linux, short naps elsewhere), so that it takes no processor from the one it waits for. A
kernel that finds the team busy with another thread's kernel does its work alone.

Rejected: Numba's `prange`. Its launch waits for every thread, OpenMP's threads spin while another program holds the
one they wait for (a step of 3 ms took 107 ms beside one busy process), they do not survive a fork, they take no
nested tuples, and a `prange` doubles a kernel's compile time.

The board, int64 words; what different threads write lies in different cache lines:
"""

from __future__ import annotations

import os
import platform
import sys
import threading
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, typeof_impl

from windrow.kernel import bare_inner, generator, inner, kernel
from windrow.simd import INT64

LINE = 8
"""words of a cache line"""
JOB, BODY, BUSY, INSIDE, SLEEPERS, DONE, WAITERS, MEMBERS = (LINE * k for k in range(8))
"""number of the present job; its function and, in the next word, its data; whether there is a job; OPEN while workers
may enter, plus those inside; workers asleep; pieces done; members asleep in the middle of a job; members of the team"""
FAILED = MEMBERS + 1
"""whether a member's function has raised an exception"""
STRETCHES = 8 * LINE
"""a line for each member: how far its stretch has been taken, and its record"""
RECORD = 1
"""a member's record within its line: address of the board, number of the member, pieces done in all loops before"""
OPEN = 1 << 20
MOST_MEMBERS = 32
WORDS = STRETCHES + LINE * MOST_MEMBERS
PIECES = 28
"""bits for the pieces of a stretch that were taken; the others say in which loop"""
PATIENCE = 1500
"""looks, some tens of microseconds, after which a member that waits for others sleeps"""
IDLE_PATIENCE = 6000
"""looks after which a worker without a job sleeps: longer than what lies between two kernels of a step"""

_X86 = platform.machine().lower() in ("x86_64", "amd64")
_FUTEX = {"x86_64": 202, "amd64": 202, "aarch64": 98, "arm64": 98}.get(platform.machine().lower(), 0)
_LINUX = sys.platform == "linux" and _FUTEX > 0
_FUTEX_WAIT, _FUTEX_WAKE, _EVERYBODY = 128, 129, 1 << 30
_NAP = 50
"""microseconds"""

if _LINUX:
    _system_call = types.ExternalFunction("syscall", types.int64(*([types.int64] * 5)))
elif sys.platform == "win32":
    _nap = types.ExternalFunction("SwitchToThread", types.int32())
else:
    _usleep = types.ExternalFunction("usleep", types.int32(types.uint32))


def _pointer(b: Any, where: Any) -> Any:
    return b.inttoptr(where, ir.PointerType())


@intrinsic
def _look(context, where):
    """The int64 at an address, and all that was written before it was."""

    def generate(context, b, signature, arguments):
        return b.load_atomic(_pointer(b, arguments[0]), "seq_cst", 8, typ=INT64)

    return types.int64(types.int64), generate


@intrinsic
def _put(context, where, value):
    """Writes the int64 at an address; what was written before is there for all who look."""

    def generate(context, b, signature, arguments):
        b.store_atomic(arguments[1], b.inttoptr(arguments[0], INT64.as_pointer()), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def _add(context, where, value):
    """Adds to the int64 at an address; returns what was there."""

    def generate(context, b, signature, arguments):
        return b.atomic_rmw("add", _pointer(b, arguments[0]), arguments[1], "seq_cst")

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _replace(context, where, expected, value):
    """Replaces the int64 at an address if it is still as expected; returns whether it was."""

    def generate(context, b, signature, arguments):
        where, expected, value = arguments
        return b.extract_value(b.cmpxchg(_pointer(b, where), expected, value, "seq_cst", "seq_cst"), 1)

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


@intrinsic
def _board_of_one(context):
    """Address of a board for one member, in this function's own memory."""

    def generate(context, b, signature, arguments):
        kind = ir.ArrayType(INT64, WORDS)
        slot = cgutils.alloca_once(b, kind)
        b.store(ir.Constant(kind, None), slot)
        return b.ptrtoint(slot, INT64)

    return types.int64(), generate


_BODY = ir.FunctionType(ir.VoidType(), [INT64, INT64])


@intrinsic
def _call(context, function, member, data):
    """Calls a function by its address."""

    def generate(context, b, signature, arguments):
        function, member, data = arguments
        b.call(b.inttoptr(function, _BODY.as_pointer()), [member, data])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


if _LINUX:

    @bare_inner
    def _sleep(where, known):
        """Sleeps until somebody wakes who waits for this word; not if it has changed."""
        _system_call(_FUTEX, where, _FUTEX_WAIT, known & 0xFFFFFFFF, 0)

    @bare_inner
    def _wake(where):
        _system_call(_FUTEX, where, _FUTEX_WAKE, _EVERYBODY, 0)

elif sys.platform == "win32":

    @bare_inner
    def _sleep(where, known):
        _nap()

    @bare_inner
    def _wake(where):
        pass

else:

    @bare_inner
    def _sleep(where, known):
        _usleep(_NAP)

    @bare_inner
    def _wake(where):
        pass


@bare_inner
def _word(address, number):
    return address + 8 * number


@bare_inner
def _record(board, member):
    """Address of a member's record, made ready for a job."""
    record = _word(board, STRETCHES + LINE * member + RECORD)
    _put(record, board)
    _put(_word(record, 1), member)
    _put(_word(record, 2), 0)
    return record


@bare_inner
def _take(board, owner, many, done):
    """The next piece of a member's stretch in the loop that comes after `done` pieces; −1 if all are taken."""
    where = _word(board, STRETCHES + LINE * owner)
    while True:
        known = _look(where)
        loop = known >> PIECES
        taken = known & ((1 << PIECES) - 1) if loop == done else 0
        if loop > done or taken >= many:
            return -1
        if _replace(where, known, (done << PIECES) | (taken + 1)):
            return taken


@bare_inner
def _meet(board, mine, due):
    """Tells that so many pieces were done here, and returns when `due` pieces are done in all."""
    where = _word(board, DONE)
    if mine > 0 and _add(where, mine) + mine >= due and _look(_word(board, WAITERS)) > 0:
        _wake(where)
    looks = 0
    while True:
        known = _look(where)
        if known >= due:
            return
        looks += 1
        if looks < PATIENCE:
            _pause()
        else:
            _add(_word(board, WAITERS), 1)
            _sleep(where, known)
            _add(_word(board, WAITERS), -1)


@generator
def deal(team, pieces):
    """The pieces 0 … pieces − 1 that this member is to do; ends when all are done, whoever did them."""
    board, member, done = _look(team), _look(_word(team, 1)), _look(_word(team, 2))
    members = _look(_word(board, MEMBERS))
    mine = 0
    for further in range(members):
        owner = (member + further) % members
        first = pieces * owner // members
        many = pieces * (owner + 1) // members - first
        piece = _take(board, owner, many, done)
        while piece >= 0:
            yield first + piece
            mine += 1
            piece = _take(board, owner, many, done)
    _meet(board, mine, done + pieces)
    _put(_word(team, 2), done + pieces)


@generator
def deal_stretches(team, begin):
    """As `deal`, in stretches that are given: the m-th is begin[m] … begin[m + 1] − 1."""
    board, member, done = _look(team), _look(_word(team, 1)), _look(_word(team, 2))
    stretches = len(begin) - 1
    mine = 0
    for further in range(stretches):
        owner = (member + further) % stretches
        many = begin[owner + 1] - begin[owner]
        piece = _take(board, owner, many, done)
        while piece >= 0:
            yield begin[owner] + piece
            mine += 1
            piece = _take(board, owner, many, done)
    pieces = begin[stretches] - begin[0]
    _meet(board, mine, done + pieces)
    _put(_word(team, 2), done + pieces)


@bare_inner
def _leave(board):
    """A worker leaves the job; the one who gave it may be waiting for that."""
    _add(_word(board, INSIDE), -1)
    if _look(_word(board, WAITERS)) > 0:
        _wake(_word(board, INSIDE))


@bare_inner
def _close(board):
    """Lets no worker in any more, and returns when the last one has left."""
    where = _word(board, INSIDE)
    _add(where, -OPEN)
    looks = 0
    while True:
        known = _look(where)
        if known == 0:
            return
        looks += 1
        if looks < PATIENCE:
            _pause()
        else:
            _add(_word(board, WAITERS), 1)
            _sleep(where, known)
            _add(_word(board, WAITERS), -1)


@bare_inner
def _run(board, body, data):
    """Does a job with all workers that come; returns whether a member failed."""
    members = _look(_word(board, MEMBERS))
    if members == 1 or not _replace(_word(board, BUSY), 0, 1):
        own = _board_of_one()
        _put(_word(own, MEMBERS), 1)
        _call(body, _record(own, 0), data)
        return _look(_word(own, FAILED)) != 0
    for member in range(MOST_MEMBERS):
        _put(_word(board, STRETCHES + LINE * member), 0)
    _put(_word(board, DONE), 0)
    _put(_word(board, FAILED), 0)
    _put(_word(board, BODY), body)
    _put(_word(board, BODY + 1), data)
    _put(_word(board, INSIDE), OPEN)
    _add(_word(board, JOB), 1)
    if _look(_word(board, SLEEPERS)) > 0:
        _wake(_word(board, JOB))
    _call(body, _record(board, 0), data)
    _close(board)
    failed = _look(_word(board, FAILED)) != 0
    _put(_word(board, BUSY), 0)
    return failed


@kernel
def _work(board, member):
    """A worker's life: waits for jobs, and helps with those that want so many members. Ends with a negative job."""
    seen = 0
    while True:
        job, looks = _look(_word(board, JOB)), 0
        while job == seen:
            looks += 1
            if looks < IDLE_PATIENCE:
                _pause()
            else:
                _add(_word(board, SLEEPERS), 1)
                _sleep(_word(board, JOB), seen)
                _add(_word(board, SLEEPERS), -1)
            job = _look(_word(board, JOB))
        seen = job
        if job < 0:
            return
        known = _look(_word(board, INSIDE))
        while known >= OPEN and member < _look(_word(board, MEMBERS)):
            if _replace(_word(board, INSIDE), known, known + 1):
                _call(_look(_word(board, BODY)), _record(board, member), _look(_word(board, BODY + 1)))
                _leave(board)
                break
            known = _look(_word(board, INSIDE))


@intrinsic
def _launch(context, board, body, arguments):
    """Runs body(record of the member, *arguments) on the team; returns whether a member failed."""
    inside = body.get_call_type(context, (types.int64, *arguments.types), {})
    run = context.resolve_value_type(_run)
    outside = run.get_call_type(context, (types.int64, types.int64, types.int64), {})

    def generate(context, b, signature, values):
        board, _, packed = values
        overload = body.dispatcher.overloads[inside.args]
        slot = cgutils.alloca_once_value(b, packed)
        name = b.module.get_unique_name("team_body")
        function = ir.Function(b.module, _BODY, name)
        function.linkage = "internal"
        f = ir.IRBuilder(function.append_basic_block())
        member, data = function.args
        given = f.load(f.inttoptr(data, packed.type.as_pointer()), typ=packed.type)
        each = [f.extract_value(given, k) for k in range(len(arguments.types))]
        context.active_code_library.add_linking_library(overload.library)
        status, _ = context.call_internal_no_propagate(f, overload.fndesc, inside, [member, *each])
        with cgutils.if_unlikely(f, status.is_error):
            at = f.load(_pointer(f, member), typ=INT64)
            failed = f.add(at, ir.Constant(INT64, 8 * FAILED))
            f.store(ir.Constant(INT64, 1), _pointer(f, failed))
        f.ret_void()
        called = context.get_function(run, outside)
        return called(b, [board, b.ptrtoint(function, INT64), b.ptrtoint(slot, INT64)])

    return types.boolean(types.int64, body, arguments), generate


def available_cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Team:
    """The process's worker threads and their board."""

    def __init__(self) -> None:
        self._forget()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """A new board without workers: threads do not survive a fork."""
        self._memory = np.zeros(WORDS + LINE, np.int64)
        self.address = -(-self._memory.ctypes.data // (8 * LINE)) * 8 * LINE
        self._board = self._memory[(self.address - self._memory.ctypes.data) // 8 :]
        self._workers = 0
        self._hiring = threading.Lock()

    def use(self, members: int) -> None:
        """How many threads the next kernels run on."""
        members = max(1, min(members, MOST_MEMBERS))
        with self._hiring:
            while self._workers < members - 1:
                self._workers += 1
                threading.Thread(target=_work, args=(self.address, self._workers), daemon=True).start()
        self._board[MEMBERS] = members

    @property
    def members(self) -> int:
        """Threads that kernels run on; all that this process may use, unless told otherwise."""
        if self._board[MEMBERS] == 0:
            self.use(available_cores())
        return int(self._board[MEMBERS])


TEAM = Team()


class Parallel:
    """A kernel that a team runs; see `parallel`."""

    def __init__(self, function: Any, body: Any) -> None:

        def entry(board, *arguments):
            return _launch(board, body, arguments)

        entry.__qualname__ = entry.__name__ = function.__name__
        entry.__module__ = function.__module__
        self.body, self.entry = body, kernel(entry)
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, *arguments: Any) -> None:
        if TEAM.members and self.entry(TEAM.address, *arguments):
            raise RuntimeError(f"{self.__name__}: a thread failed")


@typeof_impl.register(Parallel)
def _inside_kernels(value: Parallel, context: Any) -> Any:
    """A kernel that a member runs may call another parallel one: all members then run that."""
    return types.Dispatcher(value.body)


def parallel(function: Any) -> Parallel:
    """A compiled, cached function that all members of the team run, with the team as its first argument.

    It makes and returns no arrays, see `kernel.bare_kernel`.
    """
    return Parallel(function, bare_inner(function))


def parallel_counted(function: Any) -> Parallel:
    """A `parallel` that makes arrays to work with, one set for each member."""
    return Parallel(function, inner(function))
