"""Windrow's DEM on S*(N) with LAMMPS' law, step and start: `python run_windrow_dem.py 20000 result.json`.

With `--substeps 16` sixteen steps are made at a time.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import settling
from run_windrow import settling_scene

import windrow as wr

DT = 1.2e-3


def main(count: int, result: str, threads: int, substeps: int) -> None:
    warnings.simplefilter("ignore")  # the step is longer than Windrow would choose
    scene = settling_scene(count, settling.FRICTION)
    simulation = wr.Simulation(scene, solver=wr.DEM(dt=substeps * DT, substeps=substeps), threads=threads)

    def advance(steps: int) -> None:
        for _ in range(round(steps / substeps)):
            simulation.step()

    times = settling.timed(advance, DT)
    particles = simulation.particles
    figures = settling.state_figures(particles.position, particles.velocity)
    figures["million_particle_steps_per_s"] = 1e-6 * count / (DT * times["wall_per_second"])
    Path(result).write_text(json.dumps(figures | times), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("result")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--substeps", type=int, default=1)
    main(**vars(parser.parse_args()))
