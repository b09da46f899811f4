"""Attributes that graphs read and write: what a Cell's ``construct`` assigns to ``self`` and finds there at the next call.

A graph captures Tensors, but ``self.cache = x`` puts another Tensor into the attribute. ``Held`` stands for the attribute
itself: graphs capture it, read its present value, and what they assign arrives in it after each run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base import version_counter
from mindspore._engine.base.errors import GraphError
from mindspore._engine.base.mutation import MISSING
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.traced_number import DTYPES, TracedNumber

NUMBERS = (bool, int, float)


class Held(Tensor):
    """The Tensor or number in an attribute, for graphs. Outside graphs ``present()`` is the value of the attribute."""

    def __init__(self, value: Any):
        self.constant: Any = MISSING  # what the attribute holds when it is neither Tensor nor number
        self.number: type | None = None  # bool, int or float when it is a number to the program
        self.home: Tensor | None = None  # the Tensor in the attribute
        self.inside: Tensor | None = None  # its stand-in in the present trace
        self.seen: Tensor | None = None  # what the last read inside a trace returned
        self.assign(value)

    # -- outside traces ---------------------------------------------------------------------------------------------
    def assign(self, value: Any) -> None:
        """The attribute is assigned by the program."""
        self.number = type(value) if type(value) in NUMBERS else None
        if self.number or isinstance(value, Tensor):
            self.home, self.constant = (_of_number(value) if self.number else value), MISSING
        else:
            self.home, self.constant = None, value

    def present(self) -> Any:
        """The value of the attribute."""
        if self.home is None:
            return self.constant
        return self.home if self.kind is Tensor else self.kind(self.home)

    @property
    def kind(self) -> Any:
        """What the program finds in the attribute when it is no constant: a Tensor, or a number of this type."""
        return self._kind_of(self.home)

    def _kind_of(self, tensor: Tensor | None) -> Any:
        number = self.number if tensor is self.home else _kinds().get(self, self.number)
        if tensor is None or number is None or tensor.shape != ():
            return Tensor
        fits = {bool: tensor.dtype == dtypes.bool_, int: tensor.dtype.is_integer, float: tensor.dtype.is_floating}
        return number if fits[number] else Tensor

    def form(self) -> Any:
        """What a graph depends on: this attribute as an input for Tensors and numbers, else the value as a constant."""
        return self.constant if self.home is None else (self, self.kind)

    # -- inside traces ------------------------------------------------------------------------------------------------
    def takes(self, value: Any) -> bool:
        """Whether a trace can assign this here, so that it arrives after each run."""
        return isinstance(value, Tensor) or (self.number is not None and type(value) is self.number)

    def read(self) -> Any:
        """The value inside a trace: the same Tensor until the attribute is assigned again."""
        if self.home is None and self.inside is None:
            return self.constant
        kind = self._kind_of(self.home if self.inside is None else self.inside)  # a Tensor may have replaced a number
        if kind is not Tensor:
            return TracedNumber.of(self._read(), kind)
        if self.seen is None or self.seen._value is not self._value or not _is_open(self.seen._birth):
            self.seen = Seen(self)
        return self.seen

    def become(self, value: Any) -> None:
        """The attribute is assigned inside a trace."""
        if self.home is None and in_branch():
            raise GraphError("there is no Tensor or number to be replaced")
        self.seen = None
        if not in_branch():
            self._note_kind(value)
        if isinstance(value, TracedNumber):
            value = Tensor.wrap(lax.convert_element_type(value._value, value._value.dtype))  # no weak type
        self._become(value if isinstance(value, Tensor) else _of_number(value))

    def _note_kind(self, value: Any) -> None:
        """A Tensor in the place of a number, also of a scalar shape, is a Tensor to the program from then on."""
        number = value.number if isinstance(value, TracedNumber) else None if isinstance(value, Tensor) else type(value)
        kinds = _kinds()
        if self not in kinds:
            if number is self.number:
                return
            Effect(lambda: self._turn_into(kinds.get(self, self.number)))
        kinds[self] = number

    def forget_kind(self) -> None:
        """What the trace has assigned does not count."""
        _kinds().pop(self, None)

    def _turn_into(self, number: type | None) -> None:
        if number is not self.number:
            self.number = number
            version_counter.note()

    # -- what scopes and graphs see -----------------------------------------------------------------------------------
    @property
    def _value(self) -> Any:
        if self.inside is not None:
            return self.inside._value
        return None if self.home is None else self.home.init_data()._value

    @_value.setter
    def _value(self, value: Any) -> None:
        if state.scope is None:
            self._store(value)
        else:
            self.inside = Tensor.wrap(value)

    def _snapshot(self) -> Tensor | None:
        return self.inside

    def _restore(self, snapshot: Tensor | None) -> None:
        self.inside = snapshot

    def _stand_in(self, other: Tensor) -> None:
        self.inside = None if other._value is None else Tensor.linked(other._value, other._link)

    def _store(self, value: Any) -> None:
        before = None if self.home is None else self.kind
        self.inside, self.home, self.constant = None, Tensor.wrap(value), MISSING
        if before is not self.kind:
            version_counter.note()

    @property
    def dtype(self) -> dtypes.DType:
        return dtypes.type_none if self._value is None else super().dtype  # a constant is no input of graphs

    @property
    def _link(self) -> Any:
        held = self.inside if self.inside is not None else self.home
        return None if held is None else held._link

    @_link.setter
    def _link(self, link: Any) -> None:  # type: ignore[override]
        held = self.inside if self.inside is not None else self.home
        if held is not None:
            held._link = link


class HeldTree:
    """The Tensors inside a tuple, list or dict in an attribute, such as the states of a recurrent layer."""

    def __init__(self, value: Any, empty: bool = False):
        leaves, self.description = flatten(value)
        self.leaves = [Held(MISSING if empty else leaf) if isinstance(leaf, Tensor) else leaf for leaf in leaves]

    def takes(self, value: Any) -> bool:
        """Whether the value has Tensors as the same leaves, and equal constants elsewhere."""
        leaves, description = flatten(value)
        return description == self.description and all(
            isinstance(new, Tensor) if isinstance(old, Held) else type(old) is type(new) and old == new
            for old, new in zip(self.leaves, leaves, strict=True)
        )

    def assign(self, value: Any) -> None:
        for held, leaf in self._pairs(value):
            held.assign(leaf)

    def become(self, value: Any) -> None:
        for held, leaf in self._pairs(value):
            held.become(leaf)

    def present(self) -> Any:
        return unflatten(self.description, iter([x.present() if isinstance(x, Held) else x for x in self.leaves]))

    def read(self) -> Any:
        return unflatten(self.description, iter([x.read() if isinstance(x, Held) else x for x in self.leaves]))

    def form(self) -> Any:
        return (self, self.description, tuple([x.form() if isinstance(x, Held) else x for x in self.leaves]))

    def _pairs(self, value: Any) -> list[tuple[Held, Any]]:
        return [(x, leaf) for x, leaf in zip(self.leaves, flatten(value)[0], strict=True) if isinstance(x, Held)]


class Seen(Tensor):
    """A held Tensor as construct sees it: writing to its elements writes to the attribute."""

    def __init__(self, held: Held):
        self.held = held
        self._birth = state.scope
        self._value, self._link = held._read(), held._link

    def _set(self, value: Any, link: Any = None) -> None:
        current = self.held.seen is self
        super()._set(value, link)
        if current:
            self.held._set(value, link)


class Effect(Tensor):
    """Something that happens each time a graph has run. A trace writes to it, which makes it a result of the graph."""

    def __init__(self, action: Callable[[], None]):
        self.action = action
        self.token: Any = None
        self._set(np.int32(0))

    @property
    def _value(self) -> Any:
        return self.token

    @_value.setter
    def _value(self, value: Any) -> None:
        if state.scope is None:
            self._store(value)
        else:
            self.token = value

    def _snapshot(self) -> Any:
        return self.token

    def _restore(self, snapshot: Any) -> None:
        self.token = snapshot

    def _store(self, value: Any) -> None:
        self.action()


def _of_number(value: Any) -> Tensor:
    return Tensor(np.asarray(value, DTYPES[type(value)]))


def _kinds() -> dict[Held, type | None]:
    """What the present trace has put into attributes that held a number, or had become a Tensor: the number's type, or None."""
    return state.scope.root.__dict__.setdefault("kinds_of_held", {})


def in_branch() -> bool:
    """Whether the code being traced runs only if a Tensor says so, or several times."""
    scope = state.scope
    return scope is not None and scope.parent is not None and scope.parent.parent is not None


def _is_open(scope: Any) -> bool:
    """Whether the scope belongs to the present trace and has not ended."""
    present = state.scope
    while present is not None and present is not scope:
        present = present.parent
    return present is not None
