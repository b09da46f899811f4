"""The order in which a DataLoader takes samples."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler"]

Index = TypeVar("Index", covariant=True)


class Sampler(Generic[Index]):
    """Base of samplers: a subclass defines ``__iter__``, and ``__len__`` where the number is known.

    Examples:
        >>> from mindspore.dataset.dataloader import DataLoader, Sampler
        >>> class Backwards(Sampler):
        ...     def __iter__(self):
        ...         return iter((2, 1, 0))
        ...     def __len__(self):
        ...         return 3
        >>> [batch.tolist() for batch in DataLoader([5, 6, 7], batch_size=2, sampler=Backwards())]
        [[7, 6], [5]]
    """

    def __init__(self, data_source: Any = None):
        self.data_source = data_source

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"For '{type(self).__name__}', define '__iter__(self)' in the subclass.")


class SequentialSampler(Sampler):
    """One after the other.

    Examples:
        >>> from mindspore.dataset.dataloader import SequentialSampler
        >>> list(SequentialSampler("abc"))
        [0, 1, 2]
    """

    def __init__(self, data_source: Any):
        super().__init__(data_source)

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """In random order, as long as ``num_samples`` asks.

    Args:
        data_source: something with a length.
        replacement: whether a sample may come more than once.
        num_samples: how many; the length by default.
        generator: a NumPy generator; a new one for every pass, seeded by NumPy's global one, by default.

    Examples:
        >>> import numpy as np
        >>> from mindspore.dataset.dataloader import RandomSampler
        >>> list(RandomSampler(range(6), generator=np.random.default_rng(1)))
        [4, 0, 2, 1, 5, 3]
    """

    def __init__(
        self, data_source: Any, replacement: bool = False, num_samples: int | None = None, generator: Any = None
    ):
        super().__init__(data_source)
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement must be bool, but got: {type(replacement).__name__}")
        if num_samples is not None and (
            isinstance(num_samples, bool) or not isinstance(num_samples, int) or num_samples < 1
        ):
            raise ValueError(f"num_samples must be a positive integer value, but got num_samples = {num_samples}")
        self.replacement, self._num_samples, self.generator = replacement, num_samples, generator

    @property
    def num_samples(self) -> int:
        """The number of samples of a pass."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator = self.generator or np.random.default_rng(np.random.randint(2**31))
        count = len(self.data_source)
        if self.replacement:
            return iter(generator.integers(0, count, self.num_samples).tolist())
        passes = (generator.permutation(count).tolist() for _ in itertools.count())
        return itertools.islice(itertools.chain.from_iterable(passes if count else ()), self.num_samples)

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of ``batch_size`` indices of another sampler.

    Examples:
        >>> from mindspore.dataset.dataloader import BatchSampler
        >>> list(BatchSampler(range(5), 2, drop_last=False))
        [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Sampler | Iterable[Any], batch_size: int, drop_last: bool):
        super().__init__()
        if isinstance(batch_size, bool) or not isinstance(batch_size, int):
            raise TypeError(f"batch_size must be {int}, but got: {type(batch_size).__name__}.")
        if batch_size < 1:
            raise ValueError(f"batch_size must be positive, but got: {batch_size}.")
        if not isinstance(drop_last, bool):
            raise TypeError(f"drop_last must be {bool}, but got: {type(drop_last).__name__}.")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        count: int = len(self.sampler)  # type: ignore[arg-type]
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
