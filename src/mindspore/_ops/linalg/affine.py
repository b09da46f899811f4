"""Affine maps: products with something added."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.registry import op
from mindspore._engine.operator.sharding import Labels
from mindspore._kernels.matrices.few_rows import lined_up
from mindspore._ops.declaring.dtype_checks import accepts, alike
from mindspore._ops.declaring.promotion import promote
from mindspore._ops.declaring.requirements import (
    require,
    require_choice,
    require_rank,
    require_rank_from,
    require_same_dtype,
)
from mindspore._ops.linalg.linalg import multiply


def _plus_product(beta: Any, addend: Any, alpha: Any, products: Any) -> Any:
    scaled, added = (jnp.multiply(*promote(a, b)) for a, b in ((alpha, products), (beta, addend)))
    return jnp.add(*promote(added, scaled))


@op(method="addmm",
    test=lambda t: [t.case(t.normal(2, 4), t.normal(2, 3), t.normal(3, 4), expect=lambda c, a, b: c + a @ b),
                    t.case(t.normal(4), t.normal(2, 3), t.normal(3, 4), 2, 0.5,
                           expect=lambda c, a, b, beta, alpha: beta * c + alpha * (a @ b))])  # fmt: skip
def addmm(input: Array, mat1: Array, mat2: Array, beta: Operand = 1, alpha: Operand = 1):
    """``beta * input + alpha * (mat1 @ mat2)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.addmm(Tensor([1.0]), Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]), alpha=2))
        [[23.]]
    """
    require_rank("mat1", mat1, 2)
    require_rank("mat2", mat2, 2)
    return _plus_product(beta, input, alpha, multiply(mat1, mat2))


@op(method="addmv", old={"input": "x"},
    test=lambda t: [t.case(t.normal(2), t.normal(2, 3), t.normal(3), expect=lambda c, a, b: c + a @ b)])  # fmt: skip
@accepts("ifc", "input")
def addmv(input: Array, mat: Array, vec: Array, beta: Operand = 1, alpha: Operand = 1):
    """``beta * input + alpha * (mat @ vec)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.addmv(Tensor([1.0]), Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])))
        [12.]
    """
    require_rank("mat", mat, 2)
    require_rank("vec", vec, 1)
    return _plus_product(beta, input, alpha, multiply(mat, vec))


@op(method="addr",
    test=lambda t: [t.case(t.normal(3, 2), t.normal(3), t.normal(2),
                           expect=lambda c, a, b: c + np.outer(a, b))])  # fmt: skip
@accepts("ifc", "x")
def addr(x: Array, vec1: Array, vec2: Array, beta: Operand = 1, alpha: Operand = 1):
    """``beta * x + alpha * outer(vec1, vec2)``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.addr(Tensor([[1.0, 1.0]]), Tensor([2.0]), Tensor([3.0, 4.0])))
        [[7. 9.]]
    """
    require_rank("vec1", vec1, 0, 1)
    require_rank("vec2", vec2, 0, 1)
    require_same_dtype(vec1=vec1, vec2=vec2)
    return _plus_product(beta, x, alpha, vec1.reshape(-1, 1) * vec2.reshape(1, -1))


@op(method="baddbmm", test=lambda t: [t.case(t.normal(4, 2, 2), t.normal(4, 2, 3), t.normal(4, 3, 2),
                                             expect=lambda c, a, b: c + a @ b)])  # fmt: skip
@alike("input", "batch1", "batch2")
def baddbmm(input: Array, batch1: Array, batch2: Array, beta: Operand = 1, alpha: Operand = 1):
    """``beta * input + alpha * (batch1 @ batch2)`` for batches of matrices.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.baddbmm(ops.ones((1, 1)), ops.ones((2, 1, 3)), ops.ones((2, 3, 1)))[0])
        [[4.]]
    """
    require_rank_from("batch1", batch1, 2)
    require_rank("batch2", batch2, batch1.ndim)
    return _plus_product(beta, input, alpha, multiply(batch1, batch2))


@op(method="addbmm", test=lambda t: [t.case(t.normal(2, 2), t.normal(4, 2, 3), t.normal(4, 3, 2),
                                            expect=lambda c, a, b: c + (a @ b).sum(0))])  # fmt: skip
def addbmm(input: Array, batch1: Array, batch2: Array, beta: Operand = 1, alpha: Operand = 1):
    """``beta * input + alpha * sum(batch1 @ batch2)``, summed over the first axis: the batch, or the rows of a matrix.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.addbmm(ops.ones((1, 1)), ops.ones((2, 1, 3)), ops.ones((2, 3, 1))))
        [[7.]]
    """
    require_rank_from("batch1", batch1, 2)
    require_rank("batch2", batch2, batch1.ndim)
    products = multiply(batch1, batch2)
    whole = jnp.issubdtype(products.dtype, jnp.integer)  # their sum is int64, as that of any whole numbers
    return _plus_product(beta, input, alpha, jnp.sum(products, axis=0, dtype=jnp.int64 if whole else products.dtype))


@op(primitive="Dense",
    test=lambda t: [t.case(t.normal(2, 3), t.normal(4, 3), t.normal(4), expect=lambda x, w, b: x @ w.T + b),
                    t.case(t.normal(3), t.normal(4, 3), None, expect=lambda x, w, b: w @ x)])  # fmt: skip
def dense(input: Array, weight: Array, bias: Array | None = None):
    """A fully connected layer: ``input @ weight.T + bias``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.dense(Tensor([1.0, 2.0]), Tensor([[1.0, 0.0], [0.0, 1.0]]), Tensor([10.0, 20.0])))
        [11. 22.]
    """
    require_rank("weight", weight, 1, 2)
    result = multiply(input, weight, y_turned=True)
    if bias is None:
        return result
    require_same_dtype(input=input, bias=bias)
    require(
        bias.ndim < weight.ndim, f"the 'bias' must have at most {weight.ndim - 1} dimensions, but got {bias.shape}."
    )
    return jnp.add(*lined_up(*promote(result, bias)))


def _bias_labels(attributes: dict[str, Any] | None, labels: Labels) -> Labels:
    """The bias has the label of the channels."""
    return labels if attributes is None or len(labels) != 2 else [labels[0], [labels[0][1]]]


@op(primitive="BiasAdd", init=("data_format",), sharding=_bias_labels,
    test=lambda t: [t.case(t.normal(2, 3, 2), t.normal(3), expect=lambda x, b: x + b[:, None]),
                    t.case(t.normal(2, 2, 2, 3), t.normal(3), "NHWC", expect=lambda x, b, _: x + b)])  # fmt: skip
def bias_add(input_x: Array, bias: Array, data_format: str = "NCHW"):
    """Add a bias per channel.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bias_add(Tensor([[1.0, 2.0]]), Tensor([10.0, 20.0])))
        [[11. 22.]]
    """
    require_choice("data_format", data_format, ("NCHW", "NHWC", "NCDHW"))
    require_rank_from("input_x", input_x, 2)
    require_same_dtype(input_x=input_x, bias=bias)
    axis = input_x.ndim - 1 if data_format == "NHWC" else 1
    length = input_x.shape[axis]
    require(bias.shape == (length,), f"the 'bias' must have shape ({length},), one per channel, but got {bias.shape}.")
    return input_x + bias.reshape([-1 if i == axis else 1 for i in range(input_x.ndim)])
