"""Kernels on matrices: products, distances of rows, matrices that are turned, their diagonals."""
