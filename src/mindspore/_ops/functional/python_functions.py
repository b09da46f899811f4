"""What MindSpore's compiler does with Python's own values, as functions: numbers, tuples, strings, dicts and types.

Programs find them in ``ops.functional``. They are Python's operators by other names, so they work on Tensors too where
those do.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.python_dtypes import get_py_obj_dtype
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.value_types import dict_
from mindspore._engine.operator.registry import register_function
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._ops.array.selection import where
from mindspore._ops.declaring.type_names import matches, type_name


def _named(
    name: str, text: str, function: Callable[..., Any], *sample: Any, names: Sequence[str] = ("x", "y")
) -> Callable[..., Any]:
    """The function under MindSpore's name; the sample arguments are the example in its documentation."""

    names = names[: len(sample)]

    def call(*args: Any, **kwargs: Any) -> Any:
        args += tuple(kwargs.pop(name) for name in names[len(args) :] if name in kwargs)
        if kwargs:
            raise TypeError(f"For '{name}', the arguments must be {', '.join(names)}, but got {', '.join(kwargs)} too.")
        if len(args) != len(sample):
            raise TypeError(f"For '{name}', there must be {len(sample)} arguments, but got {len(args)}.")
        return function(*args)

    given = ", ".join(map(repr, sample))
    call.__name__ = call.__qualname__ = name
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])  # type: ignore[attr-defined]
    call.__doc__ = (
        f"``{text}``.\n\n    Examples:\n        >>> from mindspore.ops import functional as F\n"
        f"        >>> F.{name}({given})\n        {function(*sample)!r}\n    "
    )
    return register_function(call)


scalar_add = _named("scalar_add", "x + y", operator.add, 1, 2)
scalar_sub = _named("scalar_sub", "x - y", operator.sub, 1, 2)
scalar_mul = _named("scalar_mul", "x * y", operator.mul, 3, 2)
scalar_div = _named("scalar_div", "x / y", operator.truediv, 1, 2)
scalar_floordiv = _named("scalar_floordiv", "x // y", operator.floordiv, 7, 2)
scalar_mod = _named("scalar_mod", "x % y", operator.mod, -7, 2)
scalar_pow = _named("scalar_pow", "x ** y", operator.pow, 2, 3)
scalar_eq = _named("scalar_eq", "x == y", operator.eq, 1, 2)
scalar_ne = _named("scalar_ne", "x != y", operator.ne, 1, 2)
scalar_lt = _named("scalar_lt", "x < y", operator.lt, 1, 2)
scalar_le = _named("scalar_le", "x <= y", operator.le, 1, 2)
scalar_gt = _named("scalar_gt", "x > y", operator.gt, 1, 2)
scalar_ge = _named("scalar_ge", "x >= y", operator.ge, 1, 2)
scalar_max = _named("scalar_max", "max(x, y)", max, 1, 2)
scalar_min = _named("scalar_min", "min(x, y)", min, 1, 2)
scalar_uadd = _named("scalar_uadd", "+x", operator.pos, 2)
scalar_usub = _named("scalar_usub", "-x", operator.neg, 2)
scalar_log = _named("scalar_log", "the natural logarithm of x", math.log, 1.0)
bool_and = _named("bool_and", "x and y", lambda x, y: x and y, True, False)
bool_or = _named("bool_or", "x or y", lambda x, y: x or y, True, False)
bool_eq = _named("bool_eq", "x == y", operator.eq, True, False)
bool_not = _named("bool_not", "not x", operator.not_, True)
string_eq = _named("string_eq", "x == y", operator.eq, "a", "b")
string_concat = _named("string_concat", "x + y", operator.concat, "a", "b")
is_ = _named("is_", "x is y", operator.is_, None, None)
is_not = _named("is_not", "x is not y", operator.is_not, None, None)
in_dict = _named("in_dict", "key in dictionary", lambda key, dictionary: key in dictionary, "a", {"a": 1})
not_in_dict = _named("not_in_dict", "key not in dictionary", lambda key, held: key not in held, "a", {"a": 1})
dict_getitem = _named("dict_getitem", "dictionary[key]", operator.getitem, {"a": 1}, "a")
make_dict = _named("make_dict", "a dict of keys and values", lambda *pair: dict(zip(*pair, strict=True)), ("a",), (1,))
make_slice = _named("make_slice", "slice(start, stop, step)", slice, 1, 5, 2)
tuple_reversed = _named("tuple_reversed", "the elements in reverse order", lambda x: tuple(reversed(x)), (1, 2))
tuple_equal = _named("tuple_equal", "whether tuples are equal", lambda x, y: tuple(x) == tuple(y), (1, 2), (1, 2))
list_equal = _named("list_equal", "whether lists are equal", lambda x, y: list(x) == list(y), [1, 2], [1, 3])
shape_mul = _named("shape_mul", "the number of elements of a shape", math.prod, (2, 3), names=("input_data",))
switch_layer = _named("switch_layer", "layers[index]", lambda index, layers: layers[int(index)], 1, (10, 20))


def tuple_div(x: Sequence[int], y: Sequence[int]) -> tuple[int, ...]:
    """Element by element, how often ``y`` goes into ``x``, which must be without a rest.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.tuple_div((4, 6), (2, 3))
        (2, 2)
    """
    if len(x) != len(y):
        raise ValueError(f"For 'tuple_div', the tuples must have the same length, but got {len(x)} and {len(y)}.")
    if any(divisor == 0 or number % divisor for number, divisor in zip(x, y, strict=True)):
        raise ValueError(f"For 'tuple_div', every element must be divisible, but got {tuple(x)} and {tuple(y)}.")
    return tuple(number // divisor for number, divisor in zip(x, y, strict=True))


def reduced_shape(shape: Sequence[int], axis: Any) -> tuple[int, ...]:
    """The shape after a reduction that keeps the reduced axes, as 1; an empty ``axis`` means all.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.reduced_shape((2, 3), (0,))
        (1, 3)
    """
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    chosen = {number % len(shape) for number in given} or set(range(len(shape)))
    return tuple(1 if number in chosen else length for number, length in enumerate(shape))


def broadcast_gradient_args(x: Sequence[int], y: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For two shapes that are broadcast, the axes over which the gradient of each is summed.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.broadcast_gradient_args((2, 3), (3,))
        ((), (0,))
    """
    full = np.broadcast_shapes(tuple(x), tuple(y))

    def summed(shape: Sequence[int]) -> tuple[int, ...]:
        padded = (0,) * (len(full) - len(shape)) + tuple(shape)
        return tuple(axis for axis, (own, length) in enumerate(zip(padded, full, strict=True)) if own != length)

    return summed(x), summed(y)


def list_setitem(x: list, index: int, value: Any) -> list:
    """The list with an element replaced, in place.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.list_setitem([1, 2], 0, 5)
        [5, 2]
    """
    x[index] = value
    return x


def dict_setitem(x: dict, key: Any, value: Any) -> dict:
    """The dict with an entry set, in place.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.dict_setitem({}, "a", 1)
        {'a': 1}
    """
    x[key] = value
    return x


def switch(condition: Any, x: Any, y: Any) -> Any:
    """``x`` where the condition holds, else ``y``; where a graph decides, both are Tensors or numbers.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.switch(True, 1, 2)
        1
    """
    return (x if condition else y) if isconstant(condition) else where(condition, x, y)


def typeof(x: Any) -> Any:
    """The type of a value as graphs have it: of a Tensor with its dtype; numbers with a point are float32.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops import functional as F
        >>> F.typeof(Tensor([1.0])), F.typeof(1), F.typeof((1, 2))
        (mindspore.tensor[float32], mindspore.int64, mindspore.tuple_)
    """
    if isinstance(x, dict):
        return dict_
    return dtypes.float32 if isinstance(x, float) else get_py_obj_dtype(x)


def hastype(x: Any, kind: Any) -> bool:
    """Whether the value is of the type, given as a dtype, a Python type or a name such as "Tensor".

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.hastype((1, 2), "Tuple"), F.hastype(1.5, "Int")
        (True, False)
    """
    return matches(x, type_name(kind, "hastype")) or (isinstance(x, Tensor) and x.dtype == kind)


def isconstant(x: Any) -> bool:
    """Whether the value is known while a graph is compiled. Outside of graphs everything is.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops import functional as F
        >>> F.isconstant(Tensor(1.0))
        True
    """
    return not any(map(is_traced, flatten(x)[0]))


def is_sequence_value_unknown(x: Sequence[Any]) -> bool:
    """Whether a graph is compiled and an element is known only when it runs.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.is_sequence_value_unknown((1, 2)), F.is_sequence_shape_unknown((1, 2))
        (False, False)
    """
    return not isconstant(x)


def is_sequence_shape_unknown(x: Sequence[Any]) -> bool:
    """Whether the length of a sequence is unknown, as that of a generator is.

    Examples:
        >>> from mindspore.ops import functional as F
        >>> F.is_sequence_shape_unknown(iter((1, 2)))
        True
    """
    return not hasattr(x, "__len__")


def array_to_scalar(x: Tensor) -> Any:
    """The element of a Tensor of size 1, as a Python number.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops import functional as F
        >>> F.array_to_scalar(Tensor(3))
        3
    """
    return x.item()


for _function in (
    tuple_div, reduced_shape, broadcast_gradient_args, list_setitem, dict_setitem, switch, typeof, hastype, isconstant,
    is_sequence_value_unknown, is_sequence_shape_unknown, array_to_scalar,
):  # fmt: skip
    register_function(_function)
