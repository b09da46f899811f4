"""Queues of fixed size behind a handle, whose elements are several Tensors each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.effects.state import assign
from mindspore._ops.reinforcement import stores
from mindspore._utils import checks
from mindspore._utils.refusals import refused


class TensorsQueueStore(stores.Store):
    """A ring of rows: ``count`` of them are used, from ``head`` on."""

    def __init__(self, dtype: Any, shapes: Sequence[Sequence[int]], size: int, name: str):
        self.size, self.dtype, self.shapes = size, dtype, tuple(tuple(shape) for shape in shapes)
        self.rows = stores.rows_for(name, size, shapes, [dtype] * len(shapes))
        self.head: Parameter = stores.state(f"{name}.head", np.zeros((), np.int64))
        self.count: Parameter = stores.state(f"{name}.count", np.zeros((), np.int64))
        self.limit = Tensor(size, dtypes.int64)


def _full(xp: Any, count: Any, limit: Any) -> tuple[Any, Any]:
    return count >= limit, limit


def _empty(xp: Any, count: Any) -> tuple[Any, Any]:
    return count <= 0, count


class TensorsQueueCreate(Primitive):
    """Make a queue and return its handle.

    Args:
        dtype: of all its Tensors.
        shapes: of the Tensors of one element.
        size: how many elements it holds.
        name: of the queue.
    """

    def __init__(self, dtype: Any, shapes: Sequence[Sequence[int]], size: int = 0, name: str = "Q"):
        super().__init__()
        checks.check_type(self.name, "dtype", dtype, dtypes.DType)
        checks.check_type(self.name, "shapes", shapes, (tuple, list))
        checks.check_non_negative_int(self.name, "size", size)
        for key, value in (("dtype", dtype), ("shapes", shapes), ("size", size)):
            self.add_prim_attr(key, value)
        self._title = name

    def __call__(self) -> Tensor:
        return stores.put(TensorsQueueStore(self.dtype, self.shapes, self.size, self._title))


class _OfQueue(Primitive):
    def _store(self, handle: Any) -> TensorsQueueStore:
        return stores.find(self.name, handle, TensorsQueueStore)


class TensorsQueuePut(_OfQueue):
    """Add an element behind the others."""

    def __init__(self, dtype: Any, shapes: Sequence[Sequence[int]]):
        super().__init__()
        self.add_prim_attr("dtype", dtype)
        self.add_prim_attr("shapes", shapes)

    def __call__(self, handle: Any, value: Sequence[Tensor]) -> Tensor:
        store = self._store(handle)
        given = tuple(tuple(part.shape) for part in value)
        if given != store.shapes or any(part.dtype != store.dtype for part in value):
            text = f"For '{self.name}', the 'value' must be Tensors of {store.dtype} with the shapes {store.shapes}"
            raise refused(ValueError, f"{text}, but got the shapes {given} of {[part.dtype for part in value]}.")
        require_values(self.name, "the queue is full: it holds {} elements.", _full, store.count, store.limit)
        position = (store.head + store.count) % store.size
        for rows, part in zip(store.rows, value, strict=True):
            assign(rows, stores.with_rows(rows, position, part))
        assign(store.count, store.count + 1)
        return stores.number(0, dtypes.int64)


class TensorsQueueGet(_OfQueue):
    """The first element; with ``pop_after_get`` it leaves the queue."""

    def __init__(self, dtype: Any, shapes: Sequence[Sequence[int]], pop_after_get: bool = False):
        super().__init__()
        self.add_prim_attr("dtype", dtype)
        self.add_prim_attr("shapes", shapes)
        self.add_prim_attr("pop_after_get", checks.check_bool(self.name, "pop_after_get", pop_after_get))

    def __call__(self, handle: Any) -> tuple[Tensor, ...]:
        store = self._store(handle)
        require_values(self.name, "the queue is empty: it holds {} elements.", _empty, store.count)
        found = tuple(stores.rows_at(rows, store.head) for rows in store.rows)
        if self.pop_after_get:
            assign(store.head, (store.head + 1) % store.size)
            assign(store.count, store.count - 1)
        return found


class TensorsQueueSize(_OfQueue):
    """How many elements a queue holds."""

    def __call__(self, handle: Any) -> Tensor:
        return self._store(handle).count.value()


class TensorsQueueClear(_OfQueue):
    """Empty a queue; its handle stays."""

    def __call__(self, handle: Any) -> Tensor:
        store = self._store(handle)
        for number in (store.head, store.count):
            assign(number, stores.number(0, dtypes.int64))
        return stores.number(0, dtypes.int64)


class TensorsQueueClose(_OfQueue):
    """Forget a queue and its handle."""

    def __call__(self, handle: Any) -> Tensor:
        stores.remove(self.name, handle, TensorsQueueStore)
        return stores.number(0, dtypes.int64)
