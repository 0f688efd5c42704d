"""Frames whose every number follows from their step, so that a test can tell a right one from a wrong one."""

from __future__ import annotations

import numpy as np

from windrow.state.frame import Frame

RATE = 30.0


def count_at(step: int) -> int:
    """Number of grains: grows and shrinks, and crosses a chunk boundary now and then."""
    return 0 if step % 7 == 3 else 37 + 13 * (step % 5) + (4100 if step % 6 == 5 else 0)


def made_frame(step: int, bodies: int = 2, count: int | None = None, joints: int = 3) -> Frame:
    rng = np.random.default_rng(step)
    n = count_at(step) if count is None else count
    roster = np.random.default_rng(n)
    return Frame(
        time=step / RATE,
        step=step,
        id=np.arange(n, dtype=np.int64) * 3 + n,
        position=rng.normal(size=(n, 3)).astype(np.float32),
        velocity=rng.normal(size=(n, 3)).astype(np.float32),
        radius=roster.uniform(0.01, 0.05, n).astype(np.float32),
        mass=roster.uniform(0.1, 0.5, n).astype(np.float32),
        material=roster.integers(0, 2, n).astype(np.int32),
        force=rng.normal(size=(n, 3)).astype(np.float32),
        body_names=[f"body {k}" for k in range(bodies)],
        body_position=rng.normal(size=(bodies, 3)),
        body_rotation=rng.normal(size=(bodies, 3, 3)),
        body_force=rng.normal(size=(bodies, 3)),
        body_torque=rng.normal(size=(bodies, 3)),
        material_names=["sand", "gravel"],
        notes={"ledger": {"emitted": step, "emitted_mass": 0.1 * step}, "seconds": {"solve": 0.004}},
        control_names=[f"control {k}" for k in range(joints)],
        controls=rng.uniform(-1.0, 1.0, joints),
        joint_names=[f"joint {k}" for k in range(joints)],
        joint_position=rng.normal(size=joints),
        joint_rate=rng.normal(size=joints),
        joint_force=rng.normal(size=joints),
    )


ARRAYS = (
    "id",
    "position",
    "velocity",
    "radius",
    "mass",
    "material",
    "force",
    "body_position",
    "body_rotation",
    "body_force",
    "body_torque",
    "controls",
    "joint_position",
    "joint_rate",
    "joint_force",
)


def assert_same(got: Frame, expected: Frame) -> None:
    assert (got.time, got.step) == (expected.time, expected.step)
    assert got.body_names == expected.body_names
    assert got.material_names == expected.material_names
    assert got.joint_names == expected.joint_names
    assert got.control_names == expected.control_names
    assert got.notes == expected.notes
    for name in ARRAYS:
        one, other = getattr(got, name), getattr(expected, name)
        assert one.dtype == other.dtype, name
        assert one.shape == other.shape, name
        assert one.tobytes() == other.tobytes(), name
