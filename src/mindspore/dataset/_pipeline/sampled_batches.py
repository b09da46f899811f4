"""A source of batches: the rows of another source that a ``batch_sampler`` names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.values import columns_of, stack, to_array
from mindspore.dataset.core.checks import check_callable, shown


class SampledBatches:
    """One batch per list of indices; ``collate_fn`` is given a list of values per column, and stacked arrays otherwise."""

    def __init__(self, source: Any, batch_sampler: Any, collate_fn: Callable[..., Any] | None):
        if not hasattr(source, "__getitem__"):
            raise ValueError("batch_sampler is not supported if source does not have attribute '__getitem__'.")
        if not hasattr(batch_sampler, "__iter__"):
            raise TypeError(
                f"batch_sampler should have __getitem__ or __iter__ method, but got {shown(batch_sampler)}."
            )
        self.source = source
        self.batch_sampler = batch_sampler
        self.collate = _stacked if collate_fn is None else check_callable("GeneratorDataset", "collate_fn", collate_fn)

    def __len__(self) -> int:
        return len(self.batch_sampler) if hasattr(self.batch_sampler, "__len__") else sum(1 for _ in self.batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        for indices in self.batch_sampler:
            if not isinstance(indices, (list, tuple, np.ndarray)):
                raise TypeError(f"Batch sampler should return a list of indices, but got {shown(indices)}.")
            rows = [self.source[int(index)] for index in indices]
            columns = zip(*map(columns_of, rows), strict=True)
            made = self.collate(*map(list, columns))
            made = made if isinstance(made, tuple) else (made,)
            for number, column in enumerate(made):
                if isinstance(column, list) and len(column) != len(rows):
                    raise ValueError(
                        f"Invalid data, 'collate_fn' returned a list of {len(column)} for column {number} of a batch of {len(rows)} "
                        "rows. Return one value per row, or an array."
                    )
            yield made


def _stacked(*columns: list[Any]) -> tuple[np.ndarray, ...]:
    return tuple(
        stack([to_array(value) for value in column], f"column {number}") for number, column in enumerate(columns)
    )
