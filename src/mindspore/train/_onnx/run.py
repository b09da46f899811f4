"""How the steps of an ONNX graph are run: eagerly, or while a graph is traced.

A value is a NumPy array where it is known before the graph runs (constants, shapes, what follows from them), else a Tensor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base.errors import GraphError
from mindspore._engine.base.trace_state import state
from mindspore._engine.export.export_file import GraphFileError
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tracing.compile_time import evaluated_now
from mindspore.train._onnx.program import Block, OnnxProgram, OnnxStep
from mindspore.train._onnx.table import OnnxNode

_LARGEST_KNOWN = 1 << 16  # elements; what is larger is computed in the graph


class OnnxRun:
    """One run of a program."""

    def __init__(self, program: OnnxProgram):
        self.program = program
        self.tensors: dict[int, tuple[np.ndarray, Tensor]] = {}  # one Tensor for each constant

    def main(self, values: dict[str, Any]) -> list[Any]:
        values.update(self.program.constants)
        values.update(self.program.folded)
        return [self.tensor(value) for value in self.block(self.program.main, values)]

    def block(self, block: Block, values: dict[str, Any]) -> list[Any]:
        """The outputs of a graph; ``values`` has its inputs, and those of the graphs around it."""
        values.update(block.constants)
        values[""] = None
        foldable = self.program.foldable if block is self.program.main else ()
        for step in block.steps:
            if step.outputs and step.outputs[0] in foldable and all(name in values for name in step.outputs):
                continue
            results = self.step(step, values)
            for name, value in zip(step.outputs, results):
                if name:
                    values[name] = value
                    if name in foldable and isinstance(value, np.ndarray):
                        self.program.folded[name] = value
        return [values[name] for name in block.outputs]

    def step(self, step: OnnxStep, values: dict[str, Any]) -> list[Any]:
        given = [values[name] for name in step.inputs]
        try:
            if step.operator is None:
                inner = step.graphs["call"]
                args = [*given, *[None] * (len(inner.inputs) - len(given))]
                return self.block(inner, dict(zip(inner.inputs, args)))
            if step.graphs:
                return _listed(step.operator.function(step.node, self, step.graphs, values, *given))
            if step.operator.raw:
                return _listed(step.operator.function(step.node, *given))
            if step.operator.folds and all(isinstance(value, np.ndarray) or value is None for value in given):
                found = self._known(step, given)
                if found is not None:
                    return found
            return self._computed(step, given)
        except (GraphFileError, GraphError, NotImplementedError):
            raise
        except (ValueError, TypeError, IndexError, KeyError, RuntimeError, AttributeError) as error:
            raise _located(error, step.node, given) from error

    def _known(self, step: OnnxStep, given: list[Any]) -> list[Any] | None:
        """Results that follow from known values; None where they are too large to keep."""
        with evaluated_now():
            results = self._computed(step, given)
            if any(isinstance(one, Tensor) and one.size > _LARGEST_KNOWN for one in results):
                return None
            return [one.asnumpy() if isinstance(one, Tensor) else one for one in results]

    def _computed(self, step: OnnxStep, given: list[Any]) -> list[Any]:
        operator: Any = step.operator
        taken = [
            self.known(step.node, index, value) if index in operator.known else self.tensor(value)
            for index, value in enumerate(given)
        ]
        return _listed(operator.function(step.node, *taken))

    # -- values -------------------------------------------------------------------------------------------------------
    def known(self, node: OnnxNode, index: int, value: Any) -> np.ndarray | None:
        """A value that must be known before the graph runs."""
        if isinstance(value, Tensor):
            if is_traced(value):
                raise GraphError(
                    f"For 'GraphCell', input {index} of the node '{node.name}' ({node.kind}) is computed from the data, but decides "
                    "about shapes, which a compiled graph must know. What to do instead: run it in PYNATIVE_MODE."
                )
            return value.asnumpy()
        return value

    def tensor(self, value: Any) -> Any:
        """A value as a Tensor; sequences and absent values as they are."""
        if isinstance(value, list):
            return [self.tensor(one) for one in value]
        if not isinstance(value, np.ndarray) or value.dtype == np.object_:
            return value
        if state.scope is not None:
            return Tensor(value)
        kept = self.tensors.get(id(value))
        if kept is None or kept[0] is not value:
            kept = self.tensors[id(value)] = (value, Tensor(value))
        return kept[1]


def _listed(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


def _located(error: Exception, node: OnnxNode, given: list[Any]) -> Exception:
    """The error of an operator, with its node."""
    text = ", ".join(_form(value) for value in given)
    return ValueError(
        f"For 'GraphCell', the node '{node.name}' ({node.kind}, opset {node.version}) with inputs ({text}) failed: {error!s:.600}"
    )


def _form(value: Any) -> str:
    if isinstance(value, (np.ndarray, Tensor)):
        return f"{value.dtype}{list(value.shape)}"
    return type(value).__name__
