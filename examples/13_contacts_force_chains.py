"""Forces between grains: chains under a plate that is pressed into a layer of beads, and the stress they add up to.

    python examples/13_contacts_force_chains.py writes out/force_chains.png, stress_map.png, stress_profile.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import windrow as wr
from windrow.measure.stress import StressCells, stress_field
from windrow.measure.stress_plots import plot_stress_map, plot_stress_profile
from windrow.render.chains import draw_chains
from windrow.render.picture import save_picture
from windrow.scene import Camera, Keyframes

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the pictures")
parser.add_argument("--quick", action="store_true", help="fewer beads, less time")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)

# Beads between smooth panes, barely more than one bead apart: one layer, so that all of it is seen.
wide, gap, heap = (0.3, 0.034, 0.4) if options.quick else (0.6, 0.034, 1.2)
scene = wr.Scene(title="Plate on beads", seed=3)
scene.add_material("bead", density=2500, friction_static=0.5, friction_kinetic=0.45, stiffness=2e5, damping=60)
scene.add_material("steel", density=7850, friction_static=0.4, friction_kinetic=0.4, stiffness=2e5, damping=60)
scene.add_material("glass", density=2500, stiffness=2e5, damping=60)
scene.add_pair("bead", "glass", friction_static=0.0, friction_kinetic=0.0)
scene.add_plane(normal=(0, 0, 1), offset=0.0, material="steel", name="floor")
for side in (1, -1):
    scene.add_plane(normal=(side, 0, 0), offset=-wide, material="glass")
    scene.add_plane(normal=(0, side, 0), offset=-gap / 2, material="glass")
scene.add_block(
    lower=(-wide, -gap / 2, 0), size=(2 * wide, gap, heap), radius={"min": 0.009, "max": 0.0155},
    material="bead", packing="random", velocity_spread=0.5,
)  # fmt: skip

# The plate waits above until the beads lie still, then comes down slowly.
settled, pressed = (0.7, 1.2) if options.quick else (1.6, 3.0)
top = 0.63 * heap
stroke = Keyframes(
    time=[settled, settled + 0.3, pressed],
    position=[(0, 0, heap), (0, 0, top), (0, 0, top - 0.15 * heap)],
)
scene.add_box((0, 0, 0.05), (0.2, 0.03, 0.1), "steel", name="plate", motion=stroke)
scene.run.camera = Camera(eye=(0, -2.1, 0.5), target=(0, 0, 0.33), field_of_view_deg=26)

sim = wr.Simulation(scene, solver=wr.NDEM(dt=1 / 240))
sim.run(seconds=settled, progress=True)
frame = sim.frame()
inside = {"lower": (-wide, -gap / 2, 0.0), "upper": (wide, gap / 2, float(frame.position[:, 2].max()))}
layers = stress_field(frame, sim.contacts, StressCells(**inside, shape=(1, 1, 16)))
plot_stress_profile(layers, options.out / "stress_profile.png", scene.gravity)

sim.run(seconds=pressed - settled, progress=True)
frame, contacts = sim.frame(), sim.contacts
size = (320, 180) if options.quick else (1040, 585)
save_picture(options.out / "force_chains.png", draw_chains(frame, contacts, scene, size=size))
cells = StressCells(**inside, shape=(24, 1, max(1, round(24 * inside["upper"][2] / (2 * wide)))))
plot_stress_map(stress_field(frame, contacts, cells), options.out / "stress_map.png")

push = contacts.normal_force
strong = push > push.mean()
carried = push[strong].sum() / push.sum()
on_bodies = contacts.force_on_bodies(len(sim.body_names))
on_plate = on_bodies[sim.body_names.index("plate"), 2]
print("| beads | contacts | stronger than the mean | these carry | force on the plate |")
print("| --- | --- | --- | --- | --- |")
print(f"| {len(sim.particles)} | {len(contacts)} | {strong.mean():.0%} | {carried:.0%} of all | {on_plate:.0f} N |")

# The same in three dimensions: a pile while it is poured.
pour = wr.Simulation(wr.load_scene("pile"), solver=wr.NDEM())
pour.run(seconds=1.0 if options.quick else 3.0, progress=True)
save_picture(options.out / "force_chains_pile.png", draw_chains(pour.frame(), pour.contacts, pour.scene, size=size))
