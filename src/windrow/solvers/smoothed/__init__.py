"""What solvers of smoothed particles share: the kernel, lists of neighbours, walls and bodies, motion."""
