"""Foundations without Tensors: kernels, dtypes, pytrees, conversion, errors, the trace state."""
