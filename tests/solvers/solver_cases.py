"""Every solver that a scene may name, what each cannot do, and the scenes that all of them are tested with.

A new solver is tested as soon as the registry has it, in all its `variants`. What it cannot do is a row of `CANNOT`,
unless it says so itself (`with_bodies`, `contacts`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import windrow as wr
from windrow.scene import Box, Merging, Multibody, Sphere
from windrow.scene.joints import Hinge, VelocityMotor
from windrow.scene.settings import SolverBase
from windrow.solvers.interface import Solver
from windrow.solvers.registry import solver_class, variants

MORE: dict[str, SolverBase] = {
    "p2 substeps": wr.P2(substeps=2, iterations=5, sleep_threshold=3e-4),
    "ndem asleep": wr.NDEM(sleep_speed=0.02),
    "fluid gradients": wr.Fluid(method="conjugate_gradient", viscosity=2.0, surface_tension=0.07),
}
"""Variants beside those that the solvers themselves name, for their bits and memory: the laws are the same."""
WET: dict[str, SolverBase] = {"mixture wet": wr.Mixture()}
"""Of a solver for liquids with grains: "sand" is the liquid, "steel" the grains. In "mixture" all are grains."""
CANNOT: dict[str, dict[str, str]] = {
    "p2 gauss_seidel": {"any order": "the order of the contacts is part of the method"},
    "dem": {"links": "its grains are free", "hold pinched grains": "their springs end, nobody is held"},
    "sph": {
        "links": "there are none between particles",
        "sizes": "all particles have one radius",
        "hold pinched grains": "sand without room is compressed",
        "steps of the others": "substeps follow the fastest particle anywhere",
        "walls at 50 m/s": "a wall that carries sand so fast loses it in its second step; not understood yet",
    },
    "fluid": {
        "links": "there are none between particles",
        "sizes": "all particles have one radius",
        "any order": "the order of the rows is part of Gauss-Seidel",
        "hold pinched grains": "water without room is compressed",
        "steps of the others": "substeps and sweeps follow the fastest and the deepest anywhere",
    },
    "mixture": {"links": "there are none between particles"},
    "mixture wet": {
        "any order": "the order of the rows is part of the liquid's Gauss-Seidel",
        "hold pinched grains": "liquid without room is compressed",
        "steps of the others": "the liquid's substeps and sweeps follow the fastest and the deepest anywhere",
    },
    "p2 averaging": {"momentum with bodies": "averaged corrections of places do not keep it"},
}
"""What a solver, or one of its variants, cannot do and why. Abilities: "links", "sizes" (grains of several radii),
"bodies", "momentum with bodies", "contacts" (tells their forces), "any order" (numbering of grains changes nothing but
rounding), "hold pinched grains" (and counts them in `notes`), "walls at 50 m/s" (push grains along), "steps of
the others" (no particle changes those of another that it never meets)."""


SOLVERS: dict[str, SolverBase] = {**variants(), **WET, **MORE}
"""Settings by name, such as "p2" and "p2 gauss_seidel"."""
OTHER_LAWS = [name for name in SOLVERS if name not in MORE]


def cannot(solver: str, ability: str) -> str | None:
    """Why a solver does not have an ability; None: it has."""
    kind = solver_class(SOLVERS[solver].name)
    if ability == "bodies" and not kind.with_bodies:
        return "it says so"
    if ability == "contacts" and kind.contacts is Solver.contacts:
        return "it tells none"
    rows = [solver, SOLVERS[solver].name]
    if not getattr(SOLVERS[solver], "mass_splitting", True):
        rows.append("p2 averaging")
    return next((CANNOT[row][ability] for row in rows if ability in CANNOT.get(row, {})), None)


def needs(solver: str, *abilities: str) -> None:
    """Leaves the test out for a solver that has declared that it cannot."""
    for ability in abilities:
        reason = cannot(solver, ability)
        if reason is not None:
            pytest.skip(f"{solver} cannot: {ability} ({reason})")


# --- scenes ----------------------------------------------------------------------------------------------------------


def empty(solver: str, **changes: Any) -> wr.Scene:
    """A scene without anything but the materials "sand" and "steel"."""
    scene = wr.Scene(solver=SOLVERS[solver], **changes)
    sand = {"density": 1600.0, "friction_static": 0.5, "adhesion": 0.0, "stiffness": 1e5, "damping": 150.0}
    scene.add_material("sand", **sand, liquid=solver in WET)
    scene.add_material("steel", density=7800.0, friction_static=0.3, adhesion=0.0, stiffness=1e5, damping=150.0)
    return scene


def lattice(many: int, spacing: float = 0.11) -> np.ndarray:
    """(many³, 3) points of a cube that stands on z = 0."""
    return spacing * np.stack(np.meshgrid(*[np.arange(many)] * 3, indexing="ij"), -1).reshape(-1, 3) + (0, 0, 0.06)


def heap(solver: str, shift: float = 0.0) -> wr.Scene:
    """Loose grains above a plane."""
    scene = empty(solver)
    scene.add_plane((0, 0, 1), 0.0, "sand", name="floor")
    scene.add_particles(position=lattice(5) + np.array([shift, 0, 0]), radius=0.05, material="sand")
    return scene


def everything(solver: str) -> wr.Scene:
    """All that the solver can: grains of two sizes and materials, a rope, a blade that moves, an emitter, a sink;
    bodies at rest, in a pile, on sand and on a hinge."""
    scene = empty(solver, seed=3, multibody=Multibody(merging=Merging()))
    scene.add_plane((0, 0, 1), 0.0, "sand", name="floor")
    blade = {"kind": "linear", "velocity": (0.1, 0, 0)}
    scene.add_box((-0.6, 0, 0.2), (0.1, 1.0, 0.4), "steel", name="blade", motion=blade)
    scene.add_block((-0.5, -0.3, 0.01), (0.5, 0.5, 0.25), 0.04, "sand", velocity_spread=0.3)
    if cannot(solver, "sizes") is None:
        scene.add_block((0.05, -0.3, 0.01), (0.2, 0.2, 0.2), 0.08, "steel")
    if cannot(solver, "links") is None:
        scene.add_rope((0.0, 0.5, 0.1), (0.3, 0.5, 0.1), segments=5, material="steel", radius=0.02)
    scene.add_emitter(Box(size=(0.2, 0.2, 0.1)), 0.04, "sand", position=(-0.2, 0, 1.0), rate=60.0, count=9)
    scene.add_sink(Box(size=(0.5, 0.1, 0.4)), position=(-0.25, -0.35, 0), start=0.3)
    if cannot(solver, "bodies") is None:
        add_bodies(scene)
    return scene


def add_bodies(scene: wr.Scene) -> None:
    for k in range(3):
        scene.add_body(f"box {k}", "steel", shapes=[Box(size=(0.3,) * 3)], position=(1.0, 0, 0.15 + 0.3 * k))
    for k in range(2):
        plank = Box(size=(0.3, 0.3, 0.05))
        scene.add_body(f"plank {k}", "steel", shapes=[plank], position=(-0.25, -0.05, 0.4 + 0.05 * k))
    scene.add_body("wheel", "steel", shapes=[Sphere(radius=0.2)], position=(2, 0, 0.2))
    motor = VelocityMotor(speed=2.0, control="turn")
    scene.add_joint(Hinge(name="axle", first="wheel", position=(2, 0, 0.2), axis=(0, 1, 0), motor=motor))


def started(solver: str, steps: int = 0, threads: int = 1) -> wr.Simulation:
    """`everything` after so many steps, with its wheel turning."""
    simulation = wr.Simulation(everything(solver), threads=threads)
    for name in simulation.controls:
        simulation.control(name, 0.5)
    return stepped(simulation, steps)


def stepped(simulation: wr.Simulation, steps: int) -> wr.Simulation:
    for _ in range(steps):
        simulation.step()
    return simulation


# --- what a simulation tells -----------------------------------------------------------------------------------------


def told(simulation: wr.Simulation) -> dict[str, Any]:
    """All that can be read of the present moment but the report of the last step, by name."""
    seen = {f"frame.{name}": value for name, value in vars(simulation.frame()).items() if name != "notes"}
    seen |= {f"body {name}": np.stack(simulation.body(name)) for name in simulation.body_names}
    if cannot_tell_contacts(simulation) is None:
        seen |= {f"contacts.{name}": value for name, value in vars(simulation.contacts).items()}
    seen |= {f"ledger.{name}": value for name, value in simulation.ledger.items()}
    bodies = simulation.bodies
    if bodies is not None:
        seen |= {f"touches.{name}": value for name, value in vars(bodies.contact_reading()).items()}
        seen |= {f"touch of {name}": bodies.contact_force(name) for name in bodies.bodies.names}
        for joint in bodies.joints.names:
            seen |= {f"{joint}.{name}": value for name, value in vars(bodies.joint(joint)).items()}
    return seen


def cannot_tell_contacts(simulation: wr.Simulation) -> str | None:
    return cannot(simulation.solver.name, "contacts")


def assert_same_told(one: wr.Simulation, other: wr.Simulation) -> None:
    seen, expected = told(one), told(other)
    assert seen.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_equal(seen[name], value, err_msg=name)
