"""The log-normal distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.bijector.exp import Exp
from mindspore.nn.probability.distribution._location_scale import LocationScaleMembers
from mindspore.nn.probability.distribution.normal import Normal
from mindspore.nn.probability.distribution.transformed_distribution import TransformedDistribution

__all__ = ["LogNormal"]


class LogNormal(LocationScaleMembers, TransformedDistribution):
    """The exponential of a normal distribution with mean ``loc`` and standard deviation ``scale``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import LogNormal
        >>> print(LogNormal(0.0, 1.0).cdf(Tensor([1.0])))
        [0.5]
    """

    LABELS: ClassVar[dict[str, str]] = {"loc": "loc", "scale": "scale"}

    def __init__(self, loc: Any = None, scale: Any = None, seed: int | None = 0, dtype: DType = float32,
                 name: str = "LogNormal"):  # fmt: skip
        super().__init__(Exp(), Normal(loc, scale, seed, dtype), seed, name)
        self._add_location_scale(loc, scale)

    def _mean(self, loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return ops.exp(loc + 0.5 * ops.square(scale))

    def _mode(self, loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return ops.exp(loc - ops.square(scale))

    def _var(self, loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return ops.expm1(ops.square(scale)) * ops.exp(2 * loc + ops.square(scale))

    def _entropy(self, loc: Any = None, scale: Any = None) -> Tensor:
        loc, scale = self._check_param_type(loc, scale)
        return self._distribution.entropy(loc, scale) + loc

    def _kl_loss(self, dist: str, loc_b: Tensor, scale_b: Tensor, loc: Any = None, scale: Any = None) -> Tensor:
        return self._distribution.kl_loss("Normal", loc_b, scale_b, *self._check_param_type(loc, scale))
