"""A picture of calibration curves, and of where the soils of the library lie on them."""

from __future__ import annotations

from pathlib import Path

from windrow.measure.plot_style import BLUE, GREEN, INK, ORANGE, labelled, new_figure, save_figure
from windrow.scene.calibration import Calibration
from windrow.scene.soils import soils


def plot_calibration(solver: str, calibration: Calibration, target: Path) -> None:
    """Angle, solid fraction and cohesion over the grain numbers."""
    columns = 3 if calibration.cohesion is not None else 2
    figure, axes = new_figure(4.2 * columns, 3.6, 1, columns)
    friction, packing = calibration.friction, calibration.packing
    angle, solid = axes[0], axes[1]

    angle.errorbar(
        friction.static, friction.angle_deg, friction.scatter_deg, color=BLUE, marker="o", ms=4, capsize=3
    )
    lowest, highest = friction.angle_deg[0], friction.angle_deg[-1]
    for name, soil in soils().items():
        degrees = soil.internal_friction_deg.value
        if lowest <= degrees <= highest:
            place = calibration.friction_for(degrees)
            angle.plot([place], [degrees], marker="D", ms=5, color=ORANGE, zorder=3)
            angle.annotate(
                name.replace("_", " "),
                (place, degrees),
                (6, -9),
                textcoords="offset points",
                fontsize=8,
                color=INK,
            )
    labelled(angle, f"Poured heaps, {solver}", "friction between grains", "angle of repose (°)")
    angle.set_xlim(left=0)
    angle.set_ylim(bottom=0)

    solid.plot(packing.static, packing.solid_fraction, color=GREEN, marker="o", ms=4)
    labelled(solid, "Poured beds", "friction between grains", "solid fraction")

    if calibration.cohesion is not None:
        cut = calibration.cohesion
        axes[2].plot(cut.adhesion_pa / 1e3, cut.cohesion_pa / 1e3, color=ORANGE, marker="o", ms=4)
        labelled(axes[2], "Vertical cuts", "adhesion between grains (kPa)", "cohesion (kPa)")
        axes[2].set_xlim(left=0)
        axes[2].set_ylim(bottom=0)
    save_figure(figure, target)
