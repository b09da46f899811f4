"""Gradients of padding."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.operator.arguments import Array, Shape
from mindspore._ops.array.padding import mirror_pad, pad, pad_any_mode
from mindspore._ops.declaring.gradient_primitives import gradient, pull, pull_from


@gradient("MirrorPadGrad", ("mode",))
def mirror_pad_grad(dy: Array, paddings: Any, mode: str = "REFLECT"):
    """The gradient of ``MirrorPad``."""
    pairs = tuple(map(tuple, np.asarray(paddings).tolist()))
    shape = tuple(length - sum(pair) for length, pair in zip(dy.shape, pairs, strict=True))
    return pull_from(mirror_pad, shape, dy, paddings=pairs, mode=mode)


@gradient("PadV3Grad", ("mode", "paddings_contiguous"))
def pad_v3_grad(x: Array, paddings: Shape, mode: str = "reflect", paddings_contiguous: bool = True):
    """The gradient of ``PadV3``; ``x`` is the cotangent."""
    half = len(paddings) // 2
    before, after = (paddings[::2], paddings[1::2]) if paddings_contiguous else (paddings[:half], paddings[half:])
    shape = list(x.shape)
    for axis, numbers in enumerate(zip(before, after, strict=True)):  # the last axis comes first
        shape[-1 - axis] -= sum(numbers)
    return pull_from(pad_any_mode, shape, x, paddings=paddings, mode=mode, paddings_contiguous=paddings_contiguous)


@gradient(("ReflectionPad1DGrad", "ReflectionPad2DGrad", "ReflectionPad3DGrad"))
def reflection_pad_grad(grad_output: Array, input: Array, padding: Shape):
    return pull(pad, grad_output, input, padding=padding, mode="reflect")


@gradient(("ReplicationPad1DGrad", "ReplicationPad2DGrad", "ReplicationPad3DGrad"))
def replication_pad_grad(grad_output: Array, input: Array, padding: Shape):
    return pull(pad, grad_output, input, padding=padding, mode="replicate")
