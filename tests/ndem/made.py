"""Scenes that several tests share."""

from __future__ import annotations

import numpy as np

import windrow as wr

R = 0.05
MASS = 1600 * 4 / 3 * np.pi * R**3
G = 9.81


def soil(
    gravity: tuple[float, float, float] = (0, 0, -G),
    k: float = 1e5,
    c: float = 88.0,
    mu: float = 0.5,
    mu_k: float | None = None,
    adhesion: float = 0.0,
) -> wr.Scene:
    """An empty scene with the material "soil"."""
    scene = wr.Scene(gravity=gravity)
    scene.add_material(
        "soil",
        density=1600,
        friction_static=mu,
        friction_kinetic=mu if mu_k is None else mu_k,
        adhesion=adhesion,
        stiffness=k,
        damping=c,
    )
    return scene


def box_of_planes(scene: wr.Scene, half: float) -> None:
    """Floor at z = 0 and four walls."""
    for normal in ((0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add_plane(normal=normal, offset=0.0 if normal[2] else -half, material="soil")


def lattice(nx: int, ny: int, nz: int, spacing: float = 2 * R) -> np.ndarray:
    """Points of a cubic lattice centred in x and y whose lowest grains touch z = 0."""
    points = np.stack(np.meshgrid(np.arange(nx), np.arange(ny), np.arange(nz), indexing="ij"), -1).reshape(
        -1, 3
    )
    points = points * spacing
    points[:, :2] -= points[:, :2].mean(axis=0)
    points[:, 2] += 0.5 * spacing
    return points


def settling(n: int, seed: int = 1, speed: float = 1.0) -> wr.Scene:
    """Grains that fall and settle in an open box, with random start velocities."""
    side = int(np.ceil((n / 2) ** (1 / 3) - 1e-9))
    spacing = 2.2 * R
    g = np.random.default_rng(seed)
    k = np.arange(n)
    points = np.stack([k % side**2 % side, k % side**2 // side, k // side**2], 1) * spacing + spacing / 2
    points[:, :2] -= side * spacing / 2
    scene = soil()
    box_of_planes(scene, side * spacing / 2)
    scene.add_particles(
        position=points + g.uniform(-0.05 * R, 0.05 * R, points.shape),
        velocity=g.uniform(-speed, speed, points.shape),
        radius=R,
        material="soil",
    )
    return scene


def root_mean_square_speed(simulation: wr.Simulation) -> float:
    return float(np.sqrt((simulation.particles.velocity.astype(float) ** 2).sum(axis=1).mean()))


def smooth_start(time: np.ndarray, rise: float = 0.2) -> np.ndarray:
    """Way over the final acceleration, s², of what reaches it in proportion to time within `rise` (s)."""
    rising = np.minimum(time, rise)
    after = time - rising
    return rising**3 / (6 * rise) + 0.5 * rise * after + 0.5 * after**2
