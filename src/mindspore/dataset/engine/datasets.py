"""Datasets: immutable descriptions of pipelines. Nothing is read before an iterator asks for rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.batches import BatchInfo, BatchStage, Finish
from mindspore.dataset._pipeline.buckets import BucketStage
from mindspore.dataset._pipeline.concatenation import ConcatStage, MixedStage, ShareStage, check_sampler
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.errors import function_name, pipeline_error, users_code
from mindspore.dataset._pipeline.exact_random import shuffle as exact_shuffle
from mindspore.dataset._pipeline.rows import Columns, Rows, each
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.saving import save_rows
from mindspore.dataset._pipeline.stages import (
    FilterStage,
    FlatMapStage,
    RepeatStage,
    ShuffleStage,
    Stage,
    StepStage,
    WindowStage,
    ZipStage,
)
from mindspore.dataset._pipeline.steps import MapStep, ProjectStep, RenameStep
from mindspore.dataset._pipeline.tolerant import tolerant
from mindspore.dataset._pipeline.transfer import TransferDataset
from mindspore.dataset.core import config
from mindspore.dataset.core.source_arguments import check_source
from mindspore.dataset.engine.samplers import DistributedSampler, RandomSampler, SequentialSampler, SubsetSampler
from mindspore.dataset.text.utils import SentencePieceVocab, Vocab

__all__ = [
    "AudioBaseDataset",
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "Dataset",
    "FilterDataset",
    "FlatMapDataset",
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


class Dataset(DatasetQuestions):
    """A pipeline of data. Every method returns a new pipeline; the old stays as it is."""

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
    ) -> Dataset:
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
            cache,
            callbacks,
            max_rowsize,
            offload,
        )
        return mapped if column_order is None else mapped.project(column_order)

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        column_order: Any = None,
        pad_info: dict | None = None,
        python_multiprocessing: bool = False,
        max_rowsize: Any = None,
    ) -> Dataset:
        """Put rows together, ``batch_size`` of them at a time.

        Args:
            batch_size: a number, -1 for all rows, or a function of a BatchInfo.
            drop_remainder: whether a last smaller batch is left out.
            per_batch_map: a function of lists of columns and a BatchInfo, called for every batch before it is stacked.
            pad_info: see :meth:`padded_batch`.

        Examples:
            >>> import mindspore.dataset as ds
            >>> data = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False).batch(2)
            >>> [row["x"].tolist() for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
            [[1, 2], [3]]
        """
        if input_columns is not None and per_batch_map is None:
            raise ValueError("input_columns can be specified only when per_batch_map is set.")
        finish = Finish(
            per_batch_map,
            check.names(input_columns, "input_columns", "batch"),
            check.names(output_columns, "output_columns", "batch"),
            check.padding(pad_info, "batch"),
            pad_info is not None,
        )
        batched = BatchDataset(self, batch_size, drop_remainder, num_parallel_workers, finish)
        return batched if column_order is None else batched.project(column_order)

    def padded_batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict | None = None,
    ) -> Dataset:
        """Batches of rows that are padded to the same shape.

        Args:
            pad_info: column name -> (shape, value); None in a shape, or for it, means the largest of the batch. Without it all
                columns are padded with 0.

        Examples:
            >>> import numpy as np
            >>> import mindspore.dataset as ds
            >>> data = ds.GeneratorDataset([np.ones(1), np.ones(2)], ["x"], shuffle=False).padded_batch(2)
            >>> [row["x"].tolist() for row in data.create_dict_iterator(output_numpy=True, num_epochs=1)]
            [[[1.0, 0.0], [1.0, 1.0]]]
        """
        finish = Finish(pad_info=check.padding(pad_info, "padded_batch") or None, pads=True)
        return PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, finish)

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        element_length_function: Callable | None = None,
        pad_info: dict | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Dataset:
        """Batches of rows of similar length.

        Args:
            column_names: the columns the length is taken from.
            bucket_boundaries: increasing lengths that separate the buckets.
            bucket_batch_sizes: the batch size of each bucket, one more than there are boundaries.
            element_length_function: gives the length of a row; without it the first axis of the only column.
            pad_info: see :meth:`padded_batch`.
            pad_to_bucket_boundary: whether None in pad_info means the boundary of the bucket.
        """
        return BucketBatchByLengthDataset(
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def shuffle(self, buffer_size: int) -> Dataset:
        """Random order: each row is drawn from a buffer of ``buffer_size`` rows."""
        return ShuffleDataset(self, buffer_size)

    def repeat(self, count: int | None = None) -> Dataset:
        """Several passes over the data; None or -1 for no end."""
        return RepeatDataset(self, count)

    def take(self, count: int = -1) -> Dataset:
        """The first ``count`` rows; -1 for all."""
        return TakeDataset(self, count)

    def skip(self, count: int) -> Dataset:
        """All but the first ``count`` rows."""
        return SkipDataset(self, count)

    def zip(self, datasets: Any) -> Dataset:
        """Datasets side by side, as long as the shortest; their column names must differ."""
        others = (datasets,) if isinstance(datasets, Dataset) else datasets
        return ZipDataset(check.datasets("zip", (self, *others)))

    def concat(self, datasets: Any) -> Dataset:
        """Datasets behind each other; ``a + b`` does the same."""
        others = [datasets] if isinstance(datasets, Dataset) else list(datasets)
        return ConcatDataset(check.datasets("concat", [self, *others]))

    def __add__(self, other: Dataset) -> Dataset:
        return self.concat(other)

    def filter(
        self, predicate: Callable, input_columns: Any = None, num_parallel_workers: int | None = None
    ) -> Dataset:
        """The rows for which a function of some columns is true."""
        return FilterDataset(self, predicate, input_columns, num_parallel_workers)

    def flat_map(self, func: Callable) -> Dataset:
        """The rows of the datasets that ``func`` makes of every row."""
        return FlatMapDataset(self, func)

    def project(self, columns: Any) -> Dataset:
        """Some columns, in this order."""
        return ProjectDataset(self, columns)

    def rename(self, input_columns: Any, output_columns: Any) -> Dataset:
        """Other names for columns."""
        return RenameDataset(self, input_columns, output_columns)

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """What a function makes of the dataset."""
        if not callable(apply_func):
            raise TypeError("apply_func must be a function.")
        result = apply_func(self)
        if not isinstance(result, Dataset):
            raise TypeError("apply_func must return a dataset.")
        return result

    def sync_wait(self, condition_name: str, num_batch: int = 1, callback: Callable | None = None) -> Dataset:
        """Hold rows back until :meth:`sync_update` is called, every ``num_batch`` rows."""
        return SyncWaitDataset(self, condition_name, num_batch, callback)

    def split(self, sizes: Sequence[float], randomize: bool = True) -> tuple[Dataset, ...]:
        """Parts of the dataset, by number of rows or by fractions that sum to 1.

        Args:
            randomize: whether rows are shuffled before they are divided.
        """
        total = self.get_dataset_size()
        counts = check.split_sizes(sizes, total)
        order = list(range(total))
        if randomize:
            exact_shuffle(order, config.pipeline_seed())
        bounds = np.cumsum([0, *counts]).tolist()
        return tuple(_PartDataset(self, order[start:stop]) for start, stop in zip_(bounds[:-1], bounds[1:]))

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """The pipeline as a dict, also written to a file if a name is given, as :func:`mindspore.dataset.serialize` does."""
        serializer = import_module("mindspore.dataset.engine.serializer_deserializer")  # which needs this module
        return serializer.serialize(self, filename)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write all rows of one epoch to MindRecord files.

        Args:
            file_name: path of the file; with several files a number is added.
            num_files: how many files to divide the rows among.
            file_type: 'mindrecord' is the only type.
        """
        if file_type != "mindrecord":
            raise ValueError(f"{file_type} dataset format is not supported; the only one is 'mindrecord'.")
        save_rows(self.create_dict_iterator(num_epochs=1, output_numpy=True), file_name, num_files)

    def device_que(
        self, send_epoch_end: bool = True, create_data_info_queue: bool = False, queue_name: str = ""
    ) -> TransferDataset:
        """A sender of the rows to a named queue, from which ``nn.GetNextSingleOp`` fetches them."""
        check.flag("send_epoch_end", send_epoch_end)
        check.flag("create_data_info_queue", create_data_info_queue)
        return TransferDataset(self, queue_name)

    # -- state of old programs ---------------------------------------------------------------------------------------
    def reset(self) -> None:
        """Start over; kept for old programs: every iterator starts from the beginning."""

    def close_pool(self) -> None:
        """Kept for old programs: workers end with their iterator."""

    def set_init_step(self, init_step: int) -> None:
        """Let the next iterator start after this many rows, as a resumed training does."""
        self._init_step = check.number("set_init_step", "init_step", init_step, low=0)

    def get_init_step(self) -> int:
        """Rows the next iterator will leave out."""
        return self._init_step

    def _notifiers(self) -> dict[str, SyncWaitDataset]:
        found: dict[str, SyncWaitDataset] = {}
        for child in self.children:
            found.update(child._notifiers())
        return found

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        """What lets the rows of every :meth:`sync_wait` go on: functions of a number of batches and data, by name."""
        return {name: wait.update for name, wait in self._notifiers().items()}

    def is_sync(self) -> bool:
        """Whether rows wait somewhere for :meth:`sync_update`."""
        return bool(self._notifiers())

    def disable_sync(self) -> None:
        """Let all rows through from now on."""
        for wait in self._notifiers().values():
            wait.gate.open(2**62)

    def sync_update(self, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Let a :meth:`sync_wait` of this name go on, and hand data to its callback."""
        waits = self._notifiers()
        if condition_name not in waits:
            raise RuntimeError(f"Condition name '{condition_name}' not found; there are {sorted(waits)}.")
        waits[condition_name].update(num_batch, data)


zip_ = zip  # the module's own `zip`, below, is about datasets


class SourceDataset(Dataset):
    """Base of datasets that read something, rather than change what others read."""

    def __new__(cls, *arguments: Any, **keywords: Any) -> Any:
        check_source(cls, arguments, keywords)
        return super().__new__(cls)


class VisionBaseDataset(Dataset):
    """Base of datasets of images."""


class TextBaseDataset(Dataset):
    """Base of datasets of texts."""

    def build_vocab(
        self,
        columns: str | list[str] | None,
        freq_range: tuple[int | None, int | None] | None,
        top_k: int | None,
        special_tokens: list[str] | None,
        special_first: bool,
    ) -> Vocab:
        """The words of some columns, as ``text.Vocab.from_dataset`` finds them."""
        return Vocab.from_dataset(self, columns, freq_range, top_k, special_tokens, special_first)

    def build_sentencepiece_vocab(
        self, columns: list[str], vocab_size: int, character_coverage: float, model_type: Any, params: dict[str, str]
    ) -> SentencePieceVocab:
        """The pieces of words in some columns, as ``text.SentencePieceVocab.from_dataset`` finds them."""
        return SentencePieceVocab.from_dataset(self, columns, vocab_size, character_coverage, model_type, params)


class AudioBaseDataset(Dataset):
    """Base of datasets of waves."""


class UnionBaseDataset(VisionBaseDataset, TextBaseDataset, AudioBaseDataset):
    """Base of datasets that may hold anything."""


class MapDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.map`."""

    def __init__(
        self,
        input_dataset: Dataset,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: Any = None,
        offload: bool | None = None,
    ):
        super().__init__([input_dataset], num_parallel_workers)
        self.operations = check.operations(operations)
        self.input_columns = check.names(input_columns, "input_columns", "map")
        self.output_columns = check.names(output_columns, "output_columns", "map")
        self.python_multiprocessing = check.flag("python_multiprocessing", python_multiprocessing)
        self.callbacks = check.callbacks(callbacks)

    def _stage(self, plan: PipelineContext) -> Stage:
        step = MapStep(self.operations, self.input_columns, self.output_columns, plan.seed, plan.number())
        many = (self.num_parallel_workers or config.get_num_parallel_workers()) > 1
        plan.share(step, self.python_multiprocessing and many)
        child = plan.build(self.children[0])
        mode = config.get_error_samples_mode()
        if mode == config.ErrorSamplesMode.RETURN:
            return plan.with_callbacks(StepStage(child, step), self.callbacks)
        stage = tolerant(child, step, plan.computed, mode == config.ErrorSamplesMode.REPLACE)
        return plan.with_callbacks(stage, self.callbacks)


class BatchDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.batch`."""

    def __init__(
        self,
        input_dataset: Dataset,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        finish: Finish | None = None,
    ):
        super().__init__([input_dataset], num_parallel_workers)
        self.batch_size = check.batch_size(batch_size)
        self.drop_remainder = check.flag("drop_remainder", drop_remainder)
        self.finish = finish or Finish()
        for wait in input_dataset._notifiers().values():
            wait.count_batches_of(self.batch_size)

    def _stage(self, plan: PipelineContext) -> Stage:
        size = self.batch_size
        if size == -1:
            size = max(self.children[0].get_dataset_size(), 1)
        return BatchStage(plan.build(self.children[0]), size, self.drop_remainder, self.finish)

    def _count(self) -> int | None:
        count = self.children[0]._count()
        if count is None or callable(self.batch_size):
            return None
        if self.batch_size == -1:
            return min(count, 1)
        return count // self.batch_size if self.drop_remainder else math.ceil(count / self.batch_size)

    def get_batch_size(self) -> int:
        """The number of rows in a batch; in the first batch, where a function chooses it."""
        if callable(self.batch_size):
            return int(self.batch_size(BatchInfo(0, 0)))  # type: ignore[call-overload]
        return self.children[0].get_dataset_size() if self.batch_size == -1 else self.batch_size


class PaddedBatchDataset(BatchDataset):
    """The result of :meth:`Dataset.padded_batch`."""


class BucketBatchByLengthDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.bucket_batch_by_length`."""

    def __init__(
        self,
        input_dataset: Dataset,
        column_names: Any,
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        element_length_function: Callable | None,
        pad_info: dict | None,
        pad_to_bucket_boundary: bool,
        drop_remainder: bool,
    ):
        super().__init__([input_dataset])
        check.buckets(bucket_boundaries, bucket_batch_sizes)
        self.arguments = (
            check.names(column_names, "column_names", "bucket_batch_by_length") or [],
            list(bucket_boundaries),
            list(bucket_batch_sizes),
            check.function(element_length_function, "element_length_function", "bucket_batch_by_length"),
            check.padding(pad_info, "bucket_batch_by_length"),
            check.flag("pad_to_bucket_boundary", pad_to_bucket_boundary),
            check.flag("drop_remainder", drop_remainder),
        )

    def _stage(self, plan: PipelineContext) -> Stage:
        return BucketStage(plan.build(self.children[0]), *self.arguments, plan.computed)

    def _count(self) -> int | None:
        return None


class ShuffleDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.shuffle`."""

    def __init__(self, input_dataset: Dataset, buffer_size: int):
        super().__init__([input_dataset])
        self.buffer_size = check.number("shuffle", "buffer_size", buffer_size, low=2)

    def _stage(self, plan: PipelineContext) -> Stage:
        return ShuffleStage(plan.build(self.children[0]), self.buffer_size, plan.seed)

    def is_shuffled(self) -> bool:
        """Always."""
        return True


class RepeatDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.repeat`."""

    def __init__(self, input_dataset: Dataset, count: int | None):
        super().__init__([input_dataset])
        self.count = check.repeat_count(count)

    def _stage(self, plan: PipelineContext) -> Stage:
        return RepeatStage(plan.build(self.children[0]), None if self.count == -1 else self.count)

    def _count(self) -> int | None:
        count = self.children[0].get_dataset_size()
        return count if self.count == -1 else count * self.count

    def get_repeat_count(self) -> int:
        """The count given."""
        return self.count


class TakeDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.take`."""

    def __init__(self, input_dataset: Dataset, count: int):
        super().__init__([input_dataset])
        self.count = check.take_count(count)

    def _stage(self, plan: PipelineContext) -> Stage:
        return WindowStage(plan.build(self.children[0]), take=None if self.count == -1 else self.count)

    def _count(self) -> int | None:
        count = self.children[0]._count()
        return count if count is None or self.count == -1 else min(count, self.count)


class SkipDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.skip`."""

    def __init__(self, input_dataset: Dataset, count: int):
        super().__init__([input_dataset])
        self.count = check.number("skip", "count", count, low=0)

    def _stage(self, plan: PipelineContext) -> Stage:
        return WindowStage(plan.build(self.children[0]), skip=self.count)

    def _count(self) -> int | None:
        count = self.children[0]._count()
        return None if count is None else max(count - self.count, 0)


class ConcatDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.concat`."""

    sampler: Any = None

    def use_sampler(self, sampler: Any) -> None:
        """Divide the rows among processes (DistributedSampler), or mix the datasets, each in its order (RandomSampler)."""
        self.sampler, self.dataset_size = check_sampler(sampler, self.children), None

    def _stage(self, plan: PipelineContext) -> Stage:
        stages = [plan.build(child) for child in self.children]
        if isinstance(self.sampler, RandomSampler):
            return MixedStage(stages, plan.seed)
        stage = ConcatStage(stages)
        return stage if self.sampler is None else ShareStage(stage, self.sampler.num_shards, self.sampler.shard_id)

    def _count(self) -> int | None:
        total = sum(child.get_dataset_size() for child in self.children)
        if not isinstance(self.sampler, DistributedSampler):
            return total
        return len(range(self.sampler.shard_id, total, self.sampler.num_shards))


class ZipDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.zip`."""

    def _stage(self, plan: PipelineContext) -> Stage:
        return ZipStage([plan.build(child) for child in self.children])

    def _count(self) -> int | None:
        return min(child.get_dataset_size() for child in self.children)


def zip(datasets: Any) -> Dataset:
    """Datasets side by side, as long as the shortest; their column names must differ.

    Examples:
        >>> import mindspore.dataset as ds
        >>> first = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
        >>> second = ds.NumpySlicesDataset({"y": [3, 4]}, shuffle=False)
        >>> [[int(value) for value in row] for row in ds.zip((first, second))]
        [[1, 3], [2, 4]]
    """
    if not isinstance(datasets, (tuple, list)) or len(datasets) < 2:
        raise ValueError("Can't zip less than two datasets, please pass a tuple of them.")
    return ZipDataset(check.datasets("zip", datasets))


class FilterDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.filter`."""

    def __init__(
        self,
        input_dataset: Dataset,
        predicate: Callable,
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ):
        super().__init__([input_dataset], num_parallel_workers)
        if not callable(predicate):
            raise TypeError("predicate should be a Python function or a callable Python object.")
        self.predicate = predicate
        self.input_columns = check.names(input_columns, "input_columns", "filter")

    def _stage(self, plan: PipelineContext) -> Stage:
        return FilterStage(plan.build(self.children[0]), self._accepts, plan.computed)

    def _accepts(self, columns: Columns, rows: Rows) -> list[bool]:
        names = self.input_columns or list(columns)
        for name in names:
            if name not in columns:
                raise pipeline_error(f"Invalid column, input column name: {name} doesn't exist in {list(columns)}.")
        accepted: list[bool] = []
        with users_code(
            lambda: f"filter operation: [{function_name(self.predicate)}] failed at {rows.describe(len(accepted))}"
        ):
            for values in zip_(*[each(columns[name]) for name in names]):
                accepted.append(bool(self.predicate(*values)))
        return accepted

    def _count(self) -> int | None:
        return None


class FlatMapDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.flat_map`."""

    def __init__(self, input_dataset: Dataset, function: Callable):
        super().__init__([input_dataset])
        if not callable(function):
            raise TypeError("func must be a function that returns a dataset.")
        self.function = function

    def _stage(self, plan: PipelineContext) -> Stage:
        def expand(row: Columns, position: str) -> Stage:
            with users_code(lambda: f"flat_map operation: [{function_name(self.function)}] failed at {position}"):
                made = self.function(*row.values())
            if not isinstance(made, Dataset):
                raise TypeError("flat_map: func must return a dataset.")
            return plan.build(made)

        return FlatMapStage(plan.build(self.children[0]), expand, plan.computed)

    def _count(self) -> int | None:
        return None


class ProjectDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.project`."""

    def __init__(self, input_dataset: Dataset, columns: Any):
        super().__init__([input_dataset])
        self.columns = check.needed_names(columns, "columns", "project")

    def _stage(self, plan: PipelineContext) -> Stage:
        return StepStage(plan.build(self.children[0]), ProjectStep(self.columns))


class RenameDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.rename`."""

    def __init__(self, input_dataset: Dataset, input_columns: Any, output_columns: Any):
        super().__init__([input_dataset])
        inputs = check.needed_names(input_columns, "input_columns", "rename")
        outputs = check.needed_names(output_columns, "output_columns", "rename")
        if len(inputs) != len(outputs):
            raise ValueError(
                f"rename: 'input_columns' names {len(inputs)} column(s), 'output_columns' {len(outputs)}; they must be as many."
            )
        self.columns = dict(zip_(inputs, outputs))

    def _stage(self, plan: PipelineContext) -> Stage:
        return StepStage(plan.build(self.children[0]), RenameStep(self.columns))


class SyncWaitDataset(UnionBaseDataset):
    """The result of :meth:`Dataset.sync_wait`."""

    def __init__(self, input_dataset: Dataset, condition_name: str, num_batch: int, callback: Callable | None):
        super().__init__([input_dataset])
        self.condition_name = check.text("condition_name", condition_name)
        self.num_batch = check.number("sync_wait", "num_batch", num_batch, low=1)
        self.callback = callback
        self.gate = check.Gate(self.num_batch)
        self.rows_per_batch = 1

    def update(self, num_batch: int | None = None, data: Any = None) -> None:
        """Let some rows through."""
        if self.callback is not None:
            self.callback(data)
        self.gate.open((self.num_batch if num_batch is None else num_batch) * self.rows_per_batch)

    def count_batches_of(self, size: Any) -> None:
        """From now on a batch is that many rows: a ``batch`` follows."""
        if not callable(size) and size > 0:
            self.gate.open(self.num_batch * (size - self.rows_per_batch))
            self.rows_per_batch = size

    def _notifiers(self) -> dict[str, SyncWaitDataset]:
        return {**super()._notifiers(), self.condition_name: self}

    def _stage(self, plan: PipelineContext) -> Stage:
        return plan.gated(plan.build(self.children[0]), self.gate)


# -- the dataset of the training that runs: who resumes a training asks for it ------------------------------------------------
_training: Dataset | None = None


def _set_training_dataset(dataset: Dataset) -> None:
    """Note the dataset that is trained with."""
    global _training
    _training = dataset


def _get_training_dataset() -> Dataset | None:
    """The dataset that was noted last."""
    return _training


def _reset_training_dataset(global_step: int, dataset_size: int) -> None:
    """Let the next iterator of that dataset begin behind this many steps of its epoch."""
    if _training is None:
        raise RuntimeError("For '_reset_training_dataset', there is no dataset: call '_set_training_dataset' before.")
    _training.set_init_step(global_step % dataset_size)


class _PartDataset(UnionBaseDataset):
    """A part of :meth:`Dataset.split`: some rows of the whole, which is read in its own order."""

    def __init__(self, whole: Dataset, rows: list[int]):
        super().__init__([whole])
        self.rows = rows

    def _stage(self, plan: PipelineContext) -> Stage:
        return plan.chosen(plan.build(self.children[0]), SubsetSampler(self.rows))

    def _count(self) -> int | None:
        return len(self.rows)

    def use_sampler(self, sampler: Any) -> None:
        """Another order among the rows of the part."""
        chosen = sampler if sampler is not None else SequentialSampler()
        self.rows = [self.rows[position] for position in chosen.start(len(self.rows), config.pipeline_seed())(1)]
