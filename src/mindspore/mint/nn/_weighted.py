"""Layers with Parameters, by PyTorch's arguments, defaults and names."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.checked import check_bools, check_ints, check_numbers
from mindspore.common.dtype import float32, int64
from mindspore.common.initializer import HeUniform, Uniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.communication.management import GlobalComm, get_group_size
from mindspore.mint.nn import functional
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import CHANNELS, Width

_PADDINGS = {"zeros": "constant", "reflect": "reflect", "replicate": "replicate", "circular": "circular"}


def _tuple(value: Any, count: int) -> tuple[int, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count


def _check_sizes(owner: str, **given: Any) -> None:
    """Whole numbers, or tuples of them."""
    for name, value in given.items():
        for number in value if isinstance(value, (tuple, list)) else (value,):
            check_ints(owner, **{name: number})


class _MintConv(Cell):
    """What convolutions share. The weight has the shape (out, in / groups, *kernel)."""

    _cell_widths = (Width("in_channels", CHANNELS),)

    axes = 2

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
                 dtype: DType | None = None):  # fmt: skip
        super().__init__()
        name = type(self).__name__
        check_ints(name, in_channels=in_channels, out_channels=out_channels, groups=groups)
        check_bools(name, bias=bias)
        _check_sizes(name, kernel_size=kernel_size, stride=stride, dilation=dilation)
        if not isinstance(padding, str):
            _check_sizes(name, padding=padding)
        if in_channels % groups or out_channels % groups:
            raise ValueError(
                f"For '{name}', the 'in_channels' and 'out_channels' must be multiples of 'groups', but got {in_channels}, "
                f"{out_channels} and {groups}."
            )
        if not isinstance(padding_mode, str) or padding_mode not in _PADDINGS:
            raise ValueError(
                f"For '{name}', the 'padding_mode' must be one of {list(_PADDINGS)}, but got {padding_mode!r}."
            )
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = _tuple(kernel_size, self.axes), _tuple(stride, self.axes)
        self.padding = padding if isinstance(padding, str) else _tuple(padding, self.axes)
        self.dilation, self.padding_mode = _tuple(dilation, self.axes), padding_mode
        self._make_weights(self._weight_shape(), bias, float32 if dtype is None else dtype)

    def _weight_shape(self) -> tuple[int, ...]:
        return (self.out_channels, self.in_channels // self.groups, *self.kernel_size)

    def _make_weights(self, shape: tuple[int, ...], bias: bool, dtype: DType) -> None:
        bound = 1 / math.sqrt(max(math.prod(shape[1:]), 1))
        self.weight = Parameter(initializer(HeUniform(negative_slope=math.sqrt(5)), shape, dtype), name="weight")
        self.bias = (
            Parameter(initializer(Uniform(scale=bound), (self.out_channels,), dtype), name="bias") if bias else None
        )

    transposed = False  # what subclasses of libraries ask; so are the functions

    conv1d, conv2d, conv3d = map(staticmethod, (functional.conv1d, functional.conv2d, functional.conv3d))

    @property
    def output_padding(self) -> tuple[int, ...]:
        """What is added to the end of a result: nothing."""
        return (0,) * self.axes

    @property
    def _reversed_padding(self) -> tuple[int, ...]:
        """The widths before and after each axis, from the last axis on, as ``functional.pad`` takes them."""
        if isinstance(self.padding, str):
            spans = [d * (k - 1) * (self.padding == "same") for d, k in zip(self.dilation, self.kernel_size)]
            sides = [(span // 2, span - span // 2) for span in spans]
        else:
            sides = [(width, width) for width in self.padding]
        return tuple(width for pair in reversed(sides) for width in pair)

    def _padded(self, input: Tensor) -> tuple[Tensor, Any]:
        """The input, widened where zeros are not what belongs around it, and what is left to pad."""
        if self.padding_mode == "zeros":
            return input, self.padding
        return functional.pad(input, self._reversed_padding, _PADDINGS[self.padding_mode]), 0

    def extend_repr(self) -> str:
        names = ("kernel_size", "stride", "padding", "dilation", "groups")
        shown = ", ".join(f"{name}={getattr(self, name)}" for name in names)
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}, {shown}, bias={self.bias is not None}"

    def construct(self, input: Tensor) -> Tensor:
        wide, padding = self._padded(input)
        function = (self.conv1d, self.conv2d, self.conv3d)[self.axes - 1]
        flat = self.axes == 1
        stride, dilation = (self.stride[0], self.dilation[0]) if flat else (self.stride, self.dilation)
        padding = padding[0] if flat and isinstance(padding, tuple) else padding
        return function(wide, self.weight, self.bias, stride, padding, dilation, self.groups)


class Conv1d(_MintConv):
    """Convolution along a single spatial axis.

    >>> Conv1d(2, 4, 3)(ops.ones((1, 2, 5))).shape
    (1, 4, 3)
    """

    axes = 1


class Conv2d(_MintConv):
    """Convolution along two axes.

    >>> Conv2d(2, 4, 3, padding=1)(ops.ones((1, 2, 5, 5))).shape
    (1, 4, 5, 5)
    """


class Conv3d(_MintConv):
    """Convolution along three axes.

    >>> Conv3d(2, 4, 3)(ops.ones((1, 2, 5, 5, 5))).shape
    (1, 4, 3, 3, 3)
    """

    axes = 3


class ConvTranspose2d(_MintConv):
    """The gradient of a convolution along two axes, as a layer.

    >>> ConvTranspose2d(2, 4, 3)(ops.ones((1, 2, 5, 5))).shape
    (1, 4, 7, 7)
    """

    transposed = True
    output_padding: Any = (0, 0)

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1,
                 padding_mode: str = "zeros", dtype: DType | None = None):  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError(f"For 'ConvTranspose2d', the 'padding_mode' must be 'zeros', but got {padding_mode!r}.")
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, dtype=dtype)
        self.output_padding = _tuple(output_padding, 2)

    def _weight_shape(self) -> tuple[int, ...]:
        return (self.in_channels, self.out_channels // self.groups, *self.kernel_size)

    def _padding_for(self, input: Tensor, output_size: Any) -> tuple[int, ...]:
        """The padding at the end with which the result has a size that the strides allow."""
        wanted = tuple(output_size)[-2:]
        dilation, padding = _tuple(self.dilation, 2), _tuple(self.padding, 2)
        stride = _tuple(self.stride, 2)
        spans = [d * (k - 1) + 1 for d, k in zip(dilation, self.kernel_size, strict=True)]
        least = [(n - 1) * s - 2 * p + span
                 for n, s, p, span in zip(input.shape[-2:], stride, padding, spans, strict=True)]  # fmt: skip
        if not all(low <= size < low + step for size, low, step in zip(wanted, least, stride, strict=True)):
            most = [low + step - 1 for low, step in zip(least, stride, strict=True)]
            raise ValueError(
                f"For 'ConvTranspose2d', the 'output_size' must be between {least} and {most}, but got {wanted}."
            )
        return tuple(size - low for size, low in zip(wanted, least, strict=True))

    def _output_padding(self, input: Tensor, output_size: Any, stride: Any, padding: Any, kernel_size: Any,
                        num_spatial_dims: int, dilation: Any = None) -> tuple[int, ...]:  # fmt: skip
        """The padding at the end that `output_size` asks for, else the layer's; subclasses of libraries call it."""
        return self.output_padding if output_size is None else self._padding_for(input, output_size)

    def construct(self, input: Tensor, output_size: Any = None) -> Tensor:
        extra = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size, 2, self.dilation)
        settings = (self.stride, self.padding, extra, self.groups, self.dilation)
        return functional.conv_transpose2d(input, self.weight, self.bias, *settings)


class _MintBatchNorm(Cell):
    """What batch normalizations share."""

    _cell_widths = (Width("num_features", CHANNELS),)

    running_mean: Any  # Parameters, or None without running statistics
    running_var: Any
    num_batches_tracked: Any
    ranks = (2, 3)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
                 track_running_stats: bool = True, dtype: DType | None = None):  # fmt: skip
        super().__init__()
        name = type(self).__name__
        check_ints(name, num_features=num_features)
        check_numbers(name, eps=eps, momentum=0.0 if momentum is None else momentum)
        check_bools(name, affine=affine, track_running_stats=track_running_stats)
        kind = float32 if dtype is None else dtype
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.weight = Parameter(ops.ones(num_features, kind), name="weight") if affine else None
        self.bias = Parameter(ops.zeros(num_features, kind), name="bias") if affine else None
        self.running_mean = self.running_var = self.num_batches_tracked = None
        if track_running_stats:
            self.running_mean = Parameter(ops.zeros(num_features, kind), name="running_mean", requires_grad=False)
            self.running_var = Parameter(ops.ones(num_features, kind), name="running_var", requires_grad=False)
            self.num_batches_tracked = Parameter(Tensor(0, int64), name="num_batches_tracked", requires_grad=False)

    def reset_running_stats(self) -> None:
        """Forget the running statistics."""
        if self.track_running_stats:
            self.running_mean.set_data(ops.zeros_like(self.running_mean))
            self.running_var.set_data(ops.ones_like(self.running_var))
            self.num_batches_tracked.set_data(ops.zeros_like(self.num_batches_tracked))

    def reset_parameters(self) -> None:
        """Forget the running statistics, the scale and the shift.

        >>> norm = BatchNorm1d(2)
        >>> _ = norm.weight.set_data(Tensor([3.0, 3.0]))
        >>> norm.reset_parameters()
        >>> print(norm.weight)
        Parameter (name=weight, shape=(2,), dtype=Float32, requires_grad=True)
        """
        self.reset_running_stats()
        if self.weight is not None and self.bias is not None:
            self.weight.set_data(ops.ones_like(self.weight))
            self.bias.set_data(ops.zeros_like(self.bias))

    def extend_repr(self) -> str:
        names = ("num_features", "eps", "momentum", "affine", "track_running_stats")
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)

    def construct(self, input: Tensor) -> Tensor:
        if input.ndim not in self.ranks:
            allowed = " or ".join(map(str, self.ranks))
            raise ValueError(
                f"For '{type(self).__name__}', the input must have {allowed} dimensions, but got {input.ndim}."
            )
        axes = tuple(axis for axis in range(input.ndim) if axis != 1)
        shape = (1, -1) + (1,) * (input.ndim - 2)
        if self.training or not self.track_running_stats:
            mean, variance, count = self._statistics(input, axes)
            if self.training and self.track_running_stats:
                self._track(mean, variance, count)
        else:
            mean, variance = self.running_mean, self.running_var
        result = (input - mean.reshape(shape)) * ops.rsqrt(variance + self.eps).reshape(shape)
        if self.weight is None:
            return result
        return result * self.weight.reshape(shape) + self.bias.reshape(shape)

    def _statistics(self, input: Tensor, axes: tuple[int, ...]) -> tuple[Tensor, Tensor, int]:
        """Mean, variance and the number of elements of each channel."""
        return ops.mean(input, axes), ops.var(input, axes), input.size // self.num_features

    def _track(self, mean: Tensor, variance: Tensor, count: int) -> None:
        self.num_batches_tracked.set_data(self.num_batches_tracked + 1)
        share = 1 / self.num_batches_tracked if self.momentum is None else self.momentum
        unbiased = variance * (count / max(count - 1, 1))
        for kept, new in ((self.running_mean, mean), (self.running_var, unbiased)):
            kept.set_data((kept + share * (ops.stop_gradient(new) - kept)).astype(kept.dtype))


class BatchNorm1d(_MintBatchNorm):
    """Batch normalization of (N, C) or (N, C, L).

    >>> BatchNorm1d(2)(ops.ones((4, 2))).shape
    (4, 2)
    """


class BatchNorm2d(_MintBatchNorm):
    """Batch normalization of (N, C, H, W).

    >>> BatchNorm2d(2)(ops.ones((1, 2, 3, 3))).shape
    (1, 2, 3, 3)
    """

    ranks = (4,)


class BatchNorm3d(_MintBatchNorm):
    """Batch normalization of (N, C, D, H, W).

    >>> BatchNorm3d(2)(ops.ones((1, 2, 3, 3, 3))).shape
    (1, 2, 3, 3, 3)
    """

    ranks = (5,)


class SyncBatchNorm(_MintBatchNorm):
    """Batch normalization over the batches of all processes of a group.

    >>> SyncBatchNorm(2)(ops.ones((4, 2))).shape
    (4, 2)
    """

    ranks = (2, 3, 4, 5)

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = True,
                 track_running_stats: bool = True, process_group: str | None = None, dtype: DType | None = None):  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        self.process_group = group = process_group or GlobalComm.WORLD_COMM_GROUP
        self.processes = self.world_size = get_group_size(group) if GlobalComm.INITED else 1
        self.all_reduce = ops.AllReduce(ops.ReduceOp.SUM, group) if self.processes > 1 else ops.Identity()

    def _statistics(self, input: Tensor, axes: tuple[int, ...]) -> tuple[Tensor, Tensor, int]:
        mean = self.all_reduce(ops.mean(input, axes)) / self.processes
        squares = self.all_reduce(ops.mean(ops.square(input), axes)) / self.processes
        return mean, squares - ops.square(mean), input.size // self.num_features * self.processes


class GroupNorm(Cell):
    """Groups of channels normalized.

    >>> GroupNorm(1, 2)(ops.ones((1, 2, 3, 3))).shape
    (1, 2, 3, 3)
    """

    _cell_widths = (Width("num_channels", CHANNELS),)

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
                 dtype: DType | None = None):  # fmt: skip
        super().__init__()
        check_ints("GroupNorm", num_groups=num_groups, num_channels=num_channels)
        check_numbers("GroupNorm", eps=eps)
        check_bools("GroupNorm", affine=affine)
        if num_channels % num_groups:
            raise ValueError(
                f"For 'GroupNorm', the 'num_channels' must be a multiple of 'num_groups', but got {num_channels} and {num_groups}."
            )
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight = (
            Parameter(ops.ones(num_channels, float32 if dtype is None else dtype), name="weight") if affine else None
        )
        self.bias = (
            Parameter(ops.zeros(num_channels, float32 if dtype is None else dtype), name="bias") if affine else None
        )

    def extend_repr(self) -> str:
        names = ("num_groups", "num_channels", "eps", "affine")
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)

    def construct(self, input: Tensor) -> Tensor:
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)
