"""What works with machines: operators that move their controls, and readings of what they carry."""
