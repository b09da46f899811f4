"""One variable of a traced loop: numeric leaves are loop carry, everything else must be invariant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mindspore._engine.base.errors import GraphError, breaks
from mindspore._engine.base.pytree import flatten
from mindspore._engine.syntax.values import (
    Aval,
    Undefined,
    aval_of,
    blank,
    fits,
    is_number,
    is_same,
    number_of,
    rebuild,
    shown,
    shown_name,
    to_tensor,
)
from mindspore._engine.tensor.tensor import Tensor

_WHERE = "a loop on a Tensor condition"


class Carried:
    """A loop variable with its initial value."""

    def __init__(self, name: str, value: Any):
        self.name = name
        self.value = value
        self.free = isinstance(value, Undefined)  # unbound before the loop
        self.leaves: list[Any] = []
        self.indices: list[int] = []  # indices of carried leaves
        self.avals: list[Aval] = []
        self.weak: list[bool] = []  # weakly typed Python scalars: they take the dtype of the carry
        if not self.free:
            self._take(value)

    def _take(self, value: Any) -> None:
        self.leaves, self.description = flatten(value)
        self.indices = [i for i, leaf in enumerate(self.leaves) if is_number(leaf)]
        found = [aval_of(self.leaves[i]) for i in self.indices]
        self.avals = [(shape, dtype) for shape, dtype, _ in found]
        self.weak = [weak for _, _, weak in found]

    def start(self) -> list[Tensor]:
        """The initial carry."""
        if self.free:
            return [blank(aval) for aval in self.avals]
        return [to_tensor(self.leaves[i], aval) for i, aval in zip(self.indices, self.avals, strict=True)]

    def inside(self, supply: Iterator[Any]) -> Any:
        """The variable with its carried leaves replaced."""
        if not self.leaves and self.free:
            return self.value
        leaves = list(self.leaves)
        for i, weak in zip(self.indices, self.weak, strict=True):
            leaves[i] = number_of(next(supply)) if weak else next(supply)
        return rebuild(self.description, leaves)

    def after(self, value: Any) -> list[Tensor]:
        """The carried leaves at the end of an iteration."""
        if isinstance(value, Undefined):
            return [blank(aval) for aval in self.avals]
        leaves = flatten(value)[0]
        return [to_tensor(leaves[i], aval) for i, aval in zip(self.indices, self.avals, strict=True)]

    def adapt(self, value: Any) -> bool:
        """Adapt avals to the value after an iteration; return whether they changed."""
        if isinstance(value, Undefined):
            return False
        if self.free and not self.leaves:
            self._take(value)
            return True
        leaves, description = flatten(value)
        if description != self.description:
            raise GraphError(
                f"The variable {shown_name(self.name)} changes its form inside {_WHERE}: from {shown(self.value)} to "
                f"{shown(value)}. Lists and dicts cannot grow there; use a Tensor of fixed size, e.g. ops.zeros(...) and "
                "x[i] = value, or a loop over a Python range."
            )
        self._check_constants(leaves)
        changed = [self._adapt_leaf(slot, leaves[i]) for slot, i in enumerate(self.indices)]
        return any(changed)

    def _check_constants(self, leaves: list[Any]) -> None:
        for i, (old, new) in enumerate(zip(self.leaves, leaves, strict=True)):
            if i not in self.indices and not is_same([old, new]):
                raise GraphError(
                    f"The variable {shown_name(self.name)} changes from {shown(old)} to {shown(new)} inside {_WHERE}. Only "
                    "Tensors and numbers can change there."
                )

    def _adapt_leaf(self, slot: int, new: Any) -> bool:
        if not is_number(new):
            raise GraphError(
                f"The variable {shown_name(self.name)} becomes {shown(new)} inside {_WHERE}. It must stay a number."
            )
        shape, dtype, weak = aval_of(new)
        known_shape, known = self.avals[slot]
        if (shape, dtype) == (known_shape, known) or (weak and shape == known_shape and fits(dtype, known)):
            return False
        # A Python scalar before the loop takes the aval it gets inside: total = 0, then total + x.
        widens = fits(known, dtype) and (shape == known_shape or known_shape == ())
        if self.weak[slot] and widens:
            self.avals[slot], self.weak[slot] = (shape, dtype), weak
            return True
        raise breaks(
            TypeError(
                f"The variable {shown_name(self.name)} has shape {known_shape} and dtype {known} before {_WHERE}, and shape {shape} "
                f"and dtype {dtype} after a step. They must stay the same; convert it before the loop."
            )
        )
