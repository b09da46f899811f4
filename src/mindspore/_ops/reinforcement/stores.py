"""The Parameters behind a handle, which operators read and write; found by the handle's number or by the handle itself."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, TypeVar

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused

Kind = TypeVar("Kind", bound="Store")


class Store:
    """The base of what a handle stands for."""


_stores: dict[int, Store] = {}
_numbers = itertools.count()
_NUMBER = "store_number"  # the attribute of a handle


def put(store: Store, shape: tuple[int, ...] = ()) -> Tensor:
    """A handle for a store: its number as an int64 Tensor."""
    number = next(_numbers)
    _stores[number] = store
    handle = Tensor(np.full(shape, number, np.int64))
    setattr(handle, _NUMBER, number)  # graphs know a Tensor by itself, not by its value
    return handle


def number_of(owner: str, handle: Any) -> int:
    """The number of a handle that is a Tensor or an int."""
    if isinstance(handle, Tensor):
        number = getattr(handle, _NUMBER, None)
        return handle._host(f"'{owner}'", "the handle that the operator made.").item() if number is None else number
    if isinstance(handle, bool) or not isinstance(handle, (int, np.integer)):
        raise refused(TypeError, f"For '{owner}', the 'handle' must be a Tensor or an int, but got {shown(handle)}.")
    return int(handle)


def find(owner: str, handle: Any, kind: type[Kind]) -> Kind:
    """What a handle stands for."""
    number = number_of(owner, handle)
    store = _stores.get(number)
    if not isinstance(store, kind):
        there = "has been closed, or was never made" if store is None else f"stands for a {type(store).__name__}"
        raise refused(RuntimeError, f"For '{owner}', the handle {number} {there}.")
    return store


def remove(owner: str, handle: Any, kind: type[Store]) -> None:
    """Forget what a handle stands for."""
    find(owner, handle, kind)
    del _stores[number_of(owner, handle)]


def state(name: str, value: Any) -> Parameter:
    """A Parameter of a store."""
    return Parameter(Tensor(value), name=name, requires_grad=False)


def rows_for(name: str, count: int, shapes: Sequence[Sequence[int]], types: Sequence[Any]) -> list[Parameter]:
    """A Parameter of ``count`` rows for every part of a transition."""
    return [
        state(f"{name}.{index}", np.zeros((count, *shape), dtype.np_dtype))
        for index, (shape, dtype) in enumerate(zip(shapes, types, strict=True))
    ]


def number(value: int | float, dtype: Any = dtypes.int32) -> Tensor:
    """A Tensor of one number."""
    return Tensor(value, dtype)


@op(public=False, in_parts=True,
    test=lambda t: [t.case(t.normal(4, 2), np.array([3, 0]), t.normal(2, 2), grad=False)])  # fmt: skip
def with_rows(table: Array, positions: Array, rows: Array):
    """A table with these rows at these positions; those behind its end are dropped."""
    return table.at[positions].set(rows.astype(table.dtype), mode="drop")


@op(public=False, test=lambda t: [t.case(t.normal(4, 2), np.array([3, 0]), grad=False)])
def rows_at(table: Array, positions: Array):
    """The rows of a table at these positions."""
    return jnp.take(table, positions, axis=0, mode="clip")
