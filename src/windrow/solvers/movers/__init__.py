"""Where grains and rigid bodies meet: each solver feels the other's mass, and momentum is exchanged exactly."""
