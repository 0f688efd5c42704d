"""Makes the periodic bricks of grains that dense packings are cut from (`windrow/scene/brick.py`).

    python tools/bricks.py               # some minutes; writes src/windrow/scene/library/bricks.npz

Grains that do not rotate, in a box that is periodic along x, y and z, and no gravity. They are grown together without
friction, then pressed slowly with a little of it, until the mean overlap of the contacts is `PRESSED`; the friction
decides how densely they lie. Grains that nobody holds are let fall onto those below at the end, so that a brick is at
rest under gravity along −z. Lengths are in mean radii, the stiffness and a mean grain's mass are 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numba
import numpy as np
from scipy.spatial import cKDTree

TARGET = Path(__file__).resolve().parents[1] / "src" / "windrow" / "scene" / "library" / "bricks.npz"
COUNT = 2000
SPREADS = {"even": 0.0, "mixed": 0.15}
"""Half the width of the range of radii, of the mean radius, by name of the mix."""
FRICTION = 0.03
PRESSED = 2e-4
"""Mean overlap of the contacts at the end."""
DT = 0.12
SKIN = 0.25
DAMPING = 0.6
"""Of a contact, of the critical one."""
DRAG = 2e-3
"""Share of its velocity that a grain loses in a step."""
RATTLES = 4
"""Grains with fewer contacts are held by nobody."""


@dataclass
class Box:
    """Grains in a periodic cube."""

    position: np.ndarray
    radius: np.ndarray
    edge: float
    velocity: np.ndarray = field(init=False)
    pairs: np.ndarray = field(init=False)
    """(p, 2) that may touch before the next search"""
    slid: np.ndarray = field(init=False)
    """(p, 3) tangential springs of those pairs"""
    searched: np.ndarray = field(init=False)
    searched_edge: float = field(init=False)

    def __post_init__(self) -> None:
        self.velocity = np.zeros_like(self.position)
        self.pairs, self.slid = np.zeros((0, 2), np.int64), np.zeros((0, 3))
        self.search()

    @property
    def solid(self) -> float:
        return float(4 / 3 * np.pi * (self.radius**3).sum() / self.edge**3)

    def search(self) -> None:
        """The pairs within reach, which keep their springs."""
        self.position %= self.edge
        tree = cKDTree(self.position, boxsize=self.edge)
        found = np.sort(
            tree.query_pairs(2 * self.radius.max() + SKIN, output_type="ndarray").astype(np.int64), axis=1
        )
        keys = found[:, 0] * COUNT + found[:, 1]
        found, keys = found[np.argsort(keys)], np.sort(keys)
        slid = np.zeros((len(found), 3))
        old = self.pairs[:, 0] * COUNT + self.pairs[:, 1]
        at = np.minimum(np.searchsorted(keys, old), max(len(keys) - 1, 0))
        kept = keys[at] == old if len(old) else np.zeros(0, bool)
        slid[at[kept]] = self.slid[kept]
        self.pairs, self.slid = found, slid
        self.searched, self.searched_edge = self.position.copy(), self.edge

    def run(self, steps: int, rate: float, friction: float, pull: np.ndarray) -> tuple[float, float, float]:
        """Steps while the edge shrinks by `rate` per unit of time; returns mean and largest overlap, largest speed."""
        told = (0.0, 0.0, 0.0)
        while steps > 0:
            done, shrunk, *told = _steps(
                self.position, self.velocity, self.radius, self.edge, self.pairs, self.slid, self.searched,
                self.searched_edge, steps, rate, friction, pull,
            )  # fmt: skip
            steps, self.edge = steps - done, self.edge * shrunk
            if steps > 0:
                self.search()
        return told[0], told[1], told[2]

    def contacts(self) -> np.ndarray:
        """(c, 2) pairs that touch."""
        gap = self.position[self.pairs[:, 0]] - self.position[self.pairs[:, 1]]
        gap -= self.edge * np.rint(gap / self.edge)
        return self.pairs[np.linalg.norm(gap, axis=1) < self.radius[self.pairs].sum(axis=1)]

    def rattlers(self) -> np.ndarray:
        """(n,) grains that are held by nobody, and those that only they hold."""
        loose = np.zeros(COUNT, bool)
        contacts = self.contacts()
        while True:
            held = contacts[~loose[contacts].any(axis=1)]
            now = loose | (np.bincount(held.ravel(), minlength=COUNT) < RATTLES)
            if (now == loose).all():
                return loose
            loose = now


@numba.njit
def _steps(x, v, r, edge, pairs, slid, searched, searched_edge, steps, rate, friction, pull):
    """Up to so many steps; ends early when a pair may be missing. Returns also by how much the edge has shrunk."""
    n = len(x)
    force = np.empty((n, 3))
    shrunk, before = 1.0, edge
    mean, most, fastest = 0.0, 0.0, 0.0
    for step in range(steps):
        edge = before * shrunk
        for i in range(n):
            for a in range(3):
                force[i, a] = pull[i, a]
        total, touching, most = 0.0, 0, 0.0
        for q in range(len(pairs)):
            i, j = pairs[q]
            d0 = x[i, 0] - x[j, 0]
            d1 = x[i, 1] - x[j, 1]
            d2 = x[i, 2] - x[j, 2]
            d0 -= edge * np.rint(d0 / edge)
            d1 -= edge * np.rint(d1 / edge)
            d2 -= edge * np.rint(d2 / edge)
            reach = r[i] + r[j]
            square = d0 * d0 + d1 * d1 + d2 * d2
            if square >= reach * reach:
                slid[q] = 0.0
                continue
            distance = np.sqrt(square)
            overlap = reach - distance
            total += overlap
            touching += 1
            most = max(most, overlap)
            n0, n1, n2 = d0 / distance, d1 / distance, d2 / distance
            u0, u1, u2 = v[i, 0] - v[j, 0], v[i, 1] - v[j, 1], v[i, 2] - v[j, 2]
            un = u0 * n0 + u1 * n1 + u2 * n2
            mi, mj = r[i] ** 3, r[j] ** 3
            press = max(0.0, overlap - DAMPING * 2.0 * np.sqrt(mi * mj / (mi + mj)) * un)
            s0 = slid[q, 0] + DT * (u0 - un * n0)
            s1 = slid[q, 1] + DT * (u1 - un * n1)
            s2 = slid[q, 2] + DT * (u2 - un * n2)
            along = s0 * n0 + s1 * n1 + s2 * n2
            s0, s1, s2 = s0 - along * n0, s1 - along * n1, s2 - along * n2
            length = np.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
            if length > friction * press:
                cut = friction * press / length
                s0, s1, s2 = s0 * cut, s1 * cut, s2 * cut
            slid[q, 0], slid[q, 1], slid[q, 2] = s0, s1, s2
            f0, f1, f2 = press * n0 - s0, press * n1 - s1, press * n2 - s2
            force[i, 0] += f0
            force[i, 1] += f1
            force[i, 2] += f2
            force[j, 0] -= f0
            force[j, 1] -= f1
            force[j, 2] -= f2
        mean = total / max(touching, 1)
        shrink = 1.0 - rate * DT
        shrunk *= shrink
        fastest, farthest = 0.0, 0.0
        for i in range(n):
            moved, speed = 0.0, 0.0
            for a in range(3):
                v[i, a] = (v[i, a] + DT * force[i, a] / r[i] ** 3) * (1.0 - DRAG)
                x[i, a] = (x[i, a] + DT * v[i, a]) * shrink
                way = x[i, a] - searched[i, a] * (before * shrunk / searched_edge)
                moved += way * way
                speed += v[i, a] * v[i, a]
            fastest, farthest = max(fastest, speed), max(farthest, moved)
        # the whole box shrinks, too, and brings pairs nearer that do not move
        nearer = (1.0 - before * shrunk / searched_edge) * 3.0
        if 2.0 * np.sqrt(farthest) + nearer > SKIN:
            return step + 1, shrunk, mean, most, np.sqrt(fastest)
    return steps, shrunk, mean, most, np.sqrt(fastest)


def brick(spread: float, seed: int = 1) -> Box:
    """A brick of radii evenly spread over 1 ± spread."""
    random = np.random.default_rng(seed)
    radius = random.permutation(1.0 + spread * (2.0 * (np.arange(COUNT) + 0.5) / COUNT - 1.0))
    edge = float(4 / 3 * np.pi * (radius**3).sum() / 0.25) ** (1 / 3)
    box, still = Box(random.uniform(0, edge, (COUNT, 3)), radius, edge), np.zeros((COUNT, 3))
    box.run(3000, 0.0, 0.0, still)
    while box.solid < 0.56:
        box.run(500, 1e-4, 0.0, still)
    rate = 2e-5
    while rate > 1e-8:
        mean = 0.0
        while mean < PRESSED:
            mean, _, _ = box.run(200, rate, FRICTION, still)
        mean, most, fastest = 0.0, 0.0, 1.0
        while fastest > 1e-7:
            mean, most, fastest = box.run(2000, 0.0, FRICTION, still)
        print(f"rate {rate:.1e}: solid {box.solid:.4f}, overlap {mean:.1e} mean, {most:.1e} at most")
        rate *= 0.5 if mean < 0.8 * PRESSED else 0.0
    loose = box.rattlers()
    still[loose, 2] = -1e-5 * radius[loose] ** 3
    for _ in range(60):
        mean, most, fastest = box.run(2000, 0.0, FRICTION, still)
    told = f"{len(box.contacts()) * 2 / COUNT:.2f} contacts a grain, {loose.mean():.1%} were loose"
    print(f"spread {spread}: solid {box.solid:.4f}, {told}, overlap {mean:.1e} mean, {most:.1e} at most")
    return box


def main() -> None:
    made = {}
    for name, spread in SPREADS.items():
        box = brick(spread)
        made[name] = np.column_stack([box.position % box.edge, box.radius]).astype(np.float32)
        made[f"{name}_edge"] = np.array(box.edge)
    np.savez_compressed(TARGET, **made)
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
