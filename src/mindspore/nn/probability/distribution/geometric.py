"""The geometric distribution."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType, int32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.distribution._success import SuccessProbability

__all__ = ["Geometric"]


class Geometric(SuccessProbability):
    """The number of failures before the first success, which has probability ``probs`` each time.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Geometric
        >>> print(Geometric(0.5).prob(Tensor([0, 1, 2], ms.int32)))
        [0.5   0.25  0.125]
    """

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: DType = int32, name: str = "Geometric"):
        super().__init__(probs, seed, dtype, name, dict(locals()))

    def _mean(self, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return (1 - probs) / probs

    def _mode(self, probs1: Any = None) -> Tensor:
        return ops.zeros_like(self._check_param_type(probs1)).astype(self._dtype)

    def _var(self, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return (1 - probs) / ops.square(probs)

    def _entropy(self, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return -((1 - probs) * ops.log1p(-probs) + probs * ops.log(probs)) / probs

    def _prob(self, value: Tensor, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return ops.where(value < 0, 0.0, probs * ops.exp(ops.floor(value) * ops.log1p(-probs)))

    def _cdf(self, value: Tensor, probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return ops.where(value < 0, 0.0, -ops.expm1((ops.floor(value) + 1) * ops.log1p(-probs)))

    def _kl_loss(self, dist: str, probs1_b: Tensor, probs1: Any = None) -> Tensor:
        other, probs = self._check_value(probs1_b, "probs1_b"), self._check_param_type(probs1)
        return ops.log(probs / other) + (1 - probs) / probs * ops.log((1 - probs) / (1 - other))

    def _sample(self, shape: tuple[int, ...] = (), probs1: Any = None) -> Tensor:
        probs = self._check_param_type(probs1)
        return ops.floor(ops.log1p(-self._uniform(shape, probs)) / ops.log1p(-probs))
