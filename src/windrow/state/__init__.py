"""What the simulation is: `Model` does not change in a run, `State` is all that the next step needs."""
