"""Powers."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import described, require_all
from mindspore.nn.probability.bijector.bijector import Bijector

__all__ = ["PowerTransform"]


class PowerTransform(Bijector):
    """``(1 + x * power) ** (1 / power)``; for power 0 the exponential.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.bijector import PowerTransform
        >>> print(PowerTransform(2.0).forward(Tensor([4.0])))
        [3.]
    """

    def __init__(self, power: Any = 0.0, name: str = "PowerTransform"):
        super().__init__(name=name, param=dict(locals()))
        self._power_value = self._add_parameter(power, "power")
        require_all(name, "power", self._power_value, lambda numbers: numbers >= 0, "0 or greater")

    @property
    def power(self) -> Tensor:
        return self._power_value

    def extend_repr(self) -> str:
        return described({"power": self._power_value})

    def _parts(self, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The power in the dtype of the value, where it is 0, and the power with 1 where it is 0."""
        power = self._power_value.astype(value.dtype) + 0 * value
        zero = power == 0
        return power, zero, ops.where(zero, 1.0, power)

    def _forward(self, value: Tensor) -> Tensor:
        power, zero, safe = self._parts(value)
        return ops.exp(ops.where(zero, value, ops.log1p(value * power) / safe))

    def _inverse(self, value: Tensor) -> Tensor:
        power, zero, safe = self._parts(value)
        logarithm = ops.log(value)
        return ops.where(zero, logarithm, ops.expm1(logarithm * power) / safe)

    def _forward_log_jacobian(self, value: Tensor) -> Tensor:
        power, zero, safe = self._parts(value)
        return ops.where(zero, value, (1 / safe - 1) * ops.log1p(value * power))

    def _inverse_log_jacobian(self, value: Tensor) -> Tensor:
        power, _, _ = self._parts(value)
        return (power - 1) * ops.log(value)
