"""DEM against closed forms: restitution, friction, rolling, cohesion, energy, momentum, angular momentum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import cosine, sine, tangent
from windrow.scene import DEM, Scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario

G = 9.81
RADIUS = 0.05
MASS = 1600.0 * 4.0 / 3.0 * math.pi * RADIUS**3


def scene_of(gravity: tuple[float, float, float] = (0.0, 0.0, -G), **material: Any) -> Scene:
    """A scene of one material, softer and more bouncing than sand."""
    scene = Scene(gravity=gravity)
    scene.add_material("grain", **{"density": 1600.0, "stiffness": 1e5, "restitution": 0.5} | material)
    return scene


def run(scene: Scene, seconds: float, solver: DEM | None = None) -> Simulation:
    simulation = Simulation(scene, solver=solver or DEM(), threads=1)
    for _ in range(round(seconds / simulation.solver.dt)):
        simulation.step()
    return simulation


def restitution() -> list[Result]:
    """Two spheres meet at 1 m/s each; linear springs, dampers that pull and dampers that do not."""
    results: list[Result] = []
    for limited in (False, True):
        for e in (0.1, 0.5, 0.9, 1.0):
            scene = scene_of((0, 0, 0), restitution=e)
            scene.add_particles([(-0.051, 0, 0), (0.051, 0, 0)], [(1, 0, 0), (-1, 0, 0)], RADIUS, material="grain")
            simulation = run(scene, 0.04, DEM(dt=5e-5, limit_damping=limited))
            after = float(simulation.particles.velocity[1, 0] - simulation.particles.velocity[0, 0]) / 2.0
            how = "never pulls" if limited else "pulls"
            results.append(Check(f"damper that {how}, e = {e:g}", after, e, 0.01 * e, ""))
    return results


def sliding_to_rolling() -> list[Result]:
    """A sphere set down with 1 m/s rolls at 5/7 m/s after 2 v/(7 μ g), and goes on so."""
    mu = 0.2
    scene = scene_of(friction_static=mu, stiffness=1e6)
    scene.add_plane((0, 0, 1), 0.0, "grain")
    rest = RADIUS - MASS * G / 1e6
    scene.add_particles([(0, 0, rest)], (1.0, 0, 0), RADIUS, material="grain")
    simulation = Simulation(scene, solver=DEM(), threads=1)
    rolls = math.inf
    for _ in range(round(0.4 / simulation.solver.dt)):
        simulation.step()
        v, spin = float(simulation.particles.velocity[0, 0]), float(simulation.particles.spin[0, 1])
        if v - RADIUS * spin < 0.005 and math.isinf(rolls):
            rolls = simulation.time
    expected = 2.0 / (7.0 * mu * G)
    return [
        Check("begins to roll after", rolls, expected, 0.02 * expected, "s"),
        Check("speed", v, 5.0 / 7.0, 0.005, "m/s"),
        Check("r ω", RADIUS * spin, 5.0 / 7.0, 0.005, "m/s"),
    ]


def rolling_decay() -> list[Result]:
    """A rolling sphere is braked by 5/7 μ_r g, one that spins on its pole by 5/2 μ_w g/r; both come to rest."""
    resist = 0.05
    scene = scene_of(friction_static=0.5, rolling_friction=resist, twisting_friction=resist)
    scene.add_plane((0, 0, 1), 0.0, "grain")
    rest = RADIUS - MASS * G / 1e5
    rolling = {"velocity": (0.5, 0.0, 0.0), "spin": (0.0, 0.5 / RADIUS, 0.0)}
    scene.add_particles([(0, 0, rest)], radius=RADIUS, material="grain", **rolling)
    scene.add_particles([(0, 1, rest)], radius=RADIUS, material="grain", spin=(0, 0, 20.0))
    simulation = Simulation(scene, solver=DEM(), threads=1)
    seconds = 0.15
    for _ in range(round(seconds / simulation.solver.dt)):
        simulation.step()
    braked = (0.5 - float(simulation.particles.velocity[0, 0])) / simulation.time
    slowed = (20.0 - float(simulation.particles.spin[1, 2])) / simulation.time
    expected, slowing = 5.0 / 7.0 * resist * G, 2.5 * resist * G / RADIUS
    for _ in range(round(2.5 / simulation.solver.dt)):
        simulation.step()
    left = float(np.abs(simulation.particles.velocity).max()), float(np.abs(simulation.particles.spin).max())
    return [
        Check("rolling: braked by", braked, expected, 0.02 * expected, "m/s²"),
        Check("spinning: slowed by", slowed, slowing, 0.02 * slowing, "rad/s²"),
        Bound("speed at the end", left[0], high=1e-4, unit="m/s"),
        Bound("spin at the end", left[1], high=2e-3, unit="rad/s"),
    ]


def incline() -> list[Result]:
    """A sphere that cannot roll slides like a block: at rest below μ_s, else by g (sin θ − μ_k cos θ)."""
    results: list[Result] = []
    static, kinetic = 0.5, 0.4
    for degrees in (20.0, 25.0, 28.0, 35.0):
        angle = math.radians(degrees)
        scene = scene_of(friction_static=static, friction_kinetic=kinetic, rolling_friction=5.0)
        scene.add_plane((0, 0, 1), 0.0, "grain")
        rest = RADIUS - MASS * G * float(cosine(angle)) / 1e5
        scene.add_particles([(0, 0, rest)], radius=RADIUS, material="grain")
        simulation = Simulation(scene, solver=DEM(), threads=1)
        # tilted slowly: a load that comes at once makes springs swing to twice of it
        steps = round(0.5 / simulation.solver.dt)
        for k in range(steps):
            now = angle * min(1.0, 1.25 * k / steps)
            simulation.model.gravity[:] = G * float(sine(now)), 0.0, -G * float(cosine(now))
            simulation.step()
        before, begin = float(simulation.particles.velocity[0, 0]), simulation.time
        for _ in range(round(0.5 / simulation.solver.dt)):
            simulation.step()
        gained = (float(simulation.particles.velocity[0, 0]) - before) / (simulation.time - begin)
        slides = float(tangent(angle)) > static
        expected = G * (float(sine(angle)) - kinetic * float(cosine(angle))) if slides else 0.0
        tolerance = max(0.01 * expected, 1e-3)
        results.append(Check(f"{degrees:g}°, {'slides' if slides else 'holds'}", gained, expected, tolerance, "m/s²"))
    return results


def cohesion() -> list[Result]:
    """The force that takes two spheres apart, found by pulling them slowly: surface energy, adhesion, bridge."""
    results: list[Result] = []
    half = 0.5 * RADIUS
    hertz = {"young_modulus": 1e7, "stiffness": 1e5}
    volume, tension = 1e-7, 0.072
    cases: list[tuple[str, str, dict[str, Any], float]] = [
        ("surface energy 0.5 J/m², DMT", "dmt", {**hertz, "surface_energy": 0.5}, 4.0 * math.pi * 0.5 * half),
        ("surface energy 0.5 J/m², JKR", "jkr", {**hertz, "surface_energy": 0.5}, 3.0 * math.pi * 0.5 * half),
        ("adhesion 1 kPa", "linear", {"adhesion": 1000.0}, 1000.0 * math.pi * 0.1 * 1.9 * RADIUS**2),
        ("bridge 0.1 ml", "linear", {"bridge_volume": volume}, 4.0 * math.pi * half * tension),
    ]
    for name, contact, material, expected in cases:
        held, torn = [_stays(contact, material, share * expected) for share in (0.95, 1.05)]
        results.append(Check(f"{name}: holds 95 % of {expected:.3g} N", float(held), 1.0, 0.0, ""))
        results.append(Check(f"{name}: holds 105 %", float(torn), 0.0, 0.0, ""))
    return results


def _stays(contact: Any, material: dict[str, Any], force: float) -> bool:
    """Whether a sphere under a held one, pulled down by a force (N) that rises slowly, stays."""
    scene = scene_of((0, 0, 0), restitution=0.2, **material)
    scene.add_particles([(0, 0, 2 * RADIUS)], radius=RADIUS, material="grain", pinned=True)
    mass = 0.01
    scene.add_particles([(0, 0, 0)], (0, 0, 0.001), RADIUS, mass, material="grain")
    solver = DEM() if contact == "linear" else DEM(contact="hertz", surface_energy=contact)
    simulation = Simulation(scene, solver=solver, threads=1)
    steps = round(1.0 / simulation.solver.dt)
    for k in range(steps):
        if k > steps // 5:
            simulation.model.gravity[2] = -force / mass * min(1.0, 1.5 * k / steps)
        simulation.step()
    return float(simulation.particles.position[1, 2]) > -0.2 * RADIUS


def _tumbling(**material: Any) -> Scene:
    """Thirty spheres of two sizes that fly into each other, without gravity."""
    scene = scene_of((0, 0, 0), **material)
    random = np.random.default_rng(4)
    lattice = np.stack(np.meshgrid(*[np.arange(3.0)] * 3, indexing="ij"), -1).reshape(-1, 3)
    places = 0.12 * (lattice - 1.0) + random.uniform(-0.008, 0.008, (27, 3))
    velocity = -3.0 * places + random.uniform(-0.3, 0.3, (27, 3))
    radius = np.where(np.arange(27) % 3 == 0, 0.03, RADIUS)
    scene.add_particles(
        places, velocity, radius, material="grain", spin=random.uniform(-20, 20, (27, 3))
    )
    return scene


def momenta(simulation: Simulation) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Momentum, kg m/s, and angular momentum about the origin, kg m²/s."""
    p = simulation.particles
    mass, x, v = p.mass[:, None], p.position.astype(np.float64), p.velocity.astype(np.float64)
    inertia = 0.4 * mass * p.radius.astype(np.float64)[:, None] ** 2
    spin = p.spin.astype(np.float64)
    return (mass * v).sum(axis=0), (mass * np.cross(x, v) + inertia * spin).sum(axis=0)


def conservation() -> list[Result]:
    """Momentum and angular momentum of a closed system, with all laws there are."""
    results: list[Result] = []
    plain = {"friction_static": 0.5}
    whole = {**plain, "rolling_friction": 0.1, "twisting_friction": 0.1, "adhesion": 500.0}
    hertz = {**plain, "young_modulus": 1e7}
    for name, material, solver in (
        ("linear", plain, DEM()),
        ("all laws", whole, DEM()),
        ("hertz", hertz, DEM(contact="hertz")),
        ("jkr", {**hertz, "surface_energy": 2.0}, DEM(contact="hertz", surface_energy="jkr")),
    ):
        scene = _tumbling(**material)
        simulation = Simulation(scene, solver=solver, threads=1)
        before = momenta(simulation)
        size = float((simulation.particles.mass * np.abs(simulation.particles.velocity).max(axis=1)).sum())
        touched = 0
        for _ in range(round(0.15 / simulation.solver.dt)):
            simulation.step()
            touched = max(touched, len(simulation.contacts) if touched == 0 else 0)
        after = momenta(simulation)
        off, turned = (float(np.abs(a - b).max()) for a, b in zip(after, before, strict=True))
        results.append(Bound(f"{name}: momentum changed by", off / size, high=2e-6, unit="of m |v|"))
        results.append(Bound(f"{name}: angular momentum by", turned / (0.2 * size), high=5e-6, unit="of 0.2 m·m |v|"))
    return results


def _energies(simulation: Simulation, gravity: float) -> float:
    """Kinetic, of place, and of the springs, J; linear springs only."""
    p = simulation.particles
    mass, v, spin = p.mass, p.velocity.astype(np.float64), p.spin.astype(np.float64)
    inertia = 0.4 * mass * p.radius.astype(np.float64) ** 2
    moving = 0.5 * (mass * (v * v).sum(axis=1) + inertia * (spin * spin).sum(axis=1)).sum()
    height = (mass * p.position[:, 2].astype(np.float64)).sum() * gravity
    contacts = simulation.contacts
    stiffness = 1e5
    along = contacts.normal_force
    across = contacts.tangential_force
    springs = 0.5 * (along * along).sum() / stiffness + 0.5 * (across * across).sum() / (2.0 / 7.0 * stiffness)
    return float(moving + height + springs)


def energy() -> list[Result]:
    """Elastic grains without friction keep their energy; those that stick lose what springs hold when they part."""
    results: list[Result] = []
    for name, friction in (("smooth", 0.0), ("sticking", 1e3)):
        scene = scene_of(restitution=1.0, friction_static=friction)
        scene.add_plane((0, 0, 1), 0.0, "grain")
        lattice = np.stack(np.meshgrid(*[np.arange(3.0)] * 3, indexing="ij"), -1).reshape(-1, 3)
        random = np.random.default_rng(2)
        places = 0.12 * lattice + (0, 0, 0.1) + random.uniform(-0.005, 0.005, (27, 3))
        scene.add_particles(places, radius=RADIUS, material="grain")
        simulation = Simulation(scene, solver=DEM(dt=5e-5), threads=1)
        begin, most, least = _energies(simulation, G), 0.0, 0.0
        for k in range(round(0.6 / simulation.solver.dt)):
            simulation.step()
            if k % 50 == 0:
                change = _energies(simulation, G) - begin
                most, least = max(most, change), min(least, change)
        # what shear springs hold is gone when grains part
        lost = 0.01 if friction == 0.0 else 0.03
        results.append(Bound(f"{name}: energy gained at most", most / begin, high=1e-3, unit="of all"))
        results.append(Bound(f"{name}: energy lost at most", -least / begin, high=lost, unit="of all"))
    return results


SCENARIOS = [
    Scenario("dem-restitution", "dem", "speed after a collision is e times that before", restitution),
    Scenario("dem-sliding-to-rolling", "dem", "rolls at 5/7 v after 2 v/(7 μ g)", sliding_to_rolling),
    Scenario("dem-rolling-decay", "dem", "rolling and twisting friction, −5/7 μ_r g and −5/2 μ_w g/r", rolling_decay),
    Scenario("dem-incline", "dem", "Coulomb: slides if tan θ > μ_s, then by g (sin θ − μ_k cos θ)", incline),
    Scenario("dem-cohesion", "dem", "pull-off forces of DMT, JKR, adhesion and liquid bridges", cohesion, slow=True),
    Scenario("dem-conservation", "dem", "momentum and angular momentum of a closed system", conservation),
    Scenario("dem-energy", "dem", "elastic grains keep their energy; friction only takes", energy),
]
