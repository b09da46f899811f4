"""Operators behind :mod:`mindspore.numpy`: arrays made from a rule, padding, choosing."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.convert import convert
from mindspore._engine.base.dtype import float32, int32
from mindspore._engine.operator.arguments import Array, Arrays, DType, Operand
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.promotion import check_broadcast, normal_axis, promote
from mindspore._ops.declaring.requirements import require


def _linspace(start: Any, stop: Any, num: int, endpoint: bool, axis: int) -> Any:
    return np.linspace(start, stop, num, endpoint, axis=axis)


def _choose(a: Any, choices: Any, mode: str) -> Any:
    return np.choose(a, choices, mode=mode)  # type: ignore[call-overload]


@op(
    public=False,
    test=lambda t: [
        t.case(2, 3, 1, int32, expect=lambda n, m, k, dtype: np.eye(n, m, k, np.int32)),
        t.case(3, 3, -1, float32, expect=lambda n, m, k, dtype: np.eye(n, m, k, np.float32)),
    ],
)
def numpy_eye(rows: int, columns: int, k: int, dtype: DType):
    """Ones on the k-th diagonal."""
    return jnp.eye(rows, columns, k, dtype=dtype.np_dtype)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(3), t.normal(3), 4, True, 0, expect=_linspace),
        t.case(t.normal(2, 1), t.normal(3), 4, False, -1, expect=_linspace),
    ],
)
def numpy_linspace(start: Array, stop: Array, num: int, endpoint: bool, axis: int):
    """Numbers at equal distances, for every pair of a start and a stop."""
    axis = normal_axis(axis, len(check_broadcast(start, stop)) + 1)
    return jnp.linspace(start, stop, num, endpoint=endpoint, axis=axis)


@op(
    public=False,
    test=lambda t: [
        t.case(
            t.positive(3),
            t.positive(3),
            4,
            True,
            1,
            expect=lambda a, b, n, end, axis: np.geomspace(a, b, n, axis=axis),
            tolerance=1e-4,
        )
    ],
)
def numpy_geomspace(start: Array, stop: Array, num: int, endpoint: bool, axis: int):
    """Numbers in equal proportions, for every pair of a start and a stop."""
    axis = normal_axis(axis, len(check_broadcast(start, stop)) + 1)
    return jnp.geomspace(start, stop, num, endpoint=endpoint, axis=axis)


_PAIRS = ((1, 2), (0, 1))


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(3, 4), _PAIRS, "constant", 0, 5.0, 0.0, "even",
               expect=lambda x, p, *_: np.pad(x, p, constant_values=5)),
        t.case(t.normal(3, 4), _PAIRS, "reflect", 0, 0.0, 0.0, "odd",
               expect=lambda x, p, *_: np.pad(x, p, "reflect", reflect_type="odd")),
        t.case(t.normal(3, 4), _PAIRS, "mean", 2, 0.0, 0.0, "even",
               expect=lambda x, p, *_: np.pad(x, p, "mean", stat_length=2)),
        t.case(t.normal(3, 4), _PAIRS, "linear_ramp", 0, 0.0, 3.0, "even",
               expect=lambda x, p, *_: np.pad(x, p, "linear_ramp", end_values=3)),
        t.case(t.normal(3, 4), _PAIRS, "wrap", 0, 0.0, 0.0, "even", expect=lambda x, p, *_: np.pad(x, p, "wrap")),
    ],
)  # fmt: skip
def numpy_pad(
    x: Array, pairs: Any, mode: str, stat_length: Any, constant_values: Any, end_values: Any, reflect_type: str
):
    """More elements before and after each axis; a ``stat_length`` of 0 means the whole axis."""
    if x.ndim == 0:
        return x
    options: dict[str, Any] = {}
    if mode == "constant":
        options["constant_values"] = constant_values
    elif mode == "linear_ramp":
        options["end_values"] = end_values
    elif mode in ("reflect", "symmetric"):
        options["reflect_type"] = reflect_type
    elif mode in ("maximum", "minimum", "mean", "median") and stat_length:
        options["stat_length"] = stat_length
    return jnp.pad(x, pairs, mode, **options).astype(x.dtype)


@op(
    public=False,
    test=lambda t: [
        t.case(t.normal(3, 4), t.ints(3, 2, high=4), 1, expect=lambda x, i, axis: np.take_along_axis(x, i, axis)),
        t.case(t.normal(3, 4), t.ints(1, 4, high=3), 0, expect=lambda x, i, axis: np.take_along_axis(x, i, axis)),
    ],
)
def numpy_take_along_axis(x: Array, indices: Array, axis: int):
    """Elements along an axis by an index for each; the other axes broadcast."""
    axis = normal_axis(axis, x.ndim)
    fits = x.ndim == indices.ndim and all(
        number == axis or 1 in pair or pair[0] == pair[1]
        for number, pair in enumerate(zip(x.shape, indices.shape, strict=True))
    )
    text = f"the 'indices' must fit the shape {x.shape} in all axes but {axis}, but got {indices.shape}."
    require(fits, text)
    return jnp.take_along_axis(x, indices, axis, mode="clip")


@op(
    public=False,
    test=lambda t: [
        t.case(np.array([2, 0, 1]), [t.normal(3), t.normal(3), t.normal(1)], "clip", expect=_choose),
        t.case(np.array([[4], [-1]]), [t.normal(3), t.normal(3)], "wrap",
               expect=_choose),
    ],
)  # fmt: skip
def numpy_choose(a: Array, choices: Arrays, mode: str):
    """For each element the choice it numbers; numbers outside are held (clip) or counted on (wrap)."""
    choices = promote(*choices)
    check_broadcast(a, *choices)
    choice = jnp.mod(a, len(choices)) if mode == "wrap" else jnp.clip(a, 0, len(choices) - 1)
    return jnp.choose(choice, list(choices), mode="clip")


@op(
    public=False,
    test=lambda t: [
        t.case((2, 3), t.normal(3), None, expect=lambda shape, v, _: np.broadcast_to(v, shape)),
        t.case((2, 3), 7, int32, expect=lambda shape, v, _: np.full(shape, 7, np.int32)),
    ],
)
def numpy_full(shape: Any, value: Operand, dtype: DType | None):
    """A number, or an array that broadcasts, in a shape."""
    value = jnp.asarray(value)
    return jnp.broadcast_to(value if dtype is None else convert(value, dtype.np_dtype), shape)
