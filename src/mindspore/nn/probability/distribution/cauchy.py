"""The Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.distribution._location_scale import LocationScale

__all__ = ["Cauchy"]


class Cauchy(LocationScale):
    """The Cauchy distribution, which has no mean and no variance.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Cauchy
        >>> print(Cauchy(1.0, 2.0).cdf(Tensor([1.0, 3.0])))
        [0.5  0.75]
    """

    def __init__(self, loc: Any = None, scale: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Cauchy"):  # fmt: skip
        super().__init__(loc, scale, seed, dtype, name, dict(locals()))

    def _mean(self, *args: Any, **kwargs: Any) -> Tensor:
        raise ValueError(f"The mean is undefined for the {self._name} distribution.")

    def _sd(self, *args: Any, **kwargs: Any) -> Tensor:
        raise ValueError(f"The standard deviation is undefined for the {self._name} distribution.")

    def _var(self, *args: Any, **kwargs: Any) -> Tensor:
        raise ValueError(f"The variance is undefined for the {self._name} distribution.")

    def _entropy(self, loc: Any = None, scale: Any = None) -> Tensor:
        return ops.log(self._check_param_type(loc, scale)[1]) + math.log(4 * math.pi)

    def _log_prob(self, value: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        standard, scale = self._standard(value, loc, scale)
        return -math.log(math.pi) - ops.log(scale) - ops.log1p(ops.square(standard))

    def _cdf(self, value: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        return ops.atan(self._standard(value, loc, scale)[0]) / math.pi + 0.5

    def _kl_loss(self, dist: str, loc_b: Tensor, scale_b: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        other, other_scale = self._check_value(loc_b, "loc_b"), self._check_value(scale_b, "scale_b")
        loc, scale = self._check_param_type(loc, scale)
        return ops.log((ops.square(scale + other_scale) + ops.square(loc - other)) / (4 * scale * other_scale))

    def _sample(self, shape: tuple[int, ...] = (), loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return loc + scale * ops.tan(math.pi * (self._uniform(shape, loc) - 0.5))
