"""Pictures and films of a simulation, drawn without a graphics card."""
