"""What goes over the wire, as bytes and as numbers, for the tests of both sides of it: a frame, a scene with its
geometry, and what pages may and may not say.

`python tests/view/wire_fixture.py` writes all of it anew, after a change of the layout.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from windrow.scene.scene import Scene
from windrow.scene.settings import P2
from windrow.scene.task import Task, Zone
from windrow.sim.simulation import Simulation
from windrow.state.frame import Frame
from windrow.terrain.layers import TILE
from windrow.terrain.patches import Patches
from windrow.view.description import Description, description_of
from windrow.view.packing import QUANTITIES, PackedFrame, body_rows, moment_of, written
from windrow.view.rows import Roster, grain_rows

FOLDER = Path(__file__).parent / "wire"
CART = Path(__file__).parent / "cart.toml"


def known_frame() -> Frame:
    """Five grains of two materials, one of them lost to NaN, and two bodies."""
    turned = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return Frame(
        time=1.25,
        step=75,
        id=np.array([0, 2, 3, 7, 4294967301], np.int64),
        position=np.array(
            [[-1.0, 0.0, 0.5], [1.0, 2.0, 0.25], [0.0, 1.0, 1.0], [np.nan, 0.0, 0.5], [0.5, 0.5, 0.0]],
            np.float32,
        ),
        velocity=np.array([[0, 0, 0], [3, 4, 0], [0, 0, -2.5], [np.nan, 0, 0], [1, 0, 0]], np.float32),
        radius=np.array([0.05, 0.1, 0.075, 0.1, 0.025], np.float32),
        mass=np.ones(5, np.float32),
        material=np.array([0, 1, 1, 0, 0], np.int32),
        force=np.array([[0, 0, 9.81], [0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 19.62]], np.float32),
        body_names=["floor", "blade"],
        body_position=np.array([[0.0, 0.0, 0.0], [1.5, -0.5, 0.25]]),
        body_rotation=np.array([np.eye(3), turned]),
        body_force=np.array([[0.0, 0.0, -120.0], [30.0, 0.0, 4.0]]),
        body_torque=np.array([[0.0, 0.0, 0.0], [0.0, 1.5, 0.0]]),
        material_names=["sand", "clay"],
        ground=Patches(
            np.array([[3, 1]], np.int32),
            np.linspace(-1.0, 2.0, TILE * TILE, dtype=np.float32).reshape(1, TILE, TILE),
            (np.arange(TILE * TILE) % 3).astype(np.uint8).reshape(1, TILE, TILE),
            np.array([6]),
        ),
    )


KNOWN_NOTES = {
    "step": 75,
    "real_time_factor": 0.98,
    "ledger": {"initial": 5},
    "controls": {"throttle": 0.5, "tilt": -1.0},
    "stamp": 17,
    "tool": {"force": [1.0, 2.0, 3.0], "parts": {"grains": [1.0, 2.0, 3.0]}, "fill": 0.25, "rated": 3.0},
    "word": "Körner",
}


def packed(frame: Frame, notes: dict[str, Any], roster: Roster | None = None) -> PackedFrame:
    """A frame of a made-up session."""
    moment = moment_of(frame, QUANTITIES, known_scene())
    listed = Roster() if roster is None else roster
    if roster is None:
        listed.number = 5
    return PackedFrame(
        sequence=41,
        generation=3,
        epoch=2,
        time=frame.time,
        grains=grain_rows(moment.grains, listed),
        bodies=body_rows(moment.bodies),
        notes=written(notes),
        ground=moment.ground,
    )


def known_packed() -> PackedFrame:
    return packed(known_frame(), KNOWN_NOTES)


def known_scene() -> Scene:
    """A cart before two bricks and a rock of balls, with a task."""
    scene = Scene(title="known", solver=P2())
    scene.add_material("sand", soil="dry_sand")
    scene.add_material("rock", density=2600.0, color=(0.5, 0.4, 0.3))
    scene.add_plane((0, 0, 1), 0.0, "sand", name="ground")
    scene.add_terrain(size=(20.0, 10.0), cell=0.25, height=lambda x, y: 0.1 * x, soil="loam", position=(0, 0, -9))
    for k in range(2):
        scene.add_body(
            f"brick {k}", "rock", shapes=[{"kind": "box", "size": (0.4, 0.2, 0.2)}], position=(8.0, k, 0.1)
        )
    balls = {"kind": "spheres", "centers": [[0, 0, 0], [0.25, 0, 0]], "radii": [0.25, 0.125]}
    scene.add_body("rock", "rock", shapes=[balls], position=(9.0, 0.0, 0.25))
    scene.add_machine(CART)
    scene.task = Task(
        title="Clear up",
        text="Bring the rocks behind the line",
        target=100.0,
        source=Zone(lower=(7, -2, 0), upper=(10, 2, 2)),
        destination=Zone(lower=(-10, -2, 0), upper=(-5, 2, 2)),
        time_limit=600.0,
    )
    return scene


def known_description() -> Description:
    simulation = Simulation(known_scene(), threads=1)
    return description_of(simulation.scene, simulation.frame(), 7, "live", simulation.controls)


GOOD_MESSAGES: list[dict[str, Any]] = [
    {"type": "ack", "sequence": 4294967295},
    {"type": "color", "quantity": "force"},
    {"type": "operate"},
    {"type": "pause"},
    {"type": "resume"},
    {"type": "reset"},
    {"type": "save"},
    {"type": "step", "count": -1},
    {"type": "time_scale", "value": 0.5},
    {"type": "scene", "name": "pile"},
    {"type": "restore", "number": 3},
    {"type": "seek", "time": 1.25},
    {"type": "control", "values": {"throttle": 0.5, "steer": -1}, "stamp": 12},
    {"type": "control", "values": {}},
    {"type": "parameter", "path": "gravity.z", "value": -1.62},
    {"type": "parameter", "path": "solver.substeps", "value": 4},
    {"type": "parameter", "path": "solver.mass_splitting", "value": True},
    {"type": "parameter", "path": "solver.method", "value": "jacobi"},
    {"type": "task", "action": "start"},
    {"type": "task", "action": "stop"},
]
BAD_MESSAGES: list[Any] = [
    None,
    [],
    {},
    {"type": "explode"},
    {"type": "pause", "more": 1},
    {"type": ["pause"]},
    {"type": "ack", "sequence": -1},
    {"type": "ack", "sequence": 4294967296},
    {"type": "step", "count": 101},
    {"type": "time_scale", "value": 0},
    {"type": "scene", "name": "x" * 201},
    {"type": "color", "quantity": "no name"},
    {"type": "control", "values": {"throttle": 1.5}},
    {"type": "control", "values": {"throttle": "full"}},
    {"type": "control", "values": {"": 1}},
    {"type": "control", "values": {f"lever {k}": 0 for k in range(65)}},
    {"type": "control", "values": {"throttle": 0}, "stamp": -1},
    {"type": "parameter", "path": "gravity.z"},
    {"type": "parameter", "path": "gravity.z", "value": [1, 2]},
    {"type": "parameter", "path": "x" * 301, "value": 1},
    {"type": "task", "action": "win"},
]


def expectation() -> dict[str, Any]:
    """What a reader must find, from the frame itself and not from its bytes."""
    frame = known_frame()
    position = frame.position.copy()
    position[3] = [-1.0, 0.0, 0.5]  # not finite: the lower side of the box
    return {
        "sequence": 41,
        "generation": 3,
        "epoch": 2,
        "time": frame.time,
        "position": position.ravel().tolist(),
        "speed": [0.0, 5.0, 2.5, 0.0, 1.0],
        "box": [2.0, 2.0, 1.0],
        "id": [0, 2, 3, 7, 5],
        "radius": frame.radius.tolist(),
        "material": frame.material.tolist(),
        "body_position": frame.body_position.ravel().tolist(),
        "body_quaternion": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5**0.5, 0.5**0.5],
        "body_force": frame.body_force.ravel().tolist(),
        "notes": KNOWN_NOTES,
    }


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "frame.bin").write_bytes(known_packed().message("speed", with_roster=True))
    described = known_description()
    (FOLDER / "geometry.bin").write_bytes(described.geometry)
    _write("scene.json", json.loads(described.text))
    _write("frame.json", expectation())
    _write("messages.json", {"good": GOOD_MESSAGES, "bad": BAD_MESSAGES})


def _write(name: str, content: Any) -> None:
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (FOLDER / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
