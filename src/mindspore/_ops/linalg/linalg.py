"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Arrays, DType
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.operator.sharding import Labels
from mindspore._kernels.matrices.integer_product import integer_product
from mindspore._kernels.matrices.product import Product, for_bfloat16, worthwhile
from mindspore._kernels.primitive import call
from mindspore._ops.declaring.dtype_checks import accepts, alike
from mindspore._ops.declaring.promotion import (
    HALF_PRECISION,
    check_broadcast,
    common_dtype,
    kind_of,
    normal_axis,
    promote,
)
from mindspore._ops.declaring.requirements import (
    FOUND_BY_KERNEL,
    require,
    require_rank,
    require_rank_from,
    require_same_dtype,
)


def product(x: Any, y: Any, x_turned: bool = False, y_turned: bool = False) -> Any:
    """``x @ y`` in the common dtype; half precision accumulates in float32, as hardware does.

    What is turned lies in memory with its last two axes the other way round.
    """
    left, right = as_matrix(x, x_turned), as_matrix(y, y_turned)
    shared_turned = x_turned and y.ndim < x.ndim
    if x.dtype == y.dtype == jnp.bfloat16 and for_bfloat16(left.shape, right.shape) and not shared_turned:
        return call(Product(x_turned, y_turned), x, y)[0]
    if x.dtype in HALF_PRECISION:
        return jnp.matmul(left, right, preferred_element_type=jnp.float32).astype(x.dtype)
    if x.dtype == y.dtype == jnp.float32 and sorted((x.ndim, y.ndim)) == [1, 2]:  # a vector is a single row
        vector, matrix, turned = (x, y, y_turned) if x.ndim == 1 else (y, x, not x_turned)
        return product(vector[None], matrix, False, turned)[0]
    if x.dtype == y.dtype == jnp.float32 and worthwhile(left.shape, right.shape) and not shared_turned:
        return call(Product(x_turned, y_turned), x, y)[0]
    whole = integer_product(left, right)
    if (
        whole is None and x.dtype == jnp.float64
    ):  # with what is added to it, XLA would make a product of one row a slow loop
        return lax.optimization_barrier(jnp.matmul(left, right))
    return jnp.matmul(left, right) if whole is None else whole


def as_matrix(x: Any, turned: bool) -> Any:
    """The last two axes the other way round, if it is turned."""
    return x.mT if turned and x.ndim > 1 else x


def _check_inner(x: Any, y: Any) -> None:
    require_same_dtype(x1=x, x2=y)
    rows = y.shape[-2] if y.ndim > 1 else y.shape[0]
    text = f"the 'x1_col' and 'x2_row' must be equal, but got {x.shape[-1]} and {rows}: shapes {x.shape} and {y.shape}."
    require(x.shape[-1] == rows, text, FOUND_BY_KERNEL)


def _check_batches(x: Any, y: Any) -> None:
    text = f"the 'shape' of the batches must broadcast, but got {x.shape} and {y.shape}."
    fits = all(a == b or 1 in (a, b) for a, b in zip(x.shape[-3::-1], y.shape[-3::-1], strict=False))
    require(fits, text, FOUND_BY_KERNEL)


def multiply(x: Any, y: Any, x_turned: bool = False, y_turned: bool = False) -> Any:
    """``x @ y`` after checking that dtypes and shapes fit."""
    require_rank_from("input", x, 1)
    require_rank_from("other", y, 1)
    left, right = as_matrix(x, x_turned), as_matrix(y, y_turned)
    _check_inner(left, right)
    _check_batches(left, right)
    return product(x, y, x_turned, y_turned)


@op(method="matmul", operator="__matmul__", reflected="__rmatmul__", old={"input": "x1", "other": ("x2", "tensor2")},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3, 4), expect=np.matmul),
                    t.case(t.normal(3), t.normal(3), expect=np.matmul),
                    t.case(t.normal(4, 1, 2, 3), t.normal(5, 3, 2), expect=np.matmul)])  # fmt: skip
def matmul(input: Array, other: Array, dtype: DType | None = None):
    """The matrix product; leading axes are batches and broadcast, a vector is a row or a column.

    Args:
        dtype: of the result, where it is not the common one.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.matmul(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0])))
        [3. 7.]
    """
    product = multiply(input, other)
    return product if dtype is None else product.astype(dtype.np_dtype)


def _matmul_labels(attributes: dict[str, Any] | None, labels: Labels) -> Labels:
    """``(..., m, k) @ (..., k, n) -> (..., m, n)``; further inputs, such as a bias, are labelled like the output."""
    if attributes is None:
        return [[*axes[:-2], "m", "n"] if len(axes) > 1 else axes for axes in labels]
    if len(labels) < 2 or min(map(len, labels[:2])) < 2:
        return labels
    left = "km" if attributes.get("transpose_a") else "mk"
    right = "nk" if attributes.get("transpose_b") else "kn"
    batch = labels[0][:-2]
    rest = [["n"] if len(axes) == 1 else [*batch, "m", "n"][-len(axes) :] for axes in labels[2:]]
    return [[*batch, *left], [*labels[1][:-2], *right], *rest]


@op(primitive="MatMul", init=("transpose_a", "transpose_b"), public=False, sharding=_matmul_labels,
    old={"input": ("x1", "x", "a"), "mat2": ("x2", "y", "b")},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3, 4), expect=np.matmul),
                    t.case(t.normal(3, 2), t.normal(4, 3), True, True, expect=lambda x, y, *_: x.T @ y.T)])  # fmt: skip
def matmul_primitive(input: Array, mat2: Array, transpose_a: bool = False, transpose_b: bool = False):
    """The product of two matrices, either of them transposed on request.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x, y = Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])
        >>> print(ops.MatMul(transpose_b=True)(x, y))
        [[11.]]
    """
    require_rank("input", input, 2)
    require_rank("mat2", mat2, 2)
    _check_inner(as_matrix(input, transpose_a), as_matrix(mat2, transpose_b))
    return product(input, mat2, transpose_a, transpose_b)


@op(primitive="BatchMatMul", init=("transpose_a", "transpose_b"), public=False, sharding=_matmul_labels,
    test=lambda t: [t.case(t.normal(4, 2, 3), t.normal(4, 3, 2), expect=np.matmul),
                    t.case(t.normal(4, 2, 3), t.normal(4, 2, 3), False, True,
                           expect=lambda x, y, *_: x @ y.swapaxes(-1, -2))])  # fmt: skip
def batch_matmul_primitive(x: Array, y: Array, transpose_a: bool = False, transpose_b: bool = False):
    """The products of two batches of matrices, either of them transposed on request.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.BatchMatMul()(Tensor([[[1.0, 2.0]]]), Tensor([[[3.0], [4.0]]])))
        [[[11.]]]
    """
    require_rank_from("x", x, 2)
    require_rank_from("y", y, 2)
    return multiply(x, y, transpose_a, transpose_b)


@op(method="bmm", test=lambda t: [t.case(t.normal(4, 2, 3), t.normal(4, 3, 2), expect=np.matmul)])
def bmm(input_x: Array, mat2: Array):
    """The products of two batches of matrices.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.bmm(ops.ones((4, 2, 3)), ops.ones((4, 3, 5))).shape)
        (4, 2, 5)
    """
    require_rank_from("input_x", input_x, 2)
    require_rank_from("mat2", mat2, 2)
    return multiply(input_x, mat2)


@op(method="mm", test=lambda t: [t.case(t.normal(2, 3), t.normal(3, 4), expect=np.matmul)])
def mm(input: Array, mat2: Array):
    """The product of two matrices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mm(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])))
        [[11.]]
    """
    require_rank("input", input, 2)
    require_rank("mat2", mat2, 2)
    return multiply(input, mat2)


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(3), expect=np.matmul)])
def mv(mat: Array, vec: Array):
    """The product of a matrix and a vector.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mv(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 0.0])))
        [1. 3.]
    """
    require_rank("mat", mat, 2)
    require_rank("vec", vec, 1)
    return multiply(mat, vec)


@op(method="dot", old={"input": "x1", "other": "x2"},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3, 4), expect=np.dot),
                    t.case(t.normal(2, 2, 3), t.normal(4, 3, 2), expect=np.dot)])  # fmt: skip
@accepts("f", "input", "other")
def dot(input: Array, other: Array):
    """Products of the last axis of ``input`` with the second to last of ``other``, all combinations of the other axes.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.dot(ops.ones((2, 5, 3)), ops.ones((4, 3, 6))).shape)
        (2, 5, 4, 6)
    """
    require_rank_from("input", input, 2)
    require_rank_from("other", other, 2)
    _check_inner(input, other)
    return jnp.tensordot(input, other, ((-1,), (-2,)))


@op(method=("outer", "ger"), aliases="ger", primitive="Ger", old={"input": "x1", "vec2": "x2"},
    test=lambda t: [t.case(t.normal(3), t.normal(2), expect=np.outer),
                    t.case(t.ints(3), t.normal(2), expect=np.outer, grad=(1,))])  # fmt: skip
def outer(input: Array, vec2: Array):
    """The outer product of two vectors; of another 'input', of all its elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.outer(Tensor([1, 2, 3]), Tensor([1, 10])))
        [[ 1 10]
         [ 2 20]
         [ 3 30]]
    """
    require(vec2.ndim < 2 or vec2.shape[-1] == vec2.size, f"the 'vec2' must be a vector, but got shape {vec2.shape}.")
    dtype = common_dtype(input, vec2)
    return input.reshape(-1, 1).astype(dtype) * vec2.reshape(1, -1).astype(dtype)


@op(method="inner", test=lambda t: [t.case(t.normal(2, 3), t.normal(4, 3), expect=np.inner)])
def inner(input: Array, other: Array):
    """Products over the last axes of both inputs.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.inner(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    require_same_dtype(input=input, other=other)
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    text = f"the 'input' and 'other' must have equal last axes, but got shapes {input.shape} and {other.shape}."
    require(input.shape[-1] == other.shape[-1], text)
    return jnp.tensordot(input, other, ((-1,), (-1,)))


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), expect=lambda x, y: (x * y).sum(-1))])
def vecdot(x: Array, y: Array, axis: int = -1):
    """The inner products of the vectors along an axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.vecdot(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0])))
        [3. 7.]
    """
    x, y = promote(x, y)
    shape = check_broadcast(x, y)
    require(shape, "the 'x' or the 'y' must have at least 1 dimension, but got two numbers.")
    return jnp.sum(x * y, axis=normal_axis(axis, len(shape)), dtype=jnp.int64 if kind_of(x.dtype) in "bi" else x.dtype)


def _pair(axes: Any, which: int, ndim: int) -> tuple[int, ...]:
    """The axes of an operand of tensor_dot."""
    if isinstance(axes, int):
        require(0 <= axes <= ndim, f"the 'axes' must be in [0, {ndim}], the number of axes, but got {axes}.")
        return tuple(range(ndim - axes, ndim)) if which == 0 else tuple(range(axes))
    pair = isinstance(axes, tuple) and len(axes) == 2
    require(pair, f"the 'axes' must be an int or a pair of ints or of tuples of ints, but got {axes!r}.", TypeError)
    chosen = axes[which] if isinstance(axes[which], tuple) else (axes[which],)
    inside = all(isinstance(a, int) and -ndim <= a < ndim for a in chosen)
    require(inside, f"the 'axes' must hold ints in [{-ndim}, {ndim}) for operand {which + 1}, but got {axes}.")
    return chosen


@op(test=lambda t: [t.case(t.normal(2, 3, 4), t.normal(3, 4, 2), 2, expect=np.tensordot),
                    t.case(t.normal(2, 3), t.normal(2, 4), ((0,), (0,)), expect=np.tensordot)])  # fmt: skip
def tensor_dot(x1: Array, x2: Array, axes: Any):
    """Products over several axes: ``axes`` counts them (last of x1, first of x2) or names them, one tuple per input.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.tensor_dot(ops.ones((2, 3)), ops.ones((3, 2)), ((0, 1), (1, 0))))
        6.0
    """
    require_same_dtype(x1=x1, x2=x2)
    first, second = _pair(axes, 0, x1.ndim), _pair(axes, 1, x2.ndim)
    left, right = [x1.shape[a] for a in first], [x2.shape[a] for a in second]
    require(left == right, f"the 'axes' must name axes of equal lengths, but got lengths {left} and {right}.")
    return jnp.tensordot(x1, x2, (first, second))


@op(test=lambda t: [t.case(t.normal(2, 2, 3), t.normal(2, 3, 4), expect=np.matmul),
                    t.case(t.normal(2, 3), t.normal(2, 3), 1,
                           expect=lambda x, y, _: (x * y).sum(1, keepdims=True))])  # fmt: skip
@accepts("f", "x1", "x2")
@alike("x1", "x2")
def batch_dot(x1: Array, x2: Array, axes: Any = None):
    """Products over an axis of each input, separately for every element of the first axis (the batch).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.batch_dot(ops.ones((2, 3, 4)), ops.ones((2, 4, 5))).shape)
        (2, 3, 5)
    """
    require_rank_from("x1", x1, 2)
    require_rank_from("x2", x2, 2)
    text = f"the 'x1' and 'x2' must have the same batch size, but got shapes {x1.shape} and {x2.shape}."
    require(x1.shape[0] == x2.shape[0], text)
    if axes is None:
        axes = (x1.ndim - 1, max(x2.ndim - 2, 1))
    pair = (axes, axes) if isinstance(axes, int) else axes
    text = f"the 'axes' must be an int or a pair of ints, but got {axes!r}."
    right = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(isinstance(axis, int) for axis in pair)
    require(right, text, ValueError if isinstance(pair, (tuple, list)) else TypeError)
    first, second = pair[0] % x1.ndim, pair[1] % x2.ndim
    require(first and second, f"the 'axes' must not contain 0, the batch, but got {axes}.")
    text = f"the 'axes' must name axes of equal lengths, but got {axes} of shapes {x1.shape} and {x2.shape}."
    require(x1.shape[first] == x2.shape[second], text)
    result = lax.dot_general(x1, x2, (((first,), (second,)), ((0,), (0,))))
    return result if result.ndim > 1 else result[:, None]


@op(primitive="Einsum", init=("equation",), public=False, call_order=("operands",),
    test=lambda t: [t.case("ij,jk->ik", (t.normal(2, 3), t.normal(3, 4)),
                           expect=lambda equation, operands: np.einsum(equation, *operands))])  # fmt: skip
def einsum_primitive(equation: str, operands: Arrays):
    """Products and sums of Tensors given by an equation on their axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Einsum("ij->j")((Tensor([[1.0, 2.0], [3.0, 4.0]]),)))
        [4. 6.]
    """
    dtype = common_dtype(*operands)
    try:
        return jnp.einsum(equation, *[x.astype(dtype) for x in operands])
    except (ValueError, TypeError) as error:
        shapes = ", ".join(str(x.shape) for x in operands)
        text = f"the 'equation' must fit the operands, but got {equation!r} for shapes {shapes}: {error}"
        raise ValueError(text) from None


def einsum(equation: str, *operands: Any) -> Any:
    """Products and sums of Tensors given by an equation on their axes.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.einsum("ij,j->i", Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0])))
        [3. 7.]
    """
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    return einsum_primitive(equation, operands)


register_function(einsum)


@op(method="kron", old={"other": "y"}, test=lambda t: [t.case(t.normal(2, 2), t.normal(1, 3), expect=np.kron)])
def kron(input: Array, other: Array):
    """The Kronecker product.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.kron(Tensor([1, 10]), Tensor([1, 2, 3])))
        [ 1  2  3 10 20 30]
    """
    dtype = common_dtype(input, other)
    counts = jnp.uint8 if dtype == jnp.bool_ else dtype
    return jnp.kron(input.astype(counts), other.astype(counts)).astype(dtype)
