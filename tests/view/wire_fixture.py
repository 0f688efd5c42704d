"""One frame as bytes and as numbers, for the tests of both sides of the wire.

`python tests/view/wire_fixture.py` writes it anew, after a change of the layout.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from windrow.state.frame import Frame
from windrow.view.packing import PackedFrame

FOLDER = Path(__file__).parent / "wire"


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
    )


def known_packed() -> PackedFrame:
    notes = {"step": 75, "real_time_factor": 0.98, "ledger": {"initial": 5}, "word": "Körner"}
    return PackedFrame(known_frame(), sequence=41, generation=3, epoch=2, roster=6, notes=notes)


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
        "notes": known_packed().notes,
    }


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "frame.bin").write_bytes(known_packed().message("speed", with_roster=True))
    text = json.dumps(expectation(), indent=1, ensure_ascii=False)
    (FOLDER / "frame.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
