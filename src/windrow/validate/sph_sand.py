"""Granular SPH: rest, pressure, slopes, run-out, cuts, a bed that accelerates, the paper's creep."""

from __future__ import annotations

import numpy as np

from windrow.scene.calibration import cut_height
from windrow.scene.settings import SPH
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.sph_scenes import (
    DENSITY,
    GRAVITY,
    bank,
    bed_on_a_truck,
    box_of_sand,
    column,
    cone,
    flank_angle,
)

D = 0.04
"""m, side of a particle"""
SEEDS = 3


def drift(simulation: Simulation, seconds: float) -> np.ndarray:
    """How far each particle goes, m."""
    before = simulation.particles.position.copy()
    simulation.run(seconds)
    return np.asarray(np.linalg.norm(simulation.particles.position - before, axis=1))


def rest() -> list[Result]:
    """A cone flatter than its angle, after it came to rest."""
    simulation = cone(35.0, 28.0, 0.05, radius=0.7)
    simulation.run(3.0)
    moved = drift(simulation, 6.0)
    excess = np.maximum(simulation.particles.density / DENSITY - 1.0, 0.0)
    return [
        Bound("mean drift in 6 s, without sleeping", 1e3 * float(moved.mean()), high=0.1, unit="mm"),
        Bound("99 % drift less than", 1e3 * float(np.quantile(moved, 0.99)), high=1.5, unit="mm"),
        Bound("density beyond rest, mean", 100 * float(excess.mean()), high=0.1, unit="%"),
    ]


def pressure() -> list[Result]:
    """Without friction pressure is hydrostatic; with rough walls the silo's walls carry a part of the weight."""
    smooth = box_of_sand(0.0, 0.2, 0.6, D, 0.0)
    smooth.run(1.5)
    z, p = smooth.particles.position[:, 2], smooth.particles.pressure
    deep = z < 0.5
    slope = -float(np.polyfit(z[deep], p[deep], 1)[0])
    floor = -float(smooth.body("obstacle 0")[0][2]) / (GRAVITY * float(smooth.particles.mass.sum()))
    rough = box_of_sand(30.0, 0.12, 0.72, D, 0.4)
    rough.run(1.5)
    forces = [float(rough.body(f"obstacle {k}")[0][2]) for k in range(5)]
    weight = GRAVITY * float(rough.particles.mass.sum())
    return [
        Check("no friction: pressure per depth", slope, DENSITY * GRAVITY, 0.1 * DENSITY * GRAVITY, "Pa/m"),
        Check("no friction: force on the floor over weight", floor, 1.0, 0.01),
        Check("rough silo: force on floor and walls over weight", -sum(forces) / weight, 1.0, 0.02),
        Bound("rough silo, three widths deep: share of the weight on the floor", -forces[0] / weight, 0.2, 0.95),
    ]


def slopes() -> list[Result]:
    """Cones cut 10° too steep settle; means of three starts."""
    results: list[Result] = []
    for angle in (30.0, 35.0, 40.0, 45.0):
        found = []
        for seed in range(SEEDS):
            simulation = cone(angle, angle + 10.0, D, seed)
            simulation.run(3.0)
            found.append(flank_angle(simulation.particles.position, D))
        what, mean = f"asked {angle:g}°, cut at {angle + 10:g}°", float(np.mean(found))
        # from 40° on they stand where they were cut: a report, not a law that holds
        results.append(Check(what, mean, angle, 3.0, "°") if angle < 40.0 else Bound(what, mean, unit="°"))
        results.append(Bound(f"asked {angle:g}°: spread of the starts", float(np.ptp(found)), unit="°"))
    return results


def run_out() -> list[Result]:
    """Columns of aspect a = H/R, dry sand of 30°: ΔR/R = 1.24 a below 1.7 (Lube et al. 2004)."""
    results: list[Result] = []
    radius = 0.4
    for aspect in (0.5, 1.0, 1.5):
        simulation = column(30.0, radius, aspect * radius, D)
        simulation.run(2.5)
        place = simulation.particles.position
        reach = float(np.quantile(np.hypot(place[:, 0], place[:, 1]), 0.99)) + D / 2
        ratio = (reach - radius) / radius
        results.append(Check(f"a = {aspect:g}: (R₉₉ − R)/R over 1.24 a", ratio / (1.24 * aspect), 1.0, 0.45))
    return results


def vertical_cut() -> list[Result]:
    """Rankine's height of a vertical cut, c = 1 kPa, φ = 30°."""
    height = cut_height(1000.0, DENSITY * GRAVITY, 30.0)
    found = []
    for part in (0.6, 2.0):
        d = part * height / 12
        simulation = bank(1000.0, 30.0, part * height, d)
        moved = drift(simulation, 1.0)
        found.append(float((moved > 0.05 * part * height).mean()))
    return [
        Bound("0.6 of the critical height: share that slides", found[0], high=0.05),
        Bound("twice the critical height: share that slides", found[1], low=0.2),
    ]


def accelerating_bed() -> list[Result]:
    """A heap on a plate with friction 0.5: it rides along up to μ g."""
    results: list[Result] = []
    for share in (0.5, 0.9, 1.3):
        simulation = bed_on_a_truck(share * 0.5 * GRAVITY, 0.5, 0.05)
        simulation.run(0.5)
        before = simulation.particles.position.copy()
        simulation.run(0.5)
        bed = 0.5 * share * 0.5 * GRAVITY * 0.5**2
        slip = bed - float((simulation.particles.position - before)[:, 0].mean())
        block = max(bed - 0.5 * 0.5 * GRAVITY * 0.5**2, 0.0)
        results.append(
            Check(f"{share:g} μ g: slip of the heap after 0.5 s (bed moved {bed:.2f} m)", slip, block, 0.04, "m")
        )
    return results


def paper() -> list[Result]:
    """The paper's scheme beside ours: stress that begins at zero in each substep creeps like a viscous fluid."""
    speeds = []
    for scheme in ("lasting", "ihmsen"):
        place = cone(35.0, 30.0, 0.05)
        simulation = Simulation(place.scene, solver=SPH(scheme=scheme, substeps=17))
        simulation.run(2.0)
        speeds.append(float(np.median(np.linalg.norm(simulation.particles.velocity, axis=1))))
    return [
        Bound("ours: median speed of a cone at rest after 2 s", 1e3 * speeds[0], high=1.0, unit="mm/s"),
        Bound("paper's: the same", 1e3 * speeds[1], low=3.0, unit="mm/s"),
    ]


LAWS = {
    "rest": (rest, "Sand at rest stays: no drift, no compression."),
    "pressure": (pressure, "Hydrostatic pressure ρ g z; a silo's walls carry weight by friction (Janssen 1895)."),
    "slopes": (slopes, "Cones that are too steep settle at the angle asked for."),
    "run-out": (run_out, "Run-out of columns, ΔR/R = 1.24 a (Lube, Huppert, Sparks and Hallworth 2004)."),
    "cut": (vertical_cut, "Vertical cuts stand up to (4 c/γ) tan(45° + φ/2)."),
    "bed": (accelerating_bed, "Coulomb: a load rides along up to μ g, which the paper's model could not."),
    "paper": (paper, "Ihmsen, Wahl and Teschner (2013): their scheme creeps without sleeping."),
}
SCENARIOS = [Scenario(f"sph-{name}", "sph", law, run, slow=True) for name, (run, law) in LAWS.items()]
