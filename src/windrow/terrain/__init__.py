"""Ground in columns: built, measured, pressed down, and sliding where it is too steep."""
