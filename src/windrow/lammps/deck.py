"""A scene as LAMMPS' input script, the deck, and its data file of grains."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from windrow import __version__
from windrow.errors import SceneError
from windrow.files import write_text
from windrow.fixed_math import cube, norm
from windrow.lammps.contacts import ContactText, Kind, kinds_of, number
from windrow.lammps.refusing import Approximations, refuse
from windrow.lammps.walls import Wall, place_of, shell_of, wall_of
from windrow.scene.shapes import Revolution
from windrow.state.frame import Frame

if TYPE_CHECKING:
    from windrow.scene.scene import Scene
    from windrow.scene.settings import DEM
    from windrow.sim.simulation import Simulation

THERMO_LINES = 200
"""Lines that a run prints: what progress is told by."""
RESTARTS = 20
"""Restart files in a run."""
SKIN = 0.3
"""Margin of the neighbour lists over the median radius."""
DUMPED = "id type x y z vx vy vz omegax omegay omegaz radius fx fy fz"
"""Columns of the dump."""
ALWAYS = {
    "lever": "LAMMPS reckons slip at the radius, and torque at the radius less half an overlap, at walls both at the "
    "radius; Windrow takes one of them for both (solver.lever): results differ by less than overlap over radius",
    "hertz": "where a Hertz contact slides, LAMMPS keeps the damper across the normal and Windrow does not",
}
"""What differs by a little, and is said in every deck that has it."""


class Deck(NamedTuple):
    """Input script and data file of a scene."""

    name: str
    """of the files, without ending"""
    script: str
    data: str
    steps: int
    """of the whole run"""
    step: float
    """s"""
    approximations: list[str]


def deck_of(simulation: Simulation, name: str, approximate: bool = False) -> Deck:
    """The deck of a simulation at its start; raises SceneError for what LAMMPS does not compute.

    name: of the files that the script speaks of, without ending. approximate: whether what LAMMPS computes differently
    may be written, with a comment that says so.
    """
    if not re.fullmatch(r"[\w.+-]+", name, re.ASCII):
        raise SceneError(f"{name!r}: LAMMPS reads no such file name; use letters, digits, '_', '-', '.' and '+'")
    scene, settings = simulation.scene, cast("DEM", simulation.solver)
    refuse(scene, settings.name)
    approximations = Approximations(approximate)
    text = ContactText(scene, settings, approximations)
    frame = simulation.frame()
    grains = _grains(scene, frame)
    kinds, kind = kinds_of(text, grains)
    largest = float(grains["radius"].max())
    walls = [
        shell_of(obstacle, k, largest, approximations)
        if isinstance(obstacle.shape, Revolution)
        else [wall_of(obstacle, k)]
        for k, obstacle in enumerate(scene.obstacles)
    ]
    classic = text.fits_classic(kinds, grains["mass"])
    body = [
        *_grain_lines(text, kinds, classic, float(np.quantile(grains["radius"], 0.5))),
        *_wall_lines(text, scene, kinds, walls),
    ]
    assert settings.dt is not None
    assert settings.substeps is not None
    step = settings.dt / settings.substeps
    steps = round(scene.run.seconds / settings.dt) * settings.substeps
    script = [
        *_head(scene, settings, name, classic, approximations.said),
        *body,
        "",
        *_integration_lines(scene, kinds, step),
        "",
        *_output_lines(name, settings, steps, scene.run.frame_rate),
    ]
    data = _data(scene, frame, grains, kind, len(kinds))
    return Deck(name, "\n".join(script) + "\n", data, steps, step, approximations.said)


def write_deck(deck: Deck, path: Path) -> list[Path]:
    """Writes the script, and the data file beside it; both or none."""
    data = path.with_name(f"{deck.name}.data")
    write_text(data, deck.data)
    try:
        write_text(path, deck.script)
    except BaseException:
        data.unlink(missing_ok=True)
        raise
    return [path, data]


def _grains(scene: Scene, frame: Frame) -> dict[str, NDArray[np.float64]]:
    """Numbers of the grains that atom types are told apart by. A pinned one has the mass of its material."""
    radius = frame.radius.astype(np.float64)
    mass, pinned = frame.mass.astype(np.float64), ~np.isfinite(frame.mass)
    density = np.array([material.density for material in scene.materials.values()])[frame.material]
    mass[pinned] = (density * 4.0 / 3.0 * np.pi * cube(radius))[pinned]
    return {"radius": radius, "mass": mass, "pinned": pinned, "material": frame.material.astype(np.float64)}


def _head(scene: Scene, settings: DEM, name: str, classic: bool, said: list[str]) -> list[str]:
    title = " ".join((scene.title or name).split())
    differences = list(said)
    if not classic:
        differences.append(ALWAYS["lever"])
    if settings.contact == "hertz":
        differences.append(ALWAYS["hertz"])
    boundary = "m m m" if scene.domain is None else "f f f"
    return [
        f"# {title}",
        f"# Written by Windrow {__version__}, for LAMMPS of 22Jul2025 or newer with the package GRANULAR. SI units.",
        f"# from the start:      lmp -in {name}.in",
        f"# from a restart file: lmp -in {name}.in -var restart {name}.STEP.restart",
        f"# to end a run early:  create a file {name}.stop beside it",
        *(f"# differs: {line}" for line in differences),
        "",
        "units si",
        "atom_style sphere",
        f"boundary {boundary}",
        "newton off",
        "comm_modify vel yes",
        f"variable dump index {name}.dump",
        'if "$(is_defined(variable,restart)) == 1" then "read_restart ${restart}" else '
        f'"read_data {name}.data"',
        "",
        f"# contacts between grains, by atom type{'; dampers as rates, 1/s' if classic else ''}",
    ]


def _grain_lines(text: ContactText, kinds: list[Kind], classic: bool, radius: float) -> list[str]:
    lines = [f"# type {k + 1}: {text.names[kind.material]}{_told(text, kind)}" for k, kind in enumerate(kinds)]
    if classic:
        lines += [f"pair_style gran/hooke/history {text.classic(text.between(kinds[0], kinds[0]))}", "pair_coeff * *"]
    else:
        lines.append("pair_style granular")
        for k, one in enumerate(kinds):
            for m in range(k, len(kinds)):
                lines.append(f"pair_coeff {k + 1} {m + 1} {text.granular(text.between(one, kinds[m]))}")
    return [*lines, f"neighbor {number(SKIN * radius)} bin", "neigh_modify delay 0 every 1 check yes", ""]


def _told(text: ContactText, kind: Kind) -> str:
    size = f", radius {number(kind.radius)} m" if text.resists else ""
    return size + (", held in place" if kind.pinned else "")


def _wall_lines(text: ContactText, scene: Scene, kinds: list[Kind], walls: list[list[Wall]]) -> list[str]:
    lines = [f"group kind{k + 1} type {k + 1}" for k in range(len(kinds))]
    for k, (obstacle, parts) in enumerate(zip(scene.obstacles, walls, strict=True)):
        if parts[0].curved and (text.settings.contact == "hertz" or text.resists):
            text.approximations.make(
                f"{place_of(obstacle, k)}.shape",
                "LAMMPS reckons with the curvature of a wall in Hertz contacts and in rolling resistance, and Windrow "
                "with a flat one",
                "the curved one is written",
                "use planes and boxes, or linear contacts without rolling resistance",
            )
        lines.append(f"# {place_of(obstacle, k)}: {obstacle.shape.kind} of {obstacle.material}")
        for wall in parts:
            lines += [*wall.lines, *_wall_fixes(text, kinds, wall, obstacle.material)]
    return lines


def _wall_fixes(text: ContactText, kinds: list[Kind], wall: Wall, material: str) -> list[str]:
    """One for each kind of grains that moves."""
    lines = []
    for number_, kind in enumerate(kinds, 1):
        if not kind.pinned:
            # also with gran/hooke/history: the walls of that style give a sphere that hits at 60° 37 % less spin
            law = text.granular(text.at_wall(kind, material))
            fix = f"{wall.region}_{number_}"
            lines.append(f"fix {fix} kind{number_} wall/gran/region granular {law} region {wall.region}")
    return lines


def _integration_lines(scene: Scene, kinds: list[Kind], step: float) -> list[str]:
    gravity = np.array(scene.gravity, np.float64)
    size = float(norm(gravity))
    pinned = [str(k) for k, kind in enumerate(kinds, 1) if kind.pinned]
    free = [str(k) for k, kind in enumerate(kinds, 1) if not kind.pinned]
    lines = [f"timestep {number(step)}"]
    if size > 0:
        lines.append(f"fix gravity all gravity {number(size)} vector {' '.join(number(g / size) for g in gravity)}")
    if free:
        lines += [f"group free type {' '.join(free)}", "fix move free nve/sphere"]
    if pinned:
        lines += [f"group pinned type {' '.join(pinned)}", "fix pinned pinned freeze"]
    return lines


def _output_lines(name: str, settings: DEM, steps: int, rate: float) -> list[str]:
    """Frames are due at the steps at which Windrow's own are: the first ones at or after k/rate."""
    assert settings.dt is not None
    assert settings.substeps is not None
    whole, parts = number(settings.dt), settings.substeps
    due = f"(floor((step*dt+1e-9)*{number(rate)})+1)/{number(rate)}-1e-9"
    return [
        f"variable next equal {parts}*ceil(({due})/{whole})",
        f"dump frames all custom 1 ${{dump}} {DUMPED}",
        "dump_modify frames every v_next sort id format float %.9g",
        'if "$(is_defined(variable,restart)) == 0" then "dump_modify frames first yes"',
        "compute spin all erotate/sphere",
        "compute height all reduce ave z",
        "compute top all reduce max z",
        f"thermo {max(1, steps // THERMO_LINES)}",
        "thermo_style custom step time atoms ke c_spin c_height c_top",
        "thermo_modify lost ignore flush yes format line "
        '"%10ld %14.7g %10ld %14.7g %14.7g %14.7g %14.7g"',
        f"restart {max(1, steps // RESTARTS)} {name}.*.restart",
        f"variable stop equal is_file({name}.stop)",
        "fix stop all halt 20 v_stop == 1 error soft message no",
        f"run {steps} upto",
        f"write_restart {name}.*.restart",
    ]


def _data(
    scene: Scene, frame: Frame, grains: dict[str, NDArray[np.float64]], kind: NDArray[np.int64], kinds: int
) -> str:
    position, radius = frame.position.astype(np.float64), grains["radius"]
    if scene.domain is not None:
        low, high = np.array(scene.domain.lower), np.array(scene.domain.upper)
    else:
        room = 8.0 * radius.max()
        low, high = position.min(axis=0) - room, position.max(axis=0) + room
    density = grains["mass"] / (4.0 / 3.0 * np.pi * cube(radius))
    ids = frame.id + 1
    out = io.StringIO()
    out.write(f"grains of {' '.join((scene.title or 'a scene').split())}, SI units\n\n")
    out.write(f"{len(ids)} atoms\n{kinds} atom types\n\n")
    for axis, a, b in zip("xyz", low, high, strict=True):
        out.write(f"{number(float(a))} {number(float(b))} {axis}lo {axis}hi\n")
    out.write("\nAtoms # sphere: id type diameter density x y z\n\n")
    atoms = np.column_stack([ids, kind + 1, 2.0 * radius, density, position])
    np.savetxt(out, atoms, "%d %d %.9g %.12g %.9g %.9g %.9g")
    out.write("\nVelocities # id vx vy vz omegax omegay omegaz\n\n")
    rates = np.column_stack([ids, frame.velocity, frame.columns["spin"]])
    np.savetxt(out, rates, "%d %.9g %.9g %.9g %.9g %.9g %.9g")
    return out.getvalue()
