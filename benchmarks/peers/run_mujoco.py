"""MuJoCo on S*(N), one thread: `python run_mujoco.py 2000 result.json`.

MuJoCo scales a contact's spring and dashpot by the effective mass itself, hence the division by that of two
spheres. Contacts with the walls, where it is twice as large, are therefore twice as stiff.
"""

from __future__ import annotations

import sys

import mujoco
import numpy as np
import settling

DT = 2e-3
"""s; at 3 ms contacts of this stiffness explode"""
ITERATIONS = 20


def scene_file(position: np.ndarray, width: float) -> str:
    """Free spheres between five planes, as MuJoCo's XML."""
    half, effective = width / 2, settling.MASS / 2
    spring = f"{-settling.STIFFNESS / effective} {-settling.damping() / effective}"
    walls = "".join(
        f'<geom type="plane" size="0 0 1" pos="{x} {y} 0" zaxis="{-x} {-y} {0 if x or y else 1}"/>'
        for x, y in ((0, 0), (half, 0), (-half, 0), (0, half), (0, -half))
    )
    grains = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="{settling.RADIUS}"/></body>'
        for x, y, z in position
    )
    return f"""<mujoco>
<option timestep="{DT}" solver="CG" iterations="{ITERATIONS}" cone="elliptic" jacobian="sparse"/>
<size memory="2G"/>
<default>
<geom density="{settling.DENSITY}" friction="{settling.FRICTION} 0 0" condim="3" solref="{spring}"/>
</default>
<worldbody>{walls}{grains}</worldbody>
</mujoco>"""


def main(count: int, result: str) -> None:
    position, velocity, width = settling.start(count)
    model = mujoco.MjModel.from_xml_string(scene_file(position, width))
    data = mujoco.MjData(model)
    data.qvel.reshape(count, 6)[:, :3] = velocity
    times = settling.timed(lambda steps: mujoco.mj_step(model, data, steps), DT)
    if data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:  # after which it goes on from the start state
        sys.exit("MuJoCo: the contacts exploded")
    settling.write(result, data.qpos.reshape(count, 7)[:, :3], data.qvel.reshape(count, 6)[:, :3], times)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
