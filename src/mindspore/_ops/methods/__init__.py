"""Tensor methods that are no operators of their own: views, in-place forms, memory, creation."""
