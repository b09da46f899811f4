"""Operators of layers: activations, convolution, pooling, normalization, dropout, recurrence, losses, CTC."""
