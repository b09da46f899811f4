"""Kernels as programs of the C++ part."""
