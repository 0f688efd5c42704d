"""The vector kernels against the plain reference, on random contacts."""

from __future__ import annotations

import numpy as np
import pytest
from ndem_reference import Contact, World, mark_crowds, sweep

from windrow.collide.paths import Paths
from windrow.simd import WIDTH
from windrow.solvers.movers.meeting import no_meetings, nothing_moves
from windrow.solvers.ndem.advance import first_sweep, next_sweep, prepare, warm_start
from windrow.solvers.ndem.laws import CARRIED, CORE
from windrow.solvers.ndem.records import (
    DEEPEST,
    FACE,
    FACE_X,
    LAW,
    NX,
    OFFSET,
    PAIR_COLUMNS,
    ROW,
    BodyRows,
    ContactSet,
    LinkedPairs,
    Overflow,
    PairBatches,
    Schedule,
    SubstepTerms,
    WallBatches,
    WorkRows,
)

F = np.float32
GRAINS, BATCHES, WALLS = 64, 12, 4
"""Contacts join neighbours, and next neighbours but one, along a line of grains."""
H, RELAXATION = F(1 / 360), F(0.1)


class Arrangement:
    """Random grains, batches of contacts between them and with walls, and what the kernels need around them."""

    def __init__(self, seed: int, kinds: int, adhesion: float, depth: float, fast: float) -> None:
        g = np.random.default_rng(seed)
        self.kinds = kinds
        rows = GRAINS + 4
        self.X = np.zeros((rows, 4), F)
        self.X[:, 3] = g.uniform(0.02, 0.06, rows)
        self.U = g.normal(0, fast, (rows, 4)).astype(F)
        self.U[:, 3] = g.uniform(0.3, 3.0, rows)
        self.U[5, 3] = 0.0  # one grain cannot move
        self.X[GRAINS:, :3], self.X[GRAINS:, 3] = [[1e6] * 3, [-1e6] * 3] * 2, 0.0
        self.U[GRAINS:] = 0.0
        self.begun = g.normal(0, fast, (rows, 4)).astype(F)
        self.material = np.zeros(rows, np.int32)
        self.material[:GRAINS] = g.integers(0, kinds, GRAINS)
        self.table = np.zeros((kinds * kinds, PAIR_COLUMNS), F)
        for a in range(kinds):
            for b in range(a, kinds):
                values = (g.uniform(2e4, 4e5), g.uniform(0, 300), 0.6, 0.4, adhesion * g.uniform(0.5, 1))
                self.table[a * kinds + b, :5] = self.table[b * kinds + a, :5] = values
        # along a line, so that each grain overlaps a few others by a little
        self.X[:GRAINS, 0] = np.cumsum(np.full(GRAINS, 0.08 - depth))
        self.X[:GRAINS, 1:3] = g.normal(0, 0.005, (GRAINS, 2))
        self.ends = np.full((BATCHES, 2, WIDTH), GRAINS, np.int32)
        self.ends[:, 1] += 1
        # no two contacts of a batch share a grain, and no pair comes twice; the last lane is idle
        for b in range(BATCHES):
            for lane in range(WIDTH - 1):
                first = 8 * lane + b // 2
                self.ends[b, :, lane] = (first, first + 1 + b % 2)
        self.impulse = g.normal(0, 0.02, (BATCHES, 3, WIDTH)).astype(F)
        self.impulse[:, :, -1] = 0.0
        self.wall_ends = np.full((WALLS, WIDTH), GRAINS, np.int32)
        self.wall_ends[:, :7] = g.permutation(GRAINS - 6)[: 7 * WALLS].reshape(WALLS, 7) + 6
        self.wall_kind = np.zeros((WALLS, WIDTH), np.int32)
        self.wall_kind[:, :7] = self.material[self.wall_ends[:, :7]] * kinds
        self.wall_impulse = g.normal(0, 0.02, (WALLS, 3, WIDTH)).astype(F)
        self.wall_impulse[:, :, 7] = 0.0
        self.wall_row = np.zeros((WALLS, ROW, WIDTH), F)
        normal = g.normal(size=(WALLS, 3, WIDTH))
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        self.wall_row[:, NX : NX + 3] = normal
        self.wall_row[:, :, 7] = 0.0
        self.face = np.zeros((WALLS, FACE, WIDTH), F)
        at = self.X[self.wall_ends]
        gap = g.uniform(-0.01, 0.004, (WALLS, WIDTH))
        self.face[:, OFFSET] = np.einsum("bal,bla->bl", normal, at[..., :3]) - at[..., 3] - gap
        self.face[:, FACE_X : FACE_X + 3] = g.normal(0, 0.5, (WALLS, 3, WIDTH))
        self.face[:, DEEPEST] = CORE * at[..., 3]
        self.face[:, :, 7] = 0.0
        # the same grain's wall contacts never share a batch; warm starts must not depend on that
        self.law, self.wall_law = np.zeros((BATCHES, LAW, WIDTH), F), np.zeros((WALLS, LAW, WIDTH), F)
        self.row = np.zeros((BATCHES, ROW, WIDTH), F)
        self.movable, self.active = np.zeros(BATCHES, np.uint8), np.zeros(BATCHES, np.uint8)

    def contacts(self) -> list[Contact]:
        """All of them for the reference, in the order of the batches."""
        found = []
        for b in range(BATCHES):
            for lane in range(WIDTH - 1):
                i, j = (int(e) for e in self.ends[b, :, lane])
                values = self.table[self.material[i] * self.kinds + self.material[j], :5].astype(float)
                found.append(Contact(i, j, values, self.impulse[b, :, lane].astype(float)))
        for b in range(WALLS):
            for lane in range(7):
                plane = np.append(self.wall_row[b, :3, lane], self.face[b, OFFSET, lane]).astype(float)
                values = self.table[self.wall_kind[b, lane], :5].astype(float)
                found.append(
                    Contact(
                        int(self.wall_ends[b, lane]),
                        -1,
                        values,
                        self.wall_impulse[b, :, lane].astype(float),
                        plane,
                        self.face[b, 1:4, lane].astype(float),
                    )
                )
        return found

    def world(self) -> World:
        x, v = self.X.astype(float), self.U.astype(float)
        return World(
            x[:, :3], v[:, :3], x[:, 3], v[:, 3], float(H), float(RELAXATION), self.begun.astype(float)[:, :3]
        )

    def run(self, own_law: bool, as_overflow: bool, sweeps: int) -> None:
        """Prepares and sweeps with the solver's kernels, the contacts between grains as batches or as overflow."""
        common = np.array([H, 1 / H, 0.6, 0.4, *self.table[0, :2], RELAXATION, CARRIED**2 / H**2, H], F)
        step = SubstepTerms(common, np.zeros(3, F), 1, sweeps, own_law, False)
        # the warm start is of the impulses; velocities when the substep began are arbitrary here
        rows = np.zeros((len(self.X), 4), F)
        grains = WorkRows(len(self.U), self.X, self.U, self.begun, rows.copy(), Paths(rows, rows))
        used, batches = slice(0, WIDTH - 1), slice(0, 0 if as_overflow else BATCHES)
        ends = self.ends[:, :, used].transpose(0, 2, 1).reshape(-1, 2).copy()
        self.overflow_impulse = self.impulse[:, :, used].transpose(0, 2, 1).reshape(-1, 3).copy()
        many = len(ends) if as_overflow else 0
        rows_of_overflow = np.zeros((many, ROW), F), np.zeros((many, LAW), F)
        overflow = Overflow(ends[:many], self.overflow_impulse[:many], *rows_of_overflow)
        pairs = PairBatches(
            self.ends[batches], self.impulse[batches], self.row[batches], self.law[batches], self.movable[batches],
            self.active[batches],
        )  # fmt: skip
        none = np.zeros((WALLS, WIDTH), np.int32)
        walls = WallBatches(
            self.wall_ends, none, self.wall_kind, self.wall_impulse, np.zeros_like(self.wall_impulse), self.wall_row,
            self.wall_law, self.face, np.zeros(WALLS, np.uint8), np.zeros(WALLS, np.uint8),
        )  # fmt: skip
        bodies = BodyRows.of(no_meetings(0), nothing_moves())
        contacts = ContactSet(pairs, walls, overflow, LinkedPairs.none(), bodies)
        turn_begin = np.array([[0, 1], [1, 1], [1, 1], [1, 1]], np.int64)
        begins = (np.array([0, many], np.int64) for many in (len(pairs.ends), WALLS))
        schedule = Schedule(np.zeros(1, np.int32), turn_begin, *begins)
        warm_start(grains, F(1.0), schedule, contacts)
        prepare(grains, self.material, self.kinds, self.table, step, contacts)
        self.peak = np.zeros((1, WIDTH), F)
        first_sweep(grains, schedule, step, contacts, self.peak)
        for _ in range(sweeps - 1):
            next_sweep(grains, schedule, step, contacts)


CASES = [
    pytest.param({"kinds": 1, "adhesion": 0.0, "depth": 0.004, "fast": 0.5}, False, id="one material"),
    pytest.param(
        {"kinds": 1, "adhesion": 0.0, "depth": 0.004, "fast": 0.5}, True, id="one material, own laws"
    ),
    pytest.param({"kinds": 3, "adhesion": 0.0, "depth": 0.004, "fast": 0.5}, True, id="materials"),
    pytest.param({"kinds": 3, "adhesion": 3e6, "depth": 0.006, "fast": 0.5}, True, id="adhesion"),
    pytest.param({"kinds": 1, "adhesion": 0.0, "depth": 0.02, "fast": 20.0}, False, id="cores"),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("case", "own_law"), CASES)
def test_batches_follow_the_reference(case: dict, own_law: bool, seed: int) -> None:
    here = Arrangement(seed, **case)
    world, contacts = here.world(), here.contacts()
    mark_crowds(world, contacts)
    sweep(world, contacts, sweeps=3)
    here.run(own_law, as_overflow=False, sweeps=3)
    # a gap is a small difference of float32 positions, and what adhesion leaves of a push one of float32 impulses
    tolerance = 5e-4 if case["adhesion"] else 2e-4
    speed = np.abs(world.v[:GRAINS]).max()
    np.testing.assert_allclose(here.U[:GRAINS, :3], world.v[:GRAINS], atol=tolerance * max(speed, 1.0))
    impulse = here.impulse[:, :, : WIDTH - 1].transpose(0, 2, 1).reshape(-1, 3)
    wanted = np.array([c.impulse for c in contacts])
    np.testing.assert_allclose(impulse, wanted[: len(impulse)], atol=tolerance * np.abs(wanted).max())
    walls = here.wall_impulse[:, :, :7].transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_allclose(walls, wanted[len(impulse) :], atol=tolerance * np.abs(wanted).max())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("case", "own_law"), CASES[2:4])
def test_overflow_follows_the_batches(case: dict, own_law: bool, seed: int) -> None:
    """The plain laws one by one, and the vector ones; walls are swept before overflow, so they are left out here."""
    one, other = Arrangement(seed, **case), Arrangement(seed, **case)
    for here in (one, other):
        here.wall_ends[:] = GRAINS
        here.wall_impulse[:] = 0.0
        here.wall_row[:] = 0.0
        here.face[:] = 0.0
    one.run(own_law, as_overflow=False, sweeps=2)
    other.run(own_law, as_overflow=True, sweeps=2)
    np.testing.assert_allclose(one.U[:GRAINS], other.U[:GRAINS], atol=5e-4)
    impulse = one.impulse[:, :, : WIDTH - 1].transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_allclose(impulse, other.overflow_impulse, atol=1e-4 * np.abs(impulse).max())


def test_the_deepest_overlap_is_told() -> None:
    here = Arrangement(0, kinds=1, adhesion=0.0, depth=0.004, fast=0.1)
    x, r = here.X[:, :3].astype(float), here.X[:, 3].astype(float)
    i, j = here.ends[:, :, : WIDTH - 1].transpose(1, 0, 2).reshape(2, -1)
    pairs = (r[i] + r[j] - np.linalg.norm(x[i] - x[j], axis=1)) / np.minimum(r[i], r[j])
    k = here.wall_ends[:, :7]
    planes = here.face[:, OFFSET, :7] + r[k] - np.einsum("bal,bla->bl", here.wall_row[:, :3, :7], x[k])
    here.run(False, as_overflow=False, sweeps=1)
    assert here.peak.max() == pytest.approx(max(pairs.max(), (planes / r[k]).max()), rel=1e-4)


def test_open_contacts_are_left_out_until_they_may_close() -> None:
    here = Arrangement(0, kinds=1, adhesion=0.0, depth=-0.2, fast=0.0)
    here.impulse[:] = 0.0
    here.run(False, as_overflow=False, sweeps=2)
    assert not here.active.any()
    assert not here.impulse.any()
    near = Arrangement(0, kinds=1, adhesion=0.0, depth=-0.2, fast=200.0)
    near.impulse[:] = 0.0
    near.run(False, as_overflow=False, sweeps=2)
    assert near.active.any()
