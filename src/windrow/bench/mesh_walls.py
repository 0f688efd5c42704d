"""Meshes as walls of DEM: triangles beside a distance grid, in one run, with what the grid gets wrong."""

from __future__ import annotations

from time import process_time
from typing import Any, Literal

import numpy as np

from windrow.geometry.mesh_grid import surface_error
from windrow.scene import DEM, Mesh, Scene, Spin
from windrow.sim.simulation import Simulation

RADIUS = 0.5
"""m, of the drum"""
SETTLING, STEPS = 80, 30
"""steps until grains lie on the wall, and steps that are timed"""


def ball(subdivisions: int) -> Any:
    import trimesh

    return trimesh.creation.icosphere(subdivisions=subdivisions, radius=RADIUS)


def drum(mesh: Any, distance: Literal["mesh", "grid"]) -> Scene:
    """A hollow ball that turns, with grains in it."""
    scene = Scene()
    scene.add_material("sand", density=2500.0, stiffness=1e5, restitution=0.5, friction_static=0.5)
    turning = Spin(axis=(0.0, 1.0, 0.0), rate=2.0)
    scene.add_mesh(mesh, "sand", inside=True, distance=distance, motion=turning, name="drum")
    scene.add_block((-0.28, -0.28, -0.3), (0.56, 0.56, 0.5), 0.018, "sand")
    return scene


def wall_rows(subdivisions: tuple[int, ...] = (3, 5, 6)) -> list[dict[str, Any]]:
    """Processor time per step and look, and how far the two agree."""
    rows = []
    for level in subdivisions:
        mesh = ball(level)
        grid = Mesh(vertices=mesh.vertices, faces=mesh.faces, distance="grid")
        spent: dict[str, float] = {}
        height: dict[str, float] = {}
        grains = 0
        ways: tuple[Literal["mesh", "grid"], ...] = ("mesh", "grid")
        solver = DEM(dt=1 / 240, substeps=None)
        simulations = {way: Simulation(drum(mesh, way), solver=solver, threads=1) for way in ways}
        for way in ways:
            for _ in range(SETTLING):
                simulations[way].step()
            spent[way] = 0.0
        for _ in range(STEPS):
            for way in ways:
                begin = process_time()
                simulations[way].step()
                spent[way] += process_time() - begin
        for way in ways:
            grains = len(simulations[way].particles)
            height[way] = float(np.mean(simulations[way].particles.position[:, 2]))
        rms, most = surface_error(grid)
        report = simulations["mesh"].last_report
        assert report is not None
        steps = STEPS * int(report.notes["substeps"])
        row: dict[str, Any] = {"triangles": len(mesh.faces), "grains": grains}
        for way in ways:
            row[f"{way}: µs per grain and step"] = 1e6 * spent[way] / (grains * steps)
        row["grains at the wall"] = int(simulations["mesh"].contacts.with_body.sum())
        row["mesh over grid"] = spent["mesh"] / spent["grid"]
        row["spacing mm"] = 1e3 * 2.0 * RADIUS / 64
        row["surface off by, rms mm"], row["at most mm"] = 1e3 * rms, 1e3 * most
        row["mean height differs by mm"] = 1e3 * abs(height["mesh"] - height["grid"])
        rows.append(row)
    return rows
