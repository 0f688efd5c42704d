"""DEM against the eight impact tests of Chung & Ooi (Granular Matter 13:643, 2011), Hertz–Mindlin contacts.

Expected values are closed forms where there are any (Hertz, impulse and momentum of sliding), else points read from the
paper's graphs.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import cosine, sine, tangent
from windrow.scene import DEM, Scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario

NEAR = 0.025
"""Share of the expected value by which measured ones may differ."""


class Solid(NamedTuple):
    """A material and a grain of it."""

    young_modulus: float
    poisson_ratio: float
    density: float
    radius: float
    friction: float = 0.0
    restitution: float = 1.0

    @property
    def mass(self) -> float:
        return self.density * 4.0 / 3.0 * math.pi * self.radius**3

    def scene(self) -> Scene:
        scene = Scene(gravity=(0.0, 0.0, 0.0))
        scene.add_material(
            "solid",
            density=self.density,
            young_modulus=self.young_modulus,
            poisson_ratio=self.poisson_ratio,
            friction_static=self.friction,
            restitution=self.restitution,
        )
        return scene


GLASS = Solid(48e9, 0.2, 2800.0, 0.01, 0.35)
LIMESTONE = Solid(20e9, 0.25, 2500.0, 0.01, 0.35)
ALUMINIUM = Solid(70e9, 0.30, 2699.0, 0.1)
MAGNESIUM = Solid(40e9, 0.35, 1800.0, 0.1)
OXIDE = Solid(380e9, 0.23, 4000.0, 2.5e-3, 0.092, 0.98)
IRON = Solid(100e9, 0.25, 7000.0, 2.5e-3)
STEEL = Solid(208e9, 0.3, 7850.0, 1e-5, 0.3)
ALLOY = Solid(70e9, 0.33, 2700.0, 0.1, 0.4, 0.5)


class Hertz(NamedTuple):
    """Greatest force (N) and overlap (m), and duration (s) of an elastic collision."""

    force: float
    overlap: float
    duration: float


def hertz(solid: Solid, speed: float, with_plane: bool) -> Hertz:
    """Johnson 1985, section 11.4; the plane, if any, is rigid."""
    modulus = solid.young_modulus / (1.0 - solid.poisson_ratio**2)
    modulus = modulus if with_plane else 0.5 * modulus
    radius, mass = (solid.radius, solid.mass) if with_plane else (0.5 * solid.radius, 0.5 * solid.mass)
    overlap = (15.0 * mass * speed**2 / (16.0 * math.sqrt(radius) * modulus)) ** 0.4
    return Hertz(4.0 / 3.0 * modulus * math.sqrt(radius) * overlap**1.5, overlap, 2.9433 * overlap / speed)


def _collision(scene: Scene, dt: float, seconds: float) -> Hertz:
    """Of the first grain with what it hits."""
    simulation = Simulation(scene, solver=DEM(contact="hertz", dt=dt), threads=1)
    start = simulation.particles.position.astype(np.float64)
    force, times, at_most = 0.0, 0, start
    for _ in range(round(seconds / dt)):
        simulation.step()
        now = float(np.abs(simulation.particles.force[0]).max())
        times += now > 0.0
        if now > force:
            force, at_most = now, simulation.particles.position.astype(np.float64)
    return Hertz(force, float(np.abs(start - at_most).max()), times * dt)


def elastic_spheres() -> list[Result]:
    """Test 1: two equal spheres meet at 10 m/s each."""
    results: list[Result] = []
    for name, solid in (("glass", GLASS), ("limestone", LIMESTONE)):
        scene = solid.scene()
        r = solid.radius
        places = [(-r * (1 + 1e-6), 0.0, 0.0), (r * (1 + 1e-6), 0.0, 0.0)]
        scene.add_particles(places, velocity=[(10.0, 0, 0), (-10.0, 0, 0)], radius=r, material="solid")
        found, expected = _collision(scene, 1e-7, 6e-5), hertz(solid, 20.0, with_plane=False)
        found = found._replace(overlap=2.0 * found.overlap)
        results += _compared(name, found, expected)
    return results


def elastic_plane() -> list[Result]:
    """Test 2: a sphere hits a rigid plane at 0.2 m/s."""
    results: list[Result] = []
    for name, solid in (("aluminium", ALUMINIUM), ("magnesium", MAGNESIUM)):
        scene = solid.scene()
        # E* of Windrow is that of two materials; a rigid plane is one whose modulus is much greater
        _rigid_plane(scene, solid)
        scene.add_particles(
            [(0.0, 0.0, solid.radius * (1 + 1e-6))], velocity=(0, 0, -0.2), radius=solid.radius, material="solid"
        )
        results += _compared(name, _collision(scene, 2e-6, 9e-4), hertz(solid, 0.2, with_plane=True))
    return results


def _rigid_plane(scene: Scene, solid: Solid) -> None:
    scene.add_material(
        "rigid",
        density=solid.density,
        young_modulus=1e13,
        poisson_ratio=solid.poisson_ratio,
        friction_static=solid.friction,
        restitution=solid.restitution,
    )
    scene.add_plane((0, 0, 1), 0.0, "rigid")


def _compared(name: str, found: Hertz, expected: Hertz) -> list[Result]:
    return [
        Check(f"{name}: greatest force", found.force / 1e3, expected.force / 1e3, NEAR * expected.force / 1e3, "kN"),
        Check(f"{name}: overlap", found.overlap * 1e6, expected.overlap * 1e6, NEAR * expected.overlap * 1e6, "µm"),
        Check(f"{name}: duration", found.duration * 1e6, expected.duration * 1e6, NEAR * expected.duration * 1e6, "µs"),
    ]


class Rebound(NamedTuple):
    """Velocities (n, 3) and spins (n, 3) after collisions."""

    velocity: NDArray[np.float64]
    spin: NDArray[np.float64]


def rebound(
    solid: Solid, velocity: NDArray[np.float64], spin: NDArray[np.float64], step: float, seconds: float
) -> Rebound:
    """Spheres that hit a rigid plane z = 0, far from each other, all at once."""
    scene = solid.scene()
    _rigid_plane(scene, solid)
    n = len(velocity)
    places = np.zeros((n, 3))
    places[:, 0] = (np.arange(n) - n // 2) * 40.0 * solid.radius
    places[:, 2] = solid.radius * (1.0 + 1e-6)
    scene.add_particles(places, velocity=velocity, radius=solid.radius, material="solid", spin=spin)
    substeps = max(1, math.ceil(1e-7 / step))
    dt = max(step, 1e-7)
    solver = DEM(contact="hertz", dt=dt, substeps=substeps, limit_damping=True)
    simulation = Simulation(scene, solver=solver, threads=1)
    for _ in range(math.ceil(seconds / dt)):
        simulation.step()
    particles = simulation.particles
    return Rebound(particles.velocity.astype(np.float64), particles.spin.astype(np.float64))


def restitution() -> list[Result]:
    """Test 3: what comes out is what was asked for."""
    results: list[Result] = []
    for name, solid in (("aluminium oxide", OXIDE._replace(friction=0.0)), ("cast iron", IRON)):
        for e in (0.2, 0.4, 0.6, 0.8, 1.0):
            after = rebound(
                solid._replace(restitution=e), np.array([(0.0, 0, -3.9)]), np.zeros((1, 3)), 1e-8, 6e-5
            )
            results.append(Check(f"{name}, e = {e:g}", float(after.velocity[0, 2]) / 3.9, e, 0.01, ""))
    return results


RATIOS = {
    5.17: 0.948, 10.16: 0.687, 14.99: 0.624, 20.06: 0.616, 25.05: 0.634, 30.12: 0.684, 35.03: 0.737,
    40.02: 0.781, 50.0: 0.845, 59.98: 0.893, 69.96: 0.932, 80.02: 0.966, 85.01: 0.983,
}  # fmt: skip
"""Tangential restitution by angle (degrees) of an impact at 3.9 m/s, test 4, read from the graph."""
SPINS = {
    4.95: 19.3, 10.08: 213.0, 14.97: 377.8, 19.94: 510.6, 24.91: 599.4, 29.96: 616.5, 34.93: 582.3,
    39.98: 544.8, 50.0: 457.0, 60.02: 357.5, 69.96: 246.2, 80.06: 126.3, 85.03: 63.1,
}  # fmt: skip
"""Spin (rad/s) after it, from the second graph."""
READ = 5.0
"""rad/s by which a point of that graph may be misread, 0.8 % of its height: at 80°, where a sphere slides all the time
and 5/2 μ (1 + e) v_n/r = 122.6 rad/s, it shows 126.3."""
STICKING = 14.0
"""Degrees below which a sphere sticks for most of an impact, and codes with other shear springs differ (test 5): spins
are held against 2.5 % of the greatest one."""


def oblique() -> list[Result]:
    """Test 4: oblique impacts of aluminium oxide on a plane."""
    angles = np.radians(np.array([*RATIOS, *SPINS], np.float64))
    velocity = 3.9 * np.stack([sine(angles), 0.0 * angles, -cosine(angles)], axis=1)
    after = rebound(OXIDE, velocity, np.zeros_like(velocity), 1e-8, 3e-5)
    results: list[Result] = []
    for k, (angle, ratio) in enumerate(RATIOS.items()):
        measured = float(after.velocity[k, 0] / velocity[k, 0])
        results.append(Check(f"{angle:g}°: tangential restitution", measured, ratio, NEAR * ratio, ""))
    for k, (angle, spin) in enumerate(SPINS.items(), len(RATIOS)):
        turned = float(after.spin[k, 1])
        near = NEAR * max(SPINS.values()) if angle < STICKING else max(NEAR * spin, READ)
        results.append(Check(f"{angle:g}°: spin", turned, spin, near, "rad/s"))
    return results


def small_oblique() -> list[Result]:
    """Test 5: a sphere of 10 µm; once it slides all the time, r ω/(μ v_n) = −5 and its surface goes at x − 7.

    Below, spheres stick for a while, and codes differ: the paper's curve is that of a spring that keeps its force and
    is half as stiff as 8 G* a, which makes surfaces go back; with Windrow's they go on, up to x = 1.7.
    """
    x = np.array([7.5, 9.0, 12.0])
    velocity = np.stack([x * STEEL.friction * 5.0, 0.0 * x, -5.0 + 0.0 * x], axis=1)
    after = rebound(STEEL, velocity, np.zeros_like(velocity), 1e-10, 2e-7)
    scale = STEEL.friction * 5.0
    surface = (after.velocity[:, 0] - STEEL.radius * after.spin[:, 1]) / scale
    turn = -STEEL.radius * after.spin[:, 1] / scale
    results: list[Result] = []
    for k, value in enumerate(x):
        results.append(Check(f"v_t/(μ v_n) = {value:g}: surface", float(surface[k]), float(value) - 7.0, NEAR, ""))
        results.append(Check(f"v_t/(μ v_n) = {value:g}: spin", float(turn[k]), -5.0, NEAR * 5.0, ""))
    return results


SPINNING = {0.176: -0.820, 0.352: -0.633, 0.551: -0.445, 0.771: -0.243, 0.969: -0.028}
"""Tangential restitution β by x = 3.5 μ (1 + e) v_n/(r ω), test 6, aluminium alloy, read from the graph. Beyond x = 1
spheres stick, and what comes out depends on the damping of shear, of which the paper says nothing."""


def spinning() -> list[Result]:
    """Test 6: a spinning sphere falls straight on a plane; below x = 1 it slides all the time, and β = x − 1."""
    x = np.array(list(SPINNING))
    surface = 3.5 * ALLOY.friction * 1.5 * 0.2 / x
    spin = np.stack([0 * x, -surface / ALLOY.radius, 0 * x], axis=1)
    velocity = np.tile([0.0, 0, -0.2], (len(x), 1))
    after = rebound(ALLOY, velocity, spin, 1e-6, 1.5e-3)
    beta = -(after.velocity[:, 0] - ALLOY.radius * after.spin[:, 1]) / surface
    results: list[Result] = []
    for k, (value, read) in enumerate(SPINNING.items()):
        results.append(Check(f"x = {value:g}: β", float(beta[k]), read, NEAR, ""))
    return results


def two_spinning() -> list[Result]:
    """Test 7: two equal spheres of opposite spin meet: no sideways speed, and the spin stays."""
    results: list[Result] = []
    for degrees in (30.0, 60.0, 85.0):
        spin = 0.2 / ALLOY.radius * float(tangent(math.radians(degrees)))
        scene = ALLOY.scene()
        r = ALLOY.radius * (1 + 1e-6)
        scene.add_particles(
            [(-r, 0, 0), (r, 0, 0)],
            velocity=[(0.2, 0, 0), (-0.2, 0, 0)],
            radius=ALLOY.radius,
            material="solid",
            spin=[(0, spin, 0), (0, -spin, 0)],
        )
        simulation = Simulation(scene, solver=DEM(contact="hertz", dt=1e-6), threads=1)
        for _ in range(1500):
            simulation.step()
        sideways = float(np.abs(simulation.particles.velocity[:, 2]).max())
        results.append(Bound(f"{degrees:g}°: sideways speed", sideways, high=1e-6, unit="m/s"))
        turn = float(simulation.particles.spin[0, 1])
        results.append(Check(f"{degrees:g}°: spin", turn, spin, 1e-5 * spin, "rad/s"))
    return results


def on_a_large_sphere() -> list[Result]:
    """Test 8: a spinning sphere hits a large one, hundreds of times as dense and stiff: as a plane does."""
    x = 0.551
    surface = 3.5 * ALLOY.friction * 1.5 * 0.2 / x
    scene = ALLOY.scene()
    scene.add_material(
        "hard",
        density=1e6,
        young_modulus=1e13,
        poisson_ratio=ALLOY.poisson_ratio,
        friction_static=ALLOY.friction,
        restitution=ALLOY.restitution,
    )
    scene.add_particles([(0, 0, -0.5)], radius=0.5, material="hard")
    spin = (0.0, -surface / ALLOY.radius, 0.0)
    scene.add_particles(
        [(0, 0, 0.1 * (1 + 1e-6))], velocity=(0, 0, -0.2), radius=ALLOY.radius, material="solid", spin=spin
    )
    simulation = Simulation(scene, solver=DEM(contact="hertz", dt=1e-6, limit_damping=True), threads=1)
    for _ in range(1500):
        simulation.step()
    v, turned = simulation.particles.velocity[1], simulation.particles.spin[1]
    beta = -float(v[0] - ALLOY.radius * turned[1]) / surface
    return [Check("β, slides", beta, x - 1.0, NEAR, ""), Check("restitution", float(v[2]) / 0.2, 0.5, 0.01, "")]


SOURCE = "Chung & Ooi 2011, test"
SCENARIOS = [
    Scenario("dem-impact-1", "dem", f"{SOURCE} 1: elastic spheres (Hertz)", elastic_spheres),
    Scenario("dem-impact-2", "dem", f"{SOURCE} 2: elastic sphere and plane (Hertz)", elastic_plane),
    Scenario("dem-impact-3", "dem", f"{SOURCE} 3: restitution", restitution),
    Scenario("dem-impact-4", "dem", f"{SOURCE} 4: oblique impacts of Kharaz et al. 2001, as DEM gives them", oblique),
    Scenario("dem-impact-5", "dem", f"{SOURCE} 5: oblique impacts of a small sphere", small_oblique),
    Scenario("dem-impact-6", "dem", f"{SOURCE} 6: spinning sphere and plane", spinning),
    Scenario("dem-impact-7", "dem", f"{SOURCE} 7: two spinning spheres", two_spinning),
    Scenario("dem-impact-8", "dem", f"{SOURCE} 8: spinning sphere and a large one", on_a_large_sphere),
]
