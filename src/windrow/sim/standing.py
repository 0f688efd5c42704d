"""Refuses grains and machines that start inside of the ground or of each other: the first step would throw them up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError
from windrow.fixed_math import dot
from windrow.geometry.terms import F64
from windrow.sim.limits import refuse_buried
from windrow.solvers.multibody.parts import PLANE
from windrow.solvers.multibody.stepper import MultibodyStepper

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation

BURIED = 0.3
"""m that a part of a machine may start below ground; solvers push it out"""
OVERLAP = 0.1
"""m that machines may start in each other"""


def refuse_bad_start(simulation: Simulation, grains: dict[str, NDArray[Any]]) -> None:
    """Raises a SceneError that names what starts inside of something else, how deep, and the remedy."""
    refuse_buried(simulation.model, simulation.body_names, grains)
    refuse_misplaced_machines(simulation)


def refuse_misplaced_machines(simulation: Simulation) -> None:
    """Raises a SceneError that names machine, body, depth and remedy."""
    scene, bodies = simulation.scene, simulation.bodies
    if bodies is None or not scene.machines:
        return
    machines = scene.placed_machines()
    owner = {body.name: k for k, machine in enumerate(machines) for body in machine.bodies}
    for name, k in owner.items():
        points = _lowest_points(bodies, bodies.bodies.index[name])
        depth = _depth(simulation, bodies, points)
        if depth > BURIED:
            place = scene.machines[k]
            raise SceneError(
                f"machines[{k}] ({place.model}): its {name!r} would start {depth:.2f} m deep in the ground; raise its "
                f"position from z = {place.position[2]:g} m to {place.position[2] + depth:.2f} m, or place it elsewhere"
            )
    if len(machines) > 1:
        _refuse_overlaps(simulation, bodies, owner)


def _lowest_points(bodies: MultibodyStepper, b: int) -> F64:
    """(n, 3) corners of a body, the middles of its balls, and the shoes of its tracks, in the world."""
    parts, motion, tracks = bodies.parts, bodies.motion, bodies.joints.tracks
    own = slice(int(parts.start[b]), int(parts.start[b + 1]))
    corners = parts.corner[parts.corner_start[own.start] : parts.corner_start[own.stop]]
    round_ones = parts.center[own][np.diff(parts.corner_start[own.start : own.stop + 1]) == 0]
    shoes = tracks.point[bodies.joints.table.body[tracks.joint, 0][tracks.track] == b]
    local = np.concatenate([corners, round_ones, shoes])
    return np.asarray(motion.x[b] + np.einsum("ij,nj->ni", motion.R[b], local))


def _depth(simulation: Simulation, bodies: MultibodyStepper, points: F64) -> float:
    """m that the deepest of some points is below terrain and planes"""
    deepest = -np.inf
    if len(points) == 0:
        return deepest
    if simulation.scene.terrain is not None:
        depth = simulation.terrain.height_at(points[:, 0], points[:, 1]) - points[:, 2]
        deepest = float(np.nan_to_num(depth, nan=-np.inf).max())
    for p in np.flatnonzero(bodies.parts.kind == PLANE):
        if simulation.assembled.obstacles[int(bodies.parts.body[p]) - bodies.bodies.count].motion is None:
            normal, offset = bodies.parts.axis[p], bodies.parts.size[p, 0]
            deepest = max(deepest, float((offset - dot(points, normal)).max()))
    return deepest


def _refuse_overlaps(simulation: Simulation, bodies: MultibodyStepper, owner: dict[str, int]) -> None:
    bodies._find(simulation.solver.dt)
    contacts, names = bodies.contacts, bodies.bodies.names
    for c in range(int(contacts.found[0])):
        a, b = int(contacts.real[c, 0]), int(contacts.real[c, 1])
        if max(a, b) >= len(names) or contacts.gap[c] > -OVERLAP:
            continue
        first, second = owner.get(names[a], -1), owner.get(names[b], -1)
        if first != second and min(first, second) >= 0:
            raise SceneError(
                f"machines[{second}] ({simulation.scene.machines[second].model}): its {names[b]!r} would start "
                f"{-float(contacts.gap[c]):.2f} m inside of {names[a]!r} of machines[{first}]; move one of them away"
            )
