"""Datasets: immutable descriptions of pipelines. Nothing is read before an iterator asks for rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.batches import BatchInfo, Finish
from mindspore.dataset._pipeline.nodes.batching import BatchNode, BucketBatchByLengthNode
from mindspore.dataset._pipeline.nodes.joining import ConcatNode, ZipNode
from mindspore.dataset._pipeline.nodes.ordering import PartNode, RepeatNode, ShuffleNode, SkipNode, TakeNode
from mindspore.dataset._pipeline.nodes.outputs import Outputs
from mindspore.dataset._pipeline.nodes.shaping import FilterNode, MapNode, ProjectNode, RenameNode
from mindspore.dataset._pipeline.nodes.tree import TreeNode
from mindspore.dataset._pipeline.nodes.waiting import SyncWaitNode, Waiting
from mindspore.dataset._pipeline.random_orders.exact_random import buffered_order, mersenne_64
from mindspore.dataset._pipeline.training_dataset import (
    _get_training_dataset as _get_training_dataset,
)
from mindspore.dataset._pipeline.training_dataset import (
    _reset_training_dataset as _reset_training_dataset,
)
from mindspore.dataset._pipeline.training_dataset import (
    _set_training_dataset as _set_training_dataset,
)
from mindspore.dataset.callback.ds_callback import DSCallback
from mindspore.dataset.core import config
from mindspore.dataset.core.checks import check_callable
from mindspore.dataset.core.source_arguments import check_source
from mindspore.dataset.engine.cache_client import DatasetCache

__all__ = [
    "AudioBaseDataset",
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "Dataset",
    "FilterDataset",
    "MapDataset",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RenameDataset",
    "RepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "SourceDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "TextBaseDataset",
    "UnionBaseDataset",
    "VisionBaseDataset",
    "ZipDataset",
    "zip",
]


class Dataset(Waiting, TreeNode, Outputs):
    """A pipeline of data. Every method returns a new pipeline; the old stays as it is.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3, 4], ["x"], shuffle=False)
        >>> dataset = dataset.map(lambda x: x * 10, input_columns=["x"]).batch(2)
        >>> for (x,) in dataset.create_tuple_iterator(num_epochs=1):
        ...     print(x)
        [10 20]
        [30 40]
        >>> isinstance(dataset, ds.Dataset), dataset.get_dataset_size()
        (True, 2)
    """

    # To type checkers, a changed pipeline is of the class it was made from: programs keep it under the same name.
    # -- transformations ---------------------------------------------------------------------------------------------
    def map(
        self,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: Any = None,
        offload: bool | None = None,
        column_order: Any = None,
    ) -> Self:
        """Apply operations, one after the other, to some columns of every row.

        Args:
            operations: a transform, a function of the columns, or a list of them.
            input_columns: names of the columns they take; None for the first.
            output_columns: names of what they return, where it is not the same columns.
            column_order: names of the columns to keep, in order.

        Examples:
            >>> import mindspore.dataset as ds
            >>> data = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False).map(lambda x: x * 10, "x")
            >>> [int(row["x"]) for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
            [10, 20]
        """
        if isinstance(num_parallel_workers, (list, tuple)):  # up to 1.x, the order of columns stood before the workers
            workers = None if isinstance(python_multiprocessing, bool) else python_multiprocessing
            return self.map(operations, input_columns, output_columns, workers, column_order=num_parallel_workers)
        mapped = MapDataset(
            self,
            operations,
            input_columns,
            output_columns,
            num_parallel_workers,
            python_multiprocessing,
            None if cache is None else check.of_type("cache", cache, DatasetCache),
            check.callbacks(callbacks, DSCallback),
            max_rowsize,
            offload,
        )
        return mapped if column_order is None else mapped.project(column_order)  # type: ignore[return-value]

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        column_order: Any = None,
        pad_info: dict[Any, Any] | None = None,
        python_multiprocessing: bool = False,
        max_rowsize: Any = None,
    ) -> Self:
        """Put rows together, ``batch_size`` of them at a time.

        Args:
            batch_size: a number, or a function of a BatchInfo; -1 for the batches of a ``batch_sampler``.
            drop_remainder: whether a last smaller batch is left out.
            per_batch_map: a function of lists of columns and a BatchInfo, called for every batch before it is stacked.
            pad_info: see :meth:`padded_batch`.

        Examples:
            >>> import mindspore.dataset as ds
            >>> data = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).batch(2)
            >>> [row["x"].tolist() for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
            [[1, 2], [3]]
        """
        check.flag("python_multiprocessing", python_multiprocessing)
        check.row_size(max_rowsize)
        if per_batch_map is not None:
            check_callable("batch", "per_batch_map", per_batch_map)
        if input_columns is not None and per_batch_map is None:
            raise ValueError("input_columns can be specified only when per_batch_map is set.")
        columns = check.names(input_columns, "input_columns", "batch")
        if per_batch_map is not None and columns is not None:
            check.takes(per_batch_map, len(columns) + 1, "per_batch_map", f"the columns {columns} and a BatchInfo")
        finish = Finish(
            per_batch_map,
            columns,
            check.names(output_columns, "output_columns", "batch"),
            check.padding(pad_info, "batch"),
            pad_info is not None,
        )
        batched = BatchDataset(self, batch_size, drop_remainder, num_parallel_workers, finish)
        return batched if column_order is None else batched.project(column_order)  # type: ignore[return-value]

    def padded_batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[Any, Any] | None = None,
    ) -> Self:
        """Batches of rows that are padded to the same shape.

        Args:
            pad_info: column name -> (shape, value); None in a shape, or for it, means the largest of the batch; {} pads
                all columns with 0, None pads none.

        Examples:
            >>> import numpy as np
            >>> import mindspore.dataset as ds
            >>> data = ds.GeneratorDataset([np.ones(1), np.ones(2)], ["x"], shuffle=False).padded_batch(2, pad_info={})
            >>> [row["x"].tolist() for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
            [[[1.0, 0.0], [1.0, 1.0]]]
        """
        if not callable(batch_size):
            check.number("padded_batch", "batch_size", batch_size, low=1)
        finish = Finish(pad_info=check.padding(pad_info, "padded_batch"), pads=pad_info is not None)
        return PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, finish)  # type: ignore[return-value]

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        element_length_function: Callable[..., Any] | None = None,
        pad_info: dict[Any, Any] | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Self:
        """Batches of rows of similar length.

        Args:
            column_names: the columns the length is taken from.
            bucket_boundaries: increasing lengths that separate the buckets.
            bucket_batch_sizes: the batch size of each bucket, one more than there are boundaries.
            element_length_function: gives the length of a row; without it the first axis of the only column.
            pad_info: see :meth:`padded_batch`.
            pad_to_bucket_boundary: whether None in pad_info means the boundary of the bucket.
        """
        check.of_type("column_names", column_names, list)
        return BucketBatchByLengthDataset(  # type: ignore[return-value]
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def shuffle(self, buffer_size: int) -> Self:
        """Random order: each row is drawn from a buffer of ``buffer_size`` rows."""
        return ShuffleDataset(self, buffer_size)  # type: ignore[return-value]

    def repeat(self, count: int | None = None) -> Self:
        """Several passes over the data; None or -1 for no end."""
        return RepeatDataset(self, count)  # type: ignore[return-value]

    def take(self, count: int = -1) -> Self:
        """The first ``count`` rows; -1 for all."""
        return TakeDataset(self, count)  # type: ignore[return-value]

    def skip(self, count: int) -> Self:
        """All but the first ``count`` rows."""
        return SkipDataset(self, count)  # type: ignore[return-value]

    def zip(self, datasets: Any) -> Self:
        """Datasets side by side, as long as the shortest; their column names must differ."""
        others = (datasets,) if isinstance(datasets, Dataset) else check.of_type("datasets", datasets, tuple, Dataset)
        return ZipDataset(check.datasets("zip", (self, *others)))  # type: ignore[return-value]

    def concat(self, datasets: Any) -> Self:
        """Datasets behind each other; ``a + b`` does the same."""
        others = (
            [datasets] if isinstance(datasets, Dataset) else check.of_type("datasets", datasets, list, tuple, Dataset)
        )
        if not others:
            raise RuntimeError("Concat: concatenated datasets are not specified: give a dataset, or a list of them.")
        return ConcatDataset(check.datasets("concat", [self, *others]))  # type: ignore[return-value]

    def __add__(self, other: Dataset) -> Self:
        return self.concat(other)

    def filter(
        self, predicate: Callable[..., Any], input_columns: Any = None, num_parallel_workers: int | None = None
    ) -> Self:
        """The rows for which a function of some columns is true."""
        return FilterDataset(self, predicate, input_columns, num_parallel_workers)  # type: ignore[return-value]

    def flat_map(self, func: Callable[..., Any]) -> Self:
        """The datasets that ``func`` makes of the rows, behind each other. It is called at once, with the arrays of every row.

        Examples:
            >>> import mindspore.dataset as ds
            >>> counts = ds.NumpySlicesDataset([1, 2], ["n"], shuffle=False)
            >>> dataset = counts.flat_map(lambda n: ds.NumpySlicesDataset([int(n)] * int(n), ["x"], shuffle=False))
            >>> [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
            [1, 2, 2]
        """
        if not callable(func):
            raise TypeError("func must be a function that returns a dataset.")
        rows = self.create_tuple_iterator(num_epochs=1, output_numpy=True)
        try:
            made = [func(*row) for row in rows]
        finally:
            rows.stop()
        for number, dataset in enumerate(made):
            if not isinstance(dataset, Dataset):
                raise TypeError(f"flat_map must return a Dataset object, but got {dataset!r} for row {number}.")
        if not made:
            raise TypeError("flat_map must return a Dataset object, but the dataset has no row to make one of.")
        return made[0] if len(made) == 1 else ConcatDataset(made)  # type: ignore[return-value]

    def project(self, columns: Any) -> Self:
        """Some columns, in this order."""
        return ProjectDataset(self, columns)  # type: ignore[return-value]

    def rename(self, input_columns: Any, output_columns: Any) -> Self:
        """Other names for columns."""
        return RenameDataset(self, input_columns, output_columns)  # type: ignore[return-value]

    def apply(self, apply_func: Callable[[Self], Any]) -> Self:
        """What a function makes of the dataset."""
        if not callable(apply_func):
            raise TypeError("apply_func must be a function.")
        result = apply_func(self)
        if not isinstance(result, Dataset):
            raise TypeError("apply_func must return a dataset.")
        return result  # type: ignore[return-value]

    def sync_wait(self, condition_name: str, num_batch: int = 1, callback: Callable[..., Any] | None = None) -> Self:
        """Hold rows back until :meth:`sync_update` is called, every ``num_batch`` rows."""
        return SyncWaitDataset(self, condition_name, num_batch, callback)  # type: ignore[return-value]

    def split(self, sizes: Sequence[float], randomize: bool = True) -> tuple[Dataset, ...]:
        """Parts of the dataset, by number of rows or by fractions that sum to 1.

        Args:
            randomize: whether rows are shuffled before they are divided.
        """
        total = self.get_dataset_size()
        counts = check.split_sizes(sizes, total)
        order = list(range(total))
        if check.flag("randomize", randomize):
            order = self._order_to_split(total, config.pipeline_seed())
        bounds = np.cumsum([0, *counts]).tolist()
        return tuple(_PartDataset(self, order[start:stop]) for start, stop in zip_(bounds[:-1], bounds[1:]))

    def _order_to_split(self, total: int, seed: int) -> list[int]:
        """The random order that is divided: that of a shuffle."""
        return buffered_order(total, total, mersenne_64(seed).__next__)


zip_ = zip  # the module's own `zip`, below, is about datasets


class SourceDataset(Dataset):
    """Base of datasets that read something, rather than change what others read.

    Raises:
        TypeError: If an argument that sources have in common, such as ``num_samples`` or ``shuffle``, has a wrong type.
        ValueError: If one of them is out of range.

    Examples:
        >>> import mindspore.dataset as ds
        >>> isinstance(ds.NumpySlicesDataset([1]), ds.Dataset), issubclass(ds.SourceDataset, ds.Dataset)
        (True, True)
    """

    def __new__(cls, /, *arguments: Any, **keywords: Any) -> Self:
        check_source(cls, arguments, keywords)
        return super().__new__(cls)


class VisionBaseDataset(Dataset):
    """Base of datasets of images.

    Examples:
        >>> import mindspore.dataset as ds
        >>> issubclass(ds.MnistDataset, ds.VisionBaseDataset), issubclass(ds.IMDBDataset, ds.VisionBaseDataset)
        (True, False)
    """


class TextBaseDataset(Dataset):
    """Base of datasets of texts.

    Examples:
        >>> import mindspore.dataset as ds
        >>> issubclass(ds.IMDBDataset, ds.TextBaseDataset), issubclass(ds.MnistDataset, ds.TextBaseDataset)
        (True, False)
    """


class AudioBaseDataset(Dataset):
    """Base of datasets of waves.

    Examples:
        >>> import mindspore.dataset as ds
        >>> issubclass(ds.YesNoDataset, ds.AudioBaseDataset), issubclass(ds.MnistDataset, ds.AudioBaseDataset)
        (True, False)
    """


class UnionBaseDataset(VisionBaseDataset, TextBaseDataset, AudioBaseDataset):
    """Base of datasets that may hold anything.

    Examples:
        >>> import mindspore.dataset as ds
        >>> issubclass(ds.GeneratorDataset, ds.UnionBaseDataset), issubclass(ds.MnistDataset, ds.UnionBaseDataset)
        (True, False)
    """


class MapDataset(MapNode, UnionBaseDataset):
    """The result of :meth:`Dataset.map`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).map(lambda x: x + 1, ["x"])
        >>> isinstance(dataset, ds.MapDataset), [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        (True, [2, 3])
    """


class BatchDataset(BatchNode, UnionBaseDataset):
    """The result of :meth:`Dataset.batch`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).batch(2)
        >>> isinstance(dataset, ds.BatchDataset), len(dataset)
        (True, 2)
    """


class PaddedBatchDataset(BatchDataset):
    """The result of :meth:`Dataset.padded_batch`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.GeneratorDataset(lambda: (([1] * n,) for n in (1, 2)), ["x"]).padded_batch(2, pad_info={})
        >>> for (x,) in dataset.create_tuple_iterator(num_epochs=1):
        ...     print(x)
        [[1 0]
         [1 1]]
    """


class BucketBatchByLengthDataset(BucketBatchByLengthNode, UnionBaseDataset):
    """The result of :meth:`Dataset.bucket_batch_by_length`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.GeneratorDataset(lambda: (([1] * n,) for n in (1, 5, 2, 6)), ["x"])
        >>> dataset = dataset.bucket_batch_by_length(["x"], [4], [2, 2], pad_info={"x": ([None], 0)})
        >>> for (x,) in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
        ...     print(x.shape)
        (2, 2)
        (2, 6)
    """


class ShuffleDataset(ShuffleNode, UnionBaseDataset):
    """The result of :meth:`Dataset.shuffle`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset(list(range(4)), ["x"], shuffle=False).shuffle(4)
        >>> isinstance(dataset, ds.ShuffleDataset), sorted(int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1))
        (True, [0, 1, 2, 3])
    """


class RepeatDataset(RepeatNode, UnionBaseDataset):
    """The result of :meth:`Dataset.repeat`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).repeat(2)
        >>> isinstance(dataset, ds.RepeatDataset), [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        (True, [1, 2, 1, 2])
    """


class TakeDataset(TakeNode, UnionBaseDataset):
    """The result of :meth:`Dataset.take`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).take(2)
        >>> isinstance(dataset, ds.TakeDataset), [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        (True, [1, 2])
    """


class SkipDataset(SkipNode, UnionBaseDataset):
    """The result of :meth:`Dataset.skip`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).skip(2)
        >>> isinstance(dataset, ds.SkipDataset), [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        (True, [3])
    """


class ConcatDataset(ConcatNode, UnionBaseDataset):
    """The result of :meth:`Dataset.concat`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> first, second = (ds.NumpySlicesDataset([number], ["x"], shuffle=False) for number in (1, 2))
        >>> dataset = first + second
        >>> isinstance(dataset, ds.ConcatDataset), [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        (True, [1, 2])
    """


class ZipDataset(ZipNode, UnionBaseDataset):
    """The result of :meth:`Dataset.zip`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> numbers = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
        >>> squares = ds.NumpySlicesDataset([1, 4], ["y"], shuffle=False)
        >>> dataset = ds.zip((numbers, squares))
        >>> isinstance(dataset, ds.ZipDataset), dataset.get_col_names()
        (True, ['x', 'y'])
    """


class FilterDataset(FilterNode, UnionBaseDataset):
    """The result of :meth:`Dataset.filter`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).filter(lambda x: x > 1, ["x"])
        >>> isinstance(dataset, ds.FilterDataset), [int(x) for (x,) in dataset.create_tuple_iterator(num_epochs=1)]
        (True, [2, 3])
    """


class ProjectDataset(ProjectNode, UnionBaseDataset):
    """The result of :meth:`Dataset.project`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset({"x": [1], "y": [2]}, shuffle=False).project(["y"])
        >>> isinstance(dataset, ds.ProjectDataset), dataset.get_col_names()
        (True, ['y'])
    """


class RenameDataset(RenameNode, UnionBaseDataset):
    """The result of :meth:`Dataset.rename`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1], ["x"], shuffle=False).rename("x", "image")
        >>> isinstance(dataset, ds.RenameDataset), dataset.get_col_names()
        (True, ['image'])
    """


class SyncWaitDataset(SyncWaitNode, UnionBaseDataset):
    """The result of :meth:`Dataset.sync_wait`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).sync_wait("step", 1)
        >>> for (x,) in dataset.create_tuple_iterator(num_epochs=1):
        ...     print(x)
        ...     dataset.sync_update("step")
        1
        2
    """


class _PartDataset(PartNode, UnionBaseDataset):
    """A part of :meth:`Dataset.split`: a subset of the rows of the dataset, which is read in its own order."""


def zip(datasets: Any) -> Dataset:
    """Datasets side by side, as long as the shortest; their column names must differ.

    Examples:
        >>> import mindspore.dataset as ds
        >>> first = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
        >>> second = ds.NumpySlicesDataset({"y": [3, 4]}, shuffle=False)
        >>> [[int(value) for value in row] for row in ds.zip((first, second))]
        [[1, 3], [2, 4]]
    """
    if len(check.of_type("datasets", datasets, tuple)) < 2:
        raise ValueError("Can't zip empty or just one dataset! Pass a tuple of two or more.")
    return ZipDataset(check.datasets("zip", datasets))


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """All datasets stood here up to 1.6."""
        package = import_module("mindspore.dataset")
        if name in package.__all__:
            return getattr(package, name)
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
