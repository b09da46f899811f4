"""Kernels on elements at indices: slices that are read and written, indices that are checked."""
