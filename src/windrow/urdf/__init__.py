"""Machines from and to URDF, the format in which robots are described."""
