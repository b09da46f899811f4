"""Rules for factorisations, Fourier transforms and scatters: MindSpore has primitives for their simple forms."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.export.mindir.builder import (
    GraphValue,
    PrimitiveBuilder,
    TensorForm,
    WithoutPrimitive,
    rule,
)
from mindspore._engine.export.mindir.elementwise import out


@rule("cholesky")
def factored(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    return builder.call("Cholesky", x, False, form=out(equation))


@rule("triangular_solve")
def solved(builder: PrimitiveBuilder, equation: Any, a: GraphValue, b: GraphValue) -> GraphValue:
    given = equation.params
    if not given["left_side"] or not given["lower"] or given["transpose_a"] or given["unit_diagonal"]:
        raise WithoutPrimitive("of this kind")
    return builder.call("MatrixTriangularSolve", a, b, form=out(equation), lower=True, adjoint=False)


_KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")


@rule("fft")
def transformed(builder: PrimitiveBuilder, equation: Any, x: GraphValue) -> GraphValue:
    """Over the last axes; that of real numbers is the last one, before all others or after them."""
    kind = _KINDS[int(equation.params["fft_type"])]
    lengths, form = equation.params["fft_lengths"], out(equation)
    rank, wide = len(form.shape), np.dtype(np.result_type(x.dtype, np.complex64))
    others = tuple(range(rank - len(lengths), rank - 1))
    if kind in ("FFT", "IFFT"):
        return builder.call(f"{kind}N", x, None, (*others, rank - 1), None, form=form)
    if kind == "RFFT":
        found = builder.call("RFFT", x, int(lengths[-1]), rank - 1, None, form=TensorForm(form.shape, wide))
        return builder.call("FFTN", found, None, others, None, form=form) if others else found
    found = builder.call("IFFTN", x, None, others, None, form=x.form) if others else x
    return builder.call("IRFFT", found, int(lengths[-1]), rank - 1, None, form=form)


_SCATTERS = {
    "scatter": "TensorScatterUpdate", "scatter-add": "TensorScatterAdd", "scatter_add": "TensorScatterAdd",
    "scatter-mul": "TensorScatterMul", "scatter_mul": "TensorScatterMul", "scatter-min": "TensorScatterMin",
    "scatter_min": "TensorScatterMin", "scatter-max": "TensorScatterMax", "scatter_max": "TensorScatterMax",
    "scatter-sub": "TensorScatterSub", "scatter_sub": "TensorScatterSub",
}  # fmt: skip


@rule(*_SCATTERS)
def scattered(
    builder: PrimitiveBuilder, equation: Any, x: GraphValue, indices: GraphValue, updates: GraphValue
) -> GraphValue:
    """Whole rows along the first axes, at indices in bounds."""
    numbers, form = equation.params["dimension_numbers"], out(equation)
    picked = list(numbers.scatter_dims_to_operand_dims)
    rest = [axis for axis in range(len(x.shape)) if axis not in picked]
    windows = numbers.update_window_dims
    whole = all(updates.shape[window] == x.shape[axis] for window, axis in zip(windows, rest))
    if numbers.operand_batching_dims or picked != list(numbers.inserted_window_dims) or not whole or not picked:
        raise WithoutPrimitive("of windows, or in batches")
    if str(equation.params["mode"]).rsplit(".", 1)[-1] not in ("PROMISE_IN_BOUNDS", "ONE_HOT"):
        _check_inside(x, indices, picked)
    if x.dtype == np.bool_:
        raise WithoutPrimitive("of bool")
    if len(indices.shape) == 1:  # one row
        indices, updates = (builder.reshape(one, (1, *one.shape)) for one in (indices, updates))
        windows = tuple(axis + 1 for axis in windows)
    order = [*picked, *rest]
    outer = [axis for axis in range(len(updates.shape)) if axis not in windows]
    target = builder.transpose(x, order)
    found = builder.call(
        _SCATTERS[equation.primitive.name], target, builder.cast(indices, np.int32), builder.transpose(updates, [*outer, *windows]),
        form=target.form,
    )  # fmt: skip
    return builder.transpose(found, np.argsort(order).tolist()) if order else GraphValue(form, found.name)


def _check_inside(x: GraphValue, indices: GraphValue, picked: list[int]) -> None:
    lengths = [x.shape[axis] for axis in picked]
    if indices.array is None or any(isinstance(length, str) for length in lengths):
        raise WithoutPrimitive("whose indices may be out of bounds")
    if not ((indices.array >= 0) & (indices.array < np.array(lengths))).all():
        raise WithoutPrimitive("whose indices are out of bounds")
