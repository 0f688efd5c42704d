"""NDEM against the laws of granular flow and of silos: collapse, Beverloo, Janssen, draw-down."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.collide.touching import touching_pairs
from windrow.measure.flow import steady_rate
from windrow.measure.heap import spread
from windrow.measure.packing import solid_fraction
from windrow.scene import NDEM, Box, Linear, Material, Scene
from windrow.scene.settings import SolverSettings
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario
from windrow.validate.ndem_scenes import (
    MIXED,
    RADIUS,
    G,
    TakenGrains,
    add_channel,
    filled_channel,
    filled_cylinder,
    rest,
    sand,
    scene_of,
)

DIAMETER = 2.0 * RADIUS
SMOOTH = Material(friction_static=0.0)
WALL = 0.2
"""Thickness of the walls of a box, m."""
SILO_DENSITY = 1620.0
"""kg/m³ of the filling of a silo; only units of depth depend on it."""
STIFF = 5e5
"""Springs under tall fillings, N/m, so that they stay as high as they were filled."""
FRICTION = 0.2
"""Between grains of all scenarios here: heaps stand at 30°."""
ROUGH = 0.6
"""Friction of grains on the ground of a collapse."""
WALL_DRAG = 0.5
"""Friction on the side walls of a channel times a column's length over its width: that of glass and columns one to
two widths long. Without it columns run further than in the channels that the law is from."""
FILLINGS = 3
"""Runs of which means are taken where a single filling scatters."""
ORIFICES = (7.0, 8.5, 10.5, 12.5)
"""Widths of the orifices, in diameters of a grain. Narrower ones jam: of five fillings two stopped flowing through 5.5
and through 6, none through 6.5 and 7. Grains that do not roll hold arches as angular ones do; real grains jam up to 5
diameters if they are round, and up to 6 if they are not (Zuriguel et al., Phys. Rev. E 71, 051303, 2005)."""


@dataclass(frozen=True)
class Saturation:
    """Floor loads of a silo over how much was poured in, both as depths of a bed without walls, m."""

    poured: NDArray[np.float64]
    felt: NDArray[np.float64]
    length: float
    """λ of λ (1 − exp(−z/λ)), m"""
    error: float
    """largest difference from it over λ"""


def exponent(x: list[float], y: list[float]) -> float:
    """Slope of log y over log x by least squares."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def runout(aspect: float, column_radius: float) -> float:
    """ΔR/R of a column of height over radius `aspect` that is let go, from the radius around 99 % of its grains."""
    soil = sand(FRICTION, wall_friction=ROUGH)
    height = aspect * column_radius
    grains = TakenGrains.of(filled_cylinder(soil, SMOOTH, column_radius, height), below=height)
    scene = scene_of(soil)
    scene.add_plane((0, 0, 1), 0.0, "soil", name="ground")
    grains.add_to(scene, "soil")
    before = spread(grains.position, (0.0, 0.0))
    simulation = Simulation(scene, solver=NDEM())
    _let_go(simulation, height)
    return spread(simulation.particles.position, (0.0, 0.0)) / before - 1.0


def planar_runout(aspect: float, length: float, width: float, seed: int) -> tuple[float, float]:
    """ΔL/L of a column of height over length `aspect` in a channel whose front is taken away: that of the way within
    which 99 % of the grains are, and that of the front of the deposit. `width` is that of the channel over `length`."""
    soil, smooth = sand(FRICTION, wall_friction=ROUGH, stiffness=STIFF), stiff_wall(0.0)
    height, wall_friction, width = aspect * length, WALL_DRAG * width, width * length
    grains = TakenGrains.of(filled_channel(soil, smooth, length, width, height, seed), below=height)
    scene = scene_of(soil, wall=stiff_wall(wall_friction**2 / ROUGH))  # a contact has the geometric mean of both
    scene.add_plane((0, 0, 1), 0.0, "soil", name="ground")
    scene.add_plane((1, 0, 0), 0.0, "wall", name="back")
    add_channel(scene, width)
    grains.add_to(scene, "soil")
    simulation = Simulation(scene, solver=NDEM())
    _let_go(simulation, height)
    found = simulation.particles
    before, after = grains.position[:, 0], found.position[:, 0]
    return (
        float(np.percentile(after, 99) / np.percentile(before, 99)) - 1.0,
        front(found.position, found.radius) / length - 1.0,
    )


def front(position: NDArray[np.float32], radius: NDArray[np.float32]) -> float:
    """x, m, of the furthest grain that a chain of touching grains links to the deposit: what has rolled away from it
    does not count."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    first, second, _ = touching_pairs(position.astype(np.float64), 1.01 * radius.astype(np.float64))
    size = (len(radius), len(radius))
    cluster = connected_components(coo_matrix((np.ones(len(first)), (first, second)), size), directed=False)[1]
    return float(position[cluster == np.bincount(cluster).argmax(), 0].max())


def _let_go(simulation: Simulation, height: float) -> None:
    """Runs until a column of a height, m, has come to rest."""
    longest, shortest = 8.0 * math.sqrt(height / G) + 2.0, 3.0 * math.sqrt(2.0 * height / G)
    rest(simulation, longest, speed=1e-2, shortest=shortest)


def collapse() -> list[Result]:
    low = {aspect: runout(aspect, 45 * RADIUS) for aspect in (0.6, 1.0, 1.6)}
    high = {aspect: runout(aspect, 10 * RADIUS) for aspect in (2.5, 4.0, 6.0, 9.0)}
    return _against_law("ΔR/R", low, high, (1.24, 1.0), (1.6, 0.5), 1.7)


def planar_collapse() -> list[Result]:
    """Run-outs are those of 99 % of the grains, as of round columns, and those of the front.

    1 % of a deposit that ends in a thin tip is a good part of its way, and the more the lower the column was: with a
    tip of 15° a third of the height at a = 0.6 and a sixth at a = 2.2, which alone makes a power of 1.14 out of a front
    that keeps the law. And what spreads must be many grains high: low columns 25, 50 and 75 grains long have powers of
    1.18, 1.14 and 1.11, and their fronts 1.13, 1.06 and 1.01.
    """

    def runs(
        aspects: tuple[float, ...], length: float, width: float, fillings: int
    ) -> tuple[dict[float, float], dict[float, float]]:
        every = [
            np.mean([planar_runout(a, length, width, seed) for seed in range(fillings)], axis=0) for a in aspects
        ]
        most, fronts = (dict(zip(aspects, map(float, column), strict=True)) for column in zip(*every, strict=True))
        return most, fronts

    low, low_front = runs((0.6, 1.0, 1.6, 2.2), 150 * RADIUS, 0.2, 1)
    high, high_front = runs((3.0, 5.0, 8.0, 12.0), 24 * RADIUS, 0.6, FILLINGS)
    laws = (1.2, 1.0), (1.9, 2.0 / 3.0), 2.3
    return [
        *_against_law("ΔL/L of 99 %", low, high, *laws),
        *_against_law("ΔL/L of the front", low_front, high_front, *laws),
    ]


def _against_law(
    what: str,
    low: dict[float, float],
    high: dict[float, float],
    law_low: tuple[float, float],
    law_high: tuple[float, float],
    border: float,
) -> list[Result]:
    """Run-outs by aspect ratio a, below and above `border`, against factor a^power of each range."""
    results: list[Result] = [
        Check(f"a {sign} {border:g}: exponent of {what}", exponent(list(found), list(found.values())), law[1], 0.15)
        for sign, found, law in (("<", low, law_low), (">", high, law_high))
    ]
    for found, (factor, power) in ((low, law_low), (high, law_high)):
        for aspect, run in found.items():
            law = factor * aspect**power
            results.append(Bound(f"a {aspect:g}: {what} over the law's {law:.2f}", run / law))
    return results


def outflow(grains: TakenGrains, radius: float, orifice: float, until: float = 0.65) -> float:
    """Steady mass flow (kg/s) through a round orifice (diameter, m) in a flat floor, after the first second and until
    so much is left."""
    scene = scene_of(sand(FRICTION), steel=Material(friction_static=0.3))
    top = float(grains.position[:, 2].max()) + 10 * RADIUS
    scene.add_revolution([(radius, top), (radius, 0.0), (0.5 * orifice, 0.0)], "steel", name="silo")
    grains.add_to(scene, "soil")
    scene.add_sink(Box(size=(8 * radius, 8 * radius, 1.0)), position=(0.0, 0.0, -1.0))
    simulation = Simulation(scene, solver=NDEM())
    full = len(simulation.particles)
    time, out = [], []
    while simulation.time < 2.0 or (len(simulation.particles) > until * full and simulation.time < 8.0):
        simulation.step()
        time.append(simulation.time)
        out.append(simulation.ledger["sunk_mass"])
    return steady_rate(time, out, start=1.0).value


def flows_of(full: Simulation, radius: float) -> tuple[list[float], float, list[float]]:
    """Flows (kg/s) of a filling through each orifice; that through the second one with a lower bed; and the law's."""
    grains, inside = TakenGrains.of(full, below=20 * DIAMETER), 5 * DIAMETER
    bulk = 2650.0 * solid_fraction(
        grains.position, grains.radius, (-inside, -inside, 3 * DIAMETER), (inside, inside, 15 * DIAMETER)
    )
    flows = [outflow(grains, radius, size * DIAMETER) for size in ORIFICES]
    lower = outflow(TakenGrains.of(full, below=13 * DIAMETER), radius, ORIFICES[1] * DIAMETER, until=0.75)
    return flows, lower, [bulk * math.sqrt(G) * ((size - 1.4) * DIAMETER) ** 2.5 for size in ORIFICES]


def beverloo_fit(sizes: list[float], strengths: list[float]) -> tuple[float, float]:
    """C and k of C (D − k)^2.5, by least squares of its power 0.4, which is a line over D.

    D is in diameters of a grain, `strengths` are flows over ρ_b √g d^2.5.
    """
    slope, offset = np.polyfit(sizes, np.power(strengths, 0.4), 1)
    return float(slope**2.5), float(-offset / slope)


def beverloo() -> list[Result]:
    """Means of three fillings: one alone gives flows that differ by 5 %."""
    radius = 12 * DIAMETER
    found = [
        flows_of(filled_cylinder(sand(FRICTION), SMOOTH, radius, 20 * DIAMETER, seed), radius) for seed in range(3)
    ]
    flows, lower, laws = (np.mean(some, axis=0) for some in zip(*found, strict=True))
    power = exponent([size - 1.4 for size in ORIFICES], list(flows))
    strengths = [c * (size - 1.4) ** 2.5 for c, size in zip(flows / laws, ORIFICES, strict=True)]
    fitted_c, fitted_k = beverloo_fit(list(ORIFICES), strengths)
    results: list[Result] = [
        Check("exponent of D − 1.4 d", power, 2.5, 0.15),
        Check("flow of a bed 13 d high over that of one 20 d high", float(lower / flows[1]), 1.0, 0.1),
        Bound("C, fitted together with k (published: 0.55 to 0.65)", fitted_c),
        Bound("k, fitted together with C (published: 1.4 to 1.5)", fitted_k),
        Bound("C with k 1.4, mean", float(np.mean(flows / laws))),
    ]
    for size, flow, law in zip(ORIFICES, flows, laws, strict=True):
        results.append(Bound(f"D {size:g} d: C with k 1.4", float(flow / law)))
    return results


def floor_load(
    filling: TakenGrains, radius: float, wall_friction: float, solver: SolverSettings | None = None
) -> tuple[float, float, float]:
    """Share of the weight on a floor that slowly gives way, of floor and wall together then, and at rest after it.

    Friction on the wall is fully mobilised, as the law has it, only while the filling slides down on it.
    """
    speed, way = 0.05, DIAMETER
    scene = scene_of(
        sand(FRICTION, wall_friction=wall_friction, stiffness=STIFF),
        wall=stiff_wall(wall_friction),
        floor=stiff_wall(0.0),
    )
    top = float(filling.position[:, 2].max()) + 10 * RADIUS
    scene.add_box(
        (0.0, 0.0, -0.5),
        (3 * radius, 3 * radius, 1.0),
        "floor",
        name="floor",
        motion=Linear(velocity=(0.0, 0.0, -speed), start=0.5, stop=0.5 + way / speed),
    )
    scene.add_cylinder((0.0, 0.0, 0.0), radius, 2.5 * top, "wall", inside=True, name="silo")
    filling.add_to(scene, "soil")
    simulation = Simulation(scene, solver=solver or NDEM(), threads=1 if solver else None)

    def carried(name: str) -> float:
        return float(-simulation.body(name)[0][2]) / (G * float(filling.mass.sum()))

    simulation.run(seconds=0.5 + 0.5 * way / speed)
    floor, both = [], []
    for _ in range(round(0.5 * way / speed / simulation.solver.dt) - 1):
        simulation.step()
        floor.append(carried("floor"))
        both.append(floor[-1] + carried("silo"))
    rest(simulation, 4.0, speed=1e-4)
    return float(np.mean(floor)), float(np.mean(both)), carried("floor") + carried("silo")


def stiff_wall(friction: float) -> Material:
    """As stiff as what lies deep below a tall filling."""
    return Material(friction_static=friction, stiffness=STIFF)


JANSSEN_MISS = 0.1
"""Of λ: what floor loads may differ from Janssen's law by, which has one pressure ratio for all depths and no ends."""


def saturation(
    wall_friction: float,
    radius: float,
    heights: tuple[float, ...],
    solver: SolverSettings | None = None,
    fillings: int = FILLINGS,
) -> tuple[Saturation, float]:
    """Floor loads of silos filled to several heights (m), and how far floor and wall at rest miss the weight.

    The floor of a silo ten grains wide feels each filling differently; loads are means of several. NDEM fills them
    for other solvers, too.
    """
    poured, felt, off = [], [], 0.0
    for height in heights:
        depths, loads = [], []
        for seed in range(fillings):
            soil = sand(FRICTION, wall_friction=wall_friction, stiffness=STIFF)
            silo = filled_cylinder(soil, stiff_wall(wall_friction), radius, height, seed, floor="soil")
            filling = TakenGrains.of(silo)
            share, _, still = floor_load(filling, radius, wall_friction, solver)
            depths.append(float(filling.mass.sum()) / (SILO_DENSITY * math.pi * radius**2))
            loads.append(share * depths[-1])
            off = max(off, abs(still - 1.0))
        poured.append(float(np.mean(depths)))
        felt.append(float(np.mean(loads)))
    return Saturation(
        np.array(poured), np.array(felt), *_janssen_length(np.array(poured), np.array(felt))
    ), off


def janssen(
    depths: tuple[float, ...] = (4, 8, 14, 24, 40), solver: SolverSettings | None = None, fillings: int = FILLINGS
) -> list[Result]:
    """depths: of the fillings, in diameters of a grain."""
    radius = 5 * DIAMETER
    heights = tuple(h * DIAMETER for h in depths)
    rough, off = saturation(0.25, radius, heights, solver, fillings)
    smooth, _ = saturation(0.15, radius, heights, solver, fillings)
    ratio = 2 * radius / (4 * 0.25 * rough.length)
    results: list[Result] = [
        Bound("μ 0.25: largest difference from λ (1 − exp(−z/λ)), of λ", rough.error, high=JANSSEN_MISS),
        Bound("μ 0.15: largest difference from λ (1 − exp(−z/λ)), of λ", smooth.error, high=JANSSEN_MISS),
        Check("λ for μ 0.15 over λ for μ 0.25", smooth.length / rough.length, 0.25 / 0.15, 0.25),
        Bound("horizontal over vertical pressure that λ amounts to", ratio, 0.33, 1.5),
        Bound("floor and wall carry the weight at rest, off by", off, high=1e-3),
    ]
    for depth, load in zip(rough.poured, rough.felt, strict=True):
        results.append(Bound(f"μ 0.25, filled {depth / (2 * radius):.2f} D: floor over weight", load / depth))
    return results


def _janssen_length(depth: NDArray[np.float64], load: NDArray[np.float64]) -> tuple[float, float]:
    """λ (m) of λ (1 − exp(−z/λ)) by least squares, and the largest difference over λ."""
    from scipy.optimize import least_squares

    def miss(parameters: NDArray[np.float64]) -> NDArray[np.float64]:
        length = float(parameters[0])
        return np.asarray(length * (1.0 - np.exp(-depth / length)) - load)

    answer = least_squares(miss, [float(load.max())])
    length = float(answer.x[0])
    return length, float(np.abs(answer.fun).max()) / length


def draw_down(
    shift: tuple[float, float], seed: int, sleep_speed: float = 0.0, stray: tuple[float, float] = (0.0, 0.0)
) -> NDArray[np.float64]:
    """From the orifice's axis to the flow's, (x, y) in grain diameters, after a draw-down; the whole scene is moved by
    `shift` (m).

    The axis is the centre of where the sunken grains came from, weighted by how far each sank. The grid begins at the
    lowest coordinates of all grains, and so at a grain that is held `stray` (m) beyond the corner of the box, if any.
    """
    edge, deep = 26 * DIAMETER, 8 * DIAMETER
    x, y = shift
    scene = scene_of(sand(FRICTION), wall=Material(friction_static=0.3))
    scene.seed = seed
    half = 0.5 * edge
    scene.add_open_box((x - half, y - half, 0.0), (x + half, y + half, 1.0), "wall")
    scene.add_block(
        (x - half, y - half, 0.0),
        (edge, edge, 1.6 * deep),
        MIXED,
        "soil",
        packing="hexagonal",
        velocity_spread=0.5,
    )
    flat = Simulation(scene, solver=NDEM())
    rest(flat, 5.0)
    grains = TakenGrains.of(flat)
    open_scene = _with_orifice(x, y, half, 2.5 * DIAMETER)
    grains.add_to(open_scene, "soil")
    if any(stray):
        corner = (x - half - WALL - stray[0], y - half - WALL - stray[1], deep)
        open_scene.add_particles([corner], radius=RADIUS, material="soil", pinned=True)
    simulation = Simulation(open_scene, solver=NDEM(sleep_speed=sleep_speed))
    start = simulation.particles.position.astype(np.float64)
    simulation.run(seconds=3.0)
    sunk = np.full(len(start), np.nan)
    sunk[simulation.particles.id] = start[simulation.particles.id, 2] - simulation.particles.position[:, 2]
    sunk[np.isnan(sunk)] = deep
    weight = np.where(sunk > RADIUS, sunk, 0.0)
    center = weight @ start[:, :2] / weight.sum() - np.array(shift)
    return np.asarray(center / DIAMETER)


def _with_orifice(x: float, y: float, half: float, hole: float) -> Scene:
    """A box with a round hole in the middle of its floor, and a sink below."""
    scene = scene_of(sand(FRICTION), wall=Material(friction_static=0.3))
    reach, high = half + 0.5 * WALL, 4 * half
    for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        size = (WALL if a else 2 * half, WALL if b else 2 * half, high)
        scene.add_box((x + a * reach, y + b * reach, 0.5 * high), size, "wall")
    scene.add_revolution([(2 * half, 0.0), (hole, 0.0)], "wall", position=(x, y, 0.0), name="floor")
    scene.add_sink(Box(size=(4 * half, 4 * half, 1.0)), position=(x, y, -1.0))
    return scene


def symmetry() -> list[Result]:
    """Which side slides last is chance in a single draw-down; a bias of grid or sleep stays in the mean of several."""
    results: list[Result] = []
    furthest = 0.0
    home = (0.0, 0.0)
    for shift, stray, sleep_speed in (
        (home, home, 0.0),
        ((-7.31, 12.77), home, 0.0),
        (home, (0.337, 0.361), 0.0),
        (home, (0.391, 1.417), 0.0),
        (home, home, 2e-3),
        (home, (0.337, 0.361), 2e-2),
    ):
        where = f"scene moved by ({shift[0]:g}, {shift[1]:g}) m, sleep below {1e3 * sleep_speed:g} mm/s"
        if any(stray):
            where += f", grid begun ({stray[0]:g}, {stray[1]:g}) m outside"
        off = np.array([draw_down(shift, seed, sleep_speed, stray) for seed in range(3)])
        furthest = max(furthest, float(np.hypot(*off.T).max()))
        mean = float(np.hypot(*off.mean(axis=0)))
        results.append(Bound(f"{where}: flow axis of 3 draw-downs off by", mean, high=1.0, unit="d"))
    return [*results, Bound("furthest of a single draw-down", furthest, high=1.0, unit="d")]


SCENARIOS = [
    Scenario(
        "ndem-collapse",
        "NDEM",
        "Columns let go (Lube 2004, Lajeunesse 2004): ΔR/R = 1.24 a for a = H/R < 1.7, 1.6 √a above; exponents.",
        collapse,
        slow=True,
    ),
    Scenario(
        "ndem-planar-collapse",
        "NDEM",
        "Columns let go to one side in a channel (Lube 2005, Lajeunesse 2005): ΔL/L = 1.2 a for a = H/L < 2.3, 1.9 a^⅔ "
        "above; exponents.",
        planar_collapse,
        slow=True,
    ),
    Scenario(
        "ndem-beverloo",
        "NDEM",
        "Flow through an orifice: W = C ρ_b √g (D − k d)^2.5, C 0.55–0.65, k 1.4–1.5, whatever the fill height.",
        beverloo,
        slow=True,
    ),
    Scenario(
        "ndem-janssen",
        "NDEM",
        "Silo pressure saturates: σ = ρ g λ (1 − exp(−z/λ)), λ = D/(4 μ K).",
        janssen,
        slow=True,
    ),
    Scenario(
        "ndem-draw-down",
        "NDEM",
        "A draw-down is symmetric: axis within a grain of the orifice's, wherever the grid begins, whatever sleeps.",
        symmetry,
        slow=True,
    ),
]
