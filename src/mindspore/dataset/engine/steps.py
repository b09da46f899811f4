"""The steps between a source and the user: map, rename, project."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.operation import Operation, RandomOperation
from mindspore.dataset.engine.failures import pipeline_error
from mindspore.dataset.engine.rows import Column, Columns, Rows, each
from mindspore.dataset.engine.tables import apply_joined, joinable
from mindspore.dataset.engine.values import to_array


class RenameStep:
    """Other names for some columns."""

    def __init__(self, names: dict[str, str]):
        self.names = names

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The same columns under their new names."""
        missing = [name for name in self.names if name not in columns]
        if missing:
            raise pipeline_error(f"Invalid column, input column name: {missing[0]} doesn't exist in {list(columns)}.")
        return {self.names.get(name, name): column for name, column in columns.items()}


class ProjectStep:
    """Some columns, in this order."""

    def __init__(self, names: Sequence[str]):
        self.names = list(names)

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The chosen columns."""
        for name in self.names:
            if name not in columns:
                raise pipeline_error(
                    f"Invalid column, input column name: {name} doesn't exist in the dataset columns {list(columns)}."
                )
        return {name: columns[name] for name in self.names}


class MapStep:
    """Operations on some columns.

    number: tells the steps of a pipeline apart, for the random numbers of their operations.
    """

    def __init__(
        self,
        operations: Sequence[Callable],
        input_columns: Sequence[str] | None,
        output_columns: Sequence[str] | None,
        seed: int,
        number: int,
    ):
        self.operations = list(operations)
        self.input_columns = list(input_columns) if input_columns else None
        self.output_columns = list(output_columns) if output_columns else None
        self.seed = seed
        self.number = number
        self._tables: dict[Any, np.ndarray] = {}

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The columns with the results in place of the inputs."""
        names = self.input_columns or [next(iter(columns))]
        for name in names:
            if name not in columns:
                raise pipeline_error(
                    f"Invalid column, input column name: {name} doesn't exist in the dataset columns {list(columns)}."
                )
        values: list[Column] = [columns[name] for name in names]
        position = 0
        while position < len(self.operations):
            joined = joinable(self.operations, position, values[0]) if len(values) == 1 else 0
            if joined:
                values = [apply_joined(self.operations[position : position + joined], values[0], self._tables)]
            else:
                values = self._run(self.operations[position], position, values, rows)
            position += joined or 1
        values = [column if isinstance(column, np.ndarray) else [to_array(one) for one in column] for column in values]
        return self._arranged(columns, names, values)

    def _run(self, operation: Callable, position: int, values: list[Column], rows: Rows) -> list[Column]:
        """One operation on all rows: at once where it can, else row by row."""
        randoms: list[SampleRandom] = []
        if isinstance(operation, RandomOperation):
            stream = SampleRandom(self.seed, self.number, position)
            randoms = [stream.branch(ticket) for ticket in rows.tickets.tolist()]
        if len(values) == 1 and isinstance(operation, Operation):
            stack = _as_block(values[0])
            if stack is not None:
                block: Callable[..., Any] = operation.block
                result = block(stack, randoms) if randoms else block(stack)
                if result is not NotImplemented:
                    return [result]
        results = []
        call = operation.run if isinstance(operation, Operation) else operation
        for index, inputs in enumerate(zip(*map(each, values), strict=True)):
            try:
                result = call(randoms[index], *inputs) if randoms else call(*inputs)
            except Exception as error:
                raise _failed(operation, rows, index, error) from error
            if result is None:
                raise _failed(operation, rows, index, RuntimeError("Got None from Python object: return an array."))
            results.append(result if isinstance(result, tuple) else (result,))
        return _by_column(results, operation)

    def _arranged(self, columns: Columns, inputs: list[str], values: list[Column]) -> Columns:
        """Each result in the place of its input; when there are more or fewer, all in front of the other columns."""
        outputs = self.output_columns or inputs
        if len(outputs) != len(values):
            raise pipeline_error(
                f"Invalid columns: the operations of 'map' returned {len(values)} value(s), but 'output_columns' names "
                f"{len(outputs)}: {outputs}."
            )
        others = [name for name in columns if name not in inputs]
        clash = [name for name in outputs if name in others]
        if clash:
            raise pipeline_error(f"Invalid columns: 'output_columns' {clash} exist already among {list(columns)}.")
        if len(outputs) != len(inputs):
            return {**dict(zip(outputs, values, strict=True)), **{name: columns[name] for name in others}}
        renamed = dict(zip(inputs, outputs, strict=True))
        made = dict(zip(inputs, values, strict=True))
        return {renamed.get(name, name): made.get(name, column) for name, column in columns.items()}


_SMALL = 1 << 16  # bytes: larger samples are better off one by one, in the processor's cache


def _as_block(column: Column) -> np.ndarray | None:
    """A column as one array, if it is one or small enough samples of one shape; None otherwise."""
    if isinstance(column, np.ndarray):
        return column
    first = column[0]
    if not isinstance(first, np.ndarray) or not first.ndim or first.nbytes > _SMALL or first.dtype.kind in "SUO":
        return None
    alike = all(isinstance(one, np.ndarray) and one.shape == first.shape and one.dtype == first.dtype for one in column)
    return np.stack(column) if alike else None


def _by_column(results: list[tuple], operation: Callable) -> list[Column]:
    width = len(results[0])
    if any(len(result) != width for result in results):
        raise pipeline_error(f"{name_of(operation)} returned different numbers of values for different rows.")
    return [list(column) for column in zip(*results, strict=True)]


def name_of(operation: Any) -> str:
    """What to call an operation in an error message."""
    if isinstance(operation, Operation):
        return type(operation).__name__
    return getattr(operation, "__qualname__", type(operation).__name__)


def _failed(operation: Callable, rows: Rows, index: int, error: Exception) -> RuntimeError:
    """The error of an operation, with the sample it happened at."""
    where = f"map operation: [{name_of(operation)}] failed at {rows.describe(index)}"
    if isinstance(operation, Operation):
        return pipeline_error(f"{where}. {error}")
    text = "".join(traceback.format_exception(error))
    return pipeline_error(f"Exception thrown from user defined Python function in dataset. {where}.\n{text}")
