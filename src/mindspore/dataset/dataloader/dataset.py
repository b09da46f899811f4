"""What a DataLoader loads from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

__all__ = ["Dataset", "IterableDataset", "TensorDataset"]

Sample = TypeVar("Sample", covariant=True)


class Dataset(Generic[Sample]):
    """Samples by number: a subclass defines ``__getitem__``, and ``__len__`` for the samplers.

    Examples:
        >>> from mindspore.dataset.dataloader import DataLoader, Dataset
        >>> class Squares(Dataset):
        ...     def __getitem__(self, index):
        ...         return index * index
        ...
        ...     def __len__(self):
        ...         return 3
        >>> [batch.asnumpy().tolist() for batch in DataLoader(Squares(), batch_size=2)]
        [[0, 1], [4]]
    """

    def __getitem__(self, index: Any) -> Sample:
        raise NotImplementedError(f"For '{type(self).__name__}', define '__getitem__(self, index)' in the subclass.")


class IterableDataset(Dataset[Sample], ABC):
    """Samples one after the other: a subclass defines ``__iter__``.

    With several workers each of them iterates: :func:`get_worker_info` tells which part is whose.

    Examples:
        >>> from mindspore.dataset.dataloader import DataLoader, IterableDataset
        >>> class Count(IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(4))
        >>> [batch.tolist() for batch in DataLoader(Count(), batch_size=2)]
        [[0, 1], [2, 3]]
    """

    @abstractmethod
    def __iter__(self) -> Iterator[Any]: ...


class TensorDataset(Dataset):
    """Rows of Tensors of the same length.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.dataset.dataloader import TensorDataset
        >>> TensorDataset(Tensor([1, 2]), Tensor([3.0, 4.0]))[1]
        (Tensor(shape=[], dtype=Int64, value= 2), Tensor(shape=[], dtype=Float32, value= 4))
    """

    def __init__(self, *tensors: Any):
        if any(one.shape[0] != tensors[0].shape[0] for one in tensors):
            raise ValueError("All tensors must have the same size in the first dimension.")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(one[index] for one in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]
