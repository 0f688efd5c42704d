"""A snapshot with a right SHA-256 and wrong contents ends in our own error, or in a run that goes on: never in a crash.

Compiled code checks no bounds. Every value of real snapshots is therefore altered in every way that a check may miss.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError, WindrowError
from windrow.record import save_snapshot
from windrow.scene import Box, Merging, Multibody, Sphere
from windrow.scene.joints import Hinge, VelocityMotor

STEPS = 5
SOLVERS = {
    "p2": wr.P2(),
    "p2 gauss-seidel": wr.P2(method="gauss_seidel"),
    "p2 splitting": wr.P2(mass_splitting=True),
    "ndem": wr.NDEM(),
    "ndem asleep": wr.NDEM(sleep_speed=0.02),
}
Case = tuple[str, Any]


def everything(solver: wr.P2 | wr.NDEM) -> wr.Scene:
    """Grains of two sizes and materials, a rope, an emitter, a sink; bodies at rest, in a pile, and on a hinge."""
    scene = wr.Scene(solver=solver, multibody=Multibody(merging=Merging()))
    scene.add_material("sand", density=1600.0, friction_static=0.5, stiffness=1e5, damping=150.0)
    scene.add_material("steel", density=7800.0, friction_static=0.3, stiffness=1e5, damping=150.0)
    scene.add_plane((0, 0, 1), 0.0, "sand", name="floor")
    scene.add_box((-0.6, 0, 0.2), (0.1, 1.0, 0.4), "steel", name="wall")
    scene.add_block(lower=(-0.5, -0.3, 0.01), size=(0.5, 0.5, 0.25), radius=0.04, material="sand")
    scene.add_block(lower=(0.05, -0.3, 0.01), size=(0.2, 0.2, 0.2), radius=0.09, material="steel")
    scene.add_rope((0.0, 0.5, 0.1), (0.3, 0.5, 0.1), segments=5, material="steel", radius=0.02)
    scene.add_emitter(Box(size=(0.2, 0.2, 0.1)), 0.03, "sand", position=(-0.2, 0, 1.0), rate=60.0, count=9)
    scene.add_sink(Box(size=(0.4, 0.4, 0.4)), position=(2.0, 0, 0))
    for k in range(3):
        scene.add_body(f"box {k}", "steel", shapes=[Box(size=(0.3,) * 3)], position=(1.0, 0, 0.15 + 0.3 * k))
    for k in range(2):
        plank = Box(size=(0.3, 0.3, 0.05))
        scene.add_body(f"plank {k}", "steel", shapes=[plank], position=(-0.25, -0.05, 0.4 + 0.05 * k))
    scene.add_body("wheel", "steel", shapes=[Sphere(radius=0.2)], position=(2, 0, 0.2))
    motor = VelocityMotor(speed=2.0, control="turn")
    scene.add_joint(Hinge(name="axle", first="wheel", position=(2, 0, 0.2), axis=(0, 1, 0), motor=motor))
    return scene


def taken_from(solver: str) -> dict[str, Any]:
    """A snapshot of a moment with contacts, sleepers and a group of bodies."""
    simulation = wr.Simulation(everything(SOLVERS[solver]), threads=1)
    simulation.control("turn", 0.5)
    simulation.run(2.0)
    assert simulation.bodies is not None
    simulation.bodies.merger.split(np.array([3, 4]))
    simulation.step()
    simulation.bodies.merger.join(np.array([3, 4]))
    assert simulation.bodies.merger.memory()["owner"][3] > simulation.bodies.merger.world
    return simulation.snapshot()


def altered(value: Any, thorough: bool) -> Iterator[Case]:
    """What a value may have become."""
    yield "text", "nonsense"
    if isinstance(value, str):
        yield from ((text[:9], text) for text in ("", "{}", "[]", "null", value[:-2], "[" * 100_000, "\0"))
        yield "a number", 7
    elif isinstance(value, int | float):
        yield from ((f"{other}", type(value)(other)) for other in (-1, 0, 2**31, 2**63, -(2**70)))
        yield "other type", float(value) if isinstance(value, int) else int(value)
        yield "an array", np.array(value)
        if isinstance(value, float):
            yield from ((f"{other}", other) for other in (np.nan, np.inf, 1e300))
    else:
        yield from _reshaped(value, thorough)
        yield from _retyped(value, thorough)
        yield from _revalued(value, thorough)


def _reshaped(value: np.ndarray, thorough: bool) -> Iterator[Case]:
    yield "one axis more", value[None]
    if value.ndim:
        yield "a row less", value[:-1]
        yield "twice", np.concatenate([value, value])
    if value.ndim and thorough:
        yield "empty", np.zeros(0, value.dtype)
        yield "flat", value.reshape(-1)[:-1]
        yield "a row more", np.concatenate([value, np.ones((1, *value.shape[1:]), value.dtype)])
        yield "no rows", value[:0]


def _retyped(value: np.ndarray, thorough: bool) -> Iterator[Case]:
    dtypes: list[Any] = [np.float64, np.float32, np.int64, np.uint8, ">i8", "S3"] if thorough else []
    for dtype in [*dtypes, np.complex128]:
        if value.dtype != dtype:
            with np.errstate(invalid="ignore"):
                cast = value.astype(dtype)
            yield f"as {np.dtype(dtype)}", cast


def _revalued(value: np.ndarray, thorough: bool) -> Iterator[Case]:
    numbers: list[Any]
    if value.dtype.kind == "f":
        numbers = [np.nan, np.inf, 1e30] + [-np.inf, -1.0, 0.0, np.finfo(value.dtype).max, 1e-30, 1e7] * thorough
    else:
        bounds = np.iinfo(value.dtype)
        wild = [bounds.min, bounds.max, -1, int(value.max(initial=0)) + 1]
        wild += [0, 1, value.shape[0] if value.ndim else 2, 1 << 20] * thorough
        numbers = [number for number in dict.fromkeys(wild) if bounds.min <= number <= bounds.max]
    for number in numbers:
        yield f"all {number}", np.full_like(value, number)
        places = {0, value.size // 2, value.size - 1} if thorough else {value.size // 2}
        for at in places if value.size else ():
            one = value.copy()
            one.flat[at] = number
            yield f"[{at}] = {number}", one


def outcome(snapshot: dict[str, Any], resettable: wr.Simulation, of_bodies: bool = False) -> str:
    """Restores or resets, and steps; anything but our own errors goes through."""
    try:
        simulation = wr.Simulation.restore(snapshot, threads=1)
    except WindrowError as error:
        with pytest.raises(WindrowError, match="snapshot"):
            resettable.reset(snapshot)
        return "refused" if "snapshot" in str(error) else f"refused without reason: {error}"
    for _ in range(STEPS):
        simulation.step()
    # absurd numbers of bodies leave traces in their workspace that a further reset would meet
    if resettable.fits(snapshot) and not of_bodies:
        _reset(resettable, snapshot, simulation)
    return "went on"


def _reset(resettable: wr.Simulation, snapshot: dict[str, Any], restored: wr.Simulation) -> None:
    """What is restored is also what a reset takes, but for a scene that is another one in its links."""
    try:
        resettable.reset(snapshot)
    except WindrowError as error:
        assert "links." in str(error) or "another capacity" in str(error)  # noqa: PT017
        return
    for _ in range(STEPS):
        resettable.step()
    assert resettable.hash() == restored.hash()


def check_all(snapshot: dict[str, Any], thorough: bool) -> None:
    outcomes = []
    resettable = wr.Simulation.restore(snapshot, threads=1)
    for name, value in snapshot.items():
        for what, other in altered(value, thorough):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    outcomes.append(outcome({**snapshot, name: other}, resettable, name.startswith("bodies.")))
            except Exception as error:
                raise AssertionError(f"{name}: {what}") from error
    assert set(outcomes) == {"refused", "went on"}
    assert outcomes.count("refused") > len(snapshot)


@pytest.mark.parametrize("solver", ["p2", "ndem asleep"])
def test_whatever_is_altered_is_refused_or_runs(solver: str) -> None:
    check_all(taken_from(solver), thorough=False)


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_whatever_is_altered_in_any_way_is_refused_or_runs(solver: str) -> None:
    check_all(taken_from(solver), thorough=True)


@pytest.mark.parametrize("solver", ["p2", "ndem"])
def test_what_is_missing_or_unknown_is_named(solver: str, tmp_path: Path) -> None:
    """Through a file, whose name is in the message as well."""
    snapshot, path = taken_from(solver), tmp_path / "now.h5"
    save_snapshot(path, snapshot)
    assert wr.Simulation.load(path, threads=1).hash() == wr.Simulation.restore(snapshot, threads=1).hash()
    for name in snapshot:
        save_snapshot(path, {key: value for key, value in snapshot.items() if key != name})
        short = name.partition(".")[2] or name
        with pytest.raises(FileFormatError, match=rf"now\.h5: .*{short} is missing; .*start the run again"):
            wr.Simulation.load(path)
    for part in ("", "state.", "memory.", "bodies.", "links."):
        save_snapshot(path, {**snapshot, f"{part}more": np.zeros(3)})
        with pytest.raises(FileFormatError, match="more does not belong there"):
            wr.Simulation.load(path)
