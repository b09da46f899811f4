"""NumPy-like functions."""
