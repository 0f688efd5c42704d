"""Ropes, cloth and rope ladders: grains held together by links that follow from the description."""

from __future__ import annotations

import math
from typing import Annotated, Literal, NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from windrow.fixed_math import norm
from windrow.scene.arrays import (
    BoolArray,
    Direction,
    FloatArray,
    GrainRadius,
    IntArray,
    Mass,
    NonNegative,
    PositiveOrInfinite,
    Switch,
    Vector3,
    Whole,
)
from windrow.scene.materials import Name
from windrow.scene.part import Part

Segments = Annotated[Whole, Field(ge=1, le=1_000_000)]
MOST_NODES = 2_000_000
"""Nodes of one rope, cloth or ladder."""

ClothSide = Annotated[Whole, Field(ge=2, le=1_000_000)]


class Net(NamedTuple):
    """Nodes of a net and the pairs of nodes that are linked."""

    position: FloatArray
    """(n, 3), m"""
    pinned: BoolArray
    """(n,)"""
    links: IntArray
    """(l, 2), numbers of nodes within this net"""


class _Woven(Part):
    radius: GrainRadius | None = Field(
        default=None, description="of a node, m; none: 0.45 of the shortest link"
    )
    mass: Mass | None = Field(default=None, description="of a node, kg; none: from the material's density")
    velocity: Vector3 = Field(default=(0.0, 0.0, 0.0), description="m/s")
    material: Name = Field(description="name of a material")
    stiffness: PositiveOrInfinite = Field(default=math.inf, description="of a link, N/m; inf: rigid")
    damping: NonNegative = Field(default=0.0, description="of a link, N·s/m")

    def node_radius(self, shortest_link: float) -> float:
        """m"""
        return self.radius if self.radius is not None else 0.45 * shortest_link

    def _refuse_odd_nodes(self, count: int, shortest_link: float) -> None:
        if count > MOST_NODES:
            raise ValueError(f"{count} nodes are more than {MOST_NODES}; use fewer")
        if shortest_link < 2e-6:
            raise ValueError(f"links are only {shortest_link:g} m long; use fewer nodes or a larger net")
        if self.radius is not None and 2 * self.radius > shortest_link * (1 + 1e-9):
            raise ValueError(
                f"radius {self.radius:g} m makes neighbouring nodes overlap; "
                f"at most {shortest_link / 2:g} m, half of a link, or use fewer nodes"
            )


class Rope(_Woven):
    """A straight line of linked grains."""

    kind: Literal["rope"] = "rope"
    start: Vector3 = Field(description="centre of the first node, m")
    end: Vector3 = Field(description="centre of the last node, m")
    segments: Segments = Field(description="links; there is one node more")
    pinned_start: Switch = Field(default=False, description="true: the first node never moves")
    pinned_end: Switch = Field(default=False, description="true: the last node never moves")

    @property
    def shortest_link(self) -> float:
        """m"""
        return float(norm(np.subtract(self.start, self.end))) / self.segments

    @property
    def node_count(self) -> int:
        return self.segments + 1

    @model_validator(mode="after")
    def _nodes_apart(self) -> Self:
        self._refuse_odd_nodes(self.node_count, self.shortest_link)
        return self

    def net(self) -> Net:
        """Nodes from start to end, each linked to the next."""
        position = np.linspace(self.start, self.end, self.node_count)
        pinned = np.zeros(self.node_count, dtype=np.bool_)
        pinned[0], pinned[-1] = self.pinned_start, self.pinned_end
        first = np.arange(self.segments)
        return Net(position, pinned, np.stack([first, first + 1], axis=1))


class Cloth(_Woven):
    """A parallelogram of linked grains; node (i, j) is number i·nv + j."""

    kind: Literal["cloth"] = "cloth"
    corner: Vector3 = Field(description="centre of the first node, m")
    edge_u: Direction = Field(description="from the corner along the first side, m")
    edge_v: Direction = Field(description="from the corner along the second side, m")
    nu: ClothSide = Field(description="nodes along edge_u")
    nv: ClothSide = Field(description="nodes along edge_v")
    diagonals: Switch = Field(
        default=True, description="link both diagonals of each mesh too, so that it resists shear"
    )
    pinned: Literal["none", "corners", "edge", "border"] = Field(
        default="none", description="nodes that never move; edge: the one along edge_v through the corner"
    )

    @property
    def shortest_link(self) -> float:
        """m"""
        u = np.array(self.edge_u) / (self.nu - 1)
        v = np.array(self.edge_v) / (self.nv - 1)
        return float(min(norm(side) for side in (u, v, u + v, u - v)))

    @property
    def node_count(self) -> int:
        return self.nu * self.nv

    @model_validator(mode="after")
    def _nodes_apart(self) -> Self:
        self._refuse_odd_nodes(self.node_count, self.shortest_link)
        return self

    def net(self) -> Net:
        """Nodes row by row; links along both sides and, if wanted, along the diagonals."""
        u, v = np.meshgrid(np.linspace(0, 1, self.nu), np.linspace(0, 1, self.nv), indexing="ij")
        position = np.array(self.corner) + u[..., None] * self.edge_u + v[..., None] * self.edge_v
        pinned = np.zeros((self.nu, self.nv), dtype=np.bool_)
        if self.pinned == "corners":
            pinned[[0, 0, -1, -1], [0, -1, 0, -1]] = True
        elif self.pinned == "edge":
            pinned[0] = True
        elif self.pinned == "border":
            pinned[[0, -1], :] = True
            pinned[:, [0, -1]] = True
        node = np.arange(self.node_count).reshape(self.nu, self.nv)
        pairs = [(node[:-1], node[1:]), (node[:, :-1], node[:, 1:])]
        if self.diagonals:
            pairs += [(node[:-1, :-1], node[1:, 1:]), (node[1:, :-1], node[:-1, 1:])]
        links = np.concatenate([np.stack([a.ravel(), b.ravel()], axis=1) for a, b in pairs])
        return Net(position.reshape(-1, 3), pinned.ravel(), links)


class RopeLadder(_Woven):
    """Two ropes joined by rungs; the nodes of the ropes come first, those of the rungs after them."""

    kind: Literal["rope_ladder"] = "rope_ladder"
    corner: Vector3 = Field(description="first node of the first rope, m")
    edge_u: Direction = Field(description="along the ropes, their full length, m")
    edge_v: Direction = Field(description="from the first rope to the second, m")
    segments: Segments = Field(description="links of each rope")
    rungs: Annotated[Whole, Field(ge=0, le=100_000)] = Field(
        description="rungs, evenly spread over the ropes' inner nodes"
    )
    rung_segments: Segments = Field(description="links of each rung")
    pinned_start: Switch = Field(default=True, description="true: the first nodes of both ropes never move")
    pinned_end: Switch = Field(default=True, description="true: the last nodes of both ropes never move")

    @property
    def shortest_link(self) -> float:
        """m"""
        along = float(norm(self.edge_u)) / self.segments
        return min(along, float(norm(self.edge_v)) / self.rung_segments) if self.rungs else along

    @property
    def node_count(self) -> int:
        return 2 * (self.segments + 1) + self.rungs * (self.rung_segments - 1)

    @model_validator(mode="after")
    def _rungs_fit(self) -> Self:
        if self.rungs > max(0, self.segments - 1):
            raise ValueError(
                f"{self.rungs} rungs need as many inner nodes; "
                f"{self.segments} segments have {self.segments - 1}"
            )
        self._refuse_odd_nodes(self.node_count, self.shortest_link)
        return self

    def net(self) -> Net:
        """Both ropes, then rung after rung, each tied to the ropes at its ends."""
        along = np.linspace((0.0, 0.0, 0.0), self.edge_u, self.segments + 1)
        first_rope = np.array(self.corner) + along
        position = [first_rope, first_rope + self.edge_v]
        rope_nodes = self.segments + 1
        pinned = np.zeros(self.node_count, dtype=np.bool_)
        pinned[[0, rope_nodes]] = self.pinned_start
        pinned[[rope_nodes - 1, 2 * rope_nodes - 1]] = self.pinned_end
        node = np.arange(rope_nodes)
        chains = [node, node + rope_nodes]
        across = np.linspace((0.0, 0.0, 0.0), self.edge_v, self.rung_segments + 1)[1:-1]
        next_node = 2 * rope_nodes
        for rung in range(self.rungs):
            place = round((rung + 1) * self.segments / (self.rungs + 1))
            inner = np.arange(next_node, next_node + self.rung_segments - 1)
            position.append(first_rope[place] + across)
            chains.append(np.concatenate([[place], inner, [place + rope_nodes]]))
            next_node += self.rung_segments - 1
        links = np.concatenate([np.stack([chain[:-1], chain[1:]], axis=1) for chain in chains])
        return Net(np.concatenate(position), pinned, links)
