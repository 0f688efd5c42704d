"""What two materials do to each other in DEM: the table that contacts read, and what of it a scene uses."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import cosine, cube_root, logarithm
from windrow.scene.materials import Material, MaterialPair, combine
from windrow.solvers.dem import laws
from windrow.solvers.dem.laws import PAIR_COLUMNS, Law

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.scene.settings import DEM

TRIES = 40


@cache
def damping_factor(restitution: float, hertz: bool = False, limited: bool = False) -> float:
    """Of √(m* S) in the damper, S the present stiffness, so that a collision has that restitution e.

    2ζ = −2 ln e/√(π² + ln² e) with a linear spring, and √(5/6) of it with Hertz's; where the damper may not pull, the
    contact ends before the overlap does, and the factor is found by trying.
    """
    if limited:
        low, high = 0.0, 100.0
        for _ in range(TRIES):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if restitution_of(middle, hertz) > restitution else (low, middle)
        return 0.5 * (low + high)
    ln = float(logarithm(restitution))
    factor = -2.0 * ln / math.sqrt(math.pi * math.pi + ln * ln)
    return math.sqrt(5.0 / 6.0) * factor if hertz else factor


def restitution_of(factor: float, hertz: bool) -> float:
    """Of a collision whose damper never pulls, in units of mass, stiffness and speed; it ends when the force is 0."""
    x, v, dt = 0.0, 1.0, 1e-3
    while True:
        x += dt * v
        if x <= 0.0:
            return -v
        stiffness = 2.0 * math.sqrt(x) if hertz else 1.0
        force = (2.0 / 3.0 if hertz else 1.0) * stiffness * x + factor * math.sqrt(stiffness) * v
        if force <= 0.0:
            return max(-v, 0.0)
        v -= dt * force


def reduced_moduli(a: Material, b: Material) -> tuple[float, float]:
    """E* and G* of two materials, Pa: 1/E* = Σ (1 − ν²)/E, 1/G* = Σ 2 (2 − ν)(1 + ν)/E."""
    e = g = 0.0
    for one in (a, b):
        assert one.young_modulus is not None
        nu = one.poisson_ratio
        e += (1.0 - nu * nu) / one.young_modulus
        g += 2.0 * (2.0 - nu) * (1.0 + nu) / one.young_modulus
    return 1.0 / e, 1.0 / g


def mean(a: float, b: float) -> float:
    """Geometric: one smooth or clean partner decides."""
    return math.sqrt(a * b)


def pair_row(
    settings: DEM, a: Material, b: Material, override: MaterialPair | None, at_wall: bool
) -> NDArray[np.float64]:
    """The row of two materials; columns as in `laws`."""
    values = combine(a, b, override, at_wall)
    row = np.zeros(PAIR_COLUMNS)

    def both(name: str) -> float:
        given = None if override is None else getattr(override, name)
        return mean(getattr(a, name), getattr(b, name)) if given is None else float(given)

    restitution = None if override is None else override.restitution
    if restitution is None and a.restitution is not None and b.restitution is not None:
        restitution = mean(a.restitution, b.restitution)
    hertz, limited = settings.contact == "hertz", settings.limit_damping
    row[laws.DAMPING_RATIO] = 0.0 if restitution is None else damping_factor(restitution, hertz, limited)
    if hertz:
        row[laws.STIFFNESS], shear = reduced_moduli(a, b)
        row[laws.SHEAR] = 8.0 * shear
    else:
        row[laws.STIFFNESS] = values.stiffness
        row[laws.SHEAR] = settings.tangential_stiffness_ratio * values.stiffness
    row[laws.DAMPING] = values.damping if restitution is None else 0.0
    row[laws.SHEAR_DAMPING] = settings.tangential_damping_ratio
    row[laws.STATIC], row[laws.KINETIC] = values.friction_static, values.friction_kinetic
    row[laws.ROLLING], row[laws.TWISTING] = both("rolling_friction"), both("twisting_friction")
    row[laws.ADHESION] = math.pi * values.adhesion
    # the work of adhesion w is that of two surfaces
    work = 2.0 * both("surface_energy")
    row[laws.PULL] = 2.0 * math.pi * work
    if stretched(settings) and work > 0.0:
        row[laws.PULL] = 3.0 * math.pi * work
        row[laws.STRETCHING] = math.sqrt(2.0 * math.pi * work / row[laws.STIFFNESS])
        row[laws.STRETCHING_ROOT] = float(cube_root(row[laws.STRETCHING]))
    volume = mean(a.bridge_volume, b.bridge_volume)
    row[laws.BRIDGE_WIDTH] = 1.0
    if volume > 0.0:
        angle = math.radians(0.5 * (a.wetting_angle_deg + b.wetting_angle_deg))
        tension = mean(a.surface_tension, b.surface_tension)
        row[laws.BRIDGE] = 4.0 * math.pi * tension * float(cosine(angle))
        row[laws.BRIDGE_WIDTH] = math.sqrt(0.5 * volume)
        row[laws.BRIDGE_REACH] = (1.0 + 0.5 * angle) * float(cube_root(volume))
    return row


def stretched(settings: DEM) -> bool:
    """Whether surface energy deforms spheres (JKR)."""
    return settings.surface_energy == "jkr"


def pair_table(settings: DEM, scene: Scene) -> NDArray[np.float32]:
    """(kinds², columns): grains and grains, grains and obstacles of each material; row a·kinds + b."""
    overrides = {frozenset(pair.materials): pair for pair in scene.material_pairs}
    count = len(scene.materials)
    table = np.zeros((2 * count, 2 * count, PAIR_COLUMNS), np.float32)
    for k, (a, first) in enumerate(scene.materials.items()):
        for m, (b, second) in enumerate(scene.materials.items()):
            override = overrides.get(frozenset((a, b)))
            table[k, m] = pair_row(settings, first, second, override, False)
            table[k, count + m] = table[count + m, k] = pair_row(settings, first, second, override, True)
    return table.reshape(-1, PAIR_COLUMNS)


def law_of(settings: DEM, table: NDArray[np.float32], alike: bool) -> Law:
    """The pieces that a scene needs; rolling resistance and cohesion are compiled together."""
    extras = [laws.ROLLING, laws.TWISTING, laws.ADHESION, laws.PULL, laws.BRIDGE]
    whole = bool((table[:, extras] > 0).any())
    stretches = bool((table[:, laws.STRETCHING] > 0).any())
    hertz = settings.contact == "hertz"
    return Law(hertz=hertz, resists=whole, coheres=whole, mixed=whole or not alike, stretches=stretches)


def longest_neck(table: NDArray[np.float32], radius: float) -> float:
    """Greatest gap over which stretched surfaces hold, m, where no grain is larger than that radius."""
    kappa = float(table[:, laws.STRETCHING].max(initial=0.0))
    square = (0.25 * kappa) * (0.25 * kappa)
    return 3.0 * float(cube_root(square * square * radius))


def refuse(settings: DEM, scene: Scene) -> None:
    """Raises SceneError where a scene's materials and laws do not fit together."""
    if stretched(settings) and settings.contact == "linear":
        raise SceneError(
            'solver.surface_energy: "jkr" is the theory of elastic spheres; use contact="hertz", or leave it out'
        )
    if stretched(settings) and settings.limit_damping:
        raise SceneError(
            'solver.limit_damping: with surface_energy="jkr" contacts pull before they part, and dampers with them; '
            "leave one of the two out"
        )
    for name, material in scene.materials.items():
        given: Any = material.model_fields_set
        place = f"materials.{name}"
        if settings.contact == "hertz" and material.young_modulus is None:
            raise SceneError(
                f"{place}.young_modulus: missing; Hertz contacts need it. Give it in Pa (5e6 to 1e8 is usual for soft "
                'computed grains), or use contact="linear"'
            )
        if settings.contact == "hertz" and material.restitution is None and "damping" not in given:
            raise SceneError(
                f"{place}.restitution: missing; Hertz contacts are damped by it. Give 1 for none, or a `damping`"
            )
        # files say all fields, also those that were left out
        if material.restitution is not None and material.damping not in (0.0, Material.model_fields["damping"].default):
            raise SceneError(
                f"{place}: restitution {material.restitution:g} and damping {material.damping:g} N·s/m both say how "
                "much a collision takes away; leave one of them out"
            )
        if material.surface_energy > 0 and settings.contact == "linear":
            raise SceneError(
                f"{place}.surface_energy: the pull by surface energy (DMT) belongs to elastic spheres; use "
                'contact="hertz", or `adhesion` with linear contacts'
            )
        if material.surface_energy > 0 and material.adhesion > 0 and stretched(settings):
            raise SceneError(
                f"{place}: surface_energy and adhesion together; both say what holds stretched contacts. Leave one of "
                'them out, or use surface_energy="dmt"'
            )
        if material.surface_energy > 0 and material.bridge_volume > 0:
            raise SceneError(
                f"{place}: surface_energy and bridge_volume together; a liquid bridge covers the surfaces that would "
                "pull each other. Leave one of them out"
            )
    if scene.has_clumps and scene.terrain_grains:
        raise SceneError(
            "particles: clumps and ground that turns into grains together; the ground cannot take clumps up. Take "
            'fidelity = "field", or grains instead of clumps'
        )
    if scene.links or any(source.kind in ("rope", "cloth", "rope_ladder") for source in scene.particles):
        raise SceneError('links: DEM computes no ropes, cloth or links; use the solver "p2" or "ndem"')
