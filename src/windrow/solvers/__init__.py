"""The solvers: each turns one state into the next."""
