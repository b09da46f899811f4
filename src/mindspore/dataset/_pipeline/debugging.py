"""Debug mode: every row is computed when it is asked for, by the thread that asks, with hooks around operations."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset._pipeline.prefetcher import beyond_the_last_epoch
from mindspore.dataset._pipeline.rows import Columns, Rows, value_at
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset._pipeline.steps import MapStep
from mindspore.dataset.core.operation import Operation, RandomOperation, draws
from mindspore.dataset.debug import DebugHook


def compute_here(plan: PipelineContext) -> None:
    """Let stages that must see values compute them in their own thread too."""
    plan.computed = _one_by_one


def _one_by_one(blocks: Iterator[Rows]) -> Iterator[tuple[Rows, Columns]]:
    for rows in blocks:
        for position in range(len(rows)):
            row = rows.take(slice(position, position + 1))
            yield row, row.compute()


class DebugRunner:
    """Replaces Runner in debug mode: no threads, no processes, no prefetching."""

    def __init__(self, stage: Stage, epochs: int | None, shared: Sequence[Any], hooks: Sequence[DebugHook] = ()):
        self.stage = stage
        self.epochs = epochs
        self.delivered = 0  # epochs
        for step in shared:
            if hooks and isinstance(step, MapStep):
                step.operations = [
                    operation if isinstance(operation, DebugHook) else _hooked(operation, hooks, position == 0)
                    for position, operation in enumerate(step.operations)
                ]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows of the next epoch."""
        if self.delivered == self.epochs:
            raise beyond_the_last_epoch()
        for _, columns in _one_by_one(self.stage.epoch()):
            yield {name: value_at(column, 0) for name, column in columns.items()}
        self.delivered += 1

    def stop(self) -> None:
        """Nothing runs that could be ended."""


def _hooked(operation: Callable, hooks: Sequence[DebugHook], first: bool) -> Callable:
    """The operation with hooks around it, under the name by which errors call it."""
    if not isinstance(operation, Operation):
        name = getattr(operation, "__name__", type(operation).__name__)

        def function(*inputs: Any) -> Any:
            return _run(name, operation, hooks, first, inputs)

        function.__name__ = function.__qualname__ = name
        return function
    base = _HookedRandom if draws(operation) else _Hooked
    return type(type(operation).__name__, (base,), {})(operation, hooks, first)


def _run(name: str, function: Callable, hooks: Sequence[DebugHook], first: bool, inputs: tuple[Any, ...]) -> Any:
    if first:
        _show(name, hooks, inputs, True)
    result = function(*inputs)
    _show(name, hooks, result if isinstance(result, tuple) else (result,), False)
    return result


def _show(name: str, hooks: Sequence[DebugHook], columns: tuple[Any, ...], is_first: bool) -> None:
    for hook in hooks:
        hook.set_previous_op_name(name)
        hook.set_is_first(is_first)
        hook.show(columns)


class _Hooked(Operation):
    """An operation that shows its outputs to hooks; the first one of a map also shows its inputs."""

    def __init__(self, operation: Operation, hooks: Sequence[DebugHook], first: bool):
        self.operation, self.hooks, self.first = operation, hooks, first

    def run(self, *inputs: Any) -> Any:  # type: ignore[override]
        return _run(type(self).__name__, self.operation.run, self.hooks, self.first, inputs)


class _HookedRandom(_Hooked, RandomOperation):
    """The same for operations that draw random numbers: they draw the numbers they would draw without hooks."""

    def run(self, random: SampleRandom, *inputs: Any) -> Any:  # type: ignore[override]
        function = functools.partial(self.operation.run, random)
        return _run(type(self).__name__, function, self.hooks, self.first, inputs)
