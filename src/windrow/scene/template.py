"""The commented scene that a new file starts with."""

from __future__ import annotations

TEMPLATE = """\
# A Windrow scene. SI units (m, kg, s, rad), z up. Lines that begin with # are comments.
# Check it with:  windrow run THIS_FILE --seconds 1
# Every field, with its unit:  windrow schema

title = "My scene"
description = "Sand falls into a box."
gravity = [0.0, 0.0, -9.81]        # m/s²
seed = 0                           # of everything random: same seed, same result
# capacity = 100000                # most grains at any time; needed with emitters that have no count

# --- materials: by their numbers, or by a soil of the library ------------------------------------
[materials.sand]
soil = "dry_sand"                  # dry_sand, wet_sand, gravel, loam, clay; fields below override it
# internal_friction_deg = 35.0     # bulk numbers, where the soil's own are not right; the grain numbers
# cohesion_pa = 1000.0             #   follow from them and from the solver
# bulk_density = 1650.0            # kg/m³, voids included
# density = 2650.0                 # kg/m³ of the solid grain
# friction_static = 0.6            # what starts to slide
# friction_kinetic = 0.5           # what slides; at most friction_static
# adhesion = 0.0                   # Pa
# stiffness = 1e5                  # N/m
# damping = 150.0                  # N·s/m

[materials.steel]
density = 7850.0
friction_static = 0.4
friction_kinetic = 0.3

# Two materials in contact use the mean of both, unless a pair says otherwise.
[[material_pairs]]
materials = ["sand", "steel"]
friction_static = 0.35
friction_kinetic = 0.3

# --- grains at the start: block, column, ball, points, rope, cloth, rope_ladder -------------------
[[particles]]
kind = "block"
lower = [-0.5, -0.5, 0.5]          # lowest corner, m
size = [1.0, 1.0, 0.6]             # m
radius = {min = 0.03, max = 0.04}  # or one radius, or {radii = [...], mass_fractions = [...]}
packing = "hexagonal"              # cubic (45 % solid), hexagonal (64 %), random (28 %), dense (61 %)
material = "sand"

# --- obstacles: plane, box, sphere, cylinder, capsule, cone, height_field, mesh, revolution,
#     distance_grid; at rest, or moved by linear, spin, oscillate or keyframes -----------------------
[[obstacles]]
name = "floor"
shape = {kind = "plane", normal = [0.0, 0.0, 1.0], offset = 0.0}
material = "steel"

[[obstacles]]
name = "tub"
shape = {kind = "box", size = [1.6, 1.6, 4.0]}
position = [0.0, 0.0, 2.0]
inside = true                      # a container: grains stay inside
material = "steel"

[[obstacles]]
name = "stirrer"
shape = {kind = "box", size = [0.9, 0.05, 0.2]}
position = [0.0, 0.0, 0.15]
material = "steel"
motion = {kind = "spin", axis = [0.0, 0.0, 1.0], rate = 1.5, start = 1.0}   # rad/s, s

# --- flow: where grains come from and go to while it runs ----------------------------------------
[[emitters]]
name = "spout"
region = {kind = "cylinder", radius = 0.15, height = 0.1}
position = [0.0, 0.0, 2.0]
rate = 200.0                       # grains/s, or mass_rate in kg/s
count = 300                        # grains in all
radius = 0.04
velocity = [0.0, 0.0, -1.0]        # m/s
material = "sand"

# [[sinks]]
# name = "drain"
# region = {kind = "box", size = [1.0, 1.0, 0.2]}
# position = [0.0, 0.0, -1.0]

# Grains outside of the domain are removed and counted.
[domain]
lower = [-5.0, -5.0, -1.0]
upper = [5.0, 5.0, 10.0]

# --- how it is computed and shown ----------------------------------------------------------------
[solver]
name = "ndem"                      # the solver of scenes that name none; "p2" moves low heaps and nets, without forces
dt = 0.016666666666666666          # s
# substeps = 8                     # parts of a step; left out: by stiffness, mass and impact speed
# sleep_speed = 0.01               # m/s below which grains at rest are left out of the sweeps; 0: off

[run]
seconds = 3.0
frame_rate = 30.0                  # Hz
camera = {eye = [3.0, -4.0, 2.5], target = [0.0, 0.0, 0.5], field_of_view_deg = 35.0}
"""
