"""Sparse Tensors (COO, CSR, row) and the operators on them."""
