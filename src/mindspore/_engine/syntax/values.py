"""Values that cross the boundary of a branch or loop: which become outputs, and with what aval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.errors import GraphError, breaks
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.syntax.exits import RESULT
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.traced_number import DTYPES, TracedNumber, is_traced_number, kind_of
from mindspore._engine.tracing import effects

Aval = tuple[tuple[int, ...], np.dtype]
_ORDER = list(DTYPES.values())
_KINDS = "?biufc"  # by width; a Python scalar may only be widened


class Undefined:
    """A variable that is unbound on one path through a branch or loop."""

    def __init__(self, name: str, where: str = ""):
        self.name = name
        self.where = where

    def read(self) -> Any:
        if self.where:
            raise breaks(
                UnboundLocalError(
                    f"The local variable '{self.name}' is not defined in {self.where}, but used after it. "
                    "Give it a value before, or on every way."
                )
            )
        raise UnboundLocalError(f"The local variable '{self.name}' is used before it is assigned.")

    def __repr__(self) -> str:
        return f"<undefined {self.name}>"


NO_RESULT = Undefined(RESULT)  # the result before any return


class Variables:
    """The output variables of a construct: getter, setter and names."""

    def __init__(self, get: Callable[[], tuple], set_: Callable[[tuple], None], *names: str):
        self.get = get
        self.set = set_
        self.names = names


NO_VARIABLES = Variables(tuple, lambda values: None)


def shown_name(name: str) -> str:
    return "the return value" if name == RESULT else f"'{name}'"


def is_number(value: Any) -> bool:
    """Whether a value can be an output of a construct."""
    if isinstance(value, Tensor):
        return value.dtype.np_dtype is not None  # string Tensors have none
    return isinstance(value, (bool, int, float, np.number, np.bool_))


def aval_of(value: Any) -> tuple[tuple[int, ...], np.dtype, bool]:
    """Shape, dtype, and whether the dtype is weak (a Python scalar)."""
    if is_traced_number(value):
        return (), DTYPES[kind_of(value)], True
    if isinstance(value, Tensor):
        return value.shape, np.dtype(value.dtype.np_dtype), False
    if isinstance(value, np.generic):
        return (), value.dtype, False
    kind = bool if isinstance(value, bool) else int if isinstance(value, int) else float
    return (), DTYPES[kind], True


def fits(number: np.dtype, dtype: np.dtype) -> bool:
    """Whether a Python scalar of this kind converts to the dtype without loss."""
    return _KINDS.index(number.kind if number.kind != "b" else "?") <= _KINDS.index(
        dtype.kind if dtype.kind != "b" else "?"
    )


def to_tensor(value: Any, aval: Aval) -> Tensor:
    """Convert a scalar or Tensor to this aval."""
    shape, dtype = aval
    if not isinstance(value, Tensor):
        return Tensor.wrap(jnp.full(shape, value, dtype))
    return value if value.dtype.np_dtype == dtype else value.astype(dtypes.from_numpy(dtype))


def number_of(tensor: Tensor) -> TracedNumber:
    """An output of a construct that is a Python number on every way."""
    kind = next(kind for kind, dtype in DTYPES.items() if dtype == tensor.dtype.np_dtype)
    if state.scope is not None:
        state.scope.note_read(tensor)
    return TracedNumber.of(tensor._value, kind)


def blank(aval: Aval) -> Tensor:
    """A zero Tensor as placeholder for an unused value."""
    return Tensor.wrap(jnp.zeros(*aval))


def join(name: str, values: Sequence[Any], paths: Sequence[str]) -> Aval:
    """The common aval of a value on all paths."""
    avals = [aval_of(v) for v in values]
    firm = [(path, shape, dtype) for path, (shape, dtype, weak) in zip(paths, avals) if not weak]
    if not firm:
        return (), max((dtype for _, dtype, _ in avals), key=_ORDER.index)
    first, shape, dtype = firm[0]
    for (s, d, weak), path, value in zip(avals, paths, values):
        if d != dtype and not (weak and fits(d, dtype)):
            was = f"the number {value!r}" if weak else dtypes.from_numpy(d)
            raise breaks(
                TypeError(
                    f"Cannot join the values of {shown_name(name)}: it is {dtypes.from_numpy(dtype)} in {first} but {was} in "
                    f"{path} (Type Join Failed). Convert one of them, e.g. with .astype(mindspore.{dtype.name})."
                )
            )
        if s != shape:
            raise breaks(
                ValueError(
                    f"Cannot join the values of {shown_name(name)}: its shape is {shape} in {first} but {s} in {path} (Shape "
                    "Join Failed). A graph has fixed shapes: make both the same, e.g. with ops.zeros_like, ops.pad or "
                    "broadcast_to."
                )
            )
    return shape, dtype


def rows_of(name: str, values: Sequence[Any], paths: Sequence[str]) -> tuple[list[list[Any]], Any]:
    """Transpose a variable's leaves: each with its values on all paths, and the common pytree."""
    columns, description = [], None
    for value, path in zip(values, paths):
        leaves, form = flatten(value)
        if columns and form != description:
            raise GraphError(
                f"Cannot join the values of {shown_name(name)}: it is {shown(values[0])} in {paths[0]} but {shown(value)} in "
                f"{path}. What a Tensor condition decides about must have the same form on every way."
            )
        columns.append(leaves)
        description = form
    return [list(row) for row in zip(*columns)], description


def rebuild(description: Any, leaves: list[Any]) -> Any:
    return effects.born_inside(unflatten(description, iter(leaves)))


def is_same(values: Sequence[Any]) -> bool:
    """Whether all paths leave the same object, which then needs no output."""
    first = values[0]
    return all(v is first or _is_equal(first, v) for v in values)


def _is_equal(first: Any, second: Any) -> bool:
    if type(first) is not type(second) or isinstance(first, (Tensor, Undefined)):
        return False  # comparing Tensors would add an operator to the graph
    if isinstance(first, (tuple, list, dict)):
        (left, form), (right, other) = flatten(first), flatten(second)
        return form == other and all(a is b or _is_equal(a, b) for a, b in zip(left, right, strict=True))
    try:
        return bool(first == second)
    except Exception:
        return False


def shown(value: Any) -> str:
    if isinstance(value, Undefined):
        return "undefined"
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "..."
