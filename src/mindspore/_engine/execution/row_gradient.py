"""RowGradient: the row-sparse gradient of an embedding table.

It keeps the looked-up rows and their indices, which sparse updates of optimizers take. Everywhere else it is an ordinary
Tensor: its dense form is computed on demand.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.pytree import register_node
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import call, run
from mindspore._engine.tensor.tensor import Tensor


def spread(indices: Any, values: Any, length: int) -> Any:
    """The dense array: rows of the same number add up, numbers outside of the table do not count."""
    indices = jnp.where(indices < 0, length, indices)
    return jnp.zeros((length, *values.shape[1:]), values.dtype).at[indices].add(values, mode="drop")


@functools.cache
def _spreading(length: int) -> Kernel:
    return Kernel("RowGradient", lambda indices, values: spread(indices, values, length))


class RowGradient(Tensor):
    """Rows and their numbers; a Tensor of the table's shape."""

    _rows: tuple[Tensor, Tensor] | None
    _length: int  # of the table
    _dense: Any

    @classmethod
    def made(cls, indices: Tensor, values: Tensor, length: int) -> RowGradient:
        """The gradient of a table with ``length`` rows."""
        gradient = object.__new__(cls)
        gradient._rows, gradient._length, gradient._dense = (indices, values), length, None
        if state.scope is not None:
            # Now, not in a branch that happens to read it first; XLA drops what nobody reads.
            gradient._birth = state.scope
            gradient._dense = _spreading(length).jitted(indices._read(), values._read())
        return gradient

    @property
    def indices(self) -> Tensor:
        """The numbers of the rows; a number may come several times."""
        return self._sparse()[0]

    @property
    def values(self) -> Tensor:
        """The rows."""
        return self._sparse()[1]

    @property
    def dense_shape(self) -> tuple[int, ...]:
        return self.shape

    def with_values(self, values: Tensor) -> RowGradient:
        """The same rows with other values."""
        return self.made(self.indices, values, self._length)

    def plus(self, other: RowGradient) -> RowGradient:
        """The sum of two gradients of one table."""
        indices, values = (run(_joined, list(pair)) for pair in zip(self._sparse(), other._sparse()))
        return self.made(indices, values, self._length)

    def _sparse(self) -> tuple[Tensor, Tensor]:
        if self._rows is None:
            self._rows = Tensor.wrap(jnp.arange(self._length)), Tensor.wrap(self._dense)
        return self._rows

    # -- as a Tensor --------------------------------------------------------------------------------------------------
    @property
    def _value(self) -> Any:  # type: ignore[override]
        if self._dense is None:
            indices, values = self._sparse()
            with jax.ensure_compile_time_eval():  # made outside of any trace
                self._dense = call(_spreading(self._length), [indices._value, values._value])
        return self._dense

    @_value.setter
    def _value(self, value: Any) -> None:
        self._dense = value  # cached; assignments go through the methods below

    def _set(self, value: Any, link: Any = None) -> None:
        super()._set(value, link)
        self._rows = None  # every row counts

    def _snapshot(self) -> Any:
        return super()._snapshot(), self._rows

    def _restore(self, snapshot: Any) -> None:
        dense, self._rows = snapshot
        super()._restore(dense)

    def _stand_in(self, other: Tensor) -> None:
        super()._stand_in(other)
        self._rows = None

    def _store(self, value: Any) -> None:
        super()._store(value)
        self._rows = None

    def asnumpy(self) -> np.ndarray:
        """A NumPy array of the dense form, a copy."""
        return np.array(
            self._host("Tensor.asnumpy()", "compute with operators of mindspore.ops, or return the Tensor.")
        )

    @property
    def shape(self) -> tuple[int, ...]:
        return self._value.shape if self._rows is None else (self._length, *self._rows[1].shape[1:])

    @property
    def dtype(self) -> DType:
        return dtypes.from_numpy(self._value.dtype) if self._rows is None else self._rows[1].dtype

    def _taken(self) -> tuple[tuple[Tensor, Tensor], int]:
        return self._sparse(), self._length


_joined = Kernel("RowGradient", lambda *parts: jnp.concatenate(parts))
register_node(RowGradient, RowGradient._taken, lambda kind, rows, length: kind.made(*rows, length))


def on_values(function: Callable[[Tensor], Tensor], gradient: Tensor) -> Tensor:
    """A linear function of a gradient: of its rows alone where it is made of rows."""
    if gradient.__class__ is RowGradient:
        return gradient.with_values(function(gradient.values))  # type: ignore[attr-defined]
    return function(gradient)
