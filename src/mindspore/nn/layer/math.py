"""Mathematical layers: reductions, special functions, products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._ops.nn.layer_math import lbeta
from mindspore._utils.checks import check_bool, check_int, check_positive_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.plain import PlainCell

__all__ = [
    "CosineSimilarity",
    "DiGamma",
    "IGamma",
    "LBeta",
    "LGamma",
    "LinSpace",
    "MatDet",
    "MatInverse",
    "MatMul",
    "Moments",
    "Range",
    "ReduceLogSumExp",
]


def _require_float(owner: str, name: str, x: Tensor) -> None:
    if check_type(owner, name, x, Tensor).dtype not in (
        mstype.float16,
        mstype.float32,
        mstype.float64,
        mstype.bfloat16,
    ):
        raise refused(
            TypeError, f"For '{owner}', the '{name}' must hold floating-point numbers, but got dtype {x.dtype}."
        )


@primitives(exp=ops.Exp, log=ops.Log, sum=lambda net: ops.ReduceSum(net.keep_dims), max=ops.ReduceMax)
class ReduceLogSumExp(Cell):
    """The logarithm of the sum of exponentials, computed without overflow.

    Args:
        axis: an axis, or several; () for all.
        keep_dims: whether the axes stay with length 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ReduceLogSumExp(0)(Tensor([1000.0, -1000.0])))
        1000.0
    """

    def __init__(self, axis: int | tuple[int, ...] | list[int], keep_dims: bool = False):
        super().__init__()
        self.axis = check_type("ReduceLogSumExp", "axis", axis, (int, tuple, list))
        self.keep_dims = check_bool("ReduceLogSumExp", "keep_dims", keep_dims)

    def construct(self, x: Tensor) -> Tensor:
        """The reduced Tensor."""
        axis = tuple(range(x.ndim)) if self.axis in ((), []) else self.axis
        return ops.logsumexp(x, axis, self.keep_dims)


class Range(Cell):
    """The numbers from ``start`` to ``limit`` (excluded) in steps of ``delta``: Int32, or Float32 if one of them is a float.

    Args:
        start: the first number; with no limit, the limit, and the first number is 0.
        limit: where to stop.
        delta: the step, not 0.

    Examples:
        >>> from mindspore import nn
        >>> print(nn.Range(1, 8, 2)())
        [1 3 5 7]
    """

    def __init__(self, start: float, limit: float | None = None, delta: float = 1):
        super().__init__()
        if limit is None:
            start, limit = 0, start
        numbers = [check_type("Range", n, v, (int, float)) for n, v in (("start", start), ("limit", limit), ("delta", delta))]  # fmt: skip
        if delta == 0:
            raise refused(ValueError, "For 'Range', the 'delta' must not be 0.")
        floating = any(isinstance(number, float) for number in numbers)
        self.ms_dtype = mstype.float32 if floating else mstype.int32
        self.result_tensor = Tensor(np.arange(start, limit, delta), self.ms_dtype)

    def construct(self) -> Tensor:
        """The numbers."""
        return self.result_tensor


class LGamma(PlainCell):
    """The logarithm of the absolute value of the gamma function.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(f"{nn.LGamma()(Tensor([5.0])).item():.4f}")
        3.1781
    """

    def construct(self, x: Tensor) -> Tensor:
        """The function of every element."""
        _require_float("LGamma", "x", x)
        return ops.lgamma(x)


class LinSpace(Cell):
    """``num`` numbers from ``start`` to ``stop``, both included, equally far from each other; of MindSpore 1.0.

    Args:
        start, stop: the first and the last number.
        num: how many.

    Examples:
        >>> from mindspore import nn
        >>> print(nn.LinSpace(1, 10, 5)())
        [ 1.    3.25  5.5   7.75 10.  ]
    """

    def __init__(self, start: float, stop: float, num: int):
        super().__init__()
        self.start = check_type("LinSpace", "start", start, (int, float))
        self.stop = check_type("LinSpace", "stop", stop, (int, float))
        self.num = check_positive_int("LinSpace", "num", num)

    def construct(self) -> Tensor:
        """The numbers, as float32."""
        return ops.linspace(Tensor(self.start, mstype.float32), Tensor(self.stop, mstype.float32), self.num)


class DiGamma(PlainCell):
    """The derivative of the logarithm of the gamma function.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(f"{nn.DiGamma()(Tensor([2.0])).item():.4f}")
        0.4228
    """

    def construct(self, x: Tensor) -> Tensor:
        """The function of every element."""
        _require_float("DiGamma", "x", x)
        return ops.digamma(x)


class IGamma(PlainCell):
    """The regularized lower incomplete gamma function.

    Inputs:
        - **a**: Tensor of floating-point numbers.
        - **x**: Tensor of the same dtype.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.IGamma()(Tensor([1.0]), Tensor([0.0])))
        [0.]
    """

    def construct(self, a: Tensor, x: Tensor) -> Tensor:
        """The function of every pair of elements."""
        _require_float("IGamma", "a", a)
        _require_float("IGamma", "x", x)
        return ops.igamma(a, x)


class LBeta(PlainCell):
    """The logarithm of Euler's beta function.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(f"{nn.LBeta()(Tensor([2.0]), Tensor([3.0])).item():.4f}")
        -2.4849
    """

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        """The function of every pair of elements."""
        return lbeta(x, y)


@primitives(
    expand_op=ops.ExpandDims,
    reduce_sum_op=ops.ReduceSum,
    shape_op=ops.Shape,
    squeeze_left_op=lambda _: ops.Squeeze(-2),
    squeeze_right_op=lambda _: ops.Squeeze(-1),
)
class MatMul(Cell):
    """The product of matrices, or of a matrix and a vector; further axes are batches and broadcast.

    Args:
        transpose_x1, transpose_x2: whether the last two axes of an input are exchanged first.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MatMul(transpose_x2=True)(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
        [[11.]]
    """

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False):
        super().__init__()
        self.transpose_x1 = check_bool("MatMul", "transpose_x1", transpose_x1)
        self.transpose_x2 = check_bool("MatMul", "transpose_x2", transpose_x2)

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The product."""
        x1 = ops.swapaxes(x1, -1, -2) if self.transpose_x1 and x1.ndim > 1 else x1
        x2 = ops.swapaxes(x2, -1, -2) if self.transpose_x2 and x2.ndim > 1 else x2
        return ops.matmul(x1, x2)


class CosineSimilarity(Cell):
    """The cosine of the angle between vectors along an axis.

    Args:
        dim: the axis.
        eps: the least length a vector counts with.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.layer.math.CosineSimilarity()(Tensor([[1.0, 0.0]]), Tensor([[0.0, 2.0]])))
        [0.]
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8):
        super().__init__()
        self.dim = check_int("CosineSimilarity", "dim", dim)
        self.eps = check_type("CosineSimilarity", "eps", eps, (int, float))

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The cosines."""
        return ops.cosine_similarity(x1, x2, self.dim, self.eps)


@primitives(cast=ops.Cast, square_diff=ops.SquaredDifference, squeeze=lambda net: ops.Squeeze(net.axis))
class Moments(Cell):
    """Mean and (biased) variance over axes.

    Args:
        axis: an axis, or several; all by default.
        keep_dims: whether the axes stay with length 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> mean, variance = nn.Moments()(Tensor([1.0, 3.0]))
        >>> print(mean, variance)
        2.0 1.0
    """

    def __init__(self, axis: int | tuple[int, ...] | None = None, keep_dims: bool | None = None):
        super().__init__()
        self.axis = () if axis is None else check_type("Moments", "axis", axis, (int, tuple))
        self.keep_dims = False if keep_dims is None else check_bool("Moments", "keep_dims", keep_dims)
        self.reduce_mean = ops.ReduceMean(keep_dims=True)

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and variance."""
        _require_float("Moments", "x", x)
        wide = x.astype(mstype.float32) if x.dtype == mstype.float16 else x
        mean = self.reduce_mean(wide, self.axis)
        variance = self.reduce_mean(ops.square(wide - mean), self.axis)
        if not self.keep_dims:
            axes = self.axis if self.axis != () else tuple(range(x.ndim))
            mean, variance = ops.squeeze(mean, axes), ops.squeeze(variance, axes)
        return mean.astype(x.dtype), variance.astype(x.dtype)


class MatInverse(PlainCell):
    """The inverse of square matrices.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MatInverse()(Tensor([[4.0, 0.0], [0.0, 2.0]])))
        [[0.25 0.  ]
         [0.   0.5 ]]
    """

    def construct(self, a: Tensor) -> Tensor:
        """The inverse matrices."""
        return ops.inverse(a)


class MatDet(PlainCell):
    """The determinant of square matrices.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MatDet()(Tensor([[4.0, 0.0], [0.0, 2.0]])))
        8.0
    """

    def construct(self, a: Tensor) -> Tensor:
        """The determinants."""
        return ops.det(a)


def get_broadcast_matmul_shape(x_shape: Any, y_shape: Any, prim_name: str | None = None) -> tuple[int, ...]:
    """The common shape of the batch axes of two stacks of matrices.

    Examples:
        >>> from mindspore.nn.layer.math import get_broadcast_matmul_shape
        >>> get_broadcast_matmul_shape((5, 1, 2, 3), (4, 3, 2))
        (5, 4)
    """
    try:
        return tuple(np.broadcast_shapes(tuple(x_shape)[:-2], tuple(y_shape)[:-2]))
    except ValueError:
        raise refused(
            ValueError,
            f"For '{prim_name or 'MatMul'}', the shapes must broadcast except in the last two axes, but got "
            f"{shown(tuple(x_shape))} and {shown(tuple(y_shape))}.",
        ) from None
