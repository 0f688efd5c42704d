"""An excavator digs loam and loads a truck by script; print its cycles and what they come to.

    python examples/19_load_truck.py       writes out/load_truck.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.machines.digging import DigOperator, loading_cycles
from windrow.machines.productivity import WorkLog
from windrow.render.picture import Stage, save_picture

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--cycles", type=int, default=4, help="loads")
parser.add_argument("--soil", default="loam", help="of the ground; see `windrow list`")
parser.add_argument("--quick", action="store_true", help="small pictures, a short run")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

scene = wr.load_scene("excavator")
assert scene.terrain is not None
scene.terrain.soil = options.soil
sim = wr.Simulation(scene)
operator = DigOperator(loading_cycles(options.cycles))
log = WorkLog(sim, into="truck bed")
while not operator.finished and not (options.quick and sim.time > 0.2):
    operator.act(sim, sim.solver.dt)
    sim.step()
    log.read(sim, operator)

print(log.table())
total = log.total()
if total["cycles"]:
    print(
        f"\n{total['cubic_metres_per_hour']:.0f} m³/h, fill {total['fill_factor']:.2f}, "
        f"{total['energy_per_cubic_metre'] / 1e3:.0f} kJ/m³; "
        f"{total['arrived']:.0f} of {total['carried']:.0f} kg arrived"
    )
print(f"mass error {sim.ledger['mass_error']:.0e}")
picture = Stage(scene).draw(sim.frame(), scene.run.camera, (320, 180) if options.quick else (1280, 720))
save_picture(options.out / "load_truck.png", picture)
