"""What a run came to: one JSON object for scripts, a few lines for people."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windrow.sim.run import RunSummary
    from windrow.sim.simulation import Simulation


def result_of(
    simulation: Simulation,
    summary: RunSummary,
    subject: str,
    record: Path | None,
    wall: float,
    warnings: list[str],
) -> dict[str, Any]:
    """The numbers of a finished or stopped run, plain enough for JSON.

    `wall` is all the time from the first step on, s, compiling and writing included; the real-time factor
    counts the steps alone. Contacts are pairs of grains that touch; overlaps are over the smaller radius, those at the
    end and, where the solver watches it, the deepest of the whole run.
    """
    from windrow.measure.heap import kinetic_energy
    from windrow.measure.overlap import contacts

    frame = simulation.frame()
    touching = contacts(frame.position, frame.radius)
    ledger = dict(summary.ledger)
    ledger["present"] = summary.particles
    ledger["missing"] = simulation.state.ledger.expected - summary.particles
    result = {
        "scene": subject,
        "time": simulation.time,
        "simulated": summary.simulated,
        "wall_time": wall,
        "step_wall_time": summary.wall,
        "real_time_factor": summary.real_time_factor,
        "steps": summary.steps,
        "threads": simulation.threads,
        "particles": summary.particles,
        "contacts": len(touching),
        "mean_overlap": touching.mean_relative,
        "max_overlap": touching.max_relative,
        "peak_overlap": summary.overlap_peak,
        "kinetic_energy": kinetic_energy(frame),
        "ledger": ledger,
        "frozen": summary.frozen,
        "frozen_bodies": summary.frozen_bodies,
        "state_hash": simulation.hash(),
        "recording": None if record is None else str(record),
        "frames": summary.frames,
        "interrupted": summary.interrupted,
        "warnings": warnings,
    }
    return {name: _plain(value) for name, value in result.items()}


def _plain(value: Any) -> Any:
    """A number that JSON knows: infinite and undefined ones become null."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value


def result_text(result: dict[str, Any]) -> str:
    """The same for people."""
    ledger = result["ledger"]
    lines = [
        f"{result['scene']}: {result['simulated']:.4g} s of {result['particles']:,} grains in "
        f"{result['wall_time']:.3g} s, {result['real_time_factor']:.3g} × real time",
        f"{result['contacts']:,} contacts, overlap over radius {_percent(result['mean_overlap'])} mean, "
        f"{_percent(result['max_overlap'])} most{_peak(result['peak_overlap'])}; "
        f"kinetic energy {_number(result['kinetic_energy'])} J",
        f"grains: {ledger['initial']:,} at the start + {ledger['emitted']:,} emitted {_dug(ledger)}"
        f"− {ledger['sunk']:,} sunk − {ledger['left_domain']:,} left the domain = {ledger['present']:,}",
    ]
    if ledger["ground_mass"]:
        lines.append(
            f"mass: ground {ledger['ground_mass']:,.1f} + grains {ledger['grain_mass']:,.1f} + held "
            f"{ledger['held_mass']:,.1f} + left {ledger['left_mass']:,.1f} − added {ledger['added_mass']:,.1f} kg, "
            f"off by {ledger['mass_error']:.1e}"
        )
    if ledger["missing"]:
        lines.append(f"{ledger['missing']:,} grains are missing from this sum")
    if result["recording"] is not None:
        lines.append(f"recording {result['recording']}: look at it with `windrow plot` and `windrow render`")
    return "\n".join(lines)


def _peak(share: float | None) -> str:
    return "" if share is None else f", {_percent(share)} at its peak"


def _dug(ledger: dict[str, Any]) -> str:
    """What came of ground and became ground again, in scenes where any did."""
    return f"+ {ledger['dug']:,} of ground − {ledger['returned']:,} turned back " if ledger.get("dug") else ""


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2g} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
