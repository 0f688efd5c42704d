"""What a solver of grains is asked for, and what it may tell. ARCHITECTURE.md has the steps for a new one.

A solver must give `settings_class`, `columns` and `advance`. All else has a default that is right for a solver without
memory, limits, sleep and calibration. Nobody outside of a solver's folder knows its name: whoever wants to know
something about solvers asks here.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.scene.settings import SolverBase, name_of
from windrow.solvers.calibration import CalibrationProtocol
from windrow.solvers.report import SolverReport
from windrow.solvers.stopping import Stop
from windrow.state.bonds import BondReadings
from windrow.state.clumps import ClumpReadings
from windrow.state.columns import StateColumn
from windrow.state.contacts import Contacts
from windrow.state.form import checked
from windrow.state.model import Model
from windrow.state.state import State

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.solvers.movers.movers import Movers

Change = Literal["gravity", "pairs"]
"""Numbers of the model that may change in a run: `Model.gravity`, and `Model.pairs` (material pairs)."""


class WarmupStage(NamedTuple):
    """Kernels that are compiled together, and settings with which small runs call all of them."""

    settings: tuple[SolverBase, ...]
    """Each runs a scene with one of everything, a plain bed, and grains of very different sizes."""
    resting: tuple[SolverBase, ...] = ()
    """Each runs a bed that comes to rest and is hit."""
    surface_energy: float = 0.0
    """J/m², of all materials of those scenes that have no `adhesion`"""


class Solver(ABC):
    """A solver with its workspace: same state in, same state out, whatever happened before."""

    settings_class: ClassVar[type[SolverBase]]
    """Its settings, in `scene/settings.py`; their `name` is the solver's."""
    columns: ClassVar[tuple[StateColumn, ...]] = ()
    """What it keeps of each grain beyond place, velocity and material; see `state/columns.py`."""
    kernels: ClassVar[tuple[str, ...]] = ()
    """Begin of the names of modules with its kernels; they are loaded when a simulation is made."""
    warmup: ClassVar[Mapping[str, WarmupStage]] = {}
    """Stages of `windrow warmup` by name; "" is what all settings need. See `stages`."""
    with_bodies: ClassVar[tuple[SolverBase, ...]] = ()
    """Settings with which a small run calls all kernels for contacts with rigid bodies."""
    computes_links: ClassVar[bool] = True
    """Whether it computes ropes, cloth and links."""
    computes: ClassVar[frozenset[Literal["bonds", "clumps"]]] = frozenset()
    """What else it computes; see `bond_readings` and `clump_readings`."""
    computed_by: ClassVar[frozenset[str]] = frozenset()
    """Other programs that compute the same contacts, by the names that `windrow export --to` knows them by."""
    calibration: ClassVar[CalibrationProtocol | None] = None
    """How `windrow calibrate-soil` measures its curves; None: it has none, and soils get textbook numbers."""
    tolerances: ClassVar[Mapping[str, float]] = {}
    """Bounds of validation and conformance tests, by law, where they differ from the usual ones; see `tolerance`."""
    live: ClassVar[frozenset[Change]] = frozenset({"gravity"})
    """Numbers it looks up in every step; after a change of others the simulation is built anew around its state."""

    def __init__(self, settings: Any, model: Model) -> None:
        self.settings = settings
        self.model = model
        self.stop = Stop()
        """Looked at in loops over substeps and sweeps"""

    @classmethod
    def resolved(cls, settings: Any, scene: Scene, grains: Mapping[str, NDArray[Any]]) -> Any:
        """The settings for an assembled scene that begins with these grains, where they leave numbers to the solver.

        Raises SceneError if the solver cannot compute the scene.
        """
        return settings

    # --- the step --------------------------------------------------------------------------------------------

    def step(self, state: State, dt: float, movers: Movers | None = None) -> SolverReport:
        """Advances the grains by dt (s), or by less if bodies turn too far, and exchanges impulses with the bodies.

        A solver that keeps the forces of a step in which nothing moved overrides this.
        """
        state.body_force[:] = 0.0
        state.body_torque[:] = 0.0
        report = SolverReport(span=dt)
        self.advance(state, dt, movers, report)
        state.time = state.time + report.span
        return report

    @abstractmethod
    def advance(self, state: State, dt: float, movers: Movers | None, report: SolverReport) -> None:
        """The method: moves the grains by dt from `state.time` on.

        It adds mean forces and torques over dt to `state.body_force` and `state.body_torque`, writes `state.force`,
        freezes what is not finite (FROZEN), and fills the report; `report.span` is the time that was computed.
        """

    # --- memory ----------------------------------------------------------------------------------------------

    def memory(self) -> dict[str, NDArray[Any]]:
        """What it carries from step to step beyond the state (contact memory); empty if nothing."""
        return {}

    def readings(self, state: State) -> dict[str, NDArray[Any]]:
        """What `contacts` tells of the last step if the memory alone does not say it; continuing does not need it.

        It is saved beside the memory: `check` and `recall` take both.
        """
        return {}

    def check(self, memory: dict[str, NDArray[Any]]) -> None:
        """Raises FileFormatError unless `recall` can take this: compiled code indexes with it, and checks nothing."""
        checked("memory", memory, {}, {})

    def recall(self, memory: dict[str, NDArray[Any]]) -> None:
        """Takes back what `memory` gave, so that a restored run continues to the bit, and forgets all else."""
        return

    # --- changes from outside --------------------------------------------------------------------------------

    def model_changed(self, what: Change) -> None:
        """The model has other numbers from now on; called for those in `live` only."""
        return

    def grains_changed(self) -> None:
        """Grains have been fixed or freed since the last step; called before a step."""
        return

    def wake(self, state: State, near: NDArray[Any]) -> None:
        """Something has changed around the grains marked in `near` (capacity,): those that sleep must look again."""
        return

    # --- what it tells ---------------------------------------------------------------------------------------

    def contacts(self, state: State) -> Contacts | None:
        """Contacts of the last step with their forces; None: the solver does not tell them."""
        return None

    def bond_readings(self) -> BondReadings:
        """Bonds with what they carry, and those that have broken."""
        raise SceneError(f"bonds: the solver {self.settings.name!r} computes none")

    def clump_readings(self, state: State) -> ClumpReadings:
        """Clumps with their motion."""
        raise SceneError(f"clumps: the solver {self.settings.name!r} computes none")

    @classmethod
    def variants(cls) -> dict[str, SolverBase]:
        """Settings that validation and conformance tests run, by name; "" is the default."""
        return {"": cls.settings_class(name=name_of(cls.settings_class))}

    @classmethod
    def tolerance(cls, law: str, usual: float) -> float:
        """The bound that holds for this solver."""
        return cls.tolerances.get(law, usual)

    @classmethod
    def stages(cls, settings: Any) -> tuple[str, ...]:
        """Stages of `warmup` that these settings need."""
        return ("",) if "" in cls.warmup else ()

    @classmethod
    def work(cls, settings: Any, phase: str, automatic: float) -> float:
        """What the wall time of a phase of the step grows with; only ratios between settings count.

        automatic: see `automatic_substeps`; more if the step is a longer one than that which was looked at.
        """
        return 1.0

    @classmethod
    def automatic_substeps(cls, settings: Any, notes: Mapping[str, float]) -> float:
        """Substeps that it chose by itself in a step with these notes; the most it may choose if it did not."""
        return 1.0

    # --- what it warns of ------------------------------------------------------------------------------------

    @classmethod
    def depth_warning(cls, settings: Any, layers: float) -> UserWarning | None:
        """What to say of a scene that begins with so many layers of grains; None: nothing."""
        return None

    @classmethod
    def layers_told(cls, settings: Any) -> float:
        """How many layers of grains it tells the forces of, within some 10 %."""
        return math.inf

    @classmethod
    def force_warning(cls, settings: Any, layers: float) -> UserWarning | None:
        """What to say when forces are read under more layers than `layers_told`."""
        return None

    @classmethod
    def step_warning(cls, settings: Any, notes: Mapping[str, float]) -> UserWarning | None:
        """What to say, once, after a step with these notes in its report; None: nothing."""
        return None
