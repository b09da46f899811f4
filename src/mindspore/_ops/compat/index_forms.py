"""Further spellings: elements put at indices, sampled classes, condition numbers, bilinear layers, loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.index_bounds import require_inside
from mindspore._engine.operator.arguments import Array, Arrays, Axis
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.dynamic_shape_primitives import checked_host_values
from mindspore._ops.array.scatter import index_add, inplace_update
from mindspore._ops.declaring.dtype_checks import alike
from mindspore._ops.declaring.promotion import check_broadcast
from mindspore._ops.declaring.requirements import (
    require,
    require_elements,
    require_float,
    require_rank_from,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.methods.in_place import keep
from mindspore._ops.random.candidate_sampling import LogUniformCandidateSampler, UniformCandidateSampler
from mindspore._utils import checks


def _inside_each(x1: Tensor, x2: Tensor, indices: Sequence[Tensor], accumulate: int) -> None:
    for axis, positions in enumerate(indices):
        require_inside("IndexPut", f"indices[{axis}]", positions, -x1.shape[axis], x1.shape[axis], ValueError)


@op(primitive="IndexPut", init=("accumulate",), public=False, bounds=_inside_each, in_parts=True,
    test=lambda t: [t.case(t.normal(2, 3), np.array([9], np.float32), (np.array([0, 0], np.int32),
                                                                      np.array([1, 1], np.int32)), 1,
                           expect=lambda x, *_: x + np.array([[0, 18, 0], [0, 0, 0]], np.float32), grad=(0, 1)),
                    t.case(t.normal(3, 2), t.normal(2, 2), (np.array([2, 0], np.int32),), grad=(0, 1),
                           expect=lambda x, y, _: np.stack([y[1], x[1], y[0]]))])  # fmt: skip
def index_put(x1: Array, x2: Array, indices: Arrays, accumulate: int = 0):
    """``x1`` with the elements of ``x2`` put, or with ``accumulate=1`` added, at the given indices.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.IndexPut()(Tensor([1.0, 2.0, 3.0]), Tensor([9.0]), [Tensor([1], mindspore.int32)]))
        [1. 9. 3.]
    """
    require(accumulate in (0, 1), f"the 'accumulate' must be 0 or 1, but got {accumulate}.")
    require_same_dtype(x1=x1, x2=x2)
    require(0 < len(indices) <= x1.ndim, f"the 'indices' must be 1 to {x1.ndim} Tensors, but got {len(indices)}.")
    wanted = check_broadcast(*indices) + x1.shape[len(indices) :]
    paired = zip(reversed(x2.shape), reversed(wanted), strict=False)
    fits = x2.ndim <= len(wanted) and all(got in (1, length) for got, length in paired)
    require(fits, f"the 'x2' must have shape {wanted} or broadcast to it, but got {x2.shape}.")
    target = x1.at[indices]
    return target.add(x2) if accumulate else target.set(x2)


def inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Add slices to a Parameter at positions of an axis; returns its new value.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Parameter, Tensor, ops
        >>> w = Parameter(Tensor([[1.0], [2.0]]), name="w")
        >>> print(ops.inplace_index_add(w, Tensor([1], ms.int32), Tensor([[5.0]]), 0).asnumpy())
        [[1.]
         [7.]]
    """
    return keep("inplace_index_add", var, index_add(var, indices, updates, axis)).value()


@register_primitive
class InplaceIndexAdd(Primitive):
    """Adds slices to a Parameter at positions of an axis, see :func:`inplace_index_add`.

    Examples:
        >>> import mindspore
        >>> from mindspore import Parameter, Tensor, ops
        >>> weight = Parameter(Tensor([[1.0, 1.0], [2.0, 2.0]]), name="weight")
        >>> print(ops.InplaceIndexAdd(axis=0)(weight, Tensor([1], mindspore.int32), Tensor([[5.0, 5.0]])))
        [[1. 1.]
         [7. 7.]]
    """

    def __init__(self, axis: int):
        super().__init__()
        self.add_prim_attr("axis", checks.check_int(self.name, "axis", axis))

    def __call__(self, var: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        return inplace_index_add(var, indices, updates, self.axis)


@op(primitive="InplaceUpdateV2", public=False,
    test=lambda t: [t.case(t.normal(3, 2), (1,), t.normal(1, 2),
                           expect=lambda x, _, v: np.stack([x[0], v[0], x[2]]))])  # fmt: skip
@alike("x", "v")
def inplace_update_v2(x: Array, indices: Axis, v: Array):
    """``x`` with the rows ``indices`` replaced by those of ``v``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.InplaceUpdateV2()(Tensor([[1.0, 1.0], [2.0, 2.0]]), (0,), Tensor([[5.0, 5.0]])))
        [[5. 5.]
         [2. 2.]]
    """
    return inplace_update.__wrapped__(x, v, indices)  # type: ignore[attr-defined]


@op(primitive="ParallelConcat", public=False,
    test=lambda t: [t.case((t.normal(1, 2), t.normal(1, 2)), expect=lambda parts: np.concatenate(parts))])  # fmt: skip
def parallel_concat(values: Arrays):
    """Tensors of equal shape whose first axis has length 1, concatenated along that axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ParallelConcat()([Tensor([[1, 2]]), Tensor([[3, 4]])]))
        [[1 2]
         [3 4]]
    """
    require(len(values) > 0, "the 'values' must be at least one Tensor, but got none.")
    for x in values:
        require_shape("values", x, values[0].shape)
        require(x.ndim and x.shape[0] == 1, f"the 'values' must have length 1 on their first axis, but got {x.shape}.")
    return jnp.concatenate(values)


# -- sampled classes ---------------------------------------------------------------------------------------------------
def uniform_candidate_sampler(true_classes: Tensor, num_true: int, num_sampled: int, unique: bool, range_max: int,
                              seed: int = 0, remove_accidental_hits: bool = False) -> tuple:  # fmt: skip
    """Classes drawn with equal chance, see :class:`UniformCandidateSampler`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.uniform_candidate_sampler(Tensor([[0]]), 1, 2, True, 3)[0].shape)
        (2,)
    """
    sampler = UniformCandidateSampler(num_true, num_sampled, unique, range_max, seed, remove_accidental_hits)
    return sampler(true_classes)


def log_uniform_candidate_sampler(true_classes: Tensor, num_true: int = 1, num_sampled: int = 5, unique: bool = True,
                                  range_max: int = 5, seed: int = 0) -> tuple:  # fmt: skip
    """Classes drawn with a chance that falls with their number, see :class:`LogUniformCandidateSampler`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.log_uniform_candidate_sampler(Tensor([[0]]))[0].shape)
        (5,)
    """
    return LogUniformCandidateSampler(num_true, num_sampled, unique, range_max, seed)(true_classes)


for _function in (inplace_index_add, uniform_candidate_sampler, log_uniform_candidate_sampler):
    register_function(_function)


@register_primitive
class ComputeAccidentalHits(Primitive):
    """Where sampled classes are true classes: the row, the index among the samples, and a weight of minus infinity.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> rows, columns, weights = ops.ComputeAccidentalHits(1)(Tensor([[0], [5]]), Tensor([5, 0, 9]))
        >>> print(rows, columns)
        [0 1] [1 0]
    """

    def __init__(self, num_true: int = 1):
        super().__init__()
        self.add_prim_attr("num_true", checks.check_positive_int(self.name, "num_true", num_true))

    def __call__(self, true_classes: Tensor, sampled_candidates: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        truth = checked_host_values(true_classes, self.name, "true_classes", "masks.")
        drawn = checked_host_values(sampled_candidates, self.name, "sampled_candidates", "masks.")
        if truth.ndim != 2 or truth.shape[1] != self.num_true or drawn.ndim != 1:
            raise ValueError(
                f"For '{self.name}', the 'true_classes' must have shape (rows, {self.num_true}) and 'sampled_candidates' "
                f"be a vector, but got {truth.shape} and {drawn.shape}."
            )
        rows, _, columns = np.nonzero(truth[:, :, None] == drawn)
        lowest = np.full(rows.shape, np.finfo(np.float32).min, np.float32)
        return Tensor(rows.astype(np.int32)), Tensor(columns.astype(truth.dtype)), Tensor(lowest)


# -- matrices ----------------------------------------------------------------------------------------------------------
def _norm(x: Any, order: Any) -> Any:
    return jnp.linalg.norm(x, order, axis=(-2, -1))


@op(test=lambda t: [t.case(t.normal(3, 3) * 0.2 + 2 * np.eye(3, dtype=np.float32), expect=np.linalg.cond),
                    t.case(t.normal(3, 3) * 0.2 + 2 * np.eye(3, dtype=np.float32), "fro", expect=np.linalg.cond),
                    t.case(t.normal(3, 3) * 0.2 + 2 * np.eye(3, dtype=np.float32), -2, expect=np.linalg.cond)])  # fmt: skip
def cond(A: Array, p: Any = None):
    """The condition number of matrices: the norm of the matrix times that of its inverse.

    Args:
        p: the norm: None or 2, -2, 1, -1, infinity, -infinity, "fro" or "nuc".

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cond(Tensor([[2.0, 0.0], [0.0, 1.0]])))
        2.0
    """
    require_float("A", A)
    require_rank_from("A", A, 2)
    require_elements("A", A, (-2, -1))
    allowed = (None, 1, -1, 2, -2, float("inf"), float("-inf"), "fro", "nuc")
    require(p in allowed, f"the 'p' must be one of {allowed}, but got {p!r}.")
    if p in (None, 2, -2):
        values = jnp.linalg.svd(A, compute_uv=False)
        return values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
    return _norm(A, p) * _norm(jnp.linalg.inv(A), p)


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 4), t.normal(5, 3, 4), t.normal(5),
                           expect=lambda x, y, w, b: np.einsum("ni,oij,nj->no", x, w, y) + b)])  # fmt: skip
@alike("input1", "input2")
def bidense(input1: Array, input2: Array, weight: Array, bias: Array | None = None):
    """A layer that is linear in each of two inputs: ``input1 @ weight[k] @ input2 + bias[k]`` for every output k.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.bidense(ops.ones((1, 2)), ops.ones((1, 3)), ops.ones((1, 2, 3))))
        [[6.]]
    """
    require(weight.ndim == 3, f"the 'weight' must have 3 dimensions, but got shape {weight.shape}.")
    wanted = (*input1.shape[-1:], *input2.shape[-1:])
    require(weight.shape[1:] == wanted, f"the 'weight' must have shape (outputs, {wanted}), but got {weight.shape}.")
    text = f"the 'input1' and 'input2' must agree in all but the last dimension, but got {input1.shape} and {input2.shape}."
    require(input1.shape[:-1] == input2.shape[:-1], text)
    if bias is not None:
        require(bias.shape == weight.shape[:1], f"the 'bias' must have shape {weight.shape[:1]}, but got {bias.shape}.")
    result = jnp.einsum("...i,oij,...j->...o", input1, weight, input2)
    return result if bias is None else result + bias


# -- loops -------------------------------------------------------------------------------------------------------------
