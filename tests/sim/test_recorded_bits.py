"""The same bits everywhere: states of every built-in scene, as they were recorded, on any number of threads.

`recorded_bits.json` has, for each target and scene, `hash()` after 200 steps and a short digest for each phase of each
step, so that a mismatch tells where it began. To record anew after a change of arithmetic:
`python tests/sim/test_recorded_bits.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
SHORTER = {"hourglass": 30, "slug": 30, "sand_pile_sph": 50, "wet_and_dry_sph": 50}
"""Steps of the largest scenes; all 200 of them are a slow test."""
FILE = Path(__file__).with_name("recorded_bits.json")
LINE = 96
SHORT = 6
"""hexadecimal digits for a phase"""


def traced(name: str, threads: int, steps: int = STEPS) -> tuple[str, list[tuple[str, str]]]:
    """hash() at the end; and for each phase of each step its name and a digest of all there is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        simulation = Simulation(load_scene(name), threads=threads)
        phases = [(str(line), digest(line.arrays)[:SHORT]) for line in lines_of(simulation, steps)]
    return simulation.hash(), phases


def recorded() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    if TARGET not in known:
        pytest.skip(f"nothing is recorded for {TARGET}")
    return known[TARGET]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", built_in_scenes())
def test_scenes_have_the_recorded_bits(name: str, threads: int) -> None:
    compare(name, threads, SHORTER.get(name, STEPS))


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", SHORTER)
def test_large_scenes_have_the_recorded_bits_to_the_end(name: str, threads: int) -> None:
    compare(name, threads, STEPS)


def compare(name: str, threads: int, steps: int) -> None:
    known = recorded()[name]
    whole, phases = traced(name, threads, steps)
    digits = "".join(known["phases"])
    before = [digits[k : k + SHORT] for k in range(0, len(digits), SHORT)]
    parted = next((where for (where, now), then in zip(phases, before, strict=steps == STEPS) if now != then), None)
    assert parted is None, f"{name} parts from its record at {parted}; `windrow trace-bits` names the arrays"
    assert whole == known["hash"] or steps < STEPS


OTHER_WAYS = [
    {"NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR"},
    {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX2 FMA3"},
    {"OPENBLAS_CORETYPE": "Haswell"},
    {"OPENBLAS_CORETYPE": "Prescott", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"},
]
"""as other processors would choose in NumPy, BLAS and the C library"""
ONE_OF_EACH = ("ball_in_sand", "cloth", "loader_rocks", "pile")
CHECK = """
import json, sys, warnings
warnings.simplefilter("ignore")
import windrow as wr
numbers = {}
for name in sys.argv[1:]:
    simulation = wr.Simulation(wr.load_scene(name), threads=2)
    for _ in range(200):
        simulation.step()
    numbers[name] = simulation.hash()
print("told:", json.dumps(numbers))
"""


@pytest.mark.parametrize("setting", OTHER_WAYS, ids=lambda setting: "+".join(setting))
def test_bits_do_not_depend_on_what_libraries_choose(setting: dict[str, str]) -> None:
    """Also when Numba has compiled for this very machine before Windrow comes."""
    known = recorded()
    before = "import numba\nnumba.njit(lambda x: x + 1.0)(1.0)\n" if "NPY_DISABLE_CPU_FEATURES" in setting else ""
    done = subprocess.run(
        [sys.executable, "-c", before + CHECK, *ONE_OF_EACH],
        env={**os.environ, **setting},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.split("told:")[1]) == {name: known[name]["hash"] for name in ONE_OF_EACH}


if __name__ == "__main__":
    everything = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    everything[TARGET] = {}
    for scene in built_in_scenes():
        last, each = traced(scene, 2)
        digits = "".join(short for _, short in each)
        lines = [digits[k : k + LINE] for k in range(0, len(digits), LINE)]
        everything[TARGET][scene] = {"hash": last, "phases": lines}
        print(scene, last[:16], flush=True)
    FILE.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")
