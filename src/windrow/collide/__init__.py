"""Who touches whom: the grid, neighbour lists, and grains against shapes."""
