"""Layers of quantization-aware training, as MindSpore 1.x has them: they compute with numbers that were rounded."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_float_range, check_type
from mindspore.common.quant_dtype import QuantDtype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.dense import Dense
from mindspore.nn.layer._implementation.quant_conv import BatchNormFoldCell as BatchNormFoldCell
from mindspore.nn.layer._implementation.quant_conv import (
    Conv2dBnFoldQuant,
    Conv2dBnFoldQuantOneConv,
    Conv2dBnWithoutFoldQuant,
    Conv2dQuant,
)
from mindspore.nn.layer._implementation.quant_observer import (
    FakeQuantWithMinMaxObserver,
    QuantConfig,
    observer_of_activation,
    observer_of_weight,
    quant_config_default,
)
from mindspore.nn.layer._implementation.quant_observer import UniformQuantObserver as UniformQuantObserver
from mindspore.nn.layer._implementation.quant_observer import _Observer as _Observer
from mindspore.nn.layer.activation import ReLU, ReLU6

__all__ = [
    "ActQuant",
    "Conv2dBnFoldQuant",
    "Conv2dBnFoldQuantOneConv",
    "Conv2dBnWithoutFoldQuant",
    "Conv2dQuant",
    "DenseQuant",
    "FakeQuantWithMinMaxObserver",
    "MulQuant",
    "TensorAddQuant",
]


class DenseQuant(Dense):
    """A fully connected layer whose weight is rounded as an integer type would have it.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias, activation: as for :class:`Dense`.
        quant_config: makes the observer of the weight.
        quant_dtype: the type of the weight; other than INT8 it counts before that of ``quant_config``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.DenseQuant(2, 1, weight_init="ones")
        >>> print(net(Tensor([[1.0, 5.0], [3.0, 4.0]])).asnumpy().round(3))
        [[5.929]
         [6.918]]
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        activation: Any = None,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        super().__init__(in_channels, out_channels, weight_init, bias_init, has_bias, activation)
        self.fake_quant_weight = observer_of_weight(self.cls_name, quant_config, out_channels, quant_dtype)

    @classmethod
    def from_float(cls, dense: Dense, quant_config: QuantConfig) -> DenseQuant:
        """The layer that does with a rounded weight what ``dense`` does."""
        bias = dense.bias.value() if dense.has_bias else "zeros"
        return cls(
            dense.in_channels,
            dense.out_channels,
            dense.weight.value(),
            bias,
            dense.has_bias,
            dense.activation,
            quant_config,
        )

    def construct(self, x: Tensor) -> Tensor:
        """The layer on the last axis of x."""
        output = ops.dense(x, self.fake_quant_weight(self.weight), self.bias)
        return self.activation(output) if self.activation_flag else output  # type: ignore[misc]

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        text = f"in_channels={self.in_channels}, out_channels={self.out_channels}, weight={self.weight}, has_bias={self.has_bias}"
        text += f", bias={self.bias}" if self.has_bias else ""
        return f"{text}, activation={self.activation}" if self.activation_flag else text


class _QuantActivation(Cell):
    """The base of activations followed by rounding."""

    def get_origin(self) -> Cell:
        """The activation without rounding."""
        raise NotImplementedError("subclasses must implement get_origin")


class ActQuant(_QuantActivation):
    """An activation whose result is rounded.

    Args:
        activation: the Cell.
        ema, ema_decay: whether and how slowly the range follows what is observed.
        fake_before: whether the input is rounded, too.
        quant_config: makes the observers.
        quant_dtype: the type of the result; other than INT8 it counts before that of ``quant_config``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.ActQuant(nn.ReLU())
        >>> print(net(Tensor([1.0, 2.0, -1.0])).asnumpy().round(3))
        [0.988 1.976 0.   ]
    """

    def __init__(
        self,
        activation: Cell,
        ema: bool = False,
        ema_decay: float = 0.999,
        fake_before: bool = False,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        super().__init__()
        owner = self.cls_name
        self.act = check_type(owner, "activation", activation, Cell)
        self.fake_before = check_bool(owner, "fake_before", fake_before)
        options = {"min_init": -6, "max_init": 6, "ema": ema, "ema_decay": ema_decay}
        if fake_before:
            self.fake_quant_act_before = observer_of_activation(owner, quant_config, quant_dtype, **options)
        preset = getattr(getattr(getattr(quant_config, "activation", None), "p", None), "keywords", {})
        # What is never negative needs no negative levels.
        if preset.get("mode") == "LEARNED_SCALE" and type(activation) in (ReLU, ReLU6):
            options.update(neg_trunc=True, narrow_range=False)
        self.fake_quant_act = observer_of_activation(owner, quant_config, quant_dtype, **options)

    def construct(self, x: Tensor) -> Tensor:
        """The rounded activation of x."""
        if self.fake_before:
            x = self.fake_quant_act_before(x)
        return self.fake_quant_act(self.act(x))

    def get_origin(self) -> Cell:
        """The activation without rounding."""
        return self.act


class _QuantOfTwo(Cell):
    """An operator of two inputs whose result is rounded; its range follows slowly."""

    def __init__(
        self,
        ema_decay: float = 0.999,
        quant_config: QuantConfig = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        super().__init__()
        check_float_range(self.cls_name, "ema_decay", ema_decay, 0.0, 1.0)
        self.fake_quant_act = observer_of_activation(
            self.cls_name, quant_config, quant_dtype, min_init=-6, max_init=6, ema=True, ema_decay=ema_decay
        )


class TensorAddQuant(_QuantOfTwo):
    """A sum that is rounded.

    Args:
        ema_decay: how slowly the range follows what is observed.
        quant_config: makes the observer.
        quant_dtype: the type of the sum; other than INT8 it counts before that of ``quant_config``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.TensorAddQuant()(Tensor([1.0, 2.0]), Tensor([1.0, 1.0])).asnumpy().round(3))
        [1.976 3.012]
    """

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The rounded sum."""
        return self.fake_quant_act(ops.add(x1, x2))


class MulQuant(_QuantOfTwo):
    """A product that is rounded.

    Args:
        ema_decay: how slowly the range follows what is observed.
        quant_config: makes the observer.
        quant_dtype: the type of the product; other than INT8 it counts before that of ``quant_config``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MulQuant()(Tensor([1.0, 2.0]), Tensor([2.0, 2.0])).asnumpy().round(3))
        [1.976 4.   ]
    """

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The rounded product."""
        return self.fake_quant_act(ops.mul(x1, x2))
