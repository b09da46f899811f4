"""Tensors from nothing but a shape, a number or a range."""

from __future__ import annotations

import builtins
import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.convert import convert
from mindspore._engine.operator.arguments import Array, DType, Operand, Shape, is_symbolic_dim
from mindspore._engine.operator.checked import check_ints
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.requirements import require
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.refusals import refused


def _lengths(shape: tuple[int, ...], name: str) -> tuple[int, ...]:
    require(all(n >= 0 for n in shape), f"the '{name}' must hold lengths >= 0, but got {shape}.")
    return shape


def _filled(shape: tuple[int, ...], value: Any, dtype: DType | None, name: str) -> Any:
    require(
        jnp.ndim(value) == 0 or jnp.size(value) == 1, f"the value must be one number, but got shape {jnp.shape(value)}."
    )
    number = jnp.asarray(value).reshape(())
    return jnp.full(_lengths(shape, name), convert(number, (dtype or dtypes.float32).np_dtype))


@op(
    primitive="Zeros",
    old={"size": ("shape",)},
    test=lambda t: [
        t.case((2, 3), expect=lambda size: np.zeros(size, np.float32)),
        t.case(3, dtypes.int8, expect=lambda size, dtype: np.zeros(size, np.int8)),
    ],
)
def zeros(size: Shape, dtype: DType | None = None):
    """A tensor of zeros, float32 by default.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.zeros((2, 2)))
        [[0. 0.]
         [0. 0.]]
    """
    return _filled(size, 0, dtype, "size")


@op(
    primitive="Ones",
    old={"shape": ("size",), "dtype": ("type",)},
    test=lambda t: [
        t.case((2, 3), expect=lambda size: np.ones(size, np.float32)),
        t.case(3, dtypes.bool_, expect=lambda size, dtype: np.ones(size, bool)),
    ],
)
def ones(shape: Shape, dtype: DType | None = None):
    """A tensor of ones, float32 by default.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> print(ops.ones(3, ms.int32))
        [1 1 1]
    """
    return _filled(shape, 1, dtype, "shape")


@op(
    test=lambda t: [
        t.case((2,), 3, expect=lambda size, v: np.full(size, v)),
        t.case((2,), 3.5, dtypes.float32, expect=lambda size, v, dtype: np.full(size, v, np.float32)),
    ]
)
def full(size: Shape, fill_value: Operand, dtype: DType | None = None):
    """A tensor filled with a number; int64 by default.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> print(ops.full((2, 2), 0.5, dtype=ms.float32))
        [[0.5 0.5]
         [0.5 0.5]]
    """
    return _filled(size, fill_value, dtype or dtypes.int64, "size")


@op(
    primitive="Fill",
    aliases="fill_",
    old={"type": ("dtype",), "shape": ("dims",), "value": ("x",)},
    test=lambda t: [t.case(dtypes.int32, (2,), 3.7, expect=lambda dtype, shape, v: np.array([3, 3], np.int32))],
)
def fill(type: DType, shape: Shape, value: Operand):
    """A tensor of a dtype and shape filled with a number.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> print(ops.fill(ms.float32, (2,), 3))
        [3. 3.]
    """
    return _filled(shape, value, type, "shape")


@op(primitive="FillV2", public=False, test=lambda t: [t.case((2, 2), np.float32(3), expect=np.full, grad=False)])
def fill_v2(shape: Shape, x: Operand):
    """A tensor of a shape filled with a number, in that number's dtype.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.FillV2()((2, 3), Tensor(7, mindspore.int32)))
        [[7 7 7]
         [7 7 7]]
    """
    return jnp.full(_lengths(shape, "shape"), jnp.asarray(x).reshape(()))


@op(primitive="ZerosLike", public=False, test=lambda t: [t.case(t.normal(2, 3), expect=np.zeros_like)])
def _zeros_like(x: Array):
    """Zeros in the shape and dtype of a tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ZerosLike()(Tensor([1.0, 2.0])))
        [0. 0.]
    """
    return jnp.zeros_like(x)


@op(primitive="OnesLike", public=False, test=lambda t: [t.case(t.normal(2, 3), expect=np.ones_like)])
def _ones_like(x: Array):
    """Ones in the shape and dtype of a tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.OnesLike()(Tensor([1.0, 2.0])))
        [1. 1.]
    """
    return jnp.ones_like(x)


@op(old={"input": ("x", "input_x")}, test=lambda t: [t.case(t.ints(2, 3), expect=np.zeros_like)])
def zeros_like(input: Array, dtype: DType | None = None):
    """Zeros in the shape of a tensor, and in its dtype by default.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.zeros_like(Tensor([1, 2])))
        [0 0]
    """
    return jnp.zeros_like(input, dtype=None if dtype is None else dtype.np_dtype)


@op(
    old={"input": ("x", "input_x")},
    test=lambda t: [t.case(t.normal(2, 3), dtypes.int8, grad=False, expect=lambda x, _: np.ones((2, 3), np.int8))],
)
def ones_like(input: Array, dtype: DType | None = None):
    """Ones in the shape of a tensor, and in its dtype by default.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ones_like(Tensor([1.5, 2.5])))
        [1. 1.]
    """
    return jnp.ones_like(input, dtype=None if dtype is None else dtype.np_dtype)


@op(test=lambda t: [t.case(t.normal(2, 3), 7, expect=np.full_like)])
def full_like(input: Array, fill_value: Operand, dtype: DType | None = None):
    """A number broadcast to the shape of a tensor, in the tensor's dtype by default.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.full_like(Tensor([1.0, 2.0]), 7))
        [7. 7.]
    """
    return jnp.full(input.shape, convert(fill_value, input.dtype if dtype is None else dtype.np_dtype))


@op(method="fills", test=lambda t: [t.case(t.normal(2), 4, expect=np.full_like)], primitive="Fills")
def fills(x: Array, value: Operand):
    """A tensor like ``x`` filled with a number.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.fills(Tensor([1.0, 2.0]), 7))
        [7. 7.]
    """
    return jnp.full(x.shape, convert(value, x.dtype))


@op(
    primitive="Eye",
    old={"dtype": ("t",)},
    test=lambda t: [
        t.case(2, 3, expect=lambda n, m: np.eye(n, m, dtype=np.float32)),
        t.case(2, expect=lambda n: np.eye(n, dtype=np.float32)),
    ],
)
def eye(n: int, m: int | None = None, dtype: DType | None = None):
    """Ones on the diagonal of an n × m matrix (m is n unless given), zeros elsewhere.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.eye(2))
        [[1. 0.]
         [0. 1.]]
    """
    rows, columns = _lengths((n, n if m is None else m), "n")
    return jnp.eye(rows, columns, dtype=(dtype or dtypes.float32).np_dtype)


# -- ranges -----------------------------------------------------------------------------------------------------------
@op(
    public=False,
    test=lambda t: [
        t.case(1, 2, 3, dtypes.int64, expect=lambda *_: np.array([1, 3, 5])),
        t.case(0.0, 0.5, 3, dtypes.float32, expect=lambda *_: np.array([0, 0.5, 1], np.float32)),
    ],
)
def _steps(start: Operand, step: Operand, count: int, dtype: DType):
    """``count`` numbers at equal distances."""
    kind = jnp.float32 if jnp.result_type(start, step).kind == "f" else jnp.int64
    start, step = jnp.asarray(start).astype(kind), jnp.asarray(step).astype(kind)
    return convert(start + step * jnp.arange(count, dtype=kind), dtype.np_dtype)


def _python_number(value: Any, owner: str, name: str) -> int | float:
    if isinstance(value, Tensor) and value.size == 1:
        value._read()
        value = value._host(
            f"'{owner}', whose result has as many elements as its ends say,", "call it outside compiled code."
        )
        value = value.item()
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"For '{owner}', the '{name}' must be a number or a Tensor of one number, but got {value!r}.")
    if not math.isfinite(value):
        raise ValueError(f"For '{owner}', the '{name}' must be finite, but got {value!r}.")
    return value.item() if isinstance(value, np.generic) else value


def _symbolic_range(start: Any, end: Any, step: Any, dtype: DType | None) -> Tensor:
    """A range whose start or end is a symbolic size."""
    count = (end - start + step - 1) // step
    first = Tensor.wrap(jnp.asarray(start)) if is_symbolic_dim(start) else start
    return _steps(first, step, count, dtype or dtypes.int64)


def _range_of(start: Any, end: Any, step: Any, dtype: DType | None, owner: str) -> Tensor:
    if (is_symbolic_dim(start) or is_symbolic_dim(end)) and type(step) is int and step > 0:
        return _symbolic_range(start, end, step, dtype)
    start, end, step = (_python_number(v, owner, n) for v, n in ((start, "start"), (end, "end"), (step, "step")))
    if step == 0:
        raise ValueError(f"For '{owner}', the 'step' cannot be 0.")
    if (end - start) * step < 0:
        raise ValueError(
            f"For '{owner}', the 'step' must lead from 'start' to 'end', but got start={start}, end={end}, step={step}."
        )
    whole = all(isinstance(v, int) for v in (start, end, step))
    count = len(builtins.range(start, end, step)) if whole else math.ceil((end - start) / step)
    return _steps(start, step, count, dtype or (dtypes.int64 if whole else dtypes.float32))


@old_names(stop="end", rtype="dtype")
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: DType | None = None) -> Tensor:
    """Numbers from ``start`` up to, not including, ``end``: int64 when all are ints, else float32.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.arange(5), ops.arange(0, 1, 0.25))
        [0 1 2 3 4] [0.   0.25 0.5  0.75]
    """
    start, end = (0, start) if end is None else (start, end)
    return _range_of(start, end, step, None if dtype is None else dtypes.to_dtype(dtype, "arange"), "arange")


@old_names(limit="end", delta="step")
def range(start: Any, end: Any = None, step: Any = 1, maxlen: int = 1000000) -> Tensor:
    """Numbers from ``start`` up to, not including, ``end``, see :func:`arange`.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.range(0, 6, 2))
        [0 2 4]
    """
    _check_maxlen("range", maxlen)
    start, end = (0, start) if end is None else (start, end)
    return _range_of(start, end, step, None, "range")


def _check_maxlen(owner: str, maxlen: Any) -> None:
    """A limit for other back ends, which reserve the memory beforehand."""
    check_ints(owner, maxlen=maxlen)
    if maxlen < 1:
        raise refused(ValueError, f"For '{owner}', the 'maxlen' must be greater than 0, but got {maxlen}.")


@register_primitive
class Range(Primitive):
    """Numbers at equal distances, see :func:`mindspore.ops.range`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Range()(Tensor(0), Tensor(6), Tensor(2)))
        [0 2 4]
    """

    def __init__(self, maxlen: int = 1000000):
        super().__init__()
        _check_maxlen("Range", maxlen)
        self.add_prim_attr("maxlen", maxlen)

    @old_names(limit="end", delta="step")
    def __call__(self, start: Any, end: Any, step: Any) -> Tensor:
        return _range_of(start, end, step, None, "Range")


def _line(start: Any, end: Any, steps: int, name: str) -> Any:
    require(steps > 0, f"the '{name}' must be greater than 0, but got {steps}.")
    text = f"the 'start' and 'end' must be one number each, but got shapes {start.shape} and {end.shape}."
    require(start.size == end.size == 1, text)
    start, end = start.reshape(()), end.reshape(())
    kinds = {v.dtype for v in (start, end) if not getattr(v, "weak_type", False)}
    kind = jnp.result_type(*kinds) if kinds and jnp.issubdtype(jnp.result_type(*kinds), jnp.floating) else jnp.float32
    return jnp.linspace(jnp.asarray(start).astype(kind), jnp.asarray(end).astype(kind), steps, dtype=kind)


@op(
    primitive="LinSpace",
    old={"end": ("stop",), "steps": ("num",)},
    test=lambda t: [
        t.case(0, 1, 5, expect=lambda a, b, n: np.linspace(a, b, n, dtype=np.float32)),
        t.case(np.float32(1), np.float32(-1), 4, expect=lambda a, b, n: np.linspace(a, b, n, dtype=np.float32)),
    ],
)
def linspace(start: Operand, end: Operand, steps: int):
    """``steps`` numbers at equal distances from ``start`` to ``end``, both included.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.linspace(0, 1, 5))
        [0.   0.25 0.5  0.75 1.  ]
    """
    return _line(jnp.asarray(start), jnp.asarray(end), steps, "steps")


@op(
    primitive="LogSpace",
    init=("steps", "base", "dtype"),
    primitive_defaults={"steps": 10},
    test=lambda t: [
        t.case(0, 2, 3, expect=lambda a, b, n: np.logspace(a, b, n, dtype=np.float32)),
        t.case(0.0, 2.0, 3, 2, expect=lambda a, b, n, base: np.array([1, 2, 4], np.float32)),
    ],
)
def logspace(start: Operand, end: Operand, steps: int, base: int = 10, dtype: DType = dtypes.float32):
    """``base`` to the power of ``steps`` numbers at equal distances from ``start`` to ``end``.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.logspace(0, 2, 3))
        [  1.  10. 100.]
    """
    require(base >= 0, f"the 'base' must be greater than or equal to 0, but got {base}.")
    exponents = _line(jnp.asarray(start), jnp.asarray(end), steps, "steps")
    return jnp.power(jnp.asarray(base, exponents.dtype), exponents).astype(dtype.np_dtype)


@op(
    primitive="TrilIndices",
    init=("row", "col", "offset", "dtype"),
    primitive_defaults={"dtype": dtypes.int32},
    test=lambda t: [t.case(3, 4, -1, expect=lambda n, m, k: np.array(np.tril_indices(n, k, m)))],
)
def tril_indices(row: int, col: int, offset: int = 0, dtype: DType = dtypes.int64):
    """The rows and columns of the elements of a lower triangle.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.tril_indices(2, 2))
        [[0 1 1]
         [0 0 1]]
    """
    _require_holdable(row, col)
    return jnp.asarray(np.array(np.tril_indices(row, offset, col)), dtype.np_dtype)


@op(
    primitive="TriuIndices",
    init=("row", "col", "offset", "dtype"),
    primitive_defaults={"dtype": dtypes.int32},
    test=lambda t: [t.case(3, 4, 1, expect=lambda n, m, k: np.array(np.triu_indices(n, k, m)))],
)
def triu_indices(row: int, col: int, offset: int = 0, dtype: DType = dtypes.int64):
    """The rows and columns of the elements of an upper triangle.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.triu_indices(2, 2))
        [[0 0 1]
         [0 1 1]]
    """
    _require_holdable(row, col)
    return jnp.asarray(np.array(np.triu_indices(row, offset, col)), dtype.np_dtype)


def _require_holdable(row: int, col: int) -> None:
    text = f"the 'row' and 'col' must be those of a matrix of less than 2**40 elements, but got {row} and {col}."
    require(row * col < 2**40, text)
    for name, length in (("row", row), ("col", col)):
        require(length >= 0, f"the '{name}' must be an int of at least 0, but got {length}.")


register_function(arange)
register_function(range, aliases="tensor_range")
