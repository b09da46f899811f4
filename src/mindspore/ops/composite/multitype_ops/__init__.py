"""``mindspore.ops.composite.multitype_ops``: Python's operators as functions of Tensors, numbers, tuples and lists.

>>> from mindspore import Tensor
>>> from mindspore.ops.composite.multitype_ops import add, zeros_like
>>> print(add(Tensor([1.0]), 2), zeros_like((1.5, 2)))
[3.] (0.0, 0)
"""

from __future__ import annotations

from operator import add, eq, floordiv, ge, getitem, gt, invert, le, lt, mod, mul, ne, neg, pos, sub
from operator import and_ as bitwise_and
from operator import contains as _contains
from operator import iadd as augassign_add
from operator import ifloordiv as augassign_floordiv
from operator import imod as augassign_mod
from operator import imul as augassign_mul
from operator import isub as augassign_sub
from operator import itruediv as augassign_div
from operator import lshift as left_shift
from operator import or_ as bitwise_or
from operator import pow as pow_
from operator import rshift as right_shift
from operator import truediv as div
from operator import xor as bitwise_xor
from typing import Any

from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.tensor.tensor import Tensor
from mindspore.ops import function

__all__ = [
    "_ones_like_for_grad", "add", "augassign_add", "augassign_div", "augassign_floordiv", "augassign_mod", "augassign_mul",
    "augassign_sub", "bitwise_and", "bitwise_or", "bitwise_xor", "div", "equal", "floordiv", "getitem", "greater",
    "greater_equal", "in_", "invert", "left_shift", "less", "less_equal", "logical_and", "logical_not", "logical_or", "mod",
    "mul", "negative", "not_equal", "not_in_", "ones_like", "pow_", "right_shift", "setitem", "sub", "uadd", "zeros_like",
]  # fmt: skip

equal, not_equal, greater, greater_equal, less, less_equal = eq, ne, gt, ge, lt, le
negative, uadd = neg, pos


def in_(x: Any, y: Any) -> bool:
    """``x in y``."""
    return _contains(y, x)


def not_in_(x: Any, y: Any) -> bool:
    """``x not in y``."""
    return not _contains(y, x)


def logical_and(x: Any, y: Any) -> Any:
    """Whether both are true, element by element for Tensors."""
    return function.logical_and(x, y) if isinstance(x, Tensor) or isinstance(y, Tensor) else x and y


def logical_or(x: Any, y: Any) -> Any:
    """The logical or, elementwise for Tensors."""
    return function.logical_or(x, y) if isinstance(x, Tensor) or isinstance(y, Tensor) else x or y


def logical_not(x: Any) -> Any:
    """Whether it is false, element by element for a Tensor."""
    return function.logical_not(x) if isinstance(x, Tensor) else not x


def setitem(data: Any, index: Any, value: Any) -> Any:
    """``data[index] = value``; returns the data."""
    data[index] = value
    return data


def _like(fill: Any, leaf: Any) -> Any:
    return fill(leaf) if isinstance(leaf, Tensor) else type(leaf)(fill is function.ones_like)


def zeros_like(x: Any) -> Any:
    """Zeros instead of every Tensor and number.

    Examples:
        >>> from mindspore import Tensor
        >>> print(zeros_like([Tensor([1.0, 2.0]), 3]))
        [Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  0.00000000e+00]), 0]
    """
    return map_leaves(lambda leaf: _like(function.zeros_like, leaf), x)


def ones_like(x: Any) -> Any:
    """Ones instead of every Tensor and number."""
    return map_leaves(lambda leaf: _like(function.ones_like, leaf), x)


_ones_like_for_grad = ones_like
