"""Pooling to a given size: the layers of ``mindspore.nn`` that tell it when they are printed."""

from __future__ import annotations

from typing import Any

from mindspore import nn
from mindspore.common.tensor import Tensor
from mindspore.mint.nn import functional
from mindspore.nn.cell import Cell


class AdaptiveAvgPool1d(nn.AdaptiveAvgPool1d):
    """The average of each of ``output_size`` parts of the last axis.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> pool = mint.nn.AdaptiveAvgPool1d(2)
        >>> pool, pool(Tensor([[[1.0, 3.0, 5.0, 7.0]]])).tolist()
        (AdaptiveAvgPool1d(output_size=2), [[[2.0, 6.0]]])
    """

    def extend_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool2d(nn.AdaptiveAvgPool2d):
    """The average of each of ``output_size`` parts of the last two axes; None keeps the length of an axis.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> pool = mint.nn.AdaptiveAvgPool2d((1, None))
        >>> pool, pool(Tensor([[[1.0, 3.0], [5.0, 7.0]]])).tolist()
        (AdaptiveAvgPool2d(output_size=(1, None)), [[[3.0, 5.0]]])
    """

    def extend_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(Cell):
    """The maximum of each of ``output_size`` parts of the last axis.

    Args:
        output_size: the number of parts.
        return_indices: whether to return the positions of the maxima, too.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> print(mint.nn.AdaptiveMaxPool1d(1)(Tensor([[[1.0, 3.0, 2.0]]])))
        [[[3.]]]
    """

    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def construct(self, input: Tensor) -> Any:
        return functional.adaptive_max_pool1d(input, self.output_size, self.return_indices)

    def extend_repr(self) -> str:
        return f"output_size={self.output_size}, return_indices={self.return_indices}"
