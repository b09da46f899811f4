"""A bijector backwards."""

from __future__ import annotations

from mindspore._utils.checks import check_type
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.bijector.bijector import Bijector

__all__ = ["Invert"]


class Invert(Bijector):
    """Another bijector with ``forward`` and ``inverse`` exchanged.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.bijector import Exp, Invert
        >>> print(Invert(Exp()).forward(Tensor([1.0])))
        [0.]
    """

    def __init__(self, bijector: Bijector, name: str = ""):
        check_type("Invert", "bijector", bijector, Bijector)
        name = name or f"Invert{bijector.name}"
        super().__init__(
            bijector.is_constant_jacobian,
            bijector.is_injective,
            name,
            bijector.dtype,
            {"bijector": bijector, "name": name},
        )
        self._bijector = bijector

    @property
    def bijector(self) -> Bijector:
        return self._bijector

    @property
    def batch_shape(self) -> tuple[int, ...]:
        return self._bijector.batch_shape

    def _forward(self, value: Tensor) -> Tensor:
        return self._bijector.inverse(value)

    def _inverse(self, value: Tensor) -> Tensor:
        return self._bijector.forward(value)

    def _forward_log_jacobian(self, value: Tensor) -> Tensor:
        return self._bijector.inverse_log_jacobian(value)

    def _inverse_log_jacobian(self, value: Tensor) -> Tensor:
        return self._bijector.forward_log_jacobian(value)
