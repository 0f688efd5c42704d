"""Parts of the exchange of ground and grains, each against what it must be: slip planes, zones, bricks, masses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.measure.earthmoving import earthmoving_factors
from windrow.scene.brick import brick_of, grains_in
from windrow.scene.terrain import Terrain
from windrow.terrain import giving
from windrow.terrain.bricks import FACE, FREED, SHELL, Bricks, Laid, bricks_of, height_range, laid_room, lay
from windrow.terrain.ground import Ground
from windrow.terrain.nodes import (
    CUT,
    HELD,
    NEAR,
    NEEDED,
    NOWHERE,
    ROUGH,
    ROUGH_NEXT,
    SKIN_NEXT,
    SKINNED,
    Grid,
    Nodes,
    nodes_of,
    plan,
    reset,
    surface_at,
)
from windrow.terrain.slip import FLATTEST, UPRIGHTEST, slip_angle
from windrow.terrain.zone import ZoneReach, spread, sweep

RADIUS = 0.04


def field(layers: list[dict[str, object]] | None = None) -> tuple[Ground, Grid, Nodes, np.ndarray]:
    """Flat ground of one tile, its grid, its nodes, and its tiles."""
    given = {"soil": "dry_sand"} if layers is None else {"layers": layers}
    ground = Ground(Terrain(size=(3.2, 3.2), cell=0.1, depth=2.0, **given), (0.0, 0.0, -9.81))  # type: ignore[arg-type]
    corner = ground.place_of(np.zeros(1), np.zeros(1))
    grid = Grid(float(corner[0][0]), float(corner[1][0]), 0.0, 0.1, RADIUS, ground.nx, ground.ny, 1)
    nodes = nodes_of((ground.nx, ground.ny), ground.columns.height - np.float32(RADIUS))
    tiles = np.zeros((1, 2), np.int64)
    reset(nodes, grid, ground.columns, tiles)
    return ground, grid, nodes, tiles


@pytest.mark.parametrize("phi", [15.0, 29.0, 38.0])
@pytest.mark.parametrize("rake", [45.0, 70.0, 90.0])
@pytest.mark.parametrize("delta", [0.0, 10.0])
def test_the_slip_plane_is_that_of_the_least_force(phi: float, rake: float, delta: float) -> None:
    expected = math.radians(earthmoving_factors(phi, rake, delta).slip_deg)
    found = slip_angle(*(math.radians(angle) for angle in (phi, rake, delta)))
    assert found == pytest.approx(min(max(expected, FLATTEST), UPRIGHTEST), abs=2e-4)


@pytest.mark.parametrize("angles", [(50.0, 120.0, 30.0), (0.0, 0.0, 0.0), (89.0, 179.0, 89.0), (32.0, 150.0, 30.0)])
def test_angles_without_a_slip_plane_have_one_nearby(angles: tuple[float, float, float]) -> None:
    assert FLATTEST <= slip_angle(*map(math.radians, angles)) <= UPRIGHTEST


def zone_of(velocity: tuple[float, float, float], reach: ZoneReach) -> tuple[Grid, Nodes]:
    """A point at 0.1 m depth that moves for 0.3 s."""
    _, grid, nodes, tiles = field()
    poses = np.zeros((7, 12))
    poses[:, [0, 4, 8]] = 1.0
    poses[:, 9:] = np.array([0.05, 0.05, -0.1]) + np.linspace(0.0, 0.3, 7)[:, None] * np.array(velocity)
    bearing = sweep(np.zeros((1, 3)), poses, reach, nodes, grid, np.zeros((8, 2)))
    spread(nodes, grid, reach, tiles, 0.0, bearing)
    assert (nodes.edge == NOWHERE).all()
    return grid, nodes


def test_zones_are_cones_flat_ahead_and_steep_elsewhere() -> None:
    reach = ZoneReach(0.3, 2.0, 1.0, 0.5, 2.0, 1.0, 1.0)
    grid, nodes = zone_of((0.1, 0.0, 0.0), reach)
    i, j = round((0.05 - grid.x) / 0.1), round((0.05 - grid.y) / 0.1)
    assert nodes.zone[i, j] == pytest.approx(-0.4)
    for k in range(1, 3):
        assert nodes.zone[i + k, j] == pytest.approx(-0.4 + 0.1 * k * 0.5, abs=1e-6)
    for p, q in ((i - 1, j), (i, j + 1), (i, j - 1)):
        assert nodes.zone[p, q] == pytest.approx(-0.4 + 0.1 * 2.0, abs=1e-6)
    assert nodes.flags[i + 2, j] & NEEDED
    assert not nodes.flags[i - 6, j] & NEEDED


@pytest.mark.parametrize(("height", "speed", "has"), [(0.1, 0.5, False), (0.03, 0.5, True), (0.0, 0.0, False)])
def test_tools_above_the_ground_or_at_rest_on_it_have_no_zone(height: float, speed: float, has: bool) -> None:
    _, grid, nodes, tiles = field()
    poses = np.zeros((7, 12))
    poses[:, [0, 4, 8]] = 1.0
    poses[:, 9], poses[:, 11] = np.linspace(0.0, 0.3 * speed, 7), height
    reach = ZoneReach(0.3, 2.0, 1.0, 0.5, 2.0, 1.0, 1.0)
    spread(nodes, grid, reach, tiles, 0.0, sweep(np.zeros((1, 3)), poses, reach, nodes, grid, np.zeros((8, 2))))
    assert bool((nodes.flags & NEEDED).any()) is has


def test_fast_tools_leave_no_gaps() -> None:
    reach = ZoneReach(0.3, 2.0, 1.0, 5.0, 5.0, 5.0, 1.0)
    grid, nodes = zone_of((5.0, 0.0, 0.0), reach)
    i, j = round((0.05 - grid.x) / 0.1), round((0.05 - grid.y) / 0.1)
    assert (nodes.zone[i : i + 14, j] < -0.39).all()


def test_zones_are_deeper_where_a_wide_tool_moves_down() -> None:
    ground, grid, nodes, tiles = field()
    reach = ZoneReach(0.1, 2.0, 10.0, 1.0, 1.7, 1.2, 1.0)
    x, y = np.meshgrid(np.linspace(-0.3, 0.3, 13), np.linspace(-0.1, 0.1, 5))
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    deepest = []
    for down in (0.0, -0.2):
        poses = np.zeros((7, 12))
        poses[:, [0, 4, 8]] = 1.0
        poses[:, 11] = np.linspace(-0.05, -0.05 + 0.3 * down, 7)
        reset(nodes, grid, ground.columns, tiles)
        bearing = sweep(points, poses, reach, nodes, grid, np.zeros((8, 2)))
        spread(nodes, grid, reach, tiles, 0.0, bearing)
        deepest.append(float(nodes.zone.min()))
    assert deepest[0] == pytest.approx(-0.15)
    assert deepest[1] == pytest.approx(-0.15 - 0.06 - 2.0 * 0.2, abs=1e-6)


def cut(depth: float) -> tuple[Ground, Grid, Nodes, Bricks, Laid, int, np.ndarray]:
    """A pit of 8 × 8 columns that is to be cut."""
    ground, grid, nodes, tiles = field()
    nodes.zone[12:20, 12:20] = -depth
    nodes.flags[12:20, 12:20] |= NEEDED
    found = np.array([0, 0, grid.nx, -1, grid.ny, -1], np.int64)
    plan(nodes, grid, tiles, tiles, np.array([0.5 * RADIUS, -1.9]), found, np.zeros((1, 1), np.uint8))
    assert found[0] == 64
    bricks, laid, heights = bricks_of(brick_of("mixed"), RADIUS), laid_room(20_000), np.zeros(2)
    height_range(nodes, grid, found, 2, heights)
    return ground, grid, nodes, bricks, laid, lay(bricks, nodes, grid, found, heights, laid), tiles


def test_what_is_laid_are_the_grains_of_the_brick() -> None:
    _, grid, nodes, _, laid, many, _ = cut(0.3)
    low, high = np.array([-1.6, -1.6, -0.6]), np.array([1.6, 1.6, 0.0])
    origin = np.array([grid.x, grid.y, grid.z])
    every = grains_in(brick_of("mixed"), RADIUS, low, high, origin)
    known = {tuple(np.round(place, 6)): r for place, r in zip(every.position, every.radius, strict=True)}
    X, kind = laid.X[:many], laid.kind[:many]
    assert len({int(key) for key in laid.key[:many]}) == many
    for row in X:
        assert known[tuple(np.round(row[:3], 6))] == pytest.approx(row[3])
    new = np.array([surface_at.py_func(nodes.new, grid, x, y) for x, y in X[:, :2]])
    old = np.array([surface_at.py_func(nodes.old, grid, x, y) for x, y in X[:, :2]])
    free = kind == FREED
    assert (X[free, 2] >= new[free]).all()
    assert (X[free, 2] < old[free]).all()
    assert (X[~free, 2] < new[~free]).all()
    # as many as the volume holds, and a shell below it
    volume = 0.3 * (0.7**2 + 0.9**2 + 4 * 0.8**2) / 6  # slopes are a cell wide
    assert free.sum() == pytest.approx(volume * brick_of("mixed").density / RADIUS**3, rel=0.08)
    inner = (np.abs(X[:, :2] - 0.0) < 0.2).all(axis=1) & (kind == FACE)
    assert X[inner, 2].min() == pytest.approx(-0.3 - SHELL * RADIUS, abs=0.3 * RADIUS)


def test_columns_and_grains_exchange_whole_units() -> None:
    ground, grid, nodes, bricks, laid, many, tiles = cut(0.25)
    start = ground.mass_units()
    ground.open(np.ones((1, 1), np.bool_))
    action, soil, mass, total = (
        np.zeros(20_000, np.uint8), np.zeros(20_000, np.uint8), np.zeros(20_000), np.zeros(1),
    )  # fmt: skip
    room = 20_000
    rows = giving.SoilRows(
        np.zeros((room, 4), np.float32), np.zeros((room, 4), np.float32), np.zeros(room, np.int32),
        np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.uint8),
    )  # fmt: skip
    giving.weigh(ground.columns, bricks, grid, rows, 0, action, laid, many, soil, mass, total)
    giving.cut_columns(ground.columns, nodes, grid, tiles, ground.owed, np.zeros((1, 1), np.uint8))
    assert (nodes.flags[12:20, 12:20] & CUT).all()
    ground.changed(np.ones((1, 1), np.bool_))
    assert ground.mass_units() == start  # all of it is owed
    giving.share_out(
        rows, 0, action, laid, many, soil, mass, total, ground.mass_unit, ground.owed, np.array([3], np.int32)
    )
    given = int(rows.units[:many].sum())
    assert ground.mass_units() + given == start
    assert abs(int(ground.owed[0])) <= many
    free = laid.kind[:many] == FREED
    assert (rows.units[:many][~free] == 0).all()
    assert (rows.material[:many] == 3).all()
    np.testing.assert_allclose(1.0 / rows.V[:many, 3][free], rows.units[:many][free] * ground.mass_unit, rtol=1e-6)

    # and back: half of them, to the last unit, into columns that are lower than they lie
    rows.X[:many] = laid.X[:many]
    order = np.flatnonzero(free)[::2].astype(np.int32)
    order = order[np.argsort(rows.X[order, 2], kind="stable")]
    giving.turn_back(ground.columns, nodes, grid, rows, order, np.zeros(4, np.int32), np.array([1602.0]), -2)
    giving.renew_heights(ground.columns, nodes, grid, tiles)
    ground.changed(np.ones((1, 1), np.bool_))
    assert ground.mass_units() + int(rows.units[:many].sum()) == start
    assert (rows.key[order] == -2).all()
    height = ground.height()
    assert height[12:20, 12:20].mean() == pytest.approx(-0.125, abs=0.03)
    assert height[:10].max() < 0.01


def test_grains_that_ground_has_closed_over_become_ground() -> None:
    ground, grid, nodes, tiles = field()
    ground.open(np.ones((1, 1), np.bool_))
    start, looks, units = ground.mass_units(), 5, round(0.5 / ground.mass_unit)
    deep = (giving.SUNK + 0.5) * RADIUS
    nodes.old[8:, :] = -1.0  # a pit beside which the third lies: it may still fall
    nodes.flags[4, 14] |= HELD  # and a body is over the fourth
    x, y = (np.array([grid.x, grid.y]) + 0.1 * np.array([[4, 4], [4, 6], [7, 8], [4, 14], [4, 10]])).T
    rows = giving.SoilRows(
        np.column_stack([x, y, np.full(5, -deep), np.full(5, RADIUS)]).astype(np.float32),
        np.zeros((5, 4), np.float32), np.zeros(5, np.int32), np.full(5, units, np.int64), np.full(5, -1, np.int64),
        np.array([looks, looks - 1, looks, looks, looks], np.uint8),
    )  # fmt: skip
    rows.X[4, 2] = -0.5 * RADIUS  # the second moved just now, the last lies in the ground as all do
    found, touched = np.zeros(5, np.int32), np.zeros((1, 1), np.uint8)
    assert giving.find_back(nodes, grid, rows, 5, looks, touched, found) == 1
    assert found[0] == 0
    assert touched[0, 0]
    i, j = 4, 4
    before = ground.height().copy()
    for p in range(5):
        nodes.live[round((x[p] - grid.x) / 0.1), round((y[p] - grid.y) / 0.1)] += 1
    giving.turn_back(ground.columns, nodes, grid, rows, found[:1], np.zeros(4, np.int32), np.array([1602.0]), -2)
    giving.renew_heights(ground.columns, nodes, grid, tiles)
    ground.changed(np.ones((1, 1), np.bool_))
    assert ground.mass_units() == start + units
    assert rows.units[0] == 0
    grown = ground.height() - before
    assert grown[i - 1 : i + 2, j - 1 : j + 2].sum() == pytest.approx(grown.sum(), rel=1e-5)
    assert grown.sum() * 0.1 * 0.1 * 1602.0 == pytest.approx(0.5, rel=1e-4)


def within(mask: np.ndarray, reach: int) -> np.ndarray:
    """Columns that have one of the mask within so many."""
    wide = np.pad(mask, reach)
    n, m = mask.shape
    shifts = range(2 * reach + 1)
    return np.any([wide[a : a + n, b : b + m] for a in shifts for b in shifts], axis=0)


@pytest.mark.parametrize("seed", range(4))
def test_plans_over_many_tiles_are_those_of_each_column(seed: int) -> None:
    """What the kernel passes over, tile by tile, has nothing to change."""
    rng = np.random.default_rng(seed)
    ground = Ground(Terrain(size=(22.4, 19.2), cell=0.1, depth=2.0, soil="loam"), (0.0, 0.0, -9.81))
    grid = Grid(0.0, 0.0, 0.0, 0.1, 0.08, ground.nx, ground.ny, 2)
    nodes = nodes_of((ground.nx, ground.ny), ground.columns.height - np.float32(0.08))
    tiles = np.argwhere(np.ones(ground.tiles)).astype(np.int64, order="C")
    reset(nodes, grid, ground.columns, tiles)
    for name, many, wide in (("zone", 2, 9), ("rough", 3, 7), ("skin", 3, 5), ("live", 4, 12), ("need", 2, 4)):
        for _ in range(many):
            i, j = rng.integers(0, ground.nx - wide), rng.integers(0, ground.ny - wide)
            box = slice(i, i + wide), slice(j, j + wide)
            if name == "zone":
                nodes.zone[box] = -0.3
            elif name == "live":
                nodes.live[box] = 1
            elif name == "need":
                nodes.flags[box] |= NEEDED
            else:
                nodes.marks[box] |= ROUGH if name == "rough" else SKINNED
    edge = np.ones((ground.nx, ground.ny), bool)
    edge[2:-2, 2:-2] = False
    cut_away = (nodes.zone < -0.04) & ~edge
    live, rough = within(nodes.live > 0, 2), (nodes.marks & ROUGH) > 0
    rough_next = within(cut_away | ((nodes.flags & NEEDED) > 0), 2) | (rough & live)
    skin_next = ((nodes.marks & SKINNED) > 0) & live
    changes = cut_away | (rough_next != rough)
    near = rough_next & within(changes, 4)
    found, touched = np.array([0, 0, grid.nx, -1, grid.ny, -1], np.int64), np.zeros(ground.tiles, np.uint8)
    plan(nodes, grid, tiles, tiles, np.array([0.04, -1.9]), found, touched)
    for bit, wanted in ((CUT, cut_away), (ROUGH_NEXT, rough_next), (SKIN_NEXT, skin_next), (NEAR, near)):
        np.testing.assert_array_equal((nodes.flags & bit) > 0, wanted)
    box = [(int(k.min()), int(k.max())) for k in np.nonzero(near)]
    changed = changes | (skin_next != ((nodes.marks & SKINNED) > 0))
    assert found.tolist() == [cut_away.sum(), changed.sum(), *box[0], *box[1]]
    blocks = near.reshape(ground.tiles[0], 32, ground.tiles[1], 32).any(axis=(1, 3))
    np.testing.assert_array_equal(touched, blocks)


@pytest.mark.parametrize("way", [(0.3, 0.1, 0.0), (0.0, 0.0, 0.0), (0.1, -0.2, -0.3)])
def test_cones_reach_every_column_that_they_should(way: tuple[float, float, float]) -> None:
    """Beside a plain sum over all columns, on ground that rises ahead."""
    ground, grid, nodes, tiles = field()
    nodes.old[:] = np.linspace(0.0, 0.9, ground.nx, dtype=np.float32)[:, None]
    nodes.high[20:24, 4:9] = 1.2
    top = 0.9
    reach = ZoneReach(below=0.1, widths=0.0, bearing=0.0, ahead=0.6, side=1.7, down=1.2, span=1.0)
    nodes.edge[10, 14] = -0.05
    nodes.way[10, 14] = (way[0], way[1], 1.0 if way[2] < 0.0 else 0.0)
    down = float(nodes.way[10, 14, 2])
    spread(nodes, grid, reach, tiles, top, 0.0)
    x, y = np.meshgrid(0.1 * (np.arange(32) - 10), 0.1 * (np.arange(32) - 14), indexing="ij")
    o, v = np.hypot(x, y), math.hypot(way[0], way[1])
    side = 1.7 + down * (1.2 - 1.7)
    ahead = (x * way[0] + y * way[1] > 0.3 * o * v) & (v > 1e-6)
    cone = -0.15 + o * np.where(ahead, 0.6, side)
    needed = (cone < np.maximum(nodes.old, nodes.high) + 2.0 * RADIUS) & (cone < top + 2.0 * RADIUS)
    got = (nodes.flags & NEEDED) > 0
    np.testing.assert_array_equal(got[needed], True)
    assert not got[~needed & (cone > np.maximum(nodes.old, nodes.high) + 2.0 * RADIUS)].any()
    np.testing.assert_allclose(nodes.zone[needed], cone[needed], atol=1e-6)
