"""Where a tool cuts: its edges, told in the frame of the body or obstacle that carries it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from windrow.fixed_math import norm
from windrow.scene.arrays import LengthOrZero, Positive, Vector3
from windrow.scene.part import Part


class Cutting(Part):
    """A plate between a cutting edge, which goes first into the soil, and a top edge, with teeth or without."""

    edge: tuple[Vector3, Vector3] = Field(description="ends of the cutting edge, m")
    top: tuple[Vector3, Vector3] = Field(
        description="ends of the top edge of the plate above it, m, in the same order; of a bucket, the edge of the "
        "opening opposite to the cutting edge"
    )
    direction: Vector3 = Field(description="in which the edge cuts; any length but zero")
    teeth: Annotated[int, Field(ge=0, le=100)] = Field(default=0, description="along the edge; 0: a plain edge")
    tooth_length: Positive = Field(default=0.15, description="m")
    tooth_radius: Positive = Field(default=0.03, description="of a round tooth that resists alike, m")
    thickness: LengthOrZero = Field(default=0.02, description="of a plain edge, m")
    kind: Literal["bucket", "blade"] | None = Field(
        default=None,
        description="a bucket holds what it cuts, a blade pushes it ahead; none: a bucket where a volume is given",
    )
    volume: Positive | None = Field(
        default=None, description="rated, of a bucket, m³; none: that of the machine's tool, or a blade"
    )

    @model_validator(mode="after")
    def _has_extent(self) -> Self:
        edge, top = np.asarray(self.edge), np.asarray(self.top)
        if float(norm(edge[1] - edge[0])) < 1e-6:
            raise ValueError("edge: its two ends are the same point; give the two corners of the cutting edge")
        if float(norm(np.asarray(self.direction))) < 1e-9:
            raise ValueError("direction: (0, 0, 0) is none; give the direction in which the edge cuts")
        if float(norm(top.mean(axis=0) - edge.mean(axis=0))) < 1e-6:
            raise ValueError("top: it is where the cutting edge is; give the edge at the other end of the plate")
        if self.kind == "blade" and self.volume is not None:
            raise ValueError("volume: a blade holds nothing; leave it out, or make it a bucket")
        return self
