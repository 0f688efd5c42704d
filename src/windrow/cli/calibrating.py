"""`windrow calibrate-soil`: which grain numbers give a soil its bulk numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from windrow.cli.console import bar, tell, warnings_told
from windrow.cli.options import Json, Quiet, Threads, check_at_least, check_folder
from windrow.scene.settings import BUILT_IN, DEFAULT, name_of

if TYPE_CHECKING:
    from windrow.scene.calibration import Calibration


def calibrate_soil(
    solver: Annotated[
        str, typer.Option(metavar="NAME", help=f"Solver to calibrate for: {' or '.join(map(name_of, BUILT_IN))}.")
    ] = DEFAULT,
    write: Annotated[
        bool, typer.Option("--write", help="Put the curves into the library; without it they are only shown.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the curves into a .png, .svg or .pdf.")
    ] = None,
    shown: Annotated[
        bool, typer.Option("--show", help="Show the curves of the library; measure nothing.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="One small run for a few points: to see how it works.")
    ] = False,
    threads: Threads = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure poured heaps, beds and cuts, and map bulk numbers of soils to grain numbers (minutes)."""
    from windrow.calibrate.protocol import protocol_for
    from windrow.errors import SceneError
    from windrow.measure.plot_style import check_plot_target
    from windrow.scene.calibration import calibrations

    check_at_least("--threads", threads, 1)
    protocol = protocol_for(solver)
    if write and (quick or shown):
        raise SceneError("--write: curves of --quick or --show are not written; leave one of them out")
    if plot is not None:
        check_folder(plot)
        check_plot_target(plot)
    if shown:
        if solver not in calibrations():
            raise SceneError(f"--show: the library has no curves for {solver}; make them with --write")
        curves = calibrations()[solver]
    else:
        from windrow.calibrate.curves import Done, measured_calibration

        protocol = protocol.quick() if quick else protocol
        silent = quiet or as_json
        with warnings_told(), bar(f"calibrating {solver}", protocol.runs, silent) as done:

            def note(finished: Done) -> None:
                done(finished.number)
                if not silent:
                    tell(f"  {finished.what}")

            curves = measured_calibration(protocol, note, threads)
    if plot is not None:
        from windrow.calibrate.plot import plot_calibration

        plot_calibration(solver, curves, plot)
    if as_json:
        from windrow.calibrate.library import plain_curves

        typer.echo(json.dumps({solver: plain_curves(curves)}, ensure_ascii=False))
    else:
        typer.echo(_text(solver, curves))
    if write:
        from windrow.calibrate.library import write_calibration

        path = write_calibration(solver, curves)
        if not quiet:
            tell(f"wrote {path}")


def _text(solver: str, curves: Calibration) -> str:
    """The curves as tables, and what they make of the soils of the library."""
    import numpy as np

    from windrow.errors import SceneError
    from windrow.scene.grain_numbers import numbers_from
    from windrow.scene.materials import Material
    from windrow.scene.soils import soils

    friction, packing, cohesion = curves.friction, curves.packing, curves.cohesion
    lines = [f"{solver}: {curves.protocol}", "", "friction   angle of a heap   solid fraction of a bed"]
    solid = np.interp(friction.static, packing.static, packing.solid_fraction)
    for static, angle, scatter, share in zip(
        friction.static, friction.angle_deg, friction.scatter_deg, solid, strict=True
    ):
        lines.append(f"{static:8.3g}   {angle:7.2f}° ± {scatter:4.2f}°   {share:.3f}")
    if cohesion is not None:
        lines += ["", "adhesion (Pa)   cohesion (Pa)"]
        for a, c in zip(cohesion.adhesion_pa, cohesion.cohesion_pa, strict=True):
            lines.append(f"{a:13.0f}   {c:13.0f}")
    lines += [
        "",
        "soil        internal friction, cohesion, bulk density   ->  friction, adhesion, grain density",
    ]
    for name, soil in soils().items():
        bulk = (
            f"{soil.internal_friction_deg.value:6.3g}° {soil.cohesion_pa.value:6.5g} Pa "
            f"{soil.bulk_density.value:6.5g} kg/m³"
        )
        try:
            m = numbers_from(Material(soil=name), curves, solver)
            grain = f"{m.friction_static:.3f}  {m.adhesion:6.0f} Pa  {m.density:6.0f} kg/m³"
        except (ValueError, SceneError) as error:
            grain = str(error)
        lines.append(f"{name:<10}  {bulk}  ->  {grain}")
    return "\n".join(lines)
