"""Views: Tensors that share elements with another one, implemented in Python.

XLA's arrays are immutable, so a view has an array of its own and records its origin: ``_base`` is (weak reference to its
source, step, the source's ``_base``, weak reference to the root, the root's shape). The root, which owns the elements, has a
list of its views. After a write through any of them (``wrote``) the root and the other views are updated. The step, a
function or an index, is evaluated on flat indices in NumPy when that is needed: making a view costs nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any
from weakref import ref as _reference

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.errors import graph_break
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import native, run
from mindspore._engine.tensor.tensor import Tensor


def _put_what_changed(x: Any, part: Any, flat_indices: Any) -> Any:
    """If a view has an element several times, the copy that changed is written."""
    flat = x.reshape(-1)
    return (
        flat.at[jnp.where(part == flat[flat_indices], flat.size, flat_indices)].set(part, mode="drop").reshape(x.shape)
    )


_put = Kernel("PutElements", lambda x, part, flat_indices: x.reshape(-1).at[flat_indices].set(part).reshape(x.shape))
_put_changed = Kernel("PutChangedPlaces", _put_what_changed)
_take = Kernel("TakeElements", lambda x, flat_indices: x.reshape(-1)[flat_indices])
Step = functools.partial  # how a view was made, made at once and seldom called
_KEPT = 8  # weak references kept before dead ones are removed


def _made(
    function: Callable[..., Any], shape: Any, arguments: Sequence[Any], item: int | None, array: np.ndarray
) -> Any:
    """The view of an array that a function makes; ``item`` of several results."""
    found = function(array, shape, *arguments)
    return found if item is None else found[item]


def _note(result: Tensor, source: Tensor, step: Any) -> None:
    """Record that the result is a view of the source; the step is a ``partial`` of a function of arrays, or an index."""
    above = source._base
    if above is None:
        root, top = source, _reference(source)
        result._base = (top, step, None, top, source._value.shape)
    else:
        root = above[3]()
        root = source if root is None else root
        result._base = (_reference(source), step, above, _reference(root), above[4])
    views = root._views
    if views is None:
        root._views = [_reference(result)]
        return
    count = len(views)
    if count >= _KEPT and not count & (count - 1):  # at every power of two
        views[:] = [view for view in views if view() is not None]
    views.append(_reference(result))


note = _note if native is None else native.note


def are_noted() -> bool:
    """Whether views matter here: in Python, and in a trace that stands for it."""
    return state.scope is None or state.scope.root.faithful


def view_of(function: Callable[..., Any], on_numpy: Callable[..., Any], complete: Callable[..., tuple]) -> Any:
    """The function with results that are noted as views; ``on_numpy`` takes the result's shape and all arguments."""
    takes_shape_alone = on_numpy in (
        reshaped,
        repeated,
    )  # then nothing else is kept alive, such as the Tensor of view_as

    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if not are_noted() or state.modes:
            return result
        if kwargs:
            args = complete(args, kwargs)
        if result.__class__ is Tensor:
            rest = () if takes_shape_alone else args[1:]
            note(result, args[0], Step(_made, on_numpy, result._value.shape, rest, None))
        elif result.__class__ is tuple:
            shapes = [part._value.shape for part in result]
            for item, part in enumerate(result):
                note(part, args[0], Step(_made, on_numpy, shapes, args[1:], item))
        return result

    return call


# -- where the elements are -------------------------------------------------------------------------------------------
def _path(view: Tensor) -> tuple[Tensor, list[Any]] | None:
    """The furthest ancestor of a view that is still alive, and the steps from it to the view."""
    steps: list[Any] = []
    above, found = view._base, None
    while above is not None:
        steps.append(above[1])
        parent = above[0]()
        if parent is not None:
            found = (parent, len(steps))
        above = above[2]
    return None if found is None else (found[0], steps[: found[1]][::-1])


def _is_view(index: Any) -> bool:
    """Whether an index selects without copying, in NumPy as in MindSpore."""
    elements = index if isinstance(index, tuple) else (index,)
    return all(
        e is None
        or e is Ellipsis
        or isinstance(e, slice)
        or (isinstance(e, (int, np.integer)) and not isinstance(e, bool))
        for e in elements
    )


def shows(view: Tensor) -> bool:
    """Whether the Tensor is a view in the strict sense: no step copies, as lists and masks do."""
    found = _path(view)
    return found is not None and all(isinstance(step, Step) or _is_view(step) for step in found[1])


def _plain(index: Any) -> Any:
    """An index without Tensors."""
    if isinstance(index, Tensor):
        return np.asarray(index._value)
    return tuple(_plain(e) for e in index) if isinstance(index, tuple) else index


def _walked(array: np.ndarray, steps: list[Any]) -> np.ndarray:
    for step in steps:
        array = step(array) if isinstance(step, Step) else _part(array, _plain(step))
    return array


def _part(array: np.ndarray, index: Any) -> np.ndarray:
    """``array[index]``; a single element is an array, too, which keeps its address."""
    found = array[index]
    return (
        found if isinstance(found, np.ndarray) else array[(*index, ...) if isinstance(index, tuple) else (index, ...)]
    )


def layout(view: Tensor) -> tuple[int, tuple[int, ...]] | None:
    """Where a view starts among the elements of its root and how far apart neighbours lie; None for a Tensor of its own."""
    steps: list[Any] = []
    above = view._base
    while above is not None:
        steps.append(above[1])
        above = above[2]
    return _layout(view._base[4], steps[::-1], view.shape) if steps else None


def _layout(shape: Sequence[int], steps: list[Any], shown: Sequence[int]) -> tuple[int, tuple[int, ...]] | None:
    if not all(isinstance(step, Step) or _is_view(step) for step in steps):
        return None
    strides = tuple(int(np.prod(shape[axis + 1 :], dtype=np.int64)) for axis in range(len(shape)))
    start = np.empty(1, np.uint8)  # one byte per element, none of them touched
    whole = np.lib.stride_tricks.as_strided(start, shape, strides, writeable=False)
    try:
        part = _walked(whole, steps)
    except _Copies:
        return None
    if part.shape != shown:
        return None
    apart = list(part.strides)
    for axis in reversed(range(part.ndim)):
        if part.shape[axis] == 1 and apart[axis] == 0:  # a new axis: the stride that a continuing axis would have
            apart[axis] = part.shape[axis + 1] * apart[axis + 1] if axis + 1 < part.ndim else 1
    return part.__array_interface__["data"][0] - start.__array_interface__["data"][0], tuple(apart)


class _Copies(Exception):
    """A step would copy the elements."""


def reshaped(array: np.ndarray, shape: tuple[int, ...], *_: Any) -> np.ndarray:
    """The array in another shape; refused where that is no view."""
    strides = _strides_in(array, shape)
    if strides is None:
        raise _Copies
    return np.lib.stride_tricks.as_strided(array, shape, strides)


def _strides_in(array: np.ndarray, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The strides of the elements in another shape, if there are any."""
    if array.size == 0:
        return (array.itemsize,) * len(shape)
    blocks: list[list[int]] = []  # [length, stride of the innermost] of axes that lie within each other
    for length, stride in zip(array.shape, array.strides, strict=True):
        if length == 1:
            continue
        if blocks and blocks[-1][1] == length * stride:
            blocks[-1] = [blocks[-1][0] * length, stride]
        else:
            blocks.append([length, stride])
    strides: list[int] = []
    left, step = blocks.pop() if blocks else (1, array.itemsize)
    for length in reversed(shape):
        if left == 1 and length != 1 and blocks:
            left, step = blocks.pop()
        if left % length:
            return None
        strides.append(step)
        left, step = left // length, step * length
    return tuple(reversed(strides)) if left == 1 and not blocks else None


def _places(view: Tensor) -> tuple[Tensor, np.ndarray] | None:
    """The root of a view, and the flat indices of the view's elements in it."""
    found = _path(view)
    if found is None:
        return None
    root, steps = found
    known = _layout(root.shape, steps, view.shape)
    if known is None:  # through an index that copies
        numbers = np.arange(root.size, dtype=np.int64).reshape(root.shape)
        try:
            flat_indices = _walked(numbers, steps)
        except _Copies:
            return None
        return (root, flat_indices) if flat_indices.shape == view.shape else None
    start, strides = known
    flat_indices = np.full(view.shape, start, np.int64)
    for axis, stride in enumerate(strides):
        along = [1] * len(strides)
        along[axis] = view.shape[axis]
        flat_indices += (np.arange(view.shape[axis], dtype=np.int64) * stride).reshape(along)
    return root, flat_indices


def reordered(array: np.ndarray, _: Any, dims: Any) -> np.ndarray:
    return array.transpose([int(dim) for dim in (dims if isinstance(dims, (tuple, list, Tensor)) else (dims,))])


def exchanged(array: np.ndarray, _: Any, first: int, second: int) -> np.ndarray:
    return array.swapaxes(first, second)


def repeated(array: np.ndarray, shape: tuple[int, ...], *_: Any) -> np.ndarray:
    return np.broadcast_to(array, shape)


def cut(array: np.ndarray, shapes: Sequence[tuple[int, ...]], axis: int) -> list[np.ndarray]:
    """The parts that lie one after the other along an axis."""
    ends = np.cumsum([shape[axis] for shape in shapes]).tolist()
    along = (slice(None),) * (axis % array.ndim)
    return [array[(*along, slice(start, end))] for start, end in zip([0, *ends], ends, strict=False)]


# -- writing ----------------------------------------------------------------------------------------------------------
def before_write_in_trace(tensor: Tensor) -> None:
    """A graph has no views: a trace that stands for Python ends before other Tensors should get the new elements."""
    if tensor._part_of is not None:  # of `y[0][1] = 2`, which reaches y
        return
    shares = tensor._base is not None and tensor._birth is not None and _path(tensor) is not None
    for reference in () if shares else tensor._views or ():
        view = reference()
        shares = shares or (view is not None and view._birth is not None and view._part_of is None)
    if shares and are_noted():
        reason = "A Tensor that shares its elements with another one is changed in place"
        fix = "write to the Tensor itself by index (x[0:2, 1] = y), or take a copy of the part first: x[0:2].copy()."
        raise graph_break(
            f"{reason}: in a graph the other would keep its old ones.\nWhat to write instead: {fix}", reason, fix
        )


def wrote(tensor: Tensor) -> None:
    """A Tensor has new elements: those that share them get them, too."""
    if tensor._base is None:
        _refresh(tensor, tensor)
    elif shows(tensor):
        write_back(tensor)


def write_back(view: Tensor) -> None:
    """Write the elements of a view, also of one by a copying index, to where they come from."""
    found = _places(view)
    if found is None or found[0].dtype != view.dtype:  # no longer in that shape
        view._base = None
        return
    root, flat_indices = found
    repeats = any(stride == 0 for stride in (layout(view) or (0, ()))[1])
    written = run(_put_changed if repeats else _put, (root, view, Tensor.wrap(flat_indices)))
    root._set(written._value, root._link if root._is_state else written._link)
    _refresh(root, None if repeats else view)


def _refresh(root: Tensor, but: Tensor | None) -> None:
    """Update the views of a root."""
    views, root._views = root._views, None
    kept = []
    for reference in views or ():
        view = reference()
        if view is None or view._base is None:
            continue
        kept.append(reference)
        if view is but or not shows(view):
            continue
        found = _places(view)
        if found is None or found[0].dtype != view.dtype:
            view._base = None
            continue
        taken = run(_take, (found[0], Tensor.wrap(found[1])))
        view._set(taken._value, taken._link)
    root._views = kept or None
