"""No grain passes a wall thinner than its own step: 20 m/s against 5 mm, a third of a metre per step."""

from __future__ import annotations

import numpy as np
import pytest
from made_walls import DT, Grains, obstacle, sheet_mesh, table_of

from windrow.geometry.surface import triangles
from windrow.scene.motion import Linear, Spin
from windrow.scene.shapes import (
    Box,
    Cone,
    Cylinder,
    DistanceGrid,
    HeightField,
    Mesh,
    Plane,
    Revolution,
    Sphere,
)

SPEED = 20.0
THIN = 0.005
WIDE = 4.0


def slab_samples() -> DistanceGrid:
    """A thin slab as a distance function; two samples across its thickness, and only 5 mm wide."""
    high = np.broadcast_to(np.arange(-0.25, 0.2501, 0.0025), (3, 3, 201))
    return DistanceGrid(lower=(-0.0025, -0.0025, -0.25), spacing=0.0025, values=np.abs(high) - 0.5 * THIN)


def box_mesh(size: tuple[float, float, float]) -> Mesh:
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return Mesh(vertices=corners, faces=np.array([[q[0], q[k], q[k + 1]] for q in quads for k in (1, 2)]))


SHEETS = {
    "box": Box(size=(2 * WIDE, 2 * WIDE, THIN)),
    "open mesh, one quad": sheet_mesh(WIDE),
    "open mesh, many triangles": sheet_mesh(WIDE, 23),
    "closed thin mesh": box_mesh((2 * WIDE, 2 * WIDE, THIN)),
    "disc": Cylinder(radius=WIDE, height=THIN),
    "shell": Revolution(profile=[(0, 0), (WIDE, 0)]),
    "thick shell": Revolution(profile=[(0, 0), (1, 0), (WIDE, 0)], thickness=THIN),
    "flat cone": Cone(radius=WIDE, height=THIN, radius_top=WIDE),
    "ground": HeightField(size=(2 * WIDE, 2 * WIDE), heights=np.zeros((30, 21))),
}


def shower(count: int, seed: int) -> Grains:
    """Fast grains above z = 0 that fly down into it at all angles."""
    random = np.random.default_rng(seed)
    radius = 10 ** random.uniform(-3, -1.3, count)
    position = np.column_stack(
        [random.uniform(-1, 1, (count, 2)), radius + THIN + random.uniform(0, 0.3, count)]
    )
    velocity = random.normal(size=(count, 3))
    velocity[:, 2] = -np.abs(velocity[:, 2])
    velocity *= SPEED / np.linalg.norm(velocity, axis=1, keepdims=True)
    return Grains(position, velocity, radius)


@pytest.mark.parametrize("hardness", [1.0, 0.3], ids=["hard", "soft"])
@pytest.mark.parametrize("name", SHEETS)
def test_fast_grains_do_not_pass_a_thin_sheet(name, hardness):
    walls = [obstacle(SHEETS[name])]
    table = table_of(walls)
    grains = shower(150, 1)
    pushed = grains.velocity[:, 2].copy()
    for _ in range(6):
        grains.step(walls, table, hardness=hardness)
        assert (grains.position[:, 2] > 0).all()
        grains.velocity[:, 2] = pushed  # thrown at it again and again
    assert (grains.position[:, 2] > (hardness - 0.02) * grains.radius - THIN).all()


@pytest.mark.parametrize("name", [n for n in SHEETS if n != "ground"])
def test_from_below_too_and_turned_to_stand_upright(name):
    walls = [obstacle(SHEETS[name], rotation_deg=(0, 90, 0), position=(0.5, 0, 0))]
    table = table_of(walls)
    below = shower(100, 2)
    below.position = below.position[:, [2, 1, 0]] * [-1, 1, 1] + [0.5, 0, 0]
    below.velocity = below.velocity[:, [2, 1, 0]] * [-1, 1, 1]
    for _ in range(3):
        below.step(walls, table)
        assert (below.position[:, 0] < 0.5).all()


@pytest.mark.parametrize("name", SHEETS)
def test_a_fast_sheet_carries_resting_grains_along(name):
    walls = [obstacle(SHEETS[name], motion=Linear(velocity=(0, 0, SPEED)))]
    table = table_of(walls)
    grains = shower(100, 3)
    grains.velocity[:] = 0
    for k in range(4):
        grains.velocity[:] = 0
        grains.step(walls, table, time=k * DT)
        height = SPEED * (k + 1) * DT
        assert (grains.position[:, 2] > height).all()


def test_a_fast_blade_that_turns_takes_grains_along():
    blade = obstacle(Box(size=(2.0, THIN, 1.0)), motion=Spin(axis=(0, 0, 1), rate=20.0))
    table = table_of([blade])
    grains = Grains([[0.5, 0.05, 0.0], [0.9, 0.2, 0.1], [-0.7, -0.1, 0.0]], 0.0, 0.01)
    for k in range(3):
        grains.velocity[:] = 0
        grains.step([blade], table, time=k * DT)
        angle = 20.0 * (k + 1) * DT
        across = np.array([-np.sin(angle), np.cos(angle), 0.0])
        side = grains.position @ across
        assert side[0] > 0
        assert side[1] > 0
        assert side[2] < 0


def test_a_thin_ball_shell_keeps_what_is_inside_inside_and_what_is_outside_outside():
    angle = np.linspace(-np.pi / 2, np.pi / 2, 25)
    walls = [obstacle(Revolution(profile=np.column_stack([np.abs(np.cos(angle)), np.sin(angle)])))]
    table = table_of(walls)
    random = np.random.default_rng(4)
    direction = random.normal(size=(60, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    inner = Grains(0.6 * direction, SPEED * random.permutation(direction), 0.02)
    outer = Grains(1.2 * direction, -SPEED * direction, 0.02)
    for _ in range(5):
        inner.step(walls, table)
        outer.step(walls, table)
        assert (np.linalg.norm(inner.position, axis=1) < 1.0).all()
        assert (np.linalg.norm(outer.position, axis=1) > 0.97).all()
        inner.velocity = SPEED * random.permutation(direction)
        outer.velocity = -SPEED * outer.position / np.linalg.norm(outer.position, axis=1, keepdims=True)


@pytest.mark.parametrize(
    "shape", [Sphere(radius=0.02), Cylinder(radius=0.02, height=0.1), Box(size=(0.03, 0.04, 0.05))]
)
def test_a_small_solid_that_the_path_jumps_over_is_met_where_it_was_touched(shape):
    random = np.random.default_rng(5)
    direction = random.normal(size=(80, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    wall = obstacle(shape)
    vertices, _ = triangles(wall, ".", 1.0)
    start = 0.15 * direction
    grains = Grains(start, -SPEED * direction, 0.01)
    grains.step([wall], table_of([wall]))
    for i in range(80):
        ((nx, ny, nz, offset),) = grains.of(i)[0]
        normal = np.array([nx, ny, nz])
        # The plane has the grain's start in front of it and all of the solid behind it.
        assert normal @ start[i] - offset > 0.01
        assert (vertices @ normal - offset).max() < 1e-3
        assert normal @ grains.position[i] - offset > 0.0099


def test_samples_of_a_thin_slab_hold():
    walls = [obstacle(slab_samples())]
    table = table_of(walls)
    random = np.random.default_rng(6)
    position = np.column_stack([random.uniform(-0.002, 0.002, (50, 2)), random.uniform(0.02, 0.24, 50)])
    grains = Grains(position, (0, 0, -SPEED), 0.01)
    grains.step(walls, table)
    assert (grains.position[:, 2] > 0.009).all()


def test_a_stopped_grain_does_not_slide_through_the_next_wall():
    """A room of separate thin boxes: the straight path goes through one wall and misses the other."""
    room = [
        obstacle(Box(size=(THIN, 1.2, 1.0)), position=(0.1, -0.4, 0)),
        obstacle(Box(size=(1.1, THIN, 1.0)), position=(-0.45, 0.2, 0)),
    ]
    table = table_of(room)
    random = np.random.default_rng(7)
    angle = random.uniform(0.1, 1.4, 200)
    velocity = SPEED * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    grains = Grains(random.uniform(-0.05, 0.05, (200, 3)), velocity, 0.004)
    for _ in range(3):
        grains.step(room, table)
        assert (grains.position[:, 0] < 0.1).all()
        assert (grains.position[:, 1] < 0.2).all()
        grains.velocity = velocity


@pytest.mark.parametrize("as_mesh", [False, True], ids=["floor plane and box", "one closed mesh"])
def test_a_grain_that_slides_fast_over_a_floor_stops_at_the_wall(as_mesh):
    if as_mesh:
        # A floor and a thin wall on it in one open mesh.
        vertices = [
            [-2, -2, 0],
            [2, -2, 0],
            [2, 2, 0],
            [-2, 2, 0],
            [0.2, -2, 0],
            [0.2, 2, 0],
            [0.2, 2, 1],
            [0.2, -2, 1],
        ]
        faces = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]
        walls = [obstacle(Mesh(vertices=vertices, faces=faces))]
    else:
        walls = [obstacle(Plane()), obstacle(Box(size=(THIN, 4, 1)), position=(0.2, 0, 0.5))]
    table = table_of(walls)
    for r in (0.002, 0.02):
        grains = Grains([[-0.1, 0.0, r], [0.0, 0.3, r]], [SPEED, 0.0, -8.0], r)
        for _ in range(3):
            grains.step(walls, table)
            assert (grains.position[:, 0] < 0.2).all()
            assert (grains.position[:, 2] > 0).all()
            grains.velocity[:] = [SPEED, 1.0, -8.0]


@pytest.mark.parametrize("offset", [0.0, 0.004, 0.015])
def test_a_grain_does_not_fly_through_a_hole_smaller_than_itself(offset):
    plate = obstacle(Revolution(profile=[(0.02, 0.0), (1.0, 0.0)]))
    table = table_of([plate])
    grains = Grains([[offset, 0.0, 0.2]], [0.0, 0.0, -SPEED], 0.05)
    for _ in range(3):
        grains.step([plate], table)
        assert grains.position[0, 2] > 0
        grains.velocity[:] = [0, 0, -SPEED]
    through = Grains([[0.0, 0.0, 0.2]], [0.0, 0.0, -SPEED], 0.015)
    through.step([plate], table)
    assert through.position[0, 2] == pytest.approx(0.2 - SPEED * DT, abs=1e-6)
