"""Shapes of obstacles, each in its own frame: centred at the origin, axis along local z, lengths in m."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from windrow.fixed_math import norm
from windrow.scene.arrays import (
    LARGEST_LENGTH,
    ArrayOf,
    Direction,
    FileName,
    FloatArray,
    IntArray,
    Length,
    LengthOrZero,
    Number,
    Size2,
    Size3,
    Switch,
    Vector3,
)
from windrow.scene.part import Part

LARGEST_GRID = 100_000_000
"""Samples in one height field or distance grid."""


class Plane(Part):
    """Keeps grains where normal·x ≥ offset; fills the half space behind."""

    kind: Literal["plane"] = "plane"
    normal: Direction = Field(
        default=(0.0, 0.0, 1.0), description="points to where grains may be; any length"
    )
    offset: Number = Field(
        default=0.0, description="distance of the plane from the origin along the unit normal, m"
    )


class Box(Part):
    """A block, centred at the origin."""

    kind: Literal["box"] = "box"
    size: Size3 = Field(description="full edge lengths along x, y, z, m")


class Sphere(Part):
    """A ball, centred at the origin."""

    kind: Literal["sphere"] = "sphere"
    radius: Length = Field(description="m")


class Cylinder(Part):
    """A cylinder along z, centred at the origin, with flat ends."""

    kind: Literal["cylinder"] = "cylinder"
    radius: Length = Field(description="m")
    height: Length = Field(description="m")


class Capsule(Part):
    """A cylinder along z with half-sphere ends, centred at the origin."""

    kind: Literal["capsule"] = "capsule"
    radius: Length = Field(description="m")
    height: Length = Field(description="of the straight part, m")


class Cone(Part):
    """A cone or frustum along z, base at z = 0."""

    kind: Literal["cone"] = "cone"
    radius: LengthOrZero = Field(description="of the base at z = 0, m")
    height: Length = Field(description="z of the top, m")
    radius_top: LengthOrZero = Field(default=0.0, description="of the top at z = height, m")

    @model_validator(mode="after")
    def _has_width(self) -> Self:
        if max(self.radius, self.radius_top) <= 1e-9:
            raise ValueError("radius and radius_top are both 0; a cone needs one of them")
        return self


class HeightField(Part):
    """Ground given by heights on a regular grid, centred in x and y; solid below."""

    kind: Literal["height_field"] = "height_field"
    size: Size2 = Field(description="full extent along x and y, m")
    heights: Annotated[
        FloatArray,
        ArrayOf(((None, None),), minimum=-LARGEST_LENGTH, maximum=LARGEST_LENGTH, shortest=2),
    ] = Field(description="height at [ix, iy], first sample at the lower corner, m")

    @model_validator(mode="after")
    def _not_too_fine(self) -> Self:
        _refuse_large_grid(self.heights.shape)
        return self


class Mesh(Part):
    """Triangles, from a file or given; closed ones are solid, open ones are thin sheets."""

    kind: Literal["mesh"] = "mesh"
    file: FileName | None = Field(
        default=None, description="OBJ, STL, PLY, GLB or OFF file, relative to the scene file's folder"
    )
    scale: Length = Field(default=1.0, description="factor on the file's coordinates, to metres")
    vertices: (
        Annotated[
            FloatArray, ArrayOf(((None, 3),), minimum=-LARGEST_LENGTH, maximum=LARGEST_LENGTH, shortest=3)
        ]
        | None
    ) = Field(default=None, description="corners (n, 3), m")
    faces: (
        Annotated[IntArray, ArrayOf(((None, 3),), kind="int", minimum=0, maximum=2**31 - 1, shortest=1)]
        | None
    ) = Field(default=None, description="three corner numbers per triangle, counted from 0")
    distance: Literal["mesh", "grid"] = Field(
        default="mesh",
        description="what grains are held against: 'mesh', the triangles; 'grid', distances to them, sampled once and "
        "kept on disk: as fast with a million triangles, edges rounded over a spacing; closed meshes of obstacles only",
    )
    spacing: Length | None = Field(
        default=None, description="of that grid, m; none: 1/64 of the longest edge of the box around the mesh"
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if self.spacing is not None and self.distance == "mesh":
            raise ValueError('spacing is that of a grid; say distance = "grid", or leave it out')
        given = self.vertices is not None and self.faces is not None
        if (self.vertices is None) != (self.faces is None):
            raise ValueError("vertices and faces belong together; give both, or a file")
        if given == (self.file is not None):
            raise ValueError("give either file, or vertices and faces")
        if self.vertices is not None and self.faces is not None and self.faces.max() >= len(self.vertices):
            raise ValueError(
                f"faces name corner {self.faces.max()}, but there are only {len(self.vertices)} vertices "
                "(the first is 0)"
            )
        return self


class Revolution(Part):
    """A shell made by turning a line of (r, z) points around z: tube, funnel, hopper, hourglass, drum."""

    kind: Literal["revolution"] = "revolution"
    profile: Annotated[
        FloatArray, ArrayOf(((None, 2),), minimum=-LARGEST_LENGTH, maximum=LARGEST_LENGTH, shortest=2)
    ] = Field(description="points (r, z) of the line, r ≥ 0, m")
    closed: Switch = Field(default=False, description="join the last point to the first")
    thickness: LengthOrZero = Field(default=0.0, description="of the shell, half to each side of the line, m")

    @model_validator(mode="after")
    def _is_a_line(self) -> Self:
        if self.profile[:, 0].min() < 0:
            raise ValueError(f"profile: r must not be negative (got {self.profile[:, 0].min():g})")
        if norm(np.diff(self.profile, axis=0)).min() <= 1e-9:
            raise ValueError("profile: two neighbouring points coincide; leave one of them out")
        if self.profile[:, 0].max() <= 1e-9:
            raise ValueError("profile: every point lies on the axis; give radii above 0")
        return self


class DistanceGrid(Part):
    """Signed distance sampled on a regular grid, negative inside the solid, linear between the samples."""

    kind: Literal["distance_grid"] = "distance_grid"
    lower: Vector3 = Field(description="first sample, m")
    spacing: Length = Field(description="distance of neighbouring samples, m")
    values: Annotated[FloatArray, ArrayOf(((None, None, None),), shortest=2)] = Field(
        description="signed distance at [ix, iy, iz], m"
    )

    @model_validator(mode="after")
    def _not_too_fine(self) -> Self:
        _refuse_large_grid(self.values.shape)
        return self


def _refuse_large_grid(shape: tuple[int, ...]) -> None:
    samples = int(np.prod(shape, dtype=np.float64))
    if samples > LARGEST_GRID:
        raise ValueError(f"{samples} samples are more than {LARGEST_GRID}; use a coarser grid")


Shape = Annotated[
    Plane | Box | Sphere | Cylinder | Capsule | Cone | HeightField | Mesh | Revolution | DistanceGrid,
    Field(discriminator="kind"),
]

Region = Annotated[Box | Sphere | Cylinder, Field(discriminator="kind")]
"""A volume in which emitters make grains and sinks take them."""
