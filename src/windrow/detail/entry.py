"""`windrow.detail`: fine grains on a simulation, a recording or its file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from windrow.detail.coarse import linked_ids
from windrow.detail.detail import STEP, Detail
from windrow.detail.file import DetailFile
from windrow.detail.looks import Looks
from windrow.detail.making import Order, write_detail
from windrow.detail.planning import density_of, plan_of, volume_of
from windrow.detail.regions import region_of
from windrow.record.recording import Recording

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation


def detail(
    run: Simulation | Recording | str | os.PathLike[str],
    grains: int,
    *,
    out: str | os.PathLike[str] | None = None,
    region: Any = None,
    step: float = STEP,
    looks: Looks | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    force: bool = False,
) -> Any:
    """Fine grains on a run of any solver.

    run: a simulation, a recording or the name of its file. grains: so many, about, where the run has most coarse
    ones; for a simulation, now. out: write all frames of a recording to this file, which is then opened and returned;
    without it the grains of the first frame, or of a simulation now, are returned, to `follow` further frames.
    region: only part of it, two corners or the name of a body and a distance, m. step: s, of the fine grains, at
    most. looks: sizes and colours. seed: of where they begin.
    """
    order = Order(int(grains), region_of(region), float(step), looks or Looks(), int(seed))
    if isinstance(run, str | os.PathLike):
        with Recording(run) as recording:
            return _of_recording(recording, order, out, progress, force)
    if isinstance(run, Recording):
        return _of_recording(run, order, out, progress, force)
    from windrow.errors import SceneError

    if out is not None:
        raise SceneError(
            "out: a file is made of a recording; run the simulation with record=…, and give that file"
        )
    frame = run.frame()
    volume, coarse = volume_of(frame, order.region, linked_ids(run.scene))
    return _begun(run.scene, frame, density_of(volume, coarse, order.grains), order)


def _of_recording(
    recording: Recording,
    order: Order,
    out: str | os.PathLike[str] | None,
    progress: Callable[[int], None] | None,
    force: bool,
) -> Detail | DetailFile:
    if out is None:
        plan = plan_of(recording, order.grains, order.region)
        return _begun(recording.scene, recording[0], plan.each, order)
    write_detail(recording, out, order, progress=progress, force=force)
    return DetailFile(out)


def _begun(scene: Any, frame: Any, each: float, order: Order) -> Detail:
    return Detail(
        scene, frame, each, region=order.region, step=order.step, looks=order.looks, seed=order.seed
    )
