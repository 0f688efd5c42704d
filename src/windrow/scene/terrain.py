"""Ground that can be dug, as a scene says it: extent, heights, soils in layers."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from windrow.errors import SceneError
from windrow.scene.arrays import (
    LARGEST_LENGTH,
    ArrayOf,
    Degrees,
    FloatArray,
    Length,
    NonNegative,
    Number,
    Positive,
    Size2,
    Switch,
    Vector3,
    VectorOf,
    Whole,
    plain_number,
)
from windrow.scene.materials import Name
from windrow.scene.messages import shown
from windrow.scene.packed import packed, unpacked
from windrow.scene.part import Part
from windrow.scene.shapes import HeightField
from windrow.scene.soils import soil_named

MOST_CELLS = 64_000_000
"""2 km × 2 km at 0.25 m: 256 MB of heights."""
MOST_LAYERS = 4
"""Soils above each other at the start; columns keep two more for what is loosened, compacted and brought."""
RADIUS, FINEST, COARSEST = 0.4, 0.1, 0.8
"""Mean radius of grains over the edge of a cell: if none is given, and at least and at most. Coarser grains would lie
over more columns than the exchange looks at; far finer ones have no room in memory."""
PACKED_FROM = 4096
"""Cells from which on heights are written as one packed text."""


class Hills(Part):
    """Hills and valleys from noise: sums of smooth waves, each half as long as the one before."""

    kind: Literal["hills"] = "hills"
    height: Length = Field(description="from the lowest valley to the highest top, m")
    length: Length = Field(description="of the longest waves, from top to top, m")
    octaves: Annotated[Whole, Field(ge=1, le=12)] = Field(default=5, description="waves that are added")
    roughness: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.45, description="height of each wave over that of the one before, 0 to 1"
    )
    seed: Annotated[Whole, Field(ge=0, le=2**63 - 1)] = Field(default=0, description="which hills")


class Heap(Part):
    """A cone of the uppermost soil on the ground, or a ridge between two places."""

    center: Annotated[tuple[float, float], VectorOf(2)] = Field(description="x and y of its top, m from the middle")
    end: Annotated[tuple[float, float], VectorOf(2)] | None = Field(
        default=None, description="of a ridge: x and y of the other end of its top, m from the middle"
    )
    height: Length = Field(description="above the ground below its top, m")
    slope_deg: Annotated[float, Field(gt=0, le=60)] = Field(default=30.0, description="of its sides, degrees")


class _HeightsOf:
    """Marks the field `height`: a number, an array of heights, a file name, or hills."""

    _array = ArrayOf(((None, None),), minimum=-LARGEST_LENGTH, maximum=LARGEST_LENGTH, shortest=1)

    def validate(self, value: Any) -> Any:
        if isinstance(value, Hills):
            return value
        if isinstance(value, dict):
            if value.get("kind", "hills") != "hills":
                raise ValueError(f"kind {shown(value['kind'])} is not known; 'hills' is")
            try:
                return Hills(**value)
            except SceneError as error:
                raise ValueError(str(error)) from None
        if hasattr(value, "__fspath__"):
            return str(value)
        if isinstance(value, str):
            array = unpacked(value)
            if array is None:
                return value
            value = array
        if np.ndim(value) == 0:
            return plain_number(value)
        return self._heights(value)

    def _heights(self, value: Any) -> Any:
        array = np.asarray(value) if isinstance(value, np.ndarray) else None
        if array is not None and array.dtype.kind == "f" and array.ndim == 2 and array.size:
            holes = ~np.isfinite(array)
            if holes.any():
                raise ValueError(hole_in(holes))
            if np.abs(array).max() <= LARGEST_LENGTH:
                kept = np.float32 if array.dtype == np.float32 else np.float64
                return np.array(array, kept, order="C")
        return self._array.validate(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self.validate,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value.tolist() if isinstance(value, np.ndarray) else value
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        numbers: dict[str, Any] = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
        return {"anyOf": [{"type": "number"}, {"type": "string"}, numbers, {"type": "object"}]}


def hole_in(holes: Any) -> str:
    """Sentence about heights that are missing."""
    i, j = np.argwhere(holes)[0].tolist()
    nx, ny = holes.shape
    where = "at the edge" if i in (0, nx - 1) or j in (0, ny - 1) else "in the middle"
    return (
        f"{int(holes.sum())} of {holes.size} heights are missing (NaN, infinite, or the file's 'no data'); the first "
        f"is a hole {where}, cell [{i}, {j}]. Fill holes from their neighbours, or crop the ground to where heights "
        "are known"
    )


Heights = Annotated[float | str | FloatArray | Hills, _HeightsOf()]


def _grows(array: Any) -> str | None:
    return None if array[0] < array[1] else "the second height must exceed the first"


class TerrainLayer(Part):
    """One soil of the ground, from the surface down."""

    soil: Name = Field(description="name of a soil of the library")
    thickness: Length | None = Field(default=None, description="m; none, for the last: down to the bottom")
    compaction: Annotated[float, Field(ge=0.5, le=2.0)] = Field(
        default=1.0, description="density over that of the soil where it grew"
    )
    density: Positive | None = Field(default=None, description="where it grew, kg/m³; none: the soil's")
    internal_friction_deg: Degrees | None = Field(default=None, description="degrees; none: the soil's")
    cohesion_pa: NonNegative | None = Field(default=None, description="Pa; none: the soil's")

    @model_validator(mode="after")
    def _known_soil(self) -> Self:
        soil_named(self.soil)
        return self


class Terrain(Part):
    """Ground in columns: each cell has a height, and mass, density and soil in layers below it.

    Cells are squares; [0, 0] is at the lower corner, x first. Nothing holds soil or grains beyond the edge, and soil
    does not flow over it.
    """

    size: Size2 | None = Field(
        default=None, description="extent along x and y, m; none: as many cells as there are heights"
    )
    cell: Length = Field(description="edge of a cell, m")
    height: Heights = Field(
        default=0.0,
        description="m: one number; a table of heights [ix, iy]; a 16-bit PNG or a GeoTIFF, relative to the scene "
        "file; or {kind = 'hills', …}",
    )
    height_range: Annotated[tuple[float, float], VectorOf(2, _grows)] = Field(
        default=(0.0, 1.0), description="of a PNG: heights of black and white, m"
    )
    lowest: Number | None = Field(
        default=None, description="shifts all heights so that the lowest is this, m; none: as given"
    )
    heaps: list[Heap] = Field(default_factory=list, max_length=100, description="soil heaped on these heights")
    position: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the middle, at height 0, m")
    soil: Name | None = Field(default=None, description="one soil of the library throughout; or give layers")
    layers: list[TerrainLayer] = Field(
        default_factory=list, max_length=MOST_LAYERS, description="soils from the surface down"
    )
    depth: Length = Field(default=5.0, description="of the ground below the lowest height, m")
    material: Name | None = Field(
        default=None, description="what grains and bodies feel; none: a material of the uppermost soil"
    )
    avalanche: Switch = Field(default=True, description="slopes steeper than the soil stands slide")
    compaction: Switch = Field(default=True, description="bodies press the ground down and leave ruts")
    name: str = Field(default="terrain", min_length=1, description="shown in reports of forces")
    fidelity: Literal["field", "hybrid", "grains"] = Field(
        default="hybrid",
        description="how tools dig. field: no grains, forces by the earthmoving equation, what is dug is a number; "
        "hybrid: ground near a tool becomes grains and turns back; grains: all in grains_box is grains from the start",
    )
    grain_radius: Length | None = Field(
        default=None, description="mean radius of the grains that ground turns into, m; none: 0.4 of a cell"
    )
    most_grains: Annotated[Whole, Field(ge=100, le=10_000_000)] = Field(
        default=20_000, description="room for grains made of ground, those that lie fixed at its face included"
    )
    grains_box: tuple[Vector3, Vector3] | None = Field(
        default=None, description="lower and upper corner of what is grains from the start, m, with fidelity = 'grains'"
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if (self.soil is None) == (not self.layers):
            raise ValueError("give either soil, one for all of the ground, or layers")
        if self.soil is not None:
            soil_named(self.soil)
        for k, layer in enumerate(self.layers):
            if (layer.thickness is None) != (k == len(self.layers) - 1):
                raise ValueError(
                    f"layers[{k}].thickness: every layer but the last has one; the last goes down to the bottom"
                )
        if self.size is None and isinstance(self.height, float | int | Hills):
            raise ValueError("size: is needed; only a table or a file of heights tells how large the ground is")
        self._check_cells()
        self._check_grains()
        return self

    def _check_grains(self) -> None:
        if self.grain_radius is not None and not FINEST <= self.grain_radius / self.cell <= COARSEST:
            raise ValueError(
                f"grain_radius: {self.grain_radius:g} m; with cells of {self.cell:g} m grains are from "
                f"{FINEST * self.cell:g} to {COARSEST * self.cell:g} m: change one of the two"
            )
        if (self.fidelity == "grains") != (self.grains_box is not None):
            raise ValueError(
                "grains_box: says what is grains from the start; it is needed with fidelity = 'grains', and only there"
            )
        if self.grains_box is not None and not all(
            low < high for low, high in zip(*self.grains_box, strict=True)
        ):
            raise ValueError("grains_box: the second corner must exceed the first along x, y and z")

    @property
    def mean_radius(self) -> float:
        """Of the grains that it turns into, m."""
        return RADIUS * self.cell if self.grain_radius is None else self.grain_radius

    def _check_cells(self) -> None:
        if self.size is not None:
            counts = [edge / self.cell for edge in self.size]
            if counts[0] * counts[1] > 1.01 * MOST_CELLS:
                raise ValueError(
                    f"cell: {self.cell:g} m makes {counts[0] * counts[1]:.3g} cells, more than {MOST_CELLS}; use "
                    "larger cells or a smaller extent"
                )
            for edge, count in zip(self.size, counts, strict=True):
                if round(count) < 3 or abs(count - round(count)) > 1e-6 * count:
                    raise ValueError(
                        f"size: {edge:g} m must be a whole number of cells of {self.cell:g} m, at least 3"
                    )
        if isinstance(self.height, np.ndarray):
            shape = self.height.shape
            if min(shape) < 3 or self.height.size > MOST_CELLS:
                raise ValueError(
                    f"height: {shape[0]} × {shape[1]} cells; at least 3 × 3 and at most {MOST_CELLS} are needed"
                )
            if self.size is not None and shape != self.cells():
                wanted = " × ".join(map(str, self.cells()))
                raise ValueError(
                    f"height: {shape[0]} × {shape[1]} heights do not fit size and cell, which make {wanted} cells; "
                    "leave size out, or give that many"
                )

    def cells(self) -> tuple[int, int]:
        """Cells along x and y, where the scene itself tells."""
        if self.size is not None:
            return round(self.size[0] / self.cell), round(self.size[1] / self.cell)
        assert isinstance(self.height, np.ndarray)
        return self.height.shape[0], self.height.shape[1]

    def layers_down(self) -> list[TerrainLayer]:
        """The soils from the surface down; at least one, the last without thickness."""
        return self.layers or [TerrainLayer(soil=str(self.soil))]

    @property
    def touched(self) -> str:
        """Name of the material that grains and bodies feel."""
        return self.material or self.layers_down()[0].soil

    def written(self, name: str) -> Any:
        value = getattr(self, name)
        large = name == "height" and isinstance(value, np.ndarray) and value.size >= PACKED_FROM
        return packed(value) if large else value


class TerrainSurface(HeightField):
    """The surface of a terrain as an obstacle: in a running simulation with its heights, elsewhere flat."""


def flat_surface() -> TerrainSurface:
    """Stands for the terrain where nobody needs its heights."""
    return TerrainSurface.model_construct(size=(1.0, 1.0), heights=np.zeros((2, 2), np.float32))
