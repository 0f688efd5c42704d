"""`Scene`: what a user says about a simulation, in a file or with the builders below."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from windrow.errors import SceneError, WindrowError
from windrow.scene import assembling, checks
from windrow.scene.bodies import Body
from windrow.scene.bonds import Bonds
from windrow.scene.clumps import Clumps
from windrow.scene.data import SceneData, Source
from windrow.scene.flow import Emitter, Sink
from windrow.scene.grains import Ball, Block, Column, Points
from windrow.scene.joints import Joint
from windrow.scene.links import Link
from windrow.scene.machines import MachineDescription, MachinePlacement
from windrow.scene.materials import Material, MaterialPair, PairValues, combine
from windrow.scene.nets import Cloth, Rope, RopeLadder
from windrow.scene.obstacles import Obstacle
from windrow.scene.sampling import sampled_distance, sampled_heights
from windrow.scene.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    HeightField,
    Mesh,
    Plane,
    Region,
    Revolution,
    Shape,
    Sphere,
)
from windrow.scene.start import grain_count, initial_links, initial_particles
from windrow.scene.terrain import Terrain

Vector = Any
"""Three numbers, as anything NumPy reads; checked by the field it goes to."""

RadiusLike = Any
"""A number, a `RadiusRange`, a `Grading`, or a dict with the fields of one of them."""

ArrayLike = Any
"""Anything NumPy reads as an array; checked by the field it goes to."""

Ids = NDArray[np.int64]


class Scene(SceneData):
    """Materials, grains, obstacles, flow, solver settings: plain data, SI units, z up.

    Builders return what they added. Obstacle builders take, beyond their shape, the fields of `Obstacle`:
    `position`, `rotation_deg`, `inside`, `motion`, `name`.
    """

    def check(self) -> None:
        """Raises a SceneError when names do not fit together; cheap."""
        checks.check(self)

    def pair_values(self, first: str, second: str) -> PairValues:
        """Contact numbers of two materials of this scene, overrides included."""
        wanted = {first, second}
        override = next((pair for pair in self.material_pairs if set(pair.materials) == wanted), None)
        return combine(self.materials[first], self.materials[second], override)

    # --- what the simulation starts from -------------------------------------------------------------

    def initial_particles(self, cubes: bool = False) -> dict[str, NDArray[Any]]:
        """Grains at the start, in id order, the same for the same `seed`.

        cubes: whether a particle fills the cube around it, of side 2 r, and not the ball; its mass follows.

        position (n, 3) m, velocity (n, 3) m/s, radius (n,) m, mass (n,) kg, material (n,) index into
        `materials`, pinned (n,) bool. Raises SceneError where grains overlap or do not fit, CapacityError
        where they are more than `capacity`. A scene without grains gives empty arrays.
        """
        self.check()
        return initial_particles(self, cubes)

    def initial_links(self) -> dict[str, NDArray[Any]]:
        """Links at the start: those of `links`, then those of ropes, cloth and ladders.

        first, second (l,) grain ids; length (l,) m; stiffness (l,) N/m, inf where rigid; damping (l,) N·s/m.
        """
        return initial_links(self)

    # --- materials -----------------------------------------------------------------------------------

    def add_material(self, name: str, material: Material | None = None, **fields: Any) -> Material:
        """A material by its numbers, by `soil="dry_sand"`, or both."""
        if material is not None and fields:
            raise SceneError(f"add_material({name!r}): give a Material or its fields, not both")
        added = material if material is not None else Material(**fields)
        self.materials = self.materials | {name: added}
        return added

    def add_pair(self, a: str, b: str, **fields: Any) -> MaterialPair:
        """Contact numbers of two materials; fields left out keep the mean of both."""
        pair = MaterialPair(materials=(self._known(a), self._known(b)), **fields)
        self.material_pairs.append(pair)
        return pair

    # --- obstacles -----------------------------------------------------------------------------------

    def add_obstacle(self, shape: Shape, material: str, **fields: Any) -> Obstacle:
        """Any shape as an obstacle."""
        obstacle = Obstacle(shape=shape, material=self._known(material), **fields)
        if obstacle.name and any(other.name == obstacle.name for other in self.obstacles):
            raise SceneError(f"obstacle name {obstacle.name!r} is taken; give another with name=…")
        self.obstacles.append(obstacle)
        return obstacle

    def add_plane(self, normal: Vector, offset: float, material: str, **fields: Any) -> Obstacle:
        """Keeps grains where normal·x ≥ offset."""
        return self.add_obstacle(Plane(normal=normal, offset=offset), material, **fields)

    def add_box(self, position: Vector, size: Vector, material: str, **fields: Any) -> Obstacle:
        """A block around `position` with full edge lengths `size`; `inside=True` makes it a container."""
        return self.add_obstacle(Box(size=size), material, position=position, **fields)

    def add_sphere(self, position: Vector, radius: float, material: str, **fields: Any) -> Obstacle:
        return self.add_obstacle(Sphere(radius=radius), material, position=position, **fields)

    def add_cylinder(
        self, position: Vector, radius: float, height: float, material: str, **fields: Any
    ) -> Obstacle:
        """A cylinder around `position`, axis along z before `rotation_deg`."""
        return self.add_obstacle(
            Cylinder(radius=radius, height=height), material, position=position, **fields
        )

    def add_capsule(
        self, position: Vector, radius: float, height: float, material: str, **fields: Any
    ) -> Obstacle:
        """A rod with round ends; `height` is that of the straight part."""
        return self.add_obstacle(Capsule(radius=radius, height=height), material, position=position, **fields)

    def add_cone(
        self,
        position: Vector,
        radius: float,
        height: float,
        material: str,
        radius_top: float = 0.0,
        **fields: Any,
    ) -> Obstacle:
        """A cone or frustum with the middle of its base at `position`."""
        shape = Cone(radius=radius, height=height, radius_top=radius_top)
        return self.add_obstacle(shape, material, position=position, **fields)

    def add_height_field(
        self, size: tuple[float, float], heights: ArrayLike, material: str, **fields: Any
    ) -> Obstacle:
        """Ground of extent `size` with heights[ix, iy], centred in x and y."""
        return self.add_obstacle(HeightField(size=size, heights=heights), material, **fields)

    def add_mesh(
        self,
        mesh: str | Path | Any,
        material: str,
        scale: float = 1.0,
        distance: Literal["mesh", "grid"] = "mesh",
        spacing: float | None = None,
        **fields: Any,
    ) -> Obstacle:
        """Triangles from a file, or from an object with `vertices` and `faces` such as a trimesh.Trimesh.

        distance: "grid" samples the distances to them once, `spacing` (m) apart; see `Mesh`.
        """
        held: Any = {"scale": scale, "distance": distance, "spacing": spacing}
        if isinstance(mesh, str | Path):
            if not (self.base_dir / mesh).is_file():
                raise SceneError(
                    f"mesh file {str(mesh)!r} is not there (looked in {self.base_dir.resolve()})"
                )
            shape = Mesh(file=str(mesh), **held)
        else:
            if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
                raise SceneError(
                    f"a mesh is a file name or has vertices and faces (got {type(mesh).__name__})"
                )
            shape = Mesh(vertices=np.asarray(mesh.vertices), faces=np.asarray(mesh.faces), **held)
        return self.add_obstacle(shape, material, **fields)

    def add_revolution(
        self, profile: ArrayLike, material: str, closed: bool = False, thickness: float = 0.0, **fields: Any
    ) -> Obstacle:
        """A shell made by turning the line of (r, z) points around z."""
        shape = Revolution(profile=profile, closed=closed, thickness=thickness)
        return self.add_obstacle(shape, material, **fields)

    def add_distance_function(
        self,
        function: Callable[[NDArray[np.float64]], NDArray[np.float64]],
        lower: Vector,
        upper: Vector,
        spacing: float,
        material: str,
        **fields: Any,
    ) -> Obstacle:
        """Any solid given by its signed distance, sampled on a grid over the box from lower to upper.

        `function` takes points (n, 3) in m and returns distances (n,) in m, negative inside the solid. The
        box should hold the solid with some room: outside of it nothing is solid.
        """
        return self.add_obstacle(sampled_distance(function, lower, upper, spacing), material, **fields)

    def add_open_box(self, lower: Vector, upper: Vector, material: str, name: str = "box") -> list[Obstacle]:
        """A floor and four walls as planes; the walls have no upper end."""
        extent: Any = np.subtract(upper, lower)
        Box(size=extent)
        walls = {
            "floor": ((0, 0, 1), lower[2]),
            "wall -x": ((1, 0, 0), lower[0]),
            "wall +x": ((-1, 0, 0), -upper[0]),
            "wall -y": ((0, 1, 0), lower[1]),
            "wall +y": ((0, -1, 0), -upper[1]),
        }
        return [
            self.add_plane(normal, offset, material, name=f"{name} {part}" if name else "")
            for part, (normal, offset) in walls.items()
        ]

    # --- ground ----------------------------------------------------------------------------------------

    def add_terrain(
        self,
        size: tuple[float, float] | None = None,
        cell: float = 0.25,
        height: Any = 0.0,
        soil: str | None = None,
        **fields: Any,
    ) -> Terrain:
        """Ground that can be dug; takes the fields of `Terrain`.

        `height`: a number, an array (nx, ny), a file name, `Hills`, or a function of x and y (arrays, m, in the
        world) that returns heights above `position`.
        """
        if callable(height):
            height = sampled_heights(height, size, cell, fields.get("position", (0.0, 0.0, 0.0)))
        terrain = Terrain(size=size, cell=cell, height=height, soil=soil, **fields)
        if isinstance(terrain.height, str) and not (self.base_dir / terrain.height).is_file():
            raise SceneError(
                f"height: there is no file {terrain.height!r} (looked in {self.base_dir.resolve()})"
            )
        self.terrain = terrain
        return terrain

    # --- bodies --------------------------------------------------------------------------------------

    def add_body(self, name: str, material: str, **fields: Any) -> Body:
        """A rigid body; fields of `Body`: shapes, position, rotation_deg, velocity, mass, fixed …"""
        body = Body(name=name, material=self._known(material), **fields)
        if any(other.name == name for other in self.bodies):
            raise SceneError(f"body name {name!r} is taken; give another")
        self.bodies.append(body)
        return body

    def add_joint(self, joint: Joint) -> Joint:
        """A `Hinge`, `Slider`, `Fixed`, `BallJoint`, `Universal`, `Distance`, `CylinderJoint` or `Gear`."""
        self.joints.append(joint)
        try:
            checks.check_joints(self)
        except SceneError:
            self.joints.pop()
            raise
        return joint

    def add_machine(
        self,
        model: str | Path,
        position: Vector = (0.0, 0.0, 0.0),
        heading_deg: float = 0.0,
        name: str = "",
    ) -> MachinePlacement:
        """A built-in machine by name, or one from a .toml file, on its place.

        Its bodies, joints and controls are called as in its description, with `name` and a space before.
        """
        placement = MachinePlacement(model=str(model), position=position, heading_deg=heading_deg, name=name)
        self.machines.append(placement)
        try:
            checks.check_machines(self)
        except WindrowError:
            self.machines.pop()
            raise
        return placement

    def placed_machines(self) -> list[MachineDescription]:
        """The machines where they stand: parts in the world, all names as this scene knows them."""
        return assembling.placed_machines(self)

    def assembled(self) -> Self:
        """This scene with the bodies, joints and materials of its machines as its own.

        Bodies of machines follow those of the scene. Without machines it is the scene itself.
        """
        return assembling.assembled(self)

    # --- grains --------------------------------------------------------------------------------------

    def add_particles(
        self,
        position: ArrayLike,
        velocity: ArrayLike | None = None,
        radius: ArrayLike = 0.05,
        mass: ArrayLike | None = None,
        material: str = "",
        pinned: ArrayLike = False,
        **columns: ArrayLike,
    ) -> Ids:
        """Grains at the given centres (n, 3), or one at (3,); other values per grain or one for all.

        columns: what the solver keeps of each grain, by name: add_particles(…, spin=(0, 0, 10)).

        Returns their ids. One call with arrays is much faster than one call per grain.
        """
        rows: Any = position
        if np.ndim(rows) == 1 and np.size(rows) == 3:
            rows = np.reshape(rows, (1, 3))
        return self._added(
            Points(
                position=rows,
                velocity=velocity,
                radius=radius,
                mass=mass,
                material=self._known(material),
                pinned=pinned,
                columns=columns,
            )
        )

    def add_block(
        self, lower: Vector, size: Vector, radius: RadiusLike, material: str, **fields: Any
    ) -> Block:
        """A box full of grains; takes the other fields of `Block` too: packing, count, velocity …

        How solid it is inside, with grains of one radius: packing "cubic" 45 %, "hexagonal" 64 %, "random" 28 % (grains
        that do not touch and fall together), "dense" 61 % (random grains that touch, as in poured sand).
        """
        source = Block(lower=lower, size=size, radius=radius, material=self._known(material), **fields)
        self.particles.append(source)
        return source

    def add_column(
        self,
        position: Vector,
        column_radius: float,
        height: float,
        radius: RadiusLike,
        material: str,
        **fields: Any,
    ) -> Column:
        """An upright cylinder full of grains, base centre at `position`."""
        source = Column(
            position=position,
            column_radius=column_radius,
            height=height,
            radius=radius,
            material=self._known(material),
            **fields,
        )
        self.particles.append(source)
        return source

    def add_ball(
        self, position: Vector, ball_radius: float, radius: RadiusLike, material: str, **fields: Any
    ) -> Ball:
        """A sphere full of grains, centred at `position`."""
        source = Ball(
            position=position,
            ball_radius=ball_radius,
            radius=radius,
            material=self._known(material),
            **fields,
        )
        self.particles.append(source)
        return source

    def add_clumps(
        self, centers: ArrayLike, radii: ArrayLike, position: ArrayLike, material: str, **fields: Any
    ) -> Ids:
        """Rigid grains made of balls at `centers` (m, 3), with their centres of mass at `position` (n, 3).

        Takes the other fields of `Clumps`: rotation_deg, random_rotation, velocity, spin. Returns the ids of all balls.
        """
        rows: Any = np.reshape(position, (1, 3)) if np.ndim(position) == 1 else position
        return self._added(
            Clumps(centers=centers, radii=radii, position=rows, material=self._known(material), **fields)
        )

    # --- flow ----------------------------------------------------------------------------------------

    def add_emitter(self, region: Region, radius: RadiusLike, material: str, **fields: Any) -> Emitter:
        """Makes grains in a Box, Sphere or Cylinder; needs `rate` or `mass_rate` of `Emitter`'s fields."""
        emitter = Emitter(region=region, radius=radius, material=self._known(material), **fields)
        self.emitters.append(emitter)
        return emitter

    def add_sink(self, region: Region, **fields: Any) -> Sink:
        """Takes away grains whose centre is inside of a Box, Sphere or Cylinder."""
        sink = Sink(region=region, **fields)
        self.sinks.append(sink)
        return sink

    # --- links ---------------------------------------------------------------------------------------

    def add_link(self, first: int, second: int, **fields: Any) -> Link:
        """Holds two grains at their distance, or at `length`."""
        link = Link(first=first, second=second, **fields)
        self.links.append(link)
        return link

    def add_bonds(
        self,
        young_modulus: float,
        particles: Block | Column | Ball | int | None = None,
        pairs: ArrayLike | None = None,
        **fields: Any,
    ) -> Bonds:
        """Glues grains together, until it breaks; takes the fields of `Bonds`: tensile_strength, shear_strength …

        particles: a block, column or ball that was added, or the number of an entry of `particles`: all its grains that
        are within `reach`; pairs (n, 2): ids of grains. Left out: all grains of the scene within `reach`.
        """
        index: Any = particles
        if isinstance(particles, Block | Column | Ball):
            known = [number for number, source in enumerate(self.particles) if source is particles]
            if not known:
                raise SceneError("add_bonds: `particles` is not of this scene; give what its add_block returned")
            index = known[0]
        bonds = Bonds(young_modulus=young_modulus, particles=index, pairs=pairs, **fields)
        self.bonds.append(bonds)
        return bonds

    def add_rope(self, start: Vector, end: Vector, segments: int, material: str, **fields: Any) -> Ids:
        """A straight rope of `segments` links; takes the fields of `Rope`. Returns the ids of its nodes."""
        return self._added(
            Rope(start=start, end=end, segments=segments, material=self._known(material), **fields)
        )

    def add_cloth(
        self, corner: Vector, edge_u: Vector, edge_v: Vector, nu: int, nv: int, material: str, **fields: Any
    ) -> Ids:
        """A cloth of nu × nv nodes; takes the fields of `Cloth`. Returns the ids of its nodes."""
        return self._added(
            Cloth(
                corner=corner,
                edge_u=edge_u,
                edge_v=edge_v,
                nu=nu,
                nv=nv,
                material=self._known(material),
                **fields,
            )
        )

    def add_rope_ladder(
        self,
        corner: Vector,
        edge_u: Vector,
        edge_v: Vector,
        segments: int,
        rungs: int,
        rung_segments: int,
        material: str,
        **fields: Any,
    ) -> Ids:
        """Two ropes along edge_u, edge_v apart, joined by rungs. Returns the ids of its nodes."""
        return self._added(
            RopeLadder(
                corner=corner,
                edge_u=edge_u,
                edge_v=edge_v,
                segments=segments,
                rungs=rungs,
                rung_segments=rung_segments,
                material=self._known(material),
                **fields,
            )
        )

    def _added(self, source: Source) -> Ids:
        first = sum(grain_count(self, index) for index in range(len(self.particles)))
        self.particles.append(source)
        return np.arange(first, first + grain_count(self, len(self.particles) - 1), dtype=np.int64)

    def _known(self, material: str) -> str:
        if material not in self.materials:
            raise SceneError(checks.unknown_material(self, str(material)))
        return material
