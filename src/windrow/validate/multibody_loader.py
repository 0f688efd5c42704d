"""A wheel loader and a heap of rocks: bucket filled and dumped, and the same heap with and without merging."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from windrow.geometry.terms import F64
from windrow.machines.loading import loading_operator
from windrow.machines.readings import payload
from windrow.machines.yard import rock_yard
from windrow.scene.bodies import Body, Piece
from windrow.scene.scene import Scene
from windrow.scene.shapes import Sphere
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.validate.check import Bound, Check, Result, Scenario

DT = 1 / 60
ROCKS = 500
SETTLE = 8.0
MOVED = 0.3
"""m: half a rock, from which on it counts as displaced"""
BALL_RADIUS = 0.57
"""m; 2 t of rock"""


def settled(scene: Scene, seconds: float = SETTLE) -> MultibodyStepper:
    bodies = MultibodyStepper(scene)
    if "brake" in bodies.joints.controls:
        bodies.control("brake", 1.0)
    for _ in range(round(seconds / DT)):
        bodies.step(DT)
    return bodies


def from_rest(make: Callable[[bool], Scene], merging: bool, start: MultibodyStepper) -> MultibodyStepper:
    """The scene as it stood in `start`, which did not merge, with all at rest."""
    bodies = MultibodyStepper(make(merging))
    state = {name: value for name, value in start.memory().items() if not name.startswith("merge_")}
    bodies.recall(bodies.memory() | state)
    bodies.motion.V[:] = 0.0
    if "brake" in bodies.joints.controls:
        bodies.control("brake", 1.0)
    for _ in range(round(2.0 / DT)):
        bodies.step(DT)
    return bodies


def displaced(bodies: MultibodyStepper, before: F64) -> int:
    return int((np.linalg.norm(bodies.motion.x[: len(before)] - before, axis=1) > MOVED).sum())


def heap_begin(bodies: MultibodyStepper) -> float:
    return float(np.percentile(bodies.motion.x[:ROCKS, 0], 2)) - 0.3


def loading() -> list[Result]:
    scene = rock_yard(ROCKS)
    bodies, tool = settled(scene), scene.placed_machines()[0].tool
    assert tool is not None
    operator, carried, unsolved = loading_operator(heap_begin(bodies)), 0.0, 0
    while not operator.finished:
        operator.act(bodies, DT)
        unsolved += bodies.step(DT).unsolved
        if operator.phase == "weigh":
            carried = payload(bodies, tool)
    left = payload(bodies, tool)
    return [
        Bound("payload at full height", carried / 1000, low=2.0, unit="t"),
        Bound("of it left in the bucket after dumping", 100 * left / max(carried, 1e-9), high=5.0, unit="%"),
        Bound("substeps whose joints were not solved", unsolved, high=0),
    ]


def dig(bodies: MultibodyStepper, begin: float) -> int:
    """Rocks displaced by one bucket that is filled and drawn back."""
    before, operator = bodies.motion.x[:ROCKS].copy(), loading_operator(begin)
    while operator.phase != "stop":
        operator.act(bodies, DT)
        bodies.step(DT)
    return displaced(bodies, before)


def with_ball(merging: bool) -> Scene:
    """The heap, and a ball of 2 t that falls on it from 6 m once it is let go."""
    scene = rock_yard(ROCKS, merging=merging, loader=False)
    middle = float(np.mean([body.position[0] for body in scene.bodies]))
    shapes = [Piece(shape=Sphere(radius=BALL_RADIUS))]
    scene.bodies.append(
        Body(name="ball", material="rock", mass=2000.0, position=(middle, 0.0, 8.0), shapes=shapes)
    )
    return scene


def hold_ball(bodies: MultibodyStepper) -> None:
    """An impulse that takes the ball's weight over the coming step."""
    bodies.push("ball", (0.0, 0.0, 2000.0 * 9.81 * DT))


def drop(merging: bool, start: MultibodyStepper) -> int:
    bodies = MultibodyStepper(with_ball(merging))
    state = {name: value for name, value in start.memory().items() if not name.startswith("merge_")}
    bodies.recall(bodies.memory() | state)
    bodies.motion.V[:] = 0.0
    for _ in range(round(2.0 / DT)):
        hold_ball(bodies)
        bodies.step(DT)
    before = bodies.motion.x[:ROCKS].copy()
    for _ in range(round(4.0 / DT)):
        bodies.step(DT)
    return int((np.linalg.norm(bodies.motion.x[:ROCKS] - before, axis=1) > 0.1).sum())


def merging_agrees() -> list[Result]:
    heights = {
        m: float(settled(rock_yard(ROCKS, merging=m)).motion.x[:ROCKS, 2].max()) for m in (False, True)
    }
    moved = {False: 0, True: 0}
    for seed in (0, 1):

        def make(merging: bool, seed: int = seed) -> Scene:
            return rock_yard(ROCKS, merging=merging, seed=seed)

        start = settled(make(False))
        for aside in (0.0, 0.05):
            for merging in (False, True):
                moved[merging] += dig(from_rest(make, merging, start), heap_begin(start) + aside)
    start = MultibodyStepper(with_ball(False))
    for _ in range(round(SETTLE / DT)):
        hold_ball(start)
        start.step(DT)
    hit = {merging: drop(merging, start) for merging in (False, True)}
    return [
        Check("height of the heap, merged", heights[True], heights[False], 0.02 * heights[False], "m"),
        Check("rocks that four digs displace, merged", moved[True], moved[False], 0.10 * moved[False]),
        Check("rocks that a ball of 2 t displaces, merged", hit[True], hit[False], 0.20 * hit[False]),
    ]


SCENARIOS = [
    Scenario(
        "multibody-loader",
        "bodies",
        "A wheel loader fills its bucket from 500 rocks of 0.6 m, lifts it and dumps; 1/60 s.",
        loading,
        slow=True,
    ),
    Scenario(
        "multibody-rocks",
        "bodies",
        "Merging bodies at rest changes nothing that counts: 500 rocks, expected values from runs without it.",
        merging_agrees,
        slow=True,
    ),
]
