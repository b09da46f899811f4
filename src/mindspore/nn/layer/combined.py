"""A convolution or fully connected layer fused with normalization and activation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._utils.checks import check_bool
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.dense import Dense
from mindspore.nn.layer.activation import LeakyReLU, activation_of
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.layer.normalization import BatchNorm1d, BatchNorm2d

__all__ = ["Conv2dBnAct", "DenseBnAct"]


def _activation(owner: str, activation: Any, alpha: float) -> Any:
    """The activation meant by a name, Cell, Primitive or None."""
    if activation == "leakyrelu":
        return LeakyReLU(alpha)
    return activation_of(owner, activation)


class _BnAct(Cell):
    """Batch normalization and an activation, where asked for, after a layer."""

    def _init_after(self, norm: Callable[..., Cell], channels: int, has_bn: bool, momentum: float, eps: float, activation: Any,
                    alpha: float, after_fake: bool) -> None:  # fmt: skip
        self.has_bn = check_bool(self.cls_name, "has_bn", has_bn)
        self.has_act = activation is not None
        self.after_fake = check_bool(self.cls_name, "after_fake", after_fake)
        if has_bn:
            self.batchnorm = norm(channels, eps, momentum)
        self.activation = _activation(self.cls_name, activation, alpha)

    def _after(self, x: Tensor) -> Tensor:
        x = self.batchnorm(x) if self.has_bn else x
        return self.activation(x) if self.has_act else x


class Conv2dBnAct(_BnAct):
    """A convolution, then batch normalization and an activation where asked for.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init:
            those of :class:`Conv2d`.
        has_bn, momentum, eps: whether batch normalization follows, and its settings.
        activation: a name, Cell or Primitive.
        alpha: the slope of 'leakyrelu'.
        after_fake: kept for quantization.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Conv2dBnAct(3, 8, 3, has_bn=True, activation="relu")
        >>> print(net(ops.ones((1, 3, 4, 4))).shape)
        (1, 8, 4, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: str = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bn: bool = False,
        momentum: float = 0.997,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ):
        super().__init__()
        self.conv = Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
                           weight_init, bias_init)  # fmt: skip
        self._init_after(BatchNorm2d, out_channels, has_bn, momentum, eps, activation, alpha, after_fake)

    def construct(self, x: Tensor) -> Tensor:
        """The three layers one after the other."""
        return self._after(self.conv(x))


class DenseBnAct(_BnAct):
    """A fully connected layer, then batch normalization and an activation where asked for.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias: those of :class:`Dense`.
        has_bn, momentum, eps: whether batch normalization follows, and its settings.
        activation: a name, Cell or Primitive.
        alpha: the slope of 'leakyrelu'.
        after_fake: kept for quantization.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.DenseBnAct(3, 8, has_bn=True, activation="relu")(ops.ones((2, 3))).shape)
        (2, 8)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: float = 0.9,
        eps: float = 1e-5,
        activation: Any = None,
        alpha: float = 0.2,
        after_fake: bool = True,
    ):
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self._init_after(BatchNorm1d, out_channels, has_bn, momentum, eps, activation, alpha, after_fake)

    def construct(self, x: Tensor) -> Tensor:
        """The three layers one after the other."""
        return self._after(self.dense(x))
