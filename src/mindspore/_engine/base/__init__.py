"""What everything else stands on, without Tensors: kernels, dtypes, pytrees, conversion, errors, the trace state."""
