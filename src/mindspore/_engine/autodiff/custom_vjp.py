"""Custom vjp: a Cell with ``bprop`` is one node on the tape whose vjp is the user's code.

Like hooks it works in both modes: eagerly the code runs in the backward pass, in a graph it is traced into it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.autodiff.hooks import checked_gradient
from mindspore._engine.base.pytree import LEAF, flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.tape import PythonNode, paused
from mindspore._engine.runtime import context
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.tensor_hooks import filled, zeros_like
from mindspore._utils.refusals import several


def call_with_bprop(call: Callable[[], Any], bprop: Callable[..., Any], inputs: tuple, weights: Sequence[Tensor],
                    owner: str) -> Any:  # fmt: skip
    """Record ``call()`` as one node whose vjp is the user's ``bprop(*inputs, out, dout)``.

    The call itself is not recorded: ``weights`` have a zero gradient unless bprop returns one.
    """
    tape = state.tape
    if tape is None:
        return call()
    tensors = [x for x in flatten(inputs)[0] if isinstance(x, Tensor)]
    parents = [tape.link_of(t) for t in (*tensors, *weights)]
    with paused():
        outputs = call()
    if not any(parents):
        return outputs
    leaves, description = flatten(outputs)
    made = [x for x in leaves if isinstance(x, Tensor)]

    def backward(cotangents: list[Any]) -> Sequence[Any]:
        supply = iter(filled(cotangents, made))
        douts = unflatten(description, iter([next(supply) if isinstance(x, Tensor) else x for x in leaves]))
        returned = invoke.invoke(bprop, (*inputs, linked, douts), {})
        return bprop_gradients(owner, returned, inputs, weights)

    node = PythonNode(tape, backward, parents, len(made))
    tensors_out = iter([Tensor.linked(t._read(), (node, i)) for i, t in enumerate(made)])
    linked = unflatten(description, iter([next(tensors_out) if isinstance(x, Tensor) else x for x in leaves]))
    return linked


def bprop_gradients(owner: str, returned: Any, inputs: tuple, weights: Sequence[Tensor]) -> list[Any]:
    """Validate and flatten the result of a bprop: one gradient or None per Tensor input and per weight."""
    returned, of_weights = _without_weights(owner, returned, inputs, weights)
    if returned is None and inputs:
        raise TypeError(
            f"For '{owner}', the bprop returned None. It must return a tuple with one gradient per input of construct. Does it end "
            "with 'return'?"
        )
    if context.state.check_bprop and isinstance(returned, list):
        raise TypeError(f"For '{owner}', the bprop must return a tuple of gradients, but got a list: {returned!r}.")
    listed = isinstance(returned, (tuple, list))
    gradients = returned if listed else (returned,)
    if len(gradients) < len(inputs) or (context.state.check_bprop and len(gradients) != len(inputs)):
        # MindSpore raises one of them in graphs, the other in PyNative mode
        kinds = (
            (TypeError, ValueError)
            if context.state.check_bprop
            else (RuntimeError,)
            if listed
            else (RuntimeError, TypeError)
        )
        raise several(*kinds)(
            f"For '{owner}', the bprop must return a tuple with one gradient per input of construct, which are {len(inputs)}, "
            f"but got {len(gradients)}. (Grad size should lager than forward inputs.)"
        )
    found: list[Any] = []
    for index, (gradient, value) in enumerate(zip(gradients, inputs)):
        leaves, description = flatten(value)
        if description is LEAF:
            given = [gradient]
        else:
            given, form = flatten(gradient)
            if form != description and gradient is not None:
                raise RuntimeError(
                    f"For '{owner}', gradient {index} of the bprop must be nested like input {index}, {value!r}, but got "
                    f"{gradient!r}."
                )
            given = given if gradient is not None else [None] * len(leaves)
        found += [
            _checked_bprop(owner, index, g, x) for g, x in zip(given, leaves, strict=True) if isinstance(x, Tensor)
        ]
    return found + of_weights


def _without_weights(owner: str, returned: Any, inputs: tuple, weights: Sequence[Tensor]) -> tuple[Any, list[Any]]:
    """Split (input gradients, weight gradients), which a bprop may return since 2.x; the latter by order, name or object."""
    weight_gradients: list[Any] = [None] * len(weights)
    if not isinstance(returned, tuple) or len(returned) != 2:
        return returned, weight_gradients
    of_inputs, given = returned
    nested_input = bool(inputs) and isinstance(inputs[0], (tuple, list, dict))
    if isinstance(given, dict) and not (len(inputs) == 2 and isinstance(inputs[1], dict)):
        names = {getattr(w, "name", None): i for i, w in enumerate(weights)} | {id(w): i for i, w in enumerate(weights)}
        for key, gradient in given.items():
            index = names.get(key if isinstance(key, str) else id(key))
            if index is None:
                raise RuntimeError(
                    f"For '{owner}', the bprop returned a gradient for {key!r}, which is no weight of this Cell."
                )
            weight_gradients[index] = _checked_bprop(owner, index, gradient, weights[index], "weight")
        return of_inputs, weight_gradients
    if isinstance(of_inputs, tuple) and isinstance(given, (tuple, list)) and not nested_input:
        if len(given) != len(weights):
            raise RuntimeError(
                f"For '{owner}', the bprop must return one gradient per weight, which are {len(weights)}, but got {len(given)}."
            )
        return of_inputs, [_checked_bprop(owner, i, g, w, "weight") for i, (g, w) in enumerate(zip(given, weights))]
    return returned, weight_gradients


def _checked_bprop(owner: str, index: int, gradient: Any, like: Tensor, kind: str = "input") -> Tensor | None:
    what = f"gradient {index} of the bprop" if kind == "input" else f"weight gradient {index} of the bprop"
    if context.state.check_bprop and not isinstance(gradient, Tensor):
        raise TypeError(
            f"For '{owner}', {what} must be a Tensor, but got {gradient!r} of type {type(gradient).__name__}."
        )
    if gradient is None:
        return None
    if isinstance(gradient, (int, float)) and not isinstance(gradient, bool):
        if gradient == 0 or like.shape == ():
            return zeros_like(like) + gradient
        raise RuntimeError(
            f"For '{owner}', {what} should be broadcast to expected shape {like.shape}, but got the number {gradient}: return a "
            "Tensor of that shape."
        )
    if context.state.check_bprop and isinstance(gradient, Tensor):
        if gradient.shape != like.shape:
            raise ValueError(
                f"For '{owner}', {what} must have the shape of {kind} {index}, {like.shape}, but got {gradient.shape}."
            )
        if gradient.dtype != like.dtype:
            raise TypeError(
                f"For '{owner}', {what} must have the dtype of {kind} {index}, {like.dtype}, but got {gradient.dtype}."
            )
    return checked_gradient(owner, what, gradient, like)
