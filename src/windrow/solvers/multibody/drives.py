"""What drives joints, as numbers of rows: motors, cylinders, and the pumps and levers that they depend on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow.scene.joints import ForceMotor, HydraulicDrive, PositionMotor, VelocityMotor
from windrow.scene.scene import Scene
from windrow.solvers.multibody import rows as kinds
from windrow.solvers.multibody.hydraulics import Hydraulics
from windrow.solvers.multibody.rows import UNBOUNDED, AxialTable


@dataclass
class Axial:
    """A row along a coordinate, as the scene says it."""

    name: str
    """motor, brake, spring, limit, length, cylinder or gear"""
    kind: int
    owner: int
    """the joint of the scene that says it"""
    joint: int
    """whose coordinate it acts along"""
    numbers: list[float]
    control: str = ""
    other: int = -1
    """second joint of a gear"""
    pump: str = ""


def cylinder_row(scene: Scene, j: int, numbers: Any, limits: tuple[float, float] | None) -> Axial:
    """Of a cylinder joint, or of the hydraulic motor of a slider with these stops."""
    pull = numbers.area if numbers.area_pull is None else numbers.area_pull
    if not numbers.shares:
        values = [
            numbers.flow_limit / numbers.area,
            numbers.flow_limit / pull,
            numbers.pressure_limit * numbers.area,
            numbers.pressure_limit * pull,
            numbers.compliance,
            numbers.relaxation,
            min(numbers.max_power, UNBOUNDED),
        ]
        return Axial("cylinder", kinds.HYDRAULIC, j, j, values, numbers.control)
    pump = scene.pumps.get(numbers.pump)
    flow = numbers.flow_limit or (math.inf if pump is None else pump.flow)
    flow_pull = numbers.flow_limit_pull or flow
    relief = numbers.pressure_limit or (math.inf if pump is None else pump.pressure_limit)
    held = numbers.hold_pressure or relief
    low, high = (-UNBOUNDED, UNBOUNDED) if limits is None else limits
    values = [
        flow / numbers.area, flow_pull / pull, relief * numbers.area, relief * pull, held * numbers.area, held * pull,
        numbers.compliance, numbers.relaxation, numbers.cushion, low, high, flow, flow_pull,
        min(numbers.max_power, UNBOUNDED),
    ]  # fmt: skip
    return Axial("cylinder", kinds.PISTON, j, j, values, numbers.control, pump=numbers.pump)


def motor_row(scene: Scene, j: int, motor: Any, limits: tuple[float, float] | None) -> Axial:
    if isinstance(motor, VelocityMotor):
        values = [motor.speed, min(motor.max_force, UNBOUNDED), min(motor.max_power, UNBOUNDED), motor.droop]
        return Axial("motor", kinds.VELOCITY, j, j, values, motor.control)
    if isinstance(motor, PositionMotor):
        values = [
            motor.target,
            motor.reach,
            min(motor.max_speed, UNBOUNDED),
            min(motor.max_force, UNBOUNDED),
            motor.compliance,
            -1.0 if motor.relaxation is None else motor.relaxation,
        ]
        return Axial("motor", kinds.POSITION, j, j, values, motor.control)
    if isinstance(motor, ForceMotor):
        return Axial("motor", kinds.FORCE, j, j, [motor.force], motor.control)
    if isinstance(motor, HydraulicDrive):
        pump = scene.pumps.get(motor.pump)
        flow = motor.flow
        if flow is None:
            flow = 0.0 if pump is None else motor.max_force * abs(motor.speed) / pump.pressure_limit
        brake = motor.max_force if motor.brake_force is None else motor.brake_force
        values = [motor.speed, motor.max_force, brake, flow, motor.droop, min(motor.max_power, UNBOUNDED)]
        return Axial("motor", kinds.ROTARY, j, j, values, motor.control, pump=motor.pump)
    return cylinder_row(scene, j, motor, limits)


def hydraulics_of(scene: Scene, axials: list[Axial], axial: AxialTable, controls: list[str]) -> Hydraulics:
    """Pumps, engines and levers as tables."""
    lever = np.tile([0.0, 1.0, 0.0], (len(controls), 1))
    for c, name in enumerate(controls):
        if name in scene.levers:
            one = scene.levers[name]
            lever[c] = one.dead_band, one.exponent, one.lag
    pumps, engines = list(scene.pumps), list(scene.engines)
    driven = [k for k, a in enumerate(axials) if a.kind in (kinds.PISTON, kinds.ROTARY)]
    return Hydraulics(
        lever=lever,
        valve=np.zeros(len(controls)),
        axial=np.array(driven, np.int64),
        pump=np.array([pumps.index(axials[k].pump) if axials[k].pump else -1 for k in driven], np.int64),
        engine=np.array([engines.index(p.engine) if p.engine else -1 for p in scene.pumps.values()], np.int64),
        flow_limit=np.array([pump.flow for pump in scene.pumps.values()], np.float64),
        power_limit=np.array([e.power * e.efficiency for e in scene.engines.values()], np.float64),
        load=np.zeros(len(driven)),
        speed=np.zeros(len(driven)),
        room=np.zeros(len(driven)),
        wanted=np.zeros(len(pumps)),
        taken=np.zeros(len(engines)),
    )
