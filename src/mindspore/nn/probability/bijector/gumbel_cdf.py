"""The cumulative distribution of Gumbel's distribution."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import described, require_positive
from mindspore.nn.probability.bijector.bijector import Bijector

__all__ = ["GumbelCDF"]


class GumbelCDF(Bijector):
    """``exp(-exp((loc - x) / scale))``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.bijector import GumbelCDF
        >>> print(GumbelCDF(1.0, 2.0).forward(Tensor([1.0])).round(4))
        [0.3679]
    """

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF"):
        super().__init__(name=name, param=dict(locals()))
        self._loc_value = self._add_parameter(loc, "loc")
        self._scale_value = self._add_parameter(scale, "scale")
        require_positive(name, "scale", self._scale_value)

    @property
    def loc(self) -> Tensor:
        return self._loc_value

    @property
    def scale(self) -> Tensor:
        return self._scale_value

    def extend_repr(self) -> str:
        return described({"loc": self._loc_value, "scale": self._scale_value})

    def _both(self, value: Tensor) -> tuple[Tensor, Tensor]:
        return self._loc_value.astype(value.dtype), self._scale_value.astype(value.dtype)

    def _forward(self, value: Tensor) -> Tensor:
        loc, scale = self._both(value)
        return ops.exp(-ops.exp((loc - value) / scale))

    def _inverse(self, value: Tensor) -> Tensor:
        loc, scale = self._both(value)
        return loc - scale * ops.log(-ops.log(value))

    def _forward_log_jacobian(self, value: Tensor) -> Tensor:
        loc, scale = self._both(value)
        standard = (value - loc) / scale
        return -standard - ops.exp(-standard) - ops.log(scale)

    def _inverse_log_jacobian(self, value: Tensor) -> Tensor:
        _, scale = self._both(value)
        return ops.log(scale / (-value * ops.log(value)))
