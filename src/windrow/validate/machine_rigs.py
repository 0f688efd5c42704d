"""Machines on the test stand: cylinders that go to a share of their stroke, and what the machine does then."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from windrow.fixed_math import norm, rotate
from windrow.geometry.terms import F64
from windrow.machines.readings import pose_of
from windrow.scene.joints import CylinderJoint, Fixed, Joint, Slider
from windrow.scene.scene import Scene
from windrow.solvers.multibody.stepper import MultibodyStepper

DT = 1 / 60


def on_stand(machine: str | Path, held: tuple[str, ...], weight: bool = True) -> Scene:
    """Without ground, with these bodies held in the air."""
    scene = Scene() if weight else Scene(gravity=(0.0, 0.0, 0.0))
    scene.add_machine(machine)
    scene = scene.assembled()
    for name in held:
        scene.add_joint(Fixed(first=name, position=(0.0, 0.0, 1.0)))
    return scene


def on_plane(machine: str | Path, friction: float = 0.8) -> Scene:
    """On hard, level ground that shoes and tyres hold on to with this friction."""
    scene = Scene()
    scene.add_material("ground", density=2000.0, friction_static=friction)
    scene.add_plane((0, 0, 1), 0.0, "ground")
    scene.add_machine(machine)
    scene = scene.assembled()
    for name, material in scene.materials.items():
        if name.endswith(("track", "tyre")):
            alike = {"friction_static": friction, "friction_kinetic": friction}
            scene.materials[name] = material.model_copy(update=alike)
    return scene


class HeldMachine:
    """A machine whose levers are held for as long as it takes."""

    def __init__(self, scene: Scene) -> None:
        self.bodies = MultibodyStepper(scene)
        self.joints: dict[str, Joint] = {joint.name: joint for joint in scene.joints if joint.name}
        self.unsolved = 0

    def step(self, **controls: float) -> None:
        for name in self.bodies.joints.controls:
            self.bodies.control(name, controls.get(name, 0.0))
        self.unsolved += self.bodies.step(DT).unsolved

    def hold(self, seconds: float, **controls: float) -> None:
        for _ in range(round(seconds / DT)):
            self.step(**controls)

    def stroke(self, name: str) -> float:
        """0 drawn in … 1 extended"""
        joint = self.joints[name]
        assert isinstance(joint, Slider | CylinderJoint)
        assert joint.range is not None
        low, high = joint.range
        return (self.bodies.joint(name).coordinate - low) / (high - low)

    def reach(self, seconds: float = 15.0, **strokes: float) -> None:
        """Moves cylinders to shares of their strokes, and waits until they stand still."""
        for _ in range(round(seconds / DT)):
            error = {name: wanted - self.stroke(name) for name, wanted in strokes.items()}
            self.step(**{name: lever_for(8.0 * e) for name, e in error.items()})
            if max(map(abs, error.values())) < 1e-3:
                break
        self.hold(0.5)

    def place(self, body: str, own: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> F64:
        """Of a point in a body's own frame, m."""
        rotation, position = pose_of(self.bodies, body)
        return np.asarray(position + rotate(rotation, own))

    def tilt(self, body: str) -> float:
        """Angle of its z axis with the vertical, degrees."""
        return math.degrees(math.acos(min(1.0, float(pose_of(self.bodies, body)[0][2, 2]))))

    def heading(self, body: str) -> F64:
        """(2,) unit vector of its x axis over ground."""
        ahead = pose_of(self.bodies, body)[0][:2, 0]
        return np.asarray(ahead / norm(ahead))


def lever_for(wanted: float) -> float:
    """The way of a lever with the usual dead band and curve for so much of its opening."""
    opening = min(abs(wanted), 1.0)
    return math.copysign(0.1 + 0.9 * opening ** (1 / 1.7), wanted) if opening > 1e-4 else 0.0


def stroke_time(scene: Scene, name: str, lever: float, pose: dict[str, float], margin: float = 0.02) -> float:
    """s from one end of a stroke to `margin` of it before the other, from rest, lever fully out."""
    rig = HeldMachine(scene)
    rig.reach(20.0, **pose, **{name: 0.0 if lever > 0 else 1.0})
    for k in range(round(20 / DT)):
        rig.step(**{name: lever})
        if (rig.stroke(name) > 1 - margin) if lever > 0 else (rig.stroke(name) < margin):
            return (k + 1) * DT
    return math.inf
