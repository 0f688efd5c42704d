"""Contact laws in LAMMPS' words: what `pair_coeff` and the walls say for each pair of atom types.

Windrow's rows of numbers (`solvers.dem.laws`) say it all, so that springs, dampers and friction are the same numbers:

    hooke k η, hertz 4/3 E* η      k δ;  4/3 E* √(R* δ) δ
    damping coeff_restitution      η = e of the same damper: 2ζ √(m* k), and √(5/6) 2ζ √(m* S) with Hertz's spring
    damping velocity               η = c, N s/m
    tangential linear_history      k_t, damper over that of the normal, μ;  mindlin: 8 G*
    rolling sds, twisting sds      k_t, 0.6 √(0.4 k_t m*), μ_r;  times R*², R*², R* for twisting
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.solvers.dem import laws
from windrow.solvers.dem.materials import pair_row

if TYPE_CHECKING:
    from windrow.lammps.refusing import Approximations
    from windrow.scene.scene import Scene
    from windrow.scene.settings import DEM

MOST_TYPES = 24
"""Atom types that sizes of grains are told apart by, where rolling resistance needs it."""
USUAL_OVERLAP = 1e-3
"""Overlap over the radius at which the rolling spring of Hertz contacts is taken: LAMMPS has one stiffness."""


class Kind(NamedTuple):
    """An atom type: grains alike in all that LAMMPS keeps per type."""

    material: int
    pinned: bool
    radius: float
    """m; the median, where sizes are not told apart"""
    mass: float
    """kg; likewise"""


class Meeting(NamedTuple):
    """Two kinds, or a kind and a wall."""

    row: NDArray[np.float64]
    mass: float
    """m*, kg"""
    radius: float
    """R*, m"""
    field: str
    """of the scene, for messages"""


def number(value: float) -> str:
    """As short as it can be read back."""
    return f"{value:.12g}"


class ContactText:
    """Writes the laws of one scene."""

    def __init__(self, scene: Scene, settings: DEM, approximations: Approximations) -> None:
        self.scene = scene
        self.settings = settings
        self.approximations = approximations
        self.names = list(scene.materials)
        self._overrides = {frozenset(pair.materials): pair for pair in scene.material_pairs}

    def row(self, first: str, second: str, at_wall: bool) -> NDArray[np.float64]:
        materials = self.scene.materials
        override = self._overrides.get(frozenset((first, second)))
        return pair_row(self.settings, materials[first], materials[second], override, at_wall)

    @property
    def resists(self) -> bool:
        """Whether rolling or twisting is resisted anywhere."""
        rows = [self.row(a, b, wall) for a in self.names for b in self.names for wall in (False, True)]
        return any(row[laws.ROLLING] > 0 or row[laws.TWISTING] > 0 for row in rows)

    def between(self, one: Kind, other: Kind) -> Meeting:
        """Grains of two kinds; a pinned one counts as infinitely heavy."""
        a, b = self.names[one.material], self.names[other.material]
        inverse = sum(0.0 if kind.pinned else 1.0 / kind.mass for kind in (one, other))
        mass = 1.0 / inverse if inverse > 0 else one.mass
        radius = one.radius * other.radius / (one.radius + other.radius)
        return Meeting(self.row(a, b, False), mass, radius, f"materials.{a}")

    def at_wall(self, kind: Kind, wall: str) -> Meeting:
        name = self.names[kind.material]
        return Meeting(self.row(name, wall, True), kind.mass, kind.radius, f"materials.{name}")

    def granular(self, meeting: Meeting) -> str:
        """Words of the `granular` styles."""
        row, hertz = meeting.row, self.settings.contact == "hertz"
        damping, eta = self._damping(meeting)
        stiffness = 4.0 / 3.0 * row[laws.STIFFNESS] if hertz else row[laws.STIFFNESS]
        words = [f"{'hertz' if hertz else 'hooke'} {number(stiffness)} {number(eta)}", f"damping {damping}"]
        share, friction = number(row[laws.SHEAR_DAMPING]), number(self._friction(meeting))
        if row[laws.SHEAR] > 0:
            style = "mindlin" if hertz else "linear_history"
            words.append(f"tangential {style} {number(row[laws.SHEAR])} {share} {friction}")
        else:
            self.approximations.make(
                "solver.tangential_stiffness_ratio",
                "0, and LAMMPS' friction without a spring remembers nothing, as Windrow's does where it has slid",
                "linear_nohistory is written",
                "use 2/7",
            )
            words.append(f"tangential linear_nohistory {share} {friction}")
        words += self._resistance(meeting)
        if self.settings.limit_damping:
            words.append("limit_damping")
        return " ".join(words)

    def classic(self, meeting: Meeting) -> str:
        """Words of the `hooke/history` styles, whose dampers are rates: c over m*, 1/s."""
        row, k = meeting.row, meeting.row[laws.STIFFNESS]
        rate = row[laws.DAMPING] / meeting.mass + row[laws.DAMPING_RATIO] * math.sqrt(k / meeting.mass)
        numbers = k, row[laws.SHEAR], rate, row[laws.SHEAR_DAMPING] * rate, self._friction(meeting)
        limit = " limit_damping" if self.settings.limit_damping else ""
        return " ".join(map(number, numbers)) + " 1" + limit

    def fits_classic(self, kinds: list[Kind], masses: NDArray[np.float64]) -> bool:
        """Whether `gran/hooke/history` computes the scene: one material, one mass, forces that act at the radius."""
        settings = self.settings
        alike = len(kinds) == 1 and bool(np.ptp(masses) <= 1e-6 * masses.max())
        plain = settings.contact == "linear" and settings.lever == "radius" and not self.resists
        # the damper across the normal is told as a share of that along it
        own = self.between(kinds[0], kinds[0]).row
        return alike and plain and own[laws.SHEAR] > 0 and own[laws.DAMPING] + own[laws.DAMPING_RATIO] > 0

    def _damping(self, meeting: Meeting) -> tuple[str, float]:
        row = meeting.row
        if row[laws.DAMPING_RATIO] <= 0:
            return "velocity", float(row[laws.DAMPING])
        factor = float(row[laws.DAMPING_RATIO])
        zeta = factor / (2.0 * math.sqrt(5.0 / 6.0)) if self.settings.contact == "hertz" else factor / 2.0
        if zeta >= 1.0:
            raise SceneError(
                f"{meeting.field}.restitution: so small that, with limit_damping, LAMMPS has no damper for it; give a "
                "larger restitution, or limit_damping = false"
            )
        return "coeff_restitution", math.exp(-math.pi * zeta / math.sqrt(1.0 - zeta * zeta))

    def _friction(self, meeting: Meeting) -> float:
        static, kinetic = float(meeting.row[laws.STATIC]), float(meeting.row[laws.KINETIC])
        if static - kinetic > 1e-9 * static:
            self.approximations.make(
                f"{meeting.field}.friction_kinetic",
                f"{kinetic:g} while sliding and {static:g} at rest, and LAMMPS has one coefficient",
                "the one while sliding is written",
                "make it equal to friction_static",
            )
        return kinetic

    def _resistance(self, meeting: Meeting) -> list[str]:
        row, radius = meeting.row, meeting.radius
        rolling, twisting = float(row[laws.ROLLING]), float(row[laws.TWISTING])
        if not self.resists:
            return []
        k = float(row[laws.SHEAR])
        if self.settings.contact == "hertz":
            self.approximations.make(
                f"{meeting.field}.rolling_friction",
                "its spring has one stiffness in LAMMPS, and not that of the present Hertz contact",
                f"that of an overlap of {USUAL_OVERLAP:g} of the radius is written",
                'set it to 0, or use contact = "linear"',
            )
            k *= math.sqrt(USUAL_OVERLAP) * radius
        c = 2.0 * laws.ROLLING_DAMPING * math.sqrt(0.4 * k * meeting.mass)
        square = radius * radius
        words = [f"rolling sds {number(k)} {number(c)} {number(rolling)}"]
        if twisting > 0:
            words.append(f"twisting sds {number(k * square)} {number(c * square)} {number(twisting * radius)}")
        return words


def kinds_of(text: ContactText, grains: dict[str, NDArray[np.float64]]) -> tuple[list[Kind], NDArray[np.int64]]:
    """Atom types, and that of each grain, counted from 0.

    Materials and what is pinned are told apart. Sizes are, too, where rolling is resisted: the damper and the twisting
    torque depend on mass and radius, and LAMMPS has one number per pair of types.
    """
    material, pinned = grains["material"].astype(np.float64), grains["pinned"].astype(np.float64)
    keys = np.stack([material, pinned], axis=1)
    if text.resists:
        sized = np.column_stack([keys, _digits(grains["radius"]), _digits(grains["mass"])])
        many = len(np.unique(sized, axis=0))
        if many <= MOST_TYPES:
            keys = sized
        else:
            text.approximations.make(
                "particles",
                f"{many} kinds of grains by material and size, and LAMMPS' rolling resistance has one damper per pair "
                f"of atom types, of which this deck makes {MOST_TYPES} at most",
                "that of the median sizes is written for all",
                "use fewer sizes, or set rolling_friction and twisting_friction to 0",
            )
    _, first, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    kinds = []
    for k in range(len(first)):
        mine = kind.ravel() == k
        radius, mass = (float(np.quantile(grains[name][mine], 0.5, method="lower")) for name in ("radius", "mass"))
        kinds.append(Kind(int(grains["material"][first[k]]), bool(grains["pinned"][first[k]]), radius, mass))
    return kinds, kind.ravel()


def _digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Five digits: sizes that differ by rounding are one."""
    return np.array([float(f"{value:.5g}") for value in values])
