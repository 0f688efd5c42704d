"""LAMMPS as another engine for scenes of discrete elements: decks, runs on MPI ranks, and recordings of what came out.

refusing → contacts, walls → deck (text of the input script and data file) → program, driving → dump → runs
"""
