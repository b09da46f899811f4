"""The gamma distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["Gamma"]


class Gamma(Distribution):
    """The gamma distribution with shape ``concentration`` and ``rate``.

    Examples:
        >>> from mindspore.nn.probability.distribution import Gamma
        >>> print(Gamma([2.0], [4.0]).mean(), Gamma([2.0], [4.0]).mode())
        [0.5] [0.25]
    """

    LABELS: ClassVar[dict[str, str]] = {"concentration": "concentration", "rate": "rate"}

    def __init__(self, concentration: Any = None, rate: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Gamma"):  # fmt: skip
        super().__init__(seed, dtype, name, dict(locals()))
        self._require_floating()
        self._concentration_value = self._add_parameter(concentration, "concentration")
        self._rate_value = self._add_parameter(rate, "rate")
        require_positive(name, "concentration", self._concentration_value)
        require_positive(name, "rate", self._rate_value)
        self._gamma = ops.Gamma(self._seed)

    @property
    def concentration(self) -> Tensor | None:
        return self._concentration_value

    @property
    def rate(self) -> Tensor | None:
        return self._rate_value

    def _mean(self, concentration: Any = None, rate: Any = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return concentration / rate

    def _var(self, concentration: Any = None, rate: Any = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return concentration / ops.square(rate)

    def _mode(self, concentration: Any = None, rate: Any = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return ops.where(concentration > 1, (concentration - 1) / rate, float("nan"))

    def _entropy(self, concentration: Any = None, rate: Any = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        spread = (1 - concentration) * ops.digamma(concentration)
        return concentration - ops.log(rate) + ops.lgamma(concentration) + spread

    def _log_prob(self, value: Tensor, concentration: Any = None, rate: Any = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        constant = concentration * ops.log(rate) - ops.lgamma(concentration)
        return constant + ops.xlogy(concentration - 1, value) - rate * value

    def _cdf(self, value: Tensor, concentration: Any = None, rate: Any = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return ops.igamma(concentration, rate * value)

    def _kl_loss(self, dist: str, concentration_b: Tensor, rate_b: Tensor, concentration: Any = None,
                 rate: Any = None) -> Tensor:  # fmt: skip
        other, other_rate = self._check_value(concentration_b, "concentration_b"), self._check_value(rate_b, "rate_b")
        concentration, rate = self._check_param_type(concentration, rate)
        by_shape = (concentration - other) * ops.digamma(concentration) + ops.lgamma(other) - ops.lgamma(concentration)
        return by_shape + other * ops.log(rate / other_rate) + concentration * (other_rate / rate - 1)

    def _sample(self, shape: tuple[int, ...] = (), concentration: Any = None, rate: Any = None) -> Tensor:
        concentration, rate = self._check_param_type(concentration, rate)
        return self._gamma(shape + concentration.shape, concentration, rate)
