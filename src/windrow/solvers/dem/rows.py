"""Where the numbers of a grain are in its rows; `lanes` says what they are for."""

X, R, V, W, SPIN, MATERIAL, LOW = 0, 3, 4, 7, 8, 11, 12
"""Columns of a row."""
V_LOW, SPIN_LOW, FORCE, TORQUE, HOME = 0, 4, 8, 12, 3
"""Columns of a grain's own row; home: every fourth."""
