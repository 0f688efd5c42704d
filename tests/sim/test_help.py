"""`help(wr.Simulation)` shows what a simulation has."""

from __future__ import annotations

import inspect
import pydoc

import windrow as wr
from windrow.sim.simulation import Simulation


def test_the_face_shows_the_class_itself() -> None:
    assert wr.Simulation is Simulation
    assert set(wr.__all__) <= set(dir(wr))
    assert "class Simulation(" in pydoc.render_doc(wr, renderer=pydoc.plaintext)


def test_all_that_is_public_is_described_and_shown_by_an_example() -> None:
    shown = inspect.getdoc(wr.Simulation) or ""
    inside = {name for name in vars(wr.Simulation) if not name.startswith("_")}
    undescribed = [name for name in inside if not inspect.getdoc(inspect.getattr_static(wr.Simulation, name))]
    assert undescribed == []
    inside |= set(inspect.get_annotations(wr.Simulation)) - {"_start"}
    solver_side = {"model", "state", "on_phase"}
    used = [f"sim.{name}" in shown or f"Simulation.{name}" in shown for name in sorted(inside - solver_side)]
    assert [name for name, is_used in zip(sorted(inside - solver_side), used, strict=True) if not is_used] == []
