"""A kernel as part of a JAX program: a single JAX primitive for all kernels.

A kernel is a frozen dataclass: its fields are what is known when a program is compiled (strides, shapes). It knows its
plain form, the custom call that computes the same, its derivative, and, where it is linear, its transpose.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from mindspore._kernels import library

native_p = Primitive("native")
native_p.multiple_results = True
CHANNELS_LAST = (0, 2, 3, 1)  # memory layout of (N, C, H, W): the channels of a pixel are adjacent
_portable = 0


@dataclasses.dataclass(frozen=True)
class NativeKernel:
    """What all kernels have; a subclass fills it in."""

    target = ""  # the custom call for float32; "" where the plain form is the fastest
    targets: ClassVar[Mapping[str, str]] = {}  # the same by the dtype of the first operand, where operands have several
    by_example = False  # whether results depend on one example of the first operand each, and lie in the same order

    def plain(self, *operands: Any) -> Sequence[Any]:
        """The same computation in JAX's own words."""
        raise NotImplementedError

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        """The shapes of the results; given where that is faster than asking the plain form."""
        if all(type(length) is int for x in operands for length in x.shape):
            return _plain_shapes(self, tuple((tuple(x.shape), x.dtype) for x in operands))
        return [output.shape for output in jax.eval_shape(self.plain, *operands)]  # sizes left open, in an export

    def dtypes(self, *operands: Any) -> Sequence[Any]:
        """The dtypes of the results, by default that of the first operand."""
        return [operands[0].dtype] * len(self.shapes(*operands))

    def custom_call(self, operands: Sequence[Any], results: Sequence[Any]) -> str:
        """The custom call for values of these shapes and dtypes; "" where there is none."""
        if any(0 in value.shape for value in (*operands, *results)):
            return ""
        if self.targets:
            return self.targets.get(str(operands[0].dtype), "")
        return self.target if all(value.dtype == np.float32 for value in (*operands, *results)) else ""

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        """The derivative along ``tangents``; a zero tangent is None. By default that of the plain form."""
        along = [_unchanged(primal) if t is None else t for primal, t in zip(primals, tangents, strict=True)]
        return jax.jvp(self.plain, tuple(primals), tuple(along))[1]

    def jvp_beside(self, results: Sequence[Any], primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        """The same where the results help."""
        return self.jvp(primals, tangents)

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        """What each operand that is ``unknown`` receives; None for the others. For kernels linear in those."""
        raise NotImplementedError

    def layouts(self, operands: Sequence[Any], results: Sequence[Any]) -> tuple[list, list]:
        """How operands and results lie in memory: images with channels last, everything else as usual."""
        return [_layout(x.ndim) for x in operands], [_layout(x.ndim) for x in results]

    def attributes(self) -> dict[str, Any]:
        """The attributes of the custom call."""
        return {}

    def stopped(self, operands: Sequence[Any], steps: Any) -> tuple[NativeKernel, Sequence[Any]] | None:
        """A kernel, and its operands, that goes only so many steps along the first axis of its first operand.

        None where it does not go step by step, or where what it gives for further steps would be in the way.
        """
        return None

    def folded(self, operands: Sequence[Any]) -> tuple[NativeKernel, Sequence[Any]]:
        """A kernel that does more, and its operands, where those given are made by operations it can take over.

        The operands are values of the program being written; the kernel returned has results like this kernel's.
        """
        return self, operands


def _unchanged(primal: Any) -> Any:
    """A zero tangent; whole numbers have a dtype of their own for it."""
    whole = not jnp.issubdtype(primal.dtype, jnp.inexact)
    return np.zeros(primal.shape, jax.dtypes.float0) if whole else jnp.zeros_like(primal)


@functools.lru_cache(1024)
def _plain_shapes(kernel: NativeKernel, forms: tuple) -> list[tuple[int, ...]]:
    """Traced once for values of these shapes and dtypes: a step asks several times."""
    return [output.shape for output in jax.eval_shape(kernel.plain, *[jax.ShapeDtypeStruct(*form) for form in forms])]


class Bilinear(NativeKernel):
    """A kernel of two operands, linear in each."""

    def jvp(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
        (a, b), (da, db) = primals, tangents
        parts = [call(self, *pair)[0] for pair in ((da, b), (a, db)) if pair[0] is not None and pair[1] is not None]
        return [sum(parts[1:], parts[0]) if parts else None]


def _layout(rank: int) -> tuple[int, ...]:
    return CHANNELS_LAST if rank == 4 else tuple(range(rank))


def call(kernel: NativeKernel, *operands: Any) -> Sequence[Any]:
    """The results of a kernel."""
    return native_p.bind(*operands, kernel=kernel)


def unknown(operand: Any) -> bool:
    """Whether a gradient is wanted for this operand; only its ``aval`` is known then."""
    return ad.is_undefined_primal(operand)


@contextlib.contextmanager
def portable() -> Iterator[None]:
    """Programs compiled inside use plain forms only: for files, and for programs that XLA partitions over devices."""
    global _portable
    _portable += 1
    try:
        yield
    finally:
        _portable -= 1


def is_portable() -> bool:
    """Whether programs are compiled with plain forms only."""
    return _portable > 0


@native_p.def_abstract_eval
def _abstract(*operands: Any, kernel: NativeKernel) -> list[Any]:
    results = zip(kernel.shapes(*operands), kernel.dtypes(*operands), strict=True)
    return [jax.core.ShapedArray(shape, dtype) for shape, dtype in results]


@native_p.def_impl
def _evaluate(*operands: Any, kernel: NativeKernel) -> Sequence[Any]:
    return jax.jit(native_p.bind, static_argnames="kernel")(*operands, kernel=kernel)


def _plain_lowering(context: Any, *operands: Any, kernel: NativeKernel) -> Any:
    return mlir.lower_fun(kernel.plain, multiple_results=True)(context, *operands)


def _native_lowering(context: Any, *operands: Any, kernel: NativeKernel) -> Any:
    target = kernel.custom_call(context.avals_in, context.avals_out)
    if _portable or not target or not library.has(target):
        return _plain_lowering(context, *operands, kernel=kernel)
    kernel, taken = kernel.folded(operands)
    into, out = kernel.layouts(context.avals_in, context.avals_out)
    flipped = [
        [layout[::-1] for layout in side] for side in (into, out)
    ]  # here the axis that varies fastest comes first
    target = kernel.custom_call(context.avals_in, context.avals_out)
    lowering = jax.ffi.ffi_lowering(target, operand_layouts=flipped[0], result_layouts=flipped[1])
    return lowering(context, *taken, **kernel.attributes())


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, kernel: NativeKernel
) -> tuple[Sequence[Any], Sequence[Any]]:
    given = [None if type(t) is ad.Zero else t for t in tangents]
    results = call(kernel, *primals)
    found = kernel.jvp_beside(results, primals, given)
    zeros = [ad.Zero(jax.typeof(result).to_tangent_aval()) for result in results]
    return results, [zero if tangent is None else tangent for tangent, zero in zip(found, zeros, strict=True)]


def _transpose(cotangents: Sequence[Any], *operands: Any, kernel: NativeKernel) -> Sequence[Any]:
    return kernel.transpose([ad.instantiate_zeros(cotangent) for cotangent in cotangents], operands)


def _batch(
    operands: Sequence[Any], axes: Sequence[Any], *, kernel: NativeKernel
) -> tuple[Sequence[Any], Sequence[int]]:
    results = jax.vmap(kernel.plain, in_axes=tuple(axes))(*operands)
    return results, [0] * len(results)


mlir.register_lowering(native_p, _plain_lowering)
# Not from a cache: the rule looks at what made the operands.
mlir.register_lowering(native_p, _native_lowering, platform="cpu", cacheable=False)
ad.primitive_jvps[native_p] = _jvp
ad.primitive_transposes[native_p] = _transpose
batching.primitive_batchers[native_p] = _batch
