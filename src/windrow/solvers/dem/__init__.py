"""Discrete elements: spheres that rotate, with contacts that remember."""
