"""The time step of DEM: a fraction of the shortest collision."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import cube, cube_root, decade, power
from windrow.scene.grains import smallest_radius
from windrow.solvers.dem import laws

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.scene.settings import DEM

PART_OF_COLLISION = 20.0
"""Steps that the shortest collision is cut into."""
PART_OF_RAYLEIGH = 5.0
"""Steps that a surface wave takes around the smallest grain, with Hertz contacts."""
MOST_SUBSTEPS = 100_000
SPEED = 1.0
"""m/s, with which the collision of Hertz contacts is reckoned; faster ones are shorter by the fifth root."""


class TimeStepWarning(UserWarning):
    """The step is longer than collisions are computed well with."""


def linear_time(k: Any, c: Any, mass: Any) -> Any:
    """π/ω (√(1 + ζ²) − ζ), ω = √(k/m), ζ = c/(2 m ω), s: the collision, or less where the damper is the stiffer one."""
    omega = np.sqrt(k / mass)
    zeta = c / (2.0 * mass * omega)
    return math.pi / omega * (np.sqrt(1.0 + zeta * zeta) - zeta)


def hertz_time(modulus: Any, radius: Any, mass: Any, speed: float) -> Any:
    """Of an elastic collision at that speed, s: 2.868 (m²/(R E*² v))^(1/5) (Johnson 1985)."""
    return 2.868 * power(mass * mass / (radius * modulus * modulus * speed), 0.2)


def stuck_time(modulus: Any, kappa: Any, radius: Any, mass: Any) -> Any:
    """Half a period of grains that stick without load (JKR), s: k = 6/5 E* a₀, a₀³ = 9/4 κ² R*²."""
    return math.pi * np.sqrt(mass / (1.2 * modulus * cube_root(2.25 * (kappa * radius) * (kappa * radius))))


def rayleigh_time(radius: Any, density: Any, shear_modulus: Any, poisson_ratio: Any) -> Any:
    """π r √(ρ/G)/(0.1631 ν + 0.8766), s."""
    return math.pi * radius * np.sqrt(density / shear_modulus) / (0.1631 * poisson_ratio + 0.8766)


def _smallest(scene: Scene, grains: Any) -> list[tuple[int, float, float]]:
    """Material, mass and radius of the lightest grain of each material, at the start and from emitters."""
    found: dict[int, tuple[float, float]] = {}
    for k in np.unique(grains["material"]):
        of_it = np.flatnonzero(grains["material"] == k)
        i = of_it[np.argmin(grains["mass"][of_it])]
        found[int(k)] = (float(grains["mass"][i]), float(grains["radius"][i]))
    names = list(scene.materials)
    for emitter in scene.emitters:
        k = names.index(emitter.material)
        r = smallest_radius(emitter.radius)
        mass = scene.materials[emitter.material].density * 4.0 / 3.0 * math.pi * cube(r)
        if k not in found or mass < found[k][0]:
            found[k] = (mass, r)
    return [(k, *values) for k, values in found.items()]


def stable_step(settings: DEM, scene: Scene, table: NDArray[np.float32], grains: Any) -> float:
    """The longest step that the contacts of a scene are computed well with, s; infinite without grains."""
    rows = table.astype(np.float64)
    kinds = math.isqrt(len(rows))
    names = list(scene.materials)
    least = math.inf
    small = _smallest(scene, grains)
    for k, mass, radius in small:
        # with equals, and with walls and grains so large that they do not move
        for m in range(kinds):
            pair = rows[k * kinds + m]
            reduced = 0.5 * mass if m == k else mass
            if settings.contact == "linear":
                if pair[laws.STIFFNESS] <= 0.0:
                    continue
                times = [linear_time(*_spring(pair, reduced))]
                if pair[laws.SHEAR] > 0.0:
                    times.append(linear_time(*_shear_spring(pair, reduced)))
            else:
                half = 0.5 * radius if m == k else radius
                times = [hertz_time(pair[laws.STIFFNESS], half, reduced, SPEED)]
                if pair[laws.STRETCHING] > 0.0:
                    times.append(stuck_time(pair[laws.STIFFNESS], pair[laws.STRETCHING], half, reduced))
            least = min(least, *(float(t) / PART_OF_COLLISION for t in times))
        if settings.contact == "hertz":
            material = scene.materials[names[k]]
            assert material.young_modulus is not None
            nu = material.poisson_ratio
            shear = material.young_modulus / (2.0 * (1.0 + nu))
            density = mass / (4.0 / 3.0 * math.pi * cube(radius))
            least = min(least, float(rayleigh_time(radius, density, shear, nu)) / PART_OF_RAYLEIGH)
    return least


def _spring(pair: NDArray[np.float64], mass: float) -> tuple[float, float, float]:
    k = float(pair[laws.STIFFNESS])
    return k, float(pair[laws.DAMPING]) + float(pair[laws.DAMPING_RATIO]) * math.sqrt(k * mass), mass


def _shear_spring(pair: NDArray[np.float64], mass: float) -> tuple[float, float, float]:
    """Across the normal a sphere that is free to turn has 2/7 of its mass."""
    _, c, _ = _spring(pair, mass)
    return float(pair[laws.SHEAR]), float(pair[laws.SHEAR_DAMPING]) * c, 2.0 / 7.0 * mass


def rounded_down(step: float) -> float:
    """The step with two digits: 0.0012 instead of 0.00123."""
    scale = 0.1 * decade(step)
    return math.floor(step / scale + 1e-9) * scale


def chosen_step(settings: DEM, step: float) -> float:
    """`dt` of settings that leave it out, s; step: the longest that is computed well."""
    if not math.isfinite(step):
        step = 1e-3
    if step < 1e-7:
        raise SceneError(
            f"solver.dt: the contacts of the scene need steps of {step:.2g} s, less than 1e-7 s; make the grains "
            "softer or larger"
        )
    return float(f"{min(rounded_down(step) * (settings.substeps or 1), 1.0):.10g}")


def chosen_substeps(settings: DEM, stable: float) -> int:
    """`substeps` of settings that leave them out."""
    if settings.dt is None:
        return 1
    needed = math.ceil(settings.dt / stable - 1e-6)
    if needed > MOST_SUBSTEPS:
        raise SceneError(
            f"solver.substeps: a step of {settings.dt:g} s would be cut into {needed} of {stable:.2g} s, more than "
            f"{MOST_SUBSTEPS}; give a shorter dt, or make the grains softer or larger"
        )
    return max(needed, 1)


def step_warning(settings: DEM, stable: float) -> str | None:
    """What is to be said of a step that is longer than that."""
    if settings.dt is None or settings.substeps is None:
        return None
    if settings.dt / settings.substeps <= stable * (1.0 + 1e-6):
        return None
    return (
        f"solver.dt: steps of {settings.dt / settings.substeps:.3g} s are longer than {stable:.3g} s, which is 1/"
        f"{PART_OF_COLLISION:.0f} of the shortest collision of the scene; restitution and energy will be off. Leave "
        "dt out, give more substeps, or make the grains softer or larger"
    )
