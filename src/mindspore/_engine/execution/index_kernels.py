"""The kernels of indexing: a dynamic slice, then a gather with NumPy's rules if index arrays are involved.

Writing reverses it: read the region, update it, and write it back with a dynamic update slice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from mindspore._engine.base.convert import convert
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.execution.index_form import ARRAY, FULL, INT, NEW, NEW_ARRAY, Form
from mindspore._kernels.sorting import take_along


class _Part(NamedTuple):
    """One axis of the sliced region: start, length and step."""

    start: Any
    length: int
    step: int

    @property
    def low(self) -> Any:
        return self.start if self.step > 0 else self.start + (self.length - 1) * self.step

    @property
    def span(self) -> int:
        return (self.length - 1) * abs(self.step) + 1 if self.length else 0


class _IndexPlan:
    """Lowering of an index for one array shape: slice a region, insert axes, then gather with index arrays."""

    def __init__(self, form: Form, shape: tuple[int, ...], inputs: tuple):
        supply = iter(inputs)
        self.gathers = ARRAY in form or NEW_ARRAY in form
        self.parts: list[_Part] = []
        self.gather_index: list[Any] = []  # gather index per axis of the region with inserted axes
        self.shape: list[int] = []  # result shape, if nothing is gathered
        self.inside: Any = None  # predicate: the written element is in bounds
        self.added: list[int] = []  # inserted axes that only carry index arrays
        for code in form:
            self._add(code, shape, supply)
        for length in shape[len(self.parts) :]:
            self._keep(length)
        self.cuts = any(part.span != n or part.step != 1 for part, n in zip(self.parts, shape, strict=True))

    def _add(self, code: Any, shape: tuple[int, ...], supply: Any) -> None:
        if code == NEW:
            self.gather_index.append(None)
            self.shape.append(1)
        elif code == NEW_ARRAY:
            self.added.append(len(self.parts) + len(self.added))
            self.gather_index.append(next(supply))
        elif code == FULL:
            self._keep(shape[len(self.parts)])
        elif code in (INT, ARRAY):
            length = shape[len(self.parts)]
            position = next(supply)
            if code == INT:
                position = _wrapped(position, length)
            if self.gathers:
                self.parts.append(_Part(0, length, 1))
                self.gather_index.append(position)
            else:
                self.parts.append(_Part(position, 1, 1))
                self._require_inside(position, length)
        else:
            count, step = code
            self.parts.append(_Part(next(supply), count, step))
            self.gather_index.append(slice(None))
            self.shape.append(count)

    def _require_inside(self, position: Any, length: int) -> None:
        inside = (position >= 0) & (position < length)
        self.inside = inside if self.inside is None else self.inside & inside

    def _keep(self, length: int) -> None:
        self.parts.append(_Part(0, length, 1))
        self.gather_index.append(slice(None))
        self.shape.append(length)

    def cut(self, x: Any) -> Any:
        """Slice the region, with reversal and strides."""
        if not self.cuts:
            return x
        x = self.cut_span(x)
        backwards = [axis for axis, part in enumerate(self.parts) if part.step < 0]
        if backwards:
            x = lax.rev(x, backwards)
        if any(abs(part.step) > 1 for part in self.parts):
            x = lax.slice(x, [0] * x.ndim, x.shape, [abs(part.step) for part in self.parts])
        return x

    def cut_span(self, x: Any) -> Any:
        return lax.dynamic_slice(x, self._lows(x), [part.span for part in self.parts])

    def paste(self, x: Any, region: Any) -> Any:
        """Write the region back into ``x``; the inverse of ``cut``."""
        if not self.cuts:
            return region
        if 0 in region.shape:
            return x
        backwards = [axis for axis, part in enumerate(self.parts) if part.step < 0]
        region = lax.rev(region, backwards)
        gaps = [abs(part.step) - 1 for part in self.parts]
        if any(gaps):
            spread = [(0, 0, gap) for gap in gaps]
            replaced = lax.pad(jnp.ones(region.shape, bool), False, spread)
            region = lax.pad(region, jnp.zeros((), region.dtype), spread)
            region = jnp.where(replaced, region, self.cut_span(x))
        return lax.dynamic_update_slice(x, region, self._lows(x))

    def pick(self, region: Any) -> Any:
        """Gather the result from the region."""
        if not self.gathers:
            return region.reshape(self.shape)
        if self._picks_columns(region):  # XLA takes columns one by one
            picked, length = self.gather_index[-1], region.shape[-1]
            picked = jnp.clip(jnp.where(picked < 0, picked + length, picked), 0, length - 1)
            return take_along(region, jnp.broadcast_to(picked, (*region.shape[:-1], *picked.shape)), -1)
        return jnp.expand_dims(region, self.added).at[tuple(self.gather_index)].get(mode="clip")

    def _picks_columns(self, region: Any) -> bool:
        """Whether a vector picks along the last axis, and all else is kept."""
        *others, last = self.gather_index
        whole = bool(others) and not self.added and all(isinstance(index, slice) for index in others)
        vector = not isinstance(last, slice) and getattr(last, "ndim", 0) == 1
        return whole and vector and region.dtype == jnp.float32 and region.size > 0

    def put(self, region: Any, value: Any) -> Any:
        """Scatter the value into the region."""
        selected = jax.eval_shape(self.pick, region).shape
        value = broadcast_value(value, selected)
        if not self.gathers:
            value = value.reshape(region.shape)
            return value if self.inside is None else jnp.where(self.inside, value, region)
        wide = jnp.expand_dims(region, self.added)
        return wide.at[tuple(self.gather_index)].set(value, mode="drop").reshape(region.shape)

    def _lows(self, x: Any) -> list[Any]:
        is_long = any(isinstance(n, int) and n >= 2**31 for n in x.shape)  # symbolic sizes are not compared
        dtype = jnp.int64 if is_long else jnp.int32
        return [jnp.asarray(part.low).astype(dtype) for part in self.parts]


def _wrapped(position: Any, length: int) -> Any:
    position = jnp.asarray(position).astype(jnp.int64)
    return jnp.where(position < 0, position + length, position)


def broadcast_value(value: Any, shape: tuple[int, ...]) -> Any:
    """Broadcast the assigned value to the selected shape."""
    given = value.shape
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return jnp.broadcast_to(value, shape)
    except ValueError:
        raise ValueError(
            f"For 'Tensor.__setitem__', the 'value' must broadcast to the selected elements of shape {tuple(shape)}, "
            f"but got shape {tuple(given)}."
        ) from None


@lru_cache(maxsize=4096)
def reader(form: Form) -> Kernel:
    """The kernel ``(x, *inputs) -> x[index]``."""

    def read(x: Any, *inputs: Any) -> Any:
        plan = _IndexPlan(form, x.shape, inputs)
        return plan.pick(plan.cut(x))

    return Kernel("GetItem", read)


@lru_cache(maxsize=4096)
def writer(form: Form) -> Kernel:
    """The kernel ``(x, value, *inputs) -> x`` after ``x[index] = value``."""

    def write(x: Any, value: Any, *inputs: Any) -> Any:
        plan = _IndexPlan(form, x.shape, inputs)
        return plan.paste(x, plan.put(plan.cut(x), convert(value, x.dtype)))

    kernel = Kernel("SetItem", write)
    kernel.in_parts = True
    return kernel


def value_fits_mask(shape: tuple[int, ...], after: int) -> bool:
    """Whether a value can be assigned through a mask by a select: it does not extend along the True elements."""
    return len(shape) <= after or shape[len(shape) - after - 1] == 1


@lru_cache(maxsize=64)
def masked_writer(before: int) -> Kernel:
    """The kernel ``(x, value, mask) -> x`` after ``x[mask] = value``; the mask covers axes from ``before`` on."""

    def write(x: Any, value: Any, mask: Any) -> Any:
        mask = jnp.asarray(mask)
        after = x.ndim - before - mask.ndim
        value = convert(value, x.dtype)
        if value.ndim > after:  # its size-1 axis along the True elements expands to all axes of the mask
            split = value.ndim - after
            value = value.reshape(value.shape[: split - 1] + (1,) * mask.ndim + value.shape[split:])
        return jnp.where(mask.reshape(mask.shape + (1,) * after), broadcast_value(value, x.shape), x)

    return Kernel("SetItem", write)


stack = Kernel("Stack", lambda *values: jnp.stack(values))
