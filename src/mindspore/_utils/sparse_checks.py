"""Whether the parts of a sparse Tensor fit together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_INDEX_DTYPES = ("Int16", "Int32", "Int64")


def check_members(owner: str, tensors: dict[str, Any], tensor_class: type, shape: Any) -> None:
    """The members must be Tensors and the shape a tuple of positive numbers."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, tensor_class):
            raise TypeError(f"For {owner}, '{name}' must be Tensor, but got {type(tensor)}.")
    if not isinstance(shape, tuple):
        raise TypeError(f"For {owner}, 'shape' must be tuple, but got {type(shape)}.")
    for length in shape:
        if isinstance(length, bool) or not isinstance(length, int):
            raise TypeError(f"For {owner}, the element type of 'shape' must be int, but got {type(length)}")
        if length <= 0:
            raise ValueError(f"For {owner}, the element of 'shape' must be positive, but got {length} in {shape}.")


def _check_rank(owner: str, name: str, tensor: Any, rank: int) -> None:
    if tensor.ndim != rank:
        got = f"a {tensor.ndim}-dimensional tensor"
        raise ValueError(f"For {owner}, '{name}' must be a {rank}-dimensional tensor, but got {got}.")


def _check_index_dtype(owner: str, name: str, tensor: Any, allowed: Sequence[str] = _INDEX_DTYPES) -> None:
    if str(tensor.dtype) not in allowed:
        names = ", ".join(choice.lower() for choice in allowed)
        raise TypeError(f"For {owner}, the type of '{name}' must be one of [{names}], but got {tensor.dtype}.")


def check_coo(indices: Any, values: Any, shape: tuple[int, ...]) -> None:
    """The parts of a COOTensor: a row of 2 positions for each value."""
    if len(shape) != 2:
        raise ValueError(f"For COOTensor, the length of 'shape' must be 2, but got {shape}.")
    _check_index_dtype("COOTensor", "indices", indices)
    _check_rank("COOTensor", "indices", indices, 2)
    _check_rank("COOTensor", "values", values, 1)
    if indices.shape[0] != values.shape[0]:
        raise ValueError(
            "For COOTensor, 'indices.shape[0]' must be equal to 'values.shape[0]', but got 'indices.shape[0]' = "
            f"{indices.shape[0]} and 'values.shape[0]' = {values.shape[0]}."
        )
    if indices.shape[1] != 2:
        raise ValueError(f"For COOTensor, 'indices.shape[1]' must be 2, but got {indices.shape[1]}.")


def check_csr(indptr: Any, indices: Any, values: Any, shape: tuple[int, ...]) -> None:
    """The parts of a CSRTensor: where rows start, and a column for each value."""
    if len(shape) < 2:
        raise ValueError(f"For CSRTensor, the length of 'shape' must be at least 2, but got {shape}.")
    for name, tensor in (("indptr", indptr), ("indices", indices)):
        _check_index_dtype("CSRTensor", name, tensor)
        _check_rank("CSRTensor", name, tensor, 1)
    if indptr.shape[0] != shape[0] + 1:
        raise ValueError(f"For CSRTensor, indptr must have length (1 + shape[0]), but got: {indptr.shape[0]}")
    if values.ndim == 0 or indices.shape[0] != values.shape[0]:
        raise ValueError(
            "For CSRTensor, indices and values must equal in their shape, but got indices shape: "
            f"{indices.shape[0]}, values shape: {values.shape[0] if values.ndim else ()}."
        )
    if values.shape[1:] != shape[2:]:
        raise ValueError(f"For CSRTensor, values shape[1:] must be {shape[2:]}, but got: {values.shape[1:]}")
