"""How a scene is computed and shown: solver settings, length of a run, camera."""

from __future__ import annotations

import contextlib
import difflib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag, TypeAdapter, model_validator

from windrow.scene.arrays import LengthOrZero, NonNegative, Switch, Vector3, Whole, plain_number
from windrow.scene.part import Part

TimeStep = Annotated[float, BeforeValidator(plain_number), Field(ge=1e-7, le=1.0, allow_inf_nan=False)]


class SolverBase(Part):
    """What the settings of every solver of grains have."""

    continuum: ClassVar[bool] = False
    """Whether a particle stands for a cube of the bulk, of side 2 r, and not for a grain: the bulk numbers of a soil
    are then its own."""
    liquid: ClassVar[bool] = False
    """Whether it computes liquids, whose particles are drawn as one surface, and not as beads."""
    grains_of: ClassVar[str] = ""
    """Name of the solver whose grains these are, so that soils have its numbers; "": they are its own."""
    name: str
    dt: TimeStep = Field(default=1 / 60, description="time step, s")


class P2(SolverBase):
    """Position-based granular solver P² (Holz 2014), with real springs, dampers, friction and adhesion.

    Limits. Each grain averages the corrections of its contacts, so a fixed number of iterations carries less
    and less with depth: a column 40 grains tall (radius 0.05 m, stiffness 1e5 N/m, dt 1/60 s, 10 iterations)
    sinks to about half of its height within seconds with `error_reduction` 0. With 0.5 it does not sink, but gains
    upward momentum from nowhere, and with more iterations or substeps it flies apart. Low heaps, up to some ten
    layers, are fine. Forces are wrong from the second layer on (a floor feels 67 % of two, 16 % of eighteen) and do not
    converge to those of the springs unless `mass_splitting` is on; a `ForceWarning` says so when they are read.
    Grains do not rotate, so heaps stand steeper than the friction coefficient alone says.
    """

    name: Literal["p2"] = "p2"
    iterations: Annotated[Whole, Field(ge=1, le=10_000)] = Field(
        default=10, description="solver iterations per substep"
    )
    error_reduction: Annotated[
        float, BeforeValidator(plain_number), Field(ge=0, le=1, allow_inf_nan=False)
    ] = Field(
        default=0.5, description="how much more an upper grain yields than the one that carries it, 0 to 1"
    )
    sleep_threshold: LengthOrZero = Field(
        default=0.0, description="a grain that moves less than this in a step stays where it is, m; 0: off"
    )
    method: Literal["jacobi", "gauss_seidel"] = Field(
        default="jacobi",
        description="jacobi: parallel, averaged; gauss_seidel: one contact after the other, the reference",
    )
    mass_splitting: Switch = Field(
        default=False,
        description="share a grain's mass among its contacts, so that forces converge with iterations",
    )
    substeps: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=1, description="equal parts a step is cut into"
    )
    margin: NonNegative = Field(
        default=0.1, le=10, description="reach of the contact search beyond touching, of the mean radius"
    )


class NDEM(SolverBase):
    """Contacts with memory at velocity level: soil that carries load, and forces that converge.

    Each substep sweeps over all contacts (coloured Gauss-Seidel, warm-started from the substep before). A
    contact is an implicit spring-damper of its two materials along and across its normal, across it up to Coulomb's
    cap, so that one grain on the ground is implicit Euler, and a column of any depth comes to rest at the height of
    its springs.

    Limits. A substep of length h carries stiffnesses up to 4/(h² (1/m_i + 1/m_j)); what is stiffer is computed
    with that value, and a warning and the report's notes say so (`stiffness_used`). With automatic substeps this begins
    where more than 16 per step would be needed. Springs yield up to half a radius (of the smaller grain); from
    there on contacts are rigid. A heavy grain on light ones is carried, but its springs must be stiff enough
    for its weight. Grains do not rotate, so heaps stand steeper than the friction coefficient alone says.
    """

    name: Literal["ndem"] = "ndem"
    substeps: Annotated[Whole, Field(ge=1, le=1000)] | None = Field(
        default=None, description="equal parts a step is cut into; none: by stiffness, mass and impact speed"
    )
    sweeps: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=2,
        description="least Gauss-Seidel sweeps over all contacts per substep; under heavy grains there are more",
    )
    relaxation_time: Annotated[
        float, BeforeValidator(plain_number), Field(ge=0, le=10, allow_inf_nan=False)
    ] = Field(
        default=0.1,
        description="s; a loaded grain with several contacts is damped by at least its stiffness times this, which "
        "ends the ringing of deep soil. A grain with one contact has the damping of its materials, and so has a "
        "contact with friction while it opens. 0: the damping of the materials everywhere",
    )
    sleep_speed: NonNegative = Field(
        default=0.0,
        description="grains slower than this, among others that are, for half a second are left out of the sweeps "
        "until their load changes, m/s; 0: off",
    )
    margin: NonNegative = Field(
        default=0.15, le=10, description="reach of the contact search beyond touching, of the mean radius"
    )

    @model_validator(mode="before")
    @classmethod
    def _meant_for_p2(cls, data: Any) -> Any:
        """A table without a name that has fields of P² was written for it."""
        if isinstance(data, Mapping) and "name" not in data:
            strange = [name for name in data if name in P2.model_fields and name not in cls.model_fields]
            if strange:
                raise ValueError(f"{strange[0]!r} is a field of P²; add name = \"p2\", or leave the field out for NDEM")
        return data


class DEM(SolverBase):
    """Discrete elements: spheres that rotate, springs and dampers in every contact, friction that remembers.

    Contacts are springs along and across their normals, computed with a step much shorter than a collision, so that
    motion, spin, forces and energy are those of the springs. `contact="linear"` uses the materials' `stiffness`, and
    their `restitution` or `damping`; `contact="hertz"` their `young_modulus`, `poisson_ratio` and `restitution`
    (Hertz–Mindlin). Materials may resist rolling and twisting, and cohere by adhesion, surface energy or liquid
    bridges.

    Limits. The step follows from stiffness and mass (`dt` none: 1/20 of the shortest collision, for Hertz contacts
    1/5 of Rayleigh's time at most); a hundred times the stiffness costs ten times the steps, so that most people
    compute with grains much softer than the real ones. Spheres without rolling friction heap low: give
    `rolling_friction` for real grains, which are no spheres. Ropes and cloth are not computed.
    """

    name: Literal["dem"] = "dem"
    dt: TimeStep | None = Field(  # type: ignore[assignment]
        default=None, description="time step, s; none: chosen by stiffness and mass, `sim.solver.dt` tells it"
    )
    substeps: Annotated[Whole, Field(ge=1, le=100_000)] | None = Field(
        default=1,
        description="equal parts a step is cut into; bodies, emitters and readings run once a step; none: as many as "
        "`dt` needs, such as DEM(dt=1/60, substeps=None)",
    )
    contact: Literal["linear", "hertz"] = Field(
        default="linear", description="linear: spring and damper; hertz: Hertz–Mindlin by Young's modulus"
    )
    surface_energy: Literal["dmt", "jkr"] = Field(
        default="dmt",
        description="what the materials' surface energy does: dmt: it pulls while grains touch; jkr: it deforms soft "
        "grains, which stick until they are pulled apart; Hertz contacts only",
    )
    tangential_stiffness_ratio: Annotated[
        float, BeforeValidator(plain_number), Field(ge=0, le=2, allow_inf_nan=False)
    ] = Field(default=2 / 7, description="spring across the normal over that along it; linear contacts only")
    tangential_damping_ratio: Annotated[
        float, BeforeValidator(plain_number), Field(ge=0, le=2, allow_inf_nan=False)
    ] = Field(default=0.5, description="damper across the normal over that along it")
    limit_damping: Switch = Field(
        default=False,
        description="whether dampers of parting grains never pull; the restitution is the one asked for either way",
    )
    lever: Literal["overlap", "radius"] = Field(
        default="overlap",
        description="where forces act: in the middle of the overlap, which keeps angular momentum; or at the radius",
    )
    margin: NonNegative | None = Field(
        default=None,
        le=10,
        description="reach of the neighbour lists beyond touching, of the median radius; none: chosen by the speed",
    )


class SPH(SolverBase):
    """Sand as a continuum: granular SPH after Ihmsen, Wahl and Teschner (2013), with pressure and stress that last.

    A particle stands for a cube of sand of side 2 radius, not for a grain. Materials are bulk numbers: `density` (or
    `bulk_density`), friction_static as the tangent of the angle of repose (or `internal_friction_deg`), adhesion as the
    cohesion, Pa (or `cohesion_pa`). Each step is cut into substeps by speed and pressure.

    Limits. All particles have one radius. Angles of repose up to 40° come out within a few degrees; above, slopes stop
    short of what is asked (docs/solver-sph.md). Sand that has come apart bears nothing: single particles fall through
    each other. Details smaller than some three radii, such as narrow outlets, do not exist for it. Walls are flat to
    it within two diameters: thin rods and sharp edges look blunter than they are. No links between particles.
    """

    continuum: ClassVar[bool] = True
    name: Literal["sph"] = "sph"
    dt: Annotated[TimeStep, BeforeValidator(lambda dt: 1 / 60 if dt is None else dt)] = Field(
        default=1 / 60, description="time step, s; none: 1/60. Substeps follow from speed and pressure"
    )
    scheme: Literal["lasting", "ihmsen"] = Field(
        default="lasting",
        description="lasting: pressure and stress go on from substep to substep, and sand at rest stays; ihmsen: they "
        "begin at zero in each, as in the paper, and slopes creep",
    )
    substeps: Annotated[Whole, Field(ge=1, le=10_000)] | None = Field(
        default=None, description="equal parts a step is cut into; none: by speed and pressure"
    )
    iterations: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=3, description="solutions for pressure and stress in each substep"
    )
    courant: Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=1, allow_inf_nan=False)] = Field(
        default=0.4,
        description="substep times ten times the greatest of speed and root of pressure over density, over the "
        "distance of particles: smaller is stiffer and slower",
    )
    yield_surface: Literal["nakai", "cone", "components"] | None = Field(
        default=None,
        description="what stress the sand bears: Matsuoka and Nakai's, Drucker and Prager's cone, or by component; "
        "none: nakai, and components with the paper's scheme",
    )
    viscosity: NonNegative | None = Field(
        default=None,
        le=10,
        description="artificial viscosity of approaching particles, –: it calms, and stops nothing; none: 0.1, and "
        "0.01 with the paper's scheme",
    )
    wet_cohesion: NonNegative = Field(
        default=3000.0, description="cohesion that moisture adds at most, Pa; see the column moisture"
    )

    @property
    def surface(self) -> str:
        """The yield surface that holds."""
        return self.yield_surface or ("nakai" if self.scheme == "lasting" else "components")

    @property
    def viscous(self) -> float:
        """The viscosity that holds."""
        return (0.1 if self.scheme == "lasting" else 0.01) if self.viscosity is None else self.viscosity


class LiquidBase(SolverBase):
    """How a liquid is computed."""

    liquid: ClassVar[bool] = True
    dt: Annotated[TimeStep, BeforeValidator(lambda dt: 0.01 if dt is None else dt)] = Field(
        default=0.01, description="time step, s; none: 0.01. Substeps follow from depth and speed"
    )
    method: Literal["auto", "gauss_seidel", "conjugate_gradient"] = Field(
        default="auto",
        description="gauss_seidel: one row after the other, upward; conjugate_gradient: all rows at once, "
        "preconditioned by their diagonals; auto: gauss_seidel up to 40 layers of particles, then the other",
    )
    iterations: Annotated[Whole, Field(ge=1, le=10_000)] = Field(
        default=20, description="sweeps or products in a substep at most"
    )
    tolerance: Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1, allow_inf_nan=False)] = Field(
        default=2e-4, description="mean density error at which a substep's iterations end, –; 0: all of them"
    )
    substeps: Annotated[Whole, Field(ge=1, le=10_000)] | None = Field(
        default=None, description="equal parts a step is cut into; none: by depth and speed"
    )
    courant: Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=10, allow_inf_nan=False)] = Field(
        default=1.0, description="how far the fastest particles go in a substep, over d₀"
    )
    calm: Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=10, allow_inf_nan=False)] = Field(
        default=0.7, description="substep times the root of pressure over density, over d₀; above 1 deep water boils"
    )
    compliance: NonNegative = Field(
        default=1e-8, le=1e-3, description="relative change of volume per pressure, 1/Pa; water itself: 4.5e-10"
    )
    relaxation: Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1000, allow_inf_nan=False)] = Field(
        default=2.0, description="time in which an excess of density is taken back, in substeps: SPOOK's τ/Δt"
    )
    viscosity: NonNegative = Field(default=1e-3, le=1e7, description="Pa s; water: 0.001, oil: 0.1, honey: 10")
    surface_tension: NonNegative = Field(default=0.0, le=1e3, description="N/m; water: 0.072")
    wetting_angle_deg: Annotated[
        float, BeforeValidator(plain_number), Field(ge=0, le=180, allow_inf_nan=False)
    ] = Field(
        default=90.0, description="between liquid and walls, degrees: 0 spreads, 90 is neutral, 180 rolls off"
    )
    smoothing: Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=0.5, allow_inf_nan=False)] = Field(
        default=0.05, description="share of the difference to its neighbours' velocities that a substep takes, –"
    )


class Fluid(LiquidBase):
    """Water and other liquids: smoothed particles with one constraint each, solved together with walls and bodies.

    A particle stands for a cube of liquid of side 2 radius. Its density may not exceed the rest density:
    q = ρ/ρ₀ − 1 ≤ 0, one multiplier per particle, stepped with SPOOK (Lacoursière 2007). Of a material only `density`
    counts. Free surfaces need nothing; walls are smooth unless the liquid is viscous.

    Limits. All particles have one radius d₀/2. A substep is at most calm · d₀/√(g H) long, H being the depth, and at
    most courant · d₀/v; each step is cut into as many as that needs, and the report tells how many (`substeps`).
    Streams thinner than some three particles, and gaps narrower than two, do not flow as water does. No links between
    particles.
    """

    continuum: ClassVar[bool] = True
    name: Literal["fluid"] = "fluid"


class Mixture(LiquidBase):
    """A liquid and grains in one scene: the particles of `Fluid`, the grains of `NDEM`, and what they do to each other.

    Materials with `liquid = true` are the liquid, all others are grains. Grains feel the gradient of the pressure
    (buoyancy) and the drag of Di Felice (1994); the liquid gets the opposite, and the room that grains leave.

    Limits. Those of `Fluid` and `NDEM`. Grains are not resolved: their radius is at most twice that of the liquid's
    particles. Drag and buoyancy are exchanged once a step. No added mass, no lubrication, no turbulence. No rigid
    bodies, no links, no ground that turns into grains.
    """

    grains_of: ClassVar[str] = "ndem"
    name: Literal["mixture"] = "mixture"
    drag: Switch = Field(default=True, description="whether liquid and grains drag each other along")
    grain_substeps: Annotated[Whole, Field(ge=1, le=1000)] | None = Field(
        default=None,
        description="equal parts a step of the grains is cut into; none: by stiffness, mass and impact speed",
    )


def name_of(settings: type[SolverBase]) -> str:
    """The name that a scene's file calls these settings by."""
    return str(settings.model_fields["name"].default)


BUILT_IN: tuple[type[SolverBase], ...] = (P2, NDEM, DEM, SPH, Fluid, Mixture)
"""Settings that a scene's file may have. A new solver is a class above and an entry here."""
DEFAULT = name_of(NDEM)
"""The solver of scenes that name none."""
_ADDED: dict[str, type[SolverBase]] = {}
"""Settings of solvers that are no part of Windrow; see `solvers.registry.register`."""


def register_settings(settings: type[SolverBase]) -> None:
    """Makes snapshots of a solver that is no part of Windrow readable in this process."""
    _ADDED[name_of(settings)] = settings


def unregister_settings(name: str) -> None:
    """Takes back `register_settings`."""
    _ADDED.pop(name, None)


def _solver_tag(settings: Any) -> str:
    """Whose settings these are. A table without a name means the default; a misspelt name goes to the nearest solver,
    which refuses it and offers its own."""
    name = settings.get("name", DEFAULT) if isinstance(settings, Mapping) else getattr(settings, "name", DEFAULT)
    nearest = difflib.get_close_matches(str(name), [name_of(one) for one in BUILT_IN], n=1, cutoff=0.0)
    return f"<{nearest[0] if nearest else DEFAULT}>"


if TYPE_CHECKING:
    SolverSettings = SolverBase
else:
    # The tags stand in angle brackets so that errors name the field without them.
    SolverSettings = Annotated[
        Union[tuple(Annotated[one, Tag(f"<{name_of(one)}>")] for one in BUILT_IN)],  # noqa: UP007
        Discriminator(_solver_tag),
    ]
    """Settings of any solver, told apart by `name`."""


def solver_settings_from_json(text: str) -> SolverBase:
    """The settings that `model_dump_json` wrote, whichever solver's they are."""
    kind: Any = SolverSettings
    if _ADDED:
        with contextlib.suppress(ValueError, AttributeError):
            kind = _ADDED.get(json.loads(text).get("name"), SolverSettings)
    settings: SolverBase = TypeAdapter(kind).validate_json(text)
    return settings


class Camera(Part):
    """Where a picture is taken from."""

    eye: Vector3 = Field(description="m")
    target: Vector3 = Field(description="point in the middle of the picture, m")
    field_of_view_deg: Annotated[
        float, BeforeValidator(plain_number), Field(ge=1, le=170, allow_inf_nan=False)
    ] = Field(default=35.0, description="vertical opening angle, degrees")

    @model_validator(mode="after")
    def _looks_somewhere(self) -> Self:
        if self.eye == self.target:
            raise ValueError("eye and target are the same point; move one of them")
        return self


class RunSettings(Part):
    """How long and how finely a scene runs when nobody says otherwise."""

    seconds: Annotated[float, BeforeValidator(plain_number), Field(ge=0, le=1e7, allow_inf_nan=False)] = (
        Field(default=2.0, description="simulated time, s")
    )
    frame_rate: Annotated[float, BeforeValidator(plain_number), Field(gt=0, le=1e6, allow_inf_nan=False)] = (
        Field(default=30.0, description="recorded frames per simulated second, Hz")
    )
    camera: Camera | None = Field(default=None, description="for pictures; none: chosen from the scene")
