"""Eight lanes at once: vector expressions inside Numba.

Numba vectorises simple loops, but not the ones that decide our speed: a contact law evaluated for eight
neighbours whose rows lie anywhere in memory. This file is the way around: `Lanes` is eight float32 values
with the usual operators, each of which emits one vector instruction of LLVM IR. A kernel written with it
reads like the formula, and LLVM turns it into AVX, SSE or NEON, whatever the machine has.

It is used inside `numba.extending.intrinsic` code generators only. Each such kernel stands beside a plain
scalar one that computes the same thing, and a test compares the two.

Rejected: hand-written C (a second language, a compiler at install time), Numba's own vectoriser over a
scratch array of gathered rows (2.5 times slower), 16 lanes (LLVM splits them into two times eight).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import cgutils

WIDTH = 8
FLOAT = ir.FloatType()
INT32 = ir.IntType(32)
INT64 = ir.IntType(64)
VECTOR = ir.VectorType(FLOAT, WIDTH)
INT_VECTOR = ir.VectorType(INT32, WIDTH)

# As in kernel.FAST: no nnan, no ninf (a NaN must survive to be counted), no reassoc (sums keep their order).
FLAGS = ("contract", "arcp", "nsz", "afn")

Value = Any


class Lanes:
    """Eight float32 values and the builder that computes with them."""

    __slots__ = ("b", "v")

    def __init__(self, builder: Value, value: Value) -> None:
        self.b = builder
        self.v = value

    def _operand(self, other: Lanes | float) -> Value:
        return other.v if isinstance(other, Lanes) else ir.Constant(VECTOR, [float(other)] * WIDTH)

    def __add__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.b, self.b.fadd(self.v, self._operand(other), flags=FLAGS))

    __radd__ = __add__

    def __sub__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.b, self.b.fsub(self.v, self._operand(other), flags=FLAGS))

    def __rsub__(self, other: float) -> Lanes:
        return Lanes(self.b, self.b.fsub(self._operand(other), self.v, flags=FLAGS))

    def __mul__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.b, self.b.fmul(self.v, self._operand(other), flags=FLAGS))

    __rmul__ = __mul__

    def __truediv__(self, other: Lanes | float) -> Lanes:
        return Lanes(self.b, self.b.fdiv(self.v, self._operand(other), flags=FLAGS))

    def __rtruediv__(self, other: float) -> Lanes:
        return Lanes(self.b, self.b.fdiv(self._operand(other), self.v, flags=FLAGS))

    def __neg__(self) -> Lanes:
        return 0.0 - self

    def __lt__(self, other: Lanes | float) -> Value:
        return self.b.fcmp_ordered("<", self.v, self._operand(other))

    def __le__(self, other: Lanes | float) -> Value:
        return self.b.fcmp_ordered("<=", self.v, self._operand(other))


def select(mask: Value, yes: Lanes | float, no: Lanes | float) -> Lanes:
    """Per lane: `yes` where the mask holds, else `no`. One of the two is `Lanes`."""
    lanes = yes if isinstance(yes, Lanes) else no
    assert isinstance(lanes, Lanes)
    return Lanes(lanes.b, lanes.b.select(mask, lanes._operand(yes), lanes._operand(no)))


def maximum(a: Lanes, b: Lanes | float) -> Lanes:
    return select(a < b, b, a)


def minimum(a: Lanes, b: Lanes | float) -> Lanes:
    return select(a < b, a, b)


def _intrinsic(builder: Value, name: str, type_: Value, *arguments: Value) -> Value:
    module = builder.module
    function = module.globals.get(name)
    if function is None:
        function = ir.Function(module, ir.FunctionType(type_, [a.type for a in arguments]), name)
    return builder.call(function, arguments, fastmath=FLAGS if type_ is VECTOR else ())


def square_root(a: Lanes) -> Lanes:
    return Lanes(a.b, _intrinsic(a.b, "llvm.sqrt.v8f32", VECTOR, a.v))


def splat(builder: Value, scalar: Value) -> Lanes:
    """The same scalar in all lanes."""
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), scalar, ir.Constant(INT32, 0))
    return Lanes(builder, builder.shuffle_vector(first, first, ir.Constant(INT_VECTOR, [0] * WIDTH)))


def splat_integer(builder: Value, scalar: Value) -> Value:
    """The low 32 bits of an int64 in all lanes of an integer vector."""
    low = builder.trunc(scalar, INT32)
    first = builder.insert_element(ir.Constant(INT_VECTOR, ir.Undefined), low, ir.Constant(INT32, 0))
    return builder.shuffle_vector(first, first, ir.Constant(INT_VECTOR, [0] * WIDTH))


def store_some(builder: Value, integers: Value, mask: Value, where: Value) -> Value:
    """Stores those lanes of an integer vector that the mask holds for, one after the other; returns how many."""
    pointer = builder.inttoptr(where, ir.PointerType())
    _intrinsic(builder, "llvm.masked.compressstore.v8i32", ir.VoidType(), integers, pointer, mask)
    return builder.zext(builder.ctpop(builder.bitcast(mask, ir.IntType(WIDTH))), INT64)


def power(a: Lanes, exponent: Lanes) -> Lanes:
    """a**exponent for a normal positive a and |exponent| <= 1, relative error below 1.2e-7·(4 + |log2 result|).

    log2 splits a into 2**e · m with m in [√½, √2) and sums the odd series of log2 m in s = (m−1)/(m+1); exp2
    splits off the integer part and uses the Taylor series of 2**f on |f| <= ½. Library calls would be made
    lane by lane.
    """
    b = a.b
    constant = lambda n: ir.Constant(INT_VECTOR, [n] * WIDTH)  # noqa: E731
    bits = b.bitcast(a.v, INT_VECTOR)
    shifted = b.sub(bits, constant(0x3F3504F3))  # √½, so that the mantissa below is in [√½, √2)
    exponent_bits = b.ashr(shifted, constant(23))
    mantissa_bits = b.add(b.and_(shifted, constant(0x007FFFFF)), constant(0x3F3504F3))
    m = Lanes(b, b.bitcast(mantissa_bits, VECTOR))
    e = Lanes(b, b.sitofp(exponent_bits, VECTOR))
    s = (m - 1.0) / (m + 1.0)
    s2 = s * s
    series = ((0.3205989 * s2 + 0.4121986) * s2 + 0.5770780) * s2 + 0.9617967
    log2_m = s * (series * s2 + 2.8853901)
    y = (e + log2_m) * exponent
    whole = Lanes(b, _intrinsic(b, "llvm.floor.v8f32", VECTOR, (y + 0.5).v))
    f = y - whole
    p = 1.5403530e-4 * f + 1.3333558e-3
    for coefficient in (9.6181291e-3, 5.5504109e-2, 2.4022651e-1, 6.9314718e-1, 1.0):
        p = p * f + coefficient
    scale = b.shl(b.add(b.fptosi(whole.v, INT_VECTOR), constant(127)), constant(23))
    return p * Lanes(b, b.bitcast(scale, VECTOR))


def address(builder: Value, base: Value, index: Value, stride: int) -> Value:
    """Address (as int64) of element `index` of an array of `stride` bytes per element."""
    return builder.add(base, builder.mul(index, ir.Constant(INT64, stride)))


def load(builder: Value, where: Value, type_: Value = FLOAT, align: int = 4) -> Value:
    pointer = builder.inttoptr(where, ir.PointerType())
    return builder.load(pointer, typ=type_, align=align)


def store(builder: Value, value: Value, where: Value, align: int = 4) -> None:
    builder.store(value, builder.inttoptr(where, ir.PointerType()), align=align)


def offset(builder: Value, base: Value, constant: int) -> Value:
    return builder.add(base, ir.Constant(INT64, constant))


def parameter(builder: Value, base: Value, position: int) -> Lanes:
    """Float number `position` of a parameter array, in all lanes."""
    return splat(builder, load(builder, offset(builder, base, 4 * position)))


def _shuffle(builder: Value, a: Value, c: Value, order: Sequence[int]) -> Value:
    return builder.shuffle_vector(a, c, ir.Constant(INT_VECTOR, list(order)))


def transpose(builder: Value, rows: Sequence[Value]) -> list[Value]:
    """Eight rows of eight to eight columns of eight, in 24 shuffles."""
    low, high = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
    pairs = [_shuffle(builder, rows[i], rows[i + 1], o) for i in (0, 2, 4, 6) for o in (low, high)]
    low, high = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
    quads = []
    for i in (0, 4):
        for j in (0, 1):
            quads += [_shuffle(builder, pairs[i + j], pairs[i + j + 2], o) for o in (low, high)]
    low, high = [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]
    return [_shuffle(builder, quads[i], quads[i + 4], o) for o in (low, high) for i in range(4)]


def load_rows(builder: Value, base: Value, indices: Sequence[Value]) -> list[Lanes]:
    """Eight rows of eight floats at eight int64 indices, as eight columns."""
    rows = [load(builder, address(builder, base, i, 32), VECTOR, 4) for i in indices]
    return [Lanes(builder, column) for column in transpose(builder, rows)]


def load_indices(builder: Value, where: Value) -> list[Value]:
    """Eight consecutive int32 as int64 scalars."""
    return [builder.sext(load(builder, offset(builder, where, 4 * k), INT32), INT64) for k in range(WIDTH)]


class Sum:
    """A value carried through a loop: memory in the IR, a register after LLVM's mem2reg."""

    def __init__(self, builder: Value, start: float = 0.0) -> None:
        self.b = builder
        self.slot = cgutils.alloca_once(builder, VECTOR)
        builder.store(ir.Constant(VECTOR, [start] * WIDTH), self.slot)

    def replace(self, lanes: Lanes) -> None:
        self.b.store(lanes.v, self.slot)

    def add(self, lanes: Lanes) -> None:
        self.b.store(self.b.fadd(self.b.load(self.slot, typ=VECTOR), lanes.v, flags=FLAGS), self.slot)

    @property
    def total(self) -> Value:
        return self.b.load(self.slot, typ=VECTOR)


@contextmanager
def loop(builder: Value, count: Value) -> Iterator[Value]:
    """Emits its body once, run for index 0 … count − 1 (int64)."""
    with cgutils.for_range(builder, count, intp=INT64) as counter:
        yield counter.index
