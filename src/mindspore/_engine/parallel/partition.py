"""Partition a traced graph (a jaxpr) into the tasks of pipeline stages.

The markers of ``autodiff/pipeline_marks.py`` say where stages and micro batches begin; the labels of all other values are
propagated from their operands. An equation belongs to the stage of its operands; if these span several stages, a forward
equation goes to the last of them and a backward one to the first. An equation without a stage, or one after the backward
passes that joins several stages, is replicated on every stage that needs its result.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from jax.extend.core import Literal
from jax.lax import select_n_p

from mindspore._engine.autodiff.pipeline_marks import BACKWARD as BACKWARD_SCOPE
from mindspore._engine.autodiff.pipeline_marks import STAGE, mark_p
from mindspore._engine.parallel.pipeline_schedule import AFTER, BACKWARD, BEFORE, FORWARD, Task

_CALLS = ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call")
_LIGHT = ("broadcast_in_dim", "convert_element_type", "copy", "expand_dims", "iota", "reshape", "squeeze", "transpose")


class Label(NamedTuple):
    """Stage, phase and micro batch in which a value is computed; ``stage`` None: replicated on every stage that needs it."""

    stage: int | None
    phase: int
    number: int

    @property
    def task(self) -> Task:
        return Task(self.phase, self.number)


_ANYWHERE = Label(None, BEFORE, -1)


class Operation:
    """A node of the partitioned graph: a function from arrays to arrays. Operands are value numbers or Literals."""

    __slots__ = ("function", "gives", "has_effects", "is_sum", "label", "light", "name", "stages", "takes")

    def __init__(self, name: str, function: Callable[..., Sequence[Any]], takes: list, gives: list[int], label: Label):
        self.name, self.function, self.takes, self.gives, self.label = name, function, takes, gives, label
        self.stages: set[int] = set()  # the stages that compute it
        self.has_effects = self.is_sum = False
        self.light = False  # cheaper to rematerialise than to keep alive

    @property
    def values(self) -> list[int]:
        """The operands without the Literals."""
        return [operand for operand in self.takes if isinstance(operand, int)]


class Cut:
    """The equations of a graph, each labelled with its stage and task.

    Args:
        closed: the traced graph.
        input_stages: for each input the stages that hold it; None for all.
        state_count: the number of leading inputs that are state.
        stages: the number of stages.
    """

    def __init__(self, closed: Any, input_stages: Sequence[tuple[int, ...] | None], state_count: int, stages: int):
        self.stages = stages
        self.nodes: list[Operation] = []
        self.forms: dict[int, Any] = {}
        self.labels: dict[int, Label] = {}
        self.constants: dict[int, Any] = {}
        self._numbers = itertools.count()
        self._same: dict[int, int] = {}  # output of a marker -> its operand
        self._origins: dict[int, Label] = {}  # label of each marker's operand
        self.inputs = [self._value(variable.aval, self._label_of_input(stages_)) for variable, stages_ in zip(closed.jaxpr.invars, input_stages, strict=True)]  # fmt: skip
        self._batches = set(
            self.inputs[state_count:]
        )  # values that depend on the batch: they differ between micro batches
        known = self._known(closed, self.inputs)
        self._read(closed.jaxpr, known, False)
        outputs = [variable if isinstance(variable, Literal) else known[variable] for variable in closed.jaxpr.outvars]
        self.output_labels = [_ANYWHERE if isinstance(output, Literal) else self.labels[output] for output in outputs]
        self.outputs = [output if isinstance(output, Literal) else self.root(output) for output in outputs]
        self._chain_sums()
        for node in self.nodes:
            node.takes = [self.root(operand) if isinstance(operand, int) else operand for operand in node.takes]

    def root(self, value: int) -> int:
        """Follow markers back to the value they are the identity of."""
        while value in self._same:
            value = self._same[value]
        return value

    def _value(self, form: Any, label: Label) -> int:
        number = next(self._numbers)
        self.forms[number], self.labels[number] = form, label
        return number

    @staticmethod
    def _label_of_input(stages: tuple[int, ...] | None) -> Label:
        return _ANYWHERE if stages is None or len(stages) != 1 else Label(stages[0], BEFORE, -1)

    # -- reading the traced graph ---------------------------------------------------------------------------------------
    def _read(self, jaxpr: Any, known: dict, in_backward: bool) -> None:
        for equation in jaxpr.eqns:
            takes = [operand if isinstance(operand, Literal) else known[operand] for operand in equation.invars]
            back = in_backward or BACKWARD_SCOPE in str(equation.source_info.name_stack)
            for variable, number in zip(equation.outvars, self._results(equation, takes, back), strict=True):
                known[variable] = number

    def _results(self, equation: Any, takes: list, back: bool) -> list[Any]:
        name = equation.primitive.name
        if equation.primitive is mark_p:
            return [self._marked(takes[0], **equation.params) if isinstance(takes[0], int) else takes[0]]
        inner = _inner(equation.params)
        mixed = len(self._stages_of(takes)) > 1
        if name in _CALLS and inner and (mixed or any(map(_has_marks, inner))):
            return self._inlined(inner[0], takes, back)
        if name == "cond" and mixed and not equation.effects:
            return self._selected(equation.params["branches"], takes, back)
        label = self._label(takes, back)
        for number in {stage for each in inner for stage in _marked_stages(each)}:
            if number != label.stage:
                raise ValueError(
                    f"A loop or branch ('{name}') of the graph holds Cells of the pipeline stage {number}, but it is computed by "
                    f"stage {label.stage}. A stage must not begin inside of a loop or branch that depends on Tensors."
                )
        return self._add(
            name, _bound(equation), takes, [variable.aval for variable in equation.outvars], label, equation.effects
        )

    def _add(self, name: str, function: Any, takes: list, forms: list, label: Label, effects: Any = ()) -> list[int]:
        gives = [self._value(form, label) for form in forms]
        node = Operation(name, function, takes, gives, label)
        node.has_effects = bool(effects)
        node.is_sum = name in ("add", "add_any") and all(
            isinstance(operand, int) and self.forms[operand].shape == forms[0].shape for operand in takes
        )
        batch = any(value in self._batches for value in node.values)
        node.light = name in _LIGHT and label == _ANYWHERE and not batch and not effects
        self.nodes.append(node)
        if batch:
            self._batches.update(gives)
        return gives

    def _known(self, closed: Any, takes: Sequence[Any]) -> dict:
        known = dict(zip(closed.jaxpr.invars, takes, strict=True))
        for variable, value in zip(closed.jaxpr.constvars, closed.consts, strict=True):
            known[variable] = self._value(variable.aval, _ANYWHERE)
            self.constants[known[variable]] = value
        return known

    def _inlined(self, closed: Any, takes: list, back: bool) -> list[Any]:
        known = self._known(closed, takes)
        self._read(closed.jaxpr, known, back)
        return [variable if isinstance(variable, Literal) else known[variable] for variable in closed.jaxpr.outvars]

    def _selected(self, branches: Sequence[Any], takes: list, back: bool) -> list[Any]:
        """Lower a `cond` whose operands span stages to `select_n`: every stage evaluates its part of all branches."""
        found = [self._inlined(branch, takes[1:], back) for branch in branches]
        results = []
        for aval, *cases in zip((variable.aval for variable in branches[0].jaxpr.outvars), *found, strict=True):
            operands = [takes[0], *cases]
            label = self._label(operands, back)
            results += self._add("select_n", _select, operands, [aval], label)
        return results

    # -- labels ---------------------------------------------------------------------------------------------------------
    def _stages_of(self, takes: Iterable[Any]) -> set[int]:
        found = {self.labels[operand].stage for operand in takes if isinstance(operand, int)}
        return {stage for stage in found if stage is not None}

    def _label(self, takes: Sequence[Any], back: bool) -> Label:
        labels = [self.labels[operand] for operand in takes if isinstance(operand, int)]
        phase = max((label.phase for label in labels), default=BEFORE)
        if phase == AFTER or (phase == BACKWARD and not back):
            return self._label_after(takes, labels)
        if back and phase == FORWARD:
            phase = BACKWARD
        number = max((label.number for label in labels), default=-1)
        stages = self._stages_of(takes)
        if not stages:
            return Label(None, phase, number)
        return Label(min(stages) if phase == BACKWARD else max(stages), phase, number)

    def _label_after(self, takes: Sequence[Any], labels: Sequence[Label]) -> Label:
        """Label after the backward passes: the stage of the only non-scalar operand, else replicated. Scalars are cheap to send."""
        stages = self._stages_of(takes)
        large = self._stages_of(
            operand for operand in takes if isinstance(operand, int) and self.forms[operand].size > 1
        )
        chosen = large or stages
        number = max((label.number for label in labels if label.phase == AFTER), default=0)
        stage = next(iter(chosen)) if len(chosen) == 1 else None
        return Label(stage, AFTER, number + (len(stages) > 1))

    def _marked(self, taken: int, kind: str, number: int, marker: int, back: bool) -> int:
        label = self.labels[taken]
        if back:
            origin = self._origins[marker].stage
            new = label._replace(phase=max(label.phase, BACKWARD), stage=label.stage if origin is None else origin)
        elif kind == STAGE:
            self._origins[marker] = label
            if label.stage is not None and number < label.stage and label.phase <= FORWARD:
                raise ValueError(
                    f"A Cell with 'pipeline_stage' {number} takes what stage {label.stage} computes. The stages of a network must "
                    "not decrease in the order its Cells are called: set their 'pipeline_stage' in that order."
                )
            new = label._replace(stage=number, phase=max(label.phase, FORWARD))
        else:
            self._origins[marker] = label
            new = label._replace(phase=max(label.phase, FORWARD), number=number)
        given = self._value(self.forms[taken], new)
        self._same[given] = taken
        return given

    # -- sums over micro batches ----------------------------------------------------------------------------------------
    def _chain_sums(self) -> None:
        """Reassociate sums over micro batches into chains in execution order, so that each addend is freed once it is added."""
        makers = {node.gives[0]: node for node in self.nodes if node.is_sum}
        uses = Counter(self.root(value) for node in self.nodes for value in node.values)
        uses.update(output for output in self.outputs if isinstance(output, int))
        chains: dict[int, list[Operation]] = {}
        absorbed: set[int] = set()
        for node in reversed(self.nodes):
            if not node.is_sum or id(node) in absorbed or node.label.phase == AFTER:
                continue
            leaves, inner = self._leaves(node, makers, uses)
            if len({self.labels[leaf].number for leaf in leaves}) > 1 and len(leaves) > 2:
                absorbed.update(map(id, inner))
                chains[id(node)] = self._chain(node, leaves)
        kept = (chains.get(id(node), [node]) for node in self.nodes if id(node) not in absorbed)
        self.nodes = [node for nodes in kept for node in nodes]

    def _leaves(
        self, node: Operation, makers: dict[int, Operation], uses: Counter
    ) -> tuple[list[int], list[Operation]]:
        leaves, inner, stack = [], [], list(reversed(node.takes))
        while stack:
            value = stack.pop()
            maker = makers.get(self.root(value))
            if maker is not None and uses[self.root(value)] == 1 and maker.label.phase == node.label.phase:
                inner.append(maker)
                stack += reversed(maker.takes)
            else:
                leaves.append(value)
        return leaves, inner

    def _chain(self, node: Operation, leaves: list[int]) -> list[Operation]:
        ordered = sorted(leaves, key=lambda leaf_: self.labels[leaf_].number)
        chain, total = [], ordered[0]
        for count, leaf in enumerate(ordered[1:], start=2):
            operands = [total, leaf]
            label = self._label(operands, node.label.phase == BACKWARD)
            total = node.gives[0] if count == len(ordered) else self._value(self.forms[node.gives[0]], label)
            self.labels[total] = label
            chain.append(Operation(node.name, node.function, operands, [total], label))
        return chain

    # -- who computes what ----------------------------------------------------------------------------------------------
    def demand(self, wanted: Sequence[set[int]]) -> dict[int, set[int]]:
        """For the stages that want each output, return the stages that need each value; sets ``stages`` of every operation."""
        needed: dict[int, set[int]] = {}
        for output, stages in zip(self.outputs, wanted, strict=True):
            if isinstance(output, int):
                needed.setdefault(output, set()).update(stages)
        everywhere = set(range(self.stages))
        for node in reversed(self.nodes):
            users = set().union(*(needed.get(result, ()) for result in node.gives))
            own = everywhere if node.label.stage is None else {node.label.stage}
            if node.has_effects:
                users |= own
            node.stages = users if node.label.stage is None else own if users else set()
            for value in node.values:
                needed.setdefault(value, set()).update(node.stages)
        return needed


def _bound(equation: Any) -> Callable[..., Sequence[Any]]:
    primitive = equation.primitive

    def function(*arrays: Any) -> Sequence[Any]:
        found = primitive.bind(*arrays, **primitive.get_bind_params(equation.params))
        return found if primitive.multiple_results else [found]

    return function


def _select(which: Any, *cases: Any) -> list[Any]:
    return [select_n_p.bind(which, *cases)]


def _inner(parameters: dict[str, Any]) -> list[Any]:
    """The closed jaxprs among an equation's parameters."""
    found = []
    for value in parameters.values():
        for inner in value if isinstance(value, (tuple, list)) else (value,):
            if hasattr(inner, "jaxpr") and hasattr(inner, "consts"):
                found.append(inner)
    return found


def _marked_stages(closed: Any) -> set[int]:
    found: set[int] = set()
    for equation in closed.jaxpr.eqns:
        if equation.primitive is mark_p and equation.params["kind"] == STAGE and not equation.params["back"]:
            found.add(equation.params["number"])
        for inner in _inner(equation.params):
            found |= _marked_stages(inner)
    return found


def _has_marks(closed: Any) -> bool:
    return any(
        equation.primitive is mark_p or any(map(_has_marks, _inner(equation.params))) for equation in closed.jaxpr.eqns
    )
