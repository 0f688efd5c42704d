"""What of a scene LAMMPS cannot compute: named with its field and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from windrow.errors import SceneError
from windrow.scene.nets import Cloth, Rope, RopeLadder
from windrow.solvers.registry import solver_class, solver_names

if TYPE_CHECKING:
    from windrow.scene.scene import Scene

PROGRAM = "lammps"
"""as a solver names it among the programs that compute its contacts, too"""


class Approximations:
    """Departures from the scene, each said once; where none were asked for, the first one is an error."""

    def __init__(self, allowed: bool) -> None:
        self.allowed = allowed
        self.said: list[str] = []

    def make(self, field: str, why: str, instead: str, remedy: str) -> None:
        """Departs from what `field` says: `instead` is written, and `remedy` avoids it."""
        if not self.allowed:
            raise SceneError(f"{field}: {why}; {remedy}, or allow it with --approximate: {instead}")
        text = f"{field}: {why}; {instead}"
        if text not in self.said:
            self.said.append(text)


def refuse(scene: Scene, solver: str) -> None:
    """Raises a SceneError that names the first thing without an equivalent; solver: name of the scene's."""
    problem = next(_problems(scene, solver), None)
    if problem is not None:
        raise SceneError(problem)


def _problems(scene: Scene, solver: str) -> Iterator[str]:
    if PROGRAM not in solver_class(solver).computed_by:
        able = [other for other in solver_names() if PROGRAM in solver_class(other).computed_by]
        yield (
            f"solver.name: LAMMPS has no contacts like those of {solver!r}; choose {' or '.join(map(repr, able))}, in "
            f"the scene or with --solver-option name={able[0]}"
        )
    nets = [k for k, source in enumerate(scene.particles) if isinstance(source, Rope | Cloth | RopeLadder)]
    parts = {
        "terrain": (scene.terrain is not None, "ground that is dug", "take a plane as ground"),
        "machines": (scene.machines, "machines", "take them out, or run the scene without --engine"),
        "bodies": (scene.bodies, "bodies that grains push", "make them obstacles with a scripted motion"),
        "emitters": (scene.emitters, "sources of grains like these", "start with the grains in place"),
        "sinks": (scene.sinks, "sinks", "use `domain`, whose edge takes grains"),
        "links": (scene.links, "links between grains", "take them out"),
        "particles": (scene.has_clumps, "clumps", "take them out, or run the scene without --engine"),
        "bonds": (scene.bonds, "bonds like these", "take them out"),
        f"particles[{nets[0] if nets else 0}]": (nets, "ropes and cloth", "take them out"),
    }
    for field, (given, what, remedy) in parts.items():
        if given:
            yield f"{field}: {what} have no equivalent in the LAMMPS deck; {remedy}"
    for name, material in scene.materials.items():
        if material.adhesion > 0:
            yield f"materials.{name}.adhesion: LAMMPS has no such pull; set it to 0"
        if material.surface_energy > 0:
            yield (
                f"materials.{name}.surface_energy: LAMMPS' dmt and jkr add the pull to the friction of a contact, "
                "which Windrow does not; set it to 0"
            )
        if material.bridge_volume > 0:
            yield f"materials.{name}.bridge_volume: liquid bridges have no equivalent in LAMMPS; set it to 0"
    for k, pair in enumerate(scene.material_pairs):
        for field in ("adhesion", "surface_energy"):
            if getattr(pair, field):
                yield f"material_pairs[{k}].{field}: has no equivalent in LAMMPS; set it to 0"
