"""The ground of a simulation as it is at the start, and what turning into grains needs besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.geometry.table import ShapeTable
from windrow.scene.digging import soil_materials
from windrow.sim.digging.diggers import Diggers
from windrow.sim.digging.digging import Digging
from windrow.sim.ground import GroundStepper
from windrow.terrain.avalanche import Avalanche
from windrow.terrain.beds import BedPlace, beds_in
from windrow.terrain.ground import ground_of

if TYPE_CHECKING:
    from windrow.sim.simulation import Simulation


def own_surface(shapes: ShapeTable) -> ShapeTable:
    """A table whose heights are those of the ground: bodies stand on them, while grains lie somewhat deeper."""
    return shapes._replace(
        param=shapes.param.copy(), bound=shapes.bound.copy(), box=shapes.box.copy(), numbers=shapes.numbers.copy()
    )


def beds_of(simulation: Simulation) -> list[BedPlace]:
    """Where soil settles in bodies."""
    terrain = simulation.scene.terrain
    if terrain is None or not simulation.assembled.terrain_grains:
        return []
    return beds_in(simulation.tools.geometry, next(iter(soil_materials(terrain))))


def lay_ground(simulation: Simulation) -> None:
    """Gives the state of a simulation the ground as it is at the start."""
    if simulation._columns is None:
        return
    if simulation._columns.used:  # it has been dug in
        simulation._columns = ground_of(simulation._scene)
    ground, surface = simulation._columns, simulation._surface
    assert ground is not None
    simulation.state.ground = ground
    stepper = GroundStepper(
        ground, simulation.assembled, surface, simulation._stepper, simulation.bodies, simulation.tools
    )
    if surface is not simulation.model.shapes:
        if simulation._diggers is None:
            simulation._diggers = Diggers(simulation.scene, simulation.assembled, simulation.model, ground)
        stepper.digging = Digging(simulation, ground, simulation._diggers, simulation.model.shapes, stepper.row)
        stepper.avalanche = Avalanche(ground, stepper.digging.nodes.marks)
    simulation._ground = stepper
