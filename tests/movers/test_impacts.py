"""Bodies that hit grains, and grains that are pinched: energy is bounded for every solver."""

from __future__ import annotations

import pytest

import windrow as wr
from windrow.validate.impacts import SOLVERS, Impact, fastest_pinched, pinched, spring_speed

HARD = [
    Impact("plank", 0.6, 20.0, "tilted", 0.75),
    Impact("plank", 0.01, 20.0, "tilted", 0.05),
    Impact("plank", 0.01, 100.0, "spinning", 0.3),
    Impact("plank", 0.1, 20.0, "spinning", 0.55),
    Impact("plank", 0.1, 100.0, "edge", 0.8),
    Impact("plank", 500.0, 20.0, "flat", 0.05),
    Impact("plank", 1e4, 1.0, "flat", 0.3),
    Impact("plank", 1e4, 100.0, "tilted", 0.55),
    Impact("ball", 0.01, 100.0, "spinning", 0.3),
    Impact("ball", 1.4, 50.0, "flat", 0.55),
]
"""Those that threw the body, or the grains, before exchange was bounded."""


@pytest.mark.parametrize("impact", HARD, ids=lambda i: f"{i.shape}-{i.mass:g}kg-{i.speed:g}m/s-{i.pose}")
@pytest.mark.parametrize("solver", SOLVERS)
def test_an_impact_gives_no_energy(solver: str, impact: Impact) -> None:
    assert impact.gain(SOLVERS[solver], steps=12) < 0.02


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_dropped_plank_stays_in_the_sand(solver: str) -> None:
    """Let go at rest from 2 m."""
    scene = Impact("plank", 0.6, 0.0, "tilted", 0.0).scene(SOLVERS[solver])
    body = scene.bodies[0]
    body.position = (0.0, 0.0, 2.0)
    simulation = wr.Simulation(scene, threads=1)
    simulation.run(1.2)
    assert simulation.bodies is not None
    assert abs(simulation.bodies.velocity("body")).max() < 20.0
    assert 0.1 < simulation.bodies.position("body")[2] < 1.0


@pytest.mark.parametrize("how", ["plates", "press", "tool"])
def test_pinched_grains_are_held_and_not_shot(how: str) -> None:
    fastest, held = fastest_pinched(wr.NDEM(), how)
    assert fastest < spring_speed()
    assert held > 100


def test_a_grain_is_free_again_when_it_has_room() -> None:
    scene = pinched(wr.NDEM(), "plates")
    for obstacle in scene.obstacles[-2:]:
        side = 1.0 if obstacle.position[0] > 0 else -1.0
        obstacle.motion = {  # type: ignore[assignment]
            "kind": "keyframes",
            "time": [0.0, 0.34, 0.68],
            "position": [(side * x, 0.0, 0.0) for x in (0.0, -0.34, 0.0)],
        }
    simulation = wr.Simulation(scene, threads=1)
    held = [simulation.step().notes["pinched"] for _ in range(60)]
    assert max(held) > 0
    assert held[-1] == 0
    assert simulation.particles.position[:, 2].max() < 10.0
