"""Tracks as footprints: where they are on the frame, what they stand on, and what they carry from step to step.

A track has one coordinate, the hinge of its sprocket, whose inertia is that of the belt. Its footprints lie along the
ground run and up both ramps, from the front to the rear; `footing` finds what they stand on once a step, and
`traction` makes their forces.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from windrow.fixed_math import dot, rotate, unit
from windrow.geometry.terms import F64, I64
from windrow.scene.checks import is_sprocket
from windrow.scene.joints import Hinge, Track
from windrow.scene.scene import Scene
from windrow.scene.terrain import TerrainSurface
from windrow.solvers.multibody.bodies import Bodies
from windrow.solvers.multibody.vectors import matrix_of

TRACK_ROWS = 7
"""Rows of a track: three ways and three turns of its frame, and the way of its belt."""
ON_RAMPS = 2
"""Footprints on each ramp."""
COHESION, TANGENT, SHEAR_LENGTH = range(3)
"""Numbers of what a footprint stands on: Pa, tangent of the angle of friction, and K of Janosi and Hanamoto, m."""
NORMAL, ALONG, ACROSS = range(3)


class Tracks(NamedTuple):
    """All tracks and their footprints."""

    joint: I64
    """(t,)"""
    hinge: I64
    """(t,) joint of the sprocket"""
    reach: F64
    """(t,) way of the belt, backwards on the ground, per angle of the hinge, m"""
    first: I64
    """(t + 1,) first footprint of each"""
    track: I64
    """(f,) which one a footprint belongs to"""
    point: F64
    """(f, 3) from the frame's centre of mass, in its frame, m"""
    forward: F64
    """(f, 3) along the belt, in the frame's frame"""
    across: F64
    """(t, 3) to the left, in the frame's frame"""
    size: F64
    """(f, 2) along the belt and across, m"""
    inset: F64
    """(f,) how far ahead of the footprint, along the belt, the middle of the ground that it presses is, m"""
    numbers: F64
    """(t, 3) stiffness, Pa/m; slip length on hard ground, m; relaxation, s"""
    friction: F64
    """(t, obstacles)"""
    terrain: I64
    """(1,) row of the terrain among the obstacles; −1: none"""
    soil: F64
    """(f, 3) of the terrain where a footprint is; a shear length of 0: hard"""
    shear: F64
    """(f, 2) share of the largest shear stress that is at work, along and across. Kept from step to step"""
    load: F64
    """(f,) N on the ground in the last substep. Kept from step to step"""
    obstacle: I64
    """(f,) what it stands on; −1: nothing"""
    normal: F64
    """(f, 3) of the ground"""
    place: F64
    """(f, 3) of the footprint when the ground was looked at, m"""
    gap: F64
    """(f,) then, m"""
    drag: F64
    """(f, 3) velocity of the ground, m/s"""
    law: F64
    """(f, 3) see `soil`"""
    axis: F64
    """(f, 3, 3) normal, along and across, in the world"""
    base: F64
    """(f, 3) N along each of them that speeds do not change"""
    slope: F64
    """(f, 3) N s/m that they do"""
    total: F64
    """(f, 3) impulses on the frame over the step, N s"""
    matrix: F64
    """(7, 7) room for A and L of one track"""
    right: F64
    """(7,) room for b"""
    gradient: F64
    """(7,) room for g"""


def tracks_of(scene: Scene, bodies: Bodies, friction: F64) -> Tracks:
    """`friction` (materials, materials): static."""
    names = list(scene.materials)
    tracks = [(j, joint) for j, joint in enumerate(scene.joints) if isinstance(joint, Track)]
    terrain = [s for s, o in enumerate(scene.obstacles) if isinstance(o.shape, TerrainSurface)]
    hinge, reach, first, across, numbers = [], [], [0], [], []
    point, forward, size, owner, inset = [], [], [], [], []
    mu = np.zeros((len(tracks), len(scene.obstacles)))
    for t, (_, track) in enumerate(tracks):
        h, other = next(
            (h, j) for h, j in enumerate(scene.joints) if isinstance(j, Hinge) and is_sprocket(j, track)
        )
        ahead, up = unit(track.forward), unit(track.up)
        left = np.cross(up, ahead)
        hinge.append(h)
        # A wheel that rolls ahead turns right-handed about the axis to its left.
        way = dot(unit(other.axis), left) * (1.0 if other.first == track.second else -1.0)
        reach.append(track.radius if way > 0 else -track.radius)
        k = bodies.index[track.first]
        rotation = np.eye(3)
        matrix_of(bodies.start.q[k], rotation)
        for place, along, long, inward in _footprints(track, ahead, up):
            inset.append(inward)
            point.append(rotate(rotation.T, place - bodies.start.x[k]))
            forward.append(rotate(rotation.T, along))
            size.append((long, track.width))
            owner.append(t)
        first.append(len(point))
        across.append(rotate(rotation.T, left))
        numbers.append((track.stiffness, track.slip_length, track.relaxation))
        own = names.index(scene.bodies[k].material)
        mu[t] = [friction[own, names.index(o.material)] for o in scene.obstacles]
    f = len(point)
    return Tracks(
        joint=np.array([j for j, _ in tracks], np.int64),
        hinge=np.array(hinge, np.int64),
        reach=np.array(reach, np.float64),
        first=np.array(first, np.int64),
        track=np.array(owner, np.int64),
        point=np.array(point).reshape(f, 3),
        forward=np.array(forward).reshape(f, 3),
        across=np.array(across).reshape(-1, 3),
        size=np.array(size).reshape(f, 2),
        inset=np.array(inset, np.float64),
        numbers=np.array(numbers).reshape(-1, 3),
        friction=mu,
        terrain=np.array(terrain or [-1], np.int64),
        soil=np.zeros((f, 3)),
        shear=np.zeros((f, 2)),
        load=np.zeros(f),
        obstacle=np.full(f, -1, np.int64),
        normal=np.zeros((f, 3)),
        place=np.zeros((f, 3)),
        gap=np.zeros(f),
        drag=np.zeros((f, 3)),
        law=np.zeros((f, 3)),
        axis=np.zeros((f, 3, 3)),
        base=np.zeros((f, 3)),
        slope=np.zeros((f, 3)),
        total=np.zeros((f, 3)),
        matrix=np.zeros((TRACK_ROWS, TRACK_ROWS)),
        right=np.zeros(TRACK_ROWS),
        gradient=np.zeros(TRACK_ROWS),
    )


def _footprints(track: Track, ahead: F64, up: F64) -> list[tuple[F64, F64, float, float]]:
    """Place, direction of the belt, length and inset of all footprints, from the front to the rear, in the world."""
    long, rise = track.ramp
    slope = sqrt(long * long + rise * rise)
    piece, half = track.length / (track.footprints - 1), 0.5 * track.length
    found = []
    for k in range(ON_RAMPS - 1, -1, -1):
        share = (k + 0.5) / ON_RAMPS
        place = np.array(track.position) + (half + share * long) * ahead + share * rise * up
        found.append((place, (long * ahead + rise * up) / slope, slope / ON_RAMPS, 0.0))
    for k in range(track.footprints):
        # The outermost are half as long and at the very ends, which the machine tips over.
        size = piece if 0 < k < track.footprints - 1 else 0.5 * piece
        inward = 0.0 if size == piece else (-0.25 if k == 0 else 0.25) * piece
        found.append((np.array(track.position) + (half - k * piece) * ahead, np.asarray(ahead), size, inward))
    for k in range(ON_RAMPS):
        share = (k + 0.5) / ON_RAMPS
        place = np.array(track.position) - (half + share * long) * ahead + share * rise * up
        found.append((place, (long * ahead - rise * up) / slope, slope / ON_RAMPS, 0.0))
    return found
