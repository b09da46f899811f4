"""Scatter operators that change their first input, a Parameter, and return its value; Tensor methods that scatter."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.convert import convert
from mindspore._engine.execution.index_bounds import require_coordinates, require_inside
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Arrays
from mindspore._engine.operator.checked import check_bools
from mindspore._engine.operator.overloads import overloaded
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array import scatter as scatters
from mindspore._ops.array.gather import nd_positions
from mindspore._ops.array.selection import masked_fill
from mindspore._ops.declaring.dtype_checks import alike
from mindspore._ops.declaring.promotion import promote_dtypes
from mindspore._ops.declaring.requirements import require
from mindspore._ops.declaring.value_rules import holds_zero
from mindspore._utils.refusals import WrongObject, refused

# how elements are combined, said in words, and what becomes of 6 with an update of 2
_WAYS = {
    "update": ("set", "replaced by", "2."),
    "add": ("add", "increased by", "8."),
    "sub": ("subtract", "decreased by", "4."),
    "mul": ("multiply", "multiplied by", "12."),
    "div": ("divide", "divided by", "3."),
    "max": ("max", "raised to at least", "6."),
    "min": ("min", "lowered to at most", "2."),
}


def _inside_rows(input_x: Tensor, indices: Tensor, updates: Tensor, how: str, owner: str = "") -> None:
    require_inside(_title(owner), "indices", indices, 0, input_x.shape[0])
    if how == "divide":
        require_values(_title(owner), "the 'updates' must not contain 0.", holds_zero, updates, kind=ValueError)


def _inside(input_x: Tensor, indices: Tensor, updates: Tensor, how: str, owner: str = "") -> None:
    kind = (RuntimeError, ValueError) if how == "set" else RuntimeError
    require_coordinates(_title(owner), "indices", indices, input_x.shape, kind=kind)


def _title(name: str) -> str:
    """The Primitive's name: ScatterNdAdd for scatter_nd_add."""
    return "".join(part.capitalize() for part in name.split("_"))


@op(
    bounds=_inside_rows,
    in_parts=True,
    public=False,
    test=lambda t: [
        t.case(
            t.normal(3, 2),
            np.array([2, 0]),
            t.normal(2, 2),
            "set",
            expect=lambda x, i, u, how: np.stack([u[1], x[1], u[0]]),
        )
    ],
)
def _rows_put(input_x: Array, indices: Array, updates: Array, how: str, owner: str = ""):
    """Rows of the input combined with rows of updates."""
    wanted = indices.shape + input_x.shape[1:]
    require(input_x.ndim and updates.shape == wanted, _wrong_updates(owner, wanted, updates.shape))
    _require_no_loss(input_x, updates, owner)
    return scatters.put(input_x, (indices,), convert(updates, input_x.dtype), how)


@op(
    bounds=_inside,
    in_parts=True,
    public=False,
    test=lambda t: [
        t.case(
            t.normal(2, 2),
            np.array([[1, 1]]),
            t.normal(1),
            "add",
            expect=lambda x, i, u, how: x + np.array([[0, 0], [0, u[0]]]),
        )
    ],
)
def _nd_put(input_x: Array, indices: Array, updates: Array, how: str, owner: str = ""):
    """Elements at coordinates combined with updates."""
    coordinates = nd_positions(input_x, indices)
    wanted = indices.shape[:-1] + input_x.shape[len(coordinates) :]
    require(updates.shape == wanted, _wrong_updates(owner, wanted, updates.shape))
    _require_no_loss(input_x, updates, owner)
    return scatters.put(input_x, coordinates, convert(updates, input_x.dtype), how)


def _require_no_loss(input_x: Any, updates: Any, owner: str) -> None:
    """A Parameter keeps its dtype, and what is put into it must not lose a fraction or digits there."""
    kinds = dtypes.from_numpy(input_x.dtype), dtypes.from_numpy(updates.dtype)
    text = (
        f"For '{_title(owner)}', the 'updates' must have a dtype that the input's {kinds[0]} holds without a loss, but got {kinds[1]}. "
        f"Convert them first: updates.astype({kinds[0]!r})."
    )
    require(promote_dtypes(input_x.dtype, updates.dtype) == input_x.dtype, text, TypeError)


def _wrong_updates(owner: str, wanted: tuple[int, ...], got: tuple[int, ...]) -> str:
    return f"For '{owner}', the 'updates' must have shape {wanted} for this input and these indices, but got {got}."


def _store(variable: Tensor, value: Tensor) -> Tensor:
    variable._overwrite(value)
    return value.value()


def _declare(word: str, nd: bool) -> Callable[..., Tensor]:
    """The scatter function that combines by ``word``."""
    how, said, result = _WAYS[word]
    compute = _nd_put if nd else _rows_put
    name = f"scatter_nd_{word}" if nd else f"scatter_{word}"
    target = "coordinates in the last axis of ``indices``" if nd else "the rows ``indices``"

    def function(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
        if not isinstance(input_x, Tensor):
            kind = type(input_x).__name__
            raise refused(
                WrongObject, f"For '{name}', the 'input_x' must be a Parameter, but got {input_x!r} of type {kind}."
            )
        return _store(input_x, compute(input_x, indices, updates, how, name))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The elements of a Parameter at {target} {said} the updates, in place; returns the new value.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> w = Parameter(Tensor([4.0, 6.0]), name="w")
        >>> print(ops.{name}(w, Tensor({"[[1]]" if nd else "[1]"}), Tensor([2.0])), w.asnumpy()[1])
        [{" " * (len(result) - 2)}4. {result}] {result}0
    """
    return register_function(function)


class _Scatter(Primitive):
    """A scatter operator that changes its first input."""

    function: Callable[..., Tensor]

    def __init__(self, use_locking: bool = False):
        super().__init__()
        if not isinstance(use_locking, bool):
            raise TypeError(f"For '{self.name}', the 'use_locking' must be a bool, but got {use_locking!r}.")
        self.add_prim_attr("use_locking", use_locking)

    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        return type(self).function(input_x, indices, updates)


class _Updating(_Scatter):
    def __init__(self, use_locking: bool = True):
        super().__init__(use_locking)


def _class_of(function: Callable[..., Tensor]) -> type[Primitive]:
    title = _title(function.__name__)
    example = (function.__doc__ or "").partition("Examples:")[2].replace(f"ops.{function.__name__}(", f"ops.{title}()(")
    document = f"In place, see :func:`mindspore.ops.{function.__name__}`.\n\n    Examples:{example}"
    return register_primitive(
        type(
            title,
            (_Updating if title.endswith("Update") else _Scatter,),
            {"function": staticmethod(function), "__doc__": document},
        )
    )


scatter_update = _declare("update", nd=False)
scatter_add = _declare("add", nd=False)
scatter_sub = _declare("sub", nd=False)
scatter_mul = _declare("mul", nd=False)
scatter_div = _declare("div", nd=False)
scatter_max = _declare("max", nd=False)
scatter_min = _declare("min", nd=False)
scatter_nd_update = _declare("update", nd=True)
scatter_nd_add = _declare("add", nd=True)
scatter_nd_sub = _declare("sub", nd=True)
scatter_nd_mul = _declare("mul", nd=True)
scatter_nd_div = _declare("div", nd=True)
scatter_nd_max = _declare("max", nd=True)
scatter_nd_min = _declare("min", nd=True)

ScatterUpdate = _class_of(scatter_update)
ScatterAdd = _class_of(scatter_add)
ScatterSub = _class_of(scatter_sub)
ScatterMul = _class_of(scatter_mul)
ScatterDiv = _class_of(scatter_div)
ScatterMax = _class_of(scatter_max)
ScatterMin = _class_of(scatter_min)
ScatterNdUpdate = _class_of(scatter_nd_update)
ScatterNdAdd = _class_of(scatter_nd_add)
ScatterNdSub = _class_of(scatter_nd_sub)
ScatterNdMul = _class_of(scatter_nd_mul)
ScatterNdDiv = _class_of(scatter_nd_div)
ScatterNdMax = _class_of(scatter_nd_max)
ScatterNdMin = _class_of(scatter_nd_min)


def index_add(
    x: Tensor, indices: Tensor, y: Tensor, axis: int, use_lock: bool = True, check_index_bound: bool = True
) -> Tensor:
    """Slices added at positions of an axis; a Parameter changes in place. Returns the sum.

    Examples:
        >>> from mindspore import Parameter, Tensor, ops
        >>> w = Parameter(Tensor([[1.0], [2.0]]), name="w")
        >>> print(ops.index_add(w, Tensor([0, 0]), Tensor([[1.0], [2.0]]), 0))
        [[4.]
         [2.]]
    """
    total = scatters.index_add(x, indices, y, axis)
    return _store(x, total) if isinstance(x, Parameter) else total


@register_primitive
class IndexAdd(Primitive):
    """Slices added at positions of an axis, see :func:`mindspore.ops.index_add`.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Parameter, Tensor, ops
        >>> weight = Parameter(Tensor([[1.0, 2.0]]))
        >>> value = ops.IndexAdd(axis=1)(weight, Tensor([1], ms.int32), Tensor([[9.0]]))
        >>> print(weight.asnumpy())
        [[ 1. 11.]]
    """

    def __init__(self, axis: int, use_lock: bool = True, check_index_bound: bool = True):
        super().__init__()
        self.add_prim_attr("axis", axis)

    def __call__(self, x: Tensor, indices: Tensor, y: Tensor) -> Tensor:
        return index_add(x, indices, y, self.axis)  # type: ignore[attr-defined]


register_function(index_add)


# -- methods ----------------------------------------------------------------------------------------------------------
def _add_at_coordinates(self: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Values added at coordinates (indices, updates), or along an axis (dim, index, src)."""
    return scatters.tensor_scatter_add(self, indices, updates)


def _add_along(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Values added at coordinates (indices, updates), or along an axis (dim, index, src).

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.0, 2.0, 3.0]).scatter_add(0, Tensor([0, 0]), Tensor([10.0, 20.0])))
        [31.  2.  3.]
    """
    return scatters.scatter_elements_add(self, index, src, dim)


def _index_add(self: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1) -> Tensor:
    """Slices, times ``alpha``, added at positions of an axis.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).index_add(0, Tensor([1]), Tensor([[10.0, 20.0]])))
        [[ 1.  2.]
         [13. 24.]]
    """
    return scatters.index_add(self, index, source, dim, alpha)


def _index_add_slices(
    self: Tensor, indices: Tensor, y: Tensor, axis: int, use_lock: bool = True, check_index_bound: bool = True
) -> Tensor:
    return index_add(self, indices, y, axis, use_lock, check_index_bound)


def _index_put(self: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False) -> Tensor:
    """Elements at positions, an index Tensor per axis, replaced by values or, accumulating, added to.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2, 3]).index_put([Tensor([0, 2])], Tensor([10, 30])))
        [10  2 30]
    """
    check_bools("index_put", accumulate=accumulate)
    if not isinstance(indices, (tuple, list)) or not all(isinstance(i, Tensor) for i in indices):
        raise TypeError(f"For 'index_put', the 'indices' must be a tuple or list of Tensors, but got {indices!r}.")
    return _indexed_put(self, tuple(indices), values, bool(accumulate))


def _inside_each(x: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool) -> None:
    for axis, positions in enumerate(indices):
        require_inside("IndexPut", f"indices[{axis}]", positions, -x.shape[axis], x.shape[axis], ValueError)


@op(
    bounds=_inside_each,
    in_parts=True,
    public=False,
    test=lambda t: [
        t.case(
            t.normal(2, 2),
            [np.array([0]), np.array([1])],
            t.normal(1),
            False,
            grad=(0, 2),
            expect=lambda x, i, u, accumulate: np.array([[x[0, 0], u[0]], x[1]]),
        )
    ],
)
@alike("x", "values")
def _indexed_put(x: Array, indices: Arrays, values: Array, accumulate: bool):
    """Elements at positions replaced or added to."""
    shape = x.at[indices].get(mode="clip").shape
    fits = values.ndim <= len(shape) and all(v in (1, n) for v, n in zip(values.shape[::-1], shape[::-1], strict=False))
    require(fits, f"For 'index_put', the 'values' must broadcast to {shape}, but got shape {values.shape}.")
    return scatters.put(x, indices, convert(values, x.dtype), "add" if accumulate else "set")


def _in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        self._write_elements(function(self, *args, **kwargs))
        return self

    text = re.sub(r"\)\.(\w+)\(", r").\1_(", function.__doc__ or "")  # its example, in place
    method.__doc__ = f"In place: {text}"
    method.forms = getattr(function, "forms", (function,))  # type: ignore[attr-defined]
    return method


_scatter_add = overloaded("Tensor.scatter_add", _add_along, _add_at_coordinates)
_METHODS = {
    "scatter_add": _scatter_add,
    "scatter_sub": scatters.tensor_scatter_sub,
    "scatter_mul": scatters.tensor_scatter_mul,
    "scatter_div": scatters.tensor_scatter_div,
    "scatter_max": scatters.tensor_scatter_max,
    "scatter_min": scatters.tensor_scatter_min,
    "index_add": overloaded("Tensor.index_add", _index_add, _index_add_slices),
    "index_put": _index_put,
    "scatter_add_": _in_place(_scatter_add),
    "scatter_": _in_place(scatters.scatter),
    "index_add_": _in_place(_index_add),
    "index_put_": _in_place(_index_put),
    "index_fill_": _in_place(scatters.index_fill),
    "masked_fill_": _in_place(masked_fill),
}
for _name, _method in _METHODS.items():
    attach(_name, _method)
