"""Joining, cutting, ordering and indexing by PyTorch's argument names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore._engine.execution.views import reshaped, view_of
from mindspore._engine.operator.checked import check_bools, check_ints, check_tensors
from mindspore._engine.operator.overloads import overloaded
from mindspore.common.tensor import Tensor


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors concatenated along an axis.

    >>> print(cat([Tensor([1]), Tensor([2])]))
    [1 2]
    """
    return ops.cat(tensors, dim)


def concat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors concatenated along an axis, as :func:`cat`.

    >>> print(concat([Tensor([1]), Tensor([2])]))
    [1 2]
    """
    return ops.cat(tensors, dim)


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors beside each other along a new axis.

    >>> print(stack([Tensor([1]), Tensor([2])], dim=1))
    [[1 2]]
    """
    return ops.stack(tensors, dim)


def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of equal length, or of the given lengths.

    >>> [part.tolist() for part in split(Tensor([1, 2, 3]), 2)]
    [[1, 2], [3]]
    """
    return ops.split(tensor, split_size_or_sections, dim)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most this many parts.

    >>> [part.tolist() for part in chunk(Tensor([1, 2, 3]), 2)]
    [[1, 2], [3]]
    """
    return ops.chunk(input, chunks, dim)


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """``length`` elements of an axis from ``start``.

    >>> print(narrow(Tensor([1, 2, 3]), 0, 1, 2))
    [2 3]
    """
    return ops.narrow(input, dim, start, length)


def permute(input: Tensor, dims: Sequence[int]) -> Tensor:
    """The axes in another order.

    >>> permute(Tensor([[1, 2, 3]]), (1, 0)).shape
    (3, 1)
    """
    if not isinstance(dims, (tuple, list)):
        raise TypeError(
            f"For 'permute', the 'dims' must be a tuple of ints, but got {dims!r} of type {type(dims).__name__}."
        )
    return ops.permute(input, tuple(dims))


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two axes exchanged.

    >>> transpose(Tensor([[1, 2, 3]]), 0, 1).shape
    (3, 1)
    """
    return ops.swapaxes(input, dim0, dim1)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without the axes of length 1, all or these; an axis of another length stays.

    >>> squeeze(Tensor([[1, 2]]), 0).shape, squeeze(Tensor([[1, 2]]), 1).shape
    ((2,), (1, 2))
    """
    check_tensors("squeeze", input=input)
    if dim is None:
        return ops.squeeze(input)
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    for axis in dims:
        check_ints("squeeze", dim=axis)
        if not -max(input.ndim, 1) <= axis < max(input.ndim, 1):
            raise ValueError(
                f"For 'squeeze', the 'dim' must be in range [{-input.ndim}, {input.ndim}) for an input of {input.ndim} dimensions, "
                f"but got {axis}."
            )
    short = tuple(axis for axis in dims if input.shape[axis] == 1)
    return ops.squeeze(input, short) if short else input


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """With a new axis of length 1.

    >>> unsqueeze(Tensor([1, 2]), 0).shape
    (1, 2)
    """
    return ops.expand_dims(input, dim)


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The axes from ``start_dim`` to ``end_dim``, merged.

    >>> print(flatten(Tensor([[1, 2], [3, 4]])))
    [1 2 3 4]
    """
    return _flattened(input, "C", start_dim, end_dim)


_flattened = view_of(ops.flatten, reshaped, lambda args, kwargs: args)  # unlike that of ops it shares its elements


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix with this diagonal, or the diagonal of a matrix.

    >>> print(diag(Tensor([1, 2]), 1))
    [[0 1 0]
     [0 0 2]
     [0 0 0]]
    """
    check_tensors("diag", input=input)
    return input.diag(diagonal)


def trace(input: Tensor) -> Tensor:
    """The sum of the diagonal of a matrix.

    >>> print(trace(Tensor([[1.0, 2.0], [3.0, 4.0]])))
    5.0
    """
    return ops.trace(input)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """The coordinates of a grid; ``indexing`` is 'ij' unless it is given.

    >>> print(meshgrid(Tensor([1, 2]), Tensor([3, 4]))[0])
    [[1 1]
     [2 2]]
    """
    given = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    return ops.meshgrid(*given, indexing=indexing or "ij")


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The elements at the given indices of an axis.

    >>> print(gather(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]])))
    [[2]
     [3]]
    """
    return ops.gather_elements(input, dim, index)


def scatter(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """A copy with elements, or a number, written at the given indices of an axis.

    >>> print(scatter(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]]), 9))
    [[1 9]
     [9 4]]
    """
    check_tensors("scatter", input=input)
    values = src if isinstance(src, Tensor) else ops.full_like(index, src, dtype=input.dtype)
    return ops.tensor_scatter_elements(input, index, values, dim)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """A copy with elements added at the given indices of an axis.

    >>> print(scatter_add(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]]), Tensor([[5], [6]])))
    [[1 7]
     [9 4]]
    """
    return ops.tensor_scatter_elements(input, index, src, dim, "add")


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """A copy with ``alpha`` times the slices of ``source`` added to the slices at these indices.

    >>> print(index_add(Tensor([1.0, 2.0, 3.0]), 0, Tensor([0, 2]), Tensor([10.0, 20.0])))
    [11.  2. 23.]
    """
    check_tensors("index_add", input=input)
    return input.index_add(dim, index, source, alpha=alpha)


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices of an axis at these indices.

    >>> print(index_select(Tensor([1, 2, 3]), 0, Tensor([2, 0])))
    [3 1]
    """
    return ops.index_select(input, dim, index)


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """A slice of an axis, without the axis.

    >>> print(select(Tensor([[1, 2], [3, 4]]), 1, 0))
    [1 3]
    """
    check_tensors("select", input=input)
    return input.select(dim, index)


def _where(condition: Tensor, input: Any, other: Any) -> Tensor:
    """Elements of ``input`` where the condition is true, else of ``other``; without them, where it is true.

    >>> print(where(Tensor([True, False]), Tensor([1, 2]), 0))
    [1 0]
    >>> print(where(Tensor([True, False]))[0])
    [0]
    """
    return ops.where(condition, input, other)


def _true_places(input: Tensor) -> tuple[Tensor, ...]:
    return ops.nonzero(input, as_tuple=True)


def _true_places_of(condition: Tensor) -> tuple[Tensor, ...]:
    return ops.nonzero(condition, as_tuple=True)


where = overloaded("mint.where", _where, _true_places, _true_places_of)


def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """The elements in order, and where they stood; equal ones keep their order.

    >>> values, indices = sort(Tensor([3, 1, 2]))
    >>> print(values, indices)
    [1 2 3] [1 2 0]
    """
    check_bools("sort", descending=descending, stable=stable)
    values, indices = ops.sort(input, dim, descending)
    return values, indices.long()


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Where the elements stood before they were ordered.

    >>> print(argsort(Tensor([3, 1, 2])))
    [1 2 0]
    """
    check_bools("argsort", descending=descending, stable=stable)
    return ops.argsort(input, dim, descending).long()


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The ``k`` largest or smallest elements, and where they stood.

    >>> print(topk(Tensor([3, 1, 2]), 2)[0])
    [3 2]
    """
    check_ints("topk", k=k, dim=dim)
    values, indices = ops.topk(input, k, dim, largest, sorted)
    return values, indices.long()


def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
           dim: int | None = None) -> Any:  # fmt: skip
    """The sorted unique elements, if wanted with the index of each input element among them and the counts.

    >>> values, counts = unique(Tensor([3, 1, 3]), return_counts=True)
    >>> print(values, counts)
    [1 3] [1 2]
    """
    check_tensors("unique", input=input)
    if dim is not None:
        check_ints("unique", dim=dim)
        if not -max(input.ndim, 1) <= dim < max(input.ndim, 1):
            raise ValueError(f"For 'unique', the 'dim' must be in [{-input.ndim}, {input.ndim}), but got {dim}.")
    return input.unique(sorted, return_inverse, return_counts, dim)


def repeat_interleave(input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Tensor:
    """Each element, or each slice of an axis, several times.

    >>> print(repeat_interleave(Tensor([1, 2]), 2))
    [1 1 2 2]
    """
    return ops.repeat_interleave(input, repeats, dim, output_size)
