"""NDEM: nonsmooth contacts with memory, for deep soil and real tool forces."""
