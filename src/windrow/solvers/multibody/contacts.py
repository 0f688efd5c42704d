"""Contacts between bodies: found anew at each step, remembered by what touches what."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I32, I64, Point
from windrow.kernel import bare_inner, bare_kernel
from windrow.solvers.multibody.motion import Motion
from windrow.solvers.multibody.vectors import dot, minus, row, times_transposed

STATIC, KINETIC, ROLLING, RESTITUTION, STIFFNESS, DAMPING, LAWS = range(7)
"""Columns of a pair's laws: friction coefficients, lever of rolling resistance (m), coefficient of restitution,
stiffness (N/m; 0: as stiff as the step resolves) and damping (N·s/m); and their number."""


FEATURES = 1 << 20
"""Contacts that one pair of parts can tell apart; a key is (first part · FEATURES + second) · FEATURES + feature."""


class ContactBuffers(NamedTuple):
    """Buffers with room for more contacts than there are; `found[0]` says how many, even if they do not fit."""

    found: I64
    body: I32
    """(c, 2) what moves at the contact: a body, or the one it is merged into"""
    real: I32
    """(c, 2) the bodies that touch"""
    key: I64
    """(c,) the two parts and the feature at which they touch"""
    normal: F64
    """(c, 3) from the second body to the first"""
    point: F64
    """(c, 3) in the middle of the gap, m"""
    gap: F64
    """(c,) m; negative: overlap"""
    impulse: F64
    """(c, 3) on the first body in the last substep, N s, in the world"""
    twist: F64
    """(c, 3) of rolling resistance, N m s"""
    total: F64
    """(c, 3) sum of the impulses over the step, N s"""

    @property
    def room(self) -> int:
        return len(self.key)


def contacts_with_room(room: int) -> ContactBuffers:
    return ContactBuffers(
        found=np.zeros(1, np.int64),
        body=np.zeros((room, 2), np.int32),
        real=np.zeros((room, 2), np.int32),
        key=np.zeros(room, np.int64),
        normal=np.zeros((room, 3)),
        point=np.zeros((room, 3)),
        gap=np.zeros(room),
        impulse=np.zeros((room, 3)),
        twist=np.zeros((room, 3)),
        total=np.zeros((room, 3)),
    )


class Remembered(NamedTuple):
    """Contacts of the step before, found by the pair of parts that touch.

    Within a pair, a contact is known by its feature, or else by its place: when edges lie on edges, rounding
    decides which of two features a point is, and a stack that forgets its impulses starts to sway.
    """

    pair: I64
    """(2^k,) table of pairs, open to the next free place; −1: free"""
    first: I64
    """(2^k,) first contact of the pair in the lists below, where its others follow"""
    held: I64
    """(1,) contacts in the lists"""
    keys: I64
    """(c,)"""
    place: F64
    """(c, 3) in the frame of the first body, m"""
    impulse: F64
    """(c, 3)"""
    twist: F64
    """(c, 3)"""
    taken: I64
    """(c,) room for matching"""
    filled: I64
    """(c + 1,) how many places of the table are not free, and which"""


def memory_with_room(room: int) -> Remembered:
    places = 1 << max(4, (max(room, 1) - 1).bit_length() + 1)
    return Remembered(
        pair=np.full(places, -1, np.int64),
        first=np.zeros(places, np.int64),
        held=np.zeros(1, np.int64),
        keys=np.zeros(room, np.int64),
        place=np.zeros((room, 3)),
        impulse=np.zeros((room, 3)),
        twist=np.zeros((room, 3)),
        taken=np.zeros(room, np.int64),
        filled=np.zeros(room + 1, np.int64),
    )


@bare_inner
def slot_of(table: I64, key: int) -> int:
    """Where a key is in the table, or the free place where it would be."""
    mask = table.shape[0] - 1
    place = ((key * 0x9E3779B1) >> 17) & mask
    while table[place] != -1 and table[place] != key:
        place = (place + 1) & mask
    return place


@bare_kernel
def remember(contacts: ContactBuffers, motion: Motion, memory: Remembered) -> None:
    """Keeps the impulses of this step's contacts and forgets those before."""
    n = contacts.found[0]
    memory.held[0] = n
    for c in range(n):
        memory.keys[c] = contacts.key[c]
        a = contacts.real[c, 0]
        place = times_transposed(motion.R[a], minus(row(contacts.point, c), row(motion.x, a)))
        for k in range(3):
            memory.place[c, k] = place[k]
            memory.impulse[c, k] = contacts.impulse[c, k]
            memory.twist[c, k] = contacts.twist[c, k]
    index_memory(memory)


@bare_kernel
def index_memory(memory: Remembered) -> None:
    """Fills the table from the lists."""
    filled, count = memory.filled, 0
    for k in range(filled[0]):
        memory.pair[filled[1 + k]] = -1
    for c in range(memory.held[0]):
        pair = memory.keys[c] // FEATURES
        slot = slot_of(memory.pair, pair)
        if memory.pair[slot] == -1:
            memory.pair[slot], memory.first[slot] = pair, c
            count += 1
            filled[count] = slot
    filled[0] = count


@bare_inner
def same_contact(
    key: int,
    place: Point,
    pair_table: I64,
    first_of: I64,
    keys: I64,
    places: F64,
    taken: I64,
    n: int,
    near: float,
) -> int:
    """The remembered contact that one with this key at this place is, −1 if none."""
    pair = key // FEATURES
    slot = slot_of(pair_table, pair)
    if pair_table[slot] != pair:
        return -1
    first = first_of[slot]
    m = first
    while m < n and keys[m] // FEATURES == pair:
        if keys[m] == key and taken[m] == 0:
            return m
        m += 1
    best, nearest = -1, near * near
    for k in range(first, m):
        d = minus(place, row(places, k))
        if taken[k] == 0 and dot(d, d) < nearest:
            best, nearest = k, dot(d, d)
    return best


@bare_inner
def recall_impulses(contacts: ContactBuffers, motion: Motion, memory: Remembered, near: float) -> int:
    """Starts each contact with the impulse it had in the last substep; returns how many were known.

    `near` is the distance, m, within which a contact of another feature is the same one.
    """
    known, n = 0, memory.held[0]
    pair_table, first_of, keys, places, taken = (
        memory.pair,
        memory.first,
        memory.keys,
        memory.place,
        memory.taken,
    )
    impulse, twist, key, point, real = (
        contacts.impulse,
        contacts.twist,
        contacts.key,
        contacts.point,
        contacts.real,
    )
    R, x = motion.R, motion.x
    for m in range(n):
        taken[m] = 0
    for c in range(contacts.found[0]):
        a = real[c, 0]
        u, v, w = point[c, 0] - x[a, 0], point[c, 1] - x[a, 1], point[c, 2] - x[a, 2]
        place = (
            R[a, 0, 0] * u + R[a, 1, 0] * v + R[a, 2, 0] * w,
            R[a, 0, 1] * u + R[a, 1, 1] * v + R[a, 2, 1] * w,
            R[a, 0, 2] * u + R[a, 1, 2] * v + R[a, 2, 2] * w,
        )
        m = same_contact(key[c], place, pair_table, first_of, keys, places, taken, n, near)
        if m >= 0:
            known += 1
            taken[m] = 1
        for k in range(3):
            impulse[c, k] = memory.impulse[m, k] if m >= 0 else 0.0
            twist[c, k] = memory.twist[m, k] if m >= 0 else 0.0
    return known
