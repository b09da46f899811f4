"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["Normal"]

_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


class Normal(Distribution):
    """The normal distribution.

    Args:
        mean: the mean.
        sd: the standard deviation, above 0.
        seed: of samples; None for the global random state.
        dtype: a floating-point dtype.
        name: of the distribution.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Normal
        >>> print(Normal(0.0, 1.0).cdf(Tensor([0.0])), Normal(0.0, 1.0).sample((2, 3)).shape)
        [0.5] (2, 3)
    """

    LABELS: ClassVar[dict[str, str]] = {"mean": "mean", "sd": "standard deviation"}

    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Normal"):  # fmt: skip
        super().__init__(seed, dtype, name, dict(locals()))
        self._require_floating()
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        require_positive(name, "sd", self._sd_value)
        self._standard_normal = ops.StandardNormal(self._seed)

    def _mean(self, mean: Any = None, sd: Any = None) -> Tensor:
        return self._check_param_type(mean, sd)[0]

    def _mode(self, mean: Any = None, sd: Any = None) -> Tensor:
        return self._check_param_type(mean, sd)[0]

    def _sd(self, mean: Any = None, sd: Any = None) -> Tensor:
        return self._check_param_type(mean, sd)[1]

    def _entropy(self, mean: Any = None, sd: Any = None) -> Tensor:
        return ops.log(self._check_param_type(mean, sd)[1]) + (0.5 + _HALF_LOG_TWO_PI)

    def _log_prob(self, value: Tensor, mean: Any = None, sd: Any = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return -0.5 * ops.square((value - mean) / sd) - ops.log(sd) - _HALF_LOG_TWO_PI

    def _cdf(self, value: Tensor, mean: Any = None, sd: Any = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return 0.5 * ops.erfc((mean - value) / (sd * math.sqrt(2)))

    def _survival_function(self, value: Tensor, mean: Any = None, sd: Any = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return 0.5 * ops.erfc((value - mean) / (sd * math.sqrt(2)))  # exact in the tail, where 1 - cdf is not

    def _kl_loss(self, dist: str, mean_b: Tensor, sd_b: Tensor, mean: Any = None, sd: Any = None) -> Tensor:
        mean_b, sd_b = self._check_value(mean_b, "mean_b"), self._check_value(sd_b, "sd_b")
        mean, sd = self._check_param_type(mean, sd)
        ratio = sd / sd_b
        return 0.5 * ops.square((mean - mean_b) / sd_b) + 0.5 * (ops.square(ratio) - 1) - ops.log(ratio)

    def _sample(self, shape: tuple[int, ...] = (), mean: Any = None, sd: Any = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return mean + self._standard_normal(shape + mean.shape) * sd
