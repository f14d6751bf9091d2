"""A small camera over a tray of dice, simulated with NumPy and OpenCV alone."""
