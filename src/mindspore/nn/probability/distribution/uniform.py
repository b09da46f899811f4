"""The uniform distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["Uniform"]


class Uniform(Distribution):
    """The uniform distribution between ``low`` and ``high``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Uniform
        >>> print(Uniform(0.0, 4.0).prob(Tensor([1.0, 5.0])))
        [0.25 0.  ]
    """

    LABELS: ClassVar[dict[str, str]] = {"low": "low", "high": "high"}

    def __init__(self, low: Any = None, high: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Uniform"):  # fmt: skip
        super().__init__(seed, dtype, name, dict(locals()))
        self._require_floating()
        self._low_value = self._add_parameter(low, "low")
        self._high_value = self._add_parameter(high, "high")
        if self._low_value is not None and self._high_value is not None:
            require_positive(name, "high - low", Tensor(self._high_value - self._low_value))

    @property
    def low(self) -> Tensor | None:
        return self._low_value

    @property
    def high(self) -> Tensor | None:
        return self._high_value

    def _range(self, low: Any = None, high: Any = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return high - low

    def _mean(self, low: Any = None, high: Any = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return (low + high) / 2

    def _var(self, low: Any = None, high: Any = None) -> Tensor:
        return ops.square(self._range(low, high)) / 12

    def _entropy(self, low: Any = None, high: Any = None) -> Tensor:
        return ops.log(self._range(low, high))

    def _prob(self, value: Tensor, low: Any = None, high: Any = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        inside = ops.logical_and(value >= low, value <= high)
        return ops.where(inside, 1 / (high - low), 0.0)

    def _cdf(self, value: Tensor, low: Any = None, high: Any = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return ops.clamp((value - low) / (high - low), 0.0, 1.0)

    def _kl_loss(self, dist: str, low_b: Tensor, high_b: Tensor, low: Any = None, high: Any = None) -> Tensor:
        low_b, high_b = self._check_value(low_b, "low_b"), self._check_value(high_b, "high_b")
        low, high = self._check_param_type(low, high)
        covered = ops.logical_and(low_b <= low, high <= high_b)
        return ops.where(covered, ops.log(high_b - low_b) - ops.log(high - low), float("inf"))

    def _sample(self, shape: tuple[int, ...] = (), low: Any = None, high: Any = None) -> Tensor:
        low, high = self._check_param_type(low, high)
        return low + self._uniform(shape, low) * (high - low)
