"""Comparisons and logic: the results are bool and have no gradient."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Arrays, Operand
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.dtype_checks import accepts, alike
from mindspore._ops.declaring.promotion import kind_of, promote
from mindspore._ops.declaring.requirements import FOUND_BY_KERNEL, require

_PAIR = {"input": ("x",), "other": ("y",)}  # the names of 1.x and of the Primitives


@op(primitive="Equal", aliases=("eq", "tensor_eq"), method=("equal", "eq"), old=_PAIR,
    test=lambda t: [t.case(t.ints(9, high=3), t.ints(9, high=3), expect=np.equal, grad=False),
                    t.case(t.normal(2, 3), 0.5, expect=np.equal, grad=False)])  # fmt: skip
def equal(input: Operand, other: Operand):
    """Whether two values are equal, element by element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.equal(Tensor([1, 2, 3]), Tensor([1, 2, 4])))
        [ True  True False]
    """
    return jnp.equal(*promote(input, other))


@op(primitive="NotEqual", aliases="ne", method=("not_equal", "ne"), old=_PAIR,
    test=lambda t: [t.case(t.ints(9, high=3), t.ints(9, high=3), expect=np.not_equal, grad=False)])  # fmt: skip
def not_equal(input: Operand, other: Operand):
    """Whether two values differ, element by element.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.not_equal(Tensor([1, 2, 3]), 2))
        [ True False  True]
    """
    return jnp.not_equal(*promote(input, other))


_COMPARABLE = (Tensor, bool, int, float, complex, np.generic)


def _eq(self: Tensor, other: Any) -> Tensor:
    """``==``: a Tensor for Tensors and numbers; anything else is not equal to a Tensor."""
    return equal(self, other) if isinstance(other, _COMPARABLE) else False  # type: ignore[return-value]


def _ne(self: Tensor, other: Any) -> Tensor:
    return not_equal(self, other) if isinstance(other, _COMPARABLE) else True  # type: ignore[return-value]


attach("__eq__", _eq)
attach("__ne__", _ne)


@op(primitive="Greater", aliases=("gt", "tensor_gt"), method=("greater", "gt"), operator="__gt__", old=_PAIR,
    test=lambda t: [t.case(t.ints(9, high=3), t.ints(9, high=3), expect=np.greater, grad=False)])  # fmt: skip
@accepts("bif", "input", "other")
def greater(input: Operand, other: Operand):
    """Whether the first value is larger.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.greater(Tensor([1, 2, 3]), 2))
        [False False  True]
    """
    return jnp.greater(*promote(input, other))


@op(primitive="GreaterEqual", aliases=("ge", "tensor_ge"), method=("greater_equal", "ge"), operator="__ge__", old=_PAIR,
    test=lambda t: [t.case(t.ints(9, high=3), t.ints(9, high=3), expect=np.greater_equal, grad=False)])  # fmt: skip
@accepts("bif", "input", "other")
def greater_equal(input: Operand, other: Operand):
    """Whether the first value is larger or equal.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.greater_equal(Tensor([1, 2, 3]), 2))
        [False  True  True]
    """
    return jnp.greater_equal(*promote(input, other))


@op(primitive="Less", aliases=("lt", "tensor_lt"), method=("less", "lt"), operator="__lt__", old=_PAIR,
    test=lambda t: [t.case(t.ints(9, high=3), t.ints(9, high=3), expect=np.less, grad=False)])  # fmt: skip
@accepts("bif", "input", "other")
def less(input: Operand, other: Operand):
    """Whether the first value is smaller.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.less(Tensor([1, 2, 3]), 2))
        [ True False False]
    """
    return jnp.less(*promote(input, other))


@op(primitive="LessEqual", aliases=("le", "tensor_le"), method=("less_equal", "le"), operator="__le__", old=_PAIR,
    test=lambda t: [t.case(t.ints(9, high=3), t.ints(9, high=3), expect=np.less_equal, grad=False)])  # fmt: skip
@accepts("bif", "input", "other")
def less_equal(input: Operand, other: Operand):
    """Whether the first value is smaller or equal.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.less_equal(Tensor([1, 2, 3]), 2))
        [ True  True False]
    """
    return jnp.less_equal(*promote(input, other))


# -- logic: a number counts as true when it is not zero ---------------------------------------------------------------
@op(primitive="LogicalAnd", method="logical_and", old=_PAIR,
    test=lambda t: [t.case(t.bools(6), t.bools(6), expect=np.logical_and, grad=False),
                    t.case(t.ints(6, high=2), True, expect=np.logical_and, grad=False)])  # fmt: skip
def logical_and(input: Operand, other: Operand):
    """Whether both are true.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logical_and(Tensor([True, False]), Tensor([True, True])))
        [ True False]
    """
    return jnp.logical_and(*promote(input, other))


@op(primitive="LogicalOr", method="logical_or", old=_PAIR,
    test=lambda t: [t.case(t.bools(6), t.bools(6), expect=np.logical_or, grad=False)])  # fmt: skip
def logical_or(input: Operand, other: Operand):
    """The logical or.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logical_or(Tensor([True, False]), Tensor([True, True])))
        [ True  True]
    """
    return jnp.logical_or(*promote(input, other))


@op(primitive="LogicalXor", method="logical_xor", old=_PAIR,
    test=lambda t: [t.case(t.bools(6), t.bools(6), expect=np.logical_xor, grad=False)])  # fmt: skip
def logical_xor(input: Operand, other: Operand):
    """The logical exclusive or.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logical_xor(Tensor([True, False]), Tensor([True, True])))
        [False  True]
    """
    return jnp.logical_xor(*promote(input, other))


@op(primitive="LogicalNot", method="logical_not", operator="__invert__", old={"input": ("x",)},
    test=lambda t: [t.case(t.bools(6), expect=np.logical_not, grad=False)])  # fmt: skip
def logical_not(input: Array):
    """Whether each element is false or zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.logical_not(Tensor([True, False])))
        [False  True]
    """
    return jnp.logical_not(input)


# -- kinds of numbers -------------------------------------------------------------------------------------------------
def _specials() -> np.ndarray:
    return np.array([0, -1.5, np.inf, -np.inf, np.nan], np.float32)


@op(primitive="IsNan", method="isnan", old={"input": ("x",)},
    test=lambda t: [t.case(_specials(), expect=np.isnan, grad=False)])  # fmt: skip
def isnan(input: Array):
    """Whether each element is NaN.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isnan(Tensor([1.0, float("nan")])))
        [False  True]
    """
    return jnp.isnan(input)


@op(primitive="IsInf", method="isinf", old={"input": ("x",)},
    test=lambda t: [t.case(_specials(), expect=np.isinf, grad=False)])  # fmt: skip
def isinf(input: Array):
    """Whether each element is an infinity.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isinf(Tensor([1.0, float("-inf")])))
        [False  True]
    """
    return jnp.isinf(input)


@op(primitive="IsFinite", method="isfinite", old={"input": ("x",)},
    test=lambda t: [t.case(_specials(), expect=np.isfinite, grad=False)])  # fmt: skip
def isfinite(input: Array):
    """Whether each element is neither infinite nor NaN.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isfinite(Tensor([1.0, float("inf")])))
        [ True False]
    """
    return jnp.isfinite(input)


@op(method="isposinf", test=lambda t: [t.case(_specials(), expect=np.isposinf, grad=False)])
@accepts("bif", "input")
def isposinf(input: Array):
    """Whether each element is plus infinity.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isposinf(Tensor([1.0, float("inf")])))
        [False  True]
    """
    return jnp.isposinf(input)


@op(method="isneginf", test=lambda t: [t.case(_specials(), expect=np.isneginf, grad=False)])
@accepts("bif", "input")
def isneginf(input: Array):
    """Whether each element is minus infinity.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isneginf(Tensor([1.0, float("-inf")])))
        [False  True]
    """
    return jnp.isneginf(input)


@op(method="isreal", test=lambda t: [t.case(_specials(), expect=np.isreal, grad=False)])
def isreal(input: Array):
    """Whether each element has no imaginary part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isreal(Tensor([1.0, 2.0])))
        [ True  True]
    """
    return jnp.isreal(input)


@op(primitive="FloatStatus", public=False, old={"x": ("input",)},
    test=lambda t: [t.case(_specials(), expect=lambda x: np.ones(1, np.float32), grad=False),
                    t.case(t.normal(2, 3), expect=lambda x: np.zeros(1, np.float32), grad=False)])  # fmt: skip
def float_status(x: Array):
    """A tensor of shape (1,): 1 when any element is infinite or NaN, else 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.FloatStatus()(Tensor([1.0, float("inf")])))
        [1.]
    """
    return jnp.any(~jnp.isfinite(x)).astype(jnp.float32).reshape(1)


@op(primitive="AllFinite", public=False,
    test=lambda t: [t.case([t.normal(2, 3), _specials()], expect=lambda *x: np.array(False), grad=False),
                    t.case([t.normal(2, 3), t.normal(4)], expect=lambda *x: np.array(True), grad=False)])  # fmt: skip
def all_finite(tensors: Arrays):
    """Whether no element of any of the Tensors is infinite or NaN.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AllFinite()([Tensor([1.0, 2.0])]), ops.AllFinite()([Tensor([1.0, float("inf")])]))
        True False
    """
    return jnp.stack([jnp.all(jnp.isfinite(each)) for each in tensors]).all()


# -- nearly equal -----------------------------------------------------------------------------------------------------
@op(primitive="IsClose", init=("rtol", "atol", "equal_nan"), method="isclose", old={"input": ("x1",), "other": ("x2",)},
    test=lambda t: [t.case(t.normal(6), t.normal(6), rtol=0.5, grad=False,
                           expect=lambda x, y, rtol: np.isclose(x, y, rtol)),
                    t.case(_specials(), _specials(), equal_nan=True, grad=False,
                           expect=lambda x, y, equal_nan: np.ones(5, bool))])  # fmt: skip
@alike("input", "other")
def isclose(input: Array, other: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False):
    """Whether ``abs(input - other) <= atol + rtol * abs(other)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1])))
        [ True False]
    """
    x, y = promote(input, other)
    return jnp.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)


def _allclose(self: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements of two tensors are close; see :func:`isclose`.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).allclose(Tensor([1.0 + 1e-9])), Tensor([1.0]).allclose(Tensor([1.1]))
        (True, False)
    """
    return bool(isclose(self, other, rtol, atol, equal_nan).all())


attach("allclose", _allclose)


@op(primitive="ApproximateEqual", init=("tolerance",), method="approximate_equal",
    old={"x": ("input",), "y": ("other",)},
    test=lambda t: [t.case(t.normal(6), t.normal(6), 0.5, grad=False,
                           expect=lambda x, y, eps: np.abs(x - y) < eps)])  # fmt: skip
def approximate_equal(x: Array, y: Array, tolerance: float = 1e-05):
    """Whether ``abs(x - y) < tolerance``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.approximate_equal(Tensor([1.0, 2.0]), Tensor([1.0, 2.5]), 0.1))
        [ True False]
    """
    text = f"the 'x' and 'y' must have the same shape, but got {x.shape} and {y.shape}."
    require(x.shape == y.shape, text, FOUND_BY_KERNEL)
    x, y = promote(x, y)
    return (x == y) | (tolerance > 1) if x.dtype == jnp.bool_ else jnp.abs(x - y) < tolerance


# -- questions about a Tensor, answered in Python ---------------------------------------------------------------------
def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is floating-point.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.is_floating_point(Tensor([1.0]))
        True
    """
    return kind_of(input.dtype.np_dtype) == "f"


def is_complex(input: Tensor) -> bool:
    """Whether the dtype is complex.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.is_complex(Tensor([1.0]))
        False
    """
    return kind_of(input.dtype.np_dtype) == "c"


def is_nonzero(input: Tensor) -> bool:
    """Whether a tensor of size 1 is not zero.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.is_nonzero(Tensor([3]))
        True
    """
    return bool(input)


register_function(is_floating_point, method="is_floating_point")
register_function(is_complex, method="is_complex")
register_function(is_nonzero)
