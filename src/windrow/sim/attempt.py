"""A step that may be given up on its way. It has then not happened: all is as it was before, to the bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.sim.saving import kept_of, recall
from windrow.solvers.stopping import StepGivenUpError, Stop

if TYPE_CHECKING:
    from windrow.sim.report import StepReport
    from windrow.sim.simulation import Simulation


def attempt(simulation: Simulation, stop: Stop) -> StepReport | None:
    """Makes a step; None: `stop` was asked for before it was done, and the step is undone.

    It keeps a copy of the state meanwhile, which takes some thousandths of a second and pays where steps are long. A
    step gives up after a substep of the grains, or a sweep where a solver makes each by itself; the bodies' own step is
    made as a whole.
    """
    with simulation._stepping:
        kept, mark, last = kept_of(simulation), simulation.mark, simulation.last_report
        stepper = simulation._stepper
        own, stepper.stop = stepper.stop, stop
        try:
            report = simulation._step()
        except StepGivenUpError:
            recall(simulation, kept, simulation.changes, mark)
            simulation.last_report = last
            return None
        finally:
            stepper.stop = own
        for look in simulation._recordings:
            look(simulation)
        return report
