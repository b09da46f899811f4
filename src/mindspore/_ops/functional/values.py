"""Operators on Python values, and on what is known about a Tensor without its data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype import DType
from mindspore._engine.base.python_dtypes import dtype_to_pytype
from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import PRIMITIVES, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import checks
from mindspore._utils.compat.old_names import old_names


def _tensor(owner: str, value: Any) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(f"For primitive[{owner}], the input argument must be Tensor, but got {type(value)}.")
    return value


@old_names(x="input_x")
def shape(input_x: Tensor) -> tuple[int, ...]:
    """The length of every axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.shape(Tensor([[1, 2, 3]]))
        (1, 3)
    """
    return _tensor("Shape", input_x).shape


@old_names(x="input_x")
def rank(input_x: Tensor) -> int:
    """The number of axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.rank(Tensor([[1, 2, 3]]))
        2
    """
    return _tensor("Rank", input_x).ndim


def size(input_x: Tensor) -> int:
    """The number of elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.size(Tensor([[1, 2, 3]]))
        3
    """
    return _tensor("Size", input_x).size


@old_names(x="input_x")
def dtype(input_x: Tensor) -> DType:
    """The dtype of the elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.dtype(Tensor([1.0]))
        mindspore.float32
    """
    return _tensor("DType", input_x).dtype


def is_tensor(obj: Any) -> bool:
    """Whether a value is a Tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.is_tensor(Tensor(1)), ops.is_tensor(1)
        (True, False)
    """
    return isinstance(obj, Tensor)


@old_names(x="input_x")
def scalar_to_tensor(input_x: float, dtype: DType = dtypes.float32) -> Tensor:
    """A 0-d Tensor with this number.

    Examples:
        >>> from mindspore import ops
        >>> ops.scalar_to_tensor(3)
        Tensor(shape=[], dtype=Float32, value= 3)
    """
    return Tensor(_number("ScalarToTensor", input_x), dtype)


def scalar_to_array(input_x: float) -> Tensor:
    """A 0-d Tensor with this number, in the dtype such numbers have.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.scalar_to_array(3)
        Tensor(shape=[], dtype=Int64, value= 3)
    """
    return Tensor(_number("ScalarToArray", input_x))


def scalar_cast(input_x: float, input_y: DType) -> bool | int | float:
    """A Python number converted to the kind of number a dtype holds.

    Examples:
        >>> from mindspore import ops
        >>> import mindspore as ms
        >>> ops.scalar_cast(3.7, ms.int32)
        3
    """
    return dtype_to_pytype(dtypes.to_dtype(input_y, "ScalarCast"))(_number("ScalarCast", input_x))


def _number(owner: str, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (bool, int, float)):
        raise TypeError(f"For '{owner}', the 'input_x' must be a bool, int or float, but got {checks.shown(value)}.")
    return value


@old_names(x="input_x")
def tuple_to_array(input_x: Sequence[float]) -> Tensor:
    """A vector with the numbers of a tuple: int32 when all are ints, float32 otherwise.

    Examples:
        >>> from mindspore import ops
        >>> ops.tuple_to_array((1, 2, 3))
        Tensor(shape=[3], dtype=Int32, value= [1, 2, 3])
    """
    if not isinstance(input_x, (tuple, list, range)) or not input_x:
        raise TypeError(
            f"For 'TupleToArray', the 'input_x' must be a tuple of numbers, but got {checks.shown(input_x)}."
        )
    numbers = [_number("TupleToArray", number) for number in input_x]
    return Tensor(numbers, dtypes.float32 if any(isinstance(number, float) for number in numbers) else dtypes.int32)


def make_range(start: int, limit: int | None = None, delta: int = 1) -> tuple[int, ...]:
    """The ints of a range as a tuple.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.make_range(4), F.make_range(1, 9, 3)
        ((0, 1, 2, 3), (1, 4, 7))
    """
    return tuple(range(start)) if limit is None else tuple(range(start, limit, delta))


def make_tuple(*args: Any) -> tuple:
    """The arguments as a tuple.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.make_tuple(1, 2)
        (1, 2)
    """
    return args


def make_list(*args: Any) -> list:
    """The arguments as a list.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.make_list(1, 2)
        [1, 2]
    """
    return list(args)


def tuple_len(x: Sequence[Any]) -> int:
    """The number of elements of a tuple or list.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.tuple_len((1, 2, 3))
        3
    """
    return len(x)


def tuple_getitem(x: Sequence[Any], index: int) -> Any:
    """An element of a tuple or list.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.tuple_getitem((1, 2, 3), 1)
        2
    """
    return x[index]


def tuple_setitem(x: Sequence[Any], index: int, value: Any) -> tuple:
    """A tuple with an element replaced.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.tuple_setitem((1, 2, 3), 1, 20)
        (1, 20, 3)
    """
    members = list(x)
    members[index] = value
    return tuple(members)


def mixed_precision_cast(dst_dtype: DType, x: Any) -> Any:
    """Floating-point Tensors, also in tuples and lists, converted to another dtype; the rest as it is.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> ops.mixed_precision_cast(ms.float16, (Tensor([1.0]), Tensor([1])))
        (Tensor(shape=[1], dtype=Float16, value= [ 1.0000e+00]), Tensor(shape=[1], dtype=Int64, value= [1]))
    """
    target = dtypes.to_dtype(dst_dtype, "mixed_precision_cast", "dst_dtype")

    def convert(leaf: Any) -> Any:
        return leaf.astype(target) if isinstance(leaf, Tensor) and leaf.dtype.is_floating else leaf

    return map_leaves(convert, x)


def tensor_shape(input_x: Tensor) -> Tensor:
    """The length of every axis, as a Tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.tensor_shape(Tensor([[1, 2, 3]])))
        [1 3]
    """
    return Tensor(np.array(_tensor("TensorShape", input_x).shape, np.int64))


def _class_of(name: str, function: Any) -> type[Primitive]:
    """The Primitive class of a function without attributes."""

    def call(self: Primitive, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    members = {
        "__call__": call,
        "__doc__": function.__doc__,
        "__module__": "mindspore.ops.operations",
        "function": function,
    }
    return type(name, (Primitive,), members)


for _function, _names, _aliases in (
    (shape, ("Shape",), ("shape_",)),
    (rank, ("Rank",), ()),
    (size, ("Size",), ()),
    (dtype, ("DType",), ()),
    (is_tensor, (), ()),
    (scalar_to_tensor, ("ScalarToTensor",), ()),
    (scalar_to_array, ("ScalarToArray",), ()),
    (scalar_cast, ("ScalarCast",), ()),
    (tuple_to_array, ("TupleToArray",), ()),
    (tensor_shape, ("TensorShape",), ()),
    (make_range, (), ()),
    (make_tuple, (), ()),
    (make_list, (), ()),
    (tuple_len, (), ("list_len",)),
    (tuple_getitem, (), ("list_getitem",)),
    (tuple_setitem, (), ()),
    (mixed_precision_cast, (), ()),
):
    register_function(_function, aliases=_aliases)
    for _name in _names:
        register_primitive(_class_of(_name, _function))


@register_primitive
class DynamicShape(PRIMITIVES["Shape"]):
    """The length of every axis, as ``Shape`` gives it.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.DynamicShape()(Tensor([[1, 2, 3]]))
        (1, 3)
    """

    def __init__(self, dtype: int = 9):
        super().__init__()
        self.add_prim_attr("dtype", dtype)
