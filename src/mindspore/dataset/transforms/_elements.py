"""Transforms that look at elements one by one: TypeCast, OneHot, Fill, Mask, Unique."""

from __future__ import annotations

import enum
import operator as comparisons
from typing import Any

import numpy as np

from mindspore.dataset.core.checks import check_float_range, check_positive_int, check_type
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.transforms._dtype import cast, is_text, numpy_dtype, type_name

Constant = (str, float, bool, int, bytes)


class Relational(enum.IntEnum):
    """How ``Mask`` compares elements with its constant.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset import transforms
        >>> transforms.Mask(transforms.Relational.GT, 2)(np.array([1, 2, 3])).tolist()
        [False, False, True]
    """

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE = {
    Relational.EQ: comparisons.eq,
    Relational.NE: comparisons.ne,
    Relational.GT: comparisons.gt,
    Relational.GE: comparisons.ge,
    Relational.LT: comparisons.lt,
    Relational.LE: comparisons.le,
}


def constant_like(array: np.ndarray, constant: Any) -> np.ndarray | None:
    """``constant`` as an element of the array's type, or None if only one of the two is text."""
    value = np.asarray(constant)
    if is_text(array.dtype) or is_text(value.dtype):
        if array.dtype.kind == "S" and value.dtype.kind == "U":
            return np.char.encode(value, "utf-8")
        return value if value.dtype.kind == array.dtype.kind else None
    return cast(value, array.dtype)


class TypeCast(Operation):
    """Change the element type; floats are cut towards zero, small integers wrap around.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.TypeCast("int32")(np.array([1.7, -1.7]))
    array([ 1, -1], dtype=int32)
    """

    def __init__(self, data_type: Any):
        self.data_type = numpy_dtype("TypeCast", "data_type", data_type)
        if is_text(self.data_type):
            raise TypeError("For 'TypeCast', the 'data_type' must be a number type, but got a string type.")

    def run(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        if is_text(array.dtype):
            raise RuntimeError(
                f"TypeCast: can not cast a column of type {type_name(array.dtype)} to {self.data_type.name}. "
                "Use text.ToNumber to read numbers out of strings."
            )
        return array if array.dtype == self.data_type else cast(array, self.data_type)

    def block(self, stack: np.ndarray) -> Any:
        return NotImplemented if is_text(stack.dtype) else self.run(stack)


class OneHot(Operation):
    """A class number becomes a vector that is 1 at that number and 0 elsewhere, smoothed if asked.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.OneHot(4)(np.array(2))
    array([0, 0, 1, 0])
    >>> transforms.OneHot(4, smoothing_rate=0.1)(np.array(2))
    array([0.025, 0.025, 0.925, 0.025])
    """

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0):
        self.num_classes = check_positive_int("OneHot", "num_classes", num_classes)
        self.smoothing_rate = check_float_range("OneHot", "smoothing_rate", smoothing_rate, 0.0, 1.0)

    def run(self, label: Any) -> np.ndarray:
        label = np.asarray(label)
        if label.ndim == 2 and label.shape[1] == 1:
            label = label[:, 0]
        if label.ndim > 1:
            raise RuntimeError(f"OneHot: Only support scalar or 1D input, got rank: {label.ndim}")
        encoded = self._encode(label)
        return encoded[0] if encoded.shape[:-1] == (1,) else encoded

    def block(self, stack: np.ndarray) -> Any:
        if stack.ndim > 2:
            return NotImplemented
        return self._encode(stack[:, 0] if stack.shape[1:] == (1,) else stack)

    def _encode(self, label: np.ndarray) -> np.ndarray:
        if label.dtype.kind not in "iu":
            raise RuntimeError(f"OneHot: Only support input of int type, but got: {type_name(label.dtype)}")
        if label.size and label.max() >= self.num_classes:
            raise RuntimeError(
                f"OneHot: index values should not bigger than num classes: {self.num_classes}, but got: {label.max()}"
            )
        if label.size and label.min() < 0:
            raise RuntimeError(f"OneHot: index values should not be negative, but got: {label.min()}")
        hit = label[..., None] == np.arange(self.num_classes)
        if self.smoothing_rate == 0:
            return hit.astype(label.dtype)
        share = self.smoothing_rate / self.num_classes
        return np.where(hit, 1 - self.smoothing_rate + share, share)


class Fill(Operation):
    """An array of the same shape and type, filled with one value.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.Fill(3)(np.array([1, 2]))
    array([3, 3])
    """

    def __init__(self, fill_value: Any):
        self.fill_value = check_type("Fill", "fill_value", fill_value, Constant)

    def run(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        value = constant_like(array, self.fill_value)
        if value is None:
            raise RuntimeError(
                "Fill: fill_value and the input tensor must be of the same data type when involving strings or bytes, "
                f"but got fill_value data type {type_name(np.asarray(self.fill_value).dtype)} and input tensor data type "
                f"{type_name(array.dtype)}"
            )
        return np.full(array.shape, value)

    def block(self, stack: np.ndarray) -> Any:
        return self.run(stack)


class Mask(Operation):
    """Compare every element with a constant.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.Mask(transforms.Relational.GT, 2)(np.array([1, 2, 3]))
    array([False, False,  True])
    """

    def __init__(self, operator: Relational, constant: Any, dtype: Any = np.bool_):
        self.operator = check_type("Mask", "operator", operator, Relational)
        self.constant = check_type("Mask", "constant", constant, Constant)
        self.dtype = numpy_dtype("Mask", "dtype", dtype)
        if is_text(self.dtype):
            raise TypeError("For 'Mask', the 'dtype' must be a number type, but got a string type.")

    def run(self, array: Any) -> np.ndarray:
        array = np.asarray(array)
        value = constant_like(array, self.constant)
        if value is None:
            raise RuntimeError(
                "Mask: input datatype does not match the value datatype, both should be numeric or non-numerical in the "
                f"same time. The input is {type_name(array.dtype)}, the constant is {self.constant!r}."
            )
        return np.asarray(_COMPARE[self.operator](array, value)).astype(self.dtype)

    def block(self, stack: np.ndarray) -> Any:
        return self.run(stack)


class Unique(Operation):
    """The different elements in order of appearance, where each element is among them, and how often each occurs.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> [part.tolist() for part in transforms.Unique()(np.array([[3, 1], [2, 1]]))]
    [[3, 1, 2], [0, 1, 2, 1], [1, 2, 1]]
    """

    def run(self, *arrays: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if len(arrays) != 1:
            raise RuntimeError(
                f"Unique: only support transform one column each time, got column num: {len(arrays)}, "
                "check 'input_columns' when call this operator."
            )
        array = np.asarray(arrays[0])
        if is_text(array.dtype):
            raise RuntimeError(f"Unique: only support numeric datatype of input, got {type_name(array.dtype)}.")
        values, first, inverse, counts = np.unique(
            array.reshape(-1), return_index=True, return_inverse=True, return_counts=True
        )
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        return values[order], rank[inverse].astype(np.int32), counts[order].astype(np.int32)
