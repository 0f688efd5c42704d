"""Rigid bodies: what they are made of, where they start and how they move then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from windrow.scene.arrays import (
    LARGEST_LENGTH,
    ArrayOf,
    Density,
    FloatArray,
    Fraction,
    LengthOrZero,
    NonNegative,
    Positions,
    Positive,
    Switch,
    Vector3,
    plain_number,
)
from windrow.scene.materials import Name
from windrow.scene.part import Part
from windrow.scene.shapes import Box, Capsule, Cone, Cylinder, Mesh, Sphere


def _weight(value: Any) -> float:
    number = float(plain_number(value))
    if not 1e-9 <= number <= 1e12:
        raise PydanticCustomError(
            "body_mass",
            "must lie between 1e-9 and 1e12 kg; a body that nothing moves says fixed = true instead",
        )
    return number


BodyMass = Annotated[float, BeforeValidator(_weight)]


class Spheres(Part):
    """Overlapping or separate balls that move as one: a rock, a bucket's lining, any rough shape."""

    kind: Literal["spheres"] = "spheres"
    centers: Annotated[Positions, Field(description="(n, 3), m")]
    radii: Annotated[
        float | FloatArray, ArrayOf(((), (None,)), minimum=1e-6, maximum=LARGEST_LENGTH, shortest=1)
    ] = Field(description="one for all, or (n,), m")

    @model_validator(mode="after")
    def _one_radius_per_center(self) -> Self:
        if len(self.centers) == 0:
            raise ValueError("centers is empty; give at least one ball")
        if isinstance(self.radii, np.ndarray) and len(self.radii) != len(self.centers):
            raise ValueError(
                f"{len(self.centers)} centers but {len(self.radii)} radii; give one for each, or one number"
            )
        return self


def _piece_count(value: Any) -> Any:
    """ "hull", true, or a whole number of pieces."""
    if value == "hull" or value is True:
        return value
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= 128:
        raise PydanticCustomError(
            "convex_pieces", "must be 'hull', true, or the largest number of pieces, 1 to 128"
        )
    return int(value)


ConvexPieces = Annotated[bool | int | Literal["hull"], BeforeValidator(_piece_count)]

PieceShape = Annotated[Box | Sphere | Cylinder | Capsule | Cone | Mesh | Spheres, Field(discriminator="kind")]


class Piece(Part):
    """One shape of a body, placed in the body's own frame.

    A mesh gives its mass by its enclosed volume. It meets grains as it is, and other bodies by its convex hull, or
    by convex pieces where it is hollow.
    """

    shape: PieceShape = Field(description="what it looks like, in its own frame")
    position: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the shape's origin in the body's frame, m"
    )
    rotation_deg: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the shape in the body's frame, rotation vector, degrees"
    )
    density: Density | None = Field(default=None, description="kg/m³; left out: the body's")
    massless: Switch = Field(default=False, description="true: it touches, but weighs nothing")
    touches: Switch = Field(default=True, description="false: it is only seen, and neither touches nor weighs anything")
    seen: Switch = Field(default=True, description="false: it is not drawn")
    paint: Name | None = Field(
        default=None, description="name of a material in whose colour it is drawn; left out: the body's"
    )
    convex_pieces: ConvexPieces = Field(
        default="hull",
        description="what a mesh meets other bodies with: 'hull', or convex pieces of it, as many as it needs (true) "
        "or so many at most (a number)",
    )

    @property
    def weighs(self) -> bool:
        return self.touches and not self.massless

    @model_validator(mode="after")
    def _only_meshes_are_cut(self) -> Self:
        if self.convex_pieces != "hull" and not isinstance(self.shape, Mesh):
            raise ValueError(f"convex_pieces cuts meshes only; leave it out for a {self.shape.kind}")
        if isinstance(self.shape, Mesh) and self.shape.distance == "grid":
            raise ValueError('distance = "grid" is for obstacles; leave it out: bodies meet grains by their triangles')
        return self


class Body(Part):
    """A rigid body. Without shapes it needs mass and inertia, and touches nothing."""

    name: Name = Field(description="unique; joints, controls and reports use it")
    shapes: list[Piece] = Field(
        default_factory=list, description="pieces, or plain shapes in the body's own frame"
    )
    position: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the body's origin, m")
    rotation_deg: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="rotation vector: axis times angle, degrees"
    )
    velocity: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the centre of mass, m/s")
    angular_velocity: Vector3 = Field(default=(0.0, 0.0, 0.0), description="rad/s, in the world")
    material: Name = Field(description="name of a material")
    density: Density | None = Field(default=None, description="kg/m³; left out: the material's")
    mass: BodyMass | None = Field(default=None, description="kg; left out: density times volume")
    inertia: Annotated[FloatArray, ArrayOf(((3,), (3, 3)), minimum=-1e15, maximum=1e15)] | None = Field(
        default=None,
        description="about the centre of mass along the body's axes, 3 moments or 3 × 3, kg m²; "
        "left out: by shape",
    )
    center_of_mass: Vector3 | None = Field(
        default=None, description="in the body's frame, m; left out: by shape"
    )
    fixed: Switch = Field(default=False, description="true: never moves, whatever pushes it")
    group: str = Field(
        default="", description="bodies of the same group do not touch each other; empty: none"
    )
    meets: list[Name] = Field(
        default_factory=list, description="names of bodies of the same group that it touches all the same"
    )
    restitution: Fraction = Field(
        default=0.0,
        description="of speed after an impact to speed before, 0 to 1; of two bodies the geometric mean",
    )
    rolling_resistance: LengthOrZero = Field(
        default=0.0,
        description="lever arm that the normal force resists rolling with, m; of two bodies the larger",
    )
    contact_stiffness: Positive | None = Field(
        default=None,
        description="of each contact point, N/m, as for a tyre; left out: as stiff as the step resolves",
    )
    contact_damping: NonNegative = Field(
        default=0.0, description="of each contact point with a stiffness, N·s/m"
    )

    @model_validator(mode="before")
    @classmethod
    def _shapes_are_pieces(cls, data: Any) -> Any:
        """A plain shape is a piece at the body's origin."""
        if not isinstance(data, Mapping) or not isinstance(data.get("shapes"), list | tuple):
            return data

        def piece(item: Any) -> Any:
            is_shape = isinstance(item, Part) and not isinstance(item, Piece)
            is_table = isinstance(item, Mapping) and "kind" in item and "shape" not in item
            if is_table:
                placed = {key: item[key] for key in Piece.model_fields if key in item}
                return {"shape": {key: value for key, value in item.items() if key not in placed}, **placed}
            return {"shape": item} if is_shape else item

        return {**data, "shapes": [piece(item) for item in data["shapes"]]}

    @model_validator(mode="after")
    def _has_inertia(self) -> Self:
        weighs = any(piece.weighs for piece in self.shapes)
        if not weighs and not self.fixed and (self.mass is None or self.inertia is None):
            raise ValueError(
                f"body {self.name!r} has no shape that weighs; give it mass and inertia, or a shape"
            )
        if self.inertia is not None:
            if self.mass is None and not self.fixed:
                raise ValueError(f"body {self.name!r} gives inertia without mass; give both, or neither")
            _check_inertia(self.name, self.inertia)
        return self


def _check_inertia(name: str, inertia: FloatArray) -> None:
    """Moments of inertia of something that exists: positive, and none larger than the sum of the others."""
    matrix = np.diag(inertia) if inertia.ndim == 1 else inertia
    if not np.allclose(matrix, matrix.T, rtol=1e-9, atol=1e-12 * float(np.abs(matrix).max())):
        raise ValueError(f"body {name!r}: inertia must be symmetric (got {matrix.tolist()})")
    low, middle, high = np.linalg.eigvalsh(matrix)
    if low <= 0:
        raise ValueError(f"body {name!r}: moments of inertia must be positive (got {low:.6g} kg m²)")
    if high > (low + middle) * (1 + 1e-6):
        raise ValueError(
            f"body {name!r}: no mass has moments of inertia {low:.6g}, {middle:.6g}, {high:.6g} kg m²: the "
            "largest exceeds the sum of the others; check their units and axes"
        )
