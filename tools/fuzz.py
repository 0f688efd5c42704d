"""Looks for what breaks Windrow: `make fuzz`, or `python tools/fuzz.py --seconds 600 --seed 1`.

Each trial is a kind and a number, from which all its chance comes. Trials run in child processes, some in each, so that
a crash or a hang is found as well as a wrong answer. What fails is printed with the command that repeats it.

scenes     built-in scenes with numbers replaced: refused with the reason, or three steps with finite numbers
files      snapshots, recordings and scene files with bytes changed: refused with the reason, or as they were
messages   what a page may say, mended and broken: refused with the reason, or obeyed
physics    bodies of any mass and speed that hit grains; restarts, resets, threads: energy, mass and bits are kept
ground     terrain in each fidelity with grains, bodies and tools that dig, heights set while it runs: refused, or mass
           and bits are kept
joined     clumps and bonds with DEM, thrown at each other and at bodies: bits are kept, nothing explodes
wet        grains and liquid in one box, poured, stirred and drained: bits and mass are kept, nothing explodes
digging    machines on ground with all levers moved at random: bits and mass are kept, nothing explodes
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import time
import tomllib
import warnings
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_checks import (
    ODD_VALUES,
    Broken,
    Chance,
    check_resets,
    check_same,
    finite,
    hastened,
    laid,
    pick,
)
from fuzz_made import try_digging, try_joined, try_wet

A_CHILD = 40
"""trials per process"""
A_TURN = 20.0
"""s, after which a process begins no further trial, so that all kinds have their turn"""
A_TRIAL = 120.0
"""s, that a trial may take at most; a machine under load is slow, a hang is for ever"""
TO_COMPILE = 5.0
"""times as much for the first trial of a process, which may have kernels to compile"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0, help="how long to look, s")
    parser.add_argument("--seed", type=int, help="first number; left out: by the clock, and printed")
    parser.add_argument("--only", choices=sorted(TRIALS), help="one kind of trial")
    parser.add_argument("--trial", nargs=2, metavar=("KIND", "NUMBER"), help="one trial again")
    parser.add_argument("--child", nargs=3, metavar=("KIND", "FIRST", "COUNT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.trial:
        attempt(given.trial[0], int(given.trial[1]))
        return 0
    if given.child:
        kind, first, count = given.child[0], int(given.child[1]), int(given.child[2])
        begin = time.monotonic()
        for number in range(first, first + count):
            print(number, flush=True)
            attempt(kind, number)
            if time.monotonic() - begin > A_TURN:
                break
        return 0
    seed = int(time.time()) % 1_000_000 * 1000 if given.seed is None else given.seed
    return look([given.only] if given.only else sorted(TRIALS), seed, given.seconds)


def look(kinds: list[str], seed: int, seconds: float) -> int:
    """Children of all kinds in turn until the time is over; returns how many trials broke."""
    print(f"fuzz: seed {seed}, {seconds:.0f} s, {', '.join(kinds)}", flush=True)
    end, done, broken, number = time.monotonic() + seconds, dict.fromkeys(kinds, 0), 0, seed
    while time.monotonic() < end:
        for kind in kinds:
            failed, last = run_child(kind, number)
            done[kind] += last - number + 1
            if failed:
                broken += 1
                print(f"\nBROKEN: python tools/fuzz.py --trial {kind} {last}\n{failed}\n", flush=True)
        number += A_CHILD
        print("  ".join(f"{kind} {count}" for kind, count in done.items()) + f"  broken {broken}", flush=True)
    return min(broken, 1)


def run_child(kind: str, first: int) -> tuple[str, int]:
    """What went wrong, or nothing, and the last trial."""
    command = [sys.executable, __file__, "--child", kind, str(first), str(A_CHILD)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        last, since = first, time.monotonic()
        while process.poll() is None:
            time.sleep(0.05)
            out.seek(0)
            told = out.read().split()
            if told and int(told[-1]) != last:
                last, since = int(told[-1]), time.monotonic()
            patience = A_TRIAL * (TO_COMPILE if last == first else 1.0)
            if time.monotonic() - since > patience:
                process.kill()
                process.wait()
                return f"no end after {patience:.0f} s", last
        out.seek(0)
        told = out.read().split()
        last = int(told[-1]) if told else first
        if process.returncode == 0:
            return "", last
        errors.seek(0)
        return f"exit code {process.returncode}\n{errors.read()[-3000:]}", last


def attempt(kind: str, number: int) -> None:
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        TRIALS[kind](np.random.default_rng([sorted(TRIALS).index(kind), number]))


# --- scenes --------------------------------------------------------------------------------------------------------


def try_scene(chance: Chance) -> None:
    import windrow as wr
    from windrow.scene.files import scene_from_dict

    data = pick(chance, small_scenes())
    data = json.loads(json.dumps(data))
    for _ in range(int(chance.integers(1, 4))):
        places = list(leaves(data))
        where, key = places[int(chance.integers(len(places)))]
        what = int(chance.integers(6))
        if what == 0:
            where[key] = pick(chance, ODD_VALUES)
        elif what == 1 and isinstance(where, dict):
            del where[key]
        elif what == 2 and isinstance(where, dict):
            strange = ("mass", "unknown", "radius", "position", "kind", "digs", "cutting", "motion", "terrain", key)
            where[pick(chance, strange)] = pick(chance, ODD_VALUES)
        elif isinstance(where[key], int | float) and not isinstance(where[key], bool):
            where[key] = where[key] * pick(chance, (0.0, -1.0, 0.5, 2.0, 1e-3, 1e3, 1e9))
        else:
            where[key] = pick(chance, ODD_VALUES)
    try:
        scene = scene_from_dict(data)
        if work_of(scene) > 3e4:
            return
        simulation = wr.Simulation(scene, threads=1)
    except wr.errors.WindrowError:
        return
    for _ in range(3):
        simulation.step()
    finite(simulation)


@cache
def small_scenes() -> list[dict[str, Any]]:
    """Built-in scenes as the files say them."""
    folder = Path(str(resources.files("windrow.scene"))) / "library"
    files = sorted(folder.glob("*.toml"))
    scenes = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    return [scene for scene in scenes if {"particles", "bodies", "terrain"} & scene.keys()]


def leaves(data: Any) -> Any:
    """(container, key) of all that has no parts of its own."""
    pairs = list(data.items() if isinstance(data, dict) else enumerate(data))
    for key, value in pairs:
        if isinstance(value, dict | list) and value:
            yield from leaves(value)
        else:
            yield data, key


def work_of(scene: Any) -> int:
    """Grains that there are at the start, or a tenth of the cells of its ground: what takes long is no failure."""
    cells = 0
    if scene.terrain is not None and scene.terrain.size is not None:
        cells = int(np.prod(scene.terrain.cells()))
    return max(cells // 10, len(scene.assembled().initial_particles()["position"]))


# --- files ---------------------------------------------------------------------------------------------------------


@cache
def written() -> tuple[bytes, bytes, bytes, str]:
    """A snapshot, a recording, a scene file, and the hash of the snapshot."""
    import windrow as wr

    scene = mixed_scene(wr.NDEM())
    with tempfile.TemporaryDirectory() as folder:
        simulation = wr.Simulation(scene, threads=1)
        simulation.run(0.2, record=Path(folder) / "run.h5", frame_rate=20)
        simulation.save(Path(folder) / "now.h5")
        wr.save_scene(scene, Path(folder) / "scene.toml")
        found = [(Path(folder) / name).read_bytes() for name in ("now.h5", "run.h5", "scene.toml")]
    return found[0], found[1], found[2], simulation.hash()


def try_file(chance: Chance) -> None:
    import windrow as wr

    which = int(chance.integers(3))
    content = bytearray(written()[which])
    for _ in range(int(chance.integers(1, 4))):
        at, long = int(chance.integers(len(content))), int(chance.choice([1, 2, 64, 512, 4096]))
        what = int(chance.integers(4))
        if what == 0:
            content[at : at + long] = bytes(min(long, len(content) - at))
        elif what == 1:
            content[at : at + long] = chance.bytes(min(long, len(content) - at))
        elif what == 2:
            content[at] ^= 1 << int(chance.integers(8))
        else:
            del content[at:]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("it.toml" if which == 2 else "it.h5")
        path.write_bytes(content)
        try:
            if which == 0:
                simulation = wr.Simulation.load(path, threads=1)
                if simulation.hash() != written()[3]:
                    raise Broken("an altered snapshot was taken")
            elif which == 1:
                with wr.Recording(path) as recording:
                    for k in range(len(recording)):
                        recording[k]
            else:
                scene = wr.load_scene(path)
                wr.Simulation(scene, threads=1).step()
        except wr.errors.WindrowError:
            pass


# --- messages ------------------------------------------------------------------------------------------------------


def try_messages(chance: Chance) -> None:
    import typing

    import windrow as wr
    from windrow.view import messages
    from windrow.view.live import LiveSource
    from windrow.view.session import Session

    kinds = typing.get_args(messages.Heard)
    session = Session(LiveSource(wr.Simulation(mixed_scene(wr.NDEM()), threads=1)))
    session.start()
    try:
        for _ in range(30):
            kind = pick(chance, kinds)
            said = {name: pick(chance, ODD_VALUES) for name in kind.model_fields if chance.random() < 0.9}
            if chance.random() < 0.9:
                said["type"] = typing.get_args(kind.model_fields["type"].annotation)[0]
            text = json.dumps(said)
            if chance.random() < 0.1:
                text = text[: int(chance.integers(len(text)))]
            try:
                heard = messages.message_from(text)
            except messages.BadMessageError:
                continue
            if isinstance(heard, typing.get_args(messages.Command)):
                session.submit(heard, lambda reason: None)
        session.between_steps(lambda: None)
        if not session.alive:
            raise Broken("the session has died")
    finally:
        session.close()


# --- physics -------------------------------------------------------------------------------------------------------


def try_physics(chance: Chance) -> None:
    from windrow.validate.impacts import POSES, SHAPES, SOLVERS, Impact

    solver = SOLVERS[pick(chance, ("ndem", "ndem", *SOLVERS))]
    if chance.random() < 0.6:
        impact = Impact(
            pick(chance, tuple(SHAPES)), float(10 ** chance.uniform(-2, 4)), float(10 ** chance.uniform(0, 2)),
            pick(chance, tuple(POSES)), float(chance.random()),
        )  # fmt: skip
        gain = impact.gain(solver, steps=12)
        if not gain < 0.1:
            raise Broken(f"{impact} with {solver.name}: gains {gain:.3g} of its energy")
        return
    scene = mixed_scene(hastened(solver), chance)
    check_resets(scene, check_same(scene, int(chance.integers(1, 25))))


# --- ground --------------------------------------------------------------------------------------------------------


def try_ground(chance: Chance) -> None:
    import windrow as wr

    scene = ground_scene(chance)
    if scene is None:
        return
    try:
        one, two = wr.Simulation(scene, threads=1), wr.Simulation(scene, threads=2)
    except wr.errors.WindrowError:
        return
    for _ in range(int(chance.integers(2, 7))):
        what, seed = int(chance.integers(5)), int(chance.integers(1 << 30))
        for simulation in (one, two):
            same = np.random.default_rng(seed)
            for _ in range(int(same.integers(1, 6))):
                simulation.step()
            if what < 3:
                set_heights(simulation, same)
            elif what == 3:
                simulation.reset(simulation.snapshot() if same.random() < 0.7 else None)
        if what == 4:
            two = wr.Simulation.restore(one.snapshot(), threads=2)
    for simulation in (one, two):
        simulation.step()
        finite(simulation)
        if not np.isfinite(simulation.terrain.height).all():
            raise Broken("ground whose heights are not finite")
        if not abs(simulation.ledger["mass_error"]) < 1e-9:
            raise Broken(f"mass_error is {simulation.ledger['mass_error']:.3g}")
    if one.hash() != two.hash():
        raise Broken("one and two threads, or a restart, differ")
    check_resets(scene, one)


def ground_scene(chance: Chance) -> Any:
    """Small ground with grains, a body and a tool; None: refused."""
    import windrow as wr
    from windrow.scene.shapes import Sphere
    from windrow.validate.impacts import SOLVERS

    def odd(value: Any, share: float = 0.03) -> Any:
        return pick(chance, ODD_VALUES) if chance.random() < share else value

    soils = ("dry_sand", "gravel", "loam", "clay", "wet_sand")
    cell = float(pick(chance, (0.1, 0.25, 0.5)))
    nx, ny = (int(n) for n in chance.integers(3, 40, 2))
    heights = {
        0: 0.0,
        1: chance.uniform(-1, 1, (nx, ny)) * 10 ** chance.uniform(-2, 0.5),
        2: {"kind": "hills", "height": odd(2.0), "length": odd(5.0), "octaves": odd(3), "seed": 1},
    }
    layers = [{"soil": pick(chance, soils), "thickness": odd(float(chance.uniform(0.05, 0.8)))}]
    ground: dict[str, Any] = {"layers": [*layers[: int(chance.integers(2))], {"soil": odd(pick(chance, soils))}]}
    ground |= {"depth": odd(2.0), "avalanche": odd(chance.random() < 0.8), "compaction": odd(chance.random() < 0.8)}
    fidelity = pick(chance, ("field", "hybrid", "grains"))
    ground |= {"fidelity": fidelity, "most_grains": odd(2000)}
    if fidelity == "grains":
        ground["grains_box"] = odd(((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
    solver = hastened(SOLVERS[pick(chance, tuple(SOLVERS))])
    scene = wr.Scene(solver=solver)
    scene.add_material("sand", stiffness=1e5, damping=150)
    tool: dict[str, Any] = {"digs": odd(chance.random() < 0.7)}
    if tool["digs"] is True and chance.random() < 0.6:
        corner = chance.uniform(-0.5, 0.5, (4, 3)).tolist()
        tool["cutting"] = odd({"edge": odd(corner[:2]), "top": odd(corner[2:]), "direction": odd((1, 0, 0)),
                               "teeth": odd(2)})  # fmt: skip
    motion = {"kind": "linear", "velocity": tuple((chance.uniform(-3, 3, 3) - (0.0, 0.0, 1.0)).tolist())}
    try:
        position = (odd(0.0), 0.0, odd(0.0))
        size, height = (nx * cell, ny * cell), odd(heights[int(chance.integers(3))])
        scene.add_terrain(size, odd(cell), height, position=position, **ground)
        top = 1.0 + max(0.0, float(np.max(heights[1])))
        down = (0, 0, -float(chance.uniform(0, 20)))
        if chance.random() < 0.6:
            scene.add_block((-0.3, -0.3, top), (0.5, 0.5, 0.3), 0.06, "sand", velocity=down, **laid(solver, 0.06))
        at = (0.0, 0.6, top - float(chance.uniform(0, 1.2)))
        scene.add_box(at, (0.4, 0.1, 0.5), "sand", name="tool", motion=odd(motion), **tool)
        fall = (0, 0, -float(10 ** chance.uniform(-1, 1.5)))
        scene.add_body("rock", "sand", shapes=[Sphere(radius=0.2)], position=(0.6, -0.5, top), velocity=fall)
    except wr.errors.WindrowError:
        return None
    return scene


def set_heights(simulation: Any, chance: Chance) -> None:
    import windrow as wr

    terrain = simulation.terrain
    what = int(chance.integers(4))
    height: Any = float(chance.uniform(-1, 1))
    if what == 1:
        height = pick(chance, ODD_VALUES)
    elif what == 2:
        height = terrain.height + chance.uniform(-0.3, 0.3, terrain.height.shape)
    span = tuple(np.sort(chance.uniform(-3, 3, 2)).tolist()) if what == 3 else None
    if chance.random() < 0.1:
        span = pick(chance, ODD_VALUES)
    try:
        terrain.set_height(height, x=span)
    except wr.errors.WindrowError:
        return


def mixed_scene(solver: Any, chance: Chance | None = None) -> Any:
    """Grains and a few bodies in a box."""
    import windrow as wr
    from windrow.scene.shapes import Box, Sphere

    chance = np.random.default_rng(0) if chance is None else chance
    scene = wr.Scene(solver=solver)
    scene.add_material("sand", stiffness=1e5, damping=150, friction_static=float(chance.uniform(0, 1)))
    scene.add_open_box((-0.4, -0.4, 0), (0.4, 0.4, 1.5), "sand")
    size = (0.7, 0.7, float(chance.uniform(0.1, 0.3)))
    scene.add_block((-0.35, -0.35, 0.05), size, 0.035, "sand", **laid(solver, 0.035, 0.1))
    for k in range(int(chance.integers(1, 4))):
        size = chance.uniform(0.05, 0.2, 3)
        shape = Box(size=tuple(size.tolist())) if chance.random() < 0.6 else Sphere(radius=float(size[0] / 2))
        scene.add_body(
            f"body {k}", "sand", shapes=[shape], position=(0.0, 0.0, 0.6 + 0.25 * k),
            mass=float(10 ** chance.uniform(-1, 2)), velocity=(0, 0, -float(chance.uniform(0, 10))),
            angular_velocity=tuple(chance.uniform(-20, 20, 3).tolist()),
        )  # fmt: skip
    return scene


TRIALS: dict[str, Callable[[Chance], None]] = {
    "scenes": try_scene,
    "files": try_file,
    "messages": try_messages,
    "physics": try_physics,
    "ground": try_ground,
    "joined": try_joined,
    "wet": try_wet,
    "digging": try_digging,
}

if __name__ == "__main__":
    sys.exit(main())
