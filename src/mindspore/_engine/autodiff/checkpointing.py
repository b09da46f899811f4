"""Activation checkpointing: save only the inputs of a call, and rerun it in the backward pass."""

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

# Without a barrier XLA's CSE would merge the rerun with the first run and keep its activations.
_barrier = Kernel("RecomputeBarrier", lambda *values: lax.optimization_barrier(values))


class _again:  # noqa: N801 - reads as a statement: with _again(stand_ins)
    """Context of a rerun: Parameters are replaced by stand-ins, and assignments are rolled back at exit."""

    def __init__(self, stand_ins: dict[Tensor, Tensor]):
        self.stand_ins = stand_ins
        self.scope = Scope(stand_ins) if state.scope is not None else None  # in a trace, the scope records and restores

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
    """Checkpoint ``call(*args, **kwargs)``, which reads these Parameters: its vjp reruns the call.

    The rerun sees the PRNG state of the first run, and its assignments (moving averages) are dropped.
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
    output_tensors = [x for x in leaves if isinstance(x, Tensor)]
    if not any(parents) or not output_tensors:
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
        barriered = run(_barrier, [*originals, *filled(cotangents, output_tensors)])
        seeds = barriered[len(originals) :]
        wanted = tuple(link is not None for link in parents)
        given = tuple(is_inexact(t._read().dtype) for t in output_tensors)
        chosen = [seed for seed, has in zip(seeds, given, strict=True) if has]
        gradients = iter(gradient_of(again, list(barriered[: len(originals)]), wanted, given, chosen))
        return [next(gradients) if want else None for want in wanted]

    node = PythonNode(tape, backward, parents, len(output_tensors))
    linked = iter([Tensor.linked(t._read(), (node, i)) for i, t in enumerate(output_tensors)])
    return unflatten(description, iter([next(linked) if isinstance(x, Tensor) else x for x in leaves]))
