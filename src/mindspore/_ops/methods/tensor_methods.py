"""Tensor methods whose arguments differ from those of the function of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.operator.overloads import hands_on, overloaded
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.shape import reshape
from mindspore._ops.declaring.promotion import kind_of
from mindspore._ops.math.arithmetic import add, sub
from mindspore._ops.reduction import extremes, reduce, scan


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    """Attach the function to Tensor under its own name, without the leading underscore."""
    function.__name__ = function.__name__.removeprefix("_")
    function.__qualname__ = f"Tensor.{function.__name__}"
    attach(function.__name__, function)
    return function


@hands_on(reduce.sum)
def _sum(self: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum over ``dim`` or ``axis``, by default over all; integers and bool are summed as int64.

    It takes (dim, keepdim, dtype=...) or (axis, dtype, keepdims, initial); ``initial`` is added to every sum.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(x.sum(axis=1), x.sum(dim=1, keepdim=True).shape, x.sum(initial=5))
        [3. 7.] (2, 1) 15.0
    """
    return reduce.sum(self, dim, keepdim, dtype)


def _sum_from(self: Tensor, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    total = reduce.sum(self, axis, keepdims, dtype)
    return total if initial is None else add(total, initial)


def _cumsum(self: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The running sum along ``axis`` or ``dim``; without an axis, of the flattened tensor. Small integers are summed as int32.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).cumsum())
        [ 1.  3.  6. 10.]
    """
    flat = reshape(self, (-1,)) if axis is None else self
    if dtype is None and kind_of(self.dtype.np_dtype) in "bi" and self.itemsize < 4:
        dtype = "int32"
    return scan.cumsum(flat, 0 if axis is None else axis, dtype)


def _cumsum_along(self: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    return _cumsum(self, dim, dtype)


def _extreme(largest: bool, self: Tensor, axis: Any, keepdims: bool, initial: Any, where: Any, indices: bool) -> Any:
    """The largest or smallest elements, with their positions if wanted."""
    where = None if where is True else where
    if isinstance(axis, int) or (axis is None and indices):
        both = (extremes.max if largest else extremes.min)(self, axis, keepdims, initial, where)
        return both if indices else both[0]
    return (extremes.amax if largest else extremes.amin)(self, axis, keepdims and axis is not None, initial, where)


def _max_along(self: Tensor, dim: int, keepdim: bool = False) -> Any:
    """The largest element along an axis, by default of all.

    It takes (axis=None, keepdims=False, *, initial=None, where=True, return_indices=False). With ``return_indices=True``
    and as ``max(dim=1)`` it gives the position too; so does ``max(1)``, but not in a compiled function.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1.0, 5.0], [4.0, 3.0]])
        >>> print(x.max(), x.max(axis=1), x.max(1)[1])
        5.0 [5. 4.] [1 0]
    """
    return _extreme(True, self, dim, keepdim, None, True, True)


def _max_over(self: Tensor, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = True,
              return_indices: bool = False) -> Tensor:  # fmt: skip
    return _extreme(True, self, axis, keepdims, initial, where, return_indices)


def _min_along(self: Tensor, dim: int, keepdim: bool = False) -> Any:
    """The smallest element along an axis; takes the arguments of :meth:`Tensor.max`.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1.0, 5.0], [4.0, 3.0]])
        >>> print(x.min(), x.min(axis=1), x.min(1)[1])
        1.0 [1. 3.] [0 1]
    """
    return _extreme(False, self, dim, keepdim, None, True, True)


def _min_over(self: Tensor, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = True,
              return_indices: bool = False) -> Tensor:  # fmt: skip
    return _extreme(False, self, axis, keepdims, initial, where, return_indices)


attach("sum", overloaded("Tensor.sum", _sum, _sum_from))
attach("cumsum", overloaded("Tensor.cumsum", _cumsum, _cumsum_along))
attach("max", overloaded("Tensor.max", _max_along, _max_over, compiled=(_max_over, _max_along)))
attach("min", overloaded("Tensor.min", _min_along, _min_over, compiled=(_min_over, _min_along)))


@_method
def _argmax_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """The largest element along ``axis``, and its position.

    Examples:
        >>> from mindspore import Tensor
        >>> value, position = Tensor([1.0, 5.0, 3.0]).argmax_with_value()
        >>> print(value, position)
        5.0 1
    """
    return extremes.max(self, axis, keep_dims)


@_method
def _argmin_with_value(self: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Tensor, Tensor]:
    """The smallest element along ``axis``, and its position.

    Examples:
        >>> from mindspore import Tensor
        >>> value, position = Tensor([1.0, 5.0, 3.0]).argmin_with_value()
        >>> print(value, position)
        1.0 0
    """
    return extremes.min(self, axis, keep_dims)


@_method
def _ptp(self: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest element along ``axis`` less the smallest.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 5.0, 3.0]).ptp())
        4.0
    """
    return sub(extremes.amax(self, axis, keepdims), extremes.amin(self, axis, keepdims))
