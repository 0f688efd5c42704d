"""One dig of a bucket at three fidelities, and a bucket on random paths for minutes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.ndimage import minimum_filter

from windrow.scene import Scene, load_scene
from windrow.sim.simulation import Simulation
from windrow.validate.check import Bound, Check, Result, Scenario

SOILS = ("dry_sand", "wet_sand", "gravel", "loam", "clay")
LIFTED = 6.0
"""s after which the bucket of the scene has been lifted, and hangs still over the hole's side"""
BOX = ((-1.75, -1.95, -0.75), (1.75, -0.05, 1.0))
"""m; holds all that the bucket of the scene moves"""

ALLOWED = {"hybrid": 0.25, "field": 0.5}
"""What a bucket carries and digs may differ from the same with grains, of it: one dig, not a mean of several."""

# --- three fidelities ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dig:
    """What a bucket met and took up."""

    time: Any
    """(steps,) s"""
    force: Any
    """(steps, 3) N, on the bucket; a mean over 0.1 s"""
    load: Any
    """(steps,) kg that it carries"""
    height: Any
    """(nx, ny) m of the ground at the end, grains that lie on it included"""
    hole: float
    """kg that are missing below the old surface when the bucket has been lifted"""
    mass_error: float
    """the largest of any step, of the whole mass"""

    @property
    def carried(self) -> float:
        """kg when the bucket has been lifted"""
        return float(self.load[np.searchsorted(self.time, LIFTED)])

    @property
    def largest_draft(self) -> float:
        """N along the way, on which it is drawn forward"""
        return float(-self.force[:, 0].min())


def bucket_scene(soil: str, fidelity: str) -> Scene:
    """The library's bucket, in another soil and at another fidelity."""
    scene = load_scene("dig_bucket")
    assert scene.terrain is not None
    given: dict[str, Any] = {"soil": soil, "fidelity": fidelity}
    if fidelity == "grains":
        given |= {"grains_box": BOX, "most_grains": 60_000}
    scene.terrain = type(scene.terrain).model_validate(scene.terrain.model_dump() | given)
    return scene


@cache
def dig(soil: str, fidelity: str, seconds: float = 9.0) -> Dig:
    """Digs, lifts and tips, and keeps what can be compared."""
    simulation = Simulation(bucket_scene(soil, fidelity))
    tool, dt = simulation.tools["bucket"], simulation.solver.dt
    time, force, load, hole, worst = [], [], [], 0.0, 0.0
    before = mass_below(simulation)
    while simulation.time < seconds:
        simulation.step()
        time.append(simulation.time)
        force.append(np.array(tool.force))
        load.append(tool.payload)
        worst = max(worst, abs(simulation.ledger["mass_error"]))
        if hole == 0.0 and simulation.time > LIFTED:
            hole = before - mass_below(simulation)
    kernel = np.ones(max(round(0.1 / dt), 1))
    mean = np.stack([np.convolve(column, kernel / len(kernel), "same") for column in np.array(force).T], axis=1)
    return Dig(np.array(time), mean, np.array(load), surface_with_grains(simulation), hole, worst)


def nearest_columns(simulation: Simulation, X: Any) -> tuple[Any, Any]:
    """Numbers along x and y of the column below each place."""
    terrain = simulation.terrain
    corner, cell = np.array([terrain.x[0], terrain.y[0]]), terrain.x[1] - terrain.x[0]
    place = np.rint((X[:, :2] - corner) / cell).astype(np.int64)
    return place[:, 0].clip(0, len(terrain.x) - 1), place[:, 1].clip(0, len(terrain.y) - 1)


def surface_with_grains(simulation: Simulation) -> Any:
    """(nx, ny) m: the higher of the ground and of the grains over each column that stand for soil on it."""
    terrain, state = simulation.terrain, simulation.state
    height = np.array(terrain.height, np.float64)
    X = state.X[: state.count].astype(np.float64)
    i, j = nearest_columns(simulation, X)
    in_bucket = X[:, 2] > 0.7  # it hangs higher than any heap
    np.maximum.at(height, (i[~in_bucket], j[~in_bucket]), X[~in_bucket, 2] + X[~in_bucket, 3])
    return height


def mass_below(simulation: Simulation) -> float:
    """kg of ground and grains below the old surface, at 0."""
    terrain, state = simulation.terrain, simulation.state
    area = float(terrain.x[1] - terrain.x[0]) * float(terrain.y[1] - terrain.y[0])
    above = float((np.maximum(terrain.height, 0.0) * terrain.density).sum()) * area
    deep = state.X[: state.count, 2] < 0.0
    return float(simulation.ledger["ground_mass"]) - above + float(state.mass(deep))


def fidelities() -> list[Result]:
    results: list[Result] = []
    for soil in ("dry_sand", "loam"):
        known = dig(soil, "grains")
        results.append(Bound(f"{soil}, grains: largest draft", known.largest_draft / 1e3, unit="kN"))
        for fidelity in ("hybrid", "field"):
            found = dig(soil, fidelity)
            what = f"{soil}, {fidelity}"
            carried, dug = found.carried / known.carried, found.hole / known.hole
            results += [
                Check(f"{what}: carried, over {known.carried:.0f} kg with grains", carried, 1.0, ALLOWED[fidelity]),
                Check(f"{what}: dug, over {known.hole:.0f} kg with grains", dug, 1.0, ALLOWED[fidelity]),
                Bound(f"{what}: largest draft over that with grains", found.largest_draft / known.largest_draft),
                Bound(f"{what}: mass error of any step", found.mass_error, high=1e-9),
            ]
    return results


# --- random paths ----------------------------------------------------------------------------------------------------

MINUTES = 10.0
FASTEST = 1.0
"""m/s of the bucket's origin"""
TURN = 90.0
"""°/s"""
REACH = 0.75
"""m from its origin to its farthest point"""
PLACES = ((-1.4, -1.4, 0.15), (1.2, 1.4, 1.1))
"""m: where its origin may be; its edge then digs at most 0.6 m deep"""
SIZE = (14.0, 14.0)
"""m of the ground: as far as grains are thrown; one that leaves it falls for ever"""
UNDER, LONGEST = 2.0, 2.0
"""Mean radii under all columns around a grain from which on the ground has closed over it, and s until it is ground
itself: it rests for half a second first. Shorter is allowed: the fixed grains in which dug ground ends have gaps."""
EVERY = 10
"""steps from one look at the depth to the next"""


def random_way(seed: int, minutes: float) -> dict[str, Any]:
    """Keys of a bucket that goes from one random place and angle to the next, as fast as it may."""
    random = np.random.default_rng(seed)
    time, position, angle = [0.0], [np.array([0.0, 0.0, 1.1])], [0.0]
    while time[-1] < 60.0 * minutes:
        to = random.uniform(*PLACES)
        turn = random.uniform(-45.0, 60.0)
        way, turned = float(np.linalg.norm(to - position[-1])), abs(turn - angle[-1])
        time.append(time[-1] + max(way / FASTEST, turned / TURN, 0.1))
        position.append(to)
        angle.append(turn)
    rows = [tuple(float(x) for x in row) for row in position]
    return {"kind": "keyframes", "time": time, "position": rows, "rotation_deg": [(0.0, a, 0.0) for a in angle]}


@dataclass(frozen=True)
class Worst:
    """The worst of any step."""

    mass_error: float = 0.0
    fastest: float = 0.0
    """m/s of a grain"""
    thrown: float = 0.0
    """m/s of a grain, less what it gains in a fall from the highest place the tool comes to"""
    below: int = 0
    """grains whose centre is under the surface that grains touch"""
    buried: float = 0.0
    """s that ground was closed over a free grain"""
    frozen: int = 0


def thrown_speed() -> float:
    """m/s of a grain that the fastest point of the tool strikes without any loss."""
    return 2.0 * (FASTEST + math.radians(TURN) * REACH)


def random_scene(soil: str, minutes: float, seed: int) -> Scene:
    scene = bucket_scene(soil, "hybrid")
    assert scene.terrain is not None
    scene.terrain = type(scene.terrain).model_validate(scene.terrain.model_dump() | {"size": SIZE})
    scene.obstacles[0] = type(scene.obstacles[0]).model_validate(
        scene.obstacles[0].model_dump() | {"motion": random_way(seed, minutes)}
    )
    return scene


class Depths:
    """How deep free grains lie, look after look."""

    def __init__(self, simulation: Simulation) -> None:
        terrain = simulation.scene.terrain
        ground = simulation._ground
        assert terrain is not None
        assert ground is not None
        assert ground.digging is not None
        self._touched = ground.digging.nodes.contact[1:-1, 1:-1]
        self._radius = terrain.mean_radius
        self._since: dict[int, float] = {}

    def look(self, simulation: Simulation) -> tuple[int, float]:
        """Grains under the surface that they touch, and how long the ground has been closed over one, s."""
        state, ground = simulation.state, simulation.terrain
        free = np.flatnonzero(state.V[: state.count, 3] > 0)
        X = state.X[free].astype(np.float64)
        half = 0.5 * np.array(SIZE)
        on = (np.abs(X[:, :2]) < half).all(axis=1)
        column = nearest_columns(simulation, X)
        below = on & (X[:, 2] < minimum_filter(self._touched, 3)[column])
        deep = on & (X[:, 2] < minimum_filter(ground.height, 3)[column] - UNDER * self._radius)
        ids = [int(k) for k in state.id[free[deep]]]
        self._since = {k: self._since.get(k, simulation.time) for k in ids}
        longest = max((simulation.time - begin for begin in self._since.values()), default=0.0)
        return int(np.count_nonzero(below)), longest


@cache
def random_digging(soil: str, minutes: float = MINUTES, seed: int = 1) -> Worst:
    simulation = Simulation(random_scene(soil, minutes, seed))
    depths, state, worst = Depths(simulation), simulation.state, Worst()
    highest = PLACES[1][2] + REACH
    while simulation.time < 60.0 * minutes:
        report = simulation.step()
        n = state.count
        V = state.V[:n, :3].astype(np.float64)
        square = (V * V).sum(axis=1)
        fall = 2.0 * 9.81 * np.maximum(highest - state.X[:n, 2], 0.0)
        below, buried = depths.look(simulation) if state.step % EVERY == 0 else (0, 0.0)
        worst = Worst(
            max(worst.mass_error, abs(simulation.ledger["mass_error"])),
            max(worst.fastest, math.sqrt(float(square.max(initial=0.0)))),
            max(worst.thrown, math.sqrt(float((square - fall).max(initial=0.0)))),
            max(worst.below, below),
            max(worst.buried, buried),
            max(worst.frozen, report.frozen),
        )
    return worst


def random_paths() -> list[Result]:
    results: list[Result] = []
    for soil in SOILS:
        worst = random_digging(soil)
        results += [
            Bound(f"{soil}: mass error of any step", worst.mass_error, high=1e-9),
            Bound(f"{soil}: fastest grain of any step", worst.fastest, unit="m/s"),
            Bound(f"{soil}: the same, less its fall", worst.thrown, high=thrown_speed(), unit="m/s"),
            Check(f"{soil}: grains below the surface they touch, at most", worst.below, 0.0, 0.0),
            Bound(f"{soil}: time that ground was closed over a grain", worst.buried, high=LONGEST, unit="s"),
            Check(f"{soil}: grains held because their numbers were lost", worst.frozen, 0.0, 0.0),
        ]
    return results


SCENARIOS = [
    Scenario(
        "ground-fidelities",
        "NDEM, and none",
        "The same dig by a bucket on a path at three fidelities, against ground that is grains from the start.",
        fidelities,
        slow=True,
    ),
    Scenario(
        "ground-random",
        "NDEM",
        "Conservation: a bucket on random paths, ten minutes in each soil; no grain is faster than twice the tool and "
        "its fall explain.",
        random_paths,
        slow=True,
    ),
]
