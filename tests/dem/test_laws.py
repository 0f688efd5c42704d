"""The laws as plain functions: closed forms, symmetry, and what they do at their limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from windrow.solvers.dem import laws
from windrow.solvers.dem.laws import ARRAYS, Law, Touch, contact
from windrow.solvers.dem.materials import damping_factor, restitution_of

NO_LIMIT = -np.inf
Vector = tuple[float, float, float]
NONE: Vector = (0.0, 0.0, 0.0)
Z: Vector = (0.0, 0.0, 1.0)
LAWS = [Law(hertz=hertz, resists=more, coheres=more) for hertz in (False, True) for more in (False, True)]


def pair(**columns: float) -> list[float]:
    row = [0.0] * laws.PAIR_COLUMNS
    row[laws.BRIDGE_WIDTH] = 1.0
    for name, value in columns.items():
        row[getattr(laws, name.upper())] = value
    return row


def touch(overlap: float = 1e-3, velocity: Vector = NONE, turning: Vector = NONE, normal: Vector = Z) -> Touch:
    return Touch(overlap, normal, velocity, turning, 0.025, 0.05, 2.5)


def test_hertz_gives_the_published_force() -> None:
    """R = 5 mm, E = 50 MPa, ν = 0.25, overlap of a hundredth of R between equal spheres: 0.62854 N."""
    modulus = 50e6 / (2.0 * (1.0 - 0.25**2))
    here = Touch(5e-5, Z, NONE, NONE, 2.5e-3, 5e-3, 1.0)
    force = contact(ARRAYS, Law(hertz=True), here, pair(stiffness=modulus), [0.0] * 4, 1e-6, NO_LIMIT).force
    assert force[2] == pytest.approx(0.62854, rel=1e-4)


def test_a_linear_spring_is_one() -> None:
    given = contact(ARRAYS, Law(), touch(), pair(stiffness=1e5, damping=30.0), [0.0] * 4, 1e-5, NO_LIMIT)
    assert given.force == pytest.approx((0.0, 0.0, 100.0))
    closing = touch(velocity=(0.0, 0.0, -2.0))
    given = contact(ARRAYS, Law(), closing, pair(stiffness=1e5, damping=30.0), [0.0] * 4, 1e-5, NO_LIMIT)
    assert given.force[2] == pytest.approx(160.0)


@pytest.mark.parametrize("hertz", [False, True])
@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("e", [0.1, 0.5, 0.9])
def test_a_collision_has_the_restitution_asked_for(hertz: bool, limited: bool, e: float) -> None:
    row = pair(stiffness=1e7 if hertz else 1e5, damping_ratio=damping_factor(e, hertz, limited))
    x, v, dt = 0.0, -1.0, 2e-6
    least = 0.0 if limited else NO_LIMIT
    while True:
        x += dt * v
        if x >= 0.0 and v > 0.0:
            break
        here = touch(overlap=-x, velocity=(0.0, 0.0, v))
        v += dt * 2.5 * float(contact(ARRAYS, Law(hertz=hertz), here, row, [0.0] * 4, dt, least).force[2])
    assert v == pytest.approx(e, rel=5e-3)
    if limited:
        assert restitution_of(damping_factor(e, hertz, True), hertz) == pytest.approx(e, rel=5e-3)


def test_friction_holds_up_to_the_static_limit_and_slides_with_the_kinetic_one() -> None:
    row = pair(stiffness=1e5, shear=3e4, static=0.5, kinetic=0.4)
    memory, dt = [0.0] * 4, 1e-4
    forces = []
    for _ in range(60):
        given = contact(ARRAYS, Law(), touch(velocity=(10.0, 0.0, 0.0)), row, memory, dt, NO_LIMIT)
        memory = given.memory
        forces.append(-given.force[0])
    assert forces[0] == pytest.approx(30.0)
    assert forces[1:] == pytest.approx([40.0] * 59)  # it slides, and goes on with 0.4 of 100 N
    assert memory[laws.STATE] < 0.0
    back = contact(ARRAYS, Law(), touch(velocity=(-10.0, 0.0, 0.0)), row, memory, dt, NO_LIMIT)
    assert back.memory[laws.STATE] > 0.0  # it holds again
    assert -back.force[0] == pytest.approx(10.0)


def test_a_spring_turns_with_the_contact() -> None:
    row = pair(stiffness=1e5, shear=3e4, static=10.0, kinetic=10.0)
    angle = 0.01
    turned = (math.sin(angle), 0.0, math.cos(angle))
    given = contact(ARRAYS, Law(), touch(normal=turned), row, [30.0, 0.0, 0.0, 3e4], 0.0, NO_LIMIT)
    assert laws.dot(given.sideways, turned) == pytest.approx(0.0, abs=1e-9)
    assert given.sideways[0] == pytest.approx(-30.0 * math.cos(angle) ** 2)


def test_rolling_and_twisting_are_resisted_up_to_their_limits() -> None:
    row = pair(stiffness=1e5, shear=3e4, rolling=0.1, twisting=0.2)
    law, memory = Law(resists=True), [0.0] * 8
    for _ in range(200):
        given = contact(ARRAYS, law, touch(turning=(0.0, 50.0, 80.0)), row, memory, 1e-4, NO_LIMIT)
        memory = given.memory
    assert given.couple[1] == pytest.approx(-0.1 * 100.0 * 0.025)
    assert given.couple[2] == pytest.approx(-0.2 * 100.0 * 0.025)


def test_what_holds_grains_together() -> None:
    apart = touch(overlap=-1e-4)
    law, live = Law(resists=True, coheres=True), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    row = pair(stiffness=1e5, shear=3e4, static=0.5, kinetic=0.5, adhesion=math.pi * 1000.0)
    area = math.pi * 0.005 * (0.1 - 0.005)
    assert contact(ARRAYS, law, apart, row, live, 1e-5, NO_LIMIT).force[2] == pytest.approx(-1000.0 * area)
    far = touch(overlap=-2e-3)
    assert contact(ARRAYS, law, far, row, live, 1e-5, NO_LIMIT).force[2] == 0.0
    volume = 1e-7
    wet = pair(bridge=4.0 * math.pi * 0.072, bridge_width=math.sqrt(0.5 * volume), bridge_reach=volume ** (1 / 3))
    s = 1e-4 * math.sqrt(0.05 / volume)  # Willett's equation for equal spheres of 0.05 m
    expected = 2.0 * math.pi * 0.05 * 0.072 / (1.0 + 1.05 * s + 2.5 * s * s)
    assert contact(ARRAYS, law, apart, wet, live, 1e-5, NO_LIMIT).force[2] == pytest.approx(-expected)
    assert laws.reach(ARRAYS, law, apart, wet) == pytest.approx(volume ** (1 / 3))


@pytest.mark.parametrize("law", LAWS)
def test_both_sides_see_the_same(law: Law) -> None:
    """From the other side all vectors are the opposite, to the bit; what rolling remembers is the same."""
    random = np.random.default_rng(1)
    row = pair(
        stiffness=1e6, shear=3e5, damping=5.0, damping_ratio=0.3, shear_damping=0.5, static=0.5, kinetic=0.4,
        rolling=0.1, twisting=0.1, adhesion=300.0, pull=2.0,
    )  # fmt: skip
    for _ in range(50):
        n = random.normal(size=3)
        n /= np.sqrt((n * n).sum())
        u, turning, shear = random.normal(size=(3, 3))
        memory = [*shear, 2e4, *random.normal(size=4)]
        here = touch(1e-3, tuple(u), tuple(turning), tuple(n))
        there = touch(1e-3, tuple(-u), tuple(-turning), tuple(-n))
        mine = contact(ARRAYS, law, here, row, memory[: law.memory], 1e-5, NO_LIMIT)
        other = [-memory[0], -memory[1], -memory[2], *memory[3:]]
        theirs = contact(ARRAYS, law, there, row, other[: law.memory], 1e-5, NO_LIMIT)
        np.testing.assert_array_equal(mine.force, -np.array(theirs.force))
        np.testing.assert_array_equal(mine.couple, -np.array(theirs.couple))


def test_crushed_grains_give_nothing_back() -> None:
    row = pair(stiffness=1e5)
    deep = touch(overlap=0.04)
    assert contact(ARRAYS, Law(), deep, row, [0.0] * 4, 0.0, NO_LIMIT).force[2] == pytest.approx(1e5 * 0.025)
    parting = touch(overlap=0.04, velocity=(0.0, 0.0, 1.0))
    assert contact(ARRAYS, Law(), parting, row, [0.0] * 4, 0.0, NO_LIMIT).force[2] == 0.0
