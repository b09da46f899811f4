"""``x[index]`` and ``x[index] = value``.

One kernel per index form (``index_form.py``, ``index_kernels.py``). Eagerly the result of ``x[index]`` is a view
(``views.py``): writing to it writes through to ``x``, as in MindSpore.

An out-of-range index is an error (``index_bounds.py``); in a graph, where it is raised after the run, reads clip and writes
drop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import host_indexing
from mindspore._engine.execution.dispatch import native, run
from mindspore._engine.execution.index_form import (
    INT,
    Index,
    axes_of,
    check_mask,
    checked_int,
    elements_of,
    is_mask,
    names_nothing,
    parse,
)
from mindspore._engine.execution.index_kernels import masked_writer, reader, stack, value_fits_mask, writer
from mindspore._engine.execution.views import are_noted, note, shows, write_back, wrote
from mindspore._engine.interpreter import choice
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.tensor_input import to_array
from mindspore._utils.refusals import several

_first = reader((INT,))


def getitem(self: Tensor, index: Any) -> Tensor:
    """Part of the tensor: ints, slices, ``...``, None, True, int and bool Tensors, lists, and tuples of these.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1, 2, 3], [4, 5, 6]])
        >>> print(x[1, ::-1], x[:, [0, 2]].shape, x[x > 4])
        [6 5 4] (2, 2) [5 6]
    """
    if native is not None:
        part = native.part(self, index)
        if part is not None:
            return part
    if type(index) is int and (shape := self.shape):  # fast path
        row = host_indexing.read(self, index)
        result = Tensor.wrap(row) if row is not None else run(_first, (self, checked_int(index, shape[0], 0)))
    else:
        result = read(self, index)
    if are_noted():
        note(result, self, index)
    return result


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Replace part of the tensor; the value is broadcast and converted to the tensor's dtype.

    Examples:
        >>> from mindspore import Tensor
        >>> x = Tensor([[1, 2, 3], [4, 5, 6]])
        >>> x[0, 1:] = 0
        >>> x[x > 4] = Tensor([7, 8])
        >>> print(x)
        [[1 0 0]
         [4 7 8]]
    """
    if host_indexing.write(self, index, value):
        if self._base is not None or self._views is not None:
            wrote(self)
            _write_copied(self)
        return
    if names_nothing(index):
        return
    value = _taken_value(value, self)
    if state.scope is not None:
        state.scope.root.indexed[id(self)] = self
    mask = _only_mask(self, index, value)
    if mask is not None:
        first_axis, mask = mask
        self._write_elements(run(masked_writer(first_axis), (self, value, mask)))
    elif index is not False:
        found = parse(index, self.shape, writing=True)
        if found.masked and _on_host(self, value):
            self._write_elements(_written_on_host(self, index, value))
        else:
            self._write_elements(run(writer(found.form), (self, value, *found.inputs)))
    _write_copied(self)


def _write_copied(part: Tensor) -> None:
    """Assignment to what a list or mask selected reaches the Tensor it was selected from, too, as in MindSpore.

    So it does in `y[0][1] = 2` of a graph, where nothing else is a view.
    """
    if state.scope is not None:
        if part._part_of is not None:
            owner, index = part._part_of
            setitem(owner, index, part)
    elif part._base is not None and not shows(part):
        write_back(part)


# -- reading ----------------------------------------------------------------------------------------------------------
def read(tensor: Tensor, index: Any) -> Tensor:
    """``tensor[index]`` as a copy, not a view."""
    at_once = host_indexing.read(tensor, index)
    if at_once is not None:
        return Tensor.wrap(at_once)
    if (
        isinstance(index, Tensor)
        and index.dtype.np_dtype == np.bool_
        and index.shape == tensor.shape
        and _on_host(tensor, index)
    ):
        flat = np.flatnonzero(np.asarray(index._value))  # several times faster than an index of all axes
        return from_host(np.asarray(tensor._value).reshape(-1)[flat])
    found: Index = parse(index, tensor.shape)
    if not found.form:
        return tensor.copy()
    if found.masked and _on_host(tensor):
        return from_host(np.asarray(tensor._value)[_numpy_index(index)])
    return run(reader(found.form), (tensor, *found.inputs))


def _on_host(*values: Any) -> bool:
    """Whether an op with a data-dependent shape should run in NumPy instead of being compiled per shape."""
    tensors = [v for v in values if isinstance(v, Tensor)]
    if state.scope is not None or (state.tape is not None and any(state.tape.link_of(t) is not None for t in tensors)):
        return False
    arrays = [t._read() for t in tensors]
    return all(
        isinstance(a, np.ndarray) or (a.is_fully_addressable and next(iter(a.devices())).platform == "cpu")
        for a in arrays
    )


def _numpy_index(index: Any) -> tuple:
    return tuple(np.asarray(e._value) if isinstance(e, Tensor) else e for e in elements_of(index))


def from_host(array: np.ndarray) -> Tensor:
    """A new array, nobody else's, as a Tensor."""
    return Tensor.wrap(choice.placed(array if array.base is None else array.copy()))


# -- writing ----------------------------------------------------------------------------------------------------------
def _taken_value(value: Any, tensor: Tensor) -> Any:
    """The value to assign, as a Tensor or a Python scalar."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, Tensor) for v in value):
        value = run(stack, value)
    elif isinstance(value, (list, tuple, np.generic)):
        value = Tensor.wrap(to_array(value, None))
    elif not isinstance(value, (Tensor, bool, int, float, complex)):
        raise several(TypeError, IndexError)(
            "Only numbers, Tensors, lists and tuples can be assigned to part of a Tensor, but got "
            f"{value!r} of type {type(value).__name__}." + _advice(value)
        )
    is_complex = value.dtype.is_complex if isinstance(value, Tensor) else isinstance(value, complex)
    if is_complex and not tensor.dtype.is_complex:
        raise several(TypeError, IndexError)(
            f"A complex value cannot be assigned to part of a Tensor of dtype {tensor.dtype}."
        )
    return value


def _advice(value: Any) -> str:
    return " Wrap it: Tensor(array)." if isinstance(value, np.ndarray) else ""


def _only_mask(tensor: Tensor, index: Any, value: Any) -> tuple[int, Any] | None:
    """For a single mask among full slices and a value that fits by broadcasting: the mask's first axis and the mask."""
    if not isinstance(index, (Tensor, tuple, list)):
        return None
    elements = elements_of(index)
    masks = [e for e in elements if is_mask(e)]
    if len(masks) != 1 or not masks[0].shape:
        return None
    mask = masks[0]
    if not all(e is mask or e is Ellipsis or (isinstance(e, slice) and e == slice(None)) for e in elements):
        return None
    before = next(i for i, e in enumerate(elements) if e is mask)
    if any(e is Ellipsis for e in elements[:before]):
        before = tensor.ndim - sum(axes_of(e) for e in elements[before:])
    check_mask(mask, tensor.shape, before)
    after = tensor.ndim - before - mask.ndim
    return (before, mask) if value_fits_mask(value.shape if isinstance(value, Tensor) else (), after) else None


def _written_on_host(tensor: Tensor, index: Any, value: Any) -> Tensor:
    array = np.array(tensor._value)
    given = np.asarray(value._read() if isinstance(value, Tensor) else value)
    try:
        with np.errstate(all="ignore"):
            array[_numpy_index(index)] = given.astype(array.dtype)
    except ValueError as error:
        raise ValueError(
            f"For 'Tensor.__setitem__', the 'value' does not fit the selected elements: {error}."
        ) from None
    return from_host(array)


attach("__getitem__", getitem)
attach("__setitem__", setitem)
