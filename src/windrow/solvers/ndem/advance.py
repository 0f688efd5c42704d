"""All substeps of an interval, in compiled code.

warm_start   what the remembered impulses give each grain
prepare      softness, friction and adhesion of all contacts
advance      for each substep
               start    gravity, and the impulses of the substep before
               sweep    over all contacts, a few times; the first sweep computes their geometry
               move     positions; grains that left their skins are looked after

All workers of a team go through the loops together (`team.py`), pencil by pencil. What is not in batches (overflow,
links, bodies) is one piece of work at the end of each sweep.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from windrow.collide.escaped import runs_into_unlisted
from windrow.kernel import BLOCK, bare_inner
from windrow.simd import WIDTH
from windrow.solvers.movers.meeting import turned_far
from windrow.solvers.ndem.bodies import (
    end_bodies,
    prepare_bodies,
    start_bodies,
    sweep_bodies,
    undo_bodies,
    warm_start_bodies,
)
from windrow.solvers.ndem.laws import ONE, ZERO
from windrow.solvers.ndem.motion import move, move_back, start_substep
from windrow.solvers.ndem.records import LAST_X, RELAXATION, STEP, STEP_BEFORE, Schedule
from windrow.solvers.ndem.single import (
    prepare_links,
    prepare_overflow,
    sweep_links,
    sweep_overflow,
    undo_impulse,
    warm_start_links,
    warm_start_overflow,
)
from windrow.solvers.ndem.sleep import disturbs_sleepers
from windrow.solvers.ndem.vector import (
    COLUMN,
    first_pairs,
    first_pairs_alike,
    first_walls,
    next_pairs,
    next_pairs_alike,
    next_walls,
    prepare_pairs,
    prepare_pairs_alike,
    prepare_walls,
    warm_start_pairs,
    warm_start_walls,
)
from windrow.team import deal, deal_stretches, parallel

AFRESH = 6
"""Substeps after which the warm start is summed up from the impulses again. In between it is what the substep before
gave each grain, rounding errors included; they would add up, and momentum with them."""
BATCHES_AT_ONCE = 64
GOES_ON, ESCAPED, UNDONE, DISTURBED, STOPPED = range(5)
"""What becomes of a substep. It is followed by the next one; or it is the last one, because two grains met that are not
in each other's lists; or it was undone for that reason; or it was the last one because it disturbed sleepers, or
because the whole step is to be given up."""


@parallel
def warm_start(team, grains, scale, schedule, contacts):
    """Scales the remembered impulses to the present substep; warm = {sum of w λ, number of loaded contacts}."""
    pairs, walls, overflow, links, bodies = contacts
    U_at, warm_at, warm = grains.U.ctypes.data, grains.warm.ctypes.data, grains.warm
    ends_at, impulse_at = pairs.ends.ctypes.data, pairs.impulse.ctypes.data
    wall_ends_at, wall_impulse_at = walls.ends.ctypes.data, walls.impulse.ctypes.data
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for i in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            warm[i, 0] = warm[i, 1] = warm[i, 2] = warm[i, 3] = ZERO
    for stage in range(schedule.turn_begin.shape[0]):
        for turn in deal_stretches(team, schedule.turn_begin[stage]):
            p = schedule.turns[turn]
            for b in range(schedule.pair_begin[p], schedule.pair_begin[p + 1]):
                warm_start_pairs(U_at, warm_at, ends_at, impulse_at, scale, b)
            for b in range(schedule.wall_begin[p], schedule.wall_begin[p + 1]):
                warm_start_walls(U_at, warm_at, wall_ends_at, wall_impulse_at, scale, b)
    for _ in deal(team, min(len(overflow.ends) + len(links.ends) + len(bodies.impulse), 1)):
        warm_start_overflow(grains, overflow, scale)
        warm_start_links(grains, links, scale)
        warm_start_bodies(grains, bodies, scale)


@parallel
def prepare(team, grains, material, kinds, table, step, contacts):
    """What of each contact's law holds for the whole interval. material: of each grain, one of so many `kinds`."""
    pairs, walls, overflow, links, bodies = contacts
    U_at, warm_at, common_at = grains.U.ctypes.data, grains.warm.ctypes.data, step.common.ctypes.data
    material_at, table_at = material.ctypes.data, table.ctypes.data
    ends_at, impulse_at = pairs.ends.ctypes.data, pairs.impulse.ctypes.data
    row_at, law_at = pairs.row.ctypes.data, pairs.law.ctypes.data
    wall_ends_at, wall_impulse_at = walls.ends.ctypes.data, walls.impulse.ctypes.data
    wall_row_at, wall_law_at, wall_kind_at = walls.row.ctypes.data, walls.law.ctypes.data, walls.kind.ctypes.data
    many = pairs.ends.shape[0]
    for part in deal(team, (many + BATCHES_AT_ONCE - 1) // BATCHES_AT_ONCE):
        for b in range(part * BATCHES_AT_ONCE, min(many, (part + 1) * BATCHES_AT_ONCE)):
            if step.own_law:
                pairs.movable[b] = prepare_pairs(
                    U_at, warm_at, ends_at, impulse_at, row_at, law_at, common_at, material_at, table_at, kinds, b
                )
            else:
                pairs.movable[b] = prepare_pairs_alike(
                    U_at, warm_at, ends_at, impulse_at, row_at, law_at, common_at, material_at, table_at, kinds, b
                )
    many = walls.ends.shape[0]
    for part in deal(team, (many + BATCHES_AT_ONCE - 1) // BATCHES_AT_ONCE):
        for b in range(part * BATCHES_AT_ONCE, min(many, (part + 1) * BATCHES_AT_ONCE)):
            walls.movable[b] = prepare_walls(
                U_at, warm_at, wall_ends_at, wall_impulse_at, wall_row_at, wall_law_at, common_at, wall_kind_at,
                table_at, b,
            )  # fmt: skip
    h, relaxation = step.common[STEP], step.common[RELAXATION]
    for _ in deal(team, min(len(overflow.ends) + len(links.ends) + len(bodies.impulse), 1)):
        prepare_overflow(grains, overflow, material, kinds, table, h, relaxation)
        prepare_bodies(grains, table, bodies, h, relaxation)
        prepare_links(grains.U, links, h, relaxation)


@parallel
def first_sweep(team, grains, schedule, step, contacts, peak):
    """A sweep over all contacts that also computes their geometry; peak[p]: deepest overlaps met so far.

    Batches of which no contact can act in this substep become inactive; the later sweeps leave them out.
    """
    pairs, walls, overflow = contacts.pairs, contacts.walls, contacts.overflow
    X_at, U_at, begun_at = grains.X.ctypes.data, grains.U.ctypes.data, grains.begun.ctypes.data
    common_at, peak_at = step.common.ctypes.data, peak.ctypes.data
    ends_at, impulse_at = pairs.ends.ctypes.data, pairs.impulse.ctypes.data
    row_at, law_at = pairs.row.ctypes.data, pairs.law.ctypes.data
    wall_ends_at, wall_impulse_at = walls.ends.ctypes.data, walls.impulse.ctypes.data
    wall_row_at, wall_law_at, face_at = walls.row.ctypes.data, walls.law.ctypes.data, walls.face.ctypes.data
    for stage in range(schedule.turn_begin.shape[0]):
        for turn in deal_stretches(team, schedule.turn_begin[stage]):
            p = schedule.turns[turn]
            deepest = peak_at + p * COLUMN
            for b in range(schedule.pair_begin[p], schedule.pair_begin[p + 1]):
                pairs.active[b] = 0
                if pairs.movable[b]:
                    if step.own_law:
                        pairs.active[b] = first_pairs(
                            X_at, U_at, begun_at, ends_at, impulse_at, row_at, law_at, common_at, deepest, b
                        )
                    else:
                        pairs.active[b] = first_pairs_alike(
                            X_at, U_at, begun_at, ends_at, impulse_at, row_at, law_at, common_at, deepest, b
                        )
            for b in range(schedule.wall_begin[p], schedule.wall_begin[p + 1]):
                walls.active[b] = 0
                if walls.movable[b]:
                    walls.active[b] = first_walls(
                        X_at, U_at, begun_at, wall_ends_at, wall_impulse_at, wall_row_at, wall_law_at, face_at,
                        common_at, deepest, b,
                    )  # fmt: skip
    for _ in deal(team, min(len(overflow.ends), 1)):
        peak[0, 0] = max(peak[0, 0], sweep_overflow(grains, overflow, step.common[STEP], True))


@parallel
def next_sweep(team, grains, schedule, step, contacts):
    """A sweep with the geometry of the first one."""
    pairs, walls, overflow = contacts.pairs, contacts.walls, contacts.overflow
    U_at, common_at = grains.U.ctypes.data, step.common.ctypes.data
    ends_at, impulse_at = pairs.ends.ctypes.data, pairs.impulse.ctypes.data
    row_at, law_at = pairs.row.ctypes.data, pairs.law.ctypes.data
    wall_ends_at, wall_impulse_at = walls.ends.ctypes.data, walls.impulse.ctypes.data
    wall_row_at, wall_law_at, face_at = walls.row.ctypes.data, walls.law.ctypes.data, walls.face.ctypes.data
    for stage in range(schedule.turn_begin.shape[0]):
        for turn in deal_stretches(team, schedule.turn_begin[stage]):
            p = schedule.turns[turn]
            for b in range(schedule.pair_begin[p], schedule.pair_begin[p + 1]):
                if pairs.active[b]:
                    if step.own_law:
                        next_pairs(U_at, ends_at, impulse_at, row_at, law_at, common_at, b)
                    else:
                        next_pairs_alike(U_at, ends_at, impulse_at, row_at, law_at, common_at, b)
            for b in range(schedule.wall_begin[p], schedule.wall_begin[p + 1]):
                if walls.active[b]:
                    next_walls(U_at, wall_ends_at, wall_impulse_at, wall_row_at, wall_law_at, face_at, common_at, b)
    for _ in deal(team, min(len(overflow.ends), 1)):
        sweep_overflow(grains, overflow, step.common[STEP], False)


@bare_inner
def undo_batches(batches):
    """Impulses of pairs or walls as they were when the substep began."""
    for b in range(batches.impulse.shape[0]):
        if batches.movable[b] and batches.active[b]:
            for a in range(3):
                for lane in range(WIDTH):
                    batches.impulse[b, a, lane] = batches.row[b, LAST_X + a, lane]


@bare_inner
def undo_substep(grains, contacts, h):
    """Positions and impulses as they were when the substep began. U is left as the substep made it."""
    overflow = contacts.overflow
    move_back(grains, h)
    undo_batches(contacts.pairs)
    undo_batches(contacts.walls)
    for q in range(len(overflow.ends)):
        if grains.U[overflow.ends[q, 0], 3] + grains.U[overflow.ends[q, 1], 3] > ZERO:
            undo_impulse(overflow.row, overflow.impulse, q)
    undo_bodies(contacts.bodies)


@bare_inner
def keep_substep(contacts, h):
    """Sums up what walls and bodies received in a substep; bodies move."""
    walls = contacts.walls
    for b in range(walls.total.shape[0]):
        for a in range(3):
            for lane in range(WIDTH):
                walls.total[b, a, lane] += walls.impulse[b, a, lane]
    end_bodies(contacts.bodies, h)


@parallel
def advance(team, outcome, grains, contacts, schedule, extra, step, watch, boundary, awake, peak):
    """Up to `step.substeps` substeps. outcome[s]: what became of substep s, and how many sleepers it disturbed; zero
    before. The row behind them: not zero as soon as the step is to be given up (`solvers.stopping`).

    A grain that leaves its skin may meet one that it is not listed with. If it does, and if `step.careful`, the substep
    is undone, with U left as it would have been, so that new lists can hold it; else the next interval begins there.
    After a substep that disturbed sleepers nothing is worth keeping (see `sleep.py`).
    extra: schedules of what is swept again after the ordinary sweeps, with one table of turns for each further sweep.
    """
    h, links, bodies = step.common[STEP], contacts.links, contacts.bodies
    one_by_one, sleepers = len(links.ends) + len(bodies.impulse) > 0, len(boundary.sleepers) > 0
    sweeps = step.sweeps + extra.turn_begin.shape[0]
    for s in range(step.substeps):
        afresh = s % AFRESH == 0
        if afresh and s > 0:
            warm_start(team, grains, ONE, schedule, contacts)
        start_substep(team, grains, awake, h, step.gravity, afresh)
        for _ in deal(team, 1):
            start_bodies(grains.U, bodies, h)
        first_sweep(team, grains, schedule, step, contacts, peak)
        for sweep in range(1, sweeps + 1):
            if one_by_one:
                for _ in deal(team, 1):
                    sweep_links(grains, links, sweep == 1)
                    peak[0, 0] = max(peak[0, 0], sweep_bodies(grains, bodies, h, sweep == 1))
            if sweep == sweeps:
                break
            # the last ones go over a few pencils only
            some = sweep >= step.sweeps
            turns = extra.turns if some else schedule.turns
            turn_begin = extra.turn_begin[sweep - step.sweeps] if some else schedule.turn_begin
            now = Schedule(turns, turn_begin, schedule.pair_begin, schedule.wall_begin)
            next_sweep(team, grains, now, step, contacts)
        if sleepers:
            for _ in deal(team, 1):
                outcome[s, 1] = disturbs_sleepers(boundary, contacts)
                outcome[s, 0] = DISTURBED if outcome[s, 1] > 0 else GOES_ON
            if outcome[s, 1] > 0:
                return
        move(team, grains, awake, h, watch.left)
        for _ in deal(team, 1):
            left = False
            for b in range((grains.n + BLOCK - 1) // BLOCK):
                left = left or watch.left[b] > ZERO
            left = left and runs_into_unlisted(grains.X, grains.U, grains.paths, grains.n, watch)
            if left and step.careful:
                outcome[s, 0] = UNDONE
                undo_substep(grains, contacts, h)
            else:
                keep_substep(contacts, h)
                left = left or turned_far(bodies.moving)
                outcome[s, 0] = ESCAPED if left else GOES_ON
                step.common[STEP_BEFORE] = step.common[STEP_BEFORE] if left else h
            if outcome[step.substeps, 0] != GOES_ON:
                outcome[s, 0] = STOPPED
        if outcome[s, 0] != GOES_ON:
            return


def done_of(outcome: NDArray[np.int64]) -> tuple[int, bool, int]:
    """How many substeps `advance` did, whether one more was undone, and how many sleepers the last one disturbed."""
    last = np.flatnonzero(outcome[:, 0] != GOES_ON)
    if len(last) == 0:
        return len(outcome), False, 0
    what, disturbed = (int(n) for n in outcome[last[0]])
    return int(last[0]) + (what == ESCAPED), what == UNDONE, disturbed


@parallel
def restart_substep(team, grains, order):
    """After a substep was undone and the grains were sorted: the velocity it had begun with."""
    for b in deal(team, (grains.n + BLOCK - 1) // BLOCK):
        for k in range(b * BLOCK, min(grains.n, b * BLOCK + BLOCK)):
            for a in range(3):
                grains.U[k, a] = grains.begun[order[k], a]
