"""Networks that fetch their own data."""

from __future__ import annotations

from collections.abc import Sequence

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_type
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell

__all__ = ["GetNextSingleOp"]


class GetNextSingleOp(Cell):
    """The next row of a named data queue, without inputs.

    Args:
        dataset_types: the dtypes of the columns.
        dataset_shapes: the shapes of the columns.
        queue_name: the queue a dataset sends to: ``dataset.device_que(queue_name=...).send()``.

    Examples:
        >>> import mindspore as ms
        >>> import mindspore.dataset as ds
        >>> from mindspore import nn
        >>> ds.NumpySlicesDataset({"x": [1.5, 2.5]}, shuffle=False).batch(2).device_que(queue_name="rows").send(1)
        >>> print(nn.GetNextSingleOp([ms.float64], [(2,)], "rows")()[0])
        [1.5 2.5]
    """

    def __init__(self, dataset_types: Sequence[DType], dataset_shapes: Sequence[Sequence[int]], queue_name: str):
        super().__init__()
        check_type("GetNextSingleOp", "dataset_types", dataset_types, (list, tuple))
        check_type("GetNextSingleOp", "dataset_shapes", dataset_shapes, (list, tuple))
        if len(dataset_types) != len(dataset_shapes):
            raise refused(
                ValueError,
                f"For 'GetNextSingleOp', the 'dataset_types' must have the length of 'dataset_shapes', {len(dataset_shapes)}, but got "
                f"{len(dataset_types)}.",
            )
        self.get_next = ops.GetNext(dataset_types, dataset_shapes, len(dataset_types), queue_name)

    def construct(self) -> tuple[Tensor, ...]:
        return self.get_next()
