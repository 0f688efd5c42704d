"""Newton's XPBD particles on the CPU, one thread, on S*(N): `python run_newton.py 2000 result.json`.

These particles have no rotation, no contact stiffness and no restitution: friction alone is as in the others.
"""

from __future__ import annotations

import sys

import newton
import settling
import warp as wp

DT = 1 / 240
ITERATIONS = 2
"""its default"""


def main(count: int, result: str) -> None:
    position, velocity, width = settling.start(count)
    wp.config.quiet = True
    wp.set_device("cpu")
    half = width / 2
    builder = newton.ModelBuilder(gravity=(0.0, 0.0, -9.81))
    builder.default_shape_cfg.mu = settling.FRICTION
    for plane in ((0, 0, 1, 0), (1, 0, 0, half), (-1, 0, 0, half), (0, 1, 0, half), (0, -1, 0, half)):
        builder.add_shape_plane(tuple(map(float, plane)), width=0.0, length=0.0)
    builder.add_particles(
        position.tolist(), velocity.tolist(), [settling.MASS] * count, [settling.RADIUS] * count
    )
    model = builder.finalize()
    model.particle_mu = model.soft_contact_mu = settling.FRICTION
    solver = newton.solvers.SolverXPBD(model, iterations=ITERATIONS)
    now, then = model.state(), model.state()
    pipeline = newton.CollisionPipeline(model)
    contacts = pipeline.contacts()

    def advance(steps: int) -> None:
        nonlocal now, then
        for _ in range(steps):
            now.clear_forces()
            pipeline.collide(now, contacts)
            solver.step(now, then, None, contacts, DT)
            now, then = then, now

    advance(2)  # compiles the kernels; the run proper starts anew
    now, then = model.state(), model.state()
    times = settling.timed(advance, DT)
    settling.write(result, now.particle_q.numpy(), now.particle_qd.numpy(), times)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
