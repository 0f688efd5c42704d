"""URDF files for the tests: an arm with what URDF can say."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from windrow.geometry.terms import F64
from windrow.scene import MachineDescription, Scene
from windrow.solvers.multibody.stepper import MultibodyStepper

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <!-- a comment -->
  <link name="world"/>
  <link name="base">
    <inertial><origin xyz="0 0 0.1" rpy="0.3 0 0"/><mass value="10"/>
      <inertia ixx="0.3" ixy="0.01" ixz="0" iyy="0.2" iyz="0.02" izz="0.15"/></inertial>
    <collision><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0.25 0 0"/><mass value="3"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.08" iyz="0" izz="0.08"/></inertial>
    <visual><origin xyz="0.25 0 0"/><geometry><box size="9 9 9"/></geometry></visual>
    <collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.05 0.05"/></geometry></collision>
  </link>
  <link name="slide">
    <inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <visual><geometry><sphere radius="0.05"/></geometry></visual>
  </link>
  <link name="finger">
    <inertial><mass value="0.2"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial>
  </link>
  <link name="tool0"/>
  <joint name="mount" type="fixed"><parent link="world"/><child link="base"/><origin xyz="1 2 0" rpy="0 0 0.5"/></joint>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.3" rpy="0 0.2 0"/><axis xyz="0 1 0"/>
    <limit lower="0.5" upper="1.5" effort="80" velocity="2"/><dynamics damping="0.7" friction="0.3"/></joint>
  <joint name="rail" type="prismatic"><parent link="upper"/><child link="slide"/>
    <origin xyz="0.5 0 0"/><axis xyz="2 0 0"/><limit lower="-0.1" upper="0.2" effort="0" velocity="0"/></joint>
  <joint name="roll" type="continuous"><parent link="slide"/><child link="finger"/>
    <origin xyz="0.1 0 0"/><axis xyz="1 0 0"/><mimic joint="rail" multiplier="4" offset="0.1"/></joint>
  <joint name="tip" type="fixed"><parent link="finger"/><child link="tool0"/><origin xyz="0.02 0 0"/></joint>
</robot>
"""


def written(folder: Path, text: str = ARM, name: str = "robot.urdf") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def stepper_of(machine: MachineDescription) -> MultibodyStepper:
    return MultibodyStepper(Scene(materials=machine.materials, bodies=machine.bodies, joints=machine.joints))


def in_the_world(stepper: MultibodyStepper) -> dict[str, tuple[float, F64, F64]]:
    """Mass, centre of mass and inertia of each body by name, along the axes of the world."""
    table, motion = stepper.bodies.table, stepper.motion
    return {
        name: (
            float(stepper.bodies.mass[b]),
            motion.x[b].copy(),
            np.asarray(motion.R[b] @ table.inertia[b] @ motion.R[b].T),
        )
        for b, name in enumerate(stepper.bodies.names)
    }


def joint_places(stepper: MultibodyStepper) -> dict[str, tuple[F64, F64]]:
    """Place and axis of each joint by name, in the world; the axis as seen from its first body."""
    found = {}
    for j, name in enumerate(stepper.joints.names):
        b = int(stepper.joints.table.body[j, 0])
        R = stepper.motion.R[b]
        place = stepper.motion.x[b] + R @ stepper.joints.table.anchor[j, 0]
        found[name] = (place, R @ stepper.joints.table.frame[j, 0, 0])
    return found
