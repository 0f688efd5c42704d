"""What two bodies do to each other when they touch, from their materials and their own numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from windrow.geometry.terms import F64, I64
from windrow.kernel import bare_inner
from windrow.scene.bodies import Body
from windrow.scene.obstacles import Obstacle
from windrow.scene.scene import Scene
from windrow.solvers.multibody.contacts import (
    DAMPING,
    KINETIC,
    RESTITUTION,
    ROLLING,
    STATIC,
    STIFFNESS,
    ContactBuffers,
)


class Laws(NamedTuple):
    """Numbers of the bodies and of the pairs of their materials."""

    material: I64
    """(n,)"""
    friction: F64
    """(materials², 2) static and kinetic"""
    rolling: F64
    """(n,) m"""
    restitution: F64
    """(n,)"""
    stiffness: F64
    """(n,) N/m; 0: as stiff as the step resolves"""
    damping: F64
    """(n,) N·s/m"""


def laws_of(scene: Scene, room: int) -> Laws:
    """Bodies of the scene, then its obstacles; `room` rows in all."""
    names = list(scene.materials)
    things: list[Body | Obstacle] = [*scene.bodies, *scene.obstacles]
    material = np.zeros(room, np.int64)
    material[: len(things)] = [names.index(thing.material) for thing in things]
    friction = np.zeros((len(names) * len(names), 2))
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            values = scene.pair_values(a, b)
            friction[i * len(names) + j] = values.friction_static, values.friction_kinetic
    own = np.zeros((4, room))
    for k, body in enumerate(scene.bodies):
        stiffness = 0.0 if body.contact_stiffness is None else body.contact_stiffness
        own[:, k] = body.rolling_resistance, body.restitution, stiffness, body.contact_damping
    # An obstacle bounces and rolls as its partner does.
    own[1, len(scene.bodies) : len(things)] = -1.0
    return Laws(material, friction, *own)


def static_friction(scene: Scene) -> F64:
    """(materials, materials)"""
    names = list(scene.materials)
    return np.array([[scene.pair_values(a, b).friction_static for b in names] for a in names]).reshape(len(names), -1)


@bare_inner
def one_after_other(x: float, y: float) -> float:
    """Two springs or dampers in a row; a missing one is rigid."""
    if x == 0.0 or y == 0.0:
        return x + y
    return x * y / (x + y)


@bare_inner
def take_laws(contacts: ContactBuffers, laws: Laws, law: F64) -> None:
    """Laws of all contacts."""
    kinds = int(math.sqrt(laws.friction.shape[0]) + 0.5)
    for c in range(contacts.found[0]):
        a, b = contacts.real[c, 0], contacts.real[c, 1]
        pair = laws.material[a] * kinds + laws.material[b]
        law[c, STATIC], law[c, KINETIC] = laws.friction[pair, 0], laws.friction[pair, 1]
        law[c, ROLLING] = max(laws.rolling[a], laws.rolling[b])
        ea, eb = laws.restitution[a], laws.restitution[b]
        e = ea * ea if eb < 0.0 else (eb * eb if ea < 0.0 else ea * eb)
        law[c, RESTITUTION] = math.sqrt(e)
        law[c, STIFFNESS] = one_after_other(laws.stiffness[a], laws.stiffness[b])
        law[c, DAMPING] = one_after_other(laws.damping[a], laws.damping[b])
