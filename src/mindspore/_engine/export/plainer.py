"""Decompositions: primitives of JAX that a file format lacks, in terms of simpler ones; the same for every format.

Each function takes an equation and returns a function of its operands, or None without a decomposition.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import jaxpr_as_fun

Plain = Callable[..., Any]
_MOST_SHIFTS = 4096  # elements of a window that is written out
_forms: dict[str, Callable[[Any], Plain | None]] = {}


def plainer(*names: str) -> Callable[[Callable[[Any], Plain | None]], Callable[[Any], Plain | None]]:
    def declare(function: Callable[[Any], Plain | None]) -> Callable[[Any], Plain | None]:
        _forms.update(dict.fromkeys(names, function))
        return function

    return declare


def names() -> set[str]:
    """The primitives that have a plainer form for some of their uses."""
    return set(_forms)


def plainer_form(equation: Any) -> Any:
    """A closed jaxpr of plainer primitives with the operands and results of an equation, or None."""
    find = _forms.get(equation.primitive.name)
    function = find(equation) if find is not None else None
    if function is None:
        return None
    return jax.make_jaxpr(function)(*[var.aval for var in equation.invars])


def _known(*shapes: Any) -> bool:
    return all(isinstance(size, int) for shape in shapes for size in shape)


def _strides(shape: tuple[int, ...]) -> list[int]:
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]


_INSIDE = ("PROMISE_IN_BOUNDS", "ONE_HOT")


def _mode(equation: Any) -> str:
    return str(equation.params["mode"]).rsplit(".", 1)[-1]


# -- windows as flat indices of their elements ----------------------------------------------------------------------------------
def _flat_windows(
    indices: Any, shape: tuple[int, ...], sizes: Any, axes: Any, batches: Any, mode: str
) -> tuple[Any, Any]:
    """The flat index of every element of every window, and the mask of windows inside the tensor (None: all)."""
    steps, valid = _strides(shape), None
    first: Any = jnp.zeros(indices.shape[:-1], np.int32)
    for column, axis in enumerate(axes):
        start, last = indices[..., column], shape[axis] - sizes[axis]
        if mode not in _INSIDE:
            inside = jnp.clip(start, 0, last)
            if mode != "CLIP":
                same = inside == start
                valid = same if valid is None else valid & same
            start = inside
        first = first + start.astype(np.int32) * steps[axis]
    for axis, of_index in batches:
        first = first + lax.broadcasted_iota(np.int32, first.shape, of_index) * steps[axis]
    gone = {axis for axis, _ in batches}
    window = tuple(1 if axis in gone else size for axis, size in enumerate(sizes))
    grid: Any = np.zeros(window, np.int32)
    for axis, size in enumerate(window):
        count = np.arange(size, dtype=np.int32).reshape([-1 if a == axis else 1 for a in range(len(window))])
        grid = grid + count * steps[axis]
    return first, (grid, valid)


@plainer("gather")
def _gather(equation: Any) -> Plain | None:
    """Elements of the flat tensor."""
    numbers, sizes = equation.params["dimension_numbers"], equation.params["slice_sizes"]
    shape, index_shape = (var.aval.shape for var in equation.invars)
    mode, filler, result = _mode(equation), equation.params["fill_value"], equation.outvars[0].aval
    flat = lax.GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,))
    simple = len(shape) == 1 and tuple(numbers.collapsed_slice_dims) == (0,) and mode in _INSIDE
    if simple or not _known(shape, index_shape, sizes):
        return None
    batches = list(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims))
    gone = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    window = [size for axis, size in enumerate(sizes) if axis not in gone]
    outer = [axis for axis in range(len(result.shape)) if axis not in numbers.offset_dims]

    def gather(x: Any, indices: Any) -> Any:
        inside = "CLIP" if mode in _INSIDE else mode  # as XLA does
        first, (grid, valid) = _flat_windows(indices, shape, sizes, numbers.start_index_map, batches, inside)
        widen = (*first.shape, *[1] * len(window))
        elements = first.reshape(widen) + grid.reshape([1] * first.ndim + window)
        found = lax.gather(x.reshape(-1), elements[..., None], flat, (1,), mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS)
        if valid is not None:
            found = jnp.where(valid.reshape(widen), found, _filler(filler, x.dtype))
        return found.transpose(np.argsort([*outer, *numbers.offset_dims]).tolist())

    return gather


def _filler(filler: Any, dtype: Any) -> Any:
    if filler is not None:
        return np.asarray(filler, dtype)
    inexact = jnp.issubdtype(dtype, jnp.inexact)
    return np.asarray(np.nan if inexact else dtype == np.bool_ or np.iinfo(dtype).min, dtype)


_COMBINE = {"scatter": "set", "scatter-add": "add", "scatter_add": "add", "scatter-mul": "multiply", "scatter_mul": "multiply",
            "scatter-min": "min", "scatter_min": "min", "scatter-max": "max", "scatter_max": "max", "scatter-sub": "subtract",
            "scatter_sub": "subtract"}  # fmt: skip


@plainer(*_COMBINE)
def _scatter(equation: Any) -> Plain | None:
    """Into the flat tensor; windows outside are written to an extra element, which is sliced off."""
    numbers, mode = equation.params["dimension_numbers"], _mode(equation)
    shape, index_shape, part = (var.aval.shape for var in equation.invars)
    if not _known(shape, index_shape, part) or 0 in part:
        return None
    simple = len(shape) == 1 and not numbers.update_window_dims and not numbers.operand_batching_dims
    if simple and mode in _INSIDE and len(index_shape) == 2 and equation.invars[0].aval.dtype != np.bool_:
        return None
    batches = list(zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims))
    gone = {*numbers.inserted_window_dims, *numbers.operand_batching_dims}
    window = [part[axis] for axis in numbers.update_window_dims]
    lengths = iter(window)
    sizes = [1 if axis in gone else next(lengths) for axis in range(len(shape))]
    outer = [axis for axis in range(len(part)) if axis not in numbers.update_window_dims]
    combine, count = _COMBINE[equation.primitive.name], math.prod(shape)

    def scatter(x: Any, indices: Any, updates: Any) -> Any:
        axes = numbers.scatter_dims_to_operand_dims
        first, (grid, valid) = _flat_windows(indices, shape, sizes, axes, batches, mode)
        widen = (*first.shape, *[1] * len(window))
        elements = first.reshape(widen) + grid.reshape([1] * first.ndim + window)
        flat, whole = x.reshape(-1), x.dtype == np.bool_
        if valid is not None:
            elements = jnp.where(valid.reshape(widen), elements, count)
            flat = jnp.concatenate([flat, jnp.zeros(1, x.dtype)])
        updates = updates.transpose([*outer, *numbers.update_window_dims])
        if whole:
            flat, updates = flat.astype(np.int32), updates.astype(np.int32)
        into = flat.at[elements.reshape(-1)]
        found = getattr(into, combine)(updates.reshape(-1), mode="promise_in_bounds")[:count]
        return (found.astype(x.dtype) if whole else found).reshape(shape)

    return scatter


@plainer("dynamic_update_slice")
def _dynamic_update_slice(equation: Any) -> Plain | None:
    """A scatter of one window."""
    x, part = (var.aval for var in equation.invars[:2])
    if not _known(x.shape, part.shape) or not x.shape:
        return None
    axes = tuple(range(len(x.shape)))
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=axes, inserted_window_dims=(), scatter_dims_to_operand_dims=axes
    )

    def update(x: Any, part: Any, *starts: Any) -> Any:
        at = jnp.stack([start.astype(np.int32) for start in starts])
        return lax.scatter(x, at, part, numbers, mode=lax.GatherScatterMode.CLIP)

    return update


# -- order ----------------------------------------------------------------------------------------------------------------------
@plainer("sort")
def _sort(equation: Any) -> Plain | None:
    """Stable sorts by each key, the last first, of indices; then everything is gathered."""
    keys, axis = equation.params["num_keys"], equation.params["dimension"]
    shape = equation.invars[0].aval.shape
    if len(equation.invars) < 2 or not _known(shape):  # formats sort one tensor and return indices
        return None

    def fetched(value: Any, permutation: Any) -> Any:
        return jnp.take_along_axis(value, permutation, axis, mode="promise_in_bounds")

    def order(*values: Any) -> Any:
        permutation: Any = None
        for key in reversed(values[:keys]):
            iota = lax.broadcasted_iota(np.int32, shape, axis)
            sorted_by = key if permutation is None else fetched(key, permutation)
            _, moved = lax.sort((sorted_by, iota), dimension=axis, num_keys=1)
            permutation = moved if permutation is None else fetched(permutation, moved)
        return [fetched(one, permutation) for one in values]

    return order


@plainer("lt_to", "le_to")
def _total_order(equation: Any) -> Plain | None:
    """NaN is behind all numbers."""
    strict = equation.primitive.name == "lt_to"

    def less(x: Any, y: Any) -> Any:
        plain = x < y if strict else x <= y
        if not jnp.issubdtype(x.dtype, jnp.inexact):
            return plain
        return jnp.where(jnp.isnan(x), jnp.isnan(y) & (not strict), plain | jnp.isnan(y))

    return less


# -- windows that slide ---------------------------------------------------------------------------------------------------------
_REDUCERS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "reduce_window_max": (lax.max, lambda dtype: _least(dtype)),
    "reduce_window_min": (lax.min, lambda dtype: _greatest(dtype)),
    "reduce_window_sum": (lax.add, lambda dtype: 0),
}


def _least(dtype: Any) -> Any:
    return -np.inf if jnp.issubdtype(dtype, jnp.inexact) else dtype != np.bool_ and np.iinfo(dtype).min


def _greatest(dtype: Any) -> Any:
    return np.inf if jnp.issubdtype(dtype, jnp.inexact) else dtype == np.bool_ or np.iinfo(dtype).max


@plainer(*_REDUCERS)
def _reduce_window(equation: Any) -> Plain | None:
    """One slice for each element of the window, combined."""
    parameters, (value,) = equation.params, equation.invars
    window, strides = parameters["window_dimensions"], parameters["window_strides"]
    apart, result = parameters["window_dilation"], equation.outvars[0].aval
    if not _known(value.aval.shape, window) or math.prod(window) > _MOST_SHIFTS or 0 in result.shape:
        return None
    combine, least = _REDUCERS[equation.primitive.name]
    borders = [(low, high, inner - 1) for (low, high), inner in zip(parameters["padding"], parameters["base_dilation"])]

    def slide(x: Any) -> Any:
        wide = lax.pad(x, np.asarray(least(x.dtype), x.dtype), borders)
        found = None
        for offset in np.ndindex(*window):
            begin = [at * step for at, step in zip(offset, apart)]
            end = [low + (size - 1) * step + 1 for low, size, step in zip(begin, result.shape, strides)]
            part = lax.slice(wide, begin, end, strides)
            found = part if found is None else combine(found, part)
        return found

    return slide


@plainer("cumlogsumexp", "cummax", "cummin", "cumprod", "cumsum")
def _accumulate(equation: Any) -> Plain | None:
    """Cumulative, by doubling: combined with the elements 1, 2, 4, ... before."""
    name, axis, backward = equation.primitive.name, equation.params["axis"], equation.params["reverse"]
    (value,) = equation.invars
    if not _known(value.aval.shape):
        return None
    dtype, length = value.aval.dtype, value.aval.shape[axis]
    combine, neutral = {
        "cumlogsumexp": (jnp.logaddexp, -np.inf), "cummax": (lax.max, _least(dtype)), "cummin": (lax.min, _greatest(dtype)),
        "cumprod": (lax.mul, 1), "cumsum": (lax.add, 0),
    }[name]  # fmt: skip

    def accumulate(x: Any) -> Any:
        step = 1
        while step < length:
            kept = lax.slice_in_dim(x, step, None, axis=axis) if backward else lax.slice_in_dim(x, 0, length - step, axis=axis)  # fmt: skip
            fill = jnp.full([step if a == axis else size for a, size in enumerate(x.shape)], neutral, x.dtype)
            x = combine(x, lax.concatenate([kept, fill] if backward else [fill, kept], axis))
            step *= 2
        return x

    return accumulate


@plainer("stack")
def _stack(equation: Any) -> Plain | None:
    axis = equation.params["axis"]
    return lambda *parts: lax.concatenate([lax.expand_dims(one, (axis,)) for one in parts], axis)


@plainer("unstack")
def _unstack(equation: Any) -> Plain | None:
    axis = equation.params["axis"]
    return lambda x: [lax.index_in_dim(x, at, axis, keepdims=False) for at in range(x.shape[axis])]


@plainer("rem")
def _remainder(equation: Any) -> Plain | None:
    return (lambda x, y: x - lax.div(x, y) * y) if equation.invars[0].aval.dtype.kind in "iu" else None


@plainer("cbrt")
def _cube_root(equation: Any) -> Plain | None:
    return lambda x: jnp.sign(x) * jnp.abs(x) ** np.asarray(1 / 3, x.dtype)


@plainer("round")
def _round(equation: Any) -> Plain | None:
    """Halves away from zero."""
    if "EVEN" in str(equation.params["rounding_method"]):
        return None

    def away(x: Any) -> Any:
        size = jnp.abs(x)
        low = jnp.floor(size)
        return jnp.sign(x) * (low + (size - low >= 0.5).astype(x.dtype))

    return away


@plainer("select_and_scatter_add")
def _select_and_scatter(equation: Any) -> Plain | None:
    """The gradient of max pooling: for each offset in the window, cotangents whose maximum had that offset."""
    given, (source, x) = equation.params, [var.aval for var in equation.invars]
    window, strides, borders = given["window_dimensions"], given["window_strides"], given["padding"]
    if not _known(source.shape, x.shape) or math.prod(window) > _MOST_SHIFTS or given["select_prim"].name != "ge":
        return None

    def cut(wide: Any, offset: Any) -> Any:
        end = [at + (size - 1) * step + 1 for at, size, step in zip(offset, source.shape, strides)]
        return lax.slice(wide, offset, end, strides)

    def back(source: Any, x: Any) -> Any:
        wide = lax.pad(x, np.asarray(_least(x.dtype), x.dtype), [(low, high, 0) for low, high in borders])
        offsets = list(np.ndindex(*window))
        best, chosen = cut(wide, offsets[0]), jnp.zeros(source.shape, np.int32)
        for number, offset in enumerate(offsets[1:], 1):
            other = cut(wide, offset)
            chosen, best = jnp.where(other > best, number, chosen), jnp.maximum(best, other)
        total = jnp.zeros(wide.shape, source.dtype)
        for number, offset in enumerate(offsets):
            part = jnp.where(chosen == number, source, 0)
            ends = [
                full - at - (size - 1) * step - 1
                for full, at, size, step in zip(wide.shape, offset, source.shape, strides)
            ]
            total = total + lax.pad(
                part, np.asarray(0, source.dtype), [(at, end, step - 1) for at, end, step in zip(offset, ends, strides)]
            )
        return lax.slice(total, [low for low, _ in borders], [low + size for (low, _), size in zip(borders, x.shape)])

    return back


# -- bits -----------------------------------------------------------------------------------------------------------------------
@plainer("shift_right_logical")
def _shift_right(equation: Any) -> Plain | None:
    """Of signed integers: what the sign left behind is cut off."""
    dtype = equation.invars[0].aval.dtype
    if dtype.kind != "i":
        return None
    bits = np.iinfo(dtype).bits

    def shift(x: Any, count: Any) -> Any:
        kept = dtype.type(np.iinfo(dtype).max) >> jnp.clip(count - 1, 0, bits - 1)
        moved = (x >> jnp.clip(count, 0, bits - 1)) & kept
        return jnp.where(count == 0, x, jnp.where((count < 0) | (count >= bits), 0, moved))

    return shift


@plainer("population_count")
def _ones(equation: Any) -> Plain | None:
    dtype = equation.invars[0].aval.dtype
    bits = np.iinfo(dtype).bits
    return lambda x: sum(
        ((lax.shift_right_logical(x, dtype.type(n)) & dtype.type(1)) for n in range(bits)), dtype.type(0)
    )


@plainer("clz")
def _leading_zeros(equation: Any) -> Plain | None:
    """The bits before the highest one, counted one after the other."""
    dtype = equation.invars[0].aval.dtype
    bits = np.iinfo(dtype).bits

    def count(x: Any) -> Any:
        zeros = jnp.zeros_like(x)
        for n in range(1, bits + 1):
            zeros = zeros + (lax.shift_right_logical(x, dtype.type(bits - n)) == 0).astype(dtype)
        return zeros

    return count


@plainer("custom_linear_solve")
def _solved(equation: Any) -> Plain | None:
    """The function that solves, with its own constants."""
    parameters = equation.params
    counts, solve = parameters["const_lengths"], parameters["jaxprs"].solve
    before = counts.matvec + counts.vecmat
    constants = slice(before, before + counts.solve)

    def call(*operands: Any) -> Any:
        given = [*operands[constants], *operands[sum(counts) :]]
        return jaxpr_as_fun(solve)(*given)

    return call
