"""Layers that add a border: constant, mirrored, repeated."""

from __future__ import annotations

from mindspore import ops
from mindspore._utils.checks import check_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives

__all__ = [
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad2d",
]


class _Border(Cell):
    """A border around the last ``axes`` axes: widths before and after the last axis, then the axis before it, and so on."""

    axes: int
    mode: str
    low: int | None = None

    def __init__(self, padding: int | tuple[int, ...]):
        super().__init__()
        owner = self.cls_name
        check_type(owner, "padding", padding, (int, tuple))
        numbers = padding if isinstance(padding, tuple) else (padding,) * (2 * self.axes)
        if len(numbers) % 2 or not 0 < len(numbers) <= 2 * self.axes:
            raise refused(
                ValueError,
                f"For '{owner}', the 'padding' must be an int or pairs of ints for at most {self.axes} axes, but got "
                f"{len(numbers)} numbers: {shown(padding)}.",
            )
        self.padding = tuple(check_int(owner, "padding", number, low=self.low) for number in numbers)

    def construct(self, x: Tensor) -> Tensor:
        """The input with its border."""
        return ops.pad(x, self.padding, self.mode)


class _ConstantPad(_Border):
    """A border of one value; negative numbers take elements away."""

    mode = "constant"

    def __init__(self, padding: int | tuple[int, ...], value: float):
        super().__init__(padding)
        self.value = check_type(self.cls_name, "value", value, (int, float))

    def construct(self, x: Tensor) -> Tensor:
        """The input with its border."""
        return ops.pad(x, self.padding, self.mode, self.value)


class ConstantPad1d(_ConstantPad):
    """``value`` added around the last axis.

    Args:
        padding: an int, or (left, right); negative numbers take elements away.
        value: what the border holds.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ConstantPad1d((1, 2), 0.5)(Tensor([[1.0, 2.0]])))
        [[0.5 1.  2.  0.5 0.5]]
    """

    axes = 1


class ConstantPad2d(_ConstantPad):
    """``value`` added around the last two axes.

    Args:
        padding: an int, or (left, right, top, bottom); negative numbers take elements away.
        value: what the border holds.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.ConstantPad2d((1, 2, 0, 1), 0.5)(ops.ones((1, 2, 3))).shape)
        (1, 3, 6)
    """

    axes = 2


class ConstantPad3d(_ConstantPad):
    """``value`` added around the last three axes.

    Args:
        padding: an int, or (left, right, top, bottom, front, back); negative numbers take elements away.
        value: what the border holds.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.ConstantPad3d(1, 0.5)(ops.ones((1, 2, 2, 3))).shape)
        (1, 4, 4, 5)
    """

    axes = 3


class ZeroPad2d(_ConstantPad):
    """Zeros added around the last two axes.

    Args:
        padding: an int, or (left, right, top, bottom); negative numbers take elements away.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ZeroPad2d(1)(Tensor([[[1.0]]])))
        [[[0. 0. 0.]
          [0. 1. 0.]
          [0. 0. 0.]]]
    """

    axes = 2

    def __init__(self, padding: int | tuple[int, ...]):
        super().__init__(padding, 0)


class ReflectionPad1d(_Border):
    """The last axis mirrored at its outermost elements.

    Args:
        padding: an int, or (left, right).

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ReflectionPad1d((2, 1))(Tensor([[1, 2, 3]])))
        [[3 2 1 2 3 2]]
    """

    axes, mode, low = 1, "reflect", 0


class ReflectionPad2d(_Border):
    """The last two axes mirrored at their outermost elements.

    Args:
        padding: an int, or (left, right, top, bottom).

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.ReflectionPad2d(1)(ops.ones((1, 2, 3))).shape)
        (1, 4, 5)
    """

    axes, mode, low = 2, "reflect", 0


class ReflectionPad3d(_Border):
    """The last three axes mirrored at their outermost elements.

    Args:
        padding: an int, or (left, right, top, bottom, front, back).

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.ReflectionPad3d(1)(ops.ones((1, 2, 2, 3))).shape)
        (1, 4, 4, 5)
    """

    axes, mode, low = 3, "reflect", 0


@primitives(padv3=lambda _: ops.PadV3("edge"))
class ReplicationPad1d(_Border):
    """The outermost elements of the last axis repeated.

    Args:
        padding: an int, or (left, right); negative numbers take elements away.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ReplicationPad1d((2, 1))(Tensor([[1, 2, 3]])))
        [[1 1 1 2 3 3]]
    """

    axes, mode = 1, "replicate"


@primitives(padv3=lambda _: ops.PadV3("edge"))
class ReplicationPad2d(_Border):
    """The outermost elements of the last two axes repeated.

    Args:
        padding: an int, or (left, right, top, bottom); negative numbers take elements away.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.ReplicationPad2d(1)(ops.ones((1, 2, 3))).shape)
        (1, 4, 5)
    """

    axes, mode = 2, "replicate"


@primitives(padv3=lambda _: ops.PadV3("edge"))
class ReplicationPad3d(_Border):
    """The outermost elements of the last three axes repeated.

    Args:
        padding: an int, or (left, right, top, bottom, front, back); negative numbers take elements away.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.ReplicationPad3d(1)(ops.ones((1, 2, 2, 3))).shape)
        (1, 4, 4, 5)
    """

    axes, mode = 3, "replicate"
