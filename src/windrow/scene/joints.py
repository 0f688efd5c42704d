"""Joints between rigid bodies, and the motors, springs and cylinders that move them.

Where a joint is, is said once, in the world at the start (`position`, `axis`); or twice, in the frames of
both bodies (`anchors`), and then the bodies are moved together before the first step.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from windrow.fixed_math import dot, norm, unit
from windrow.scene.arrays import (
    Direction,
    Length,
    LengthOrZero,
    NonNegative,
    Number,
    Positive,
    PositiveOrInfinite,
    Switch,
    Vector3,
    plain_number,
)
from windrow.scene.materials import Name
from windrow.scene.part import Part

RIGID = 1e-9
"""Compliance of a joint, m/N or rad/(N m): 5 t bend it by a twentieth of a millimetre."""

Compliance = Annotated[float, BeforeValidator(plain_number), Field(ge=1e-15, le=1e3, allow_inf_nan=False)]
Range = tuple[Number, Number]
ControlName = Annotated[str, Field(max_length=100)]

_CONTROL = "name of the control in −1…1 that it follows; empty: fully on"


class Spring(Part):
    """Pulls a joint's angle, displacement or length to a rest value."""

    stiffness: Positive = Field(description="N/m, or N m/rad")
    damping: NonNegative = Field(default=0.0, description="N·s/m, or N m s/rad")
    rest: Number | None = Field(
        default=None, description="m, or rad, counted as the range is; left out: where it starts"
    )


class Brake(Part):
    """Dry friction in a joint: stops it, and holds it up to a force. Also the friction of a bearing."""

    max_force: Positive = Field(description="N, or N m")
    control: ControlName = Field(
        default="", description="name of the control that applies it, 0…1; empty: always on"
    )


class VelocityMotor(Part):
    """Drives a joint at a speed as long as its force suffices."""

    kind: Literal["velocity"] = "velocity"
    speed: Number = Field(description="at control 1, m/s or rad/s; its negative at −1")
    max_force: PositiveOrInfinite = Field(default=math.inf, description="N, or N m")
    max_power: PositiveOrInfinite = Field(
        default=math.inf, description="W; faster than max_power/max_force it weakens"
    )
    droop: NonNegative = Field(
        default=0.0,
        description="speed lost per force, as by oil that leaks past a hydrostatic drive, m/s per N or rad/s per N m",
    )
    control: ControlName = Field(default="", description=_CONTROL)


class PositionMotor(Part):
    """Drives a joint to an angle, displacement or length as long as its force suffices."""

    kind: Literal["position"] = "position"
    target: Number = Field(default=0.0, description="at control 0, counted as the range is, m or rad")
    reach: Number = Field(default=0.0, description="added to the target at control 1, m or rad")
    max_speed: PositiveOrInfinite = Field(
        default=math.inf, description="the target moves no faster, m/s or rad/s"
    )
    max_force: PositiveOrInfinite = Field(default=math.inf, description="N, or N m")
    compliance: Compliance = Field(default=1e-8, description="m/N, or rad/(N m)")
    relaxation: Positive | None = Field(
        default=None, description="time in which an error is damped out, s; left out: 2 substeps"
    )
    control: ControlName = Field(
        default="", description="name of the control in −1…1 that it follows; empty: at target"
    )


class ForceMotor(Part):
    """Pushes with a force, whatever the joint does."""

    kind: Literal["force"] = "force"
    force: Number = Field(description="at control 1, N or N m; its negative at −1")
    control: ControlName = Field(default="", description=_CONTROL)


class HydraulicDrive(Part):
    """A hydraulic motor that turns a hinge: a swing drive, or that of a track."""

    kind: Literal["hydraulic_drive"] = "hydraulic_drive"
    speed: Number = Field(description="at control 1, rad/s; its negative at −1")
    max_force: Positive = Field(description="at the relief pressure, N m")
    brake_force: Positive | None = Field(
        default=None, description="with which it slows down and holds, N m; left out: max_force. Less: it coasts"
    )
    flow: Positive | None = Field(
        default=None, description="oil at that speed, m³/s; left out: max_force · speed over the pump's pressure limit"
    )
    max_power: PositiveOrInfinite = Field(default=math.inf, description="W, whatever the engine would give")
    droop: NonNegative = Field(default=0.0, description="speed lost per torque, as by leaks, rad/s per N m")
    pump: str = Field(default="", max_length=100, description="name of the pump; empty: one of its own")
    control: ControlName = Field(default="", description=_CONTROL)


class _HydraulicNumbers(Part):
    """What a hydraulic cylinder can do: its pump limits the speed, its relief valve the force."""

    area: Positive = Field(description="of the piston on the pushing side, m²")
    area_pull: Positive | None = Field(
        default=None, description="of the piston on the rod's side, m²; left out: area"
    )
    pump: str = Field(
        default="", max_length=100, description="name of the pump that it shares; empty: one of its own"
    )
    pressure_limit: Positive | None = Field(
        default=None, description="at which the relief valve opens, Pa; left out: that of the pump"
    )
    hold_pressure: Positive | None = Field(
        default=None,
        description="up to which it holds a load, whatever drives it, Pa; left out: pressure_limit",
    )
    flow_limit: Positive | None = Field(
        default=None, description="oil that its valve lets through when it extends, m³/s; left out: the pump's flow"
    )
    flow_limit_pull: Positive | None = Field(
        default=None, description="oil on the rod's side when it is drawn in, m³/s; left out: flow_limit"
    )
    max_power: PositiveOrInfinite = Field(default=math.inf, description="of the pump, W")
    cushion: LengthOrZero = Field(default=0.0, description="way before each stop in which it slows down, m")
    compliance: Compliance = Field(default=1e-8, description="of oil and hoses, m/N")
    relaxation: Positive = Field(
        default=0.1, description="time in which oscillation of the oil is damped out, s"
    )
    control: ControlName = Field(
        default="", description="name of the valve's control in −1…1; empty: closed, it holds"
    )

    @model_validator(mode="after")
    def _rod_is_thinner(self) -> Self:
        if self.area_pull is not None and self.area_pull > self.area:
            raise ValueError(
                f"area_pull {self.area_pull:g} m² exceeds area {self.area:g} m²; the rod takes part of it"
            )
        for field in ("pressure_limit", "flow_limit"):
            if getattr(self, field) is None and not self.pump:
                raise ValueError(f"{field}: is missing; give it, or name a pump that has one")
        if self.hold_pressure is not None and self.hold_pressure < (self.pressure_limit or 0.0):
            raise ValueError(
                f"hold_pressure {self.hold_pressure:g} Pa is below pressure_limit {self.pressure_limit:g} Pa: it could "
                "not hold what it lifts; raise it, or leave it out"
            )
        return self

    @property
    def shares(self) -> bool:
        """Whether it is more than a cylinder with a pump and a relief valve of its own."""
        more = (self.hold_pressure, self.flow_limit_pull)
        return bool(self.pump) or self.cushion > 0.0 or any(value is not None for value in more)


class HydraulicMotor(_HydraulicNumbers):
    """A hydraulic cylinder that drives a slider."""

    kind: Literal["hydraulic"] = "hydraulic"


Motor = Annotated[
    VelocityMotor | PositionMotor | ForceMotor | HydraulicMotor | HydraulicDrive, Field(discriminator="kind")
]


class _Joint(Part):
    name: str = Field(
        default="", max_length=100, description="unique unless empty; shown in reports and errors"
    )
    first: Name = Field(description="name of a body")
    second: str = Field(default="", max_length=100, description="name of another body; empty: the world")
    compliance: Compliance = Field(default=RIGID, description="of the parts that are held, m/N and rad/(N m)")
    relaxation: Positive | None = Field(
        default=None, description="time in which an error is damped out, s; left out: 2 substeps"
    )
    collide: Switch = Field(default=False, description="true: the two bodies touch each other all the same")

    @model_validator(mode="after")
    def _joins_two(self) -> Self:
        if self.first == self.second:
            raise ValueError(f"joins {self.first!r} to itself; first and second must differ")
        return self


class _Placed(_Joint):
    position: Vector3 | None = Field(default=None, description="of the joint in the world at the start, m")
    anchors: tuple[Vector3, Vector3] | None = Field(
        default=None, description="instead: its place in the frames of first and second (or the world), m"
    )

    @model_validator(mode="after")
    def _is_somewhere(self) -> Self:
        if (self.position is None) == (self.anchors is None):
            raise ValueError("give either position (in the world at the start) or anchors (in both bodies)")
        return self


def _ordered(low_high: Range | None, what: str) -> None:
    if low_high is not None and low_high[0] > low_high[1]:
        raise ValueError(
            f"{what}: the limits conflict: {low_high[0]:g} is more than {low_high[1]:g}; exchange them"
        )


class Hinge(_Placed):
    """first turns on second about an axis. The angle is 0 at the start, positive when first turns right-handed."""

    kind: Literal["hinge"] = "hinge"
    axis: Direction = Field(description="in the world at the start; any length")
    range_deg: Range | None = Field(
        default=None, description="least and largest angle, degrees; left out: free"
    )
    motor: Motor | None = Field(default=None, description="what drives it")
    brake: Brake | None = Field(default=None, description="dry friction")
    spring: Spring | None = Field(default=None, description="what turns it back")

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        _ordered(self.range_deg, "range_deg")
        if isinstance(self.motor, HydraulicMotor):
            raise ValueError(
                "motor: a hydraulic motor drives a slider; use a cylinder joint beside the hinge"
            )
        return self


class Slider(_Placed):
    """first slides on second along an axis that first carries. The displacement is 0 at the start."""

    kind: Literal["slider"] = "slider"
    axis: Direction = Field(description="in the world at the start; any length")
    range: Range | None = Field(default=None, description="least and largest displacement, m; left out: free")
    motor: Motor | None = Field(default=None, description="what drives it")
    brake: Brake | None = Field(default=None, description="dry friction")
    spring: Spring | None = Field(default=None, description="what pushes it back")

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        _ordered(self.range, "range")
        if isinstance(self.motor, HydraulicDrive):
            raise ValueError("motor: a hydraulic drive turns a hinge; use a hydraulic motor for a slider")
        return self


class Fixed(_Placed):
    """Holds two bodies together as they start."""

    kind: Literal["fixed"] = "fixed"


class BallJoint(_Placed):
    """Holds a point, turns freely."""

    kind: Literal["ball"] = "ball"
    axis: Direction = Field(
        default=(0.0, 0.0, 1.0), description="middle of the cone, in the world at the start"
    )
    cone_deg: Annotated[float, BeforeValidator(plain_number), Field(gt=0, lt=180)] | None = Field(
        default=None, description="largest angle that the axis of second may lean from that of first, degrees"
    )


class Universal(_Placed):
    """Cardan joint: turns about an axis of first and an axis of second that stay at right angles."""

    kind: Literal["universal"] = "universal"
    axis: Direction = Field(description="fixed in first; in the world at the start")
    second_axis: Direction = Field(description="fixed in second; in the world at the start, at right angles")

    @model_validator(mode="after")
    def _is_a_cross(self) -> Self:
        a, b = self.axis, self.second_axis
        cosine = dot(unit(a), unit(b))
        if abs(cosine) > 1e-6:
            raise ValueError(
                f"axis and second_axis must be at right angles (the cosine between them is {cosine:.3g})"
            )
        return self


class _TwoPoints(_Joint):
    positions: tuple[Vector3, Vector3] | None = Field(
        default=None, description="its ends on first and second, in the world at the start, m"
    )
    anchors: tuple[Vector3, Vector3] | None = Field(
        default=None, description="instead: its ends in the frames of first and second (or the world), m"
    )

    @model_validator(mode="after")
    def _is_somewhere(self) -> Self:
        if (self.positions is None) == (self.anchors is None):
            raise ValueError("give either positions (in the world at the start) or anchors (in both bodies)")
        return self


class Distance(_TwoPoints):
    """A massless rod between two points; with a range a rope or a strut, with a spring a spring."""

    kind: Literal["distance"] = "distance"
    length: LengthOrZero | None = Field(default=None, description="m; left out: as it starts")
    range: tuple[LengthOrZero, Length] | None = Field(
        default=None, description="instead: least and largest length, m; free between"
    )
    spring: Spring | None = Field(default=None, description="instead: a spring along the line")

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        _ordered(self.range, "range")
        if self.length is not None and (self.range is not None or self.spring is not None):
            raise ValueError("length holds the distance; leave it out, or leave range and spring out")
        return self


class CylinderJoint(_TwoPoints, _HydraulicNumbers):
    """A massless hydraulic cylinder between two points. Control 1 extends it at flow_limit/area."""

    kind: Literal["cylinder"] = "cylinder"
    range: tuple[Length, Length] = Field(description="length when drawn in and when extended, m")
    stages: Annotated[int, Field(ge=1, le=8)] = Field(
        default=1, description="rods inside of each other, as of the cylinder of a tipper; areas are their mean"
    )
    compliance: Compliance = Field(default=1e-8, description="of oil and hoses, m/N")
    relaxation: Positive = Field(
        default=0.1, description="time in which oscillation of the oil is damped out, s"
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        _ordered(self.range, "range")
        if self.shares and self.range[1] > (self.stages + 1) * self.range[0]:
            raise ValueError(
                f"range: a cylinder of {self.range[0]:g} m cannot extend to {self.range[1]:g} m in {self.stages} "
                f"stage(s): a rod of {(self.range[1] - self.range[0]) / self.stages:g} m does not fit into it; make it "
                "longer, its stroke shorter, or give it more stages"
            )
        if 2.0 * self.cushion > self.range[1] - self.range[0]:
            raise ValueError(
                f"cushion {self.cushion:g} m at both ends exceeds the stroke of {self.range[1] - self.range[0]:g} m"
            )
        return self


class Track(_Joint):
    """A track: a belt of shoes that a sprocket draws around the frame, and that holds on to the ground.

    It meets grounds and obstacles at footprints along its ground run and up both ramps; rocks and other bodies meet
    the shapes of the frame, which are to end a few centimetres above the shoes.
    """

    kind: Literal["track"] = "track"
    first: Name = Field(description="name of the body that it runs around, the frame")
    second: Name = Field(description="name of the body of its sprocket; a hinge joins it to the frame")
    position: Vector3 = Field(
        description="middle of its ground run, on the lower side of the shoes, in the world at the start, m"
    )
    forward: Direction = Field(default=(1.0, 0.0, 0.0), description="in the world at the start; any length")
    up: Direction = Field(default=(0.0, 0.0, 1.0), description="in the world at the start; any length")
    radius: Length = Field(description="of the belt around the sprocket, m")
    length: Length = Field(description="of the ground run, m")
    width: Length = Field(description="of the shoes, m")
    ramp: tuple[Length, Length] = Field(
        default=(0.4, 0.25), description="length over ground and rise of the belt before and behind the ground run, m"
    )
    footprints: Annotated[int, Field(ge=2, le=100)] = Field(default=10, description="along the ground run")
    stiffness: Positive = Field(default=1e8, description="of the ground under the shoes, Pa per m")
    slip_length: Length = Field(
        default=0.002, description="way in which shoes on hard ground come to their full grip, m"
    )
    relaxation: Positive = Field(default=0.01, description="time in which the shoes' springs are damped out, s")
    belt: list[tuple[Number, Number]] = Field(
        default_factory=list,
        max_length=200,
        description="line around which shoes are drawn: m ahead of `position` and above it, forward on the ground",
    )
    pitch: Length = Field(default=0.19, description="of the shoes that are drawn, m")

    @model_validator(mode="after")
    def _goes_around(self) -> Self:
        line = np.array(self.belt).reshape(-1, 2)
        way = float(norm(np.roll(line, -1, axis=0) - line).sum())
        if self.belt and (len(self.belt) < 3 or way < 8.0 * self.pitch):
            raise ValueError(
                f"belt: {len(self.belt)} points with {way:.3g} m around them are no line for shoes of {self.pitch:g} "
                "m; give three or more points, once around the sprocket, or a smaller pitch"
            )
        return self

    @model_validator(mode="after")
    def _is_upright(self) -> Self:
        if abs(dot(unit(self.forward), unit(self.up))) > 1e-6:
            raise ValueError(f"forward {self.forward} and up {self.up} must be at right angles")
        return self


class Gear(_Joint):
    """Couples two hinges, sliders or cylinders: first + ratio · second stays as it starts."""

    kind: Literal["gear"] = "gear"
    first: Name = Field(description="name of a joint")
    second: Name = Field(description="name of another joint")
    ratio: Number = Field(description="rad/rad, m/rad or rad/m; −1: both turn alike")

    @model_validator(mode="after")
    def _couples(self) -> Self:
        if self.ratio == 0:
            raise ValueError("ratio 0 couples nothing; leave the gear out, or lock first with a fixed joint")
        return self


Joint = Annotated[
    Hinge | Slider | Fixed | BallJoint | Universal | Distance | CylinderJoint | Track | Gear,
    Field(discriminator="kind"),
]
