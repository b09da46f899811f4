"""The graphs of an ONNX file as lists of steps; ``run`` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore._engine.export.export_file import GraphFileError
from mindspore.train._onnx import operators as _declared  # noqa: F401 - fills the table
from mindspore.train._onnx import tensors
from mindspore.train._onnx.messages import GraphProto
from mindspore.train._onnx.table import COVERAGE, NEWEST, OLDEST, OPERATORS, OnnxNode, OnnxOperator

_STANDARD = ("", "ai.onnx")
_MOST_NESTED = 50  # graphs within graphs, calls within calls


class OnnxStep(NamedTuple):
    """One node: what it reads, what it makes ('' where an input or output is absent), and its operator."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    node: OnnxNode
    operator: OnnxOperator | None  # None: a call of a function of the file
    graphs: dict[str, Block]  # of If, Loop, Scan; 'call' of a function


class Block(NamedTuple):
    """A graph: of the model, of a node, or of a function."""

    inputs: tuple[str, ...]
    steps: tuple[OnnxStep, ...]
    outputs: tuple[str, ...]
    constants: dict[str, np.ndarray]
    outer: frozenset[str]  # what it reads from the graphs around it


class OnnxProgram:
    """The steps of a model, checked: every name is made before it is read, and every operator is known."""

    def __init__(self, model: Any, external: tensors.External | None = None, parameters: set[str] | None = None):
        self.opsets = _opsets(model.opset_import)
        self._functions = {(one.domain, one.name, one.overload): one for one in model.functions}
        self._external = external
        self._unknown: dict[str, str] = {}
        self._depth = 0
        graph = model.graph
        self.initializers = self._initializers(graph)
        given = [info.name for info in graph.input if info.name not in self.initializers]
        self.main = self._block(graph, given, self.opsets, frozenset(self.initializers), {})
        if self._unknown:
            listed = ", ".join(f"{name} (at {location})" for name, location in sorted(self._unknown.items()))
            raise GraphFileError(f"these operators are not read here: {listed}. {COVERAGE} lists those that are")
        fixed = fixing(self.main)
        self.constants = {
            name: array for name, array in self.initializers.items() if _is_constant(name, array, fixed, parameters)
        }
        self.untrained = untrained(self.main)
        self.folded: dict[str, Any] = {}  # what constants alone determine, computed once
        self.foldable = _foldable(self.main, self.constants)

    def _initializers(self, graph: Any) -> dict[str, np.ndarray]:
        found = {one.name: tensors.array_of(one, self._external) for one in graph.initializer}
        found.update((one.values.name, tensors.sparse_array(one)) for one in graph.sparse_initializer)
        return found

    # -- graphs -------------------------------------------------------------------------------------------------------
    def _block(self, graph: Any, inputs: Sequence[str], opsets: dict[str, int], around: frozenset[str],
               attributes: dict[str, Any]) -> Block:  # fmt: skip
        self._depth += 1
        if self._depth > _MOST_NESTED:
            raise GraphFileError(f"its graphs are nested more than {_MOST_NESTED} times")
        constants = self._initializers(graph) if self._depth > 1 and isinstance(graph, GraphProto) else {}
        own = {*inputs, *constants}
        used: set[str] = set()
        steps = []
        for message in graph.node:
            step = self._step(message, opsets, around | own, attributes)
            reads = {*step.inputs, *(name for inner in step.graphs.values() for name in inner.outer)} - {""}
            missing = [name for name in reads if name not in own and name not in around]
            if missing:
                raise GraphFileError(
                    f"the node '{step.node.name}' ({step.node.kind}) reads '{missing[0]}', which no node before it makes"
                )
            used |= reads - own
            own |= {*step.outputs} - {""}
            steps.append(step)
        outputs = tuple(one if isinstance(one, str) else one.name for one in graph.output)
        for name in outputs:
            if name not in own and name not in around:
                raise GraphFileError(f"the output '{name}' is made by no node")
        used |= {name for name in outputs if name not in own}
        self._depth -= 1
        return Block(tuple(inputs), tuple(steps), outputs, constants, frozenset(used))

    def _step(self, message: Any, opsets: dict[str, int], around: frozenset[str], outer: dict[str, Any]) -> OnnxStep:
        domain = "" if message.domain in _STANDARD else message.domain
        location = message.name or (message.output[0] if message.output else "?")
        values = {}
        for attribute in message.attribute:
            if attribute.ref_attr_name:
                if attribute.ref_attr_name in outer:
                    values[attribute.name] = outer[attribute.ref_attr_name]
            else:
                values[attribute.name] = tensors.attribute_value(attribute)
        version = opsets.get(domain, 0)
        node = OnnxNode(message.op_type, location, version, len(message.output), values, self)
        if version < 7 and values.get("broadcast"):
            raise node.refuse("broadcasts in the way of operator sets before 7")
        function = self._functions.get((message.domain, message.op_type, message.overload))
        if function is not None:
            graphs = {"call": self._call(function, values)}
            found = None
        else:
            found = self._operator(domain, message, version, location)
            graphs = {
                name: self._block(value, [info.name for info in value.input], opsets, around, outer)
                for name, value in values.items() if isinstance(value, GraphProto)
            }  # fmt: skip
        return OnnxStep(tuple(message.input), tuple(message.output), node, found, graphs)

    def _operator(self, domain: str, message: Any, version: int, location: str) -> OnnxOperator | None:
        if not domain and message.op_type in OPERATORS:
            return OPERATORS[message.op_type]
        title = f"'{domain + '.' if domain else ''}{message.op_type}' of opset {version}"
        self._unknown.setdefault(title, f"the node '{location}'")
        return None

    def _call(self, function: Any, given: dict[str, Any]) -> Block:
        """The graph of a function of the file, with the attributes of one call."""
        values = {one.name: tensors.attribute_value(one) for one in function.attribute_proto}
        values.update((name, given[name]) for name in function.attribute if name in given)
        return self._block(
            function, list(function.input), _opsets(function.opset_import, self.opsets), frozenset(), values
        )


def _opsets(imports: Iterable[Any], default: dict[str, int] | None = None) -> dict[str, int]:
    found = {("" if one.domain in _STANDARD else one.domain): int(one.version) for one in imports}
    if "" not in found:
        if default is None:
            if not found:
                raise GraphFileError("it does not say which version of the operator set it uses")
            default = {"": NEWEST}  # operators of other domains only: those are named
        return {**default, **found}
    if not OLDEST <= found[""] <= NEWEST:
        raise GraphFileError(
            f"it uses version {found['']} of the operator set; those from {OLDEST} to {NEWEST} are read"
        )
    return found


# -- which initializers are weights ---------------------------------------------------------------------------------------
def _all_steps(block: Block) -> Iterable[OnnxStep]:
    for step in block.steps:
        yield step
        for inner in step.graphs.values():
            yield from _all_steps(inner)


def fixing(main: Block) -> set[str]:
    """The names of values that shapes, axes and the like are computed from: they must be known before the graph runs."""
    steps = list(_all_steps(main))
    made = {name: step for step in steps for name in step.outputs if name}
    waiting = []
    for step in steps:
        if step.operator is not None:
            waiting += [step.inputs[index] for index in step.operator.known if index < len(step.inputs)]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        step = made.get(name)
        if step is not None and step.node.kind not in ("Shape", "Size"):
            waiting += [*step.inputs, *(output for inner in step.graphs.values() for output in inner.outputs)]
    return found


def _is_constant(name: str, array: np.ndarray, fixed: set[str], parameters: set[str] | None) -> bool:
    """Whether an initializer is part of the graph instead of a weight: shapes, indices, texts, single numbers."""
    if name in fixed or array.dtype.kind in "OUS":
        return True
    if parameters is not None:
        return name not in parameters
    return array.ndim == 0 or array.dtype.kind == "b" or (array.dtype.kind in "iu" and array.dtype.itemsize != 1)


def untrained(main: Block) -> frozenset[str]:
    """Weights that no optimizer changes: moving averages, scales of quantization."""
    found = set()
    for step in _all_steps(main):
        if step.operator is not None:
            found |= {step.inputs[index] for index in step.operator.untrained if index < len(step.inputs)}
    return frozenset(found - {""})


def _foldable(main: Block, constants: dict[str, np.ndarray]) -> frozenset[str]:
    """What follows from constants alone, among the values of the first graph."""
    known = {*constants, ""}
    found = set()
    for step in main.steps:
        if step.operator is not None and step.operator.folds and not step.graphs and known.issuperset(step.inputs):
            known |= {*step.outputs}
            found |= {*step.outputs} - {""}
    return frozenset(found)
