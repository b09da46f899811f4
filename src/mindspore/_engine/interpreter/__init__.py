"""The tier below XLA: kernels evaluated with NumPy."""
