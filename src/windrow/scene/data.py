"""The fields of a scene, without the builders that fill them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from windrow.scene.arrays import Vector3, Whole
from windrow.scene.bodies import Body
from windrow.scene.bonds import Bonds
from windrow.scene.clumps import Clumps
from windrow.scene.corners import Corners
from windrow.scene.flow import Emitter, Sink
from windrow.scene.grains import MOST_GRAINS, Ball, Block, Column, Points
from windrow.scene.hydraulics import Engine, Lever, Pump
from windrow.scene.joints import Joint
from windrow.scene.links import Link
from windrow.scene.machines import MachinePlacement
from windrow.scene.materials import Material, MaterialPair, Name
from windrow.scene.multibody import Multibody
from windrow.scene.nets import Cloth, Rope, RopeLadder
from windrow.scene.obstacles import Obstacle
from windrow.scene.part import Part
from windrow.scene.settings import NDEM, RunSettings, SolverSettings
from windrow.scene.task import Task
from windrow.scene.terrain import Terrain

MOST_MATERIALS = 256

Source = Annotated[
    Points | Block | Column | Ball | Clumps | Rope | Cloth | RopeLadder, Field(discriminator="kind")
]
"""Something that puts grains into the scene at the start."""


class Domain(Corners):
    """The box grains may be in; those that leave it are removed and counted."""


class SceneData(Part):
    """Everything that is said about a simulation before it begins. SI units, z up."""

    schema_version: Literal[1] = Field(default=1, description="version of this file format")
    title: str = Field(default="", description="one line")
    description: str = Field(default="", description="what it shows")
    gravity: Vector3 = Field(default=(0.0, 0.0, -9.81), description="m/s²")
    seed: Annotated[Whole, Field(ge=0, le=2**63 - 1)] = Field(default=0, description="of everything random")
    capacity: Annotated[Whole, Field(ge=1, le=MOST_GRAINS)] | None = Field(
        default=None,
        description="most grains at any time; none: as many as the start and the emitters' counts need",
    )
    materials: dict[Name, Material] = Field(
        default_factory=dict, max_length=MOST_MATERIALS, description="by name"
    )
    material_pairs: list[MaterialPair] = Field(
        default_factory=list, description="where the mean is not right"
    )
    particles: list[Source] = Field(
        default_factory=list, description="grains at the start; ids in this order"
    )
    links: list[Link] = Field(default_factory=list, description="distance constraints between those grains")
    bonds: list[Bonds] = Field(default_factory=list, description="what glues those grains together until it breaks")
    obstacles: list[Obstacle] = Field(default_factory=list, description="fixed or moving things")
    terrain: Terrain | None = Field(default=None, description="ground that can be dug; none: no ground")
    bodies: list[Body] = Field(default_factory=list, description="rigid bodies that move by forces")
    joints: list[Joint] = Field(default_factory=list, description="what holds and drives bodies")
    engines: dict[Name, Engine] = Field(default_factory=dict, description="that turn pumps, by name")
    pumps: dict[Name, Pump] = Field(
        default_factory=dict, description="that cylinders and hydraulic drives share, by name"
    )
    levers: dict[Name, Lever] = Field(
        default_factory=dict, description="how valves follow controls, by the control's name; left out: at once"
    )
    machines: list[MachinePlacement] = Field(
        default_factory=list, description="bodies and joints as a whole, from the library or a file"
    )
    emitters: list[Emitter] = Field(default_factory=list, description="where grains come from")
    sinks: list[Sink] = Field(default_factory=list, description="where grains go")
    domain: Domain | None = Field(
        default=None, description="grains outside are removed and counted; none: no limit"
    )
    task: Task | None = Field(default=None, description="what an operator is asked to do; none: nothing")
    solver: SolverSettings = Field(
        default_factory=lambda: NDEM(), description="how grains are computed; left out: ndem"
    )
    multibody: Multibody = Field(
        default_factory=lambda: Multibody(), description="how rigid bodies are computed"
    )
    run: RunSettings = Field(
        default_factory=lambda: RunSettings(), description="how long, how finely, seen from where"
    )

    _base_dir: Path = PrivateAttr(default_factory=Path)
    _counted: dict[str, int] = PrivateAttr(default_factory=dict)
    _machine_bodies: frozenset[str] = PrivateAttr(default_factory=frozenset)
    _terrain_grains: int = PrivateAttr(default=0)

    @property
    def has_clumps(self) -> bool:
        """Whether some of its grains are clumps."""
        return any(isinstance(source, Clumps) for source in self.particles)

    @property
    def base_dir(self) -> Path:
        """Folder that mesh files are relative to: the scene file's, or the working directory."""
        return self._base_dir

    @property
    def machine_bodies(self) -> frozenset[str]:
        """Names of the bodies that belong to machines, in a scene made by `assembled`."""
        return self._machine_bodies

    @property
    def terrain_grains(self) -> int:
        """Grains that terrain may turn into, in a scene made by `assembled`."""
        return self._terrain_grains
