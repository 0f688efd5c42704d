"""LIGGGHTS (Debian package) on S*(N), model hooke/stiffness: `python run_liggghts.py 2000 result.json [ranks]`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import settling

DT = 1.2e-3


def script(width: float, top: float) -> str:
    """Input that reads `grains`, runs both parts and writes `end`; stiffness and damping as LAMMPS has them."""
    half, steps, late = width / 2, *settling.parts(DT)
    rate = settling.damping() / (settling.MASS / 2)
    model = "gran model hooke/stiffness tangential history"
    wall = f"all wall/{model} primitive type 1"
    return f"""
units si
atom_style granular
boundary f f f
newton off
communicate single vel yes
region box block {-half - 0.1} {half + 0.1} {-half - 0.1} {half + 0.1} -0.1 {top} units box
read_data grains
neighbor 0.02 bin
neigh_modify delay 0
fix kn all property/global kn peratomtypepair 1 {settling.STIFFNESS}
fix kt all property/global kt peratomtypepair 1 {settling.STIFFNESS * 2 / 7}
fix gn all property/global gamman peratomtypepair 1 {rate}
fix gt all property/global gammat peratomtypepair 1 {rate / 2}
fix mu all property/global coefficientFriction peratomtypepair 1 {settling.FRICTION}
pair_style {model}
pair_coeff * *
timestep {DT}
fix gravity all gravity 9.81 vector 0 0 -1
fix move all nve/sphere
fix floor {wall} zplane 0
fix left {wall} xplane {-half}
fix right {wall} xplane {half}
fix front {wall} yplane {-half}
fix back {wall} yplane {half}
thermo 100000
run {steps}
run {late}
write_dump all custom end x y z vx vy vz modify format "%.9g %.9g %.9g %.9g %.9g %.9g"
"""


def grains_file(position: np.ndarray, velocity: np.ndarray, width: float, top: float) -> str:
    half = width / 2 + 0.1
    sphere = f"1 {2 * settling.RADIUS} {settling.DENSITY}"
    lines = ["grains", "", f"{len(position)} atoms", "1 atom types", ""]
    lines += [f"{-half} {half} xlo xhi", f"{-half} {half} ylo yhi", f"-0.1 {top} zlo zhi", "", "Atoms", ""]
    lines += [f"{n} {sphere} {x} {y} {z}" for n, (x, y, z) in enumerate(position, 1)]
    lines += ["", "Velocities", ""]
    lines += [f"{n} {x} {y} {z} 0 0 0" for n, (x, y, z) in enumerate(velocity, 1)]
    return "\n".join([*lines, ""])


def main(count: int, result: str, ranks: int = 2) -> None:
    position, velocity, width = settling.start(count)
    top = float(position[:, 2].max()) + 1.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "grains").write_text(grains_file(position, velocity, width, top), encoding="utf-8")
        (folder / "script").write_text(script(width, top), encoding="utf-8")
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)]
        done = subprocess.run(
            [*command, "liggghts", "-in", "script"], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        end = np.loadtxt(folder / "end", skiprows=9)
    early, late = map(float, re.findall(r"^Loop time of (\S+)", done.stdout, re.MULTILINE))
    settling.write(result, end[:, :3], end[:, 3:], settling.per_second(early, late))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:4]))
