"""A factor and a shift."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import described
from mindspore.nn.probability.bijector.bijector import Bijector

__all__ = ["ScalarAffine"]


class ScalarAffine(Bijector):
    """``scale * x + shift``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.bijector import ScalarAffine
        >>> print(ScalarAffine(2.0, 1.0).forward(Tensor([3.0])))
        [7.]
    """

    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine"):
        super().__init__(True, True, name, None, dict(locals()))
        self._scale_value = self._add_parameter(scale, "scale")
        self._shift_value = self._add_parameter(shift, "shift")

    @property
    def scale(self) -> Tensor:
        return self._scale_value

    @property
    def shift(self) -> Tensor:
        return self._shift_value

    def extend_repr(self) -> str:
        return described({"scale": self._scale_value, "shift": self._shift_value})

    def _forward(self, value: Tensor) -> Tensor:
        return value * self._scale_value.astype(value.dtype) + self._shift_value.astype(value.dtype)

    def _inverse(self, value: Tensor) -> Tensor:
        return (value - self._shift_value.astype(value.dtype)) / self._scale_value.astype(value.dtype)

    def _forward_log_jacobian(self, value: Tensor) -> Tensor:
        return ops.log(ops.abs(self._scale_value.astype(value.dtype)))
