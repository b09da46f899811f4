"""Variables that cross the border of a branch or loop: which become outputs of the construct, and in what dtype."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine import dtype as dtypes
from mindspore._engine.failures import GraphError
from mindspore._engine.structure import flatten, unflatten
from mindspore._engine.tensor import Tensor

_PYTHON = {bool: np.dtype(np.bool_), int: np.dtype(np.int64), float: np.dtype(np.float32)}
_ORDER = [np.dtype(np.bool_), np.dtype(np.int64), np.dtype(np.float32)]


class Undefined:
    """A variable without a value on one of the ways through a branch or loop."""

    def __init__(self, name: str, where: str = ""):
        self.name = name
        self.where = where

    def read(self) -> Any:
        if self.where:
            raise UnboundLocalError(f"The local variable '{self.name}' is not defined in {self.where}, but used after it. "
                                    "Give it a value before, or on every way.")  # fmt: skip
        raise UnboundLocalError(f"The local variable '{self.name}' is used before it is assigned.")

    def __repr__(self) -> str:
        return f"<undefined {self.name}>"


def is_traced(value: Any) -> bool:
    """Whether the value is a Tensor that is known only when the graph runs."""
    return isinstance(value, Tensor) and isinstance(value._value, jax.core.Tracer)


def is_number(value: Any) -> bool:
    return isinstance(value, (Tensor, bool, int, float, np.generic)) and not isinstance(value, np.str_)


def aval_of(value: Any) -> tuple[tuple[int, ...], np.dtype, bool]:
    """Shape, dtype, and whether the dtype may give way (a Python number)."""
    if isinstance(value, Tensor):
        return value.shape, value.dtype.np_dtype, False
    if isinstance(value, np.generic):
        return (), value.dtype, False
    return (), _PYTHON[type(value)], True


def to_tensor(value: Any, dtype: np.dtype) -> Tensor:
    """The number or Tensor as a Tensor of this dtype."""
    if isinstance(value, Tensor):
        return value if value.dtype.np_dtype == dtype else value.astype(dtypes.from_numpy(dtype))
    return Tensor.wrap(jnp.asarray(value, dtype))


def join_avals(name: str, values: list[Any], places: list[str]) -> tuple[tuple[int, ...], np.dtype]:
    """The common shape and dtype of one variable on all ways."""
    avals = [aval_of(v) for v in values]
    firm = [(s, d) for s, d, weak in avals if not weak]
    if not firm:
        return (), max((d for _, d, _ in avals), key=_ORDER.index)
    shape, dtype = firm[0]
    for (s, d, weak), place, value in zip(avals, places, values, strict=True):
        if not weak and d != dtype:
            raise TypeError(
                f"Cannot join the values of '{name}': its dtype is {dtypes.from_numpy(dtype)} in {places[0]} but "
                f"{dtypes.from_numpy(d)} in {place} (Type Join Failed). Convert one of them, e.g. "
                f"{name}.astype({dtypes.from_numpy(dtype)!r})."
            )
        if s != shape:
            raise ValueError(
                f"Cannot join the values of '{name}': its shape is {shape} in {places[0]} but {s} in {place} (Shape Join "
                "Failed). A graph has fixed shapes: make both the same, e.g. with padding, ops.zeros or broadcast_to."
            )
        del value
    return shape, dtype


def split(name: str, value: Any, others: list[Any], places: list[str]) -> tuple[list[list[Any]], Any]:
    """The leaves of one variable on every way, and the nesting they share."""
    leaves, description = flatten(value)
    columns = [leaves]
    for other in others:
        other_leaves, other_description = flatten(other)
        if other_description != description or len(other_leaves) != len(leaves):
            raise GraphError(
                f"Cannot join the values of '{name}': it is {_shown(value)} in {places[0]} but {_shown(other)} in "
                f"{places[1]}. A variable that a Tensor condition decides about must have the same form on every way."
            )
        columns.append(other_leaves)
    return [list(row) for row in zip(*columns, strict=True)], description


def rebuild(description: Any, leaves: list[Any]) -> Any:
    return unflatten(description, iter(leaves))


def same_object(values: list[Any]) -> bool:
    """Whether all ways leave the very same value, which then needs no output."""
    first = values[0]
    if all(v is first for v in values):
        return True
    if isinstance(first, Tensor) or not all(type(v) is type(first) for v in values):
        return False
    try:
        return all(bool(v == first) for v in values)
    except Exception:
        return False


def _shown(value: Any) -> str:
    if isinstance(value, Undefined):
        return "undefined"
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "..."
