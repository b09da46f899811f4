"""Iterators: where rows leave the pipeline, as Tensors or NumPy arrays."""

from __future__ import annotations

import collections
import functools
import importlib
import weakref
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np

from mindspore.dataset._pipeline.debugging import DebugRunner, compute_here
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.prefetcher import Runner, beyond_the_last_epoch
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import Stage, WindowStage
from mindspore.dataset.core import config

if TYPE_CHECKING:
    from mindspore.dataset._pipeline.dataset_info import DatasetQuestions

__all__ = ["DictIterator", "TupleIterator"]


@functools.cache
def _tensor_class() -> Any:
    """Tensor, imported at first use: worker processes import this module and must not load XLA."""
    return importlib.import_module("mindspore.common.tensor").Tensor


# -- ending all of them: notebooks and servers do it before they read other data --------------------------------------------
_iterators: weakref.WeakSet[_Iterator[Any]] = weakref.WeakSet()
_ended_together = False


def _cleanup() -> None:
    """End every iterator there is."""
    for iterator in list(_iterators):
        iterator.stop()


def _set_iterator_cleanup() -> None:
    """Let iterators be ended together; ``check_iterator_cleanup`` returns whether they are."""
    global _ended_together
    _ended_together = True


def _unset_iterator_cleanup() -> None:
    """Take back ``_set_iterator_cleanup``."""
    global _ended_together
    _ended_together = False


def check_iterator_cleanup() -> bool:
    """Whether ``_set_iterator_cleanup`` was called last."""
    return _ended_together


Value = TypeVar("Value")  # Tensor, or np.ndarray


class _Iterator(Generic[Value]):
    """Rows of a dataset; every loop over the iterator is one epoch."""

    def __init__(self, dataset: DatasetQuestions, epochs: int | None, output_numpy: bool):
        if not hasattr(dataset, "_init_step"):
            got = f"{dataset!r} of type {type(dataset).__name__}"
            raise TypeError(f"For '{type(self).__name__}', the 'dataset' must be a dataset, but got {got}.")
        self.dataset = dataset
        self.epochs = epochs
        self.output_numpy = output_numpy
        self._runner: Runner | DebugRunner | None = None
        self._rows: Iterator[dict[str, Any]] | None = None
        self._plan = PipelineContext()
        self._stopped = False
        self._passed = (0, dataset._init_step)  # epochs and rows of the next that are left out
        if epochs == 0:
            raise beyond_the_last_epoch()
        _iterators.add(self)

    @property
    def seed(self) -> int:
        """What all random numbers of this run come from."""
        return self._plan.seed

    def begin_at(self, epochs: int, rows: int, seed: int) -> None:
        """Begin where another iterator of the same pipeline stood: after some epochs and some rows of the next epoch."""
        self._plan.seed = seed
        self._passed = (epochs, rows)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        if self._stopped:
            raise pipeline_error("The iterator was ended by stop() or _cleanup(); create another one of the dataset.")
        if self._runner is None:
            self._runner = self._start()
        if self._rows is None:
            self._rows = self._runner.rows()
        try:
            row = next(self._rows, None)
        except BaseException:
            self._rows = None  # the next loop raises the error again
            raise
        if row is None:
            self._rows = None
            if config.autotune_file() is not None:
                importlib.import_module("mindspore.dataset.engine.serializer_deserializer").write_tuned(self.dataset)
            raise StopIteration
        # columns about a sample that a source adds (VOC, Coco) are there for steps to rename, not for the user
        return self._form({name: value for name, value in row.items() if not name.startswith("_meta")})

    def _start(self) -> Runner | DebugRunner:
        plan = self._plan
        debugging = config.get_debug_mode()
        if debugging:
            compute_here(plan)
        stage = plan.build(self.dataset)
        if self._passed != (0, 0):
            stage = _Resumed(stage, *self._passed)
        left = None if self.epochs is None else self.epochs - self._passed[0]
        if debugging:
            return DebugRunner(stage, left, plan.shared, config.debug_hooks())
        return Runner(stage, left, plan.workers, config.get_prefetch_size(), plan.processes())

    def _form(self, row: dict[str, Any]) -> Any:
        raise NotImplementedError

    def _values(self, columns: Iterable[np.ndarray]) -> list[Any]:
        """What the program gets: Tensors, but NumPy arrays where it asked for them, and for text, which no Tensor holds."""
        values: list[Any] = [self._plain(column) for column in columns]
        if self.output_numpy:
            return values
        positions = [
            i for i, value in enumerate(values) if isinstance(value, np.ndarray) and value.dtype.kind not in "SUO"
        ]
        for position, tensor in zip(
            positions, _tensor_class().from_batch([values[position] for position in positions])
        ):
            values[position] = tensor
        return values

    def _plain(self, column: np.ndarray) -> Any:
        """A dict, which a source handed on as it is, comes out of its array again, with arrays or Tensors as its values."""
        return self._within(column.item()) if column.dtype.kind == "O" and column.ndim == 0 else column

    def _within(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._within(inner) for key, inner in value.items()}
        if type(value) in (list, tuple):
            return type(value)(map(self._within, value))
        if not isinstance(value, (bool, int, float, str, bytes, np.ndarray, np.generic)):
            return value
        array = np.asarray(value)
        return array if self.output_numpy or array.dtype.kind in "SUO" else _tensor_class()(array)

    def stop(self) -> None:
        """End the pipeline."""
        if self._runner is not None:
            self._runner.stop()
        self._stopped, self._rows = True, None

    release = stop

    def get_col_names(self) -> list[str]:
        """The names of the columns."""
        return self.dataset.get_col_names()

    def get_dataset_size(self) -> int:
        """Rows of one epoch."""
        return self.dataset.get_dataset_size()


class DictIterator(_Iterator[Value]):
    """Rows as dicts: column name to value.

    Examples:
        >>> import mindspore.dataset as ds
        >>> rows = ds.NumpySlicesDataset([5, 6], ["x"], shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True)
        >>> type(rows).__name__, [int(row["x"]) for row in rows]
        ('DictIterator', [5, 6])
    """

    if TYPE_CHECKING:

        def __next__(self) -> dict[str, Value]: ...

    def _form(self, row: dict[str, Any]) -> dict[str, Any]:
        return dict(zip(row, self._values(row.values())))


class TupleIterator(_Iterator[Value]):
    """Rows as lists of values.

    Examples:
        >>> import mindspore.dataset as ds
        >>> rows = ds.NumpySlicesDataset([5, 6], ["x"], shuffle=False).create_tuple_iterator(num_epochs=1, output_numpy=True)
        >>> type(rows).__name__, [int(x) for (x,) in rows]
        ('TupleIterator', [5, 6])
    """

    if TYPE_CHECKING:

        def __next__(self) -> list[Value]: ...

    def __init__(self, dataset: DatasetQuestions, epochs: int | None, output_numpy: bool, columns: list[str] | None):
        super().__init__(dataset, epochs, output_numpy)
        self.columns = columns

    def _form(self, row: dict[str, Any]) -> list[Any]:
        if self.columns is None:
            return self._values(row.values())
        for name in self.columns:
            if name not in row:
                raise pipeline_error(f"Invalid column, the column name: {name} doesn't exist in {list(row)}.")
        return self._values(row[name] for name in self.columns)


class _Resumed(Stage):
    """A pipeline that starts in the middle of one of its epochs."""

    def __init__(self, stage: Stage, epochs: int, rows: int):
        self.stage = stage
        self.rows = rows
        self.epochs = epochs
        self.started = False

    def epoch(self) -> Iterator[Any]:
        """The rest of the first epoch, then whole epochs."""
        if self.started:
            return self.stage.epoch()
        self.started = True
        for _ in range(self.epochs):  # orders of later epochs depend on earlier epochs; nothing is computed for it
            collections.deque(self.stage.epoch(), maxlen=0)
        return WindowStage(self.stage, skip=self.rows).epoch()
