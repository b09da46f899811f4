"""Softmax and its relatives, as Cells. The module to import them from is ``activation``."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_int, check_type
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.plain import PlainCell


def _checked_axis(owner: str, axis: Any) -> int | tuple[int, ...]:
    if isinstance(axis, (tuple, list)):
        return tuple(check_int(owner, "axis", number) for number in axis)
    return check_int(owner, "axis", check_type(owner, "axis", axis, (int, tuple)))


@primitives(softmax=lambda net: ops.Softmax(net.axis))
class Softmax(Cell):
    """Exponentials along an axis, scaled to sum 1.

    Args:
        axis: the axis, or a tuple of axes.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Softmax()(Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, axis: int | tuple[int, ...] = -1):
        super().__init__()
        self.axis = _checked_axis("Softmax", axis)

    def construct(self, input: Tensor) -> Tensor:
        return self.softmax(input)


@primitives(log_softmax=lambda net: ops.LogSoftmax(net.axis))
class LogSoftmax(Cell):
    """The logarithm of the softmax along an axis.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LogSoftmax()(Tensor([1.0, 1.0])))
        [-0.6931472 -0.6931472]
    """

    def __init__(self, axis: int = -1):
        super().__init__()
        self.axis = check_int("LogSoftmax", "axis", axis)

    def construct(self, x: Tensor) -> Tensor:
        return self.log_softmax(x)


class Softmin(Cell):
    """The softmax of the negated input.

    Args:
        axis: the axis, or a tuple of axes.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Softmin()(Tensor([1.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(self, axis: int | tuple[int, ...] = -1):
        super().__init__()
        self.axis = _checked_axis("Softmin", axis)

    def construct(self, x: Tensor) -> Tensor:
        return ops.softmin(x, self.axis)


@primitives(softmax=lambda _: ops.Softmax(-3), shape=ops.Shape)
class Softmax2d(PlainCell):
    """The softmax over the channels of (N, C, H, W) or (C, H, W), at every pixel.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Softmax2d()(Tensor([[[[1.0]], [[1.0]]]])).shape)
        (1, 2, 1, 1)
    """

    def construct(self, x: Tensor) -> Tensor:
        if x.ndim not in (3, 4):
            raise refused(ValueError, f"For 'Softmax2d', the 'x' must have 3 or 4 dimensions, but got shape {x.shape}.")
        return self.softmax(x)


class _OfDimension(Cell):
    """A function along ``dim``; if it is None, along axis 0 of 0, 1 or 3 dimensions, else along axis 1."""

    def __init__(self, dim: int | None = None):
        super().__init__()
        self.dim = None if dim is None else check_int(type(self).__name__, "dim", dim)

    def _axis(self, x: Tensor) -> int:
        if self.dim is not None:
            return self.dim
        return 0 if x.ndim in (0, 1, 3) else 1


class SoftmaxExt(_OfDimension):
    """Exponentials along an axis, scaled to sum 1.

    Args:
        dim: the axis; None means 0 for inputs of 0, 1 or 3 dimensions and 1 for others.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.layer.activation import SoftmaxExt
        >>> print(SoftmaxExt()(Tensor([[1.0, 1.0]])))
        [[0.5 0.5]]
    """

    def construct(self, input: Tensor) -> Tensor:
        return ops.softmax(input, self._axis(input))


@primitives(log_softmax=ops.LogSoftmaxExt)
class LogSoftmaxExt(_OfDimension):
    """The logarithm of the softmax along an axis.

    Args:
        dim: the axis; None means 0 for inputs of 0, 1 or 3 dimensions and 1 for others.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LogSoftmaxExt()(Tensor([[1.0, 1.0]])))
        [[-0.6931472 -0.6931472]]
    """

    def construct(self, x: Tensor) -> Tensor:
        return self.log_softmax(x, self._axis(x))
