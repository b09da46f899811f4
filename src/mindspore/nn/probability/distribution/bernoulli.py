"""The Bernoulli distribution."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType, int32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.distribution._success import SuccessProbability

__all__ = ["Bernoulli"]


class Bernoulli(SuccessProbability):
    """1 with probability ``probs``, else 0.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Bernoulli
        >>> print(Bernoulli(0.25).prob(Tensor([0, 1], ms.int32)))
        [0.75 0.25]
    """

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: DType = int32, name: str = "Bernoulli"):
        super().__init__(probs, seed, dtype, name, dict(locals()))

    def _mean(self, probs1: Any = None) -> Tensor:
        return self._check_param_type(probs1)

    def _mode(self, probs1: Any = None) -> Tensor:
        return (self._check_param_type(probs1) > 0.5).astype(self._dtype)

    def _var(self, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return probs * (1 - probs)

    def _entropy(self, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return -(probs * ops.log(probs) + (1 - probs) * ops.log1p(-probs))

    def _log_prob(self, value: Tensor, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return value * ops.log(probs) + (1 - value) * ops.log1p(-probs)

    def _cdf(self, value: Tensor, probs1: Any = None) -> Tensor:
        below = 1 - self._check_param_type(probs1) + 0 * value
        return ops.where(value < 0, 0.0, ops.where(value < 1, below, 1.0))

    def _kl_loss(self, dist: str, probs1_b: Tensor, probs1: Any = None) -> Tensor:
        other, probs = self._check_value(probs1_b, "probs1_b"), self._check_param_type(probs1)
        return probs * ops.log(probs / other) + (1 - probs) * ops.log((1 - probs) / (1 - other))

    def _sample(self, shape: tuple[int, ...] = (), probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return self._uniform(shape, probs) < probs
