"""Rigid bodies, joints and their contacts: nonsmooth multibody dynamics."""
