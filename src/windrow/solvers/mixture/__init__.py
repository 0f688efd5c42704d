"""A liquid and grains together: a solver for each, and what they do to each other."""
