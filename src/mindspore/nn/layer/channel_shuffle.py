"""Channel shuffle."""

from __future__ import annotations

from mindspore import ops
from mindspore._utils.checks import check_positive_int
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives

__all__ = ["ChannelShuffle"]


@primitives(shape=ops.Shape, reshape=ops.Reshape, transpose=ops.Transpose)
class ChannelShuffle(Cell):
    """Channels (axis 1) dealt out anew: the first of every group, then the second of every group, and so on.

    Args:
        groups: into how many groups the channels are split.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ChannelShuffle(2)(Tensor([[[1.0], [2.0], [3.0], [4.0]]])).squeeze())
        [1. 3. 2. 4.]
    """

    def __init__(self, groups: int):
        super().__init__()
        self.groups = check_positive_int("ChannelShuffle", "groups", groups)

    def construct(self, x: Tensor) -> Tensor:
        """The input with its channels in another order."""
        return ops.channel_shuffle(x, self.groups)
