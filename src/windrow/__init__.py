"""Windrow: real-time simulation of granular matter and the machines that move it.

    import windrow as wr
    sim = wr.Simulation(wr.load_scene("pile"))
    sim.run(seconds=2.0, record="pile.h5", progress=True)

SI units, z up. Importing this is quick: what needs a compiler or a plotting library is loaded when used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow import errors
from windrow.scene import DEM, NDEM, P2, SPH, Fluid, Mixture, Scene, load_scene, save_scene

if TYPE_CHECKING:
    from windrow.detail.entry import detail
    from windrow.record.recording import Recording
    from windrow.sim.simulation import Simulation
    from windrow.urdf.reading import read_urdf
    from windrow.urdf.writing import write_urdf
    from windrow.view.launch import view

__version__ = "0.1.0"
__all__ = [
    "DEM",
    "NDEM",
    "P2",
    "SPH",
    "Fluid",
    "Mixture",
    "Recording",
    "Scene",
    "Simulation",
    "detail",
    "errors",
    "load_scene",
    "read_urdf",
    "save_scene",
    "view",
    "write_urdf",
]

_LATER = {
    "Simulation": "windrow.sim.simulation",
    "Recording": "windrow.record.recording",
    "detail": "windrow.detail.entry",
    "read_urdf": "windrow.urdf.reading",
    "view": "windrow.view.launch",
    "write_urdf": "windrow.urdf.writing",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'windrow' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
