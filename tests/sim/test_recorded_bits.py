"""The same bits everywhere: states of every built-in scene, as they were recorded, on any number of threads.

`recorded_bits.json` has, for each target and scene, `hash()` after 200 steps and a short digest for each phase of each
step, so that a mismatch tells where it began. To record anew after a change of arithmetic:
`python tests/sim/test_recorded_bits.py`.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from windrow.kernel import TARGET
from windrow.scene import built_in_scenes, load_scene
from windrow.sim.simulation import Simulation
from windrow.sim.tracing import lines_of
from windrow.state.state import digest

STEPS = 200
FILE = Path(__file__).with_name("recorded_bits.json")
SHORT = 6
"""hexadecimal digits for a phase"""


def traced(name: str, threads: int) -> tuple[str, list[tuple[str, str]]]:
    """hash() at the end; and for each phase of each step its name and a digest of all there is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        simulation = Simulation(load_scene(name), threads=threads)
        phases = [(str(line), digest(line.arrays)[:SHORT]) for line in lines_of(simulation, STEPS)]
    return simulation.hash(), phases


def recorded() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    if TARGET not in known:
        pytest.skip(f"nothing is recorded for {TARGET}")
    return known[TARGET]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", built_in_scenes())
def test_scenes_have_the_recorded_bits(name: str, threads: int) -> None:
    known = recorded()[name]
    whole, phases = traced(name, threads)
    before = [known["phases"][k : k + SHORT] for k in range(0, len(known["phases"]), SHORT)]
    parted = next((where for (where, now), then in zip(phases, before, strict=True) if now != then), None)
    assert parted is None, f"{name} parts from its record at {parted}; `windrow trace-bits` names the arrays"
    assert whole == known["hash"]


if __name__ == "__main__":
    everything = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    everything[TARGET] = {}
    for scene in built_in_scenes():
        last, each = traced(scene, 2)
        everything[TARGET][scene] = {"hash": last, "phases": "".join(short for _, short in each)}
        print(scene, last[:16], flush=True)
    FILE.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")
