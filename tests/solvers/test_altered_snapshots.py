"""Snapshots of every solver whose contents were altered: refused, or computed with, and never a crash."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from alterations import altered
from solver_cases import SOLVERS, everything, stepped

import windrow as wr
from windrow.errors import FileFormatError, WindrowError
from windrow.record import save_snapshot


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest) -> str:
    return str(request.param)


SHORT = 2e-3
"""s"""


def in_short_steps(solver: str) -> wr.Scene:
    """`everything`, with a step that holds a few substeps instead of hundreds."""
    scene, settings = everything(solver), SOLVERS[solver]
    if settings.name in ("dem", "sph"):
        scene.solver = settings.model_copy(update={"dt": SHORT})
    return scene


def at_rest(solver: str) -> dict[str, Any]:
    """A snapshot of a moment with contacts, sleepers and a group of bodies.

    A solver that cuts steps into hundreds of substeps gets shorter steps: there are hundreds of snapshots to try.
    """
    simulation = wr.Simulation(in_short_steps(solver), threads=1)
    for name in simulation.controls:
        simulation.control(name, 0.5)
    simulation.run(2.0 if simulation.solver.dt > SHORT else 0.6)
    if simulation.bodies is not None:
        group = np.array([simulation.bodies.bodies.index[f"plank {k}"] for k in range(2)])
        merger = simulation.bodies.merger
        merger.split(group)
        simulation.step()
        merger.join(group)
        assert merger.memory()["owner"][group[0]] > merger.world
    return simulation.snapshot()


def outcome(snapshot: dict[str, Any], resettable: wr.Simulation, steps: int = 3) -> str:
    """Restores and resets, and steps; anything but our own errors goes through."""
    try:
        restored = wr.Simulation.restore(snapshot, threads=1)
    except WindrowError as error:
        with pytest.raises(WindrowError, match="snapshot"):
            resettable.reset(snapshot)
        return "refused" if "snapshot" in str(error) else f"refused without reason: {error}"
    stepped(restored, steps)
    if resettable.fits(snapshot):
        try:
            resettable.reset(snapshot)
        except WindrowError as error:  # restored it may be, as a scene that is another one in its links
            assert "links." in str(error) or "another capacity" in str(error)  # noqa: PT017
        else:
            assert stepped(resettable, steps).hash() == restored.hash()
    return "went on"


def alter_all(snapshot: dict[str, Any], thorough: bool, steps: int = 3) -> None:
    outcomes, resettable = [], wr.Simulation.restore(snapshot, threads=1)
    for name, value in snapshot.items():
        for what, other in altered(value, thorough):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    outcomes.append(outcome({**snapshot, name: other}, resettable, steps))
            except Exception as error:
                raise AssertionError(f"{name}: {what}") from error
    assert set(outcomes) == {"refused", "went on"}
    assert outcomes.count("refused") > len(snapshot)


QUICK = [name for name in SOLVERS if f"{name} asleep" not in SOLVERS and " " not in name.replace(" asleep", "")]
"""One of each solver: the one that has most in its snapshot."""


@pytest.mark.parametrize("solver", QUICK, indirect=True)
def test_whatever_is_altered_is_refused_or_runs(solver: str) -> None:
    """Compiled code checks no bounds. A snapshot with a right SHA-256 and wrong contents never ends in a crash, and
    never leaves a trace that a further reset would meet."""
    alter_all(at_rest(solver), thorough=False)


@pytest.mark.slow
def test_whatever_is_altered_in_any_way_is_refused_or_runs(solver: str) -> None:
    alter_all(at_rest(solver), thorough=True)


@pytest.mark.parametrize("solver", QUICK, indirect=True)
def test_what_is_missing_or_unknown_is_named(solver: str, tmp_path: Path) -> None:
    """Through a file, whose name is in the message as well."""
    simulation, path = wr.Simulation(in_short_steps(solver), threads=1), tmp_path / "now.h5"
    snapshot = stepped(simulation, 20).snapshot()
    for name in snapshot:
        save_snapshot(path, {key: value for key, value in snapshot.items() if key != name})
        short = name.partition(".")[2] or name
        with pytest.raises(FileFormatError, match=rf"now\.h5: .*{short} is missing; .*start the run again"):
            wr.Simulation.load(path)
    for part in ("", "state.", "memory.", "bodies.", "links."):
        save_snapshot(path, {**snapshot, f"{part}more": np.zeros(3)})
        with pytest.raises(FileFormatError, match="more does not belong there"):
            wr.Simulation.load(path)
