"""Soil in the bed of a truck, saved: it goes on to the bit, and what was altered is refused by name or runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.errors import FileFormatError, WindrowError
from windrow.sim.digging.beds import LOOKS, Beds
from windrow.sim.simulation import Simulation
from windrow.terrain.beds import Bed

STEPS = 8


def yard() -> wr.Scene:
    """A tipper on soil of two kinds, and a box that digs beside it."""
    scene = wr.Scene()
    scene.add_material("steel", density=7800.0, friction_static=0.3)
    layers = [{"soil": "loam", "thickness": 0.3}, {"soil": "dry_sand"}]
    scene.add_terrain((14.0, 10.0), 0.25, layers=layers, depth=1.2, grain_radius=0.1, most_grains=3000)
    motion = {"kind": "linear", "velocity": (0.5, 0.0, 0.0)}
    scene.add_box((-6.0, 4.0, 0.1), (0.1, 1.0, 0.6), "steel", name="blade", digs=True, motion=motion)
    scene.add_machine("tipper")
    return scene


def beds_of(simulation: Simulation) -> Beds:
    assert simulation._ground is not None
    assert simulation._ground.digging is not None
    return simulation._ground.digging.beds


def bed_of(simulation: Simulation) -> Bed:
    (bed,) = beds_of(simulation).beds
    return bed


def load(simulation: Simulation, tonnes: float = 5.0) -> None:
    """Puts soil of both kinds into the bed, more at one end, and takes it from what the ground owes."""
    beds, bed, ground = beds_of(simulation), bed_of(simulation), simulation.state.ground
    assert ground is not None
    many = bed.place.shape[0] * bed.place.shape[1]
    each = int(1e3 * tonnes / (2 * many) / ground.mass_unit)
    bed.units[:, :, 0] = each + np.arange(many).reshape(bed.place.shape)
    bed.units[:, :, 1] = each
    ground.owed[:] -= bed.units.sum(axis=(0, 1))
    beds._shape(simulation, 0)


def going(steps: int) -> Simulation:
    simulation = Simulation(yard(), threads=1)
    load(simulation)
    simulation.control("tip", 1.0)
    return stepped(simulation, steps)


def stepped(simulation: Simulation, steps: int) -> Simulation:
    for _ in range(steps):
        simulation.step()
    return simulation


@cache
def saved() -> dict[str, Any]:
    return going(STEPS).snapshot()


# --- restart ---------------------------------------------------------------------------------------------------------


def test_a_loaded_bed_goes_on_to_the_bit(tmp_path: Path) -> None:
    """While it lies, and while the bed tips and gives it back: restored, loaded from a file, and reset."""
    through = going(2)
    assert bed_of(through).loaded
    assert through.ledger["mass_error"] == 0.0
    resettable = Simulation(yard(), threads=1)
    released = False
    for steps in (4, 60, 150):
        stepped(through, steps)
        released |= not bed_of(through).loaded
        through.save(tmp_path / "now.h5")
        resettable.reset(through.snapshot())
        others = [Simulation.restore(through.snapshot(), threads=2), Simulation.load(tmp_path / "now.h5"), resettable]
        stepped(through, 5)
        for other in others:
            assert stepped(other, 5).hash() == through.hash()
            assert np.array_equal(bed_of(other).units, bed_of(through).units)
    assert released
    assert through.ledger["mass_error"] == 0.0


def test_a_reset_to_the_start_empties_the_bed() -> None:
    simulation = going(3)
    simulation.reset()
    fresh = Simulation(yard(), threads=1)
    assert not bed_of(simulation).loaded
    assert not beds_of(simulation).held.any()
    assert simulation.hash() == fresh.hash()
    assert stepped(simulation, 3).hash() == stepped(fresh, 3).hash()


# --- alterations -----------------------------------------------------------------------------------------------------


def altered(value: np.ndarray) -> Iterator[tuple[str, Any]]:
    """What the array may have become in shape, type, sign and size."""
    yield from (("text", "nonsense"), ("a number", 7), ("one axis more", value[None]), ("a row less", value[:-1]))
    yield from (("twice", np.concatenate([value, value])), ("empty", np.zeros(0, value.dtype)))
    for dtype in (np.float64, np.int32, np.uint64, np.complex128, "S3"):
        yield f"as {dtype}", value.astype(dtype)
    bounds = np.iinfo(value.dtype)
    for number in (bounds.min, bounds.max, -1, 0, LOOKS, 1 << 48):
        yield f"all {number}", np.full_like(value, number)
        for at in {0, value.size - 1}:
            one = value.copy()
            one.flat[at] = number
            yield f"[{at}] = {number}", one


@pytest.mark.parametrize("name", ["ground.bed_units", "ground.bed_calm", "tools.held"])
def test_what_is_altered_is_refused_by_name_or_runs(name: str) -> None:
    snapshot, refused = saved(), 0
    resettable = Simulation.restore(snapshot, threads=1)
    for what, other in altered(snapshot[name]):
        changed = {**snapshot, name: other}
        try:
            restored = Simulation.restore(changed, threads=1)
        except FileFormatError as error:
            assert name in str(error), what  # noqa: PT017
            with pytest.raises(WindrowError, match=name.replace(".", r"\.")):
                resettable.reset(changed)
            refused += 1
            continue
        resettable.reset(changed)
        assert stepped(restored, 2).hash() == stepped(resettable, 2).hash(), what
        assert np.isfinite(restored.state.V[: restored.state.count]).all()
    assert refused > 10


def test_a_bed_that_does_not_hold_what_its_truck_carries_is_refused() -> None:
    """One unit more, one from soil to soil, and numbers whose sum runs over, in the bed or in the account."""
    snapshot = saved()
    units, held = snapshot["ground.bed_units"], snapshot["tools.held"]
    bed = int(np.flatnonzero(held.any(axis=1))[0])
    more, mixed, wide = units.copy(), units.copy(), units.copy()
    more[0, 0] += 1
    mixed[0] += (1, -1)
    wide[:2, 0] += 1 << 62
    wide[2:4, 0] += 1 << 62
    account = held.copy()
    account[bed, 1] -= 1
    for name, other in (("ground.bed_units", more), ("ground.bed_units", mixed), ("tools.held", account)):
        with pytest.raises(FileFormatError, match=r"ground\.bed_units adds up to .* but tools\.held says"):
            Simulation.restore({**snapshot, name: other}, threads=1)
    with pytest.raises(FileFormatError, match=r"ground\.bed_units holds"):
        Simulation.restore({**snapshot, "ground.bed_units": wide}, threads=1)
