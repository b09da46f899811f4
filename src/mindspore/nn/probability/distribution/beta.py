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
        one, zero = self._check_param_type(concentration1, concentration0)
        return one / (one + zero)

    def _var(self, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        one, zero = self._check_param_type(concentration1, concentration0)
        total = one + zero
        return one * zero / (ops.square(total) * (total + 1))

    def _mode(self, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        one, zero = self._check_param_type(concentration1, concentration0)
        single = ops.logical_and(one > 1, zero > 1)
        return ops.where(single, (one - 1) / ops.where(single, one + zero - 2, 1.0), float("nan"))

    def _entropy(self, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        one, zero = self._check_param_type(concentration1, concentration0)
        total = (one + zero - 2) * ops.digamma(one + zero)
        return _log_beta(one, zero) - (one - 1) * ops.digamma(one) - (zero - 1) * ops.digamma(zero) + total

    def _log_prob(self, value: Tensor, concentration1: Any = None, concentration0: Any = None) -> Tensor:
        one, zero = self._check_param_type(concentration1, concentration0)
        return ops.xlogy(one - 1, value) + ops.xlogy(zero - 1, 1 - value) - _log_beta(one, zero)

    def _kl_loss(self, dist: str, concentration1_b: Tensor, concentration0_b: Tensor, concentration1: Any = None,
                 concentration0: Any = None) -> Tensor:  # fmt: skip
        other_one = self._check_value(concentration1_b, "concentration1_b")
        other_zero = self._check_value(concentration0_b, "concentration0_b")
        one, zero = self._check_param_type(concentration1, concentration0)
        by_one = (one - other_one) * ops.digamma(one)
        by_zero = (zero - other_zero) * ops.digamma(zero)
        by_both = (other_one + other_zero - one - zero) * ops.digamma(one + zero)
        return _log_beta(other_one, other_zero) - _log_beta(one, zero) + by_one + by_zero + by_both

    def _sample(self, shape: tuple[int, ...] = (), concentration1: Any = None, concentration0: Any = None) -> Tensor:
        one, zero = self._check_param_type(concentration1, concentration0)
        unit = ops.ones_like(one)
        first, second = (self._gamma(shape + one.shape, each, unit) for each in (one, zero))
        return first / (first + second)
