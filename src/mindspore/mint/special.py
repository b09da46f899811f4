"""Special functions by PyTorch's names."""

from __future__ import annotations

from mindspore import ops
from mindspore._utils.documented import claim as _claim
from mindspore.common.tensor import Tensor
from mindspore.mint.nn.functional import log_softmax
from mindspore.ops import erfc, exp2, expm1, log1p, sinc

__all__ = ["erfc", "exp2", "expm1", "log1p", "log_softmax", "round", "sinc"]


def round(input: Tensor) -> Tensor:
    """Rounded to whole numbers, halves to even.

    >>> print(round(Tensor([2.5, 3.5])))
    [2. 4.]
    """
    return ops.round(input)


_claim(__name__)
