"""Rules of primitives that move elements: shapes, slices, joins."""

from __future__ import annotations

from functools import partial
from operator import methodcaller
from typing import Any

import numpy as np

from mindspore._engine.interpreter.rules import LeftToXLA, dtypes_of, identity, rule, shape_of

view = partial(rule, view=True, quiet=True, nanoseconds=0.0)
moved = partial(rule, quiet=True, nanoseconds=0.5)


@view("reshape", "squeeze", "expand_dims")
def _reshape(equation: Any) -> Any:
    (output,) = equation.outvars
    shape = shape_of(output)
    order = equation.params.get("dimensions") if equation.primitive.name == "reshape" else None
    if order is not None:
        return lambda x: x.transpose(order).reshape(shape)
    return methodcaller("reshape", shape)


def spread_shape(equation: Any) -> tuple[int, ...]:
    """The shape of the operand of ``broadcast_in_dim`` with ones where it is repeated."""
    if len(equation.invars) != 1:
        raise LeftToXLA("open sizes")
    wide = [1] * len(equation.params["shape"])
    for axis, length in zip(equation.params["broadcast_dimensions"], shape_of(equation.invars[0]), strict=True):
        wide[axis] = length
    return tuple(wide)


@view("broadcast_in_dim")
def _broadcast_in_dim(equation: Any) -> Any:
    wide, shape = spread_shape(equation), shape_of(equation.outvars[0])
    if wide == shape:
        return methodcaller("reshape", shape)
    return lambda x: np.broadcast_to(x.reshape(wide), shape)


@view("transpose")
def _transpose(equation: Any) -> Any:
    order = tuple(equation.params["permutation"])
    return identity if order == tuple(range(len(order))) else methodcaller("transpose", order)


@view("rev")
def _rev(equation: Any) -> Any:
    turned = set(equation.params["dimensions"])
    index = tuple(slice(None, None, -1 if axis in turned else 1) for axis in range(len(shape_of(equation.invars[0]))))
    return lambda x: x[index]


@view("slice")
def _slice(equation: Any) -> Any:
    starts, limits, strides = (equation.params[name] for name in ("start_indices", "limit_indices", "strides"))
    index = tuple(map(slice, starts, limits, strides or [1] * len(starts)))
    return lambda x: x[index]


@view("split")
def _split(equation: Any) -> Any:
    axis, sizes = equation.params["axis"], equation.params["sizes"]
    indices, start = [], 0
    for size in sizes:
        indices.append((slice(None),) * axis + (slice(start, start + int(size)),))
        start += int(size)
    return lambda x: [x[index] for index in indices]


@view("unstack")
def _unstack(equation: Any) -> Any:
    lead = (slice(None),) * equation.params["axis"]
    count = len(equation.outvars)
    return lambda x: [x[(*lead, number)] for number in range(count)]


@view("optimization_barrier")
def _barrier(equation: Any) -> Any:
    return lambda *operands: operands


@moved("stack")
def _stack(equation: Any) -> Any:
    axis = equation.params["axis"]
    return lambda *operands: np.stack(operands, axis)


@moved("concatenate")
def _concatenate(equation: Any) -> Any:
    axis = equation.params["dimension"]
    return lambda *operands: np.concatenate(operands, axis)


@moved("tile")
def _tile(equation: Any) -> Any:
    repetitions = equation.params["reps"]
    if len(repetitions) != len(shape_of(equation.invars[0])):
        raise LeftToXLA("tile of another rank")
    return lambda x: np.tile(x, repetitions)


@moved("iota")
def _iota(equation: Any) -> Any:
    shape, axis, dtype = tuple(equation.params["shape"]), equation.params["dimension"], equation.params["dtype"]
    if equation.invars:
        raise LeftToXLA("open sizes")
    wide = [1] * len(shape)
    wide[axis] = shape[axis]
    return lambda: np.broadcast_to(np.arange(shape[axis]).astype(dtype).reshape(wide), shape)


@moved("empty", "empty2")
def _empty(equation: Any) -> Any:
    (output,) = equation.outvars
    return lambda: np.zeros(shape_of(output), output.aval.dtype)


@moved("pad")
def _pad(equation: Any) -> Any:
    return padded(shape_of(equation.invars[0]), equation.params["padding_config"])


def padded(shape: tuple[int, ...], config: Any) -> Any:
    """``(x, value) -> x`` with values around and between its elements; negative numbers cut elements off."""
    lengths = [low + high + n + max(n - 1, 0) * between for n, (low, high, between) in zip(shape, config, strict=True)]
    into, taken = [], []
    for n, length, (low, _, between) in zip(shape, lengths, config, strict=True):
        step = between + 1
        first = max(0, -(low // step)) if low < 0 else 0  # the first element that is not cut off
        start = low + first * step
        count = max(0, min(n - first, (length - start + step - 1) // step))
        into.append(slice(start, start + count * step, step) if count else slice(0, 0))
        taken.append(slice(first, first + count))
    target, source, full = tuple(into), tuple(taken), tuple(max(0, length) for length in lengths)

    def pad(x: Any, value: Any) -> Any:
        result = np.full(full, value, x.dtype)
        result[target] = x[source]
        return result

    return pad


def clamped(starts: Any, shape: tuple[int, ...], sizes: Any) -> tuple[slice, ...]:
    """The window of ``sizes`` that begins at ``starts``, moved into the array."""
    found = [min(max(int(start), 0), n - size) for start, n, size in zip(starts, shape, sizes, strict=True)]
    return tuple(slice(start, start + size) for start, size in zip(found, sizes, strict=True))


@view("dynamic_slice")
def _dynamic_slice(equation: Any) -> Any:
    shape, sizes = shape_of(equation.invars[0]), tuple(equation.params["slice_sizes"])
    if len(equation.invars) != 1 + len(shape):
        raise LeftToXLA("open sizes")
    return lambda x, *starts: x[clamped(starts, shape, sizes)]


@moved("dynamic_update_slice")
def _dynamic_update_slice(equation: Any) -> Any:
    shape, sizes = shape_of(equation.invars[0]), shape_of(equation.invars[1])

    def update(x: Any, part: Any, *starts: Any) -> Any:
        result = np.array(x)
        result[clamped(starts, shape, sizes)] = part
        return result

    return update


@moved("platform_index")
def _platform_index(equation: Any) -> Any:
    (dtype,) = dtypes_of(equation.outvars)
    for number, platforms in enumerate(equation.params["platforms"]):
        if platforms is None or "cpu" in platforms:
            return lambda: np.asarray(number, dtype)
    raise LeftToXLA("no form for this platform")
