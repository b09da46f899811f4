"""GetNext: a network that fetches its own data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._engine.execution import host_callbacks
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import data_queues
from mindspore._utils.checks import check_type


@register_primitive
class GetNext(Primitive):
    """The next row of a named data queue, which a dataset fills: ``dataset.device_que(queue_name=...).send()``.

    Args:
        types: the dtypes of the columns.
        shapes: the shapes of the columns.
        output_num: how many there are.
        shared_name: the name of the queue.

    Examples:
        >>> import mindspore as ms
        >>> import mindspore.dataset as ds
        >>> from mindspore import ops
        >>> ds.NumpySlicesDataset({"x": [1.5, 2.5]}, shuffle=False).device_que(queue_name="doc").send(1)
        >>> fetch = ops.GetNext([ms.float64], [()], 1, "doc")
        >>> print(fetch()[0], fetch()[0])
        1.5 2.5
    """

    def __init__(self, types: Sequence[DType], shapes: Sequence[Sequence[int]], output_num: int, shared_name: str):
        super().__init__("GetNext")
        check_type("GetNext", "types", types, (tuple, list))
        check_type("GetNext", "shapes", shapes, (tuple, list))
        for kind, shape in zip(types, shapes):
            check_type("GetNext", "types", kind, DType)
            check_type("GetNext", "shapes", shape, (tuple, list))
        self.attrs.update(types=types, shapes=shapes, output_num=output_num, shared_name=shared_name)
        self.shared_name = shared_name
        self.forms = tuple(jax.ShapeDtypeStruct(tuple(shape), dtype.np_dtype) for dtype, shape in zip(types, shapes))

    def __call__(self) -> tuple[Tensor, ...]:
        return host_callbacks.fetch(self._row, self.forms)

    def _row(self) -> list[np.ndarray]:
        row = [np.asarray(value) for value in data_queues.receive(self.shared_name)]
        got = [(value.shape, value.dtype) for value in row]
        wanted: list[Any] = [(form.shape, form.dtype) for form in self.forms]
        if got != wanted:
            raise RuntimeError(
                f"For 'GetNext', the data queue '{self.shared_name}' holds rows of {_text(got)}, but {_text(wanted)} was declared."
            )
        return row


def _text(columns: list[Any]) -> str:
    return ", ".join(f"{dtype}{list(shape)}" for shape, dtype in columns)
