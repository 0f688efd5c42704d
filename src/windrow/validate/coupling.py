"""Grains and rigid bodies that push each other: momentum, weight, and bodies that grains move."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.geometry.terms import F64
from windrow.scene.bodies import Piece
from windrow.scene.files import load_scene
from windrow.scene.joints import CylinderJoint, Slider
from windrow.scene.scene import Scene
from windrow.scene.settings import NDEM, SolverSettings
from windrow.scene.shapes import Box
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario

G = 9.81
SPLIT: dict[str, Any] = {"mass_splitting": True, "iterations": 20}
"""Numbers of P² with which momentum is kept."""
RESTING = 2e-3
"""m/s, below which a body in sand rests"""
LONGEST = 6.0
"""s, after which it must; of forty starts that differ by rounding errors, none took more than 2.3 s to begin with it"""


def free_box(solver: SolverSettings) -> Scene:
    """Grains fly at a box of 50 kg that floats."""
    scene = Scene(gravity=(0, 0, 0), solver=solver)
    scene.add_material("rock", density=2600.0, friction_static=0.6)
    scene.add_block((-0.4, -0.4, 0.7), (0.8, 0.8, 0.3), 0.05, "rock", velocity=(0.3, 0.0, -2.0))
    scene.add_body("box", "rock", shapes=[Box(size=(1, 1, 0.2))], position=(0.1, 0, 0.5), mass=50.0)
    return scene


def bucket(
    mass: float,
    on_cylinder: bool,
    solver: SolverSettings,
    width: float = 1.0,
    fill: float = 0.45,
    radius: float = 0.04,
) -> Scene:
    """An open box `width` wide (m), on the ground or on a cylinder, and rock to `fill` (m) to fall into it."""
    scene = Scene(solver=solver)
    scene.add_material("rock", density=2600.0, friction_static=0.6)
    scene.add_plane((0, 0, 1), 0.0, "rock", name="floor")
    z, t, height = (1.0 if on_cylinder else 0.0), 0.1, fill + 0.35
    side, half = 0.5 * (width - t), 0.5 * width - t - 0.02
    shapes = [Piece(shape=Box(size=(width, width, t)), position=(0, 0, t / 2))]
    for x, y, size in (
        (side, 0.0, (t, width, height)),
        (-side, 0.0, (t, width, height)),
        (0.0, side, (width, t, height)),
        (0.0, -side, (width, t, height)),
    ):
        shapes.append(Piece(shape=Box(size=size), position=(x, y, 0.5 * height)))
    scene.add_body("bucket", "rock", shapes=shapes, position=(0, 0, z), mass=mass)
    if on_cylinder:
        scene.add_joint(Slider(name="guide", first="bucket", position=(0, 0, 1), axis=(0, 0, 1)))
        scene.add_joint(
            CylinderJoint(
                name="cylinder",
                first="bucket",
                positions=((0, 0, 1), (0, 0, 0)),
                area=0.01,
                pressure_limit=3e7,
                flow_limit=1e-3,
                range=(0.5, 2.0),
            )
        )
    scene.add_block((-half, -half, z + t + 0.02), (2 * half, 2 * half, fill), radius, "rock", jitter=0.1)
    return scene


def momentum(simulation: Simulation) -> F64:
    """(3,) of grains and bodies, kg m/s"""
    state, bodies = simulation.state, simulation.bodies
    assert bodies is not None
    mass = 1.0 / state.V[: state.count, 3].astype(np.float64)
    return np.asarray(mass @ state.V[: state.count, :3].astype(np.float64) + bodies.momentum())


def grain_mass(simulation: Simulation) -> float:
    """kg"""
    return float((1.0 / simulation.state.V[: simulation.state.count, 3].astype(np.float64)).sum())


def exchange() -> list[Result]:
    simulation = Simulation(free_box(NDEM()))
    before = momentum(simulation)
    simulation.run(0.5)
    change = float(np.abs(momentum(simulation) - before).max() / np.abs(before).max())
    return [Bound("change of momentum over the larger part of it", change, high=2e-5)]


def loads() -> list[Result]:
    """About 5 t of grains in buckets of 500 kg and of 20 kg on a hydraulic cylinder."""
    results: list[Result] = []
    for mass in (500.0, 20.0):
        simulation = Simulation(bucket(mass, True, NDEM(), width=1.6, fill=1.9, radius=0.06))
        simulation.run(3.0)
        assert simulation.bodies is not None
        forces, speeds = [], []
        for _ in range(60):
            simulation.step()
            forces.append(sum(simulation.bodies.joint("cylinder").along.values()))
            speeds.append(float(np.abs(simulation.bodies.velocity("bucket")).max()))
        grains = grain_mass(simulation)
        weight = (grains + mass) * G
        name = f"{grains / 1000:.2f} t in {mass:g} kg"
        results += [
            Check(f"{name}: force of the cylinder", float(np.mean(forces)), weight, 0.01 * weight, "N"),
            Bound(f"{name}: its spread over a second", float(np.ptp(forces)), high=0.01 * weight, unit="N"),
            Bound(f"{name}: greatest speed of the bucket", max(speeds), high=1e-3, unit="m/s"),
        ]
    return results


def figure_4() -> list[Result]:
    simulation = Simulation(load_scene("wheel_and_plank"))
    bodies = simulation.bodies
    assert bodies is not None
    simulation.run(2.0)
    turned, tilt = bodies.joint("axle").coordinate, bodies.joint("pivot").coordinate
    before = float(bodies.position("weight 1")[0])
    simulation.run(4.0)
    return [
        Bound("the wheel has turned after 2 s", turned, low=5.0, unit="rad"),
        Check("the plank is level after 2 s", float(np.degrees(tilt)), 0.0, 0.5, "°"),
        Check(
            "it has tipped to its stop after 6 s", _degrees(bodies.joint("pivot").coordinate), -32.0, 0.5, "°"
        ),
        Bound("a weight has slid down by", before - float(bodies.position("weight 1")[0]), low=0.3, unit="m"),
    ]


def _degrees(angle: float) -> float:
    return float(np.degrees(angle))


def carried_at_rest(simulation: Simulation, names: tuple[str, ...]) -> dict[str, float]:
    """Mean force upwards on each of the bodies over its weight, in the first half second in which all are slower than
    RESTING; not a number if there is none until LONGEST.

    When the last of them stops rolling is chance; that they stop is not. The mean force differs from the weight by the
    momentum that comes or goes meanwhile.
    """
    bodies, steps = simulation.bodies, round(0.5 / simulation.solver.dt)
    assert bodies is not None
    forces: list[list[float]] = []
    while len(forces) <= steps and simulation.time < LONGEST:
        simulation.step()
        forces.append([float(simulation.body(name)[0][2]) for name in names])
        if any(np.linalg.norm(bodies.velocity(name)[:3]) > RESTING for name in names):
            forces.clear()
    weight = [float(bodies.bodies.mass[bodies.bodies.index[name]]) * G for name in names]
    # the first of these steps stopped the last one that moved
    mean = np.mean(forces[1:], axis=0) if len(forces) > steps else np.full(len(names), np.nan)
    return dict(zip(names, (mean / weight).tolist(), strict=True))


def balls() -> list[Result]:
    simulation = Simulation(load_scene("ball_in_sand"))
    carried = carried_at_rest(simulation, ("cork", "oak", "iron"))
    bodies = simulation.bodies
    assert bodies is not None
    cork, oak, iron = (float(bodies.position(name)[2]) for name in carried)
    most = 2 * RESTING / 0.5 / G  # of the weight, from one end of the range of speeds to the other
    return [
        Bound("cork lies higher than oak by", cork - oak, low=0.01, unit="m"),
        Bound("oak lies higher than iron by", oak - iron, low=0.05, unit="m"),
        *(Check(f"{name}: force of the sand over its weight", carried[name], 1.0, most) for name in carried),
    ]


def gate() -> list[Result]:
    simulation = Simulation(load_scene("gate"))
    bodies = simulation.bodies
    assert bodies is not None
    simulation.run(0.5)
    shut = _degrees(bodies.joint("hinge").coordinate)
    simulation.run(2.0)
    return [
        Check("shut while the bin fills", shut, 0.0, 0.2, "°"),
        Bound("open by, when it is full", _degrees(bodies.joint("hinge").coordinate), low=4.0, unit="°"),
    ]


SCENARIOS = [
    Scenario(
        "coupling-momentum", "ndem", "what the grains lose a floating body gains, to rounding", exchange
    ),
    Scenario(
        "coupling-loads",
        "ndem",
        "the force of a cylinder under a load of grains is statics",
        loads,
        slow=True,
    ),
    Scenario("coupling-figure-4", "p2", "Holz 2014, figure 4: wheel, plank and weights", figure_4, slow=True),
    Scenario(
        "coupling-balls", "ndem", "balls rest in sand by their density; force = weight", balls, slow=True
    ),
    Scenario("coupling-gate", "ndem", "a gate opens when the load exceeds its brake", gate, slow=True),
]
