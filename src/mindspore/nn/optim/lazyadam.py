"""LazyAdam."""

from __future__ import annotations

from typing import Any

from mindspore.nn.optim.adam import _Adam
from mindspore.nn.optim.optimizer import opt_init_args_register

__all__ = ["LazyAdam"]


class LazyAdam(_Adam):
    """Adam that leaves rows of a table alone that were not looked up: they and their moments stay as they are.

    That is so for gradients made of rows, those of :class:`mindspore.nn.EmbeddingLookup`; for others it is
    :class:`mindspore.nn.Adam`.

    Args:
        params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale: see
            :class:`mindspore.nn.Adam`.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> w = Parameter(Tensor([1.0, 2.0]), name="w")
        >>> _ = nn.LazyAdam([w], learning_rate=0.5)((Tensor([1.0, -1.0]),))
        >>> print(w.asnumpy().round(3))
        [0.5 2.5]
    """

    _is_lazy = True

    @opt_init_args_register
    def __init__(self, params: Any, learning_rate: Any = 1e-3, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-8,
                 use_locking: bool = False, use_nesterov: bool = False, weight_decay: Any = 0.0,
                 loss_scale: float = 1.0):  # fmt: skip
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)
