"""The steps between a source and the user: map, rename, project."""

from __future__ import annotations

import copy
import functools
import os
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np

from mindspore._utils.sample_random import SampleRandom, SampleRandoms
from mindspore.dataset._pipeline.errors import function_name, operation_error, pipeline_error, user_error
from mindspore.dataset._pipeline.rows import Column, Columns, Rows, Step, arranged
from mindspore.dataset._pipeline.tables import apply_joined, joinable
from mindspore.dataset._pipeline.values import given, to_array
from mindspore.dataset.core.operation import Operation, RandomOperation, draws


class RenameStep:
    """Other names for some columns."""

    def __init__(self, names: dict[str, str]):
        self.names = names

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The same columns under their new names."""
        missing = [name for name in self.names if name not in columns]
        if missing:
            raise pipeline_error(f"Invalid column, input column name: {missing[0]} doesn't exist in {list(columns)}.")
        kept = [name for name in self.names.values() if name in columns and name not in self.names]
        if kept:
            raise pipeline_error(
                "Invalid column, rename operation does not support rename one column name into another already exist column "
                f"name, existing column name is: {kept[0]}. The columns are {list(columns)}."
            )
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


class OperationCall:
    """An operation of a map, and the stream of its random numbers."""

    __slots__ = ("operation", "step", "stream")

    def __init__(self, operation: Callable, stream: SampleRandom | None, step: MapStep | None):
        self.operation = operation
        self.stream = stream
        self.step = step  # the map it is the last operation of


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
        self.tables: dict[Any, np.ndarray] = {}

    @functools.cached_property
    def calls(self) -> list[OperationCall]:
        """What is to be done, in order."""
        calls = [
            OperationCall(part, SampleRandom(self.seed, self.number, position) if draws(part) else None, None)
            for position, operation in enumerate(self.operations)
            for part in parts_of(operation)
        ]
        calls[-1].step = self
        return calls

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The columns with the inputs replaced by the results."""
        names = self.input_columns or [next(iter(columns))]
        values = run_calls(self.calls, inputs_of(columns, names), rows, self.tables, names)
        return self.arranged(columns, names, values)

    def arranged(self, columns: Columns, inputs: list[str], values: list[Column]) -> Columns:
        """Each result at the position of its input; when there are more or fewer, all in front of the other columns.

        A result may take the name of another column: as many results as inputs replace it, otherwise it stays and hides them.
        """
        outputs = self.outputs(inputs, values)
        kept = {name: column for name, column in columns.items() if name not in inputs}
        made = dict(zip(outputs, values))
        made = {**made, **kept} if len(outputs) != len(inputs) else {**kept, **made}
        return {name: made[name] for name in arranged(list(columns), inputs, outputs)}

    def outputs(self, inputs: list[str], values: list[Column]) -> list[str]:
        """The names of the results."""
        outputs = self.output_columns or inputs
        if len(outputs) != len(values):
            raise pipeline_error(
                "Invalid columns, the number of columns returned in 'map' operations should match the number of 'output_columns', "
                f"but got the number of columns returned in 'map' operations: {len(values)}, the number of 'output_columns': "
                f"{len(outputs)}. The 'output_columns' are {outputs}."
            )
        return outputs

    def keeps_its_column(self) -> bool:
        """Whether it replaces the values of one named column, so that it can be joined with others that do."""
        return bool(self.input_columns) and len(self.input_columns) == 1 and (
            self.output_columns is None or self.output_columns == self.input_columns
        )  # fmt: skip


def parts_of(operation: Callable) -> list[Callable]:
    """An operation, or those that it is made of: each can be run for many rows at once."""
    parts = operation.parts if isinstance(operation, Operation) else ()
    return [inner for part in parts for inner in parts_of(part)] or [operation]


class MapChain:
    """Maps of the same column behind each other: their operations are run as if one map had them all."""

    def __init__(self, parts: Sequence[MapStep]):
        self.parts = tuple(parts)

    @functools.cached_property
    def calls(self) -> list[OperationCall]:
        """What is to be done, in order."""
        return [call for part in self.parts for call in part.calls]

    def apply(self, columns: Columns, rows: Rows) -> Columns:
        """The columns with the results of the last map."""
        names: list[str] = self.parts[0].input_columns  # type: ignore[assignment]
        values = run_calls(self.calls, inputs_of(columns, names), rows, self.parts[0].tables, names)
        return {**columns, names[0]: values[0]}


def chained(step: Step, following: Step) -> MapChain | None:
    """Two maps of the same column fused into a step; None for other steps."""
    parts = step.parts if isinstance(step, MapChain) else (step,)
    parts = (*parts, following)
    if not all(isinstance(part, MapStep) and part.keeps_its_column() for part in parts):
        return None
    same = parts[0].input_columns == following.input_columns  # type: ignore[attr-defined]
    return MapChain(parts) if same else None  # type: ignore[arg-type]


def inputs_of(columns: Columns, names: Sequence[str]) -> list[Column]:
    """The columns that a map takes."""
    for name in names:
        if name not in columns:
            raise pipeline_error(
                f"Invalid column, input column name: {name} doesn't exist in the dataset columns {list(columns)}."
            )
    return [columns[name] for name in names]


def run_calls(
    calls: Sequence[OperationCall],
    values: list[Column],
    rows: Rows,
    tables: dict[Any, np.ndarray],
    names: Sequence[str] = (),
) -> list[Column]:
    """What the operations make of columns: several put together where they can be, one by one otherwise."""
    operations = [call.operation for call in calls]
    position = 0
    while position < len(calls):
        joined = joinable(operations, position, values[0]) if len(values) == 1 else 0
        if joined:
            try:
                values = [apply_joined(operations[position : position + joined], values[0], tables)]
            except (RuntimeError, ValueError):
                joined = 0  # one by one, the operation that fails and the sample are known
        if not joined:
            call, joined = calls[position], 1
            values = _run(call, values, rows, names)
            if call.step is not None:
                values = [
                    column if isinstance(column, np.ndarray) else list(map(to_array, column)) for column in values
                ]
                call.step.outputs(call.step.input_columns or [""] * len(values), values)
        position += joined
    return values


def _run(call: OperationCall, values: list[Column], rows: Rows, names: Sequence[str] = ()) -> list[Column]:
    """Apply an operation to all rows: vectorized where it can, else row by row."""
    operation = call.operation
    randoms = None if call.stream is None else SampleRandoms(call.stream, rows.tickets)
    if len(values) == 1 and isinstance(operation, Operation):
        result = _run_block(operation, values[0], randoms)
        if result is not NotImplemented:
            return [result]
    results = []
    function = operation.run if isinstance(operation, Operation) else operation
    for index, inputs in enumerate(zip(*map(given, values), strict=True)):
        try:
            result = function(*inputs) if randoms is None else function(randoms[index], *inputs)
        except (Exception, SystemExit) as error:
            raise _failed(operation, rows, index, error, _described(names, inputs)) from error
        if result is None:
            none = RuntimeError("Got None from Python object: return an array.")
            raise _failed(operation, rows, index, none, _described(names, inputs))
        results.append(result if isinstance(result, tuple) else (result,))
    return _by_column(results, operation)


def _run_block(operation: Operation, column: Column, randoms: SampleRandoms | None) -> Any:
    """The results for all rows at once, or NotImplemented."""
    if type(operation).block in (Operation.block, RandomOperation.block):
        return NotImplemented
    stack = _as_block(column)
    if stack is None or not stack.size:
        return NotImplemented
    block: Callable[..., Any] = operation.block
    try:
        return block(stack) if randoms is None else block(stack, copy.copy(randoms))
    except (RuntimeError, ValueError, TypeError, cv2.error):
        return NotImplemented  # row by row, the sample that fails is known


_SMALL = 1 << 16  # bytes: larger samples are better off one by one, in the processor's cache


def _as_block(column: Column) -> np.ndarray | None:
    """A column stacked into an array, if its samples are small and of equal shape; None otherwise."""
    if isinstance(column, np.ndarray):
        return column
    first = column[0]
    if not isinstance(first, np.ndarray) or not first.ndim or first.nbytes > _SMALL or first.dtype.kind in "SUO":
        return None
    alike = all(
        isinstance(value, np.ndarray) and value.shape == first.shape and value.dtype == first.dtype for value in column
    )
    return np.stack(column) if alike else None


def _by_column(results: list[tuple], operation: Callable) -> list[Column]:
    width = len(results[0])
    if any(len(result) != width for result in results):
        raise pipeline_error(f"{name_of(operation)} returned different numbers of values for different rows.")
    return [list(column) for column in zip(*results, strict=True)]


def name_of(operation: Any) -> str:
    """What to call an operation in an error message."""
    return type(operation).__name__ if isinstance(operation, Operation) else function_name(operation)


def _described(names: Sequence[str], inputs: Sequence[Any]) -> str:
    """The inputs of a function in a few words: column 'image', uint8 of shape (2, 3)."""
    kinds = [
        f"{value.dtype} of shape {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
        for value in inputs
    ]
    if len(names) != len(kinds):
        return ", ".join(kinds)
    return ", ".join(f"column '{name}', {kind}" for name, kind in zip(names, kinds, strict=True))


def _failed(operation: Callable, rows: Rows, index: int, error: BaseException, about: str = "") -> RuntimeError:
    """The error of an operation, with the sample it happened at."""
    sample = rows.describe(index)
    number, _, path = sample.rpartition(" of ")
    own = isinstance(operation, Operation)
    if os.path.exists(path):
        name = name_of(operation) if own else "PyFunc"  # as MindSpore calls every function of the program
        where = f"map operation: [{name}] failed. The corresponding data file is: {path}"
        details = ", ".join(filter(None, [number, "" if own else f"function {name_of(operation)}", about]))
        about = f" It got {details}." if own else f" ({details})"
        return operation_error(where, error, about) if own else user_error(where + about, error)
    where = f"map operation: [{name_of(operation)}] failed at {sample}" + (f" ({about})" if about else "")
    return operation_error(where, error) if own else user_error(where, error)
