"""Operations on the bits of integers and on truth values: ``&``, ``|``, ``^`` and shifts."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import is_weak, kind_of, promote

_PAIR = {"input": ("x", "x1"), "other": ("y", "x2")}  # the names of 1.x and of the Primitives


def _bits(input: Operand, other: Operand) -> tuple:
    x, y = promote(input, other)
    if kind_of(x.dtype) not in "bi":
        raise TypeError(f"the 'input' and 'other' must be integers or bool, but got {input.dtype} and {other.dtype}.")
    return x, y


@op(primitive="BitwiseAnd", method="bitwise_and", operator="__and__", reflected="__rand__", old=_PAIR,
    test=lambda t: [t.case(t.ints(4), t.ints(4), expect=np.bitwise_and, grad=False),
                    t.case(t.bools(4), t.bools(4), expect=np.bitwise_and, grad=False)])  # fmt: skip
def bitwise_and(input: Operand, other: Operand):
    """The bits that are set in both.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bitwise_and(Tensor([6, 5]), 3))
        [2 1]
    """
    return jnp.bitwise_and(*_bits(input, other))


@op(primitive="BitwiseOr", method="bitwise_or", operator="__or__", reflected="__ror__", old=_PAIR,
    test=lambda t: [t.case(t.ints(4), t.ints(4), expect=np.bitwise_or, grad=False),
                    t.case(t.bools(4), t.bools(4), expect=np.bitwise_or, grad=False)])  # fmt: skip
def bitwise_or(input: Operand, other: Operand):
    """The bitwise or.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bitwise_or(Tensor([6, 5]), 3))
        [7 7]
    """
    return jnp.bitwise_or(*_bits(input, other))


@op(primitive="BitwiseXor", method="bitwise_xor", operator="__xor__", reflected="__rxor__", old=_PAIR,
    test=lambda t: [t.case(t.ints(4), t.ints(4), expect=np.bitwise_xor, grad=False),
                    t.case(t.bools(4), t.bools(4), expect=np.bitwise_xor, grad=False)])  # fmt: skip
def bitwise_xor(input: Operand, other: Operand):
    """The bitwise exclusive or.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bitwise_xor(Tensor([6, 5]), 3))
        [5 6]
    """
    return jnp.bitwise_xor(*_bits(input, other))


@op(primitive="LeftShift", method="bitwise_left_shift", old=_PAIR,
    test=lambda t: [t.case(t.ints(4), t.ints(4), expect=np.left_shift, grad=False)])  # fmt: skip
@accepts("i", "input", "other")
def bitwise_left_shift(input: Operand, other: Operand):
    """The bits shifted left by ``other``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bitwise_left_shift(Tensor([1, 3]), 2))
        [ 4 12]
    """
    return jnp.left_shift(*_bits(input, other))


@op(primitive="RightShift", method="bitwise_right_shift", old={"input": ("input_x",), "other": ("input_y",)},
    test=lambda t: [t.case(t.ints(4, low=-99, high=99), t.ints(4), expect=np.right_shift, grad=False)])  # fmt: skip
@accepts("i", "input", "other")
def bitwise_right_shift(input: Operand, other: Operand):
    """The bits shifted right by ``other``, arithmetically: the sign stays.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bitwise_right_shift(Tensor([8, -8]), 2))
        [ 2 -2]
    """
    result = jnp.right_shift(*_bits(input, other))
    return result if is_weak(input) or input.dtype == jnp.bool_ else result.astype(input.dtype)


@op(primitive="Invert", aliases="bitwise_not", method=("invert", "bitwise_not"), old={"x": ("input",)},
    test=lambda t: [t.case(t.ints(4), expect=np.invert, grad=False)])  # fmt: skip
@accepts("i", "x")
def invert(x: Array):
    """Every bit inverted. (``~x`` is the logical inverse.)

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.invert(Tensor([0, 5])))
        [-1 -6]
    """
    if kind_of(x.dtype) not in "bi":
        raise TypeError(f"the 'x' must be a Tensor of integers, but got {x.dtype}.")
    return jnp.invert(x)


@op(primitive="PopulationCount", old={"input_x": ("x", "input")},
    test=lambda t: [t.case(t.ints(4), grad=False,
                           expect=lambda x: np.array([bin(v).count("1") for v in x], np.uint8))])  # fmt: skip
def population_count(input_x: Array):
    """How many bits of each integer are set, as uint8.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.population_count(Tensor([0, 5, 7])))
        [0 2 3]
    """
    if kind_of(input_x.dtype) != "i":
        raise TypeError(f"the 'input_x' must be a Tensor of integers, but got {input_x.dtype}.")
    return lax.population_count(input_x).astype(jnp.uint8)
