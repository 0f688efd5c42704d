"""Which kernels a scene needs."""

from __future__ import annotations

from windrow.scene.scene import Scene
from windrow.scene.settings import P2, SolverSettings
from windrow.scene.terrain import TerrainSurface


def kernel_parts(scene: Scene, solver: SolverSettings) -> set[str]:
    """What kernels an assembled scene needs, in the words of the list of kernels."""
    ground = any(isinstance(obstacle.shape, TerrainSurface) for obstacle in scene.obstacles)
    parts: set[str] = {"terrain"} if ground else set()
    if scene.particles or scene.emitters:
        parts.add(solver.name)
        if isinstance(solver, P2) and solver.method != "jacobi":
            parts.add(f"p2 {solver.method}")
        if isinstance(solver, P2) and solver.mass_splitting:
            parts.add("p2 mass_splitting")
        if scene.bodies:
            parts.add(f"bodies {solver.name}")
    if scene.bodies:
        parts.add("bodies")
    return parts
