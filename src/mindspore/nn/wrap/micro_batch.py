"""Networks that process a batch in micro-batches."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.autodiff.pipeline_marks import micro_batch
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer.container import CellList

__all__ = ["GradAccumulationCell", "MicroBatchInterleaved", "PipelineCell"]


@primitives(strided_slice=ops.StridedSlice, shape=ops.Shape)
class _MicroBatch(Cell):
    """One of ``micro_size`` equal parts of every input, along the first axis."""

    def __init__(self, micro_size: int):
        super().__init__()
        self.micro_size = micro_size

    def construct(self, i: int, *inputs: Any) -> tuple:
        return tuple(self._part(each, i) if isinstance(each, Tensor) else each for each in inputs)

    def _part(self, value: Tensor, i: int) -> Tensor:
        rows, left = divmod(value.shape[0], self.micro_size)
        if left:
            raise ValueError(
                f"For micro batch initialization, the 0th dimension shape of input({value.shape[0]}) must be divided by "
                f"micro size({self.micro_size})"
            )
        return value[i * rows : (i + 1) * rows]


class _InParts(Cell):
    """The sum of a network's results over micro-batches."""

    _COUNT = "micro_size"  # what the number of parts is called

    def __init__(self, network: Cell, count: int):
        super().__init__(auto_prefix=False)
        owner = type(self).__name__
        if not isinstance(network, Cell):
            raise refused(
                TypeError,
                f"For '{owner}', the argument 'network' must cell type, but got the type : {type(network)}. Pass a Cell.",
            )
        if isinstance(count, bool) or not isinstance(count, int):
            raise refused(
                TypeError,
                f"For '{owner}', the argument '{self._COUNT}' must be integer, but got the type : {type(count)}.",
            )
        if count <= 0:
            raise refused(
                ValueError, f"For '{owner}', the argument '{self._COUNT}' must be large than 0, but got {shown(count)}."
            )
        self.network = network
        self.micro_inputs = CellList([_MicroBatch(count) for _ in range(count)])

    def construct(self, *inputs: Any) -> Any:
        total = None
        for i, micro_input in enumerate(self.micro_inputs):
            output = self.network(*self._begun(i, micro_input(i, *inputs)))
            total = output if total is None else _sum(total, output)
        return total

    def _begun(self, i: int, inputs: tuple) -> tuple:
        """The inputs of a micro batch."""
        return inputs


def _sum(total: Any, output: Any) -> Any:
    if isinstance(output, (tuple, list)):
        return tuple(_sum(each, other) for each, other in zip(total, output, strict=True))
    return total + output


class MicroBatchInterleaved(_InParts):
    """Splits a batch into parts whose computation and communication can overlap; returns the sum over the parts.

    Args:
        network: the network, usually with its loss.
        interleave_num: number of parts; the batch size must be a multiple of it.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.WithLossCell(nn.ReLU(), nn.L1Loss())
        >>> print(nn.MicroBatchInterleaved(net, 2)(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])))
        3.0
    """

    _COUNT = "interleave_num"

    def __init__(self, network: Cell, interleave_num: int = 2):
        super().__init__(network, interleave_num)
        self.interleave_num = interleave_num
        self.interleave_inputs = self.micro_inputs


class PipelineCell(_InParts):
    """Splits a batch into micro batches for pipeline parallel training; returns the sum over them.

    Args:
        network: the network, usually with its loss.
        micro_size: number of micro batches; the batch size must be a multiple of it.
        stage_config: stage of the pipeline by Cell name.
        segment_config: segment by Cell name, for interleaved pipelines.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.WithLossCell(nn.ReLU(), nn.L1Loss())
        >>> print(nn.PipelineCell(net, 2)(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])))
        3.0
    """

    def __init__(
        self,
        network: Cell,
        micro_size: int,
        stage_config: dict[str, int] | None = None,
        segment_config: dict[str, int] | None = None,
    ):
        super().__init__(network, micro_size)
        self.micro_size = micro_size
        self._set_on_cells("pipeline_stage", "stage_config", stage_config)
        self._set_on_cells("pipeline_segment", "segment_config", segment_config)

    def _begun(self, i: int, inputs: tuple) -> tuple:
        return micro_batch(i, inputs)

    def _set_on_cells(self, attribute: str, argument: str, config: dict[str, int] | None) -> None:
        if config is None:
            return
        if not isinstance(config, dict):
            raise refused(
                WrongObject,
                f"For 'PipelineCell', the '{argument}' must be a dict of Cells' names, but got {shown(config)}.",
            )
        cells = dict(self.network.cells_and_names())
        unknown = [name for name in config if name not in cells]
        if unknown:
            raise KeyError(
                f"For 'PipelineCell', the argument '{argument}' names {unknown}, which are no Cells of the network; "
                f"it has {sorted(name for name in cells if name)}."
            )
        for name, value in config.items():
            setattr(cells[name], attribute, value)


class GradAccumulationCell(_InParts):
    """Splits a batch into micro batches whose gradients are summed before a single update; returns the sum of the losses.

    Args:
        network: the network with its loss.
        micro_size: number of micro batches; the batch size must be a multiple of it.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.WithLossCell(nn.ReLU(), nn.L1Loss())
        >>> print(nn.GradAccumulationCell(net, 2)(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])))
        3.0
    """

    def __init__(self, network: Cell, micro_size: int):
        super().__init__(network, micro_size)
        self.micro_size = micro_size
