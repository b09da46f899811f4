"""The exponential distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["Exponential"]


class Exponential(Distribution):
    """The exponential distribution with density ``rate * exp(-rate * x)``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Exponential
        >>> print(Exponential(2.0).log_survival(Tensor([1.0, 3.0])))
        [-2. -6.]
    """

    LABELS: ClassVar[dict[str, str]] = {"rate": "rate"}

    def __init__(self, rate: Any = None, seed: int | None = None, dtype: DType = float32, name: str = "Exponential"):
        super().__init__(seed, dtype, name, dict(locals()))
        self._require_floating()
        self._rate_value = self._add_parameter(rate, "rate")
        require_positive(name, "rate", self._rate_value)

    @property
    def rate(self) -> Tensor | None:
        return self._rate_value

    def _mean(self, rate: Any = None) -> Tensor:
        return 1 / self._check_param_type(rate)

    def _mode(self, rate: Any = None) -> Tensor:
        return ops.zeros_like(self._check_param_type(rate))

    def _sd(self, rate: Any = None) -> Tensor:
        return 1 / self._check_param_type(rate)

    def _entropy(self, rate: Any = None) -> Tensor:
        return 1 - ops.log(self._check_param_type(rate))

    def _log_prob(self, value: Tensor, rate: Any = None) -> Tensor:
        rate = self._check_param_type(rate)
        return ops.where(value < 0, float("-inf"), ops.log(rate) - rate * value)

    def _cdf(self, value: Tensor, rate: Any = None) -> Tensor:
        return -ops.expm1(self._log_survival(value, rate))

    def _log_survival(self, value: Tensor, rate: Any = None) -> Tensor:
        return ops.where(value < 0, 0.0, -self._check_param_type(rate) * value)

    def _kl_loss(self, dist: str, rate_b: Tensor, rate: Any = None) -> Tensor:
        other, rate = self._check_value(rate_b, "rate_b"), self._check_param_type(rate)
        return ops.log(rate) - ops.log(other) + other / rate - 1

    def _sample(self, shape: tuple[int, ...] = (), rate: Any = None) -> Tensor:
        rate = self._check_param_type(rate)
        return -ops.log1p(-self._uniform(shape, rate)) / rate
