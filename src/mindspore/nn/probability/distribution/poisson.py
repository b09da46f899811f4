"""The Poisson distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["Poisson"]


class Poisson(Distribution):
    """The number of events of which ``rate`` are expected.

    Examples:
        >>> from mindspore.nn.probability.distribution import Poisson
        >>> print(Poisson([2.5]).mean(), Poisson([2.5]).mode())
        [2.5] [2.]
    """

    LABELS: ClassVar[dict[str, str]] = {"rate": "rate"}

    def __init__(self, rate: Any = None, seed: int | None = None, dtype: DType = float32, name: str = "Poisson"):
        super().__init__(seed, dtype, name, dict(locals()))
        self._rate_value = self._add_parameter(rate, "rate")
        require_positive(name, "rate", self._rate_value)
        self._poisson = ops.Poisson(self._seed)

    @property
    def rate(self) -> Tensor | None:
        return self._rate_value

    def _mean(self, rate: Any = None) -> Tensor:
        return self._check_param_type(rate)

    def _mode(self, rate: Any = None) -> Tensor:
        return ops.floor(self._check_param_type(rate))

    def _var(self, rate: Any = None) -> Tensor:
        return self._check_param_type(rate)

    def _log_prob(self, value: Tensor, rate: Any = None) -> Tensor:
        rate = self._check_param_type(rate)
        count = ops.maximum(value, 0.0)
        return ops.where(value < 0, float("-inf"), ops.xlogy(count, rate) - rate - ops.lgamma(count + 1))

    def _cdf(self, value: Tensor, rate: Any = None) -> Tensor:
        rate = self._check_param_type(rate)
        return ops.where(value < 0, 0.0, ops.igammac(ops.maximum(value, 0.0) + 1, rate))

    def _sample(self, shape: tuple[int, ...] = (), rate: Any = None) -> Tensor:
        rate = self._check_param_type(rate)
        return self._poisson(shape + rate.shape, rate)
