"""The arrays that the kernels of NDEM share, and what their columns mean.

Each record is a flat tuple of arrays with names. Contacts come in four kinds: batches of eight between grains, batches
of eight with walls, single ones that found no batch (*overflow*), and those with bodies. Links are a fifth kind of row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.collide.paths import Paths
from windrow.geometry.terms import F32, F64, I32, I64, U8
from windrow.simd import WIDTH
from windrow.solvers.movers.meeting import Meetings, Moving
from windrow.state.room import room

# The model's pair table.
STIFFNESS, DAMPING, STATIC, KINETIC, ADHESION = range(5)
PAIR_COLUMNS = 8
"""Width of the table of material pairs: the model's five columns, filled up to a vector."""

# A contact's row: of the present substep its normal, bias, impulse at rest, and softness while it closes and
# while it opens, and what its shear spring and damper would give without further motion; and for the whole interval the
# shear's softness, that of the damped and of the bare contact, and h k; last the impulse that the substep began with,
# for the case that it is undone. What every sweep reads comes first, and so in few cache lines.
NX, NY, NZ, BIAS, REST, SOFT_NOW, EASY_NOW, HELD_X, HELD_Y, HELD_Z = range(10)
GRIP, SOFT, EASY, SPRING, LAST_X, LAST_Y, LAST_Z = range(10, 17)
ROW = 17

# The friction of a contact: μ_s, μ_k, π a h (per area over π), and the adhesive impulse now.
MU_S, MU_K, STRENGTH, PULL = range(4)
LAW = 4

# A wall's face: its offset now, its mean velocity over the substep, its acceleration, and the overlap at which it
# becomes rigid.
OFFSET, FACE_X, FACE_Y, FACE_Z, GAIN_X, GAIN_Y, GAIN_Z, DEEPEST = range(8)
FACE = 8

# A link: its law, then the geometry and bias of the present substep.
LINK_STIFFNESS, LINK_DAMPING, LENGTH, LINK_SOFT, RATE, LINK_NX, LINK_NY, LINK_NZ, LINK_BIAS = range(9)
LINK_COLUMNS = 9

# Numbers common to all contacts: of the substep, and of a pair of grains of the only material; last the substep before.
STEP, INVERSE_STEP, COMMON_MU_S, COMMON_MU_K, COMMON_STIFFNESS, COMMON_DAMPING, RELAXATION, CARRIED_MOST = range(8)
STEP_BEFORE = 8
COMMON = 9

IDLE_GROUPS = 64
"""Groups of rows that idle lanes point to. Each pencil writes to one of them only: threads that wrote to the same
cache line would wait for each other."""
IDLE = 4 * IDLE_GROUPS
"""Rows behind the grains' for idle lanes."""
OVERFLOW_LEAST = 256
"""Room for overflow that there is from the beginning."""
AWAY = 1e6
"""Where the grains of idle lanes are, m: far from each other."""


class WorkRows(NamedTuple):
    """Working rows of the grains, and `IDLE` more for idle lanes."""

    n: int
    """how many grains there are"""
    X: F32
    """{x, y, z, r}"""
    U: F32
    """{v_x, v_y, v_z, w}: velocity now and inverse mass"""
    begun: F32
    """{v_x, v_y, v_z, w}: velocity when the substep began"""
    warm: F32
    """{sum of w λ, number of loaded contacts}: what the remembered impulses give each grain, see `warm_start`"""
    paths: Paths
    """Where the lists expect each grain."""

    @classmethod
    def of(cls, capacity: int) -> WorkRows:
        X, U, begun, warm = (room((capacity + IDLE, 4), np.float32) for _ in range(4))
        X[capacity::2, :3], X[capacity + 1 :: 2, :3] = AWAY, -AWAY
        return cls(0, X, U, begun, warm, Paths(*(room((capacity, 4), np.float32) for _ in range(2))))


class PairBatches(NamedTuple):
    """Contacts between grains, eight at a time; b batches."""

    ends: I32
    """(b, 2, 8): which grains"""
    impulse: F32
    """(b, 3, 8): on the first of the two, in the last substep, N s"""
    row: F32
    """(b, ROW, 8)"""
    law: F32
    """(b, LAW, 8)"""
    movable: U8
    """(b,): whether any grain of the batch can move"""
    active: U8
    """(b,): whether any contact of the batch can act in this substep"""


class WallBatches(NamedTuple):
    """Contacts with walls, eight at a time; as `PairBatches`."""

    ends: I32
    """(b, 8)"""
    source: I32
    """(b, 8): row of the contact as it was found; −1: an idle lane"""
    kind: I32
    """(b, 8): row of the table of material pairs"""
    impulse: F32
    total: F32
    """(b, 3, 8): impulses of the interval so far, N s"""
    row: F32
    law: F32
    face: F32
    """(b, FACE, 8): the wall's surface"""
    movable: U8
    active: U8

    @classmethod
    def of(cls, batches: int) -> WallBatches:
        ends, source, kind = (np.zeros((batches, WIDTH), np.int32) for _ in range(3))
        wide = (np.zeros((batches, columns, WIDTH), np.float32) for columns in (3, 3, ROW, LAW, FACE))
        return cls._make([ends, source, kind, *wide, np.zeros(batches, np.uint8), np.zeros(batches, np.uint8)])

    def first(self, batches: int) -> WallBatches:
        """The first so many."""
        return WallBatches._make(array[:batches] for array in self)


class Overflow(NamedTuple):
    """Contacts between grains that are in no batch; solved one after the other."""

    ends: I32
    """(m, 2)"""
    impulse: F32
    """(m, 3)"""
    row: F32
    """(m, ROW)"""
    law: F32
    """(m, LAW)"""


class LinkedPairs(NamedTuple):
    """Links between grains that are both present."""

    ends: I32
    """(m, 2)"""
    impulse: F32
    """(m, 3)"""
    row: F32
    """(m, LINK_COLUMNS)"""

    @classmethod
    def none(cls) -> LinkedPairs:
        return cls(np.zeros((0, 2), np.int32), np.zeros((0, 3), np.float32), np.zeros((0, LINK_COLUMNS), np.float32))


class BodyRows(NamedTuple):
    """Contacts with moving bodies, one after the other; m of them with k bodies."""

    meetings: Meetings
    moving: Moving
    impulse: F32
    """(m, 3) on the grain in this substep, N s"""
    row: F32
    """(m, ROW)"""
    law: F32
    """(m, LAW)"""
    K: F32
    """(m, 2): inverse mass of the contact along and across its normal, 1/kg"""
    begun: F64
    """(k, 6): velocities of the bodies when the substep began"""

    @classmethod
    def of(cls, meetings: Meetings, moving: Moving) -> BodyRows:
        impulse, row, law, K = (np.zeros((len(meetings.grain), wide), np.float32) for wide in (3, ROW, LAW, 2))
        return cls(meetings, moving, impulse, row, law, K, np.zeros_like(moving.V))


class ContactSet(NamedTuple):
    """All contacts of an interval."""

    pairs: PairBatches
    walls: WallBatches
    overflow: Overflow
    links: LinkedPairs
    bodies: BodyRows


class Schedule(NamedTuple):
    """Who sweeps which pencil when."""

    turns: I32
    """pencils, worker by worker, stage by stage"""
    turn_begin: I64
    """(stages, workers + 1): stretches of `turns`"""
    pair_begin: I64
    """(pencils + 1,): first pair batch of each pencil"""
    wall_begin: I64
    """(pencils + 1,): first wall batch of each pencil"""


class ExtraSweeps(NamedTuple):
    """Who sweeps which pencil again after the ordinary sweeps."""

    turns: I32
    turn_begin: I64
    """(sweeps, stages, workers + 1): as in `Schedule`, for each further sweep"""


class SubstepTerms(NamedTuple):
    """What all substeps of an interval have in common."""

    common: F32
    """(COMMON,), see `STEP` and those after it"""
    gravity: F32
    """m/s²"""
    substeps: int
    sweeps: int
    own_law: bool
    """whether contacts between grains differ in friction, stiffness or adhesion"""
    careful: bool
    """whether a substep in which grains meet unlisted is undone"""
