"""Networks whose last layer is replaced by a layer with normalized weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._utils.checks import check_bool, check_type
from mindspore.common import dtype as mstype
from mindspore.common.initializer import Normal, initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer.basic import Dense
from mindspore.nn.layer.container import CellList, SequentialCell

__all__ = ["CommonHeadLastFN", "LessBN"]


class CommonHeadLastFN(Cell):
    """The cosines between the input and each row of a weight, times a number that is learned.

    Args:
        in_features: the length of the input.
        out_features: how many rows the weight has.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.boost.less_batch_normalization import CommonHeadLastFN
        >>> print(CommonHeadLastFN(3, 2)(ops.ones((5, 3))).shape)
        (5, 2)
    """

    def __init__(self, in_features: int, out_features: int):
        super().__init__()
        first = initializer(
            Normal(sigma=float(np.sqrt(1.0 / in_features))), (out_features, in_features), mstype.float32
        )
        self.weight = Parameter(first, name="weight")
        self.multiplier = Parameter(Tensor([23.0], mstype.float32), name="multiplier")

    def construct(self, x: Tensor) -> Tensor:
        x = ops.L2Normalize(1, 1e-12)(x)
        weight = ops.L2Normalize(axis=1, epsilon=1e-12)(self.weight.value())
        return ops.matmul(x, weight.T) * self.multiplier.value()


class LessBN(Cell):
    """A network, on request with its last dense layer replaced by a layer with normalized weights.

    Batch normalizations stay in the network: XLA fuses them with their neighbours.

    Args:
        network: the network; it is changed.
        fn_flag: whether the last dense layer is replaced.

    Examples:
        >>> from mindspore import nn, ops
        >>> from mindspore.boost import LessBN
        >>> network = LessBN(nn.SequentialCell(nn.Dense(3, 4), nn.Dense(4, 2)), fn_flag=True)
        >>> print(network(ops.ones((5, 3))).shape)
        (5, 2)
    """

    def __init__(self, network: Cell, fn_flag: bool = False):
        super().__init__()
        check_type("LessBN", "network", network, Cell)
        if check_bool("LessBN", "fn_flag", fn_flag):
            network = _with_normalized_head(network)
        self.network = network
        self.network.set_train()

    def construct(self, *inputs: Any) -> Any:
        return self.network(*inputs)


def _with_normalized_head(network: Cell) -> Cell:
    """The network with its last dense layer replaced."""
    if isinstance(network, Dense):
        return CommonHeadLastFN(network.in_channels, network.out_channels)
    owners = [
        (cell, name)
        for _, cell in network.cells_and_names()
        for name, child in cell.name_cells().items()
        if isinstance(child, Dense)
    ]
    if owners:
        owner, name = owners[-1]
        dense: Any = owner.name_cells()[name]
        replacement = CommonHeadLastFN(dense.in_channels, dense.out_channels)
        prefix = dense.weight.name.removesuffix("weight")
        replacement.update_parameters_name(prefix)
        if isinstance(owner, (CellList, SequentialCell)):
            owner[list(owner.name_cells()).index(name)] = replacement
        else:
            setattr(owner, name, replacement)
    return network
