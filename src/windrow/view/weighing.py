"""How much material is in boxes: a bucket that moves, a zone of the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windrow.kernel import kernel
from windrow.scene.scene import Scene
from windrow.sim.simulation import Simulation

LOOSE_FRACTION = 0.6
"""Share of a loose heap that is solid: random loose packing of spheres (Scott 1960, Nature 188, 908)."""
AT_REST = 0.25
"""m/s; faster material is still on its way and not yet spilled."""


@dataclass(frozen=True)
class Amount:
    mass: float = 0.0
    """kg"""
    volume: float = 0.0
    """m³ of loose material, voids included"""


@dataclass(frozen=True)
class Room:
    """A box with a pose."""

    rotation: NDArray[np.float64]
    """(3, 3) box to world"""
    origin: NDArray[np.float64]
    """(3,) m"""
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

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
    """Weighs the grains and loose bodies of a simulation."""

    def __init__(self, simulation: Simulation, of_machines: frozenset[str]) -> None:
        self.loads = loose_bodies(simulation, of_machines)
        self._began: NDArray[np.uint8] = np.zeros(0, np.uint8)
        self._bodies_began: NDArray[np.bool_] = np.zeros(len(self.loads.index), bool)

    def mark(self, simulation: Simulation, room: Room) -> None:
        """Whatever is in the room now is looked for later: outside of all rooms it is spilled."""
        state = simulation.state
        self._began = np.zeros(state.next_id, np.uint8)
        inside = _inside(room, state.X[: state.count, :3].astype(np.float64))
        self._began[state.id[: state.count][inside]] = 1
        self._bodies_began = _inside(room, self._places(simulation))

    def weigh(self, simulation: Simulation, rooms: list[Room]) -> tuple[list[Amount], Amount]:
        """What is in each room, and what was marked, lies still and is in none of them."""
        state = simulation.state
        out = np.zeros((len(rooms) + 1, 2))
        boxes = np.array([room.row() for room in rooms]).reshape(-1, 18)
        _weigh(state.X, state.V, state.id, state.count, boxes, self._began, AT_REST**2, out)
        if len(self.loads.index):
            places = self._places(simulation)
            somewhere = np.zeros(len(places), bool)
            for k, room in enumerate(rooms):
                inside = _inside(room, places)
                somewhere |= inside
                out[k] += self.loads.mass[inside].sum(), self.loads.volume[inside].sum()
            bodies = simulation.bodies
            assert bodies is not None
            slow = (bodies.motion.V[self.loads.index, :3] ** 2).sum(axis=1) < AT_REST**2
            spilled = self._bodies_began & ~somewhere & slow
            out[-1] += self.loads.mass[spilled].sum(), self.loads.volume[spilled].sum()
        amounts = [Amount(float(mass), float(volume) / LOOSE_FRACTION) for mass, volume in out]
        return amounts[:-1], amounts[-1]

    def _places(self, simulation: Simulation) -> NDArray[np.float64]:
        bodies = simulation.bodies
        return np.zeros((0, 3)) if bodies is None else np.asarray(bodies.motion.x[self.loads.index])


def loose_bodies(simulation: Simulation, of_machines: frozenset[str]) -> Loads:
    """Bodies that can be carried away: not fixed, in no joint and of no machine."""
    bodies = simulation.bodies
    if bodies is None:
        return Loads(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    scene = bodies.scene
    held = {name for joint in scene.joints for name in (joint.first, joint.second)}
    chosen = [
        k
        for k, body in enumerate(scene.bodies)
        if not body.fixed and body.name not in held and body.name not in of_machines
    ]
    mass = np.array([float(bodies.bodies.mass[k]) for k in chosen])
    density = np.array([_density(scene, k) for k in chosen])
    return Loads(np.array(chosen, np.int64), mass, mass / np.maximum(density, 1e-30))


def _density(scene: Scene, k: int) -> float:
    body = scene.bodies[k]
    return body.density if body.density is not None else scene.materials[body.material].density


def _inside(room: Room, places: NDArray[np.float64]) -> NDArray[np.bool_]:
    local = (places - room.origin) @ room.rotation
    return np.asarray(((local >= room.lower) & (local <= room.upper)).all(axis=1))


@kernel
def _weigh(X, V, ids, count, boxes, began, slow, out):  # type: ignore[no-untyped-def]
    """Mass and solid volume in each box, and in the last row those of marked grains that lie in none."""
    last = boxes.shape[0]
    for i in range(count):
        w = V[i, 3]
        x, y, z = np.float64(X[i, 0]), np.float64(X[i, 1]), np.float64(X[i, 2])
        if not w > 0.0 or not np.isfinite(x + y + z):
            continue
        mass, volume = 1.0 / w, 4.0 / 3.0 * np.pi * np.float64(X[i, 3]) ** 3
        somewhere = False
        for k in range(last):
            dx, dy, dz = x - boxes[k, 9], y - boxes[k, 10], z - boxes[k, 11]
            inside = True
            for a in range(3):
                local = boxes[k, a] * dx + boxes[k, 3 + a] * dy + boxes[k, 6 + a] * dz
                inside = inside and boxes[k, 12 + a] <= local <= boxes[k, 15 + a]
            if inside:
                somewhere = True
                out[k, 0] += mass
                out[k, 1] += volume
        marked = ids[i] < began.size and began[ids[i]] == 1
        square = V[i, 0] * V[i, 0] + V[i, 1] * V[i, 1] + V[i, 2] * V[i, 2]
        if marked and not somewhere and square < slow:
            out[last, 0] += mass
            out[last, 1] += volume
