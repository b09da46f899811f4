"""The smooth ramp."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.common.tensor import Tensor
from mindspore.nn.layer.activation import LogSigmoid
from mindspore.nn.probability._parameters import described
from mindspore.nn.probability.bijector.bijector import Bijector

__all__ = ["Softplus"]


class Softplus(Bijector):
    """``log(1 + exp(sharpness * x)) / sharpness``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.bijector import Softplus
        >>> print(Softplus(2.0).forward(Tensor([0.0])))
        [0.3465736]
    """

    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus"):
        super().__init__(name=name, param=dict(locals()))
        self._sharpness_value = self._add_parameter(sharpness, "sharpness")
        self.log_sigmoid = LogSigmoid()

    @property
    def sharpness(self) -> Tensor:
        return self._sharpness_value

    def extend_repr(self) -> str:
        return described({"sharpness": self._sharpness_value})

    def _forward(self, value: Tensor) -> Tensor:
        sharpness = self._sharpness_value.astype(value.dtype)
        return -self.log_sigmoid(-sharpness * value) / sharpness

    def _inverse(self, value: Tensor) -> Tensor:
        sharpness = self._sharpness_value.astype(value.dtype)
        scaled = sharpness * value
        return (scaled + ops.log(-ops.expm1(-scaled))) / sharpness  # of exp(scaled) - 1, without overflow

    def _forward_log_jacobian(self, value: Tensor) -> Tensor:
        return self.log_sigmoid(self._sharpness_value.astype(value.dtype) * value)

    def _inverse_log_jacobian(self, value: Tensor) -> Tensor:
        return -ops.log(-ops.expm1(-self._sharpness_value.astype(value.dtype) * value))
