"""The beta distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["Beta"]


def _log_beta(x: Tensor, y: Tensor) -> Tensor:
    return ops.lgamma(x) + ops.lgamma(y) - ops.lgamma(x + y)


class Beta(Distribution):
    """The beta distribution; ``concentration1`` belongs to values near 1, ``concentration0`` to those near 0.

    Examples:
        >>> from mindspore.nn.probability.distribution import Beta
        >>> print(Beta([1.0], [3.0]).mean())
        [0.25]
    """

    LABELS: ClassVar[dict[str, str]] = {"concentration1": "concentration1", "concentration0": "concentration0"}

    def __init__(self, concentration1: Any = None, concentration0: Any = None, seed: int | None = None,
                 dtype: DType = float32, name: str = "Beta"):  # fmt: skip
        super().__init__(seed, dtype, name, dict(locals()))
        self._require_floating()
        self._concentration1_value = self._add_parameter(concentration1, "concentration1")
        self._concentration0_value = self._add_parameter(concentration0, "concentration0")
        require_positive(name, "concentration1", self._concentration1_value)
        require_positive(name, "concentration0", self._concentration0_value)
        self._gamma = ops.Gamma(self._seed)

    @property
    def concentration1(self) -> Tensor | None:
        return self._concentration1_value

    @property
    def concentration0(self) -> Tensor | None:
        return self._concentration0_value

    def _mean(self, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        return alpha / (alpha + beta)

    def _var(self, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        total = alpha + beta
        return alpha * beta / (ops.square(total) * (total + 1))

    def _mode(self, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        single = ops.logical_and(alpha > 1, beta > 1)
        return ops.where(single, (alpha - 1) / ops.where(single, alpha + beta - 2, 1.0), float("nan"))

    def _entropy(self, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        total = (alpha + beta - 2) * ops.digamma(alpha + beta)
        return _log_beta(alpha, beta) - (alpha - 1) * ops.digamma(alpha) - (beta - 1) * ops.digamma(beta) + total

    def _log_prob(self, value: Tensor, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        return ops.xlogy(alpha - 1, value) + ops.xlogy(beta - 1, 1 - value) - _log_beta(alpha, beta)

    def _kl_loss(self, dist: str, concentration1_b: Tensor, concentration0_b: Tensor, concentration1: Any = None,
                 concentration0: Any = None) -> Tensor:  # fmt: skip
        other_alpha = self._check_value(concentration1_b, "concentration1_b")
        other_beta = self._check_value(concentration0_b, "concentration0_b")
        alpha, beta = self._check_param_type(concentration1, concentration0)
        by_alpha = (alpha - other_alpha) * ops.digamma(alpha)
        by_beta = (beta - other_beta) * ops.digamma(beta)
        by_both = (other_alpha + other_beta - alpha - beta) * ops.digamma(alpha + beta)
        return _log_beta(other_alpha, other_beta) - _log_beta(alpha, beta) + by_alpha + by_beta + by_both

    def _sample(self, shape: tuple[int, ...] = (), concentration1: Any = None, concentration0: Any = None) -> Tensor:
        alpha, beta = self._check_param_type(concentration1, concentration0)
        unit = ops.ones_like(alpha)
        first, second = (self._gamma(shape + alpha.shape, each, unit) for each in (alpha, beta))
        return first / (first + second)
