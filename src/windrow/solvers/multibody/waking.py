"""When bodies at rest become one, and when they come apart.

Bodies whose loaded contacts have all been slow for a while are joined: with the world where one of them rests
on it, else with each other. What joined bodies bear is kept (their contacts, with impulses, and where the
partners were), for three questions after each step:

* *Impact and load.* A body at rest in the world takes any momentum without moving. What awake bodies gave it
  beyond what they did when it was joined would have set a mass in motion: bodies are split, breadth first along
  their contacts, until the momentum shared among them makes less than `wake_speed`. Little of it may be lost, and
  they are awake from the next step on. After a blow (`IMPACT`) the step is taken back and done again with those
  awake, for a hit that is over cannot wake anybody: waking only the body that was hit, and a step late, moves a
  quarter of the rocks that a falling ball should.
* *Sliding.* Something drags over it faster than `wake_speed`.
* *Support.* A body that it touched when it was joined has moved by `support_moves`; without this, piles hang in
  mid-air. Dragged bodies, and those whose support moves, are awake from the next step on: what moves them goes on.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import bare_inner, inner, kernel
from windrow.solvers.multibody.contacts import ContactBuffers
from windrow.solvers.multibody.motion import BodyTable, Motion
from windrow.solvers.multibody.sweeps import Sweeps, speed_along

LOAD_SLACK = 1.3
"""A load may grow by this factor before it counts as new."""
SHARE = 0.02
"""of a body's load that a contact must carry to be a support"""
IMPACT = 10.0
"""times `wake_speed`: a body that would be moved faster than this has been hit, and the step is done again"""
RINGS = 2
"""Contacts from a body that was hit to those that are woken before the step is done again for the first time: how
hard a blow is shows only when what was struck can yield."""
FEWEST = 3
"""contacts that hold a body at rest"""


class Stored(NamedTuple):
    """Contacts of joined bodies as they were when those were joined."""

    real: I32
    """(s, 2)"""
    key: I64
    place: F64
    """(s, 3) in the frame of the first body, m"""
    impulse: F64
    """(s, 3) N s per substep"""
    twist: F64
    apart: F64
    """(s, 3) from the first body's centre to the second's, m"""


@bare_inner
def normal_total(contacts: ContactBuffers, c: int) -> float:
    """Normal impulse of a contact over the step, N s."""
    return (
        contacts.total[c, 0] * contacts.normal[c, 0]
        + contacts.total[c, 1] * contacts.normal[c, 1]
        + contacts.total[c, 2] * contacts.normal[c, 2]
    )


class Watched(NamedTuple):
    """What decides whether a joined body was disturbed in a step."""

    dt: float
    """length of the step, s"""
    h: float
    """length of a substep, s"""
    wake_speed: float
    """m/s"""
    support_moves: float
    """m"""
    first: bool
    """whether the step is being done for the first time"""


@kernel
def find_disturbed(
    contacts: ContactBuffers,
    sweeps: Sweeps,
    motion: Motion,
    table: BodyTable,
    owner: I64,
    load: F64,
    stored: Stored,
    bodies: int,
    watched: Watched,
    wake: I64,
) -> bool:
    """Marks in `wake` (bodies,) those that must be split: 2 by what they bear, 1 else; returns whether one was hit.

    `load` (bodies,) N at joining.
    """
    dt, h, wake_speed, support_moves, first = watched
    given = np.zeros(bodies)
    wake[:] = 0
    V = motion.V
    for c in range(contacts.found[0]):
        normal = normal_total(contacts, c)
        if normal <= 0.0:
            continue
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        across = sqrt(
            speed_along(sweeps.row, c, 1, V, a, b) ** 2 + speed_along(sweeps.row, c, 2, V, a, b) ** 2
        )
        for side in range(2):
            i = contacts.real[c, side]
            if i < bodies and owner[i] != i:
                given[i] += normal
                if across > wake_speed and normal * table.inverse_mass[i] > 0.5 * wake_speed:
                    wake[i] = 1
    # What those same partners gave it when it was joined is no news.
    known = np.zeros(bodies)
    for s in range(stored.key.shape[0]):
        a, b = stored.real[s, 0], stored.real[s, 1]
        if owner[a] == owner[b]:
            continue
        force = sqrt(stored.impulse[s, 0] ** 2 + stored.impulse[s, 1] ** 2 + stored.impulse[s, 2] ** 2)
        for side in range(2):
            i = stored.real[s, side]
            if i < bodies and owner[i] != i:
                known[i] += force * dt / h
    budget, fastest = 0.0, 0.0
    for i in range(bodies):
        if owner[i] != i:
            excess = given[i] - LOAD_SLACK * known[i]
            if excess * table.inverse_mass[i] > wake_speed:
                wake[i] = 2
                budget += excess
                fastest = max(fastest, excess * table.inverse_mass[i])
    hit = fastest > IMPACT * wake_speed
    for s in range(stored.key.shape[0]):
        a, b = stored.real[s, 0], stored.real[s, 1]
        if owner[a] == owner[b]:
            continue
        square = 0.0
        for k in range(3):
            square += (motion.x[b, k] - motion.x[a, k] - stored.apart[s, k]) ** 2
        if square > support_moves * support_moves:
            force = sqrt(stored.impulse[s, 0] ** 2 + stored.impulse[s, 1] ** 2 + stored.impulse[s, 2] ** 2)
            for side in range(2):
                i = stored.real[s, side]
                if i < bodies and owner[i] != i and wake[i] == 0 and force > SHARE * load[i] * h:
                    wake[i] = 1
    if budget > 0.0:
        spread(table, owner, stored, bodies, wake_speed, budget, RINGS if hit and first else bodies, wake)
    return hit


@inner
def spread(
    table: BodyTable,
    owner: I64,
    stored: Stored,
    bodies: int,
    wake_speed: float,
    budget: float,
    rings: int,
    wake: I64,
) -> None:
    """Wakes bodies breadth first from those marked 2, until a momentum is used up at `wake_speed`."""
    links = stored.key.shape[0]
    first = np.zeros(bodies + 2, np.int64)
    for s in range(links):
        a, b = stored.real[s, 0], stored.real[s, 1]
        if a < bodies and b < bodies and owner[a] == owner[b]:
            first[a + 2] += 1
            first[b + 2] += 1
    for i in range(bodies):
        first[i + 2] += first[i + 1]
    other = np.zeros(max(first[bodies + 1], 1), np.int64)
    for s in range(links):
        a, b = stored.real[s, 0], stored.real[s, 1]
        if a < bodies and b < bodies and owner[a] == owner[b]:
            other[first[a + 1]] = b
            first[a + 1] += 1
            other[first[b + 1]] = a
            first[b + 1] += 1
    queue = np.zeros(bodies, np.int64)
    head, tail = 0, 0
    for i in range(bodies):
        if wake[i] == 2:
            queue[tail] = i
            tail += 1
            budget -= wake_speed / table.inverse_mass[i]
    ring_end = tail
    while head < tail and budget > 0.0:
        if head == ring_end:
            rings -= 1
            ring_end = tail
        if rings == 0:
            break
        i = queue[head]
        head += 1
        for k in range(first[i], first[i + 1]):
            j = other[k]
            if wake[j] < 2 and budget > 0.0:
                wake[j] = 2
                budget -= wake_speed / table.inverse_mass[j]
                queue[tail] = j
                tail += 1


@bare_inner
def root_of(parent: I64, i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def find_resting(
    contacts: ContactBuffers,
    sweeps: Sweeps,
    motion: Motion,
    table: BodyTable,
    may_join: I64,
    still: I64,
    rest: F64,
    dt: float,
    slow: float,
    rest_time: float,
    label: I64,
) -> int:
    """Counts the time that what moves has been at rest, and finds what is to be joined.

    `may_join` (rows,): bodies and groups that may; `still` (rows,): the world and all that never moves; `rest`
    (rows,) s. Into `label` (rows,): −1 nothing, else the least row of those to be joined with each other, or
    the number of rows for those to be joined with the world. Returns how many are to be joined.
    """
    rows = label.shape[0]
    held, calm = np.zeros(rows, np.int64), np.ones(rows, np.int64)
    V = motion.V
    n = contacts.found[0]
    for c in range(n):
        if sweeps.impulse[c, 0] <= 0.0:
            continue
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        good = True
        for d in range(3):
            good = good and abs(speed_along(sweeps.row, c, d, V, a, b)) < slow
        for side in range(2):
            i = a if side == 0 else b
            held[i] += 1
            if not good:
                calm[i] = 0
    ready = 0
    for i in range(rows):
        label[i] = -1
        if may_join[i] == 1 and calm[i] == 1 and held[i] >= FEWEST:
            rest[i] += dt
            if rest[i] >= rest_time:
                label[i] = i
                ready += 1
        else:
            rest[i] = 0.0
    if ready == 0:
        return 0
    # Those that touch each other, and whether one of them touches what never moves.
    grounded = np.zeros(rows, np.int64)
    for c in range(n):
        if sweeps.impulse[c, 0] <= 0.0:
            continue
        a, b = contacts.body[c, 0], contacts.body[c, 1]
        if label[a] >= 0 and label[b] >= 0:
            u, v = root_of(label, a), root_of(label, b)
            if u != v:
                label[max(u, v)] = min(u, v)
                grounded[min(u, v)] |= grounded[max(u, v)]
        elif label[a] >= 0 and still[b] == 1:
            grounded[root_of(label, a)] = 1
        elif label[b] >= 0 and still[a] == 1:
            grounded[root_of(label, b)] = 1
    size = np.zeros(rows, np.int64)
    for i in range(rows):
        if label[i] >= 0:
            size[root_of(label, i)] += 1
    joined = 0
    final = np.full(rows, -1, np.int64)
    for i in range(rows):
        if label[i] >= 0:
            u = root_of(label, i)
            if grounded[u] == 1:
                final[i] = rows
                joined += 1
            elif size[u] > 1:
                final[i] = u
                joined += 1
    for i in range(rows):
        label[i] = final[i]
    return joined
