"""What a frame or a recording amounts to: heaps and slopes, energies, overlaps, flow; and plots of them."""
