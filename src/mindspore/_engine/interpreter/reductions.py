"""Rules of reductions, scans along an axis, and sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.interpreter.rules import HALVES, LeftToXLA, dtypes_of, rule, shape_of, widened

_REDUCTIONS = {
    "reduce_sum": np.add, "reduce_prod": np.multiply, "reduce_max": np.maximum, "reduce_min": np.minimum,
    "reduce_and": np.bitwise_and, "reduce_or": np.bitwise_or, "reduce_xor": np.bitwise_xor,
}  # fmt: skip
_LIMITED = ("reduce_max", "reduce_min")  # an empty one is the lowest or highest number


def _reduction(name: str, ufunc: Any) -> None:
    @rule(name, nanoseconds=0.4)
    def make(equation: Any) -> Any:
        axes, (dtype,) = tuple(equation.params["axes"]), dtypes_of(equation.outvars)
        shape = shape_of(equation.invars[0])
        if name in _LIMITED and (dtype.kind == "c" or any(shape[axis] == 0 for axis in axes)):
            raise LeftToXLA("reduction of nothing")
        if not axes:
            return lambda x: x
        if dtype in HALVES:
            return widened(lambda x: ufunc.reduce(x, axes), equation)
        return lambda x: ufunc.reduce(x, axes, dtype)


for _name, _ufunc in _REDUCTIONS.items():
    _reduction(_name, _ufunc)


def _position(name: str, function: Any) -> None:
    @rule(name, nanoseconds=0.4, quiet=True)
    def make(equation: Any) -> Any:
        (axis,), dtype = equation.params["axes"], np.dtype(equation.params["index_dtype"])
        (operand,) = dtypes_of(equation.invars)
        if operand.kind == "c":
            raise LeftToXLA("order of complex numbers")
        wide = np.float32 if operand in HALVES else None
        return lambda x: function(x if wide is None else x.astype(wide), axis).astype(dtype)


_position("argmax", np.argmax)
_position("argmin", np.argmin)


def _scan(name: str, ufunc: Any) -> None:
    @rule(name, nanoseconds=3.0)
    def make(equation: Any) -> Any:
        axis, reverse, (dtype,) = equation.params["axis"], equation.params["reverse"], dtypes_of(equation.invars)
        if dtype.kind == "c" and name in ("cummax", "cummin"):
            raise LeftToXLA("order of complex numbers")
        kind = None if dtype in HALVES else dtype
        turned = (slice(None),) * axis + (slice(None, None, -1),)

        def scan(x: Any) -> Any:
            return ufunc.accumulate(x[turned], axis, kind)[turned] if reverse else ufunc.accumulate(x, axis, kind)

        return widened(scan, equation)


for _name, _ufunc in {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum, "cummin": np.minimum,
                      "cumlogsumexp": np.logaddexp}.items():  # fmt: skip
    _scan(_name, _ufunc)


@rule("sort", nanoseconds=80.0, quiet=True)
def _sort(equation: Any) -> Any:
    axis, keys = equation.params["dimension"], equation.params["num_keys"]
    dtypes = dtypes_of(equation.invars)
    if any(dtype.kind == "c" for dtype in dtypes[:keys]):
        raise LeftToXLA("order of complex numbers")

    def sort(*operands: Any) -> list[Any]:
        by = [x.astype(np.float32) if x.dtype in HALVES else x for x in operands[:keys]]
        order = np.argsort(by[0], axis, kind="stable") if keys == 1 else np.lexsort(by[::-1], axis)
        return [np.take_along_axis(x, order, axis) for x in operands]

    return sort


@rule("top_k", nanoseconds=80.0, quiet=True)
def _top_k(equation: Any) -> Any:
    count, axis = equation.params["k"], equation.params.get("axis", -1)
    (operand,) = equation.invars
    shape, dtype = shape_of(operand), operand.aval.dtype
    index_dtype = dtypes_of(equation.outvars)[1]
    if dtype.kind == "c":
        raise LeftToXLA("order of complex numbers")
    axis %= len(shape)
    turned = (slice(None),) * axis + (slice(None, None, -1),)
    first = (slice(None),) * axis + (slice(0, count),)

    def top(x: Any) -> list[Any]:
        by = x.astype(np.float32) if x.dtype in HALVES else x
        order = shape[axis] - 1 - np.argsort(by[turned], axis, kind="stable")[turned][first]  # of equals the first
        return [np.take_along_axis(x, order, axis), order.astype(index_dtype)]

    return top


@rule("fft", nanoseconds=40.0)
def _fft(equation: Any) -> Any:
    kind, lengths = equation.params["fft_type"], tuple(equation.params["fft_lengths"])
    name = str(getattr(kind, "name", kind)).split(".")[-1].lower()
    axes = tuple(range(-len(lengths), 0))
    (dtype,) = dtypes_of(equation.outvars)
    if name in ("fft", "ifft"):
        function = np.fft.fftn if name == "fft" else np.fft.ifftn
        return lambda x: function(x, axes=axes).astype(dtype, copy=False)
    function = np.fft.rfftn if name == "rfft" else np.fft.irfftn
    return lambda x: function(x, lengths, axes).astype(dtype, copy=False)
