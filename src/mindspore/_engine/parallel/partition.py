"""A traced graph cut into the tasks of pipeline stages.

The marks of ``pipeline_marks.py`` say where stages and micro batches begin; everything else follows from what it is
computed from. An operation belongs to the stage of its operands; where they are of several, a forward one goes to the
last, a backward one to the first. What depends on no stage, or comes after the backward passes and joins several, is
computed by every stage that needs it.
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
    """Where and when a value is computed; no stage: wherever it is needed."""

    stage: int | None
    phase: int
    number: int

    @property
    def task(self) -> Task:
        return Task(self.phase, self.number)


_ANYWHERE = Label(None, BEFORE, -1)


class Operation:
    """An operation: a function from a list of arrays to a list of arrays. Operands are values' numbers, or Literals."""

    __slots__ = ("function", "gives", "has_effects", "is_sum", "label", "light", "name", "stages", "takes")

    def __init__(self, name: str, function: Callable[..., Sequence[Any]], takes: list, gives: list[int], label: Label):
        self.name, self.function, self.takes, self.gives, self.label = name, function, takes, gives, label
        self.stages: set[int] = set()  # that compute it
        self.has_effects = self.is_sum = False
        self.light = False  # cheaper to compute again than to keep

    @property
    def values(self) -> list[int]:
        """The operands that are no constants of the program."""
        return [one for one in self.takes if isinstance(one, int)]


class Cut:
    """The operations of a graph with the stage and task of each.

    Args:
        closed: the traced graph.
        input_stages: for each input the stages that have it; None for all.
        state_count: how many inputs, the first ones, are state.
        stages: how many there are.
    """

    def __init__(self, closed: Any, input_stages: Sequence[tuple[int, ...] | None], state_count: int, stages: int):
        self.stages = stages
        self.nodes: list[Operation] = []
        self.forms: dict[int, Any] = {}
        self.labels: dict[int, Label] = {}
        self.constants: dict[int, Any] = {}
        self._numbers = itertools.count()
        self._same: dict[int, int] = {}  # what a mark gives is what it took
        self._origins: dict[int, Label] = {}  # of what each mark took
        self.inputs = [self._value(one.aval, self._label_of_input(told)) for one, told in zip(closed.jaxpr.invars, input_stages, strict=True)]  # fmt: skip
        self._batches = set(
            self.inputs[state_count:]
        )  # and what depends on them: differs from micro batch to micro batch
        known = self._known(closed, self.inputs)
        self._read(closed.jaxpr, known, False)
        outputs = [one if isinstance(one, Literal) else known[one] for one in closed.jaxpr.outvars]
        self.output_labels = [_ANYWHERE if isinstance(one, Literal) else self.labels[one] for one in outputs]
        self.outputs = [one if isinstance(one, Literal) else self.root(one) for one in outputs]
        self._chain_sums()
        for node in self.nodes:
            node.takes = [self.root(one) if isinstance(one, int) else one for one in node.takes]

    def root(self, value: int) -> int:
        """The value itself, without marks."""
        while value in self._same:
            value = self._same[value]
        return value

    def _value(self, form: Any, label: Label) -> int:
        number = next(self._numbers)
        self.forms[number], self.labels[number] = form, label
        return number

    @staticmethod
    def _label_of_input(told: tuple[int, ...] | None) -> Label:
        return _ANYWHERE if told is None or len(told) != 1 else Label(told[0], BEFORE, -1)

    # -- reading the traced graph ---------------------------------------------------------------------------------------
    def _read(self, jaxpr: Any, known: dict, in_backward: bool) -> None:
        for equation in jaxpr.eqns:
            takes = [one if isinstance(one, Literal) else known[one] for one in equation.invars]
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
        for number in {one for each in inner for one in _marked_stages(each)}:
            if number != label.stage:
                raise ValueError(
                    f"A loop or branch ('{name}') of the graph holds Cells of the pipeline stage {number}, but it is computed by "
                    f"stage {label.stage}. A stage must not begin inside of a loop or branch that depends on Tensors."
                )
        return self._add(name, _bound(equation), takes, [one.aval for one in equation.outvars], label, equation.effects)

    def _add(self, name: str, function: Any, takes: list, forms: list, label: Label, effects: Any = ()) -> list[int]:
        gives = [self._value(form, label) for form in forms]
        node = Operation(name, function, takes, gives, label)
        node.has_effects = bool(effects)
        node.is_sum = name in ("add", "add_any") and all(
            isinstance(one, int) and self.forms[one].shape == forms[0].shape for one in takes
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
        return [one if isinstance(one, Literal) else known[one] for one in closed.jaxpr.outvars]

    def _selected(self, branches: Sequence[Any], takes: list, back: bool) -> list[Any]:
        """A branch that concerns several stages: every stage computes its part of all, and selects."""
        found = [self._inlined(branch, takes[1:], back) for branch in branches]
        results = []
        for aval, *cases in zip((one.aval for one in branches[0].jaxpr.outvars), *found, strict=True):
            operands = [takes[0], *cases]
            label = self._label(operands, back)
            results += self._add("select_n", _select, operands, [aval], label)
        return results

    # -- labels ---------------------------------------------------------------------------------------------------------
    def _stages_of(self, takes: Iterable[Any]) -> set[int]:
        found = {self.labels[one].stage for one in takes if isinstance(one, int)}
        return {one for one in found if one is not None}

    def _label(self, takes: Sequence[Any], back: bool) -> Label:
        labels = [self.labels[one] for one in takes if isinstance(one, int)]
        phase = max((one.phase for one in labels), default=BEFORE)
        if phase == AFTER or (phase == BACKWARD and not back):
            return self._label_after(takes, labels)
        if back and phase == FORWARD:
            phase = BACKWARD
        number = max((one.number for one in labels), default=-1)
        stages = self._stages_of(takes)
        if not stages:
            return Label(None, phase, number)
        return Label(min(stages) if phase == BACKWARD else max(stages), phase, number)

    def _label_after(self, takes: Sequence[Any], labels: Sequence[Label]) -> Label:
        """After the backward passes: where the one large operand is, or wherever it is needed. Numbers travel easily."""
        stages = self._stages_of(takes)
        large = self._stages_of(one for one in takes if isinstance(one, int) and self.forms[one].size > 1)
        chosen = large or stages
        number = max((one.number for one in labels if one.phase == AFTER), default=0)
        stage = next(iter(chosen)) if len(chosen) == 1 else None
        return Label(stage, AFTER, number + (len(stages) > 1))

    def _marked(self, taken: int, kind: str, number: int, place: int, back: bool) -> int:
        label = self.labels[taken]
        if back:
            origin = self._origins[place].stage
            new = label._replace(phase=max(label.phase, BACKWARD), stage=label.stage if origin is None else origin)
        elif kind == STAGE:
            self._origins[place] = label
            if label.stage is not None and number < label.stage and label.phase <= FORWARD:
                raise ValueError(
                    f"A Cell with 'pipeline_stage' {number} takes what stage {label.stage} computes. The stages of a network must "
                    "not decrease in the order its Cells are called: set their 'pipeline_stage' in that order."
                )
            new = label._replace(stage=number, phase=max(label.phase, FORWARD))
        else:
            self._origins[place] = label
            new = label._replace(phase=max(label.phase, FORWARD), number=number)
        given = self._value(self.forms[taken], new)
        self._same[given] = taken
        return given

    # -- sums over micro batches ----------------------------------------------------------------------------------------
    def _chain_sums(self) -> None:
        """Add up over micro batches in the order they are computed: each is let go once it is added."""
        makers = {node.gives[0]: node for node in self.nodes if node.is_sum}
        uses = Counter(self.root(value) for node in self.nodes for value in node.values)
        uses.update(one for one in self.outputs if isinstance(one, int))
        chains: dict[int, list[Operation]] = {}
        absorbed: set[int] = set()
        for node in reversed(self.nodes):
            if not node.is_sum or id(node) in absorbed or node.label.phase == AFTER:
                continue
            leaves, inner = self._leaves(node, makers, uses)
            if len({self.labels[one].number for one in leaves}) > 1 and len(leaves) > 2:
                absorbed.update(map(id, inner))
                chains[id(node)] = self._chain(node, leaves)
        kept = (chains.get(id(node), [node]) for node in self.nodes if id(node) not in absorbed)
        self.nodes = [node for nodes in kept for node in nodes]

    def _leaves(
        self, node: Operation, makers: dict[int, Operation], uses: Counter
    ) -> tuple[list[int], list[Operation]]:
        leaves, inner, open_ = [], [], list(reversed(node.takes))
        while open_:
            value = open_.pop()
            maker = makers.get(self.root(value))
            if maker is not None and uses[self.root(value)] == 1 and maker.label.phase == node.label.phase:
                inner.append(maker)
                open_ += reversed(maker.takes)
            else:
                leaves.append(value)
        return leaves, inner

    def _chain(self, node: Operation, leaves: list[int]) -> list[Operation]:
        ordered = sorted(leaves, key=lambda one: self.labels[one].number)
        chain, total = [], ordered[0]
        for place, leaf in enumerate(ordered[1:], start=2):
            operands = [total, leaf]
            label = self._label(operands, node.label.phase == BACKWARD)
            total = node.gives[0] if place == len(ordered) else self._value(self.forms[node.gives[0]], label)
            self.labels[total] = label
            chain.append(Operation(node.name, node.function, operands, [total], label))
        return chain

    # -- who computes what ----------------------------------------------------------------------------------------------
    def demand(self, wanted: Sequence[set[int]]) -> dict[int, set[int]]:
        """Which stages need each value, when they want these outputs; also sets who computes each operation."""
        needed: dict[int, set[int]] = {}
        for output, stages in zip(self.outputs, wanted, strict=True):
            if isinstance(output, int):
                needed.setdefault(output, set()).update(stages)
        everywhere = set(range(self.stages))
        for node in reversed(self.nodes):
            asking = set().union(*(needed.get(one, ()) for one in node.gives))
            own = everywhere if node.label.stage is None else {node.label.stage}
            if node.has_effects:
                asking |= own
            node.stages = asking if node.label.stage is None else own if asking else set()
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
    """The graphs within an operation."""
    found = []
    for value in parameters.values():
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if hasattr(one, "jaxpr") and hasattr(one, "consts"):
                found.append(one)
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
