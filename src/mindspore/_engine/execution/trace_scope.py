"""Scope: which Tensors a trace reads and writes from outside.

Tensors and Parameters are mutable for the user and functional for XLA. While a function is traced, its scope records every
Tensor created outside that the trace reads or writes; a written Tensor becomes an extra output, and its original value is
restored when the scope closes. Nested scopes (branches, loop bodies) record into the enclosing ones too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindspore._engine.base.trace_state import state

if TYPE_CHECKING:
    from mindspore._engine.base.mutation import MutationTarget
    from mindspore._engine.tensor.tensor import Tensor


class Scope:
    """One trace. A context manager that restores mutated state on exit, also after an error."""

    def __init__(self, captured: dict[Tensor, Tensor] | None = None):
        self.parent: Scope | None = None
        self.captured = captured or {}  # outside Tensors that are inputs of this trace -> their tracers
        self.reads: dict[Tensor, None] = {}
        self.writes: dict[Tensor, None] = {}
        self.changed: dict[Any, tuple[MutationTarget, Any]] = {}  # mutated Python state with its previous value
        self.copies: dict[int, Any] = {}  # containers copied in this scope, by id
        self.cells: dict[Any, None] = {}  # Cells called during the trace, or asked for an attribute
        self.called: dict[type, None] = {}  # classes of those whose methods ran
        self.made: dict[int, Any] = {}  # Cells made during the trace, by id
        self.functions: dict[Any, None] = {}  # user functions called during the trace
        self.is_graph = False  # whether this is the trace of a compiled function
        self.calls_host = False  # whether the graph has host callbacks
        self.in_order = False  # whether some of these keep their order
        self.loops = False  # whether it has loops that may not end, which the user interrupts
        self.sites: list[Any] | None = None  # in-graph index checks; None where their result is not read
        self.in_parts: list[Any] = []  # scatter results, exempt from rollback selects: XLA updates them in place
        self.summaries: bool | None = None  # whether summaries are recorded; None if the program has none
        self.faithful = False  # whether what the program does besides computing ends the trace
        self.indexed: dict[int, Any] = {}  # Tensors with elements assigned by index, by id
        self.trying = 0  # how many `try` statements with handlers the code being traced stands in
        self.tracked = False  # whether changes to things made outside end the trace
        self.born: dict[int, Any] = {}  # containers and objects made by the trace, by id
        self.born_in: dict[int, Scope] = {}  # where
        self.origins: dict[int, Any] = {}  # the original of a container in `born` that is a copy, by the copy's id
        self.broken: Exception | None = None  # the first break, which the program may have caught
        self.path: list[Any] = []  # Cells and functions that an error has left
        self._before: dict[Tensor, Any] = {}

    def __enter__(self) -> Scope:
        self.parent = state.scope
        state.scope = self
        for tensor, stand_in in self.captured.items():
            self._before[tensor] = tensor._snapshot()
            tensor._stand_in(stand_in)
        return self

    def __exit__(self, *_: object) -> None:
        state.scope = self.parent
        for tensor, snapshot in self._before.items():
            tensor._restore(snapshot)
        for target, value in reversed(self.changed.values()):
            target.write(value)
        self._before = {}  # what outlives the trace, as Tensors born in it may, must not reference donated arrays

    @property
    def root(self) -> Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def sorted_writes(self) -> list[Tensor]:
        """The written Tensors in the order of the inputs.

        jax pairs donated buffers with outputs of the same shape in order: in another order XLA would have to copy a buffer
        before overwriting it.
        """
        index_of = {tensor: index for index, tensor in enumerate(self.captured)}
        return sorted(self.writes, key=lambda tensor: index_of.get(tensor, len(index_of)))

    @staticmethod
    def results(written: Sequence[Tensor]) -> list[Tensor]:
        """The values of the written Tensors at the end of the trace."""
        return [type(t).linked(t._value, t._link) for t in written]

    @property
    def missed(self) -> list[Tensor]:
        """Outside Tensors that were read but are not inputs: the trace must be repeated with them captured."""
        return [t for t in self.reads if t not in self.captured]

    def is_outside(self, tensor: Tensor) -> bool:
        """Whether the tensor was created neither in this scope nor in a nested one."""
        birth = tensor._birth
        while birth is not None:
            if birth is self:
                return False
            birth = birth.parent
        return True

    def note_read(self, tensor: Tensor) -> None:
        scope: Scope | None = self
        while scope is not None and scope.is_outside(tensor):
            scope.reads[tensor] = None
            if tensor in scope.captured:  # enclosing scopes see only this scope's tracer
                return
            scope = scope.parent

    def note_write(self, tensor: Tensor) -> None:
        scope: Scope | None = self
        while scope is not None and scope.is_outside(tensor):
            scope.writes[tensor] = None
            scope._before.setdefault(tensor, tensor._snapshot())
            if tensor in scope.captured:
                return
            scope = scope.parent

    def note_change(self, target: MutationTarget, within: bool = False) -> None:
        """Record the old value of an attribute or container item that is about to be mutated.

        ``within``: only inside of branches and loops, so that the end of the whole trace leaves it as it is.
        """
        scope: Scope | None = self
        while (
            scope is not None
            and not (within and scope.parent is None)
            and target.key not in scope.changed
            and id(target.owner) not in scope.copies
        ):
            scope.changed[target.key] = (target, target.read())
            scope = scope.parent
