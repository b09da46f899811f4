"""What a dataset can be asked, and how its rows are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.display import dataset_html
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import value_at
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset._pipeline.values import to_array
from mindspore.dataset.engine.iterators import DictIterator, TupleIterator

if TYPE_CHECKING:  # workers load this module without XLA
    from mindspore.common.tensor import Tensor


class DatasetQuestions:
    """A node of a pipeline: its children, its rows, its sizes and shapes. Dataset adds the transformations."""

    def __init__(self, children: Sequence[Any] = (), num_parallel_workers: int | None = None):
        if not isinstance(children, (list, tuple)):
            got = f"{children!r} of type {type(children).__name__}"
            raise TypeError(f"For '{type(self).__name__}', the 'children' must be a list of datasets, but got {got}.")
        self.children = list(children)
        self.num_parallel_workers = check.workers(num_parallel_workers)
        self.dataset_size: int | None = None  # once it was asked for
        self._init_step = 0

    # -- what a node is; every kind says it in its own way -----------------------------------------------------------
    def _stage(self, plan: PipelineContext) -> Stage:
        """The node as a stage of a running pipeline."""
        raise NotImplementedError

    def _count(self) -> int | None:
        """Rows of one pass, where that is known without reading."""
        return self.children[0]._count()

    def _names(self) -> list[str] | None:
        """The names of the columns, where they are known without reading."""
        return self.children[0]._names() if self.children else None

    def _source(self) -> Any:
        """The first source of the pipeline."""
        return self.children[0]._source() if self.children else self

    def _repr_html_(self) -> str:
        return dataset_html(self)

    # -- iterating ------------------------------------------------------------------------------------------------------
    @overload
    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: Literal[False] = False, do_copy: bool = False
    ) -> DictIterator[Tensor]: ...
    @overload
    def create_dict_iterator(
        self, num_epochs: int = -1, *, output_numpy: Literal[True], do_copy: bool = False
    ) -> DictIterator[np.ndarray]: ...
    @overload
    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> DictIterator[Any]: ...
    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> DictIterator[Any]:
        """Rows as dicts of Tensors, or of NumPy arrays.

        Every ``for`` loop over the iterator is one epoch.

        Args:
            num_epochs: how many there will be; -1 for any number.
        """
        check.flag("do_copy", do_copy)
        return DictIterator(self, check.epochs(num_epochs), check.flag("output_numpy", output_numpy))

    @overload
    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, output_numpy: Literal[False] = False, do_copy: bool = False
    ) -> TupleIterator[Tensor]: ...
    @overload
    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, *, output_numpy: Literal[True], do_copy: bool = False
    ) -> TupleIterator[np.ndarray]: ...
    @overload
    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> TupleIterator[Any]: ...
    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> TupleIterator[Any]:
        """Rows as lists of Tensors, or of NumPy arrays; ``columns`` selects and orders them."""
        check.flag("do_copy", do_copy)
        chosen = check.some_names(columns, "column_names", "create_tuple_iterator")
        return TupleIterator(self, check.epochs(num_epochs), check.flag("output_numpy", output_numpy), chosen)

    def __iter__(self) -> TupleIterator:
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self) -> int:
        return self.get_dataset_size()

    # -- questions --------------------------------------------------------------------------------------------------------
    def get_dataset_size(self) -> int:
        """The number of rows (batches, after ``batch``) of one epoch."""
        if self.dataset_size is None:
            count = self._count()
            self.dataset_size = self._counted_by_reading() if count is None else count
        return self.dataset_size

    def _counted_by_reading(self) -> int:
        return sum(len(rows) for rows in self._stage(PipelineContext(silent=True)).epoch())

    def get_batch_size(self) -> int:
        """The number of rows in a batch; 1 before ``batch``."""
        return self.children[-1].get_batch_size() if self.children else 1

    def get_repeat_count(self) -> int:
        """How often the data are passed over in an epoch; -1 for no end."""
        return self.children[-1].get_repeat_count() if self.children else 1

    def get_col_names(self) -> list[str]:
        """The names of the columns."""
        names = self._names()
        return list(self._first_row()) if names is None else list(names)

    def output_shapes(self, estimate: bool = False) -> list[list[Any]]:
        """The shapes of the columns of the first row.

        Args:
            estimate: whether all rows are looked at; lengths that differ are None.
        """
        if check.flag("estimate", estimate):
            return self._shapes_of_all()
        return [list(value.shape) for value in self._first_row().values()]

    def _shapes_of_all(self) -> list[list[Any]]:
        shapes: list[list[Any]] | None = None
        for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True):
            own = [list(np.shape(value)) for value in row]
            shapes = own if shapes is None else [_common(*pair) for pair in zip(shapes, own, strict=True)]
        if shapes is None:
            raise pipeline_error("output_shapes: there are no rows to estimate shapes from.")
        return shapes

    def output_types(self) -> list[Any]:
        """The NumPy dtypes of the columns."""
        kinds = [value.dtype for value in self._first_row().values()]
        return [np.dtype(kind.kind) if kind.kind in "SU" else kind for kind in kinds]

    def _first_row(self) -> dict[str, np.ndarray]:
        cached = self.__dict__.get("_peeked")
        if cached is None:
            rows = next(iter(self._stage(PipelineContext(silent=True)).epoch()), None)
            columns = {} if rows is None else rows.take(slice(0, 1)).compute()
            cached = self.__dict__["_peeked"] = {
                name: to_array(value_at(column, 0)) for name, column in columns.items()
            }
        return cached

    def num_classes(self) -> int | None:
        """The number of classes, where the source knows it."""
        return self.children[-1].num_classes() if self.children else None

    def get_class_indexing(self) -> dict[str, Any]:
        """Class names and their numbers, where the source knows them."""
        return self.children[0].get_class_indexing() if self.children else {}

    def is_shuffled(self) -> bool:
        """Whether the order is random."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> bool:
        """Whether the source was divided among processes."""
        return any(child.is_sharded() for child in self.children)


def _common(shape: list[Any], other: list[int]) -> list[Any]:
    if len(shape) != len(other):
        raise pipeline_error(f"output_shapes: rows have different numbers of axes: {shape} and {other}.")
    return [length if length == another else None for length, another in zip(shape, other, strict=True)]
