"""The categorical distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import DType, int32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_all
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["Categorical"]


class Categorical(Distribution):
    """The numbers 0, 1, ... with the probabilities along the last axis of ``probs``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Categorical
        >>> print(Categorical([0.25, 0.75]).prob(Tensor([1, 0], ms.int32)))
        [0.75 0.25]
    """

    def __init__(self, probs: Any = None, seed: int | None = None, dtype: DType = int32, name: str = "Categorical"):
        super().__init__(seed, dtype, name, dict(locals()))
        self._probs_value = self._add_parameter(probs, "probs")
        require_all(name, "probs", self._probs_value, lambda numbers: numbers > 0, "greater than 0")
        sums_to_one = "numbers that sum to 1 along the last axis"
        require_all(name, "probs", self._probs_value, lambda p: np.isclose(p.sum(-1), 1, atol=1e-3), sums_to_one)

    @property
    def probs(self) -> Tensor | None:
        return self._probs_value

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The shape of ``probs`` without the axis of the categories, None while it is left to the calls."""
        return None if self._probs_value is None else self._probs_value.shape[:-1]

    @property
    def is_scalar_batch(self) -> bool:
        """Whether there is one set of probabilities."""
        return not self.batch_shape

    def extend_repr(self) -> str:
        if self._probs_value is None or self.batch_shape == ():
            return f"probs = {self._probs_value}"
        return f"batch_shape = {self.batch_shape}"

    def _numbers(self, probs: Tensor) -> Tensor:
        return ops.arange(probs.shape[-1]).astype(self.parameter_type)

    def _mean(self, probs: Any = None) -> Tensor:
        weights = self._check_param_type(probs)
        return (weights * self._numbers(weights)).sum(-1, keepdims=True)

    def _mode(self, probs: Any = None) -> Tensor:
        return ops.argmax(self._check_param_type(probs), -1).astype(self._dtype)

    def _var(self, probs: Any = None) -> Tensor:
        weights = self._check_param_type(probs)
        squares = ops.square(self._numbers(weights) - self._mean(weights))
        return (weights * squares).sum(-1, keepdims=True)

    def _entropy(self, probs: Any = None) -> Tensor:
        weights = self._check_param_type(probs)
        return -ops.xlogy(weights, weights).sum(-1)

    def _prob(self, value: Tensor, probs: Any = None) -> Tensor:
        weights = self._check_param_type(probs)
        number = ops.floor(value)
        chosen = (number.expand_dims(-1) == self._numbers(weights)).astype(self.parameter_type)
        exists = ops.logical_and(number >= 0, number < weights.shape[-1])
        return ops.where(exists, (chosen * weights).sum(-1), math.nan)

    def _cdf(self, value: Tensor, probs: Any = None) -> Tensor:
        weights = self._check_param_type(probs)
        counted = self._numbers(weights) <= ops.floor(value).expand_dims(-1)
        return (counted.astype(self.parameter_type) * weights).sum(-1)

    def _kl_loss(self, dist: str, probs_b: Tensor, probs: Any = None) -> Tensor:
        other, weights = self._check_value(probs_b, "probs_b"), self._check_param_type(probs)
        return (weights * (ops.log(weights) - ops.log(other))).sum(-1)

    def _sample(self, shape: tuple[int, ...] = (), probs: Any = None) -> Tensor:
        weights = self._check_param_type(probs)
        # inverse CDF: the first index whose cumulative probability exceeds a uniform sample
        drawn = self._uniform(shape, weights[..., 0]).expand_dims(-1)
        passed = drawn >= ops.cumsum(weights, -1)[..., :-1]
        return passed.astype(int32).sum(-1)
