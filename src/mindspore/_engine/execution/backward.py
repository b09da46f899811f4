"""The backward pass over a tape: one reverse loop, eager or traced.

The vjp of a node is itself a kernel call: eagerly a cached executable, in a trace inlined, inside an enclosing ``grad``
recorded again. If nothing can observe intermediate cotangents, the whole pass is one executable (``backward_program.py``), or one
kernel if it is recorded itself (``recorded_walk.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base import unsettled_writes
from mindspore._engine.base.kernel import gradient_sum, is_inexact
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import backward_program, recorded_walk
from mindspore._engine.execution.cotangents import RowCotangent, walk
from mindspore._engine.execution.dispatch import run, run_on_values
from mindspore._engine.execution.row_gradient import RowGradient
from mindspore._engine.execution.tape import (
    KeptNode,
    KernelNode,
    LeafNode,
    Link,
    Node,
    PackedNode,
    PythonNode,
    Tape,
    paused,
)
from mindspore._engine.tensor.tensor import Tensor

Cotangents = Sequence[Tensor | None]


def backward(
    tape: Tape, start: int, seeds: Sequence[tuple[Link, Tensor]], leaves: Sequence[LeafNode], often: bool = False
) -> list[Tensor | None]:
    """The cotangent of each leaf (None if the seeds do not depend on it), from the nodes recorded since ``start``.

    ``often``: the same tape will recur, as in training: worth compiling.
    """
    nodes = tape.nodes[start:]
    keep = tape.depth > 1  # an enclosing grad still needs the nodes
    if not keep:
        del tape.nodes[start:]
        compiled = backward_program.backward(nodes, seeds, leaves, often)
        if compiled is not None:
            for node in nodes:
                node.release()
            return [_wrapped(value) for value in compiled]
    if state.scope is None:
        unsettled_writes.expect_failure()
    stops = set(leaves)
    reached = _reached_from(nodes, stops) if keep else None
    if reached is not None:
        recorded = recorded_walk.backward(nodes, seeds, leaves, reached)
        if recorded is not None:
            return recorded

    def parents_of(node: Node) -> Sequence[Link | None]:
        return node.parents if reached is None or node in reached else ()

    def pull(node: Node, cotangents: list[Tensor | None]) -> Cotangents:
        return _PULL[node.__class__](node, cotangents) if reached is None or node in reached else ()

    with nullcontext() if keep else paused():
        found = walk(
            reversed(nodes), seeds, stops,
            outputs_of=lambda node: node.outputs, parents_of=parents_of, pull=pull, add=_add,
            done=None if keep else lambda node: node.release(),
        )  # fmt: skip
    return [found.get(leaf) for leaf in leaves]


def _reached_from(nodes: Sequence[Node], leaves: set) -> set:
    """The nodes that depend on one of the leaves."""
    reached = set(leaves)
    for node in nodes:
        if any(parent is not None and parent[0] in reached for parent in node.parents):
            reached.add(node)
    return reached


def _wrapped(value: Any) -> Tensor | None:
    if value.__class__ is RowCotangent:
        return RowGradient.made(Tensor.wrap(value.indices), Tensor.wrap(value.values), value.length)
    return None if value is None else Tensor.wrap(value)


def _add(present: Tensor, gradient: Tensor) -> Tensor:
    if present.__class__ is RowGradient and gradient.__class__ is RowGradient:
        return present.plus(gradient)  # type: ignore[attr-defined]
    return run(gradient_sum, [present, gradient])


# -- vjp by node class: cotangents of the inputs from those of the outputs -------------------------------------------------
def _through_leaf(node: LeafNode, cotangents: list[Tensor | None]) -> Cotangents:
    return cotangents


def _through_kernel(node: KernelNode, cotangents: list[Tensor | None]) -> Cotangents:
    if node.kernel.rows is not None and state.tape is None and _is_lookup(node):
        indices, values = run_on_values(node.kernel.row_vjp(), [*node.inputs, cotangents[0]._value])  # type: ignore[union-attr]
        return [RowGradient.made(indices, values, node.inputs[0].shape[0]), *[None] * (len(node.parents) - 1)]
    wanted = tuple([p is not None for p in node.parents])
    given = tuple([c is not None for c in cotangents])
    vjp = node.kernel.vjp(wanted, given)
    if state.tape is None:  # not recorded: no links needed
        values = run_on_values(vjp, [*node.inputs, *[c._value for c in cotangents if c is not None]])
        supply = iter(values)
        return values if len(values) == len(wanted) else [next(supply) if want else None for want in wanted]
    arguments = [Tensor.linked(v, p) for v, p in zip(node.inputs, node.parents, strict=True)]
    gradients = iter(run(vjp, [*arguments, *[c for c in cotangents if c is not None]]))
    return [next(gradients) if want else None for want in wanted]


def _is_lookup(node: KernelNode) -> bool:
    """Whether rows of a leaf were looked up, by numbers that want no gradient."""
    table, *others = node.parents
    return table is not None and table[0].__class__ is LeafNode and not any(others) and is_inexact(node.inputs[0].dtype)


def _through_kept(node: KeptNode, cotangents: list[Tensor | None]) -> Cotangents:
    if state.tape is not None:
        return _through_kernel(node, cotangents)
    results = node.forms if isinstance(node.forms, tuple) else (node.forms,)
    seeds = tuple([jnp.zeros_like(r) if c is None else c._value for c, r in zip(cotangents, results, strict=True)])
    vjp, residuals = node.kept
    cotangents_in = iter(vjp(residuals, seeds if isinstance(node.forms, tuple) else seeds[0]))
    return [None if p is None else Tensor.wrap(next(cotangents_in)) for p in node.parents]


def _through_packed(node: PackedNode, cotangents: list[Tensor | None]) -> Cotangents:
    node.restore()
    return _through_kernel(node, cotangents)


def _through_python(node: PythonNode, cotangents: list[Tensor | None]) -> Cotangents:
    return node.function(cotangents)


_PULL: dict[type[Node], Callable[[Any, list[Tensor | None]], Cotangents]] = {
    LeafNode: _through_leaf,
    KernelNode: _through_kernel,
    KeptNode: _through_kept,
    PackedNode: _through_packed,
    PythonNode: _through_python,
}
