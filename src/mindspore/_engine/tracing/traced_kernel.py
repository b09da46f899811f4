"""TracedKernel: a kernel whose body is Python code on Tensors (a compiled graph, a branch, a loop body).

Its gradient is not JAX's but the tape's, traced inside: hooks, custom ``bprop`` and MindSpore's conventions hold there
as everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base.kernel import Kernel, Mask
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.backward import backward
from mindspore._engine.execution.dispatch import call
from mindspore._engine.execution.tape import LeafNode, Tape, paused, recording
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.tensor_hooks import with_tensor_hooks, zeros_like

TensorFunction = Callable[[list[Any]], Sequence[Tensor]]


class TracedKernel(Kernel):
    """A kernel made from a function of a list of Tensors to a list of Tensors."""

    __slots__ = ("tensor_function",)

    def __init__(self, name: str, tensor_function: TensorFunction):
        self.tensor_function = tensor_function
        super().__init__(name, self.on_arrays)

    def on_arrays(self, *flat: Any) -> tuple:
        """The function on raw arrays, as jax traces it; an enclosing tape does not record inside."""
        with paused(), Scope():
            return tuple(t._read() for t in self.tensor_function([Tensor.linked(v, None) for v in flat]))

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        count = len(wanted)

        def gradients(tensors: list[Any]) -> Sequence[Tensor]:
            inputs, seeds = tensors[:count], tensors[count:]
            return gradient_of(self.tensor_function, inputs, wanted, given, seeds)

        return TracedKernel(f"{self.name}Grad", gradients)


def gradient_of(
    function: TensorFunction, inputs: list[Any], wanted: Mask, given: Mask, seeds: Sequence[Tensor]
) -> list:
    """Gradients of the wanted inputs, by a tape inside the current trace."""
    with recording() as tape:
        start = len(tape.nodes)
        leaves, arguments = [], []
        for x, want in zip(inputs, wanted, strict=True):
            if want:
                alias, leaf = watch(tape, x)
                leaves.append(leaf)
                arguments.append(alias)
            else:
                arguments.append(x)
        with replaying():
            outputs = [o for o, has in zip(function(arguments), given, strict=True) if has]
        pairs = [(link, s) for o, s in zip(outputs, seeds, strict=True) if (link := tape.link_of(o)) is not None]
        found = backward(tape, start, pairs, leaves)
    chosen = [x for x, want in zip(inputs, wanted, strict=True) if want]
    return [zeros_like(x) if g is None else g for g, x in zip(found, chosen, strict=True)]


class replaying:  # noqa: N801
    """Context manager of rematerialisation: host effects and checks are not repeated."""

    def __enter__(self) -> None:
        self.before = state.replaying
        state.replaying = True

    def __exit__(self, *_: object) -> None:
        state.replaying = self.before


def watch(tape: Tape, tensor: Tensor) -> tuple[Tensor, LeafNode]:
    """An alias of the tensor that is a leaf of the tape."""
    leaf = LeafNode(tape, tape.link_of(tensor))
    alias = Tensor.linked(tensor._read(), (leaf, 0))
    return (with_tensor_hooks(alias, tensor._hooks) if tensor._hooks else alias), leaf


def written_through(watched: Iterable[tuple[Tensor, Tensor, Any]]) -> None:
    """What a function changed in place in aliases reaches the Tensors they stand for.

    Args:
        watched: Tensors, their aliases and the values from before.
    """
    for tensor, alias, before in watched:
        if alias._value is not before:
            tensor._become(alias)


def watch_weight(tape: Tape, weight: Tensor) -> LeafNode:
    """Make a Parameter itself a leaf, since functions reference it directly; the caller restores its link."""
    alias, leaf = watch(tape, weight)
    weight._link = alias._link
    return leaf


_ones = Kernel("OnesLike", jnp.ones_like)


def ones_like(tensor: Tensor) -> Tensor:
    value = tensor._read()
    if state.scope is not None:
        return Tensor.wrap(_ones.jitted(value))
    if value.size > _SMALL:
        return Tensor.wrap(call(_ones, [value]))
    key = (value.shape, value.dtype)
    found = _small_ones.get(key)
    if found is None:
        found = _small_ones[key] = call(_ones, [value])
    return Tensor.wrap(found)


_SMALL = 64
_small_ones: dict[Any, Any] = {}  # cached cotangent seeds: ones in the shape of a loss


def tracing() -> bool:
    """Whether operators are traced into a graph."""
    return state.scope is not None
