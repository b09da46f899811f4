"""Symbolic sizes: a program's declarations, messages about them, and attributes that must not keep symbols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jax.export import is_symbolic_dim

from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.graph.breaks import Break
from mindspore._engine.graph.declared_inputs import examples_of, names_of, pairs
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled
    from mindspore._engine.graph.size_plan import InputAxis


def declared(owner: Compiled, description: Any, count: int, input_leaves: Sequence[int]) -> set[InputAxis]:
    """The axes that ``set_inputs``, ``enable_dynamic`` or ``input_signature`` leave open."""
    examples = examples_of(owner)
    if not examples:
        return set()
    args, kwargs = unflatten(description, iter(range(count)))
    found = set()
    for example, argument in pairs(owner, examples, args, kwargs):
        forms, leaves = flatten(example)[0], flatten(argument)[0]
        for form, leaf in zip(forms, leaves):
            if isinstance(form, Tensor) and leaf in input_leaves:
                found |= {(input_leaves.index(leaf), axis) for axis, size in enumerate(form.shape) if size == -1}
    return found


def new_size(owner: Compiled, reason: str) -> Break:
    """Why a call runs as Python that could be a graph."""
    text = f"its sizes are new, and one graph cannot serve them all ({reason})"
    return Break(owner.name, "", 0, "", "", text, "pad the inputs to a few sizes; a size that comes back is compiled")


def tell(
    owner: Compiled, description: Any, count: int, leaf: int, axis: int, sizes: Sequence[int], reason: str
) -> None:
    """Once for each Cell or function that is compiled for many sizes."""
    args, kwargs = unflatten(description, iter(range(count)))
    names = names_of(owner)
    named = {names[i] if i < len(names) else str(i): one for i, one in enumerate(args)} | kwargs
    name = next((name for name, one in named.items() if leaf in flatten(one)[0]), "")
    shown = ", ".join(map(str, sorted(set(sizes))[:6]))
    because = f" One graph for all of them is not possible: {reason}." if reason else ""
    log.once(
        ("sizes", id(owner)),
        f"'{owner.name}' has been compiled more than 10 times, because axis {axis} of '{name}' has another size in many calls ({shown}, "
        f"...).{because} Pad the input to a few sizes (ops.pad with a mask), or say that the axis is open with "
        f"set_inputs(Tensor(shape=[None, ...], dtype=...)) and keep to operators whose results do not depend on what is beyond it.",
        log.WARNING,
    )


def attributes(owner: Compiled) -> dict[Any, dict[str, Any]]:
    """The attributes of all Cells below."""
    root: Any = owner.roots[0]
    return {cell: dict(vars(cell)) for _, cell in root.cells_and_names()} if hasattr(root, "cells_and_names") else {}


def put_back(before: dict[Any, dict[str, Any]]) -> bool:
    """Restore attributes that were set to an open size; whether there were any."""
    found = False
    for cell, old in before.items():
        for name, value in list(vars(cell).items()):
            if _holds_open(value):
                found = True
                if name in old:
                    vars(cell)[name] = old[name]
                else:
                    del vars(cell)[name]
    return found


def _holds_open(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_holds_open, value))
    return is_symbolic_dim(value)
