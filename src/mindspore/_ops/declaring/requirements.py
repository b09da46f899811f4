"""Checks of an operator body's own inputs. The engine puts "For '<operator>', " in front of every text made here."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base import dtype as dtypes
from mindspore._utils.refusals import several, type_or_value


def require(condition: Any, text: str, kind: type[Exception] = ValueError) -> None:
    """Raise ``kind(text)`` unless the condition holds; the text starts with "the '<argument>'"."""
    if not condition:
        raise (kind if kind is not TypeError else type_or_value(TypeError))(text)


def require_form(condition: Any, text: str) -> None:
    """The form of an argument that is no Tensor, its length and elements: MindSpore calls some of it wrong types, some wrong values."""
    require(condition, text, type_or_value(ValueError))


FOUND_BY_KERNEL = several(ValueError, RuntimeError)  # values that MindSpore's kernels refuse, not its checks


def require_rank(name: str, array: Any, *ranks: int) -> None:
    """The array must have one of the given ranks."""
    allowed = " or ".join(map(str, ranks))
    text = f"the '{name}' must have {allowed} dimensions, but got {array.ndim}: shape {array.shape}."
    require(array.ndim in ranks, text)


NO_BATCH = " Is the batch axis missing? A dataset makes batches with .batch(32); x.expand_dims(0) makes one of a single sample."


def require_batch(name: str, array: Any, rank: int) -> None:
    """The array must have this number of dimensions, the first of them the samples of a batch."""
    hint = NO_BATCH if array.ndim == rank - 1 else ""
    text = f"the '{name}' must have {rank} dimensions, but got {array.ndim}: shape {array.shape}.{hint}"
    require(array.ndim == rank, text)


def require_rank_from(name: str, array: Any, least: int) -> None:
    """The array must have at least this number of dimensions."""
    text = f"the '{name}' must have at least {least} dimensions, but got {array.ndim}: shape {array.shape}."
    require(array.ndim >= least, text)


def require_elements(name: str, array: Any, axes: Sequence[int]) -> None:
    """The array must not be empty along these axes."""
    text = f"the '{name}' must not be empty along axis {', '.join(map(str, axes))}, but got shape {array.shape}."
    require(all(array.shape[axis] for axis in axes), text)


def require_same_dtype(**arrays: Any) -> None:
    """The arrays, given by argument name, must have the same dtype."""
    names = list(arrays)
    listed = ", ".join(f"'{name}': {dtypes.from_numpy(array.dtype)}" for name, array in arrays.items())
    text = f"the '{names[0]}' and '{names[-1]}' must have the same dtype, but got {listed}. {conversion(arrays)}"
    require(len({array.dtype for array in arrays.values()}) == 1, text, TypeError)


def conversion(arrays: Mapping[str, Any]) -> str:
    """The fix line for mixed dtypes: convert to the last floating-point dtype among the arrays."""
    floats = [x.dtype for x in arrays.values() if jnp.issubdtype(x.dtype, jnp.inexact)]
    wanted = floats[-1] if floats else list(arrays.values())[-1].dtype
    others = [name for name, x in arrays.items() if x.dtype != wanted]
    return f"Convert '{others[0]}' with astype({dtypes.from_numpy(wanted)!r})." if others else ""


def require_storable(name: str, value: Any, dtype: Any) -> None:
    """A complex number has no place among real ones: only its real part would stay."""
    lost = jnp.iscomplexobj(value) and not jnp.issubdtype(dtype, jnp.complexfloating)
    text = f"the '{name}' must be a real number, because it is stored as {dtypes.from_numpy(dtype)}, but got a complex one. Write its .real."
    require(not lost, text, TypeError)


def require_float(name: str, array: Any) -> None:
    """The array must hold floating-point or complex numbers."""
    got = dtypes.from_numpy(array.dtype)
    text = f"the '{name}' must be a Tensor of floating-point numbers, but got dtype {got}. Convert it with "
    text += "astype(mindspore.float32)."
    require(jnp.issubdtype(array.dtype, jnp.inexact), text, TypeError)


def require_index_dtype(name: str, array: Any) -> None:
    """The array must hold int32 or int64 numbers."""
    got = dtypes.from_numpy(array.dtype)
    text = f"the '{name}' must have dtype Int32 or Int64, but got {got}. Convert it with astype(mindspore.int32)."
    require(array.dtype in (jnp.int32, jnp.int64), text, TypeError)


def require_shape(name: str, array: Any, shape: Sequence[int]) -> None:
    """The array must have exactly this shape."""
    require(array.shape == tuple(shape), f"the '{name}' must have shape {tuple(shape)}, but got {array.shape}.")


def require_square(name: str, array: Any) -> None:
    """The array must be a matrix, or a stack of them, with as many rows as columns."""
    square = array.ndim >= 2 and array.shape[-1] == array.shape[-2]
    require(square, f"the '{name}' must be a square matrix or a batch of them, but got shape {array.shape}.")


def require_choice(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """The value must be one of ``allowed``; the message suggests the nearest string."""
    if value in allowed:
        return
    near = difflib.get_close_matches(str(value).lower(), [str(a) for a in allowed], 1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    got = f"{value!r} of type {type(value).__name__}"
    kind = ValueError if isinstance(value, str) else type_or_value(ValueError)
    raise kind(f"the '{name}' must be one of {list(allowed)}, but got {got}.{hint}")


def positive_ints(name: str, value: Any, count: int, least: int = 1) -> tuple[int, ...]:
    """``value`` as ``count`` ints: an int stands for all of them. Refuses numbers below ``least``."""
    kind = "positive" if least == 1 else "non-negative"
    text = f"the '{name}' must be a {kind} int or a tuple of {count} {kind} ints, but got {value!r} of type {type(value).__name__}."
    values: Any = (value,) * count if isinstance(value, int) and not isinstance(value, bool) else value
    require(isinstance(values, tuple), text, type_or_value(TypeError))
    values = values * count if len(values) == 1 else values
    whole = all(isinstance(v, int) and not isinstance(v, bool) for v in values)
    require(whole, text, type_or_value(ValueError))
    require(len(values) == count and all(v >= least for v in values), text)
    return values
