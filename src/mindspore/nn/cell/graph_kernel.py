"""The base of MindSpore 1.x for Cells that are compiled into one kernel."""

from __future__ import annotations

from typing import Any

from mindspore.nn.cell.cell import Cell


class GraphKernel(Cell):
    """A Cell of basic operators that belong into one kernel, which is what XLA makes of every Cell.

    Args:
        auto_prefix: whether Parameters of Cells assigned to attributes are named after the attributes.
        pips: flags to set, by name.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> class Positive(nn.GraphKernel):
        ...     def construct(self, x):
        ...         return ops.maximum(x, 0.0)
        >>> print(Positive()(Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def __init__(self, auto_prefix: bool = True, pips: dict[str, Any] | None = None):
        super().__init__(auto_prefix, pips)
        self.add_flags(graph_kernel=type(self).__name__)
