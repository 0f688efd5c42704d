"""Obstacle shapes as numbers: distance, closest point, crossing, and the triangles that show them."""
