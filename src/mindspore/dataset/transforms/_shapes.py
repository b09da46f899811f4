"""Transforms that change the shape or the number of arrays: Slice, PadEnd, Concatenate, Duplicate."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset.core.checks import check_positive_int, check_type, shown
from mindspore.dataset.core.operation import Operation
from mindspore.dataset.transforms._dtype import type_name
from mindspore.dataset.transforms._elements import Constant, constant_like


class Slice(Operation):
    """Take parts along the leading axes; an axis picked by a number stays, with length 1.

    Each argument is an int, a list of ints, a slice, or None, True and ``...`` for everything.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.Slice(slice(0, 2), [0, -1])(np.arange(12).reshape(3, 4))
    array([[0, 3],
           [4, 7]])
    """

    def __init__(self, *slices: Any):
        self.slices = tuple(self._check(part) for part in slices)

    @staticmethod
    def _check(part: Any) -> slice | list[int]:
        if part is None or part is True or part is Ellipsis:
            return slice(None)
        if isinstance(part, slice):
            return part
        numbers = part if isinstance(part, list) else [part]
        if not numbers or any(
            isinstance(number, bool) or not isinstance(number, int | np.integer) for number in numbers
        ):
            raise TypeError(
                "For 'Slice', each argument must be an int, a non-empty list of int, a slice, None, True or '...', "
                f"but got {shown(part)}."
            )
        return [int(number) for number in numbers]

    def run(self, array: Any) -> np.ndarray:
        return self._take(np.asarray(array), 0)

    def block(self, stack: np.ndarray) -> Any:
        return self._take(stack, 1)

    def _take(self, array: np.ndarray, first_axis: int) -> np.ndarray:
        if len(self.slices) > array.ndim - first_axis:
            raise RuntimeError(
                f"Slice: Invalid shape, should be greater than slices index: {len(self.slices)} slices were given for an "
                f"array of shape {array.shape[first_axis:]}."
            )
        for axis, part in enumerate(self.slices, first_axis):
            if isinstance(part, slice):
                array = array[(slice(None),) * axis + (part,)]
                continue
            outside = [index for index in part if not -array.shape[axis] <= index < array.shape[axis]]
            if outside:
                raise RuntimeError(f"Slice: Index {outside[0]} is out of bounds for a length of {array.shape[axis]}.")
            array = np.take(array, part, axis)
        return np.ascontiguousarray(array)


class PadEnd(Operation):
    """Pad each axis at its end to a given length, or cut it; an axis given as None keeps its length.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.PadEnd([4], 9)(np.array([1, 2]))
    array([1, 2, 9, 9])
    """

    def __init__(self, pad_shape: list[int | None], pad_value: Any = None):
        check_type("PadEnd", "pad_shape", pad_shape, list)
        self.pad_shape = [
            None if length is None else check_positive_int("PadEnd", "pad_shape", length) for length in pad_shape
        ]
        self.pad_value = None if pad_value is None else check_type("PadEnd", "pad_value", pad_value, Constant)

    def run(self, array: Any) -> np.ndarray:
        return self._pad(np.asarray(array), 0)

    def block(self, stack: np.ndarray) -> Any:
        return self._pad(stack, 1)

    def _pad(self, array: np.ndarray, lead: int) -> np.ndarray:
        if array.ndim == lead:
            return array  # single values have no axis to be padded
        if array.ndim - lead != len(self.pad_shape):
            raise RuntimeError(
                f"PadEnd: invalid pad shape, as rank of input is: {array.ndim - lead}, and rank of pad value: "
                f"{len(self.pad_shape)}"
            )
        value = array.dtype.type() if self.pad_value is None else constant_like(array, self.pad_value)
        if value is None:
            raise RuntimeError(
                "PadEnd: can not pad numeric and string tensors together, but got: "
                f"{type_name(np.asarray(self.pad_value).dtype)} and {type_name(array.dtype)}."
            )
        lengths = zip(self.pad_shape, array.shape[lead:])
        shape = array.shape[:lead] + tuple(old if new is None else new for new, old in lengths)
        padded = np.full(shape, value, np.promote_types(array.dtype, np.asarray(value).dtype))
        kept = tuple(slice(0, min(new, old)) for new, old in zip(shape, array.shape))
        padded[kept] = array[kept]
        return padded


class Concatenate(Operation):
    """Concatenate columns, with fixed arrays before and after.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.Concatenate(0, np.array([1, 2]), np.array([9]))(np.array([5]))
    array([1, 2, 5, 9])
    """

    def __init__(self, axis: int = 0, prepend: np.ndarray | None = None, append: np.ndarray | None = None):
        check_type("Concatenate", "axis", axis, int)
        if axis not in (0, -1):
            raise ValueError(
                f"For 'Concatenate', the 'axis' must be 0 or -1 (only 1D concatenation is supported), but got {axis}."
            )
        self.prepend = self._check("prepend", prepend)
        self.append = self._check("append", append)

    @staticmethod
    def _check(name: str, array: np.ndarray | None) -> np.ndarray | None:
        if array is not None:
            check_type("Concatenate", name, array, np.ndarray)
            if array.ndim != 1:
                raise ValueError(f"For 'Concatenate', the '{name}' must be a 1D array, but got shape {array.shape}.")
        return array

    def run(self, *arrays: Any) -> np.ndarray:
        inputs = [np.asarray(array) for array in arrays]
        for part in inputs:
            if part.ndim != 1:
                raise RuntimeError(f"Concatenate: only 1D input supported, got rank of input: {part.ndim}")
        parts = [array for array in (self.prepend, *inputs, self.append) if array is not None]
        for part in parts:
            if type_name(part.dtype) != type_name(inputs[0].dtype):
                raise RuntimeError(
                    "Concatenate: all arrays must have one datatype, got input datatype: "
                    f"{type_name(inputs[0].dtype)}, and another of datatype: {type_name(part.dtype)}"
                )
        return np.concatenate(parts)


class Duplicate(Operation):
    """One column becomes two with the same content.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.Duplicate()(np.array([1, 2]))
    (array([1, 2]), array([1, 2]))
    """

    def run(self, *arrays: Any) -> tuple[np.ndarray, np.ndarray]:
        if len(arrays) != 1:
            raise RuntimeError(
                f"Duplicate: only supports transform one column each time, got column num: {len(arrays)}, "
                "check 'input_columns' when call this operator."
            )
        array = np.asarray(arrays[0])
        # A copy: what follows may write into one of them.
        return array, array.copy()
