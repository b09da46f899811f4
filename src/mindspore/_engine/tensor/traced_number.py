"""Python numbers whose value is known when the graph runs: ``int(x)``, ``x.item()``, a number that a branch or loop chooses.

Inside a graph it is a 0-d Tensor of a weak type, which behaves as the number: combined with numbers it stays one, combined
with Tensors it takes their dtype, and no gradient passes through. A graph that returns it returns the number.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.extend.core.primitives import convert_element_type_p

from mindspore._engine.base.errors import needs_value
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor, is_traced

DTYPES = {bool: np.dtype(np.bool_), int: np.dtype(np.int64), float: np.dtype(np.float64)}
_PYTHON = (bool, int, float)
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift")
_LOGICAL = ("and", "or", "xor")
_COMPARING = ("lt", "le", "gt", "ge", "eq", "ne")
_UNARY = ("neg", "pos", "abs", "invert")


def unknown_key() -> Exception:
    """The break where a number that is known when the graph runs is a key."""
    return needs_value("Looking up a number computed from Tensors", "use ops.gather on a Tensor of the values.")


class TracedNumber(Tensor):
    """A number of this kind (bool, int or float) inside a graph."""

    number: type

    @classmethod
    def of(cls, value: Any, kind: type) -> TracedNumber:
        made = object.__new__(cls)
        value = jnp.asarray(value).reshape(())
        weak = kind is not bool
        made._value = convert_element_type_p.bind(value, new_dtype=DTYPES[kind], weak_type=weak, sharding=None)
        made._birth, made.number = state.scope, kind
        return made

    def __round__(self, ndigits: int | None = None) -> Any:
        if ndigits is None:
            return _compute(lambda value: jnp.round(value).astype(jnp.int64), self)
        return _compute(lambda value: jnp.round(value, ndigits), self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __hash__(self) -> int:
        asked_by = sys._getframe(1).f_globals.get("__name__", "")
        if asked_by.startswith("mindspore."):  # a table of Tensors
            return id(self) >> 4
        raise unknown_key()


def as_number(value: Any, kind: type | None = None) -> Any:
    """A traced Tensor of one element as the Python number it holds; without a kind, that of its dtype."""
    if state.scope is not None:
        state.scope.note_read(value)
    dtype = value.dtype
    found = bool if dtype.np_dtype == np.bool_ else float if dtype.is_floating else int
    array = value._value
    if kind is int and found is float:
        array = jnp.trunc(array)
    elif kind is bool:
        array = array != 0
    return TracedNumber.of(array, kind or found)


def is_traced_number(value: Any) -> bool:
    """Whether it is a number to the program: computed from Tensors, or an argument that became an input of the graph."""
    return isinstance(value, TracedNumber) or (is_traced(value) and value._value.weak_type)


def kind_of(value: Any) -> type:
    """bool, int or float."""
    return getattr(value, "number", None) or (float if value.dtype.is_floating else int)


def is_plain_number(value: Any) -> bool:
    """Whether it is a number to the program, known now or when the graph runs."""
    return isinstance(value, _PYTHON) or is_traced_number(value)


def _raw(value: Any) -> Any:
    if isinstance(value, Tensor):
        state.scope.note_read(value)  # type: ignore[union-attr]
        return value._value
    return value


def _compute(function: Callable[..., Any], *values: Any) -> TracedNumber:
    raw = [_raw(value) for value in values]
    if function not in _ON_BOOLS:  # True + True is 2
        raw = [one.astype(jnp.int64) if getattr(one, "dtype", None) == np.bool_ else one for one in raw]
    result = jnp.asarray(function(*raw))
    kind = {"b": bool, "i": int, "u": int}.get(result.dtype.kind, float)
    return TracedNumber.of(result, kind)


def _of_tensors(number: TracedNumber, special: str, other: Any) -> Any:
    if special in ("__mul__", "__rmul__") and isinstance(other, (list, tuple, str, bytes)):
        raise needs_value("A list or text as long as a number computed from Tensors", "use a Tensor and ops.tile.")
    method = getattr(super(TracedNumber, number), special, None)
    return NotImplemented if method is None else method(other)


def _binary(name: str) -> None:
    function, special = getattr(operator, f"{name}_" if name in ("and", "or") else name), f"__{name}__"

    def forward(self: Any, other: Any) -> Any:
        if is_plain_number(other) and state.scope is not None:
            return _compute(function, self, other)
        return _of_tensors(self, special, other)

    setattr(TracedNumber, special, forward)


def _reflected(name: str) -> None:
    function, special = getattr(operator, f"{name}_" if name in ("and", "or") else name), f"__r{name}__"

    def backward(self: Any, other: Any) -> Any:
        if is_plain_number(other) and state.scope is not None:
            return _compute(function, other, self)
        return _of_tensors(self, special, other)

    setattr(TracedNumber, special, backward)


def _unary(name: str) -> None:
    function = getattr(operator, name)
    setattr(TracedNumber, f"__{name}__", lambda self: _compute(function, self))


_ON_BOOLS = [getattr(operator, name) for name in (*_COMPARING, "and_", "or_", "xor")]
for _name in (*_BINARY, *_LOGICAL, *_COMPARING):
    _binary(_name)
for _name in (*_BINARY, *_LOGICAL):
    _reflected(_name)
for _name in _UNARY:
    _unary(_name)
