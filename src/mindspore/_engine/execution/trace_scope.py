"""Scope: which Tensors a trace reads from outside and which it changes.

Tensors and Parameters are mutable for the user and functional for XLA. While a function is traced, its scope notes every
Tensor born outside that the trace reads or writes; what was written becomes an output of the trace, and the Tensor gets
its old value back when the scope closes. Nested scopes (branches, loop bodies) note for the enclosing ones too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindspore._engine.base.trace_state import state

if TYPE_CHECKING:
    from mindspore._engine.base.mutation import MutationTarget
    from mindspore._engine.tensor.tensor import Tensor


class Scope:
    """One trace. Use as a context manager; values are restored on exit, also after an error."""

    def __init__(self, captured: dict[Tensor, Tensor] | None = None):
        self.parent: Scope | None = None
        self.captured = captured or {}  # outside Tensors that are inputs of this trace, with their stand-ins
        self.reads: dict[Tensor, None] = {}
        self.writes: dict[Tensor, None] = {}
        self.changed: dict[Any, tuple[MutationTarget, Any]] = {}  # Python's own state, with what was there before
        self.copies: dict[int, Any] = {}  # containers copied in this scope for the constructs inside it, by id
        self.cells: dict[Any, None] = {}  # Cells called during the trace
        self.functions: dict[Any, None] = {}  # the program's functions called during the trace
        self.calls_host = False  # whether the graph prints or checks something when it runs
        self.sites: list[Any] | None = None  # checks of positions in the graph; None where nobody would look at them
        self.in_parts: list[
            Any
        ] = []  # values to be written as they are, because XLA replaces only parts of the old ones
        self.summaries: bool | None = None  # whether summaries are handed out; None when there are none in the program
        self._before: dict[Tensor, tuple] = {}

    def __enter__(self) -> Scope:
        self.parent = state.scope
        state.scope = self
        for tensor, stand_in in self.captured.items():
            self._before[tensor] = (tensor._value, tensor._link)
            tensor._value, tensor._link = stand_in._value, stand_in._link
        return self

    def __exit__(self, *_: object) -> None:
        state.scope = self.parent
        for tensor, (value, link) in self._before.items():
            tensor._value, tensor._link = value, link
        for place, value in reversed(self.changed.values()):
            place.write(value)

    @property
    def root(self) -> Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def sorted_writes(self) -> list[Tensor]:
        """The written Tensors in the order of the inputs.

        JAX gives the memory of the first input of a shape to the first output of that shape, and so on: in another order
        XLA would have to copy what it is about to overwrite.
        """
        places = {tensor: place for place, tensor in enumerate(self.captured)}
        return sorted(self.writes, key=lambda tensor: places.get(tensor, len(places)))

    @staticmethod
    def results(written: Sequence[Tensor]) -> list[Tensor]:
        """What the written Tensors hold at the end of the trace."""
        return [type(t).linked(t._value, t._link) for t in written]

    @property
    def missed(self) -> list[Tensor]:
        """Outside Tensors that were read but are no inputs of this trace."""
        return [t for t in self.reads if t not in self.captured]

    def is_outside(self, tensor: Tensor) -> bool:
        """Whether the tensor was born neither in this scope nor in one inside it."""
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
            if tensor in scope.captured:  # from here on outwards it is this scope's stand-in that is used
                return
            scope = scope.parent

    def note_write(self, tensor: Tensor) -> None:
        scope: Scope | None = self
        while scope is not None and scope.is_outside(tensor):
            scope.writes[tensor] = None
            scope._before.setdefault(tensor, (tensor._value, tensor._link))
            if tensor in scope.captured:
                return
            scope = scope.parent

    def note_change(self, place: MutationTarget) -> None:
        """An attribute or container is about to change."""
        scope: Scope | None = self
        while scope is not None and place.key not in scope.changed and id(place.owner) not in scope.copies:
            scope.changed[place.key] = (place, place.read())
            scope = scope.parent
