"""Matrix products."""

from __future__ import annotations

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, is_float, operator


@operator("MatMul")
def matmul(node: OnnxNode, left: Tensor, right: Tensor) -> Tensor:
    return product(left, right)


def product(left: Tensor, right: Tensor) -> Tensor:
    """A matrix product that keeps the dtype, that of integers too."""
    if is_float(left):
        return ops.matmul(left, right)
    subscripts = {1: "j", 2: "ij"}.get(left.ndim, "...ij"), {1: "j", 2: "jk"}.get(right.ndim, "...jk")
    batch = "..." if max(left.ndim, right.ndim) > 2 else ""
    return ops.einsum(
        f"{subscripts[0]},{subscripts[1]}->{batch}{'i' * (left.ndim > 1)}{'k' * (right.ndim > 1)}", left, right
    )


@operator("Gemm")
def gemm(node: OnnxNode, a: Tensor, b: Tensor, c: Tensor | None = None) -> Tensor:
    a = a.transpose((1, 0)) if node.flag("transA") else a
    b = b.transpose((1, 0)) if node.flag("transB") else b
    result = product(a, b)
    if node.get("alpha", 1.0) != 1.0:
        result = (result * node.get("alpha")).astype(a.dtype)
    if c is None:
        return result
    return result + (c if node.get("beta", 1.0) == 1.0 else (c * node.get("beta")).astype(c.dtype))


@operator("Einsum")
def einsum(node: OnnxNode, *values: Tensor) -> Tensor:
    return ops.einsum(node.get("equation").replace(" ", ""), *values)


@operator("Det")
def det(node: OnnxNode, x: Tensor) -> Tensor:
    return ops.det(x)


@operator("MatMulInteger")
def matmul_integer(
    node: OnnxNode, a: Tensor, b: Tensor, a_zero: Tensor | None = None, b_zero: Tensor | None = None
) -> Tensor:
    a, b = a.astype(dtypes.int32), b.astype(dtypes.int32)
    if a_zero is not None:
        a = a - (
            a_zero.astype(dtypes.int32).reshape((-1, 1))
            if a_zero.ndim == 1 and a_zero.size > 1
            else a_zero.astype(dtypes.int32)
        )
    return product(a, b if b_zero is None else b - b_zero.astype(dtypes.int32))
