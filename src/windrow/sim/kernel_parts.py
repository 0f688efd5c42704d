"""Which kernels a scene needs."""

from __future__ import annotations

from windrow.scene.scene import Scene
from windrow.scene.settings import SolverSettings
from windrow.scene.terrain import TerrainSurface
from windrow.solvers.registry import solver_class


def kernel_parts(scene: Scene, solver: SolverSettings) -> set[str]:
    """What kernels an assembled scene needs, in the words of the list of kernels."""
    ground = any(isinstance(obstacle.shape, TerrainSurface) for obstacle in scene.obstacles)
    parts: set[str] = set()
    if ground:
        parts.add("terrain")
        if scene.terrain_grains:
            parts.add("terrain grains")
        if scene.bodies:
            parts.add("terrain bodies")
    if scene.particles or scene.emitters or scene.terrain_grains:
        method = solver_class(solver.name)
        parts |= {stage_part(solver.name, stage) for stage in method.stages(solver)}
        if scene.bodies and method.with_bodies:
            parts.add(bodies_part(solver.name))
    if scene.bodies:
        parts.add("bodies")
    return parts


BEFORE_GRAINS = "ground before grains"
"""Machines on ground, until the ground turns into grains."""


def first_parts(scene: Scene, solver: SolverSettings) -> set[str]:
    """What an assembled scene needs for its first steps: less than all where grains come from the ground, later."""
    if scene.terrain_grains and scene.bodies and not (scene.particles or scene.emitters):
        return {BEFORE_GRAINS}
    return kernel_parts(scene, solver)


def kernel_modules(scene: Scene, of_solver: tuple[str, ...]) -> tuple[str, ...]:
    """Beginnings of the names of the modules with the kernels of an assembled scene's steps, its solver's too."""
    bodies = ("windrow.geometry", "windrow.solvers.multibody", "windrow.solvers.movers")
    emitters = ("windrow.sim.placing", "windrow.geometry.query")
    return (
        "windrow.team", "windrow.collide", "windrow.solvers.sorting", *of_solver,
        *(bodies if scene.bodies else ()), *(emitters if scene.emitters else ()),
    )  # fmt: skip


def stage_part(solver: str, stage: str) -> str:
    """What the list of kernels calls a stage of a solver's warm-up."""
    return f"{solver} {stage}".strip()


def bodies_part(solver: str) -> str:
    """What it calls the kernels for contacts of a solver's grains with rigid bodies."""
    return f"bodies {solver}"
