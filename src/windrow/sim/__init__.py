"""The simulation: one step, in one direction, and the loop around it."""
