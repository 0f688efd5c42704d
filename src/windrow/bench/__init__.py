"""How fast it is, measured here and now: ratios to this machine's limits and to a yardstick, not bare times."""
