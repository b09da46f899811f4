"""``initializer``: a tensor with deferred initialization."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.tensor import structured_initializer  # noqa: F401  (declares the names 'identity', 'dirac', ...)
from mindspore._engine.tensor.initializer import Initializer, to_initializer
from mindspore._engine.tensor.tensor import Tensor


def initializer(init: Initializer | Tensor | str | float, shape: Any = None, dtype: DType = dtypes.float32) -> Tensor:
    """A tensor that ``init`` fills when a Parameter is made of it, or on ``init_data()``.

    Args:
        init: an Initializer, the name of one (in any case of letters), a number for a constant, or a Tensor, which is
            returned as it is.
        shape: positive integers; one integer means a vector.
        dtype: the dtype of the tensor.

    Examples:
        >>> from mindspore import Parameter
        >>> from mindspore.common.initializer import initializer
        >>> Parameter(initializer('ones', [2, 3]), name='w')
        Parameter (name=w, shape=(2, 3), dtype=Float32, requires_grad=True)
    """
    if isinstance(init, Tensor):
        if shape is not None and init.shape != _lengths(shape):
            raise ValueError(
                "For 'initializer', the shape of the 'init' argument should be same as the argument 'shape', but got "
                f"the 'init' shape {list(init.shape)} and the 'shape' {list(_lengths(shape))}."
            )
        return init
    filler = to_initializer(init)
    if shape is None:
        raise ValueError(
            f"For 'initializer', the argument 'shape' must be given, for example initializer({init!r}, [2, 3])."
        )
    return Tensor(shape=_lengths(shape), dtype=dtype, init=filler)


def _lengths(shape: Any) -> tuple[int, ...]:
    lengths = tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)
    if not all(isinstance(length, (int, np.integer)) and length > 0 for length in lengths):
        raise ValueError(
            "For 'initializer', the argument 'shape' is invalid, the value of 'shape' must be positive integer, but "
            f"got {shape!r}."
        )
    return tuple(int(length) for length in lengths)
