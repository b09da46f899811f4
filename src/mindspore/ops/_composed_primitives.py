"""Primitives that only MindSpore's own modules show, made of public operators and of Python.

A function's keyword-only arguments are those of the Primitive's constructor.

>>> from mindspore.ops.operations._sequence_ops import SequenceMul
>>> SequenceMul()((1, 2), 2)
(1, 2, 1, 2)
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

from mindspore._engine.execution.index_bounds import require_coordinates, require_inside
from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.requirements import FOUND_BY_KERNEL
from mindspore._ops.declaring.value_rules import falling, not_from_zero, not_rising, with_gaps
from mindspore.ops import function

__all__ = ["composed"]

_COMPOSED: dict[str, type[Primitive]] = {}


def composed(name: str) -> type[Primitive] | None:
    """The Primitive class of this name, if it is one of these."""
    return _COMPOSED.get(name)


def _primitive(name: str, compute: Callable[..., Any]) -> None:
    options = [one for one in inspect.signature(compute).parameters.values() if one.kind is one.KEYWORD_ONLY]
    constructor = inspect.Signature([one.replace(kind=one.POSITIONAL_OR_KEYWORD) for one in options])

    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        Primitive.__init__(self, name)
        bound = constructor.bind(*args, **kwargs)
        bound.apply_defaults()
        for option, value in bound.arguments.items():
            self.add_prim_attr(option, value)

    def call(self: Any, *inputs: Any) -> Any:
        return compute(*inputs, **{one.name: getattr(self, one.name) for one in options})

    _COMPOSED[name] = type(
        name,
        (Primitive,),
        {"__init__": construct, "__call__": call, "__module__": __name__, "__doc__": compute.__doc__},
    )
    globals()[name] = _COMPOSED[name]  # for pickles


def _named(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Declare a Primitive by a function of its name."""
    _primitive(compute.__name__, compute)
    return compute


def _of_kind(sequence: Any, values: Any) -> Any:
    return tuple(values) if isinstance(sequence, tuple) else list(values)


# -- sequences --------------------------------------------------------------------------------------------------------------
_primitive("ListAppend", lambda values, value: [*values, value])
_primitive("ListInsert", lambda values, index, value: [*values[:index], value, *values[index:]])
_primitive("ListToTensor", lambda values, dtype=None: Tensor(list(values), dtype))
_primitive("TensorToList", lambda x: x.tolist())
_primitive("SequenceAdd", lambda x, y: _of_kind(x, [*x, *y]))
_primitive("SequenceAddN", lambda values: function.addn(list(values)))
_primitive("SequenceCount", lambda values, value: list(values).count(value))
_primitive(
    "SequenceIndex",
    lambda values, value, start=0, end=None: list(values).index(value, start, len(values) if end is None else end),
)
_primitive("SequenceMax", lambda values: max(values))
_primitive("SequenceMin", lambda values: min(values))
_primitive("SequenceMul", lambda values, times: values * times)
_primitive("SequenceSlice", lambda values, start, stop, step: values[start:stop:step])
_primitive("SequenceZerosLike", lambda values: _of_kind(values, [function.zeros_like(one) if isinstance(one, Tensor) else type(one)(0) for one in values]))  # fmt: skip
_primitive("InSequence", lambda value, values: value in values)
_primitive("sequence_len", lambda values: len(values))


def _stack(values, *, axis=0):
    return function.stack(list(values), axis)


def _unstack(x, *, axis=0):
    return function.unbind(x, axis)


_primitive("SequenceStack", _stack)
_primitive("SequenceUnstack", _unstack)
for _kind in ("tuple", "list"):
    for _name, _relation in (("lt", operator.lt), ("le", operator.le), ("greater_than", operator.gt),
                             ("greater_equal", operator.ge)):  # fmt: skip
        _primitive(f"{_kind}_{_name}", _relation)
_primitive("bit_and", operator.and_)
_primitive("bit_or", operator.or_)

# -- types and shapes -------------------------------------------------------------------------------------------------------
_primitive("IsSubClass", lambda type_, of: _is_kind(type_, of))
_primitive("MixedPrecisionCast", lambda dtype, x: x.astype(dtype))
_primitive("ConvertToDynamic", lambda x: x)
_primitive("Load", lambda x, monad=None: x.value() if hasattr(x, "value") else x)
_primitive("DynamicBroadcastTo", lambda x, shape: function.broadcast_to(x, tuple(int(one) for one in shape)))
_primitive(
    "TileSize",
    lambda shape, out_shape, ndim: tuple(1 if one == out else out for one, out in zip(shape, out_shape, strict=True)),
)


def _is_kind(type_: Any, of: Any) -> bool:
    return type_ == of or (of is getattr(type(of), "any", None) and isinstance(type_, type(of)))


@_named
def SameTypeShape(x, y):
    """The first Tensor, if dtype and shape are those of the second."""
    if x.dtype != y.dtype or tuple(x.shape) != tuple(y.shape):
        kinds = f"{x.dtype} {tuple(x.shape)} and {y.dtype} {tuple(y.shape)}"
        raise TypeError(f"For 'SameTypeShape', 'x' and 'y' must have the same dtype and shape, but got {kinds}.")
    return x


# -- arrays -----------------------------------------------------------------------------------------------------------------
_primitive("AddV2", lambda x, y: function.add(x, y))
_primitive("ReLUV3", lambda x: function.relu(x))
_primitive("Unsqueeze", lambda x, *, axis: function.expand_dims(x, axis))
_primitive(
    "RangeV2", lambda start, limit, delta, *, maxlen=1000000: function.range(start, limit, delta).astype(start.dtype)
)
_primitive("TransShape", lambda x, shape: function.reshape(x, tuple(shape)))


@_named
def Uniform(x, *, minval=0.0, maxval=1.0, seed=0, offset=0):
    """Random numbers between two limits, in the form of a Tensor."""
    return (function.rand_like(x, seed=seed or None) * (maxval - minval) + minval).astype(x.dtype)


@_named
def AdjustContrastv2(images, contrast_factor):
    """Images with the distances to their mean, channel by channel, multiplied."""
    mean = images.mean((-3, -2), True)
    return ((images - mean) * contrast_factor + mean).astype(images.dtype)


@_named
def SparseSoftmaxCrossEntropyWithLogitsV2(logits, labels):
    """The losses of rows, and their gradients."""
    probabilities = function.softmax(logits, -1)
    chosen = function.one_hot(labels, logits.shape[-1], Tensor(1, logits.dtype), Tensor(0, logits.dtype))
    return -(function.log_softmax(logits, -1) * chosen).sum(-1), probabilities - chosen


# -- linear algebra ---------------------------------------------------------------------------------------------------------
def _eigh(x):
    return import_module("mindspore.scipy.linalg").eigh(x)  # a layer above


def _eigh_or_values(x, *, compute_eigenvectors=True):
    values, vectors = _eigh(x)
    return (values, vectors) if compute_eigenvectors else values


def _self_adjoint(x, *, compute_v=True):
    values, vectors = _eigh(x)
    return values, vectors if compute_v else function.zeros_like(vectors)


_primitive("Eigh", _eigh_or_values)
_primitive("SelfAdjointEig", _self_adjoint)


@_named
def TridiagonalSolve(diagonals, rhs, *, partial_pivoting=True):
    """The solution of systems with three diagonals: above, the main one, below."""
    above, main, below = diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]
    matrix = (
        function.diag_embed(main) + function.diag_embed(above[..., :-1], 1) + function.diag_embed(below[..., 1:], -1)
    )
    return function.matrix_solve(matrix, rhs)


# -- sparse -----------------------------------------------------------------------------------------------------------------
def _check_segments(owner, x, indices, segment_ids, count):
    require_values(
        owner, "the 'segment_ids' must be sorted, but {} follows a larger one.", falling, segment_ids, kind=ValueError
    )
    if count is None:
        start = "the 'segment_ids' must start from 0, but got {}."
        require_values(owner, start, not_from_zero, segment_ids, kind=ValueError)
        gap = "the 'segment_ids' must be contiguous, but {} leaves a number out."
        require_values(owner, gap, with_gaps, segment_ids, kind=ValueError)
    else:
        require_inside(owner, "segment_ids", segment_ids, 0, int(count), ValueError)
    require_inside(owner, "indices", indices, 0, x.shape[0], ValueError)


def _segments(owner, x, indices, segment_ids, count, power):
    _check_segments(owner, x, indices, segment_ids, count)
    count = int(segment_ids[-1]) + 1 if count is None else int(count)
    rows = function.gather(x, indices, 0)
    sums = function.unsorted_segment_sum(rows, segment_ids, count)
    if power == 0:
        return sums
    sizes = function.unsorted_segment_sum(function.ones((len(segment_ids),), x.dtype), segment_ids, count)
    return sums / function.maximum(sizes, 1).reshape((-1,) + (1,) * (x.ndim - 1)) ** power


def _segment_primitives(name, power):
    alone, sized = f"SparseSegment{name}", f"SparseSegment{name}WithNumSegments"
    _primitive(alone, lambda x, indices, segment_ids: _segments(alone, x, indices, segment_ids, None, power))
    _primitive(sized, lambda x, indices, segment_ids, count: _segments(sized, x, indices, segment_ids, count, power))


_segment_primitives("Sum", 0)
_segment_primitives("SqrtN", 0.5)
_segment_primitives("Mean", 1)


def _strides(shape):
    sizes = [int(one) for one in shape.asnumpy()]
    return sizes, [math.prod(sizes[dim + 1 :]) for dim in range(len(sizes))]


def _flat(indices, shape):
    return (indices * Tensor(_strides(shape)[1], indices.dtype)).sum(-1)


@_named
def SparseReorder(indices, values, shape):
    """The elements in the order of their indices, row by row."""
    require_coordinates("SparseReorder", "indices", indices, _strides(shape)[0], kind=ValueError)
    order = function.argsort(_flat(indices, shape))
    return function.gather(indices, order, 0), function.gather(values, order, 0)


@_named
def SparseReshape(indices, shape, new_shape):
    """The indices of the elements in another shape; one of its lengths may be -1."""
    new = [int(one) for one in new_shape.asnumpy()]
    if -1 in new:
        whole, rest = math.prod(_strides(shape)[0]), -math.prod(new)
        if rest <= 0 or whole % rest:
            text = f"For 'SparseReshape', the 'new_shape' must hold {whole} elements, those of 'shape', but got {tuple(new)}."
            raise FOUND_BY_KERNEL(text)
        new[new.index(-1)] = whole // rest
    flat, columns = _flat(indices, shape), []
    for dim in range(len(new)):
        columns.append(flat // math.prod(new[dim + 1 :]) % new[dim])
    return function.stack(columns, -1), Tensor(new, new_shape.dtype)


@_named
def SparseToDenseV2(indices, output_shape, values, default_value, *, validate_indices=True):
    """A Tensor of one value, with others at some indices."""
    lengths, rows = _strides(output_shape)
    if validate_indices:
        flat = (indices * Tensor(rows, indices.dtype)).sum(-1) if indices.ndim > 1 else indices
        text = "the 'indices' must be in order and none repeated, but one is not after the one before it."
        require_values("SparseToDenseV2", text, not_rising, flat, kind=ValueError)
    full = function.full(tuple(lengths), default_value, dtype=values.dtype)
    return function.tensor_scatter_update(full, indices if indices.ndim > 1 else indices.expand_dims(-1), values)


@_named
def SparseSoftmax(indices, values, shape):
    """The softmax along the last axis, of the elements that are there."""
    rows = _flat(indices, shape) // int(shape.asnumpy()[-1])
    count = math.prod(_strides(shape)[0][:-1])
    powers = function.exp(values - function.gather(function.unsorted_segment_max(values, rows, count), rows, 0))
    return powers / function.gather(function.unsorted_segment_sum(powers, rows, count), rows, 0)


def _sparse_dense(name, relation):
    def compute(indices, values, shape, dense):
        lengths = _strides(shape)[0]
        require_coordinates(f"SparseDenseCwise{name}", "indices", indices, lengths, kind=ValueError)
        broadcast = function.broadcast_to(dense, tuple(lengths))
        return relation(values, function.gather_nd(broadcast, indices))

    _primitive(f"SparseDenseCwise{name}", compute)


_sparse_dense("Add", operator.add)
_sparse_dense("Mul", operator.mul)
_sparse_dense("Div", operator.truediv)


@_named
def SparseAddmm(indices, values, sparse_shape, x2, x3, alpha, beta):
    """``beta`` times a matrix, plus ``alpha`` times the product of a sparse and a dense one."""
    full = function.zeros(tuple(_strides(sparse_shape)[0]), values.dtype)
    return alpha * function.matmul(function.tensor_scatter_add(full, indices, values), x2) + beta * x3


@_named
def SparseConcat(indices, values, shapes, *, concat_dim=0):
    """Sparse Tensors one behind the other, in the order of their indices."""
    moved, offset = [], 0
    for one, shape in zip(indices, shapes, strict=True):
        step = [0] * one.shape[-1]
        step[concat_dim] = offset
        moved.append(one + Tensor(step, one.dtype))
        offset += int(shape.asnumpy()[concat_dim])
    lengths = [int(one) for one in shapes[0].asnumpy()]
    lengths[concat_dim] = offset
    shape = Tensor(lengths, shapes[0].dtype)
    ordered = SparseReorder(function.concat(moved, 0), function.concat(list(values), 0), shape)
    return (*ordered, shape)
