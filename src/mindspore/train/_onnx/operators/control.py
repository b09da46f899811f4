"""Branches and loops. What is known before the graph runs is decided then; else the graph has both ways, or a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.errors import GraphError
from mindspore._engine.syntax.operators import if_exp, while_stmt
from mindspore._engine.syntax.values import Variables
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore.train._onnx.operators.recurrent import scanned
from mindspore.train._onnx.table import OnnxNode, operator, positive

if TYPE_CHECKING:
    from mindspore.train._onnx.program import Block
    from mindspore.train._onnx.run import OnnxRun


def _truth(value: Any) -> bool:
    return bool(np.asarray(value.asnumpy() if isinstance(value, Tensor) else value).reshape(-1)[0])


def _is_open(value: Any) -> bool:
    return isinstance(value, Tensor) and is_traced(value)


@operator("If", folds=False)
def if_(
    node: OnnxNode, run: OnnxRun, graphs: dict[str, Block], values: dict[str, Any], condition: Any
) -> tuple[Any, ...]:
    then, otherwise = graphs["then_branch"], graphs["else_branch"]
    if not _is_open(condition):
        return tuple(run.block(then if _truth(condition) else otherwise, dict(values)))

    def way(block: Block) -> Any:
        return lambda: tuple(run.tensor(value) for value in run.block(block, dict(values)))

    return tuple(if_exp(condition.reshape(()), way(then), way(otherwise), f"the node '{node.name}'"))


@operator("Loop", folds=False)
def loop(node: OnnxNode, run: OnnxRun, graphs: dict[str, Block], values: dict[str, Any], count: Any = None, goes_on: Any = None,
         *carried: Any) -> tuple[Any, ...]:  # fmt: skip
    """Rounds until the count is reached or the condition fails: the carried values, then what each round gave, stacked."""
    body, state = graphs["body"], list(carried)
    kept: list[list[Any]] = [[] for _ in range(len(body.outputs) - 1 - len(state))]
    number, going = 0, goes_on
    while True:
        if _is_open(count) or _is_open(going):
            return _compiled(node, run, body, values, count, going, number, state, kept)
        if count is not None and number >= int(
            np.asarray(count.asnumpy() if isinstance(count, Tensor) else count).reshape(-1)[0]
        ):
            break
        if going is not None and not _truth(going):
            break
        going, *results = _round(run, body, values, np.array(number, np.int64), going, state)
        state = results[: len(state)]
        for line, value in zip(kept, results[len(state) :]):
            line.append(value)
        number += 1
    return *state, *[_stacked(run, node, line) for line in kept]


def _round(run: OnnxRun, body: Block, values: dict[str, Any], number: Any, going: Any, state: list[Any]) -> list[Any]:
    inner = dict(values)
    inner.update(zip(body.inputs, [number, np.array(True) if going is None else going, *state]))
    return run.block(body, inner)


def _stacked(run: OnnxRun, node: OnnxNode, line: list[Any]) -> Any:
    if not line:
        raise node.refuse("has no round, so that the shape of what rounds give is not known")
    if all(isinstance(value, np.ndarray) for value in line):
        return np.stack(line)
    return ops.stack([run.tensor(value) for value in line], 0)


def _compiled(node: OnnxNode, run: OnnxRun, body: Block, values: dict[str, Any], count: Any, going: Any, number: int, state: list[Any],
              kept: list[list[Any]]) -> tuple[Any, ...]:  # fmt: skip
    """A loop whose end only the graph knows."""
    if kept:
        raise GraphError(
            f"For 'GraphCell', the node '{node.name}' (Loop) collects a value of each round, but only the data decides how many "
            "rounds there are, while a compiled graph must know its shapes. What to do instead: run it in PYNATIVE_MODE."
        )
    limit = None if count is None else run.tensor(count).reshape(())
    current: tuple[Any, ...] = (
        Tensor(np.array(number, np.int64)),
        Tensor(True) if going is None else run.tensor(going).reshape(()),
        *[run.tensor(value) for value in state],
    )

    def test() -> Any:
        return current[1] if limit is None else ops.logical_and(current[1], current[0] < limit)

    def step() -> None:
        nonlocal current
        again, *results = _round(run, body, values, current[0], current[1], list(current[2:]))
        current = (current[0] + 1, run.tensor(again).reshape(()), *[run.tensor(value) for value in results])

    def get() -> tuple[Any, ...]:
        return current

    def set_(new: tuple[Any, ...]) -> None:
        nonlocal current
        current = tuple(new)

    names = ["the number of the round", "the condition", *body.inputs[2:]]
    while_stmt(test, step, Variables(get, set_, *names))
    return current[2:]


@operator("Scan", folds=False)
def scan(
    node: OnnxNode, run: OnnxRun, graphs: dict[str, Block], values: dict[str, Any], *given: Any
) -> tuple[Any, ...]:
    """A round for each element along an axis of the scanned inputs."""
    if node.version < 9:
        raise node.refuse("is a Scan of an operator set before 9")
    body, through = graphs["body"], node.get("num_scan_inputs")
    states = [run.tensor(value) for value in given[: len(given) - through]]
    inputs = [run.tensor(value) for value in given[len(given) - through :]]
    axes, ways = node.get("scan_input_axes") or [0] * through, node.get("scan_input_directions") or [0] * through
    for i, (axis, way) in enumerate(zip(axes, ways)):
        inputs[i] = ops.moveaxis(inputs[i], positive(axis, inputs[i].ndim), 0)
        inputs[i] = ops.flip(inputs[i], (0,)) if way else inputs[i]

    def one(carried: Any, parts: Any) -> tuple[Any, Any]:
        inner = dict(values)
        inner.update(zip(body.inputs, [*carried, *parts]))
        results = [run.tensor(value) for value in run.block(body, inner)]
        return tuple(results[: len(states)]), tuple(results[len(states) :])

    last, found = scanned(one, tuple(states), tuple(inputs), inputs[0].shape[0])
    axes, ways = (
        node.get("scan_output_axes") or [0] * len(found),
        node.get("scan_output_directions") or [0] * len(found),
    )
    outputs = [ops.flip(value, (0,)) if way else value for value, way in zip(found, ways)]
    return *last, *[ops.moveaxis(value, 0, positive(axis, value.ndim)) for value, axis in zip(outputs, axes)]


@operator("SequenceMap", folds=False)
def sequence_map(
    node: OnnxNode, run: OnnxRun, graphs: dict[str, Block], values: dict[str, Any], sequence: list[Any], *others: Any
) -> tuple[Any, ...]:
    """The results of a graph for each element."""
    body, lines = graphs["body"], []
    for number, value in enumerate(sequence):
        inner = dict(values)
        inner.update(zip(body.inputs, [value, *(one[number] if isinstance(one, list) else one for one in others)]))
        lines.append(run.block(body, inner))
    return tuple([run.tensor(line[i]) for line in lines] for i in range(len(body.outputs)))
