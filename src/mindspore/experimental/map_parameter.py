"""Parameters that are tables: rows found by keys, made when first asked for."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.initializer import to_initializer
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown

__all__ = ["MapParameter"]

_UNCHANGED, _MODIFIED, _ERASED = range(3)
_NEVER = 2**63 - 1
_SLICE_BYTES = 2**30


class MapParameter(Parameter):
    """A table of rows by integer keys, such as embeddings of words that are not known beforehand. It lives on the host.

    Args:
        name: the name.
        requires_grad: kept for programs that give it; a table is changed with ``put``.
        kwargs: ``key_dtype`` (int32), ``value_dtype`` (float32), ``value_shape`` (1); or ``key_tensor`` and ``value_tensor`` with
            the first rows. ``default_value`` is the number or the initializer's name for rows that are not there ("normal").
            ``permit_filter_value`` says how often a key must be asked for before it gets a row (1), ``evict_filter_value``
            after how many calls without it a row is removed (never).

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore.experimental import MapParameter
        >>> table = MapParameter(key_dtype=ms.int32, value_dtype=ms.float32, value_shape=2, default_value="zeros")
        >>> table = table.put(Tensor([7], ms.int32), Tensor([[1.0, 2.0]]))
        >>> print(table.get(Tensor([7, 8], ms.int32)), table.get_keys())
        [[1. 2.]
         [0. 0.]] [7 8]
    """

    def __init__(self, name: str | None = None, requires_grad: bool = True, **kwargs: Any):
        keys: Any = kwargs.get("key_tensor")
        values: Any = kwargs.get("value_tensor")
        if (keys is None) != (values is None):
            raise ValueError("For 'MapParameter', 'key_tensor' and 'value_tensor' must be given together.")
        self.key_tensor, self.value_tensor = keys, values
        self.key_dtype = dtypes.to_dtype(
            kwargs.get("key_dtype", dtypes.int32) if keys is None else keys.dtype, "MapParameter"
        )
        self.value_dtype = dtypes.to_dtype(
            kwargs.get("value_dtype", dtypes.float32) if values is None else values.dtype, "MapParameter"
        )
        self.value_shape = _shape(kwargs.get("value_shape", 1)) if values is None else tuple(values.shape[1:])
        self.default_value = kwargs.get("default_value", "normal")
        self.permit_filter_value = kwargs.get("permit_filter_value", 1)
        self.evict_filter_value = kwargs.get("evict_filter_value", _NEVER)
        self._rows: dict[int, np.ndarray] = {}
        self._states: dict[int, int] = {}
        self._asked: dict[int, int] = {}  # how often, for keys without a row
        self._seen: dict[int, int] = {}  # in which call last
        self._calls = 0
        self._sent: list[int] | None = None  # keys that export_slice_data has yet to write
        super().__init__(
            Tensor(np.zeros((0, *self.value_shape), self.value_dtype.np_dtype)), name or "Parameter", requires_grad
        )
        if keys is not None and values is not None:
            self.put(keys, values)

    # -- rows -----------------------------------------------------------------------------------------------------------------
    def get(self, key_tensor: Tensor, insert_default_value: bool = True) -> Tensor:
        """The rows of these keys; those that are not there are made, and kept if ``insert_default_value``."""
        self._calls += 1
        found = [self._row(int(key), insert_default_value) for key in key_tensor.asnumpy().reshape(-1)]
        self._evict()
        return Tensor(np.array(found, self.value_dtype.np_dtype).reshape(*key_tensor.shape, *self.value_shape))

    def put(self, key_tensor: Tensor, value_tensor: Tensor) -> MapParameter:
        """Set the rows of these keys."""
        keys = key_tensor.asnumpy().reshape(-1)
        values = value_tensor.asnumpy().astype(self.value_dtype.np_dtype)
        if values.shape != (len(keys), *self.value_shape):
            raise ValueError(
                f"For 'MapParameter.put', the 'value_tensor' must have the shape {(len(keys), *self.value_shape)}, one row for "
                f"every key, but got {values.shape}."
            )
        for key, row in zip(keys.tolist(), values, strict=True):
            self._keep(key, row.copy())
        return self

    def erase(self, key_tensor: Tensor) -> MapParameter:
        """Remove the rows of these keys."""
        for key in key_tensor.asnumpy().reshape(-1).tolist():
            if self._rows.pop(key, None) is not None:
                self._states[key] = _ERASED
        return self

    def __getitem__(self, key_tensor: Any) -> Tensor:
        return self.get(key_tensor)

    def __setitem__(self, key_tensor: Any, value_tensor: Any) -> Any:
        return self.put(key_tensor, value_tensor)

    def _row(self, key: int, insert: bool) -> np.ndarray:
        self._seen[key] = self._calls
        if key in self._rows:
            return self._rows[key]
        row = self._default()
        self._asked[key] = self._asked.get(key, 0) + 1
        if insert and self._asked[key] >= self.permit_filter_value:
            self._keep(key, row)
        return row

    def _default(self) -> np.ndarray:
        if isinstance(self.default_value, numbers.Number):
            return np.full(self.value_shape, self.default_value, self.value_dtype.np_dtype)
        return to_initializer(self.default_value).materialise(self.value_shape, self.value_dtype)

    def _keep(self, key: int, row: np.ndarray) -> None:
        self._rows[key], self._states[key] = row, _MODIFIED
        self._seen[key] = self._calls
        self._asked.pop(key, None)

    def _evict(self) -> None:
        for key in [one for one in self._rows if self._calls - self._seen[one] >= self.evict_filter_value]:
            del self._rows[key]
            self._states[key] = _ERASED

    # -- all of it ------------------------------------------------------------------------------------------------------------
    def get_keys(self) -> Tensor:
        """All keys."""
        return Tensor(np.array(list(self._rows), self.key_dtype.np_dtype))

    def get_values(self) -> Tensor:
        """All rows, in the order of the keys."""
        return Tensor(self._values(list(self._rows)))

    def get_data(self) -> tuple[Tensor, Tensor]:
        """All keys and rows."""
        return self.get_keys(), self.get_values()

    def export_data(self, incremental: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Keys, rows and states (0 unchanged, 1 changed, 2 removed); ``incremental``: only what changed since the last such call."""
        keys = self._exported(incremental)
        exported = self._arrays(keys)
        if incremental:
            self._states = dict.fromkeys(self._rows, _UNCHANGED)
        return exported

    def export_slice_data(self, incremental: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
        """As :meth:`export_data`, a gigabyte at a time; the last element says whether this was the last part."""
        if self._sent is None:
            self._sent = self._exported(incremental)
        count = max(_SLICE_BYTES // max(math.prod(self.value_shape) * self.value_dtype.np_dtype.itemsize, 1), 1)
        part, rest = self._sent[:count], self._sent[count:]
        exported = self._arrays(part)
        self._sent = rest or None
        if incremental and not rest:
            self._states = dict.fromkeys(self._rows, _UNCHANGED)
        return *exported, not rest

    def export_bytes(self, incremental: bool = False) -> tuple[bytes, bytes, bytes]:
        """As :meth:`export_data`, in bytes."""
        keys, values, states = self.export_data(incremental)
        return keys.tobytes(), values.tobytes(), states.tobytes()

    def import_data(self, data: Sequence[Any]) -> None:
        """Take what :meth:`export_data` gave."""
        if not isinstance(data, (tuple, list)) or len(data) != 3:
            raise ValueError(
                f"For 'MapParameter.import_data', the 'data' must be (keys, values, states), but got {shown(data)}."
            )
        keys, values, states = (np.asarray(one) for one in data)
        rows = iter(values)
        for key, state in zip(keys.tolist(), states.tolist(), strict=True):
            if state == _ERASED:
                self._rows.pop(key, None)
            else:
                self._keep(key, np.array(next(rows), self.value_dtype.np_dtype))

    def clone(self, init: Any = "same") -> MapParameter:
        """A table of the same kind: with the same rows, or an empty one with another default."""
        made = MapParameter(
            self.name, self.requires_grad, key_dtype=self.key_dtype, value_dtype=self.value_dtype, value_shape=self.value_shape,
            default_value=self.default_value if isinstance(init, str) and init == "same" else init,
            permit_filter_value=self.permit_filter_value, evict_filter_value=self.evict_filter_value,
        )  # fmt: skip
        if isinstance(init, str) and init == "same":
            made.import_data(self.export_data())
        return made

    def __copy__(self) -> MapParameter:
        return self.clone()

    def __repr__(self) -> str:
        return f"MapParameter({self})"

    def __str__(self) -> str:
        return (
            f"MapTensor(key_dtype={self.key_dtype}, value_dtype={self.value_dtype}, value_shape={list(self.value_shape)}, "
            f"default_value={self.default_value}, permit_filter={self.permit_filter_value}, evict_filter={self.evict_filter_value})"
        )

    def _exported(self, incremental: bool) -> list[int]:
        return [key for key, state in self._states.items() if state != _UNCHANGED] if incremental else list(self._rows)

    def _arrays(self, keys: list[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        states = np.array([self._states[key] for key in keys], np.int32)
        kept = [key for key in keys if key in self._rows]
        return np.array(keys, self.key_dtype.np_dtype), self._values(kept), states

    def _values(self, keys: list[int]) -> np.ndarray:
        rows = [self._rows[key] for key in keys]
        return np.array(rows, self.value_dtype.np_dtype).reshape(len(keys), *self.value_shape)


def _shape(value: Any) -> tuple[int, ...]:
    shape = (value,) if isinstance(value, int) else value
    if not isinstance(shape, (tuple, list)) or not all(isinstance(one, int) for one in shape):
        raise TypeError(
            f"For 'MapParameter', the 'value_shape' must be an int or a tuple of ints, but got {shown(value)}."
        )
    return tuple(shape)
