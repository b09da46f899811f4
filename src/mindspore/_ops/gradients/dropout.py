"""Gradients of dropout, from its mask."""

from __future__ import annotations

import jax.numpy as jnp

from mindspore._engine.operator.arguments import Array
from mindspore._ops.declaring.gradient_primitives import gradient


@gradient("DropoutGrad", ("keep_prob",))
def dropout_grad(dy: Array, mask: Array, keep_prob: float = 0.5):
    """The gradient of ``Dropout``."""
    return (dy * mask.astype(dy.dtype) / keep_prob).astype(dy.dtype)


@gradient("DropoutGradExt")
def dropout_grad_ext(input: Array, mask: Array, p: float):
    """The gradient of ``DropoutExt``; the mask has a bit per element, or a single element."""
    if mask.shape != input.shape:
        bits = jnp.unpackbits(mask.reshape(-1).view(jnp.uint8), bitorder="little")
        mask = bits[: input.size].reshape(input.shape)
    return input * mask.astype(input.dtype) / (1 - p) if p < 1 else jnp.zeros_like(input)
