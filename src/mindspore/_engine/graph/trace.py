"""The outcome of tracing a function once, and how results are rebuilt from an executable's outputs."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from mindspore._engine.autodiff import forward_cache
from mindspore._engine.base.pytree import LEAF, flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import guarded_update, index_bounds
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.graph import results
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import capture
from mindspore._engine.tracing.code_names import mentioned
from mindspore._engine.tracing.surroundings import Surroundings

tracing_lock = threading.RLock()  # a trace puts stand-ins into Parameters; two traces must not meet


class Trace:
    """What came out of tracing a function once."""

    def __init__(
        self,
        scope: Scope,
        result: Any,
        inputs: Sequence[tuple[Tensor, Any]] = (),
        given: results.Given | None = None,
        captured: Collection[Tensor] = (),
    ):
        if not scope.root.faithful:
            result = results.settled(result)
        changed_lists = [] if given is None else given.changed()
        self.changed_lists = [path for path, _ in changed_lists]  # lists of the caller that were changed in place
        alone, result = result, (result, [one for _, one in changed_lists]) if changed_lists else result
        leaves, self.description = flatten(result, results.opened)
        results.refuse_unready(leaves)
        self.numbers = results.numbers_in(leaves)
        indexed = (
            {} if scope.root.faithful or state.piecewise else scope.root.indexed
        )  # in MindSpore's graphs x[0] = 1 makes a new Tensor
        changed = [(i, x) for i, (x, value) in enumerate(inputs) if x._value is not value and id(x) not in indexed]
        self.changed = [i for i, _ in changed]  # inputs that were changed in place
        self.passed, self.repeated = _own_tensors(leaves, inputs, self.changed, scope.root.faithful)
        self.given = {} if given is None else given.found_in(result)
        # until it is known which of them the program references
        self.containers = [
            found for found in results.containers_in(result) if not results.is_made(found[1], scope.root)
        ]
        held = _held_tensors(alone, leaves, scope, captured)
        computed = [isinstance(leaf, Tensor) and id(leaf) not in held for leaf in leaves]
        self.constants = [None if one else leaf for leaf, one in zip(leaves, computed, strict=True)]
        self.tensor_leaves = [i for i, one in enumerate(computed) if one]  # which results are Tensors of the graph
        for index in self.tensor_leaves:
            scope.note_read(leaves[index])
        self.written = [tensor for tensor in scope.sorted_writes() if tensor is not index_bounds.failure]
        self.checked = index_bounds.failure in scope.writes  # whether indices are checked; the check's code is a result
        self.sites = scope.root.sites or []
        self.missed = scope.missed
        self.scope: Scope | None = scope
        lasting = [cell for cell in scope.root.cells if id(cell) not in scope.root.made]  # others nobody can change
        self.cells = {cell: capture.fingerprint(cell) for cell in lasting}
        self.functions = list(scope.root.functions)
        self.names = mentioned(scope.root)
        self.calls_host = scope.root.calls_host  # it prints, or checks something and may stop
        self.loops = scope.root.loops  # it may be interrupted
        self.summaries = scope.root.summaries
        for cell in self.cells:
            forward_cache.forget(cell)
        outputs = [Tensor.linked(leaves[i]._value, leaves[i]._link) for i in self.tensor_leaves]
        new = scope.results(self.written)
        if self.checked:
            outputs += scope.results([index_bounds.failure])
            if not state.replaying:
                new = guarded_update.at_the_end(scope, outputs[-1], self.written, new)
        self.outputs = outputs + scope.results([tensor for _, tensor in changed]) + new

    @property
    def results(self) -> int:
        """How many outputs come before what is written."""
        return len(self.tensor_leaves) + self.checked + len(self.changed)

    def changed_inputs(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
        """The inputs that were changed in place, with what they become."""
        first = len(self.tensor_leaves) + self.checked
        return [(inputs[i], outputs[first + offset]) for offset, i in enumerate(self.changed)]

    def rebuild(self, tensors: list[Tensor], inputs: Sequence[Any] = ()) -> Any:
        """The function's result with these Tensors in it, and the inputs that it returns as they came."""
        if self.description is LEAF and self.tensor_leaves and not self.numbers and not self.passed:
            return tensors[0]
        leaves: list[Any] = list(self.constants)
        for index, tensor in zip(self.tensor_leaves, tensors):
            kind = self.numbers.get(index)
            leaves[index] = tensor if kind is None else results.as_python(tensor, kind)
        for number, index in self.passed.items():
            leaves[number] = inputs[index]
        for index, before in self.repeated.items():
            leaves[index] = leaves[before]
        return unflatten(self.description, iter(leaves))

    def with_own_objects(self, result: Any, arguments: Any) -> Any:
        """The result with the lists and dicts that the program itself holds where it returns those.

        Lists among the arguments that were changed in place get their new contents.
        """
        objects = {path: results.at(arguments, found) for path, found in self.given.items()}
        if not self.changed_lists:
            return results.replaced(result, objects | self.held)
        contents = [[*items] for items in result[1]]
        result = results.replaced(result[0], results.within(objects | self.held, 0))
        for index, (path, items) in enumerate(zip(self.changed_lists, contents, strict=True)):
            results.at(arguments, path)[:] = results.replaced(items, results.within(objects | self.held, 1, index))
        return result

    def let_go(self) -> None:
        """Drop what belongs to the trace itself."""
        self.scope, self.outputs, self.missed = None, [], []

    def look_for_held(self, surroundings: Surroundings | None) -> None:
        """Recognise lists and dicts in the result that the program holds: in globals, closures and attributes."""
        known = {} if surroundings is None else surroundings.seen.known
        self.held = {path: one for path, one in self.containers if known.get(id(one)) is one}
        self.containers = []


def _held_tensors(result: Any, leaves: list[Any], scope: Scope, captured: Collection[Tensor]) -> set[int]:
    """Which results are Tensors that the program holds, by id: the call gives these themselves.

    MindSpore's graphs do so for a Parameter alone that they have not written.
    """
    held = {id(leaf) for leaf in leaves if isinstance(leaf, Tensor) and leaf in captured}
    if scope.root.faithful:
        return held
    return held if isinstance(result, Parameter) and result not in scope.writes else set()


def _own_tensors(
    leaves: list[Any], inputs: Sequence[tuple[Tensor, Any]], changed: list[int], faithful: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """Which results are inputs themselves, and which stand in the result before already.

    MindSpore's graphs return the caller's Tensors where they compute nothing.
    """
    known = {id(x): i for i, (x, value) in enumerate(inputs) if x._value is value or i in changed}
    passed = {index: known[id(leaf)] for index, leaf in enumerate(leaves) if id(leaf) in known}
    if not faithful:
        whole = len(passed) == sum(isinstance(leaf, Tensor) for leaf in leaves) and not changed
        return (passed if whole else {}), {}
    first: dict[int, int] = {}
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, Tensor):
            first.setdefault(id(leaf), index)
    return passed, {p: first[id(leaf)] for p, leaf in enumerate(leaves) if first.get(id(leaf), p) != p}
