"""Fully connected layers."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_positive_int
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import Width
from mindspore.nn.cell.primitives import changed, primitives
from mindspore.nn.layer._implementation.initial import initial_bias, initial_weight
from mindspore.nn.layer.activation import activation_of


class _Affine(Cell):
    """The Parameters of a layer that maps vectors to vectors of length ``outputs``."""

    def _make_parameters(
        self, shape: tuple[int, ...], fan_in: int, weight_init: Any, bias_init: Any, has_bias: bool, dtype: Any
    ) -> None:
        owner = self.cls_name
        _check_shape(owner, "weight", weight_init, shape)
        self.weight = Parameter(initializer(initial_weight(weight_init), shape, dtype), name="weight")
        if has_bias:
            _check_shape(owner, "bias", bias_init, shape[:1])
            self.bias = Parameter(initializer(initial_bias(bias_init, fan_in), shape[:1], dtype), name="bias")
        else:
            self.bias = None


def _check_shape(owner: str, kind: str, init: Any, shape: tuple[int, ...]) -> None:
    if isinstance(init, Tensor) and tuple(init.shape) != shape:
        raise refused(
            ValueError,
            f"For '{owner}', {kind} init shape error. The '{kind}_init' must have shape {shape}, but got {init.shape}.",
        )


@primitives(
    reshape=ops.Reshape, shape_op=ops.Shape, matmul=lambda _: ops.MatMul(transpose_b=True), bias_add=ops.BiasAdd
)
class Dense(_Affine):
    """A fully connected layer: ``activation(x @ weight.T + bias)`` on the last axis of x.

    Args:
        in_channels, out_channels: length of the last axis before and after.
        weight_init, bias_init: Tensor of shape (out_channels, in_channels) or (out_channels,), initializer, its name, or a
            number; by default uniform by the fan-in.
        has_bias: whether a bias is added.
        activation: a name ('relu'), a Cell or a Primitive applied to the result.
        dtype: dtype of the Parameters.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.Dense(2, 3, weight_init="ones", bias_init="zeros")
        >>> print(net(Tensor([[1.0, 2.0]])))
        [[3. 3. 3.]]
    """

    _cell_widths = (Width("in_channels"),)

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        activation: Any = None,
        dtype: Any = mstype.float32,
    ):
        super().__init__()
        owner = self.cls_name
        self.in_channels = check_positive_int(owner, "in_channels", in_channels)
        self.out_channels = check_positive_int(owner, "out_channels", out_channels)
        self.has_bias = check_bool(owner, "has_bias", has_bias)
        shape = (out_channels, in_channels)
        self._make_parameters(shape, in_channels, weight_init, bias_init, has_bias, dtype)
        self.activation = activation_of(owner, activation)
        self.activation_flag = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        """The layer on the last axis of x."""
        output = self._by_parts(x) if changed(self, "matmul", "bias_add") else ops.dense(x, self.weight, self.bias)
        return self.activation(output) if self.activation_flag else output  # type: ignore[misc]

    def _by_parts(self, x: Tensor) -> Tensor:
        """The same by the layer's Primitives, which the program sharded or replaced: ``net.dense.matmul.shard(...)``."""
        rows = x if x.ndim == 2 else self.reshape(x, (-1, x.shape[-1]))
        output = self.matmul(rows, self.weight)
        if self.bias is not None:
            output = self.bias_add(output, self.bias)
        return output if x.ndim == 2 else self.reshape(output, (*x.shape[:-1], self.out_channels))

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text = f"input_channels={self.in_channels}, output_channels={self.out_channels}"
        text += f", has_bias={self.has_bias}" if self.has_bias else ""
        return f"{text}, activation={self.activation}" if self.activation_flag else text


@primitives(dense=ops.Dense)
class Linear(_Affine):
    """A fully connected layer: ``x @ weight.T + bias`` on the last axis of x.

    Args:
        in_features, out_features: length of the last axis before and after.
        bias: whether a bias is added.
        weight_init, bias_init: as for :class:`Dense`.
        dtype: dtype of the Parameters, Float32 by default.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.Linear(2, 3)(ops.ones((4, 2))).shape)
        (4, 3)
    """

    _cell_widths = (Width("in_features"),)

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        self.in_features = check_positive_int("Linear", "in_features", in_features)
        self.out_features = check_positive_int("Linear", "out_features", out_features)
        self.has_bias = check_bool("Linear", "bias", bias)
        shape = (out_features, in_features)
        self._make_parameters(
            shape, in_features, weight_init, bias_init, bias, mstype.float32 if dtype is None else dtype
        )

    def construct(self, x: Tensor) -> Tensor:
        """The layer on the last axis of x."""
        return self.dense(x, self.weight, self.bias)

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text = f"input_features={self.in_features}, output_features={self.out_features}"
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


@primitives(matmul=ops.MatMul, bias_add=ops.BiasAdd)
class BiDense(_Affine):
    """A bilinear layer: ``x1 @ weight[k] @ x2 + bias[k]`` for every output k.

    Args:
        in1_channels, in2_channels, out_channels: length of the last axis of both inputs and of the result.
        weight_init: of shape (out_channels, in1_channels, in2_channels); by default uniform by ``in1_channels``.
        bias_init, has_bias, dtype: as for :class:`Dense`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.BiDense(2, 2, 1, weight_init="ones", bias_init="zeros")
        >>> print(net(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
        [[21.]]
    """

    _cell_widths = (Width("in1_channels"), Width("in2_channels", input_index=1))

    def __init__(
        self,
        in1_channels: int,
        in2_channels: int,
        out_channels: int,
        weight_init: Any = None,
        bias_init: Any = None,
        has_bias: bool = True,
        dtype: Any = mstype.float32,
    ):
        super().__init__()
        self.in1_channels = check_positive_int("BiDense", "in1_channels", in1_channels)
        self.in2_channels = check_positive_int("BiDense", "in2_channels", in2_channels)
        self.out_channels = check_positive_int("BiDense", "out_channels", out_channels)
        self.has_bias = check_bool("BiDense", "has_bias", has_bias)
        shape = (out_channels, in1_channels, in2_channels)
        # a bound of its own, not the fan-in of a weight of three axes
        weight_init = initial_bias(None, in1_channels) if weight_init is None else weight_init
        self._make_parameters(shape, in1_channels, weight_init, bias_init, has_bias, dtype)

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        """The layer on the last axis of both inputs, whose other axes are the same."""
        _check_last_axis("input1", input1, "in1_channels", self.in1_channels)
        _check_last_axis("input2", input2, "in2_channels", self.in2_channels)
        lead = input1.shape[:-1]
        rows = math.prod(lead)
        first = input1.reshape(rows, self.in1_channels)
        second = input2.reshape(rows, self.in2_channels)
        output = ops.einsum("ni,oij,nj->no", first, self.weight, second).reshape(*lead, self.out_channels)
        return output + self.bias if self.has_bias else output

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text = (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, output_channels={self.out_channels}"
        )
        return f"{text}, has_bias={self.has_bias}" if self.has_bias else text


def _check_last_axis(name: str, x: Tensor, channels_name: str, channels: int) -> None:
    if x.shape[-1] != channels:
        raise refused(
            ValueError,
            f"For 'BiDense', the last dimension of '{name}' must be equal to '{channels_name}' {channels}, but got shape "
            f"{x.shape}.",
        )
