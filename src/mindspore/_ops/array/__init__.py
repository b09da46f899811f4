"""Operators that move elements: shape, joining, slicing, padding, gather, scatter, creation, data-dependent shapes."""
