"""Checks of axes, shapes and sequences by the names of ``mindspore._checkparam``; values pass in their usual form.

>>> check_and_canonicalize_axes((0, -1), 3)
(0, 2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


# -- axes -------------------------------------------------------------------------------------------------------------
def check_axis_in_range(axis: Any, ndim: int) -> int:
    """An axis counted from the first."""
    if not isinstance(axis, int):
        raise TypeError(f"The axes must be integers, but got {type(axis)}.")
    if not -ndim <= axis < ndim:
        raise ValueError(f"The 'axis' must be in the range of [{-ndim}, {ndim}), but got {axis}.")
    return axis % ndim


def check_and_canonicalize_axes(axes: Any, ndim: int) -> tuple[int, ...]:
    """Axes as a tuple, each counted from the first and none twice."""
    listed = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    for axis in listed:
        if not isinstance(axis, int):
            raise TypeError(f"Each axis should be integer, but got {type(axis)} in {listed}.")
    found = tuple(check_axis_in_range(axis, ndim) for axis in listed)
    if len(set(found)) != len(found):
        raise ValueError(f"The element of parameter 'axis' can not be duplicate, but got {listed}.")
    return found


def check_axis_valid(axes: Any, ndim: int) -> tuple[int, ...]:
    """Axes as a tuple; None means all."""
    return tuple(range(ndim)) if axes is None else check_and_canonicalize_axes(axes, ndim)


def check_axis_type(axis: Any, type_int: bool = True, type_tuple: bool = True, type_list: bool = True) -> bool:
    """Whether an axis has one of the allowed types; an error if not."""
    allowed = [kind for kind, wanted in ((int, type_int), (tuple, type_tuple), (list, type_list)) if wanted]
    if not isinstance(axis, tuple(allowed)):
        names = ", ".join(kind.__name__ for kind in allowed)
        raise TypeError(f"The axis must be {names}, but got {type(axis)}.")
    return True


def check_swapaxes_axis(axes: Any, ndim: int) -> Any:
    """An axis, or several, counted from the first."""
    if isinstance(axes, (tuple, list)):
        return tuple(check_axis_in_range(axis, ndim) for axis in axes)
    return check_axis_in_range(axes, ndim)


def check_transpose_axis(axes: Any, ndim: int) -> tuple[int, ...]:
    """The order of axes given to ``transpose``, as a tuple or as separate ints; by default the reverse."""
    if not axes or axes == (None,):
        return tuple(range(ndim))[::-1]
    order = tuple(axes[0]) if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else tuple(axes)
    if len(order) != ndim:
        raise ValueError(
            "For Tensor.transpose, the number of axes must be equal to the dimension of Tensor, but got "
            f"{len(order)} in the number of axes."
        )
    return order


# -- shapes -----------------------------------------------------------------------------------------------------------
def check_reshape_shp(shp: Any) -> tuple[int, ...]:
    """The shape given to ``reshape``, as one tuple or number by number."""
    if len(shp) == 1 and not isinstance(shp[0], int):
        if not isinstance(shp[0], (tuple, list)):
            raise TypeError(
                "For Tensor.reshape, the parameter 'shape' must be an integer, or tuple/list, or series of integer, but got "
                f"{type(shp[0])}."
            )
        return tuple(shp[0])
    return tuple(shp)


def check_reduce_shape(
    ori_shape: Sequence[int], shape: Sequence[int], axis: Any, prim_name: str, arg_name1: str, arg_name2: str
) -> None:
    """Whether one shape is another without an axis, or without several."""
    left_out = {number % len(ori_shape) for number in (axis if isinstance(axis, (tuple, list)) else (axis,))}
    if [length for index, length in enumerate(ori_shape) if index not in left_out] != list(shape):
        raise ValueError(
            f"For '{prim_name}', the shape of parameter '{arg_name1}' reduce on 'axis': {axis} must be equal to the shape of "
            f"'{arg_name2}': {tuple(shape)}, but got {tuple(ori_shape)}."
        )


def infer_out_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that these broadcast to.

    >>> infer_out_shape((2, 1), (3,))
    (2, 3)
    """
    longest = max(len(shape) for shape in shapes)
    result = []
    for lengths in zip(*((1,) * (longest - len(shape)) + tuple(shape) for shape in shapes)):
        largest = 0 if 0 in lengths else max(lengths)
        if any(length not in (1, largest) for length in lengths):
            raise ValueError(
                f"For Tensor, the dimension on each axis must be 1 or the largest on that axis to support broadcasting, but got "
                f"shapes {shapes}."
            )
        result.append(largest)
    return tuple(result)


def prepare_shape_for_squeeze(shape: Sequence[int], axes: Any) -> tuple[int, ...]:
    """A shape without axes of length 1."""
    if not isinstance(axes, (int, tuple, list)):
        raise TypeError(
            f"For Tensor.squeeze, the parameter 'axes' must be one of [int, tuple, list], but got {type(axes)}."
        )
    dropped = check_and_canonicalize_axes(axes, len(shape))
    for axis in dropped:
        if shape[axis] != 1:
            raise ValueError(f"For Tensor.squeeze, the length of axis {axis} must be 1, but got {shape[axis]}.")
    return tuple(length for index, length in enumerate(shape) if index not in dropped)


def expanded_shape(ndim: int, axis_size: int, axis: int) -> tuple[int, ...]:
    """A shape of 1s except for one axis.

    >>> expanded_shape(3, 4, 1)
    (1, 4, 1)
    """
    return tuple(axis_size if index == axis else 1 for index in range(ndim))


def tuple_slice(tup: tuple, start: int, end: int) -> tuple:
    """A part of a tuple."""
    return tup[start:end]


# -- sequences --------------------------------------------------------------------------------------------------------
def _repeated(count: int, kinds: tuple[type, ...], what: str) -> Callable[[Any], tuple]:
    def expand(m: Any) -> tuple:
        """A tuple of a fixed length: the given tuple, or an int repeated."""
        if isinstance(m, kinds):
            if len(m) != count:
                raise TypeError(f"When expanding {what}, its length must be {count}, but got {m}.")
            return tuple(m)
        return (m,) * count

    return expand


def _expand_tuple(n_dimensions: int) -> Callable[[Any], tuple]:
    """A function that makes a tuple of that length of a number.

    >>> _expand_tuple(2)(3)
    (3, 3)
    """
    return _repeated(n_dimensions, (tuple,), "an int number to tuple")


once, twice, triple = (_expand_tuple(count) for count in (1, 2, 3))
once_sequence, twice_sequence, triple_sequence = (
    _repeated(count, (tuple, list), "a sequence to tuple") for count in (1, 2, 3)
)


def max_(*args: Any) -> Any:
    """The largest of the arguments, or of one sequence."""
    return max(*args)


def min_(*args: Any) -> Any:
    """The smallest of the arguments, or of one sequence."""
    return min(*args)


# -- texts and functions ------------------------------------------------------------------------------------------------
def check_flatten_order(order: Any) -> None:
    """'C' or 'F'."""
    if not isinstance(order, str):
        raise TypeError(f"For Tensor.flatten, the parameter 'order' must be a string, but got {type(order)}.")
    if order not in ("C", "F"):
        raise ValueError(f"For Tensor.flatten, the parameter 'order' must be 'C' or 'F', but got '{order}'.")


def check_input_format(input_param: str) -> str:
    """'NCHW', the layout of images."""
    if input_param != "NCHW":
        raise ValueError(f"The data format must be NCHW, but got {input_param}.")
    return input_param


def check_hook_fn(hook_fn: Any) -> None:
    """Something that can be called."""
    if not callable(hook_fn):
        raise TypeError(f"Expected a callable hook function, but got {type(hook_fn).__name__}.")


def check_pad_value_by_mode(pad_mode: str, padding: Any, prim_name: str) -> Any:
    """A padding that fits its mode: 0 unless the mode is 'pad'."""
    if pad_mode != "pad" and padding != 0:
        raise ValueError(f"For '{prim_name}', padding must be zero when pad_mode is '{pad_mode}', but got {padding}.")
    return padding


def check_output_data(data: Any) -> None:
    """Anything but None."""
    if data is None:
        raise RuntimeError("The output data can not be None, please check your net or input data.")
