"""Speed and memory of fine grains: 20 million of them on a pile of 38,000 particles that slumps."""

from __future__ import annotations

import resource
import sys
from time import perf_counter, process_time
from typing import Any

from windrow.bench.sph import FRAME
from windrow.detail.crowding import crowded
from windrow.detail.detail import Detail
from windrow.detail.planning import density_of, volume_of
from windrow.detail.regions import Region
from windrow.scene.settings import SPH
from windrow.sim.simulation import Simulation
from windrow.state.frame import Frame
from windrow.team import TEAM
from windrow.validate.sph_scenes import cone

PARTICLES = 38_000
FRAMES = 5
"""of 20 ms, each two steps of the grains"""


def slump(particles: int) -> tuple[Simulation, list[Frame]]:
    """A cone at 50° of sand of 30°, and frames of what comes of it."""
    d = (3.14159 * 1.19 / 3.0 / particles) ** (1.0 / 3.0)
    simulation = Simulation(cone(30.0, 50.0, d, radius=1.0).scene, solver=SPH(dt=FRAME))
    frames = [simulation.frame()]
    for _ in range(FRAMES):
        simulation.step()
        frames.append(simulation.frame())
    return simulation, frames


def detail_rows(threads: tuple[int, ...], grains: tuple[int, ...] = (20_000_000, 1_400_000)) -> list[dict[str, Any]]:
    """Time of a 10 ms step by threads, and bytes a grain; the paper: 9.6 s a frame of two steps on 12 cores."""
    simulation, frames = slump(PARTICLES)
    volume, coarse = volume_of(frames[0], Region(), frames[0].id[:0])
    rows: list[dict[str, Any]] = []
    for many in grains:
        for members in threads:
            TEAM.use(members)
            before, begin = _memory(), process_time()
            fine = Detail(simulation.scene, frames[0], density_of(volume, coarse, many), capacity=many)
            placing = process_time() - begin
            fine.follow(frames[1])
            steps, wall, spent = fine.steps, perf_counter(), process_time()
            for frame in frames[2:]:
                fine.follow(frame)
            steps, wall, spent = fine.steps - steps, perf_counter() - wall, process_time() - spent
            row: dict[str, Any] = {"grains": fine.count, "threads": members, "particles": coarse}
            row["step of 10 ms, s"] = wall / steps
            row["processor time of a step, s"] = spent / steps
            row["ns per grain and step"] = 1e9 * spent / steps / fine.count
            row["placing, processor s"] = placing
            columns = (*fine.grains, fine._sorter.order, fine._sorter.spare)
            row["bytes a grain, arrays"] = sum(column.nbytes for column in columns) / many
            # later ones use what earlier ones have left
            row["bytes a grain, peak of the process"] = (_memory() - before) / fine.count if not rows else "–"
            row["in cells over 1.3 of rest, %"] = 100.0 * crowded(fine)
            row["below ground"] = int((fine.grains.z[: fine.count] < 0.0).sum())
            rows.append(row)
            del fine
    return rows


def _memory() -> int:
    """Bytes of memory that the process has taken at most."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most
