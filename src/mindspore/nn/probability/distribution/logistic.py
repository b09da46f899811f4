"""The logistic distribution."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.distribution._location_scale import LocationScale

__all__ = ["Logistic"]

_SMALLEST = 2.0**-25  # half of the distance between random numbers of [0, 1)


class Logistic(LocationScale):
    """The logistic distribution.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Logistic
        >>> print(Logistic(1.0, 2.0).cdf(Tensor([1.0])))
        [0.5]
    """

    def __init__(self, loc: Any = None, scale: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Logistic"):  # fmt: skip
        super().__init__(loc, scale, seed, dtype, name, dict(locals()))

    def _mean(self, loc: Any = None, scale: Any = None) -> Tensor:
        return self._check_param_type(loc, scale)[0]

    def _sd(self, loc: Any = None, scale: Any = None) -> Tensor:
        return self._check_param_type(loc, scale)[1] * (math.pi / math.sqrt(3))

    def _entropy(self, loc: Any = None, scale: Any = None) -> Tensor:
        return ops.log(self._check_param_type(loc, scale)[1]) + 2

    def _log_prob(self, value: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        standard, scale = self._standard(value, loc, scale)
        return -standard - ops.log(scale) - 2 * ops.softplus(-standard)

    def _cdf(self, value: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        return ops.sigmoid(self._standard(value, loc, scale)[0])

    def _log_cdf(self, value: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        return -ops.softplus(-self._standard(value, loc, scale)[0])

    def _survival_function(self, value: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        return ops.sigmoid(-self._standard(value, loc, scale)[0])

    def _log_survival(self, value: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        return -ops.softplus(self._standard(value, loc, scale)[0])

    def _sample(self, shape: tuple[int, ...] = (), loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        drawn = ops.maximum(self._uniform(shape, loc), _SMALLEST)
        return loc + scale * (ops.log(drawn) - ops.log1p(-drawn))
