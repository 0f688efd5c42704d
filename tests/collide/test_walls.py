"""Wall contacts: which are found, where, how they move, and that threads do not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_walls import DT, Grains, obstacle, poses, sheet_mesh, table_of

from windrow.collide.walls import WallContacts, find_walls
from windrow.geometry.query import distance_to_obstacles
from windrow.scene.motion import Linear, Spin
from windrow.scene.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    DistanceGrid,
    HeightField,
    Mesh,
    Plane,
    Revolution,
    Sphere,
)
from windrow.team import TEAM

MIXED = [
    obstacle(Plane(normal=(0, 0, 1), offset=-1.0)),
    obstacle(Plane(normal=(-1, 0, 0.2), offset=-1.2)),
    obstacle(Box(size=(0.4, 0.6, 0.3)), position=(0.5, 0.2, -0.5), rotation_deg=(20, 30, 0)),
    obstacle(Sphere(radius=0.3), position=(-0.6, 0.1, 0.2)),
    obstacle(Cylinder(radius=0.2, height=0.8), position=(-0.3, -0.7, -0.3), rotation_deg=(70, 0, 10)),
    obstacle(Capsule(radius=0.15, height=0.5), position=(0.3, -0.6, 0.4)),
    obstacle(Cone(radius=0.3, height=0.5), position=(0.7, 0.7, 0.1)),
    obstacle(Revolution(profile=[(0.5, 0.8), (0.1, 0.3)], thickness=0.02)),
    obstacle(sheet_mesh(0.5, 4), position=(-0.7, 0.6, -0.4), rotation_deg=(0, 40, 0)),
    obstacle(Box(size=(2.6, 2.6, 2.7)), inside=True),
]


def test_slow_grains_have_the_contacts_that_their_distance_says():
    table, r, margin = table_of(MIXED), 0.05, 0.01
    random = np.random.default_rng(1)
    position = random.uniform(-1.3, 1.3, (6000, 3))
    position = position[distance_to_obstacles(table, poses(MIXED, 0.0), position)[0] > 0.8 * r]
    n = len(position)
    grains = Grains(position, random.normal(0, 0.05, (n, 3)), r)
    P = grains.find(MIXED, table, margin=margin)
    gap = np.full((n, len(MIXED)), np.inf)
    for i in range(n):
        planes, slides, bodies = grains.of(i)
        assert (slides == 0).all()
        np.testing.assert_allclose(np.linalg.norm(planes[:, :3], axis=1), 1, atol=1e-6)
        for plane, s in zip(planes, bodies, strict=True):
            gap[i, s] = min(gap[i, s], plane[:3] @ P[i, :3] - plane[3] - r)
    for s in range(len(MIXED)):
        d, _ = distance_to_obstacles(table_of([MIXED[s]]), poses([MIXED[s]], 0.0), P[:, :3])
        touched = np.isfinite(gap[:, s])
        sure = np.abs(d - r - margin) > 1e-5
        assert ((d < r + margin) == touched)[sure].all()
        assert touched.sum() > 5
        np.testing.assert_allclose(gap[touched, s], d[touched] - r, atol=2e-6)


def test_results_do_not_depend_on_threads():
    table = table_of(MIXED)
    found = []
    for threads in (1, 2):
        TEAM.use(threads)
        random = np.random.default_rng(2)
        grains = Grains(random.uniform(-1.3, 1.3, (3000, 3)), random.normal(0, 8, (3000, 3)), 0.04)
        grains.find(MIXED, table, margin=0.01)
        C = grains.contacts
        used = np.concatenate([np.arange(a, b) for a, b in zip(C.start[:-1], C.end, strict=True)])
        found.append([C.start, C.end, C.plane[used], C.slide[used], C.body[used], C.pair[used]])
    TEAM.use(2)
    for one, two in zip(*found, strict=True):
        assert one.tobytes() == two.tobytes()
    assert len(found[0][2]) > 1000


@pytest.mark.parametrize(
    ("shape", "place", "expected"),
    [
        (Box(size=(2, 2, 2)), (0.95, 0.95, 0.95), {(-1, 0, 0), (0, -1, 0), (0, 0, -1)}),
        (Box(size=(2, 2, 2)), (0.95, 0.0, -0.95), {(-1, 0, 0), (0, 0, 1)}),
        (Box(size=(2, 2, 2)), (0.0, 0.0, -0.95), {(0, 0, 1)}),
        (Cylinder(radius=1, height=2), (0.0, 0.95, -0.95), {(0, -1, 0), (0, 0, 1)}),
        (Sphere(radius=1), (0.0, 0.0, -0.95), {(0, 0, 1)}),
        (Capsule(radius=1, height=1), (-0.95, 0.0, 0.2), {(1, 0, 0)}),
        (Cone(radius=1, height=2, radius_top=1), (0.95, 0.0, 1.95), {(-1, 0, 0), (0, 0, -1)}),
    ],
)
def test_a_container_touches_at_every_wall_of_the_corner(shape, place, expected):
    walls = [obstacle(shape, inside=True)]
    grains = Grains([place], 0.0, 0.05)
    grains.find(walls, table_of(walls))
    planes, _, _ = grains.of(0)
    assert {tuple(int(v) for v in np.round(p)) for p in planes[:, :3]} == expected
    assert len(planes) == len(expected)
    np.testing.assert_allclose(planes[:, :3] @ place - planes[:, 3], 0.05, atol=1e-6)


def test_a_grain_in_the_tip_of_a_cone_rests_on_both_sides_of_it():
    walls = [obstacle(Cone(radius=0, radius_top=1, height=1), inside=True)]
    r = 0.05
    grains = Grains([[0.001, 0.0, np.sqrt(2) * r]], 0.0, r)
    grains.find(walls, table_of(walls), margin=0.2 * r)
    planes, _, _ = grains.of(0)
    assert len(planes) == 2
    assert planes[:, 0].min() < -0.5
    assert planes[:, 0].max() > 0.5


def room_mesh(cuts: int) -> Mesh:
    """The corner of a room, floor and two walls, each of 2·cuts² triangles."""
    flat = sheet_mesh(1.0, cuts)
    vertices, faces = np.asarray(flat.vertices) + np.array([1, 1, 0]), np.asarray(flat.faces)
    parts = [vertices, vertices[:, [0, 2, 1]], vertices[:, [2, 0, 1]]]
    return Mesh(vertices=np.vstack(parts), faces=np.vstack([faces + k * len(vertices) for k in range(3)]))


@pytest.mark.parametrize("cuts", [1, 7])
@settings(max_examples=60, deadline=None)
@given(x=st.floats(0.05, 1.9), y=st.floats(0.05, 1.9), z=st.floats(0.05, 1.9))
def test_a_concave_mesh_gives_one_contact_per_wall_and_a_flat_one_no_more(cuts, x, y, z):
    walls = [obstacle(room_mesh(cuts))]
    r, margin = 0.05, 0.01
    grains = Grains([[x, y, z]], 0.0, r)
    grains.find(walls, table_of(walls), margin=margin)
    planes, _, _ = grains.of(0)
    near = [k for k, v in enumerate((z, y, x)) if v < r + margin - 1e-6]
    sure = all(abs(v - r - margin) > 1e-6 for v in (x, y, z))
    expected = {(0, 0, 1), (0, 1, 0), (1, 0, 0)}
    got = [tuple(round(float(v)) for v in p[:3]) for p in planes]
    assert set(got) <= expected
    if sure:
        assert len(got) == len(near)


def test_a_solid_concave_mesh_and_the_ground_give_two_contacts_in_a_groove():
    slope = np.abs(np.linspace(-1, 1, 21))[:, None] * np.ones((1, 11))
    ground = [obstacle(HeightField(size=(2, 1), heights=slope))]
    r = 0.08
    grains = Grains([[0.0, 0.02, np.sqrt(2) * r]], 0.0, r)
    grains.find(ground, table_of(ground))
    planes, _, _ = grains.of(0)
    np.testing.assert_allclose(np.sort(planes[:, 0]), [-np.sqrt(0.5), np.sqrt(0.5)], atol=1e-5)


def test_beyond_the_edge_of_the_ground_there_is_nothing():
    ground = [obstacle(HeightField(size=(2, 2), heights=np.zeros((5, 5))))]
    grains = Grains([[1.01, 0, 0.0], [0.99, 0, 0.0], [1.2, 0.0, -0.5], [0.5, 0.5, -3.0]], 0.0, 0.1)
    grains.find(ground, table_of(ground))
    assert [len(grains.of(i)[0]) for i in range(4)] == [0, 1, 0, 0]


def test_a_grain_in_a_narrow_neck_rests_on_both_sides():
    funnel = [obstacle(Revolution(profile=[(1, 1), (0.02, 0.02), (0.02, -0.5)]))]
    r = 0.05
    grains = Grains([[1e-4, 0, np.sqrt(2) * r]], 0.0, r)
    grains.find(funnel, table_of(funnel))
    planes, _, _ = grains.of(0)
    assert len(planes) >= 2
    assert planes[:, 0].min() < -0.5
    assert planes[:, 0].max() > 0.5


def test_samples_of_a_groove_hold_on_the_side_of_the_start_too():
    axis = np.linspace(-1, 1, 41)
    x, _, z = np.meshgrid(axis, axis, axis, indexing="ij")
    grid = DistanceGrid(lower=(-1, -1, -1), spacing=0.05, values=(z - np.abs(x)) / np.sqrt(2))
    walls = [obstacle(grid)]
    r = 0.1
    grains = Grains([[-0.004, 0, np.sqrt(2) * r]], [0.5, 0, 0], r)
    grains.find(walls, table_of(walls), margin=0.1 * r)
    planes, _, _ = grains.of(0)
    assert len(planes) == 2
    assert planes[:, 0].min() < -0.4
    assert planes[:, 0].max() > 0.4


def test_slide_is_the_motion_of_the_surface_point():
    walls = [
        obstacle(Plane(), motion=Linear(velocity=(1, 2, 0.5))),
        obstacle(
            Box(size=(2, 2, 0.2)), position=(0.5, 0, 0), rotation_deg=(0, 0, 30),
            motion=Spin(axis=(0, 0, 1), rate=3.0, center=(0, 0, 0)),
        ),
    ]  # fmt: skip
    grains = Grains([[0.3, 0.4, 0.149]], 0.0, 0.05)
    grains.find(walls, table_of(walls), time=0.2, margin=0.1)
    planes, slides, bodies = grains.of(0)
    by_body = {int(b): (p, s) for p, s, b in zip(planes, slides, bodies, strict=True)}
    np.testing.assert_allclose(by_body[0][1][:3], np.array([1, 2, 0.5]) * DT, atol=1e-6)
    plane, slide = by_body[1]
    point = np.array([0.3, 0.4, 0.1])
    angle = 3.0 * DT
    turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    np.testing.assert_allclose(slide[:3], point - turn @ point, atol=1e-6)
    np.testing.assert_allclose(plane[:3], [0, 0, 1], atol=1e-6)


def test_pair_is_the_row_of_grain_and_wall_material():
    from windrow.geometry.table import shape_table

    walls = [obstacle(Plane()), obstacle(Sphere(radius=0.5), position=(0, 0, -0.5))]
    walls[1].material = "steel"
    table = shape_table(walls, {"m": 1, "steel": 2}, ".")
    X = np.array([[0, 0, 0.04, 0.05], [3, 0, 0.04, 0.05]], np.float32)
    P = np.zeros((2, 8), np.float32)
    P[:, :4] = X
    C = WallContacts(2)
    where = poses(walls, 0.0)
    find_walls(X, P, np.array([0, 2], np.int32), 2, table, where, where, 0.01, 3, C)
    assert sorted(C.pair[C.start[0] : C.end[0]].tolist()) == [1, 2]
    assert C.pair[C.start[1] : C.end[1]].tolist() == [2 * 3 + 1]


def test_buffers_grow_and_count_tells_the_contacts():
    walls = [obstacle(Plane()), obstacle(Box(size=(100, 100, 1)), position=(0, 0, -0.5))]
    random = np.random.default_rng(3)
    position = np.column_stack([random.uniform(-9, 9, (3000, 2)), np.full(3000, 0.05)])
    grains = Grains(position, 0.0, 0.05)
    grains.find(walls, table_of(walls))
    assert grains.contacts.count(3000) == 6000
    assert len(grains.contacts.body) >= 6000


def test_nothing_to_meet_and_nobody_to_meet_it():
    C = WallContacts(4)
    X, P = np.zeros((4, 4), np.float32), np.zeros((4, 8), np.float32)
    nothing = np.zeros((0, 12))
    find_walls(X, P, np.zeros(4, np.int32), 4, table_of([]), nothing, nothing, 0.1, 1, C)
    assert C.count(4) == 0
    walls = [obstacle(Plane())]
    find_walls(X, P, np.zeros(4, np.int32), 0, table_of(walls), poses(walls, 0), poses(walls, 0), 0.1, 1, C)
    assert C.count(0) == 0


def test_positions_that_are_not_numbers_meet_nothing_and_harm_nobody():
    axis = np.linspace(-1, 1, 5)
    x, y, z = np.meshgrid(axis, axis, axis, indexing="ij")
    walls = [
        *MIXED,
        obstacle(
            DistanceGrid(lower=(-1, -1, -1), spacing=0.5, values=np.sqrt(x * x + y * y + z * z) - 0.9),
            inside=True,
        ),
        obstacle(HeightField(size=(2, 2), heights=np.zeros((4, 4)))),
    ]
    table = table_of(walls)
    clean = Grains([[0.1, 0.2, 0.03], [0.0, 0.0, 0.04]], 0.0, 0.05)
    P = clean.find(walls, table)
    X = np.zeros((6, 4), np.float32)
    Q = np.zeros((6, 8), np.float32)
    X[:2], Q[:2] = P[:, :4], P
    for k, bad in enumerate(
        [(np.nan, np.nan, np.nan), (np.inf, 0, 0), (0, -np.inf, np.nan), (1e30, 1e30, -1e30)]
    ):
        Q[2 + k, :3], Q[2 + k, 3] = bad, 0.05
    where = poses(walls, 0.0)
    C = WallContacts(6)
    find_walls(X, Q, np.zeros(6, np.int32), 6, table, where, where, 1e-3, 1, C)
    assert C.end[2] == C.start[2]
    assert C.end[4] == C.start[4]
    for i in range(2):
        mine, expected = C.plane[C.start[i] : C.end[i]], clean.of(i)[0]
        assert sorted(map(tuple, mine)) == sorted(map(tuple, expected))


def test_planes_alone_give_the_contacts_they_give_beside_other_obstacles():
    planes = [*MIXED[:2], obstacle(Plane(normal=(0, 1, 0.3), offset=-0.9), motion=Linear(velocity=(0, 1, 0)))]
    random = np.random.default_rng(4)
    position = random.uniform(-1, 1, (2000, 3))
    tables = [table_of(planes), table_of([*planes, obstacle(Sphere(radius=0.01), position=(0, 0, 0))])]
    alone, beside = (Grains(position, 0.0, 0.05) for _ in range(2))
    alone.find(planes, tables[0], margin=0.01)
    beside.find([*planes, obstacle(Sphere(radius=0.01))], tables[1], margin=0.01)
    assert alone.contacts.count(2000) > 200
    for i in range(2000):
        mine, theirs = alone.of(i), beside.of(i)
        other = theirs[2] < len(planes)
        np.testing.assert_array_equal(mine[2], theirs[2][other])
        np.testing.assert_allclose(mine[0], theirs[0][other], atol=1e-6)
        np.testing.assert_allclose(mine[1], theirs[1][other], atol=1e-6)
