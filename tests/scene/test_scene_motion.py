"""Scripted motion: known poses, continuity, rigid rotations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.errors import SceneError
from windrow.scene import Keyframes, Linear, Obstacle, Oscillate, Sphere, Spin, pose_at, rotation_matrix


def obstacle(motion=None, position=(1.0, 2.0, 3.0), rotation_deg=(0.0, 0.0, 0.0)) -> Obstacle:
    return Obstacle(
        shape=Sphere(radius=1), material="a", position=position, rotation_deg=rotation_deg, motion=motion
    )


number = st.floats(-3, 3)
vector = st.tuples(number, number, number)
direction = vector.filter(lambda v: math.hypot(*v) > 0.1)
times = st.fixed_dictionaries({"start": st.floats(0, 2), "stop": st.floats(2, 4)})


@st.composite
def keyframes(draw) -> Keyframes:
    steps = draw(st.lists(st.floats(0.1, 1), min_size=1, max_size=4))
    rows = st.lists(vector, min_size=len(steps), max_size=len(steps))
    turns = draw(st.none() | rows)
    return Keyframes(
        time=np.cumsum(steps),
        position=draw(rows),
        rotation_deg=None if turns is None else 60 * np.array(turns),
        **draw(times),
    )


motions = st.one_of(
    st.builds(lambda v, t: Linear(velocity=v, **t), vector, times),
    st.builds(
        lambda a, r, c, t: Spin(axis=a, rate=r, center=c, **t), direction, number, st.none() | vector, times
    ),
    st.builds(
        lambda d, a, f, p, t: Oscillate(direction=d, amplitude=a, frequency=f, phase=p, **t),
        direction,
        st.floats(0, 1),
        st.floats(0, 2),
        number,
        times,
    ),
    keyframes(),
)


@given(motions, vector, vector, st.floats(-1, 8))
def test_poses_are_rigid_and_continuous(motion, position, rotation, t) -> None:
    thing = obstacle(motion, position, tuple(50 * r for r in rotation))
    # Speeds here are below 200 m/s and 60 rad/s: keyframes at most 11 m or 660° apart in 0.1 s.
    step = 1e-7
    x0, r0 = pose_at(thing, t)
    x1, r1 = pose_at(thing, t + step)
    assert np.allclose(r0 @ r0.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(r0) == pytest.approx(1)
    assert np.linalg.norm(x1 - x0) < 500 * step
    assert np.linalg.norm(r1 - r0) < 500 * step


@given(motions)
def test_it_rests_at_the_place_given_before_the_start_and_somewhere_after_the_stop(motion) -> None:
    thing = obstacle(motion)
    before = pose_at(thing, motion.start)
    if motion.kind != "keyframes":
        assert np.allclose(before[0], (1, 2, 3))
    assert all(np.array_equal(a, b) for a, b in zip(pose_at(thing, -5.0), before, strict=True))
    after = pose_at(thing, motion.stop)
    assert all(np.array_equal(a, b) for a, b in zip(pose_at(thing, 99.0), after, strict=True))


def test_known_poses() -> None:
    fixed = pose_at(obstacle(), 12.0)
    assert fixed[0].tolist() == [1, 2, 3]
    assert np.array_equal(fixed[1], np.eye(3))

    x, _ = pose_at(obstacle(Linear(velocity=(1, 0, -2), start=1.0, stop=3.0)), 2.5)
    assert np.allclose(x, (2.5, 2, 0))

    x, r = pose_at(obstacle(Spin(axis=(0, 0, 5), rate=math.pi / 2, center=(0, 2, 0))), 1.0)
    assert np.allclose(x, (0, 3, 3))
    assert np.allclose(r @ (1, 0, 0), (0, 1, 0))

    swing = Oscillate(direction=(0, 0, 2), amplitude=0.5, frequency=1.0, phase=math.pi / 2)
    assert np.allclose(pose_at(obstacle(swing), 0.5)[0], (1, 2, 2))

    path = Keyframes(
        time=[0, 1, 3],
        position=[[0, 0, 0], [1, 0, 0], [1, 4, 0]],
        rotation_deg=[[0, 0, 0], [0, 0, 90], [0, 0, 450]],
    )
    x, r = pose_at(obstacle(path, position=(0, 0, 0)), 2.0)
    assert np.allclose(x, (1, 2, 0))
    assert np.allclose(r @ (1, 0, 0), (0, -1, 0))  # half way from 90° to 450°


def test_rotation_vectors_turn_the_right_way() -> None:
    assert np.allclose(rotation_matrix((0, 0, math.pi / 2)) @ (1, 0, 0), (0, 1, 0))
    _, r = pose_at(obstacle(rotation_deg=(90, 0, 0)), 0.0)
    assert np.allclose(r @ (0, 0, 1), (0, -1, 0))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Linear(velocity=(1, 0, 0), start=2, stop=1), "before start"),
        (lambda: Keyframes(time=[0, 0], position=[[0, 0, 0]] * 2), "ascend"),
        (lambda: Keyframes(time=[0, 1], position=[[0, 0, 0]]), "one row per time"),
        (lambda: Spin(axis=(0, 0, 0), rate=1), "zero vector"),
        (lambda: Linear(velocity=(1, math.inf, 0)), "finite"),
    ],
)
def test_impossible_motions(make, words) -> None:
    with pytest.raises(SceneError, match=words):
        make()
