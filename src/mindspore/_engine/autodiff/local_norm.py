"""The squared norm of the gradients that this device computed, summed up in a Parameter that programs read and reset."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import jax.numpy as jnp

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.tape import paused
from mindspore._engine.runtime.parallel_context import parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

_add_squares = Kernel(
    "SquaredNorm",
    lambda total, *gradients: total + sum(jnp.square(jnp.abs(g)).sum(dtype=total.dtype) for g in gradients),
)


@cache
def squared_norm() -> Parameter:
    """The Parameter, one for the whole process."""
    return Parameter(Tensor(0.0, dtypes.float32), name="_squared_device_local_norm", requires_grad=False)


def count(gradients: Sequence[Tensor]) -> None:
    """Add the squares of these gradients, if the context asks for it."""
    if gradients and parallel.get("dump_device_local_norm"):
        total = squared_norm()
        with paused():
            total._set(run(_add_squares, [total, *gradients])._read())
