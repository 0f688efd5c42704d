"""How much material is in boxes: a bucket that moves, a zone of the ground.

Grains count whole where their centres are, rigid bodies where their centres of mass are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from windrow.fixed_math import norm, rotate
from windrow.kernel import kernel
from windrow.machines.columns import TerrainColumns
from windrow.scene.corners import Corners
from windrow.scene.machines import Tool
from windrow.scene.scene import Scene
from windrow.solvers.multibody.stepper import MultibodyStepper
from windrow.state.state import State

LOOSE_FRACTION = 0.6
"""Share of a loose heap that is solid: random loose packing of spheres (Scott 1960, Nature 188, 908)."""
AT_REST = 0.25
"""m/s; faster material is still on its way and not yet spilled."""


class Weighable(Protocol):
    """A simulation."""

    @property
    def state(self) -> State: ...

    @property
    def bodies(self) -> MultibodyStepper | None: ...


@dataclass(frozen=True)
class BodiesAlone:
    """Bodies that are stepped without a simulation, in a scene without grains."""

    bodies: MultibodyStepper
    state: State = field(default_factory=lambda: State.empty(1, 0, 0))


@dataclass(frozen=True)
class Amount:
    mass: float = 0.0
    """kg"""
    volume: float = 0.0
    """m³ of loose material, voids included"""

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.mass + other.mass, self.volume + other.volume)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.mass - other.mass, self.volume - other.volume)


@dataclass(frozen=True)
class PosedBox:
    """A box with a pose."""

    rotation: NDArray[np.float64]
    """(3, 3) box to world"""
    origin: NDArray[np.float64]
    """(3,) m"""
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    @classmethod
    def of_tool(cls, tool: Tool, bodies: MultibodyStepper) -> PosedBox:
        """The room in a tool where it is now."""
        pose = bodies.poses()[bodies.bodies.index[tool.body]]
        return cls(pose[:9].reshape(3, 3), pose[9:], np.array(tool.lower), np.array(tool.upper))

    def raised(self, height: float) -> PosedBox:
        """The same box, so much higher, m."""
        return PosedBox(self.rotation, self.origin + np.array([0.0, 0.0, height]), self.lower, self.upper)

    def contains(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(n,) which points (n, 3) of the world lie in it."""
        local = rotate(self.rotation.T, points - self.origin)
        return np.asarray(((local >= self.lower) & (local <= self.upper)).all(axis=1))

    def row(self) -> NDArray[np.float64]:
        return np.concatenate([self.rotation.ravel(), self.origin, self.lower, self.upper])


@dataclass
class Loads:
    """Rigid bodies that count as material, with what they weigh; their rows among the simulation's bodies."""

    index: NDArray[np.int64]
    mass: NDArray[np.float64]
    """kg"""
    volume: NDArray[np.float64]
    """m³, solid"""


class Scales:
    """Weighs the grains and loose bodies of a simulation, and remembers which of them were taken."""

    def __init__(self, bodies: MultibodyStepper | None, tool: str = "") -> None:
        self.loads = loose_bodies(bodies, tool)
        self.forget()

    def forget(self) -> None:
        """Nothing has been taken so far."""
        self._taken: NDArray[np.uint8] = np.zeros(0, np.uint8)
        """1 for each id of a grain that was taken"""
        self._bodies_taken: NDArray[np.bool_] = np.zeros(len(self.loads.index), bool)

    def weigh(
        self, simulation: Weighable, rooms: list[PosedBox], taking: int | None = None
    ) -> tuple[list[Amount], Amount, float]:
        """What is in each room; what was taken, lies still and is in none of them; kg of taken that is on its way.

        Where rooms overlap, the first one has it. What is in the room with the number `taking` counts as taken
        from now on.
        """
        state = simulation.state
        out = np.zeros((len(rooms) + 2, 2))
        boxes = np.array([room.row() for room in rooms]).reshape(-1, 18)
        if state.next_id > len(self._taken):
            self._taken = np.append(self._taken, np.zeros(state.next_id - len(self._taken), np.uint8))
        marking = -1 if taking is None else taking
        _weigh(state.X, state.V, state.id, state.count, boxes, self._taken, marking, AT_REST * AT_REST, out)
        if len(self.loads.index):
            places = self._places(simulation)
            somewhere = np.zeros(len(places), bool)
            held = np.zeros(len(places), bool)
            for k, room in enumerate(rooms):
                inside = room.contains(places) & ~somewhere
                somewhere |= inside
                if k == taking:
                    self._bodies_taken |= inside
                    held = inside
                out[k] += self.loads.mass[inside].sum(), self.loads.volume[inside].sum()
            bodies = simulation.bodies
            assert bodies is not None
            slow = norm(bodies.motion.V[self.loads.index, :3]) < AT_REST
            spilled = self._bodies_taken & ~somewhere & slow
            out[-2] += self.loads.mass[spilled].sum(), self.loads.volume[spilled].sum()
            out[-1, 0] += self.loads.mass[self._bodies_taken & ~held & ~slow].sum()
        amounts = [Amount(float(mass), float(volume) / LOOSE_FRACTION) for mass, volume in out]
        return amounts[:-2], amounts[-2], amounts[-1].mass

    def _places(self, simulation: Weighable) -> NDArray[np.float64]:
        bodies = simulation.bodies
        return np.zeros((0, 3)) if bodies is None else np.asarray(bodies.motion.x[self.loads.index])


def ground_in(zone: Corners, terrain: TerrainColumns) -> Amount:
    """Ground in a box seen from above: the mass of its whole columns, and the volume above the box's lower side.

    Soil that comes or goes is told by the difference between two moments.
    """
    inside = [
        slice(*np.searchsorted(places, (zone.lower[a], zone.upper[a])).tolist())
        for a, places in enumerate((terrain.x, terrain.y))
    ]
    box = inside[0], inside[1]
    thick = np.clip(terrain.height[box] - zone.lower[2], 0.0, zone.upper[2] - zone.lower[2])
    volume = thick * terrain.cell * terrain.cell
    return Amount(float(terrain.mass[box].sum()), float(volume.sum()))


def loose_bodies(bodies: MultibodyStepper | None, tool: str = "") -> Loads:
    """Bodies that can be carried away: not fixed, in no joint, of no machine, and not the tool itself."""
    if bodies is None:
        return Loads(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    scene = bodies.scene
    held = {tool, *scene.machine_bodies, *(name for joint in scene.joints for name in (joint.first, joint.second))}
    chosen = [
        k
        for k, body in enumerate(scene.bodies)
        if not body.fixed and body.name not in held
    ]
    mass = np.array([float(bodies.bodies.mass[k]) for k in chosen])
    density = np.array([_density(scene, k) for k in chosen])
    return Loads(np.array(chosen, np.int64), mass, mass / np.maximum(density, 1e-30))


def _density(scene: Scene, k: int) -> float:
    body = scene.bodies[k]
    return body.density if body.density is not None else scene.materials[body.material].density


@kernel
def _weigh(X, V, ids, count, boxes, taken, marking, slow, out):  # type: ignore[no-untyped-def]
    """Mass and solid volume in each box, but for what an earlier box has, then of taken grains: those that lie in no
    box, and those that move, but for the box that takes.

    Marks the grains in one of the boxes, if there is one with the number `marking`, as taken.
    """
    last = boxes.shape[0]
    for i in range(count):
        w = V[i, 3]
        x, y, z = np.float64(X[i, 0]), np.float64(X[i, 1]), np.float64(X[i, 2])
        if not w > 0.0 or not np.isfinite(x + y + z):
            continue
        mass, volume = 1.0 / w, 4.0 / 3.0 * np.pi * np.float64(X[i, 3]) ** 3
        box = last
        for k in range(last):
            dx, dy, dz = x - boxes[k, 9], y - boxes[k, 10], z - boxes[k, 11]
            inside = True
            for a in range(3):
                local = boxes[k, a] * dx + boxes[k, 3 + a] * dy + boxes[k, 6 + a] * dz
                inside = inside and boxes[k, 12 + a] <= local <= boxes[k, 15 + a]
            if inside:
                box = k
                break
        if box < last:
            out[box, 0] += mass
            out[box, 1] += volume
        if box == marking:
            taken[ids[i]] = 1
        if taken[ids[i]] == 0:
            continue
        square = V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2]
        if square >= slow and box != marking:
            out[last + 1, 0] += mass
        elif square < slow and box == last:
            out[last, 0] += mass
            out[last, 1] += volume
