"""Cylinders and hydraulic drives that share pumps, pumps that share an engine, and levers that open valves.

Each substep:
  levers     dead band, curve and lag: how far the valve of each control is open, u in −1…1
  pumps      each function wants the flow |u| q; where all of a pump want more than it gives, all get the same share
  engine     of what is then wanted, pressure times flow of the functions that drive their load counts, as it was over
             the last tenth of a second (pumps do not swivel faster); where that is more than the engine gives,
             cylinders move slower by the ratio, and drives pull with what their part of the power allows
  rows       of cylinders and drives

A cylinder is a spring, the oil, between the piston and where the pump wants it (`Coordinates.command`). The pump
drives that place ahead until the oil has its relief pressure, and no further. There a check valve closes: a load that
pushes harder than the pump can does not drive the piston back; it holds up to `hold_pressure`, where the valve at the
cylinder itself opens. A pump whose functions are all closed so swivels back, and takes no power.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.fixed_kernels import power
from windrow.geometry.terms import F64, I32, I64
from windrow.kernel import bare_inner
from windrow.solvers.multibody.rows import (
    PISTON,
    UNBOUNDED,
    AxialTable,
    Coordinates,
    Rows,
    copy_coordinate,
    spook,
)

(SPEED_OUT, SPEED_IN, PUSH, PULL, PUSH_HELD, PULL_HELD, COMPLIANCE, RELAXATION, CUSHION, SHORTEST, LONGEST,
 FLOW_OUT, FLOW_IN, POWER) = range(14)  # fmt: skip
"""Numbers of a PISTON: m/s, N that the pump gives and N that it holds, m/N, s, m, m³/s, W."""
SPEED, TORQUE, BRAKE_TORQUE, FLOW, DROOP, OWN_POWER = range(6)
"""Numbers of a ROTARY: rad/s, N m, m³/s, rad/s per N m, W."""
DEAD_BAND, EXPONENT, LAG = range(3)
"""Of a lever."""
SWIVEL = 0.1
"""s in which pumps follow what the functions want"""
CREEP = 0.1
"""Share of its speed that is left to a cylinder at the very end of its cushion."""
CLOSES = 1.0 - 1e-6
"""Share of the pump's force from which on the check valve is closed."""
STANDS = 1e-3
"""Share of its speed below which a piston stands still."""
START = 0.2
"""Share of its speed at which a drive that cannot move yet counts."""


class Hydraulics(NamedTuple):
    """Tables, and what is kept from step to step."""

    lever: F64
    """(controls, 3) dead band, exponent, lag (s)"""
    valve: F64
    """(controls,) how far the valves are open, −1…1. Kept from step to step"""
    axial: I64
    """(n,) the rows along coordinates that are driven by oil"""
    pump: I64
    """(n,) −1: one of its own"""
    engine: I64
    """(pumps,) −1: without limit"""
    flow_limit: F64
    """(pumps,) m³/s"""
    power_limit: F64
    """(engines,) W"""
    load: F64
    """(n,) W that each wants of the engine, a mean. Kept from step to step"""
    speed: F64
    """(n,) m/s or rad/s that each is to have"""
    room: F64
    """(n,) W that a drive may take"""
    wanted: F64
    """(pumps,) m³/s"""
    taken: F64
    """(engines,) W, the sum of loads"""


@bare_inner
def opening(way: float, dead_band: float, exponent: float) -> float:
    """How far a valve opens for a lever at `way`, −1…1."""
    past = (abs(way) - dead_band) / (1.0 - dead_band)
    if past <= 0.0:
        return 0.0
    open_ = past if exponent == 1.0 else min(np.float64(power(past, exponent)), 1.0)
    return open_ if way > 0.0 else -open_


@bare_inner
def move_valves(hydraulics: Hydraulics, controls: F64, h: float) -> None:
    """Valves follow their levers for a substep."""
    for c in range(controls.shape[0]):
        lever = hydraulics.lever[c]
        wanted = opening(controls[c], lever[DEAD_BAND], lever[EXPONENT])
        if lever[LAG] == 0.0:
            hydraulics.valve[c] = wanted
        else:
            hydraulics.valve[c] += (wanted - hydraulics.valve[c]) * (h / (h + lever[LAG]))


@bare_inner
def valve_of(hydraulics: Hydraulics, axial: AxialTable, i: int) -> float:
    """A cylinder without control is closed, a drive fully open."""
    if axial.control[i] >= 0:
        return hydraulics.valve[axial.control[i]]
    return 0.0 if axial.kind[i] == PISTON else 1.0


@bare_inner
def is_closed(number: F64, speed: float, rate: float, force: float) -> bool:
    """Whether the load has the oil at the pump's pressure, or higher, and keeps the piston from moving as wanted."""
    if speed > 0.0:
        return force >= CLOSES * number[PUSH] and rate < STANDS * number[SPEED_OUT]
    return force <= -CLOSES * number[PULL] and rate > -STANDS * number[SPEED_IN]


@bare_inner
def share_pumps(hydraulics: Hydraulics, axial: AxialTable, rows: Rows, coordinates: Coordinates, h: float) -> None:
    """Speeds that all functions are to have, and power that drives may take."""
    n, wanted, taken = hydraulics.axial.shape[0], hydraulics.wanted, hydraulics.taken
    wanted[:] = 0.0
    taken[:] = 0.0
    for k in range(n):
        i, p = hydraulics.axial[k], hydraulics.pump[k]
        u, number = valve_of(hydraulics, axial, i), axial.numbers[i]
        if p >= 0:
            flow = number[FLOW] if axial.kind[i] != PISTON else number[FLOW_OUT if u > 0.0 else FLOW_IN]
            wanted[p] += abs(u) * flow
    for k in range(n):
        i, p = hydraulics.axial[k], hydraulics.pump[k]
        u, number, j = valve_of(hydraulics, axial, i), axial.numbers[i], axial.joint[i]
        if p >= 0 and wanted[p] > hydraulics.flow_limit[p]:
            u *= hydraulics.flow_limit[p] / wanted[p]
        force, rate = rows.impulse[axial.row[i]] / h, coordinates.rate[j]
        if axial.kind[i] == PISTON:
            speed = u * number[SPEED_OUT if u > 0.0 else SPEED_IN]
            load = force * (rate if is_closed(number, speed, rate, force) else speed)
            if load > number[POWER]:
                speed *= number[POWER] / load
                load = number[POWER]
        else:
            speed = u * number[SPEED]
            load = force * rate
            if u != 0.0 and rows.active[axial.row[i]] != 0 and force * speed >= 0.0:
                load = min(number[TORQUE] * max(abs(rate), START * abs(speed)), number[OWN_POWER])
        hydraulics.speed[k] = speed
        hydraulics.load[k] += (max(load, 0.0) - hydraulics.load[k]) * (h / (h + SWIVEL))
        if p >= 0 and hydraulics.engine[p] >= 0:
            taken[hydraulics.engine[p]] += hydraulics.load[k]
    for k in range(n):
        p = hydraulics.pump[k]
        e = hydraulics.engine[p] if p >= 0 else -1
        room = UNBOUNDED
        if e >= 0:
            limit = hydraulics.power_limit[e]
            if taken[e] > limit:
                room = limit * hydraulics.load[k] / taken[e]
                if axial.kind[hydraulics.axial[k]] == PISTON:
                    hydraulics.speed[k] *= limit / taken[e]
            else:
                room = limit - taken[e] + hydraulics.load[k]
        hydraulics.room[k] = room


@bare_inner
def cushioned(speed: float, gap: float, cushion: float) -> float:
    """Speed towards a stop that is `gap` away."""
    return speed if gap >= cushion else speed * max(gap / cushion, CREEP)


@bare_inner
def piston_row(
    number: F64, speed: float, value: float, rate: float, rows: Rows, r: int, command: F64, i: int, h: float
) -> None:
    if number[CUSHION] > 0.0:
        gap = number[LONGEST] - value if speed > 0.0 else value - number[SHORTEST]
        speed = cushioned(speed, gap, number[CUSHION])
    eps, tau = number[COMPLIANCE], number[RELAXATION]
    push, pull = number[PUSH_HELD], number[PULL_HELD]
    if speed != 0.0 and is_closed(number, speed, rate, rows.impulse[r] / h):
        speed = 0.0
    elif speed > 0.0:
        push = number[PUSH]
    elif speed < 0.0:
        pull = number[PULL]
    spook(rows.sigma, rows.rhs, rows.bend, r, value - command[i], rate, speed, eps, tau, h)
    rows.low[r], rows.high[r] = -pull * h, push * h
    # Where a relief valve opens, the command waits: it is ahead by what the oil yields, no more.
    way = min(rate, speed) if speed > 0.0 else max(rate, speed)
    low, high = value - eps * pull, value + eps * push
    command[i] = min(max(command[i] + speed * h, low + min(way, 0.0) * h), high + max(way, 0.0) * h)


@bare_inner
def rotary_row(number: F64, speed: float, room: float, rate: float, rows: Rows, r: int, h: float) -> None:
    torque = number[TORQUE]
    limit = min(room, number[OWN_POWER])
    if abs(rate) * torque > limit:
        torque = limit / abs(rate)
    # What slows it down is the brake's, or oil over its own relief valve; neither takes power.
    slows, stands = number[BRAKE_TORQUE], STANDS * abs(number[SPEED])
    if speed == 0.0:
        torque = slows
    rows.sigma[r] = number[DROOP] / h
    # One that is turned against its lever is first brought to rest.
    rows.rhs[r] = 0.0 if rate * speed < 0.0 and abs(rate) > stands else speed
    rows.low[r] = -(slows if rate > stands else torque) * h
    rows.high[r] = (slows if rate < -stands else torque) * h


@bare_inner
def hydraulic_rows(
    hydraulics: Hydraulics, axial: AxialTable, live: I32, rows: Rows, coordinates: Coordinates, h: float
) -> None:
    """Rows of cylinders and drives; moves commanded lengths by one substep."""
    for k in range(hydraulics.axial.shape[0]):
        i = hydraulics.axial[k]
        r, j, number, speed = axial.row[i], axial.joint[i], axial.numbers[i], hydraulics.speed[k]
        value, rate = coordinates.value[j], coordinates.rate[j]
        if axial.kind[i] == PISTON:
            piston_row(number, speed, value, rate, rows, r, coordinates.command, i, h)
        else:
            rotary_row(number, speed, hydraulics.room[k], rate, rows, r, h)
        copy_coordinate(rows, r, 0, coordinates.J, j, live, 1.0)
