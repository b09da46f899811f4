"""Reverse accumulation of cotangents over any graph of steps."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from mindspore._engine.execution.row_gradient import spread


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class RowCotangent:
    """The cotangent of a table of which some rows were looked up, as arrays in a program."""

    indices: Any
    values: Any
    length: int = dataclasses.field(metadata={"static": True})  # rows of the table

    def plus(self, other: RowCotangent) -> RowCotangent:
        """The sum of two cotangents of one table."""
        parts = (self.indices, other.indices), (self.values, other.values)
        indices, values = (jnp.concatenate(pair) for pair in parts)
        return RowCotangent(indices, values, self.length)


def whole(cotangent: Any) -> Any:
    """A cotangent in the shape of its value."""
    if cotangent.__class__ is RowCotangent:
        return spread(cotangent.indices, cotangent.values, cotangent.length)
    return cotangent


def walk(
    steps: Iterable[Any],
    seeds: Iterable[tuple[tuple[Any, int], Any]],
    stops: Container[Any],
    *,
    outputs_of: Callable[[Any], int],
    parents_of: Callable[[Any], Sequence[tuple[Any, int] | None]],
    pull: Callable[[Any, list[Any]], Iterable[Any]],
    add: Callable[[Any, Any], Any],
    done: Callable[[Any], object] | None = None,
) -> dict[Any, Any]:
    """Cotangents of the ``stops``, from ``seeds``: pairs of (step, output index) and its cotangent.

    ``steps`` are in reverse topological order. ``pull`` is the vjp of a step: cotangents of its outputs (None: zero) to those
    of its inputs; ``add`` sums two cotangents of one value; ``done`` is called once a step is no longer needed.
    """
    pending: dict[Any, list[Any]] = {}

    def accumulate(link: tuple[Any, int], cotangent: Any) -> None:
        step, index = link
        slots = pending.get(step)
        if slots is None:
            slots = pending[step] = [None] * outputs_of(step)
        present = slots[index]
        slots[index] = cotangent if present is None else add(present, cotangent)

    for link, seed in seeds:
        accumulate(link, seed)
    found: dict[Any, Any] = {}
    for step in steps:
        cotangents = pending.pop(step, None)
        if cotangents is not None:
            if step in stops:
                found[step] = cotangents[0]
            else:
                for link, gradient in zip(parents_of(step), pull(step, cotangents), strict=True):
                    if link is not None and gradient is not None:
                        accumulate(link, gradient)
        if done is not None:
            done(step)
    return found
