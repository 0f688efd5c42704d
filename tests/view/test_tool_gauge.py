"""What the station shows of a tool that digs: parts, the equation, the cut and the load."""

from __future__ import annotations

import numpy as np
import pytest

import windrow as wr
from windrow.view.workplace import Workplace


def test_a_digging_bucket_is_shown_with_its_load_and_the_equation() -> None:
    simulation = wr.Simulation(wr.load_scene("field_bucket"), threads=1)
    place = Workplace(simulation)
    while simulation.time < 3.0:
        simulation.step()
    told, tool = place.read(simulation)["tool"], simulation.tools["bucket"]
    assert told["fill"] == pytest.approx(tool.fill_factor, abs=1e-3)
    assert told["mass"] == pytest.approx(tool.payload, abs=0.01)
    assert told["depth"] > 0.1
    assert np.array(told["earthmoving"]) == pytest.approx(tool.earthmoving, abs=0.01)
    assert sum(np.array(part) for part in told["parts"].values()) == pytest.approx(np.array(told["force"]), abs=0.05)
    assert "cutting" in told["parts"]
    assert "grains" not in told["parts"]
