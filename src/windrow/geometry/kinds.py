"""The integer that stands for each shape inside compiled code; scene files only ever use the name."""

from __future__ import annotations

PLANE = 0
BOX = 1
SPHERE = 2
CYLINDER = 3
CAPSULE = 4
CONE = 5
HEIGHT_FIELD = 6
MESH = 7
REVOLUTION = 8
DISTANCE_GRID = 9

KIND_OF_NAME = {
    "plane": PLANE,
    "box": BOX,
    "sphere": SPHERE,
    "cylinder": CYLINDER,
    "capsule": CAPSULE,
    "cone": CONE,
    "height_field": HEIGHT_FIELD,
    "mesh": MESH,
    "revolution": REVOLUTION,
    "distance_grid": DISTANCE_GRID,
}

KIND, FACING, SIZES, PLACES, COLUMNS = 0, 1, 2, 8, 13
"""Columns of ShapeTable.param: the kind, +1 solid or −1 container, from SIZES on up to six lengths of the
shape, from PLACES on up to five places and counts in ShapeTable.numbers, and the number of columns."""

FAR = 1e30
"""Distance reported when nothing was found within the limit asked for, m."""
