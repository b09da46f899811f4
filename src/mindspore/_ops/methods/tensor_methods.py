"""Tensor methods whose arguments differ from those of the function of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


@_method
def _sum(self: Tensor, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None, *,
         dim: Any = None, keepdim: bool = False) -> Tensor:  # fmt: skip
    """The sum over ``axis``, by default over all; integers and bool are summed as int64.

    Args:
        dtype: the dtype to sum in. A bool in this position is ``keepdims``.
        initial: added to every sum.
        dim, keepdim: other names of axis and keepdims.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).sum(axis=1))
        [3. 7.]
    """
    if isinstance(dtype, bool):
        dtype, keepdims = None, dtype
    total = reduce.sum(self, axis if dim is None else dim, keepdims or keepdim, dtype)
    return total if initial is None else add(total, initial)


@_method
def _cumsum(self: Tensor, axis: int | None = None, dtype: Any = None, *, dim: int | None = None) -> Tensor:
    """The running sum along ``axis``; without an axis, of the flattened tensor. Small integers are summed as int32.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).cumsum())
        [ 1.  3.  6. 10.]
    """
    axis = axis if dim is None else dim
    flat = reshape(self, (-1,)) if axis is None else self
    if dtype is None and kind_of(self.dtype.np_dtype) in "bi" and self.itemsize < 4:
        dtype = "int32"
    return scan.cumsum(flat, 0 if axis is None else axis, dtype)


def _extreme(largest: bool, self: Tensor, args: tuple, options: dict[str, Any]) -> Any:
    """``max`` and ``min``: an int by position, or ``dim``, asks for positions too; ``axis=`` for values alone."""
    owner = "max" if largest else "min"
    names = ("axis", "keepdims", "initial", "where", "return_indices")
    if len(args) > len(names):
        raise TypeError(f"For 'Tensor.{owner}', the arguments must be {names}, but got {len(args)} arguments.")
    paired = "dim" in options or bool(args and isinstance(args[0], int))
    given = dict(zip(names, args, strict=False))
    for name, value in options.items():
        name = {"dim": "axis", "keepdim": "keepdims", "keep_dims": "keepdims"}.get(name, name)
        if name not in names or name in given:
            wrong = "was given twice" if name in given else f"is unknown; the arguments are {names}"
            raise TypeError(f"For 'Tensor.{owner}', the '{name}' {wrong}.")
        given[name] = value
    wanted = given.pop("return_indices", False) or paired
    axis, where = given.get("axis"), given.get("where")
    given["where"] = None if where is True else where
    if not isinstance(axis, int) and not (axis is None and wanted):
        return (extremes.amax if largest else extremes.amin)(self, **given)
    both = (extremes.max if largest else extremes.min)(self, **given)
    return both if wanted else both[0]


@_method
def _max(self: Tensor, *args: Any, **options: Any) -> Any:
    """The largest element along an axis, by default of all.

    It takes (axis=None, keepdims=False, initial=None, where=True, return_indices=False). With ``return_indices=True``,
    as ``max(1)`` and as ``max(dim=1)`` it gives the position too.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1.0, 5.0], [4.0, 3.0]])
        >>> print(x.max(), x.max(axis=1), x.max(1)[1])
        5.0 [5. 4.] [1 0]
    """
    return _extreme(True, self, args, options)


@_method
def _min(self: Tensor, *args: Any, **options: Any) -> Any:
    """The smallest element along an axis; takes the arguments of :meth:`Tensor.max`.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1.0, 5.0], [4.0, 3.0]])
        >>> print(x.min(), x.min(axis=1), x.min(1)[1])
        1.0 [1. 3.] [0 1]
    """
    return _extreme(False, self, args, options)


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
