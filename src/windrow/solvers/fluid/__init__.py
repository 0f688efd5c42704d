"""The constraint fluid: incompressible particles, walls and bodies in one solve."""
