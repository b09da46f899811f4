"""Replaces the layers of a network by those that compute with rounded numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mindspore._utils.checks import check_bool, check_non_negative_int, check_one_of, check_type, shown
from mindspore.compression.quant.quantizer import OptimizeOption, Quantizer
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.quant_observer import QuantConfig
from mindspore.nn.layer.combined import Conv2dBnAct, DenseBnAct
from mindspore.nn.layer.quant import (
    ActQuant,
    Conv2dBnFoldQuant,
    Conv2dBnFoldQuantOneConv,
    Conv2dBnWithoutFoldQuant,
    Conv2dQuant,
    DenseQuant,
    FakeQuantWithMinMaxObserver,
    QuantDtype,
)

__all__ = ["QuantizationAwareTraining", "create_quant_config"]

_INT8 = (QuantDtype.INT8, QuantDtype.INT8)
_NO = (False, False)
_OBSERVERS = (FakeQuantWithMinMaxObserver, FakeQuantWithMinMaxObserver)


def _pair(owner: str, name: str, value: Any, kind: type) -> tuple[Any, Any]:
    """The settings of weights and of activations; a single value is for both."""
    both = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    if len(both) == 1:
        both = both * 2
    if len(both) != 2:
        raise ValueError(
            f"For '{owner}', the '{name}' must be one value, or two for weights and activations, but got {shown(value)}."
        )
    return tuple(check_type(owner, name, value, kind) for value in both)  # type: ignore[return-value]


def create_quant_config(
    quant_observer: Any = _OBSERVERS,
    quant_delay: int | Sequence[int] = (0, 0),
    quant_dtype: QuantDtype | Sequence[QuantDtype] = _INT8,
    per_channel: bool | Sequence[bool] = _NO,
    symmetric: bool | Sequence[bool] = _NO,
    narrow_range: bool | Sequence[bool] = _NO,
    mode: str = "DEFAULT",
) -> QuantConfig:
    """What makes the observers of weights and of activations. Pairs are for weights and activations, in this order.

    Args:
        quant_observer: the classes of the observers.
        quant_delay: for how many steps of training nothing is rounded.
        quant_dtype: how many bits a level has.
        per_channel: whether each channel has a range of its own; activations share a single range.
        symmetric: whether the ends of a range differ in sign alone.
        narrow_range: whether the least level is left out.
        mode: 'DEFAULT', or 'LEARNED_SCALE' for ranges that are trained.

    Examples:
        >>> from mindspore.compression.quant import create_quant_config
        >>> config = create_quant_config(per_channel=(True, False), symmetric=True)
        >>> config.weight(num_channels=4).per_channel, config.activation().per_channel
        (True, False)
    """
    owner = "create_quant_config"
    delays = _pair(owner, "quant_delay", quant_delay, int)
    dtypes = _pair(owner, "quant_dtype", quant_dtype, QuantDtype)
    channels = _pair(owner, "per_channel", per_channel, bool)
    symmetries = _pair(owner, "symmetric", symmetric, bool)
    narrow = _pair(owner, "narrow_range", narrow_range, bool)
    observers = _pair(owner, "quant_observer", quant_observer, type)
    check_one_of(owner, "mode", mode, ("DEFAULT", "LEARNED_SCALE"))
    if channels[1]:
        raise ValueError(f"For '{owner}', the 'per_channel' must be False for activations, but got True.")
    makers = [
        observers[index].partial_init(
            quant_delay=check_non_negative_int(owner, "quant_delay", delays[index]),
            quant_dtype=dtypes[index],
            per_channel=channels[index],
            symmetric=symmetries[index],
            narrow_range=narrow[index],
            mode=mode,
        )
        for index in (0, 1)
    ]
    return QuantConfig(makers[0], makers[1])


class QuantizationAwareTraining(Quantizer):
    """Makes a network train with rounded numbers: its Conv2dBnAct and DenseBnAct get layers that round.

    Args:
        bn_fold: whether batch normalization becomes part of the convolution's weight.
        freeze_bn: after how many steps the statistics of batch normalization are fixed; without ``one_conv_fold``.
        quant_delay, quant_dtype, per_channel, symmetric, narrow_range: as for :func:`create_quant_config`.
        optimize_option: whether ranges follow what is observed or are trained.
        one_conv_fold: whether one convolution is enough for a folded batch normalization.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.compression.quant import QuantizationAwareTraining
        >>> network = nn.SequentialCell(nn.Conv2dBnAct(3, 8, 3, has_bn=True, activation="relu"))
        >>> network = QuantizationAwareTraining(bn_fold=False).quantize(network)
        >>> type(network[0].conv).__name__, type(network[0].activation).__name__
        ('Conv2dBnWithoutFoldQuant', 'ActQuant')
    """

    def __init__(
        self,
        bn_fold: bool = True,
        freeze_bn: int = 10_000_000,
        quant_delay: int | Sequence[int] = (0, 0),
        quant_dtype: QuantDtype | Sequence[QuantDtype] = _INT8,
        per_channel: bool | Sequence[bool] = _NO,
        symmetric: bool | Sequence[bool] = _NO,
        narrow_range: bool | Sequence[bool] = _NO,
        optimize_option: OptimizeOption | Iterable[OptimizeOption] = OptimizeOption.QAT,
        one_conv_fold: bool = True,
    ):
        super().__init__(optimize_option)
        owner = "QuantizationAwareTraining"
        self.bn_fold = check_bool(owner, "bn_fold", bn_fold)
        self.freeze_bn = check_non_negative_int(owner, "freeze_bn", freeze_bn)
        self.one_conv_fold = check_bool(owner, "one_conv_fold", one_conv_fold)
        self.learned = OptimizeOption.LEARNED_SCALE in self.optimize_option
        if self.learned and bn_fold:
            raise ValueError(f"For '{owner}', the 'bn_fold' must be False with LEARNED_SCALE, but got True.")
        mode = "LEARNED_SCALE" if self.learned else "DEFAULT"
        self.quant_config = create_quant_config(
            _OBSERVERS, quant_delay, quant_dtype, per_channel, symmetric, narrow_range, mode
        )

    def quantize(self, network: Cell) -> Cell:
        """Replace the layers of the network, which is also returned. Weights keep their values."""
        check_type("quantize", "network", network, Cell)
        replaced: list[Cell] = []
        for _, cell in list(network.cells_and_names()):
            if isinstance(cell, Conv2dBnAct):
                replaced += self._round_convolution(cell)
            elif isinstance(cell, DenseBnAct):
                replaced += self._round_dense(cell)
        if not replaced:
            raise ValueError(
                "For 'quantize', the network must have nn.Conv2dBnAct or nn.DenseBnAct layers, which are those that are "
                "replaced, but it has none."
            )
        # New Parameters are named after their path in the network, as if the network had been built with them.
        new = {id(parameter) for cell in replaced for parameter in cell.get_parameters()}
        for path, parameter in network.parameters_and_names():
            if id(parameter) in new:
                parameter.name = path
        return network

    def _round_convolution(self, block: Any) -> list[Cell]:
        config = self.quant_config
        if not block.has_bn:
            block.conv = Conv2dQuant.from_float(block.conv, config)
        elif not self.bn_fold:
            block.conv = Conv2dBnWithoutFoldQuant.from_float(block, config)
        elif self.one_conv_fold:
            block.conv = Conv2dBnFoldQuantOneConv.from_float(block, config)
        else:
            block.conv = Conv2dBnFoldQuant.from_float(block, config, {"freeze_bn": self.freeze_bn})
        if block.has_bn:  # it is part of the convolution now
            del block.batchnorm
            block.has_bn = False
        self._begin_with_weight(block.conv)
        return [block.conv, *self._round_activation(block)]

    def _round_dense(self, block: Any) -> list[Cell]:
        block.dense = DenseQuant.from_float(block.dense, self.quant_config)
        self._begin_with_weight(block.dense)
        return [block.dense, *self._round_activation(block)]

    def _round_activation(self, block: Any) -> list[Cell]:
        if block.has_act:
            block.activation = ActQuant(block.activation, ema=True, quant_config=self.quant_config)
        elif block.after_fake:
            options = {"neg_trunc": False, "narrow_range": True} if self.learned else {}
            block.activation = self.quant_config.activation(min_init=-6, max_init=6, ema=True, **options)
            block.has_act = True
        else:
            return []
        return [block.activation]

    def _begin_with_weight(self, layer: Any) -> None:
        """A trained range begins as wide as the weight."""
        if not self.learned:
            return
        observer = layer.fake_quant_weight
        weight = np.abs(layer.weight.asnumpy())
        widths = (
            weight.reshape(len(weight), -1).max(1) if observer.per_channel else weight.max(keepdims=True).reshape(1)
        )
        ends = [max(float(width), 1e-6) for width in widths]
        observer.reset(observer.quant_dtype, [-end for end in ends], ends)
