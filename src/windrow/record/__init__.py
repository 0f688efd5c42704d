"""Files: recordings of a run (`Recorder`, `Recording`) and exact snapshots to continue from
(`save_snapshot`).

The names load on first use, because h5py is slow to import and most sessions need only one of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windrow.record.checkpoint import checkpoint_path, load_snapshot, save_snapshot
    from windrow.record.recorder import Recorder
    from windrow.record.recording import Recording

__all__ = ["Recorder", "Recording", "checkpoint_path", "load_snapshot", "save_snapshot"]

_HOME = {
    "Recorder": "recorder",
    "Recording": "recording",
    "checkpoint_path": "checkpoint",
    "load_snapshot": "checkpoint",
    "save_snapshot": "checkpoint",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
