"""Dropout: parts of the input set to 0 at random while training."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_float_range, check_type
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import changed, primitives


@primitives(dropout=lambda net: ops.Dropout(1.0 - net._drop))
class Dropout(Cell):
    """While training, set elements to 0 with probability ``p`` and divide the others by ``1 - p``.

    Without ``set_train()`` the input is returned as it is.

    Args:
        keep_prob: the probability to keep an element; counts only when ``p`` is not given.
        p: the probability to drop an element, in [0, 1).
        dtype: kept for old programs.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Dropout(p=0.5)
        >>> print(net(ops.ones((3,))))
        [1. 1. 1.]
        >>> print(sorted(set(net.set_train()(ops.ones((100,))).tolist())))
        [0.0, 2.0]
    """

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Any = mstype.float32):
        super().__init__()
        if isinstance(p, type(mstype.float32)):  # Dropout(keep_prob, dtype) of 1.x
            p, dtype = None, p
        if p is None:
            check_type("Dropout", "keep_prob", keep_prob, float)
            check_float_range("Dropout", "keep_prob", keep_prob, 0.0, 1.0, include_low=False)
            self._drop = 1.0 - keep_prob
        else:
            check_type("Dropout", "p", p, (int, float))
            self._drop = check_float_range("Dropout", "p", p, 0, 1, include_high=False)
        self.p, self.keep_prob, self.dtype = p, keep_prob, dtype

    def construct(self, x: Tensor) -> Tensor:
        """The input, with elements dropped while training."""
        if self.training and changed(self, "dropout"):
            return self.dropout(x)[0]
        return ops.dropout(x, self._drop, self.training)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class _ChannelDropout(Cell):
    """While training, set whole channels to 0 with probability ``p`` and divide the others by ``1 - p``."""

    def __init__(self, p: float = 0.5):
        super().__init__()
        check_type(self.cls_name, "p", p, float)
        self.prob = check_float_range(self.cls_name, "p", p, 0, 1)
        self.keep_prob = 1.0 - p


class Dropout1d(_ChannelDropout):
    """While training, set whole channels of (N, C, L) or (C, L) to 0 with probability ``p``.

    Args:
        p: the probability to drop a channel, in [0, 1]; the others are divided by ``1 - p``.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Dropout1d(0.5).set_train()(ops.ones((2, 3, 4))).shape)
        (2, 3, 4)
    """

    def construct(self, x: Tensor) -> Tensor:
        """The input, with channels dropped while training."""
        return ops.dropout1d(x, self.prob, self.training)


@primitives(dropout2d=lambda net: ops.Dropout2D(net.keep_prob))
class Dropout2d(_ChannelDropout):
    """While training, set whole channels of (N, C, H, W) to 0 with probability ``p``.

    Args:
        p: the probability to drop a channel, in [0, 1]; the others are divided by ``1 - p``.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Dropout2d(0.5).set_train()(ops.ones((2, 3, 4, 4))).shape)
        (2, 3, 4, 4)
    """

    def construct(self, x: Tensor) -> Tensor:
        """The input, with channels dropped while training."""
        if self.training and changed(self, "dropout2d"):
            return self.dropout2d(x)[0]
        return ops.dropout2d(x, self.prob, self.training)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments; MindSpore prints the probability to keep."""
        return f"p={self.keep_prob}"


@primitives(dropout3d=lambda net: ops.Dropout3D(net.keep_prob))
class Dropout3d(_ChannelDropout):
    """While training, set whole channels of (N, C, D, H, W) to 0 with probability ``p``.

    Args:
        p: the probability to drop a channel, in [0, 1]; the others are divided by ``1 - p``.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Dropout3d(0.5).set_train()(ops.ones((2, 3, 4, 4, 4))).shape)
        (2, 3, 4, 4, 4)
    """

    def construct(self, x: Tensor) -> Tensor:
        """The input, with channels dropped while training."""
        if self.training and changed(self, "dropout3d"):
            return self.dropout3d(x)[0]
        return ops.dropout3d(x, self.prob, self.training)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments; MindSpore prints the probability to keep."""
        return f"p={self.keep_prob}"


class DropoutExt(Cell):
    """While training, set elements to 0 with probability ``p`` and divide the others by ``1 - p``.

    Args:
        p: the probability to drop an element, in [0, 1].
        inplace: whether the input itself is changed.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.DropoutExt(1.0).set_train()(ops.ones((3,))))
        [0. 0. 0.]
    """

    def __init__(self, p: float = 0.5, inplace: bool = False):
        super().__init__()
        self.p = check_float_range(self.cls_name, "p", p, 0, 1)
        self.inplace = check_bool(self.cls_name, "inplace", inplace)

    def construct(self, input: Tensor) -> Tensor:
        """The input, with elements dropped while training."""
        if not self.training or self.p == 0:
            return input
        return self._returned(input, self._dropped(input))

    def _dropped(self, x: Tensor) -> Tensor:
        return ops.zeros_like(x) if self.p == 1 else ops.dropout(x, self.p, True)

    def _returned(self, x: Tensor, dropped: Tensor) -> Tensor:
        return ops.assign(x, dropped) if self.inplace else dropped


class Dropout2dExt(DropoutExt):
    """While training, set whole channels of (N, C, H, W) to 0 with probability ``p``.

    Args:
        p: the probability to drop a channel, in [0, 1].
        inplace: whether the input itself is changed.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Dropout2dExt(0.5).set_train()(ops.ones((2, 3, 4, 4))).shape)
        (2, 3, 4, 4)
    """

    def _dropped(self, x: Tensor) -> Tensor:
        return ops.dropout2d(x, self.p, True)
