"""Parse a Python index into a static form (which kernel) and dynamic inputs (its operands).

A form has one code per axis: ``FULL``, ``NEW`` (newaxis), ``INT``, ``ARRAY``, ``NEW_ARRAY`` (an index array on a new axis) or a
``(length, step)`` pair. Slice starts and integer indices are operands, so that ``x[i]`` and ``x[i:i + 3]`` in a loop reuse one
executable.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import core
from jax.core import Tracer
from jax.export import is_symbolic_dim

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.errors import needs_value
from mindspore._engine.base.open_sizes import is_exported, ordered
from mindspore._engine.execution.index_bounds import is_at_hand, require_inside
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.tensor_input import to_array
from mindspore._utils.refusals import several

FULL, NEW, INT, ARRAY, NEW_ARRAY = "full", "new", "int", "array", "new_array"
Form = tuple[Any, ...]

_CHECKED_SIZE = 4096  # larger index Tensors are not copied to the host for a bounds check
_ALLOWED = "integers, slices, ..., None, True, Tensors of int or bool, and lists or tuples of them"


class Index:
    """A parsed index: static form, kernel operands, and whether its result shape depends on mask values."""

    __slots__ = ("form", "inputs", "masked")

    def __init__(self, form: Form, inputs: list[Any], masked: bool):
        self.form = form
        self.inputs = inputs
        self.masked = masked


def elements_of(index: Any) -> tuple:
    """The index as a tuple with one entry per axis or new axis; a list of non-numbers is such a tuple."""
    if isinstance(index, tuple):
        return index
    if isinstance(index, list):
        if not index:
            raise IndexError("When a Tensor is indexed by a list, the list cannot be empty.")
        return (index,) if all(isinstance(v, (bool, int, np.integer, np.bool_)) for v in index) else tuple(index)
    return (index,)


def names_nothing(index: Any) -> bool:
    """Whether an empty list takes part: nothing can be read there, and writing there changes nothing."""
    if isinstance(index, list) and not index:
        return True
    return isinstance(index, tuple) and any(isinstance(e, (list, tuple)) and not e for e in index)


def parse(index: Any, shape: tuple[int, ...], writing: bool = False) -> Index:
    """Parse an index for a Tensor of this shape; raises on invalid ones."""
    elements = [_plain(e) for e in elements_of(index)]
    elements = _without_ellipsis(elements, shape)
    advanced = any(_is_position(e) for e in elements)
    codes: list[Any] = []
    inputs: list[Any] = []
    masked = False
    axis = 0
    for element in elements:
        if element is None or (element is True and not advanced):
            codes.append(NEW)
        elif element is True:
            codes.append(NEW_ARRAY)
            inputs.append(Tensor.wrap(np.zeros(1, np.int64)))
        elif isinstance(element, slice):
            _take_slice(element, shape[axis], codes, inputs)
            axis += 1
        elif isinstance(element, int):
            codes.append(INT)
            inputs.append(_as_input(checked_int(element, shape[axis], axis)))
            axis += 1
        elif is_mask(element):
            masked = True
            axis += _take_mask(element, shape, axis, codes, inputs)
        else:
            check_range(element, shape[axis], axis, writing)
            codes.append(ARRAY if element.shape else INT)
            inputs.append(element if isinstance(element, Tensor) else Tensor.wrap(element))
            axis += 1
    while codes and codes[-1] == FULL:
        codes.pop()
    return Index(tuple(codes), inputs, masked)


def checked_int(position: int, length: int, axis: int) -> int:
    """Normalise a negative index; raises if it is out of bounds."""
    if not -length <= position < length:
        raise IndexError(
            f"The index {position} is out of bounds for axis {axis} with size {length}: it must be in "
            f"[{-length}, {length})."
        )
    return position + length if position < 0 else position


def axes_of(element: Any) -> int:
    """The number of Tensor axes that an index element consumes."""
    if element is None or element is True or element is Ellipsis:
        return 0
    return len(element.shape) if is_mask(element) else 1


def _plain(element: Any) -> Any:
    """Canonicalise an index element to None, True, Ellipsis, int, slice, integer or bool ndarray, or Tensor."""
    if element is None or element is Ellipsis or type(element) in (int, slice):
        return element
    if isinstance(element, (bool, np.bool_)):
        if not element:
            raise IndexError("When a Tensor is indexed by a bool, it must be True, but got False.")
        return True
    if isinstance(element, (int, np.integer)):
        return int(element)
    if isinstance(element, Tensor):
        kind = element.dtype
        if kind is dtypes.bool_ or (kind.is_integer and kind is not dtypes.uint8):
            return element
        raise IndexError(
            f"A Tensor used as index must be of int or bool dtype, but got {kind}. Use astype(mindspore.int32) for "
            "positions, astype(mindspore.bool_) for a mask."
        )
    if isinstance(element, (list, tuple)):
        return _from_list(element)
    raise IndexError(f"Only {_ALLOWED} can be an index, but got {element!r} of type {type(element).__name__}.")


def _from_list(positions: Sequence[Any]) -> np.ndarray:
    if not positions:
        raise IndexError("When a Tensor is indexed by a list, the list cannot be empty.")
    try:
        array = to_array(positions, None)
    except TypeError:
        array = np.empty(0, np.float32)
    if array.dtype.kind not in "bi":
        raise IndexError(
            f"A list used as index must hold ints or bools in rows of equal length, but got {positions!r}."
        )
    return array


def _without_ellipsis(elements: list[Any], shape: tuple[int, ...]) -> list[Any]:
    used = sum(axes_of(e) for e in elements)
    if used > len(shape):
        raise IndexError(f"Too many indices for a Tensor of {len(shape)} dimensions: {used} were given.")
    ellipses = [i for i, e in enumerate(elements) if e is Ellipsis]
    if len(ellipses) > 1:
        raise IndexError("An index can only have a single ellipsis ('...').")
    if ellipses:
        elements[ellipses[0] : ellipses[0] + 1] = [slice(None)] * (len(shape) - used)
    return elements


def is_mask(element: Any) -> bool:
    """Whether an index element is a boolean mask."""
    if isinstance(element, Tensor):
        return element.dtype is dtypes.bool_
    return isinstance(element, np.ndarray) and element.dtype == np.bool_


def _is_position(element: Any) -> bool:
    return isinstance(element, (np.ndarray, Tensor)) or (isinstance(element, int) and element is not True)


def _take_open_slice(element: slice, length: Any, codes: list[Any], inputs: list[Any]) -> None:
    """On an axis of open size, or up to one: where it is the same elements for all sizes."""
    if element == slice(None, None, -1):
        codes.append((length, -1))
        inputs.append(_as_input(length - 1))
        return
    start, stop = (
        _from_front(bound, length, default) for bound, default in ((element.start, 0), (element.stop, length))
    )
    if is_exported(length) and isinstance(element.stop, int) and element.stop >= 0:
        stop = core.min_dim(stop, length)
    step = element.step or 1
    stepped = type(step) is int and step > 1 and is_exported(length)
    if not ((step == 1 or stepped) and ordered(0, start) and ordered(start, stop) and ordered(stop, length)):
        raise IndexError(
            f"A slice with the symbolic dimension {length if is_symbolic_dim(length) else stop} must lie inside the axis for all "
            f"its sizes, but got {element!r} for an axis of {length}."
        )
    count = -(-(stop - start) // step)
    if (
        step == 1
        and not is_symbolic_dim(start)
        and start == 0
        and not is_symbolic_dim(stop - length)
        and stop - length == 0
    ):
        codes.append(FULL)
        return
    codes.append((count, step))
    inputs.append(_as_input(start))


def _from_front(bound: Any, length: Any, default: Any) -> Any:
    if bound is None:
        return default
    bound = bound if is_symbolic_dim(bound) else _bound(bound)
    return bound + length if isinstance(bound, int) and bound < 0 else bound


def _as_input(position: Any) -> Any:
    """A position that hangs on an open size is computed in the graph."""
    return Tensor.wrap(jnp.asarray(position)) if is_symbolic_dim(position) else position


def _take_slice(element: slice, length: int, codes: list[Any], inputs: list[Any]) -> None:
    if any(bound is not None and is_symbolic_dim(bound) for bound in (length, element.start, element.stop)):
        _take_open_slice(element, length, codes, inputs)
        return
    try:
        start, stop, step = slice(*map(_bound, (element.start, element.stop, element.step))).indices(length)
    except TypeError:
        raise several(IndexError, RuntimeError, TypeError)(
            f"The bounds of a slice must be ints, int Tensors of one element or None, but got {element!r}."
        ) from None
    except ValueError:
        raise ValueError("The step of a slice cannot be 0.") from None
    count = len(range(start, stop, step))
    if count == length and step == 1:
        codes.append(FULL)
        return
    codes.append((count, step if count else 1))
    inputs.append(start if count else 0)


def _bound(bound: Any) -> int | None:
    if isinstance(bound, Tensor):
        bound._read()
        if isinstance(bound._value, Tracer):
            raise needs_value(
                "A slice whose bound is a Tensor",
                "pass the bounds as Python ints, or pick a fixed number "
                "of elements from a changing start: x[start + ops.arange(count)].",
            )
        return int(bound)
    return None if bound is None else operator.index(bound)


def _take_mask(mask: Any, shape: tuple[int, ...], axis: int, codes: list[Any], inputs: list[Any]) -> int:
    """Append the nonzero indices of a mask; returns the number of axes it covers."""
    check_mask(mask, shape, axis)
    if isinstance(mask, Tensor):
        mask._read()
        mask = mask._host(
            "Selecting by a bool Tensor",
            "ops.select(mask, x, y) or ops.where: the number of elements a mask "
            "selects cannot change in a compiled graph.",
        )
    codes.extend([ARRAY] * mask.ndim or [NEW_ARRAY])
    inputs.extend(Tensor.wrap(positions) for positions in np.nonzero(np.atleast_1d(mask)))
    return mask.ndim


def check_mask(mask: Any, shape: tuple[int, ...], axis: int) -> None:
    """Raise if a mask's shape differs from the axes it covers."""
    covered = shape[axis : axis + len(mask.shape)]
    if tuple(mask.shape) != covered:
        kind = ValueError if isinstance(mask, Tensor) else IndexError
        raise kind(
            f"The shape of a bool index must be that of the axes it selects from, but got {tuple(mask.shape)} for axes "
            f"of shape {covered} (the Tensor has shape {shape}, the index starts at axis {axis})."
        )


def check_range(positions: Any, length: int, axis: int, writing: bool) -> None:
    """Bounds check: index lists at once, index Tensors as soon as their values are known."""
    if isinstance(positions, Tensor):
        owner = "Tensor.__setitem__" if writing else "Tensor.__getitem__"
        kind = (RuntimeError, ValueError) if writing else RuntimeError
        require_inside(owner, f"index of axis {axis}", positions, -length, length, kind)
    elif positions.size and (positions.min() < -length or positions.max() >= length):
        span = f"{positions.min()} to {positions.max()}"
        raise IndexError(f"The index is out of bounds: axis {axis} has size {length}, but got positions from {span}.")


def at_hand(positions: Tensor) -> np.ndarray | None:
    """The indices as a NumPy array if reading them is cheap, else None."""
    value = positions._value
    if value is None or isinstance(value, Tracer) or value.size > _CHECKED_SIZE or not is_at_hand(value):
        return None
    return np.asarray(value)
