"""YADE (Debian package) on S*(N), in this folder: `yade -n -x -j 2 run_yade.py 2000 result.json`."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import yade
from yade import utils

sys.path.insert(0, str(Path.cwd()))  # YADE runs a script by its text, without its folder
import settling

DT = 1.2e-3


def main(count: int, result: str) -> None:
    position, velocity, width = settling.start(count)
    scene = yade.Omega()
    grain = yade.ViscElMat(
        kn=2 * settling.STIFFNESS,  # two springs in series
        ks=2 * settling.STIFFNESS * 2 / 7,
        cn=2 * settling.damping(),
        cs=settling.damping(),
        density=settling.DENSITY,
        frictionAngle=math.atan(settling.FRICTION),
    )
    scene.materials.append(grain)
    for axis, sides in enumerate(((-width / 2, width / 2), (-width / 2, width / 2), (0.0,))):
        for place in sides:
            scene.bodies.append(utils.wall(place, axis, material=grain))
    ids = scene.bodies.append([utils.sphere(tuple(p), settling.RADIUS, material=grain) for p in position])
    for n, v in zip(ids, velocity, strict=True):
        scene.bodies[n].state.vel = tuple(v)
    scene.engines = [
        yade.ForceResetter(),
        yade.InsertionSortCollider(
            [yade.Bo1_Sphere_Aabb(), yade.Bo1_Wall_Aabb()], verletDist=0.2 * settling.RADIUS
        ),
        yade.InteractionLoop(
            [yade.Ig2_Sphere_Sphere_ScGeom(), yade.Ig2_Wall_Sphere_ScGeom()],
            [yade.Ip2_ViscElMat_ViscElMat_ViscElPhys()],
            [yade.Law2_ScGeom_ViscElPhys_Basic()],
        ),
        yade.NewtonIntegrator(damping=0.0, gravity=(0, 0, -9.81)),
    ]
    scene.dt = DT
    times = settling.timed(lambda steps: scene.run(steps, True), DT)
    state = [(*scene.bodies[n].state.pos, *scene.bodies[n].state.vel) for n in ids]
    settling.write(result, np.array(state)[:, :3], np.array(state)[:, 3:], times)


main(int(sys.argv[1]), sys.argv[2])
