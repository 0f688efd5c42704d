"""P²: position-based granular matter (Holz 2014)."""
