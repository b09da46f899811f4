"""Layers on matrices and norms: triangles, diagonals, one-hot rows, lengths."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._ops.nn.layer_math import set_diagonal
from mindspore._utils.checks import check_bool, check_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.plain import PlainCell


class ClipByNorm(Cell):
    """The input scaled down so that its 2-norm is at most ``clip_norm``.

    Args:
        axis: the axes the norm is taken over, all by default.

    Inputs:
        - **x**: Tensor of Float16 or Float32.
        - **clip_norm**: Tensor, a number or something that fits the shape of x. The result is Float32.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)))
        [0.6 0.8]
    """

    def __init__(self, axis: int | tuple[int, ...] | list[int] | None = None):
        super().__init__()
        if axis is not None:
            check_type("ClipByNorm", "axis", axis, (int, tuple, list))
        self.clip_by_norm = ops.ClipByNorm(axis)

    def construct(self, x: Tensor, clip_norm: Tensor) -> Tensor:
        """The clipped input."""
        return self.clip_by_norm(x, clip_norm)


@primitives(sqrt=ops.Sqrt, squeeze=lambda net: ops.Squeeze(net.axis))
class Norm(Cell):
    """The 2-norm over axes.

    Args:
        axis: an axis, or several; () for all.
        keep_dims: whether the axes stay with length 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Norm(axis=1)(Tensor([[3.0, 4.0]])))
        [5.]
    """

    def __init__(self, axis: int | tuple[int, ...] | list[int] = (), keep_dims: bool = False):
        super().__init__()
        self.axis = check_type("Norm", "axis", axis, (int, tuple, list))
        self.keep_dims = check_bool("Norm", "keep_dims", keep_dims)
        self.reduce_sum = ops.ReduceSum(keep_dims)

    def construct(self, x: Tensor) -> Tensor:
        """The norms."""
        return self.sqrt(self.reduce_sum(ops.square(x), self.axis))

    def extend_repr(self) -> str:
        """The part of the printed form that lists the arguments."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class OneHot(Cell):
    """A new axis with ``on_value`` at each index and ``off_value`` elsewhere.

    Args:
        axis: where the new axis goes, at the end by default.
        depth: its length; indices outside are nowhere on.
        on_value, off_value: the two values.
        dtype: dtype of the result.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.OneHot(depth=3)(Tensor([0, 2])))
        [[1. 0. 0.]
         [0. 0. 1.]]
    """

    def __init__(
        self,
        axis: int = -1,
        depth: int = 1,
        on_value: float = 1.0,
        off_value: float = 0.0,
        dtype: Any = mstype.float32,
    ):
        super().__init__()
        self.onehot = ops.OneHot(check_int("OneHot", "axis", axis, low=-1))
        self.depth = check_int("OneHot", "depth", depth, low=0)
        self.dtype = dtype
        self.on_value, self.off_value = on_value, off_value

    def construct(self, indices: Tensor) -> Tensor:
        """The one-hot form of indices."""
        on, off = Tensor(self.on_value, self.dtype), Tensor(self.off_value, self.dtype)
        return self.onehot(indices, self.depth, on, off)


@primitives(dtype=ops.DType, mul=ops.Mul, cast=ops.Cast)
class Tril(PlainCell):
    """The lower triangle of the last two axes, zero elsewhere.

    Inputs:
        - **x**: Tensor.
        - **k**: the diagonal that is the upper border; 0 is the main diagonal, positive diagonals lie above it.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Tril()(Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        """The lower triangle."""
        return ops.tril(x, k)


@primitives(dtype=ops.DType, mul=ops.Mul, cast=ops.Cast)
class Triu(PlainCell):
    """The upper triangle of the last two axes, zero elsewhere.

    Inputs:
        - **x**: Tensor.
        - **k**: the diagonal that is the lower border; 0 is the main diagonal, positive diagonals lie above it.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Triu()(Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """

    def construct(self, x: Tensor, k: int = 0) -> Tensor:
        """The upper triangle."""
        return ops.triu(x, k)


class MatrixDiag(PlainCell):
    """Matrices with the last axis of the input on their diagonals.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MatrixDiag()(Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        """The diagonal matrices."""
        return ops.diag_embed(input_x)


class MatrixDiagPart(PlainCell):
    """The main diagonal of the last two axes.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MatrixDiagPart()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [1. 4.]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        """The diagonals."""
        return ops.diagonal(input_x, 0, -2, -1)


class MatrixSetDiag(PlainCell):
    """Matrices (the last two axes) with another main diagonal.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.MatrixSetDiag()(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([8.0, 9.0])))
        [[8. 2.]
         [3. 9.]]
    """

    def construct(self, input_x: Tensor, diagonal: Tensor) -> Tensor:
        """The matrices with the given diagonals."""
        return set_diagonal(input_x, diagonal)


@primitives(abs=ops.Abs, reduce_sum=ops.ReduceSum)
class L1Regularizer(Cell):
    """The sum of absolute values times ``scale``.

    Args:
        scale: a number greater than 0.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.L1Regularizer(0.5)(Tensor([1.0, -3.0])))
        2.0
    """

    def __init__(self, scale: float):
        super().__init__()
        check_type("L1Regularizer", "scale", scale, (int, float))
        if not 0 < scale < float("inf"):
            raise refused(
                ValueError,
                f"For 'L1Regularizer', the 'scale' must be greater than 0 and finite, but got {shown(scale)}.",
            )
        self.scale = Tensor(scale, mstype.float32)

    def construct(self, weights: Tensor) -> Tensor:
        """The penalty."""
        return ops.abs(weights).sum() * self.scale
