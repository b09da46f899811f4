"""Arrays of Tensors behind a handle: written and read by index, stacked into one Tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.traced_kernel import tracing
from mindspore._ops.effects.state import assign
from mindspore._ops.reinforcement import stores
from mindspore._utils import checks
from mindspore._utils.refusals import refused

_INSTEAD = "dynamic_size=False and a size, so that the array has a fixed shape."
_FIRST = 8  # the rows that a growing array begins with


def _on_host(owner: str, value: Tensor) -> int:
    """A number that decides about a shape; an error while tracing, so that Python does what the graph cannot."""
    value._read()
    return int(value._host(f"'{owner}', of an array that grows,", _INSTEAD))


class TensorArrayStore(stores.Store):
    """The rows of an array, of which the first ``count`` were written or lie before one that was."""

    def __init__(self, dtype: Any, shape: tuple[int, ...], dynamic: bool, size: int, name: str):
        self.shape, self.dtype, self.dynamic, self.name = shape, dtype, dynamic, name
        self.rows: Parameter = stores.state(f"{name}.rows", np.zeros((size or _FIRST, *shape), dtype.np_dtype))
        self.count: Parameter = stores.state(f"{name}.size", np.zeros((), np.int64))

    def index(self, owner: str, index: Any, *, write: bool) -> Tensor:
        """An index as a Tensor; where its value is there, it is checked, and a growing array has room for it."""
        known: int | None = None
        if isinstance(index, Tensor):
            if self.dynamic or not tracing():
                known = _on_host(owner, index)
        else:
            known = checks.check_int(owner, "index", index)
        if self.dynamic and tracing():  # rows that are added are no work for a graph
            _on_host(owner, self.count)
        if known is not None:
            self._check(owner, known, write)
        return index.reshape(()) if isinstance(index, Tensor) else stores.number(index, dtypes.int64)

    def _check(self, owner: str, index: int, write: bool) -> None:
        limit = self.rows.shape[0] if write or tracing() else int(self.count.asnumpy())
        if write and self.dynamic and index >= limit:
            more = np.zeros((max(index + 1, 2 * limit), *self.shape), self.dtype.np_dtype)
            more[:limit] = self.rows.asnumpy()
            self.rows = stores.state(self.rows.name, more)
            return
        if not 0 <= index < limit:
            raise refused(RuntimeError, f"For '{owner}', the 'index' must be in [0, {limit}), but got {index}.")


@op(public=False, test=lambda t: [t.case(np.array(2), np.array(5), grad=False)])
def _reaching(count: Array, index: Array):
    """The size of an array after a write."""
    return count + (index + 1 - count) * (index >= count)


class TensorArray(Primitive):
    """Make an array and return its handle.

    Args:
        dtype, element_shape: of every Tensor in it.
        dynamic_size: whether it grows; else it has ``size`` rows.
        size: how many rows there are from the beginning.
        name: of the array.
    """

    def __init__(self, dtype: Any, element_shape: Any, dynamic_size: bool = True, size: int = 0, name: str = "TA"):
        super().__init__()
        checks.check_type(self.name, "dtype", dtype, dtypes.DType)
        checks.check_bool(self.name, "dynamic_size", dynamic_size)
        checks.check_non_negative_int(self.name, "size", size)
        for key, value in (("dtype", dtype), ("element_shape", tuple(element_shape)), ("dynamic_size", dynamic_size),
                           ("size", size)):  # fmt: skip
            self.add_prim_attr(key, value)
        self._title = name

    def __call__(self) -> Tensor:
        store = TensorArrayStore(self.dtype, self.element_shape, self.dynamic_size, self.size, self._title)
        return stores.put(store)


class _OfArray(Primitive):
    """An operator on the array behind a handle."""

    def _store(self, handle: Any) -> TensorArrayStore:
        return stores.find(self.name, handle, TensorArrayStore)


class _Typed(_OfArray):
    """An operator whose constructor takes the elements' dtype and shape, though the array knows them."""

    def __init__(self, dtype: Any, element_shape: Any, *others: Any):
        super().__init__()
        self.add_prim_attr("dtype", dtype)
        self.add_prim_attr("element_shape", element_shape)


class TensorArrayWrite(_OfArray):
    """Write a value at an index; what lies between was zeros."""

    def __call__(self, handle: Any, index: Any, value: Any) -> Tensor:
        store = self._store(handle)
        value = value if isinstance(value, Tensor) else Tensor(value, store.dtype)
        if value.dtype != store.dtype or tuple(value.shape) != store.shape:
            text = f"For '{self.name}', the 'value' must have dtype {store.dtype} and shape {store.shape}, but got "
            raise refused(RuntimeError, f"{text}{value.dtype} and {tuple(value.shape)}.")
        index = store.index(self.name, index, write=True)
        assign(store.rows, stores.with_rows(store.rows, index, value))
        assign(store.count, _reaching(store.count, index))
        return stores.number(0, dtypes.int64)


class TensorArrayRead(_Typed):
    """The value at an index."""

    def __call__(self, handle: Any, index: Any) -> Tensor:
        store = self._store(handle)
        return stores.rows_at(store.rows, store.index(self.name, index, write=False))


class TensorArrayGather(_Typed):
    """The values at several indices."""

    def __call__(self, handle: Any, indices: Tensor) -> Tensor:
        return stores.rows_at(self._store(handle).rows, indices)


class TensorArrayStack(_Typed):
    """All values as one Tensor: those that were written of an array that grows, else all rows."""

    def __call__(self, handle: Any) -> Tensor:
        store = self._store(handle)
        if store.dynamic:
            return store.rows[: _on_host(self.name, store.count)]
        return store.rows.value()


class TensorArraySize(_OfArray):
    """How many values there are: one more than the largest index that was written."""

    def __call__(self, handle: Any) -> Tensor:
        return self._store(handle).count.value()


class TensorArrayClear(_OfArray):
    """Empty an array; its handle stays."""

    def __call__(self, handle: Any) -> Tensor:
        store = self._store(handle)
        assign(store.count, stores.number(0, dtypes.int64))
        assign(store.rows, store.rows * 0)
        return stores.number(0, dtypes.int64)


class TensorArrayClose(_OfArray):
    """Forget an array and its handle."""

    def __call__(self, handle: Any) -> Tensor:
        stores.remove(self.name, handle, TensorArrayStore)
        return stores.number(0, dtypes.int64)
