"""Nodes of a pipeline that work row by row: map, project, rename, filter, flat_map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.errors import function_name, pipeline_error, users_code
from mindspore.dataset._pipeline.rows import Columns, Rows, arranged
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import FilterStage, Stage, StepStage
from mindspore.dataset._pipeline.steps import MapStep, ProjectStep, RenameStep
from mindspore.dataset._pipeline.tolerant import tolerant
from mindspore.dataset._pipeline.values import given
from mindspore.dataset.core import config


class MapNode(DatasetQuestions):
    """What ``map`` makes of a dataset."""

    def __init__(
        self,
        input_dataset: DatasetQuestions,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Sequence[Any] = (),
        max_rowsize: Any = None,
        offload: bool | None = None,
    ):
        super().__init__([input_dataset], num_parallel_workers)
        self.operations = check.operations(operations)
        self.input_columns = check.names(input_columns, "input_columns", "map")
        self.output_columns = check.names(output_columns, "output_columns", "map")
        self.python_multiprocessing = check.flag("python_multiprocessing", python_multiprocessing)
        self.callbacks = list(callbacks)
        check.row_size(max_rowsize)

    def _names(self) -> list[str] | None:
        names = self.children[0]._names()
        if not names or any(name not in names for name in self.input_columns or ()):
            return None  # or wrong: reading a row raises the error
        inputs = self.input_columns or names[:1]
        return arranged(names, inputs, self.output_columns or inputs)

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


class FilterNode(DatasetQuestions):
    """What ``filter`` makes of a dataset."""

    def __init__(
        self,
        input_dataset: DatasetQuestions,
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
            for values in zip(*[given(columns[name]) for name in names]):
                accepted.append(bool(self.predicate(*values)))
        return accepted

    def _count(self) -> int | None:
        return None


class ProjectNode(DatasetQuestions):
    """What ``project`` makes of a dataset."""

    def __init__(self, input_dataset: DatasetQuestions, columns: Any):
        super().__init__([input_dataset])
        self.columns = check.needed_names(columns, "columns", "project")
        if not self.columns:
            raise ValueError("For 'project', the 'columns' should not be empty: name at least one.")

    def _names(self) -> list[str] | None:
        names = self.children[0]._names()
        return self.columns if names is not None and set(self.columns) <= set(names) else None

    def _stage(self, plan: PipelineContext) -> Stage:
        return StepStage(plan.build(self.children[0]), ProjectStep(self.columns))


class RenameNode(DatasetQuestions):
    """What ``rename`` makes of a dataset."""

    def __init__(self, input_dataset: DatasetQuestions, input_columns: Any, output_columns: Any):
        super().__init__([input_dataset])
        inputs = check.needed_names(input_columns, "input_columns", "rename")
        outputs = check.needed_names(output_columns, "output_columns", "rename")
        if len(inputs) != len(outputs):
            raise ValueError(
                "Number of column in input_columns and output_columns is not equal. "
                f"For 'rename', 'input_columns' names {len(inputs)}, 'output_columns' {len(outputs)}."
            )
        self.columns = dict(zip(inputs, outputs))

    def _names(self) -> list[str] | None:
        names = self.children[0]._names()
        if names is None or any(name not in names for name in self.columns):
            return None
        renamed = [str(self.columns.get(name, name)) for name in names]
        return renamed if len(set(renamed)) == len(renamed) else None

    def _stage(self, plan: PipelineContext) -> Stage:
        return StepStage(plan.build(self.children[0]), RenameStep(self.columns))
