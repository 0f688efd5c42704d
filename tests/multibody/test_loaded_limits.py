"""A machine that only its load keeps at a limit: contacts and limit must agree which of them holds."""

from __future__ import annotations

import numpy as np

import windrow as wr
from windrow.solvers.multibody.stepper import MultibodyStepper


def test_weights_on_a_plank_at_its_stop_neither_sink_nor_creep() -> None:
    """Left alone, the plank would swing away from its stop; the weights press it there."""
    bodies = MultibodyStepper(wr.load_scene("wheel_and_plank"))
    for _ in range(240):
        bodies.step(1 / 60)
    assert abs(bodies.joint("pivot").coordinate) < 1e-5
    for name, x in (("weight 1", 1.55), ("weight 2", 1.95)):
        assert np.allclose(bodies.position(name), (x, 0.0, 1.08), atol=1e-3)
        assert np.abs(bodies.velocity(name)).max() < 1e-6
    weight = bodies.bodies.mass[2:].sum() * 9.81
    assert np.isclose(-bodies.contact_force("plank")[2], weight, rtol=1e-6)
