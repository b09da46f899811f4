"""The Gumbel distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.bijector.gumbel_cdf import GumbelCDF
from mindspore.nn.probability.bijector.invert import Invert
from mindspore.nn.probability.distribution._location_scale import LocationScaleMembers
from mindspore.nn.probability.distribution.transformed_distribution import TransformedDistribution
from mindspore.nn.probability.distribution.uniform import Uniform

__all__ = ["Gumbel"]

_SMALLEST = 2.0**-25  # half of the distance between random numbers of [0, 1)


class Gumbel(LocationScaleMembers, TransformedDistribution):
    """The Gumbel distribution: of the largest of many values.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Gumbel
        >>> print(Gumbel(0.0, 1.0).log_cdf(Tensor([0.0])))
        [-1.]
    """

    LABELS: ClassVar[dict[str, str]] = {"loc": "loc", "scale": "scale"}

    def __init__(self, loc: Any, scale: Any, seed: int | None = 0, dtype: DType = float32, name: str = "Gumbel"):
        cumulative = GumbelCDF(loc, scale)
        super().__init__(Invert(cumulative), Uniform(0.0, 1.0, seed, dtype), seed, name)
        self._gumbel_bijector = cumulative
        self._add_location_scale(loc, scale)

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        return self._gumbel_bijector.batch_shape

    def _both(self) -> tuple[Tensor, Tensor]:
        return self._check_param_type(None, None)

    def _mean(self) -> Tensor:
        loc, scale = self._both()
        return loc + scale * np.euler_gamma

    def _mode(self) -> Tensor:
        return self._both()[0]

    def _sd(self) -> Tensor:
        return self._both()[1] * (math.pi / math.sqrt(6))

    def _entropy(self) -> Tensor:
        return ops.log(self._both()[1]) + (1 + np.euler_gamma)

    def _log_prob(self, value: Tensor) -> Tensor:
        return self._gumbel_bijector.forward_log_jacobian(value)

    def _cdf(self, value: Tensor) -> Tensor:
        return self._gumbel_bijector.forward(value)

    def _log_cdf(self, value: Tensor) -> Tensor:
        loc, scale = self._both()
        return -ops.exp((loc - value) / scale)

    def _survival_function(self, value: Tensor) -> Tensor:
        return -ops.expm1(self._log_cdf(value))

    def _log_survival(self, value: Tensor) -> Tensor:
        return ops.log(self._survival_function(value))

    def _kl_loss(self, dist: str, loc_b: Tensor, scale_b: Tensor) -> Tensor:
        other, other_scale = self._check_value(loc_b, "loc_b"), self._check_value(scale_b, "scale_b")
        loc, scale = self._both()
        ratio = scale / other_scale
        shift = (other - loc) / other_scale
        by_scale = -ops.log(ratio) + np.euler_gamma * (ratio - 1)
        return by_scale + ops.expm1(shift + ops.lgamma(ratio + 1)) - shift

    def _sample(self, shape: tuple[int, ...] = ()) -> Tensor:
        loc, _ = self._both()
        return self._bijector.forward(ops.maximum(self._uniform(shape, loc), _SMALLEST))
