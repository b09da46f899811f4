"""Element by element, and products of matrices, where PyTorch's form has other arguments than ``mindspore.ops``."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.checked import check_numbers, check_tensors
from mindspore.common.tensor import Tensor


def add(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input + alpha * other``.

    >>> print(add(Tensor([1.0]), Tensor([2.0]), alpha=3))
    [7.]
    """
    return ops.add(
        input, other if alpha == 1 else ops.mul(other, alpha) if isinstance(other, Tensor) else other * alpha
    )


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input - alpha * other``.

    >>> print(sub(Tensor([7.0]), Tensor([2.0]), alpha=3))
    [1.]
    """
    return ops.sub(
        input, other if alpha == 1 else ops.mul(other, alpha) if isinstance(other, Tensor) else other * alpha
    )


def bitwise_not(input: Tensor) -> Tensor:
    """Every bit turned.

    >>> print(bitwise_not(Tensor([0, 5])))
    [-1 -6]
    """
    return ops.bitwise_not(input)


def frac(input: Tensor) -> Tensor:
    """What follows the decimal point.

    >>> print(frac(Tensor([1.5, -2.25])))
    [ 0.5  -0.25]
    """
    return ops.frac(input)


def sqrt(input: Tensor) -> Tensor:
    """The square root.

    >>> print(sqrt(Tensor([4.0])))
    [2.]
    """
    return ops.sqrt(input)


def floor_divide(input: Any, other: Any) -> Tensor:
    """The quotient rounded down.

    >>> print(floor_divide(Tensor([7, -7]), 2))
    [ 3 -4]
    """
    return ops.floor_divide(input, other)


def remainder(input: Any, other: Any) -> Tensor:
    """What a division that rounds down leaves over.

    >>> print(remainder(Tensor([7, -7]), 4))
    [3 1]
    """
    return ops.remainder(input, other)


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Rounded to this many decimals, halves to even.

    >>> print(round(Tensor([2.5, 3.5])))
    [2. 4.]
    """
    return ops.round(input, decimals=decimals)


def isnan(tensor: Tensor) -> Tensor:
    """Where elements are no numbers.

    >>> print(isnan(Tensor([1.0, float("nan")])))
    [False  True]
    """
    return ops.isnan(tensor)


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are nearly equal.

    >>> allclose(Tensor([1.0]), Tensor([1.0 + 1e-7]))
    True
    """
    return bool(ops.isclose(input, other, rtol, atol, equal_nan).all())


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether shapes and all elements are equal.

    >>> equal(Tensor([1, 2]), Tensor([1, 2])), equal(Tensor([1, 2]), Tensor([1]))
    (True, False)
    """
    check_tensors("equal", input=input, other=other)
    return input.shape == other.shape and bool((input == other).all())


def item(input: Tensor) -> Any:
    """The element of a Tensor of size 1.

    >>> item(Tensor([2.5]))
    2.5
    """
    check_tensors("item", input=input)
    return input.item()


def clone(input: Tensor) -> Tensor:
    """A Tensor with the same data that changes independently; the gradient passes through.

    >>> print(clone(Tensor([1.0])))
    [1.]
    """
    check_tensors("clone", input=input)
    return Tensor.copy(input)  # of a Parameter, too


def softmax(input: Tensor, dim: int, *, dtype: DType | None = None) -> Tensor:
    """Softmax along an axis.

    >>> print(softmax(Tensor([1.0, 1.0]), 0))
    [0.5 0.5]
    """
    check_tensors("softmax", input=input)
    return ops.softmax(input if dtype is None else input.astype(dtype), dim)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of matrices.

    >>> print(bmm(Tensor([[[2.0]]]), Tensor([[[3.0]]])))
    [[[6.]]]
    """
    return ops.bmm(input, mat2)


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector.

    >>> print(mv(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])))
    [11.]
    """
    return ops.mv(input, vec)


def dot(input: Tensor, other: Tensor) -> Tensor:
    """The product of two vectors.

    >>> print(dot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
    11.0
    """
    check_tensors("dot", input=input, other=other)
    if input.ndim != 1 or other.ndim != 1:
        raise ValueError(f"For 'dot', both inputs must have 1 dimension, but got {input.ndim} and {other.ndim}.")
    return ops.sum(input * other)


def vdot(input: Tensor, other: Tensor) -> Tensor:
    """The product of two vectors, the first conjugated.

    >>> print(vdot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
    11.0
    """
    check_tensors("vdot", input=input, other=other)
    if input.ndim != 1 or other.ndim != 1:
        raise ValueError(f"For 'vdot', both inputs must have 1 dimension, but got {input.ndim} and {other.ndim}.")
    return ops.sum((input.conj() if input.is_complex() else input) * other)


def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """``beta * input + alpha * outer(vec1, vec2)``, stored in ``input``.

    >>> print(addr_(Tensor([[1.0]]), Tensor([2.0]), Tensor([3.0])))
    [[7.]]
    """
    check_tensors("addr_", input=input)
    return input.copy_(ops.addr(input, vec1, vec2, beta=beta, alpha=alpha))


def inverse(input: Tensor) -> Tensor:
    """The inverse of a matrix, or of several.

    >>> print(inverse(Tensor([[2.0]])))
    [[0.5]]
    """
    return ops.inverse(input)


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """The distance of each row of ``x1`` from each row of ``x2``.

    >>> print(cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]])))
    [[5.]]
    """
    check_numbers("cdist", p=p)
    return ops.cdist(x1, x2, float(p))
