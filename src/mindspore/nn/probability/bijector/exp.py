"""The exponential."""

from __future__ import annotations

from mindspore.nn.probability.bijector.power_transform import PowerTransform

__all__ = ["Exp"]


class Exp(PowerTransform):
    """The exponential.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.bijector import Exp
        >>> print(Exp().forward(Tensor([0.0])), Exp().inverse(Tensor([1.0])))
        [1.] [0.]
    """

    def __init__(self, name: str = "Exp"):
        super().__init__(0.0, name)

    def extend_repr(self) -> str:
        return "exp"
