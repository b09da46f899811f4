"""The functions of a MINDIR file as lists of steps; ``run`` takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore import ops
from mindspore._engine.base.trace_state import state
from mindspore._engine.export.export_file import GraphFileError
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._mindir import attributes
from mindspore.train._mindir.primitives import PRIMITIVE_FUNCTION, operator_of
from mindspore.train._mindir.structure import STRUCTURES

REFERENCE = "REF::"
_LARGE = 1 << 16  # elements: larger constants are inputs of the compiled graph


class NodeStep(NamedTuple):
    """One node: the values it reads and the name of what it makes."""

    output: str
    callee: Callable[..., Any] | str  # a function of values, or the name of a function or value of the file
    inputs: tuple[str, ...]
    title: str


class Function(NamedTuple):
    """One graph of a file."""

    name: str
    inputs: tuple[str, ...]
    steps: tuple[NodeStep, ...]
    output: str
    tail: int  # the step whose result is the function's own, or -1: there the function ends and another goes on


class Constant:
    """A tensor of the file: part of a graph that is compiled, or a Tensor that is kept."""

    def __init__(self, array: np.ndarray):
        self.array = array
        self.tensor: Tensor | None = None

    def value(self, written: bool) -> Tensor:
        """The Tensor for this run: its own, where a node may write into it."""
        if written or (state.scope is not None and self.array.size <= _LARGE):
            return Tensor(self.array)
        if self.tensor is None:
            self.tensor = Tensor(self.array)
        return self.tensor


def stored(value: Any) -> Any:
    """A constant with its arrays kept as Constants."""
    if isinstance(value, np.ndarray):
        return Constant(value)
    if isinstance(value, (tuple, list)):
        return type(value)(stored(one) for one in value)
    return value


def fresh(value: Any, written: bool) -> Any:
    """The value of a constant for this run."""
    if isinstance(value, Constant):
        return value.value(written)
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return type(value)(fresh(one, written) for one in value)
    return value


class Program:
    """All functions of a file."""

    def __init__(self, model: Any):
        self.constants: dict[str, Any] = {}
        self.functions: dict[str, Function] = {}
        self.main = model.graph.name
        self.writes = any(_writes(primitive) for primitive in model.primitives)
        self._prepare(model)
        self.called = _called(self.functions)
        self.circles = _circles(self.called)

    def _prepare(self, model: Any) -> None:
        primitives = {one.name: one for one in model.primitives}
        graphs = [model.graph, *model.functions]
        names = {graph.name for graph in graphs}
        if len(names) != len(graphs):
            raise GraphFileError("two of its functions have the same name")
        made: dict[str, Callable[..., Any]] = {}
        unknown: dict[str, str] = {}
        for graph in graphs:
            for node in graph.node:
                if node.op_type == "Constant":
                    self._take_constant(node)
            steps = [
                self._step(node, primitives, names, made, unknown) for node in graph.node if node.op_type != "Constant"
            ]
            self.functions[graph.name] = _function(graph, steps)
        if unknown:
            listed = ", ".join(f"'{name}' (at {scope})" for name, scope in sorted(unknown.items()))
            raise GraphFileError(f"these primitives have no operator here: {listed}")
        for function in self.functions.values():
            self._check_names(function)

    def _take_constant(self, node: Any) -> None:
        if not node.output or not node.attribute:
            raise GraphFileError(f"the constant '{node.name}' has no value")
        self.constants[node.output[0]] = stored(attributes.value_of(node.attribute[0]))

    def _step(self, node: Any, primitives: dict[str, Any], names: set[str], made: dict[str, Callable[..., Any]],
              unknown: dict[str, str]) -> NodeStep:  # fmt: skip
        if not node.output:
            raise GraphFileError(f"the node '{node.name}' has no output")
        name = node.op_type.removeprefix(REFERENCE)
        scope = node.domain or node.name
        callee: Any = name
        if name in primitives or not node.op_type.startswith(REFERENCE):
            key = name if name in primitives else f"{name} {node.output[0]}"
            if key not in made:
                made[key] = self._operator(primitives.get(name), node, unknown, scope)
            callee = made[key]
        return NodeStep(node.output[0], callee, tuple(node.input), scope)

    def _operator(self, primitive: Any, node: Any, unknown: dict[str, str], scope: str) -> Callable[..., Any]:
        """The operator for a primitive; old files have its attributes in the node itself."""
        if primitive is None:
            name, listed, flat = node.op_type, [one for one in node.attribute if one.name != "shape"], False
        else:
            name, listed, flat = primitive.op_type, primitive.attribute, primitive.prim_type == PRIMITIVE_FUNCTION
        if name == "Load":
            return self._load
        if name in STRUCTURES:
            return STRUCTURES[name]
        try:
            return operator_of(name, _readable(listed), flat)
        except GraphFileError:
            unknown.setdefault(name, scope)
            return len  # never called: the file is refused

    def _check_names(self, function: Function) -> None:
        known = {*function.inputs, *self.constants, *self.functions, *self.outer}
        for step in function.steps:
            for name in (*step.inputs, *([step.callee] if isinstance(step.callee, str) else [])):
                if name not in known:
                    raise GraphFileError(f"the node '{step.output}' reads '{name}', which no node before it makes")
            known.add(step.output)
        if function.output not in known:
            raise GraphFileError(f"the function '{function.name}' returns '{function.output}', which no node makes")

    @property
    def outer(self) -> tuple[str, ...]:
        """What every function may read: the values of the first one, where functions stand inside it."""
        main = self.functions[self.main]
        return (*main.inputs, *(step.output for step in main.steps))

    def _load(self, parameter: Any, *_: Any) -> Any:
        """The value that a Parameter has now."""
        return ops.deepcopy(parameter) if self.writes and isinstance(parameter, Parameter) else parameter


def _writes(primitive: Any) -> bool:
    """Whether a primitive changes Parameters."""
    return any(one.name == "side_effect_mem" and one.i for one in primitive.attribute)


def _readable(listed: Sequence[Any]) -> dict[str, Any]:
    """The attributes of a primitive; those of kinds that only other compilers read are left out."""
    found = {}
    for one in listed:
        try:
            found[one.name] = attributes.value_of(one)
        except GraphFileError:
            continue
    return found


def _function(graph: Any, steps: list[NodeStep]) -> Function:
    if len(graph.output) != 1:
        raise GraphFileError(f"the function '{graph.name}' has {len(graph.output)} results instead of one")
    # Parameters of the file follow the inputs of the program.
    inputs = (*(one.name for one in graph.input), *(one.name for one in graph.parameter))
    output = graph.output[0].name
    return Function(graph.name, inputs, tuple(steps), output, _tail(steps, output))


def _tail(steps: list[NodeStep], output: str) -> int:
    """The call that ends a function: after it, only the order of effects is noted."""
    positions = {step.output: number for number, step in enumerate(steps)}
    name = output
    while name in positions and steps[positions[name]].callee is STRUCTURES["Depend"] and steps[positions[name]].inputs:
        name = steps[positions[name]].inputs[0]
    number = positions.get(name, -1)
    if number < 0 or not isinstance(steps[number].callee, str):
        return -1
    later = {name}
    idle = (STRUCTURES["Depend"], STRUCTURES["UpdateState"], STRUCTURES["MakeTuple"])
    for step in steps[number + 1 :]:
        if later.intersection(step.inputs) or step.callee in later:
            if step.callee not in idle:
                return -1
            later.add(step.output)
        elif step.callee not in idle:
            return -1
    return number


def _called(functions: dict[str, Function]) -> dict[str, set[str]]:
    """The functions that each one names."""
    return {
        name: {other for step in function.steps for other in (*step.inputs, step.callee) if isinstance(other, str) and other in functions}
        for name, function in functions.items()
    }  # fmt: skip


def _circles(called: dict[str, set[str]]) -> frozenset[str]:
    """The functions that may call themselves, directly or not."""
    found = set()
    for name in called:
        seen: set[str] = set()
        waiting = list(called[name])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting.extend(called[other])
        if name in seen:
            found.add(name)
    return frozenset(found)
