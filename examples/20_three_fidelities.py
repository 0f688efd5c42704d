"""Dig the same hole three times: without grains, with grains where the bucket works, and in grains from the start.

    python examples/20_three_fidelities.py [--soil dry_sand]
    writes out/three_fidelities.png: force, load and hole side by side
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from windrow.validate.ground_bucket import LIFTED, dig

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--out", type=Path, default=Path("out"), help="folder for what it writes")
parser.add_argument("--soil", default="loam", help="dry_sand, wet_sand, gravel, loam or clay")
parser.add_argument("--quick", action="store_true", help="a short part of the way")
options = parser.parse_args()
options.out.mkdir(parents=True, exist_ok=True)
seconds = 0.2 if options.quick else 9.0

digs, spent = {}, {}
for fidelity in ("field", "hybrid", "grains"):
    begin = process_time()
    digs[fidelity] = dig(options.soil, fidelity, seconds)
    spent[fidelity] = process_time() - begin

print("| fidelity | largest draft | largest load | dug by 6 s | mass error | processor time |")
print("| --- | ---: | ---: | ---: | ---: | ---: |")
for fidelity, made in digs.items():
    print(
        f"| {fidelity} | {made.largest_draft / 1e3:.1f} kN | {made.load.max():.0f} kg | {made.hole:.0f} kg "
        f"| {made.mass_error:.0e} | {spent[fidelity]:.1f} s |"
    )

figure = plt.figure(figsize=(9.6, 6.0), layout="constrained")
top, bottom = figure.subfigures(2, 1)
forces, loads = top.subplots(1, 2)
for (fidelity, made), color in zip(digs.items(), ("#c0392b", "#2471a3", "#444444"), strict=True):
    forces.plot(made.time, -made.force[:, 0] / 1e3, color=color, label=fidelity)
    loads.plot(made.time, made.load, color=color, label=fidelity)
forces.set(xlabel="time, s", ylabel="draft on the bucket, kN", title=f"{options.soil.replace('_', ' ')}, one dig")
loads.set(xlabel="time, s", ylabel="in the bucket, kg")
loads.axvline(LIFTED, color="0.8", zorder=0)
loads.legend()
deepest = min(float(made.height.min()) for made in digs.values())
scale = max(-deepest, 0.1)
maps = bottom.subplots(1, 3)
for axes, (fidelity, made) in zip(maps, digs.items(), strict=True):
    image = axes.imshow(made.height.T, origin="lower", cmap="RdBu_r", vmin=-scale, vmax=scale)
    axes.set(title=f"{fidelity}: height at the end, m", xticks=[], yticks=[])
bottom.colorbar(image, ax=maps, shrink=0.8)
figure.savefig(options.out / "three_fidelities.png", dpi=80)
print(f"\n{options.out / 'three_fidelities.png'}: the deepest place is {-deepest:.2f} m below the old surface")
assert all(np.isfinite(made.force).all() for made in digs.values())
