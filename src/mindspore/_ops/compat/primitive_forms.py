"""Primitive classes of functions that exist under another name, and small ones without a function."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array, Arrays, Operand, Shape
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.shape import expand
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import as_float, normal_axis
from mindspore._ops.declaring.requirements import (
    require,
    require_float,
    require_rank_from,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.math.elementwise import lerp
from mindspore._ops.nn.activation_limits import glu
from mindspore._ops.nn.margin_loss import triplet_margin_loss
from mindspore._utils import checks
from mindspore._utils.refusals import type_or_value


def _body(function: Any) -> Any:
    """An operator's body, for use inside another operator."""
    return function.__wrapped__


@op(primitive="GLU", init=("axis",), public=False,
    test=lambda t: [t.case(t.normal(2, 4), expect=lambda x: x[:, :2] / (1 + np.exp(-x[:, 2:])))])  # fmt: skip
def glu_primitive(x: Array, axis: int = -1):
    """The first half of an axis times the sigmoid of the second half.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.GLU()(Tensor([[2.0, 0.0]])))
        [[1.]]
    """
    return _body(glu)(x, axis)


@op(primitive="LerpScalar", public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(3), 0.25, expect=lambda x, y, w: x + w * (y - x))])  # fmt: skip
def lerp_scalar(input: Array, end: Array, weight: float):
    """The point ``weight`` of the way from ``input`` to ``end``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.LerpScalar()(Tensor([0.0, 10.0]), Tensor([10.0, 20.0]), 0.5))
        [ 5. 15.]
    """
    return _body(lerp)(input, end, weight)


@op(primitive="Expand", public=False,
    test=lambda t: [t.case(t.normal(1, 3), (2, -1), expect=lambda x, _: np.repeat(x, 2, 0))])  # fmt: skip
def expand_primitive(x: Array, shape: Shape):
    """The input repeated to fill a shape, where -1 keeps a length.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.Expand()(Tensor([[1.0], [2.0]]), Tensor([2, 3], mindspore.int32)))
        [[1. 1. 1.]
         [2. 2. 2.]]
    """
    return _body(expand)(x, shape)


@op(primitive="IdentityN", public=False,
    test=lambda t: [t.case((t.normal(2), t.normal(3)), expect=lambda parts: tuple(parts))])  # fmt: skip
def identity_n(x: Arrays):
    """The tensors as they are.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.IdentityN()([Tensor([1.0]), Tensor([2.0])]))
        (Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00]), Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00]))
    """
    return x


@op(primitive="TripletMarginLoss", init=("p", "swap", "eps", "reduction"), public=False,
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), t.normal(2, 3), 2.0)])  # fmt: skip
def triplet_margin_loss_primitive(x: Array, positive: Array, negative: Array, margin: Operand, p: float = 2,
                                  swap: bool = False, eps: float = 1e-06, reduction: str = "mean"):  # fmt: skip
    """What the anchor is nearer to the negative than to the positive, up to the margin, in the p-norm.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.TripletMarginLoss()(Tensor([[0.0]]), Tensor([[1.0]]), Tensor([[3.0]]), Tensor(4.0)).round(3))
        2.0
    """
    margin = jnp.asarray(margin).astype(x.dtype).reshape(())
    return _body(triplet_margin_loss)(x, positive, negative, margin, p, eps, swap, reduction)


@op(primitive="Padding", init=("pad_dim_size",),
    test=lambda t: [t.case(t.normal(2, 1), 4, expect=lambda x, n: np.pad(x, ((0, 0), (0, n - 1))))])  # fmt: skip
def padding(x: Array, pad_dim_size: int = 8):
    """The last axis, which has length 1, filled up with zeros.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.padding(Tensor([[8.0], [9.0]]), 3))
        [[8. 0. 0.]
         [9. 0. 0.]]
    """
    require_rank_from("x", x, 2)
    require(x.shape[-1] == 1, f"the 'x' must have length 1 on its last axis, but got shape {x.shape}.")
    require(pad_dim_size > 0, f"the 'pad_dim_size' must be positive, but got {pad_dim_size}.")
    return jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, pad_dim_size - 1)])


def _check_finite(x: Any) -> None:
    if isinstance(x, Tensor):
        values = x.asnumpy()
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            found = "NaN" if np.isnan(values).any() else "Inf"
            raise RuntimeError(f"For 'CheckNumerics', the 'x' must hold finite numbers, but got {found} values.")


@op(primitive="CheckNumerics", public=False, check=_check_finite,
    test=lambda t: [t.case(t.normal(2, 3), expect=np.copy)])  # fmt: skip
@accepts("f", "x")
def check_numerics(x: Array):
    """The input, or an error where it holds NaN or infinity; in compiled code the input in any case.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.CheckNumerics()(Tensor([1.0, 2.0])))
        [1. 2.]
    """
    require_float("x", x)
    return x


@op(primitive="SplitV", init=("size_splits", "split_dim", "num_split"), public=False,
    test=lambda t: [t.case(t.normal(2, 5), (2, -1), 1, 2, expect=lambda x, *_: (x[:, :2], x[:, 2:]))])  # fmt: skip
def split_v(x: Array, size_splits: Shape, split_dim: int, num_split: int):
    """Pieces of given lengths along an axis; -1 is what is left.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SplitV([1, -1], 0, 2)(Tensor([1, 2, 3])))
        (Tensor(shape=[1], dtype=Int64, value= [1]), Tensor(shape=[2], dtype=Int64, value= [2, 3]))
    """
    axis = normal_axis(split_dim, x.ndim, "split_dim")
    total = x.shape[axis]
    text = f"the 'size_splits' must have 'num_split' = {num_split} lengths, but got {size_splits}."
    require(len(size_splits) == num_split, text)
    known = sum(n for n in size_splits if n != -1)
    lengths = [total - known if n == -1 else n for n in size_splits]
    fits = size_splits.count(-1) <= 1 and sum(lengths) == total and min(lengths) >= 0
    require(fits, f"the 'size_splits' must add up to the length {total} of the axis, but got {size_splits}.")
    return tuple(jnp.split(x, np.cumsum(lengths)[:-1], axis))


@register_primitive
class InvertPermutation(Primitive):
    """The inverse of a permutation, a tuple of ints.

    Examples:
        >>> from mindspore import ops
        >>> ops.InvertPermutation()((2, 0, 1))
        (1, 2, 0)
    """

    def __call__(self, input_x: tuple[int, ...]) -> tuple[int, ...]:
        checks.check_type(self.name, "input_x", input_x, (tuple, list))
        if sorted(input_x) != list(range(len(input_x))):
            raise type_or_value(ValueError)(
                f"For '{self.name}', the 'input_x' must hold each of 0 ... {len(input_x) - 1} once, but got {input_x}."
            )
        return tuple(sorted(range(len(input_x)), key=input_x.__getitem__))


@op(primitive="TridiagonalMatMul", public=False,
    test=lambda t: [t.case(t.normal(1, 3), t.normal(1, 3), t.normal(1, 3), t.normal(3, 2),
                           expect=lambda up, mid, low, x: (np.diag(up[0, :2], 1) + np.diag(mid[0])
                                                           + np.diag(low[0, 1:], -1)) @ x)])  # fmt: skip
@accepts("fc", "superdiag", "maindiag", "subdiag", "rhs")
def tridiagonal_matmul(superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array):
    """The product of matrices given by three diagonals, each with an axis of length 1, with other matrices.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> above, middle, below = Tensor([[1.0, 0.0]]), Tensor([[2.0, 3.0]]), Tensor([[0.0, 1.0]])
        >>> print(ops.TridiagonalMatMul()(above, middle, below, Tensor([[1.0], [1.0]])))
        [[3.]
         [4.]]
    """
    require_rank_from("rhs", rhs, 2)
    wanted = (*rhs.shape[:-2], 1, rhs.shape[-2])
    for name, diagonal in (("superdiag", superdiag), ("maindiag", maindiag), ("subdiag", subdiag)):
        require_shape(name, diagonal, wanted)
        require_same_dtype(**{name: diagonal, "rhs": rhs})
    above, middle, below = (diagonal.swapaxes(-1, -2) for diagonal in (superdiag, maindiag, subdiag))
    sides = [(0, 0)] * (rhs.ndim - 2)
    after = jnp.pad(rhs[..., 1:, :], [*sides, (0, 1), (0, 0)])
    before = jnp.pad(rhs[..., :-1, :], [*sides, (1, 0), (0, 0)])
    return above * after + middle * rhs + below * before


@op(primitive="Betainc", public=False,
    test=lambda t: [t.case(np.array([1, 2], np.float32), np.array([1, 1], np.float32), t.uniform(0.1, 0.9, 2),
                           grad=(2,), expect=lambda a, b, x: x**a)])  # fmt: skip
@accepts("f", "a", "b", "x")
def betainc(a: Array, b: Array, x: Array):
    """The regularized incomplete beta function; NaN where x is outside [0, 1].

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Betainc()(Tensor([1.0]), Tensor([1.0]), Tensor([0.25])).round(3))
        [0.25]
    """
    require_same_dtype(a=a, x=x)
    require_same_dtype(b=b, x=x)
    require_shape("b", b, a.shape)
    require_shape("x", x, a.shape)
    return lax.betainc(lax.stop_gradient(as_float(a)), lax.stop_gradient(as_float(b)), as_float(x))


@op(primitive="identity", public=False, test=lambda t: [t.case(t.normal(2, 3), expect=np.copy)])
def identity_primitive(x: Array):
    """The input as it is."""
    return x


class _SparseBlocks(Primitive):
    """The base of products of sparse attention on blocks in the order of Ascend's matrix unit."""

    def __call__(self, *inputs: Any) -> Any:
        raise RuntimeError(
            f"For '{self.name}', there is nothing to compute here: its inputs are blocks in an order of Ascend's matrix unit "
            "that is not public. Use ops.flash_attention_score with an 'attn_mask'."
        )


@register_primitive
class DSDMatmul(_SparseBlocks):
    """The values of sparse attention, for blocks as Ascend orders them; it tells so when called."""


@register_primitive
class MatmulDDS(_SparseBlocks):
    """The weights of sparse attention, for blocks as Ascend orders them; it tells so when called."""

    def __init__(self, bs: int, heads: int):
        super().__init__()
        self.add_prim_attr("bs", bs)
        self.add_prim_attr("heads", heads)
