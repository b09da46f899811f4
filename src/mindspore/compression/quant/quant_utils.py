"""Help with quantized networks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mindspore._utils.checks import check_type
from mindspore.common.parameter import Parameter
from mindspore.nn.cell import Cell
from mindspore.nn.layer.quant import (
    ActQuant,
    Conv2dBnFoldQuant,
    Conv2dBnFoldQuantOneConv,
    Conv2dBnWithoutFoldQuant,
    Conv2dQuant,
    DenseQuant,
)

__all__ = ["load_nonquant_param_into_quant_net", "query_quant_layers"]

_LAYERS = (ActQuant, Conv2dBnFoldQuant, Conv2dBnFoldQuantOneConv, Conv2dBnWithoutFoldQuant, Conv2dQuant, DenseQuant)
_OF_QUANTIZATION = ("minq", "maxq", "quant_min", "quant_max", "step")  # a network without quantization has none of them


def load_nonquant_param_into_quant_net(
    quant_model: Cell, params_dict: Mapping[str, Parameter], quant_new_params: Sequence[str] | None = None
) -> None:
    """Give a quantized network the weights of the same network without quantization.

    The Parameters of each kind (weight, bias, gamma, ...) are taken in their order: paths differ, as batch normalization
    may have become part of convolutions.

    Args:
        quant_model: the quantized network.
        params_dict: Parameters by name, from ``load_checkpoint``.
        quant_new_params: kinds that only the quantized network has.

    Examples:
        >>> import numpy as np
        >>> from mindspore import nn
        >>> from mindspore.compression.quant import QuantizationAwareTraining, load_nonquant_param_into_quant_net
        >>> plain, other = nn.DenseBnAct(2, 1), nn.DenseBnAct(2, 1)
        >>> quantized = QuantizationAwareTraining().quantize(other)
        >>> load_nonquant_param_into_quant_net(quantized, plain.parameters_dict())
        >>> bool(np.all(plain.dense.weight.asnumpy() == quantized.dense.weight.asnumpy()))
        True
    """
    owner = "load_nonquant_param_into_quant_net"
    check_type(owner, "quant_model", quant_model, Cell)
    skipped = (*_OF_QUANTIZATION, *(quant_new_params or ()))
    offered: dict[str, list[Any]] = {}
    for name, value in params_dict.items():
        offered.setdefault(name.rsplit(".", 1)[-1], []).append((name, value))
    planned = []
    for name, parameter in quant_model.parameters_and_names():
        kind = name.rsplit(".", 1)[-1]
        if kind in skipped:
            continue
        if not offered.get(kind):
            raise ValueError(
                f"For '{owner}', the 'params_dict' has no Parameter left for '{name}'. If only the quantized network has it, "
                f"add {kind!r} to 'quant_new_params'."
            )
        source, value = offered[kind].pop(0)
        if tuple(value.shape) != tuple(parameter.shape):
            raise ValueError(
                f"For '{owner}', '{source}' with shape {tuple(value.shape)} was to go to '{name}' with shape "
                f"{tuple(parameter.shape)}: are these the same network?"
            )
        planned.append((parameter, value))
    for parameter, value in planned:
        parameter.set_data(value)


def query_quant_layers(network: Cell) -> None:
    """Print the layers that round, and to what type.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.compression.quant import QuantizationAwareTraining, query_quant_layers
        >>> query_quant_layers(QuantizationAwareTraining().quantize(nn.SequentialCell(nn.DenseBnAct(2, 1))))
        0.dense    INT8
    """
    for name, cell in network.cells_and_names():
        if isinstance(cell, _LAYERS):
            observer = cell.fake_quant_act if isinstance(cell, ActQuant) else cell.fake_quant_weight
            print(f"{name}    {observer.quant_dtype}")
