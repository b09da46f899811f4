"""Pooling to a given output size: adaptive, and with windows at random positions."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_positive_int, check_type, shown
from mindspore._utils.refusals import refused, type_or_value
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives


def _checked_output_size(owner: str, value: Any, count: int) -> Any:
    """An int, or an int or None (keep the input's length) for each axis."""
    check_type(owner, "output_size", value, (int, tuple, list))
    if not isinstance(value, (tuple, list)):
        return value
    for length in value:
        check_type(owner, "output_size", length, (int, type(None)))
    if len(value) != count:
        raise refused(
            type_or_value(ValueError),
            f"For '{owner}', the 'output_size' must be an int or {count} ints or None, but got {len(value)}: {shown(value)}.",
        )
    return tuple(value)


@primitives(expand=ops.ExpandDims, squeeze=lambda _: ops.Squeeze(2), dtype=ops.DType, shape=ops.Shape)
class AdaptiveAvgPool1d(Cell):
    """The averages of ``output_size`` windows on the last axis.

    Args:
        output_size: how many.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AdaptiveAvgPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[2. 6.]]]
    """

    def __init__(self, output_size: int):
        super().__init__()
        self.output_size = check_positive_int("AdaptiveAvgPool1d", "output_size", output_size)

    def construct(self, input: Tensor) -> Tensor:
        """The averages."""
        return ops.adaptive_avg_pool1d(input, self.output_size)


@primitives(adaptive_avgpool2d=lambda net: ops.AdaptiveAvgPool2D(net.output_size))
class AdaptiveAvgPool2d(Cell):
    """The averages of windows that share the last two axes as evenly as possible.

    Args:
        output_size: how many windows, an int or (height, width); None keeps the length of an axis.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AdaptiveAvgPool2d(1)(Tensor([[[1.0, 3.0], [5.0, 7.0]]])))
        [[[4.]]]
    """

    def __init__(self, output_size: Any):
        super().__init__()
        self.output_size = _checked_output_size("AdaptiveAvgPool2d", output_size, 2)

    def construct(self, input: Tensor) -> Tensor:
        """The averages."""
        return self.adaptive_avgpool2d(input)


@primitives(adaptive_avg_pool3d=lambda net: ops.AdaptiveAvgPool3D(net.output_size))
class AdaptiveAvgPool3d(Cell):
    """The averages of windows that share the last three axes as evenly as possible.

    Args:
        output_size: how many windows, an int or (depth, height, width); None keeps the length of an axis.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.AdaptiveAvgPool3d((1, None, 2))(ops.ones((1, 4, 3, 4))).shape)
        (1, 1, 3, 2)
    """

    def __init__(self, output_size: Any):
        super().__init__()
        self.output_size = _checked_output_size("AdaptiveAvgPool3d", output_size, 3)

    def construct(self, input: Tensor) -> Tensor:
        """The averages."""
        return self.adaptive_avg_pool3d(input)


@primitives(expand=ops.ExpandDims, squeeze=lambda _: ops.Squeeze(2), dtype=ops.DType, shape=ops.Shape)
class AdaptiveMaxPool1d(Cell):
    """The largest elements of ``output_size`` windows on the last axis.

    Args:
        output_size: how many.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AdaptiveMaxPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])))
        [[[3. 7.]]]
    """

    def __init__(self, output_size: int):
        super().__init__()
        self.output_size = check_positive_int("AdaptiveMaxPool1d", "output_size", output_size)

    def construct(self, x: Tensor) -> Tensor:
        """The largest elements."""
        return ops.adaptive_max_pool1d(x, self.output_size)


class _AdaptiveMaxPool(Cell):
    def __init__(self, output_size: Any, return_indices: bool = False):
        super().__init__()
        self.output_size = _checked_output_size(self.cls_name, output_size, int(self.cls_name[-2]))
        self.return_indices = check_bool(self.cls_name, "return_indices", return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """The largest elements of windows that share the last two axes as evenly as possible.

    Args:
        output_size: how many windows, an int or (height, width); None keeps the length of an axis.
        return_indices: whether to return also where they are in the flattened plane.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.AdaptiveMaxPool2d(1)(Tensor([[[1.0, 3.0], [5.0, 7.0]]])))
        [[[7.]]]
    """

    def construct(self, input: Tensor) -> Tensor:
        """The largest elements, on request with their indices."""
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """The largest elements of windows that share the last three axes as evenly as possible.

    Args:
        output_size: how many windows, an int or (depth, height, width); None keeps the length of an axis.
        return_indices: whether to return also where they are in the flattened volume.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.AdaptiveMaxPool3d(2)(ops.ones((1, 4, 3, 4))).shape)
        (1, 2, 2, 2)
    """

    def construct(self, input: Tensor) -> Tensor:
        """The largest elements, on request with their indices."""
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _FractionalMaxPool(Cell):
    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ):
        super().__init__()
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices = check_bool(self.cls_name, "return_indices", return_indices)
        self._random_samples = _random_samples


class FractionalMaxPool2d(_FractionalMaxPool):
    """The largest elements of windows at random positions on (N, C, H, W) or (C, H, W).

    Args:
        kernel_size: size of the windows, an int or (height, width).
        output_size: how many windows, an int or (height, width); or
        output_ratio: their number as a share of the input's lengths, each in (0, 1).
        return_indices: whether to return also where the elements are in the flattened plane.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.FractionalMaxPool2d(2, (3, 2))(ops.ones((1, 1, 5, 5))).shape)
        (1, 1, 3, 2)
    """

    def construct(self, input: Tensor) -> Tensor:
        """The largest elements, on request with their indices."""
        return ops.fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool3d(_FractionalMaxPool):
    """The largest elements of windows at random positions on (N, C, D, H, W) or (C, D, H, W).

    Args:
        kernel_size: size of the windows, an int or (depth, height, width).
        output_size: how many windows, an int or (depth, height, width); or
        output_ratio: their number as a share of the input's lengths, each in (0, 1).
        return_indices: whether to return also where the elements are in the flattened volume.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.FractionalMaxPool3d(2, 2)(ops.ones((1, 1, 5, 5, 5))).shape)
        (1, 1, 2, 2, 2)
    """

    def construct(self, input: Tensor) -> Tensor:
        """The largest elements, on request with their indices."""
        return ops.fractional_max_pool3d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )
