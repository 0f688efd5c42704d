"""The scorecard: scenarios that hold the simulator against laws and published values."""
