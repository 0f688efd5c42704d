"""Pencils of one colour: whatever is swept at the same time must not share a grain."""

from __future__ import annotations

import numpy as np
import pytest
from made import settling, soil

import windrow as wr
from windrow.solvers.ndem.pencils import FEW, pencil_widths
from windrow.solvers.ndem.solver import NDEMStepper


def graded(count: int) -> wr.Scene:
    """Grains of several grid levels, thrown about."""
    g = np.random.default_rng(5)
    scene = soil()
    scene.add_box(position=(0, 0, 10), size=(3, 3, 3), material="soil", inside=True)
    points = np.stack(np.meshgrid(*[np.linspace(-1.3, 1.3, 9)] * 3, indexing="ij"), -1).reshape(-1, 3)[:count]
    scene.add_particles(
        position=points + np.array([0, 0, 10]),
        velocity=g.normal(0, 2, points.shape),
        radius=g.uniform(0.02, 0.15, len(points)),
        material="soil",
    )
    return scene


@pytest.mark.parametrize(
    ("scene", "width"),
    [(settling(3000, speed=8.0), (1, 2)), (settling(3000, speed=0.1), (2, 2)), (graded(700), (9, 9))],
    ids=["narrow", "square", "several levels"],
)
def test_pencils_of_one_colour_share_no_grain(scene: wr.Scene, width: tuple[int, int]) -> None:
    simulation = wr.Simulation(scene, solver=wr.NDEM(), threads=1)
    stepper = simulation._stepper
    assert isinstance(stepper, NDEMStepper)
    widths = set()
    for _ in range(30):
        simulation.step()
        pencils, ends = stepper.pencils, stepper.kept.pairs.ends
        widths |= {tuple(int(w) for w in wide) for wide in pencils.widths}
        for stage in np.unique(pencils.stage):
            owner: dict[int, int] = {}
            for p in np.flatnonzero(pencils.stage == stage):
                grains = np.unique(ends[pencils.pair_begin[p] : pencils.pair_begin[p + 1]])
                for grain in grains[grains < simulation.state.count].tolist():
                    assert owner.setdefault(grain, int(p)) == p
    assert width in widths


def test_a_few_large_pencils_are_halved() -> None:
    """20,000 grains in wide columns; with many pencils, small ones or a coarse level nothing changes."""
    assert pencil_widths(20_000, 12, 12, 0) == (1, 2)
    assert pencil_widths(20_000, 14, 14, 0) == (2, 2)
    assert FEW <= 7 * 7
    assert pencil_widths(2_000, 12, 12, 0) == (3, 3)
    assert pencil_widths(20_000, 12, 12, 1) == (2, 2)
