"""Elementwise selection by a condition."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.convert import convert
from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.overloads import overloaded
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.promotion import check_broadcast, promote
from mindspore._ops.declaring.requirements import require, require_storable


def _require_bool(name: str, condition: Any) -> None:
    got = dtypes.from_numpy(condition.dtype)
    text = f"the '{name}' must be a Tensor of dtype Bool, but got {got}. Compare first: {name} != 0."
    require(condition.dtype == jnp.bool_, text, TypeError)


@op(
    primitive="Select",
    old={"condition": ("cond",), "input": ("x",), "other": ("y",)},
    test=lambda t: [
        t.case(t.bools(2, 3), t.normal(2, 3), t.normal(2, 3), expect=np.where),
        t.case(t.bools(2, 3), t.normal(3), 1.5, expect=np.where),
        t.case(t.bools(3), 1, 2, expect=np.where),
    ],
)
def select(condition: Array, input: Operand, other: Operand):
    """``input`` where the condition is True, ``other`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.select(Tensor([True, False]), Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [1. 4.]
    """
    return chosen(condition, input, other)


def chosen(condition: Any, x: Any, y: Any) -> Any:
    """The element of ``x`` or ``y`` in their common dtype."""
    _require_bool("condition", condition)
    check_broadcast(condition, x, y)
    return jnp.where(condition, *promote(x, y))


@op(
    old={"input": ("x",), "other": ("y",)},
    test=lambda t: [
        t.case(t.bools(2, 3), t.normal(2, 3), 0, expect=np.where),
        t.case(t.bools(2, 1), t.ints(3), 0.5, grad=False, expect=np.where),
    ],
)
def where(condition: Array, input: Operand, other: Operand):
    """``input`` where the condition is True, ``other`` elsewhere, see :func:`select`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([1.0, -2.0])
        >>> print(ops.where(x > 0, x, 0))
        [1. 0.]
    """
    return chosen(condition, input, other)


def _where_method(self: Tensor, condition: Tensor, y: Any) -> Tensor:
    """This tensor's elements where the condition is True, those of ``y`` elsewhere.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([1, -2, 3])
        >>> print(x.where(x > 0, Tensor(0)))
        [1 0 3]
    """
    return where(condition, self, y)


def _where_other(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    return where(condition, self, other)


@op(
    primitive="MaskedFill",
    method="masked_fill",
    old={"input_x": ("input", "x")},
    test=lambda t: [
        t.case(t.normal(2, 3), t.bools(3), 9.0, expect=lambda x, m, v: np.where(m, np.float32(v), x)),
        t.case(t.ints(2, 3), t.bools(2, 3), 9.5, expect=lambda x, m, v: np.where(m, 9, x)),
    ],
)
def masked_fill(input_x: Array, mask: Array, value: Operand):
    """A number where the mask is True, the input elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.masked_fill(Tensor([1.0, 2.0]), Tensor([True, False]), 9))
        [9. 2.]
    """
    _require_bool("mask", mask)
    require_storable("value", value, input_x.dtype)
    value = convert(value, input_x.dtype)
    require(value.size == 1, f"the 'value' must be one number, but got shape {value.shape}.")
    check_broadcast(input_x, mask)
    return jnp.where(mask, value.reshape(()), input_x)


@op(
    primitive="MaskedScatter",
    public=False,
    method="masked_scatter",
    old={"source": "tensor"},
    test=lambda t: [
        t.case(
            t.normal(3), np.array([True, False, True]), t.normal(4), expect=lambda x, m, s: np.array([s[0], x[1], s[1]])
        )
    ],
)
def _masked_scatter(x: Array, mask: Array, source: Array):
    """The elements of ``source`` in order where the mask is True, ``x`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MaskedScatter()(Tensor([1.0, 2.0, 3.0]), Tensor([True, False, True]), Tensor([7.0, 8.0])))
        [7. 2. 8.]
    """
    _require_bool("mask", mask)
    require(source.size, f"the 'source' must have an element for every True of 'mask', but got shape {source.shape}.")
    check_broadcast(x, mask)
    x, mask = jnp.broadcast_arrays(x, mask)
    order = jnp.cumsum(mask.reshape(-1)) - 1
    return jnp.where(mask, jnp.take(source.reshape(-1), order, mode="clip").reshape(x.shape).astype(x.dtype), x)


attach("where", overloaded("Tensor.where", _where_method, _where_other))
