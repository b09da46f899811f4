"""Operators with data-dependent output shapes: nonzero, masked_select, unique and others.

Eagerly the size is computed on the host. A compiled graph has static shapes: tracing raises an error with an alternative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.execution.indexing import from_host, read
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.checked import check_bools, check_ints
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_function, register_primitive
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.shape import broadcast_to
from mindspore._ops.declaring.requirements import require
from mindspore._utils.compat.old_names import old_names
from mindspore._utils.refusals import WrongObject, refused

_APART = 4  # integers are counted if their range is at most this many times the number of elements


def host_values(tensor: Tensor, owner: str, instead: str) -> np.ndarray:
    """The values on the host, for an output shape that depends on them; an error while tracing."""
    tensor._read()
    return tensor._host(f"'{owner}', whose result has as many elements as it finds,", instead)


def _values(tensor: Any, owner: str, name: str, instead: str) -> np.ndarray:
    if not isinstance(tensor, Tensor):
        raise refused(
            WrongObject,
            f"For '{owner}', the '{name}' must be a Tensor, but got {tensor!r} of type {type(tensor).__name__}.",
        )
    return host_values(tensor, owner, instead)


@old_names(x="input")
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The positions of the elements that are not zero: one row of coordinates each, or one vector per axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.nonzero(Tensor([[0, 5], [7, 0]])))
        [[0 1]
         [1 0]]
    """
    check_bools("nonzero", as_tuple=as_tuple)
    array = np.atleast_1d(_values(input, "nonzero", "input", "ops.where or ops.select with the condition itself."))
    found = _coordinates(array)
    if as_tuple:
        return tuple(from_host(np.ascontiguousarray(axis)) for axis in found.T)
    return from_host(found[:, : input.ndim])


def _coordinates(array: np.ndarray) -> np.ndarray:
    """np.argwhere by way of flat indices, which NumPy finds much faster."""
    flat = np.flatnonzero(array if array.dtype == np.bool_ else array != 0)  # it finds truth values six times as fast
    found = np.empty((flat.size, array.ndim), np.int64)
    if array.size < 2**31:  # what fits is divided faster
        flat = flat.astype(np.int32)
    for axis in range(array.ndim - 1, 0, -1):
        rest = flat // flat.dtype.type(array.shape[axis])
        np.subtract(flat, rest * flat.dtype.type(array.shape[axis]), out=found[:, axis])
        flat = rest
    found[:, 0] = flat
    return found


class _Distinct(NamedTuple):
    """The different values in order; of each, how often it is there and where it is first; of each element, its value's index.

    The last two are None where nobody asked."""

    values: np.ndarray
    counts: np.ndarray
    first: Any
    inverse: Any


def _distinct(array: np.ndarray, first: bool = False, inverse: bool = False) -> _Distinct:
    """As np.unique, but finds only what is asked for: integers of a narrow range are counted, others sorted without keeping an order."""
    flat = array.reshape(-1)
    if array.dtype == np.bool_:
        found = _distinct(flat.view(np.uint8), first, inverse)
        return found._replace(values=found.values.astype(np.bool_))
    if (
        array.dtype.itemsize == 2 and array.dtype.kind not in "iu"
    ):  # halves, of which float32 has all, and is sorted faster
        found = _distinct(flat.astype(np.float32), first, inverse)
        return found._replace(values=found.values.astype(array.dtype))
    if array.dtype.kind in "iu" and array.size:
        low, high = int(array.min()), int(array.max())
        if high - low <= _APART * array.size + 1024:
            return _counted(flat.astype(np.int64) - low, low, high, array.dtype, first, inverse)
    if array.dtype.kind not in "iuf" or (flat != flat).any() or not (first or inverse):  # NaN are equal there
        found = np.unique(flat, return_index=first, return_inverse=inverse, return_counts=True)
        places = iter(found[1:-1])
        return _Distinct(found[0], found[-1], next(places) if first else None, next(places) if inverse else None)
    order = np.argsort(flat)
    ordered = flat[order]
    new = np.ones(flat.size, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    earliest = np.minimum.reduceat(order, starts) if first and flat.size else order[starts]
    rank = np.empty(flat.size, np.int64)
    rank[order] = np.cumsum(new) - 1
    values = ordered[starts] if not first else flat[earliest]  # of 0 and -0 the one that comes first
    return _Distinct(values, np.diff(starts, append=flat.size), earliest, rank)


def _counted(shifted: np.ndarray, low: int, high: int, dtype: np.dtype, first: bool, inverse: bool) -> _Distinct:
    counts = np.bincount(shifted, minlength=high - low + 1)
    values = np.flatnonzero(counts)
    place, rank = None, None
    if first:
        place = np.empty(counts.size, np.int64)
        place[shifted[::-1]] = np.arange(shifted.size - 1, -1, -1)  # the last one written is the first element
        place = place[values]
    if inverse:
        rank = np.empty(counts.size, np.int64)
        rank[values] = np.arange(values.size)
        rank = rank[shifted]
    return _Distinct((values + low).astype(dtype), counts[values], place, rank)


def argwhere(input: Tensor) -> Tensor:
    """The coordinates of the elements that are not zero, see :func:`nonzero`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.argwhere(Tensor([0, 5])))
        [[1]]
    """
    return nonzero(input)


@old_names(x="input")
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask is True, as a vector.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.masked_select(Tensor([1, 2, 3]), Tensor([True, False, True])))
        [1 3]
    """
    for name, value in (("input", input), ("mask", mask)):
        if not isinstance(value, Tensor):
            raise refused(
                WrongObject, f"For 'masked_select', the '{name}' must be a Tensor, but got {type(value).__name__}."
            )
    if mask.dtype != dtypes.bool_:
        raise TypeError(f"For 'masked_select', the 'mask' must be a Tensor of dtype Bool, but got {mask.dtype}.")
    try:
        common = np.broadcast_shapes(input.shape, mask.shape)
    except ValueError:
        raise ValueError(
            f"For 'masked_select', the shapes of input and mask must broadcast, but got {input.shape} and {mask.shape}."
        ) from None
    return read(*(x if x.shape == common else broadcast_to(x, common) for x in (input, mask)))


@old_names(x="input")
def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """The different values in the order they first appear, and for each element where its value stands among them.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> values, indices = ops.unique(Tensor([3, 1, 3, 2]))
        >>> print(values, indices)
        [3 1 2] [0 1 0 2]
    """
    array = _values(input, "unique", "input", "ops.unique_with_pad, whose result has a fixed shape.")
    values, _, first, inverse = _distinct(array, first=True, inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    kind = np.int64 if array.dtype == np.int64 else np.int32
    return from_host(values[order]), from_host(rank[inverse.reshape(array.shape)].astype(kind))


def unique_sorted(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements (the different slices along ``dim``) in order, if wanted with the inverse indices
    and the count of each.

    Examples:
        >>> from mindspore import Tensor
        >>> values, counts = Tensor([3, 1, 3]).unique(return_counts=True)
        >>> print(values, counts)
        [1 3] [1 2]
    """
    check_bools("unique", sorted=sorted, return_inverse=return_inverse, return_counts=return_counts)
    array = _values(input, "Tensor.unique", "input", "ops.unique_with_pad, whose result has a fixed shape.")
    if dim is None:
        values, counts, _, inverse = _distinct(array, inverse=return_inverse)
    else:
        values, inverse, counts = np.unique(array, return_inverse=True, return_counts=True, axis=dim)
    shape = array.shape if dim is None else -1
    indices = [inverse.reshape(shape)] if return_inverse else []
    wanted = [values, *indices, *([counts] if return_counts else [])]
    results = [from_host(part) for part in wanted]
    return results[0] if len(results) == 1 else tuple(results)


@old_names(x="input", return_idx="return_inverse", axis="dim")
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Runs of equal elements (of equal slices along ``dim``) as a single element each.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unique_consecutive(Tensor([1, 1, 2, 2, 1])))
        [1 2 1]
    """
    check_bools("unique_consecutive", return_inverse=return_inverse, return_counts=return_counts)
    if dim is not None:
        check_ints("unique_consecutive", dim=dim)
    array = _values(input, "unique_consecutive", "input", "a fixed shape: there is no such operator in compiled code.")
    if dim is not None and not -array.ndim <= dim < array.ndim:
        allowed = f"[{-array.ndim}, {array.ndim})"
        raise ValueError(f"For 'UniqueConsecutive', the 'dim' must be in {allowed}, but got {dim}.")
    rows = array.reshape(-1) if dim is None else np.moveaxis(array, dim, 0)
    starts = np.ones(len(rows), bool)
    differ = rows[1:] != rows[:-1]
    starts[1:] = differ.any(tuple(range(1, rows.ndim))) if rows.ndim > 1 else differ
    results = [from_host(rows[starts] if dim is None else np.moveaxis(rows[starts], 0, dim))]
    if return_inverse:
        runs = np.cumsum(starts) - 1
        results.append(from_host(runs.reshape(array.shape) if dim is None else runs))
    if return_counts:
        results.append(from_host(np.diff(np.append(np.flatnonzero(starts), len(rows)))))
    return results[0] if len(results) == 1 else tuple(results)


@op(
    primitive="UniqueWithPad",
    method="unique_with_pad",
    test=lambda t: [
        t.case(np.array([3, 1, 3, 2]), 0, expect=lambda x, pad: (np.array([3, 1, 2, 0]), np.array([0, 1, 0, 2])))
    ],
)
def unique_with_pad(x: Array, pad_num: int):
    """The different values of a vector as they first appear, filled up with ``pad_num``, and each element's index.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.unique_with_pad(Tensor([3, 1, 3, 2]), 0)[0])
        [3 1 2 0]
    """
    require(x.ndim == 1, f"the 'x' must have 1 dimension, but got {x.ndim}.")
    count = x.shape[0]
    require(count, f"the 'x' must not be empty, but got shape {x.shape}.")
    equal = x[:, None] == x
    first = jnp.argmax(equal, axis=1)  # where each element's value first appears
    new = first == jnp.arange(count)
    rank = jnp.cumsum(new) - 1
    values = jnp.full(count, pad_num, x.dtype).at[jnp.where(new, rank, count)].set(x, mode="drop")
    return values, rank[first].astype(x.dtype if jnp.issubdtype(x.dtype, jnp.integer) else jnp.int32)


@op(
    public=False,
    test=lambda t: [
        t.case(np.array([0, 1, 1, 3]), None, 5, expect=lambda x, w, n: np.bincount(x, minlength=n).astype(np.float32)),
        t.case(np.array([0, 1, 1]), t.normal(3), 2, expect=lambda x, w, n: np.bincount(x, w).astype(np.float32)),
    ],
)
def _bincount(input: Array, weights: Array | None, length: int):
    """How often, or with which total weight, each number appears."""
    weights = jnp.ones(input.shape, jnp.float32) if weights is None else weights.astype(jnp.float32)
    text = f"For 'bincount', the 'weights' must have the input's shape {input.shape}, but got {weights.shape}."
    require(weights.shape == input.shape, text)
    numbers = input.astype(jnp.int64)  # a small dtype may not hold the length
    buckets = jnp.where(numbers < 0, length, numbers)  # negative numbers do not count
    return jnp.zeros(length, jnp.float32).at[buckets].add(weights, mode="drop")


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each of the numbers 0, 1, 2, ... appears in a vector, or the sum of the weights where it does.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bincount(Tensor([0, 1, 1, 3])))
        [1. 2. 0. 1.]
    """
    check_ints("bincount", minlength=minlength)
    array = _values(input, "bincount", "input", "ops.one_hot(x, length).sum(0), with a length you know.")
    if array.ndim != 1 or array.dtype.kind not in "biu":
        raise ValueError(f"For 'bincount', the 'input' must be a vector of integers, but got {input!r}.")
    if minlength < 0:
        raise ValueError(f"For 'bincount', the 'minlength' must be an int >= 0, but got {minlength!r}.")
    numbers = array.astype(np.int64, copy=False)
    if weights is None:  # nothing has a gradient
        counted = numbers[numbers >= 0] if numbers.min(initial=0) < 0 else numbers  # negative numbers do not count
        return from_host(np.bincount(counted, minlength=minlength).astype(np.float32))
    return _bincount(input, weights, max(int(numbers.max(initial=-1)) + 1, minlength))


@op(public=False, test=lambda t: [t.case(np.array([1, 3]), 4, expect=lambda x, n: np.arange(n) < x[:, None])])
def _sequence_mask(lengths: Array, maxlen: int):
    """True at the first ``lengths[i]`` positions of each row."""
    return jnp.arange(maxlen) < lengths[..., None]


def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    """A new axis, of length ``maxlen`` or that of the longest, that is True at the first ``lengths[i]`` positions.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.sequence_mask(Tensor([1, 3])))
        [[ True False False]
         [ True  True  True]]
    """
    if maxlen is None:
        maxlen = int(
            _values(lengths, "sequence_mask", "lengths", "give maxlen: ops.sequence_mask(lengths, maxlen).").max(
                initial=0
            )
        )
    return _sequence_mask(lengths, maxlen)


@register_primitive
class NonZero(Primitive):
    """The coordinates of the elements that are not zero, see :func:`mindspore.ops.nonzero`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.NonZero()(Tensor([[1, 0], [0, 2]])))
        [[0 0]
         [1 1]]
    """

    def __call__(self, input: Tensor) -> Tensor:
        return nonzero(input)


@register_primitive
class MaskedSelect(Primitive):
    """The elements where a mask is True, see :func:`mindspore.ops.masked_select`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MaskedSelect()(Tensor([1, 2, 3]), Tensor([True, False, True])))
        [1 3]
    """

    def __call__(self, input: Tensor, mask: Tensor) -> Tensor:
        return masked_select(input, mask)


@register_primitive
class Unique(Primitive):
    """The different values and where they stand, see :func:`mindspore.ops.unique`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> values, indices = ops.Unique()(Tensor([1, 2, 1]))
        >>> print(values, indices)
        [1 2] [0 1 0]
    """

    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]:
        return unique(input)


for _function in (nonzero, argwhere, masked_select, unique_consecutive, bincount):
    register_function(_function, method=_function.__name__)
register_function(unique)
register_function(sequence_mask)
attach("unique", unique_sorted)
