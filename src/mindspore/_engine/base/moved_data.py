"""Lowerings of operations that only move data, in the form that XLA's CPU compiler is fastest at.

XLA has no bfloat16 there: it widens such numbers to float32 and rounds them again even where they are only copied, element by
element. And it writes a padded array element by element, unless the operation is part of a loop. So both are lowered on the
bits, as integers of the same width: the results are the same to the last bit. A tile is a concatenation of copies of rows.
jaxprs, gradients and programs for other devices stay as they are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.extend.core import primitives
from jax.extend.mlir.dialects import stablehlo
from jax.interpreters import mlir

_BITS = {1: jnp.uint8, 2: jnp.uint16, 4: jnp.uint32, 8: jnp.uint64}
_MOST_COPIES = 16  # copies of an array; for more, the default lowering is used


def _half(dtype: Any) -> bool:
    return dtype == jnp.bfloat16


def _bits_of(dtype: Any) -> Any:
    """The integer dtype to bitcast to; for an integer dtype that of the other signedness, so that a bitcast remains."""
    if dtype.kind in "bc" or dtype.itemsize not in _BITS:
        return None
    bits = jnp.dtype(_BITS[dtype.itemsize])
    return jnp.dtype(bits.name[1:]) if dtype == bits else bits


def _by_bits(usual: Callable[..., Any], wanted: Callable[[Any], bool]) -> Callable[..., Any]:
    """The default lowering of an operation, applied to the bits of operands of these dtypes."""

    def lower(context: Any, *operands: Any, **parameters: Any) -> Any:
        dtype = context.avals_out[0].dtype
        bits = _bits_of(dtype) if wanted(dtype) else None
        if bits is None:
            return usual(context, *operands, **parameters)
        into, out = (
            [aval.update(dtype=bits) if aval.dtype == dtype else aval for aval in avals]
            for avals in (context.avals_in, context.avals_out)
        )
        moved = map(functools.partial(_converted, context), operands, context.avals_in, into)
        found = usual(context.replace(avals_in=into, avals_out=out), *moved, **parameters)
        return list(map(functools.partial(_converted, context), found, out, context.avals_out))

    return lower


def _converted(context: Any, value: Any, old: Any, new: Any) -> Any:
    return (
        value
        if old.dtype == new.dtype
        else stablehlo.bitcast_convert(mlir.aval_to_ir_type(context.module_context, new), value)
    )


def _joined(x: Any, *, reps: tuple[int, ...]) -> Any:
    """``x`` repeated so many times along each axis, the last one first: then rows are copied whole."""
    for axis in reversed(range(len(reps))):
        x = lax.concatenate([x] * reps[axis], axis) if reps[axis] > 1 else x
    return x


def _tile(usual: Callable[..., Any]) -> Callable[..., Any]:
    def lower(context: Any, *operands: Any, **parameters: Any) -> Any:
        (x,), reps = context.avals_in, tuple(parameters.get("reps", ()))
        small = all(isinstance(count, int) and 0 < count <= _MOST_COPIES for count in reps)
        if x.dtype.itemsize > 4 or len(reps) != x.ndim or not small:
            return usual(context, *operands, **parameters)
        return mlir.lower_fun(_joined, multiple_results=False)(context, *operands, reps=reps)

    return lower


def register_lowering(
    primitive: Any, change: Callable[..., Any], *arguments: Any, platform: str | None = "cpu"
) -> None:
    """Replace the lowering for one platform, or for all, by one made from the usual one.

    A program for several platforms gets a branch per platform where their lowerings differ, and through branches JAX does not
    refine symbolic sizes.
    """
    usual = getattr(mlir, "_lowerings", {}).get(primitive)
    if usual is not None:
        mlir.register_lowering(primitive, change(usual.rule, *arguments), platform=platform)


# Not transpositions: products take those as they lie.
_MOVING = (
    primitives.concatenate_p, primitives.dynamic_slice_p, primitives.dynamic_update_slice_p, primitives.gather_p, primitives.rev_p,
    primitives.scatter_p, primitives.select_n_p, primitives.slice_p, lax.split_p, lax.stack_p,
)  # fmt: skip
for _primitive in _MOVING:
    register_lowering(_primitive, _by_bits, _half)
register_lowering(primitives.pad_p, _by_bits, lambda dtype: True)
register_lowering(lax.tile_p, _tile)
