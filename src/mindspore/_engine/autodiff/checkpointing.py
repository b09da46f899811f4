"""Recomputation: a call that leaves nothing behind for its gradient but its inputs, and runs again in the backward pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jax import lax

from mindspore._engine.base.kernel import Kernel, is_inexact
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import random
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.tape import PythonNode, paused
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.tensor_hooks import filled
from mindspore._engine.tracing.traced_kernel import gradient_of

# XLA would find that the second run computes what the first one did, and keep those values after all.
_barrier = Kernel("RecomputeBarrier", lambda *values: lax.optimization_barrier(values))


class _again:  # noqa: N801 - reads as a statement: with _again(stand_ins)
    """A second run: Parameters are replaced by stand-ins, and what is assigned meanwhile is dropped at the end."""

    def __init__(self, stand_ins: dict[Tensor, Tensor]):
        self.stand_ins = stand_ins
        self.scope = Scope(stand_ins) if state.scope is not None else None  # while tracing, it is noted as well

    def __enter__(self) -> None:
        if self.scope is not None:
            self.scope.__enter__()
            return
        self.before = [(tensor, tensor._snapshot()) for tensor in (*self.stand_ins, random.generator)]
        for tensor, stand_in in self.stand_ins.items():
            tensor._stand_in(stand_in)

    def __exit__(self, *details: object) -> None:
        if self.scope is not None:
            self.scope.__exit__(*details)
            return
        for tensor, snapshot in self.before:
            tensor._restore(snapshot)


def recomputed(call: Callable[..., Any], args: tuple, kwargs: dict[str, Any], weights: Sequence[Tensor]) -> Any:
    """The outputs of ``call(*args, **kwargs)``, which reads these Parameters; its backward runs the call again.

    The second run sees the random state of the first, and what it assigns (moving averages) is dropped.
    """
    tape = state.tape
    if tape is None:
        return invoke.invoke(call, args, kwargs)
    arguments, form = flatten((args, kwargs))
    inputs = [*[x for x in arguments if isinstance(x, Tensor)], *weights]
    parents = [tape.link_of(t) for t in inputs]
    before = random.current_words()
    originals = [Tensor.linked(t._read(), link) for t, link in zip(inputs, parents, strict=True)]
    with paused():
        outputs = invoke.invoke(call, args, kwargs)
    leaves, description = flatten(outputs)
    made = [x for x in leaves if isinstance(x, Tensor)]
    if not any(parents) or not made:
        return outputs

    def again(tensors: list[Any]) -> list[Tensor]:
        supply = iter(tensors)
        given = [next(supply) if isinstance(x, Tensor) else x for x in arguments]
        with _again(dict(zip(weights, supply, strict=True))):
            random.generator._set(before)
            new_args, new_kwargs = unflatten(form, iter(given))
            found = flatten(invoke.invoke(call, new_args, new_kwargs))[0]
            return [Tensor.linked(t._read(), t._link) for t in found if isinstance(t, Tensor)]

    def backward(cotangents: list[Any]) -> list[Any]:
        held = run(_barrier, [*originals, *filled(cotangents, made)])
        seeds = held[len(originals) :]
        wanted = tuple(link is not None for link in parents)
        given = tuple(is_inexact(t._read().dtype) for t in made)
        chosen = [seed for seed, has in zip(seeds, given, strict=True) if has]
        gradients = iter(gradient_of(again, list(held[: len(originals)]), wanted, given, chosen))
        return [next(gradients) if want else None for want in wanted]

    node = PythonNode(tape, backward, parents, len(made))
    linked = iter([Tensor.linked(t._read(), (node, i)) for i, t in enumerate(made)])
    return unflatten(description, iter([next(linked) if isinstance(x, Tensor) else x for x in leaves]))
