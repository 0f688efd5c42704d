"""The form of what the bodies carry from step to step; see `windrow.state.form`.

Bodies have no guard: one whose numbers are not finite is beyond repair, and its snapshot is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from windrow.solvers.multibody.carried import form_of
from windrow.solvers.multibody.holding import FARTHEST
from windrow.state.form import Array, Form, bad_snapshot, checked
from windrow.state.state import FASTEST

if TYPE_CHECKING:
    from windrow.solvers.multibody.stepper import MultibodyStepper

F, I = np.float64, np.int64
FORM = {
    "time": Array(F, (), low=0),
    "x": Array(F, ("rows", 3), low=-FARTHEST, below=FARTHEST),
    "q": Array(F, ("rows", 4), unit=True),
    "V": Array(F, ("rows", 6), low=-FASTEST, below=FASTEST),
    "coordinate": Array(F, ("joints",)),
    "command": Array(F, ("drives",)),
    "impulse": Array(F, ("joint rows",)),
    "active": Array(I, ("joint rows",), low=-1, below=2),
    "controls": Array(F, ("controls",), low=-1.0, below=1.0 + 1e-9),
    "outer": Array(F, ("rows", 6), low=-1e15, below=1e15),
    "held": Array(np.uint8, ("bodies",), below=2),
    "contact_keys": Array(I, ("contacts",), low=0),
    "contact_place": Array(F, ("contacts", 3)),
    "contact_impulse": Array(F, ("contacts", 3)),
    "contact_twist": Array(F, ("contacts", 3)),
    "merge_owner": Array(I, ("things",), low=0, below="rows"),
    "merge_offset": Array(F, ("things", 3)),
    "merge_turn": Array(F, ("things", 4), unit=True),
    "merge_load": Array(F, ("bodies",)),
    "merge_rest": Array(F, ("rows",)),
    "merge_waited": Array(I, (), low=0),
    "merge_group_inverse_mass": Array(F, ("groups",), low=0),
    "merge_group_inertia": Array(F, ("groups", 3, 3)),
    "merge_group_inverse_inertia": Array(F, ("groups", 3, 3)),
    "merge_stored_real": Array(np.int32, ("stored", 2), low=0, below="things"),
    "merge_stored_key": Array(I, ("stored",), low=0),
    "merge_stored_place": Array(F, ("stored", 3)),
    "merge_stored_impulse": Array(F, ("stored", 3)),
    "merge_stored_twist": Array(F, ("stored", 3)),
    "merge_stored_apart": Array(F, ("stored", 3)),
}
"""What `MultibodyStepper.memory` gives."""
READINGS = {
    "reading_span": Array(F, (), low=0),
    "reading_rate": Array(F, ("joints",)),
    "reading_total": Array(F, ("joint rows",)),
    "reading_J": Array(F, ("joint rows", "columns")),
    "reading_work": Array(F, ("joint rows",)),
    "reading_contact_real": Array(np.int32, ("touches", 2), low=0, below="things"),
    "reading_contact_point": Array(F, ("touches", 3)),
    "reading_contact_normal": Array(F, ("touches", 3)),
    "reading_contact_total": Array(F, ("touches", 3)),
}
"""What `MultibodyStepper.readings` gives."""


def check(stepper: MultibodyStepper, memory: dict[str, NDArray[Any]], more: Form) -> None:
    """Raises FileFormatError unless the bodies can go on from this. more: what others keep beside it."""
    bodies, joints = stepper.bodies, stepper.joints
    sizes = {
        "rows": bodies.rows,
        "things": bodies.things,
        "bodies": bodies.count,
        "groups": bodies.rows - bodies.things - 1,
        "joints": len(joints.coordinates.value),
        "drives": len(joints.coordinates.command),
        "joint rows": len(joints.rows.impulse),
        "columns": joints.rows.J.shape[1],
        "controls": len(stepper.controls),
        "oil drives": len(joints.hydraulics.load),
        "footprints": len(joints.tracks.load),
    }
    checked("bodies", memory, {**FORM, **form_of(joints), **READINGS, **more}, sizes)
    # only what acts along a joint has bounds
    bounded = np.zeros(len(joints.rows.impulse), np.bool_)
    bounded[joints.axial.row] = True
    if memory["active"][~bounded].any():
        raise bad_snapshot("bodies", "active", "has rows at a bound that have none")
    # only loose bodies are ever joined, with the world or as a group
    may = np.zeros(bodies.things, np.bool_)
    may[: bodies.count] = stepper.holding.may_join & (memory["held"] == 0)
    owner = memory["merge_owner"]
    if not ((owner == np.arange(bodies.things)) | (may & (owner >= bodies.things))).all():
        raise bad_snapshot("bodies", "merge_owner", "joins what cannot be joined")
