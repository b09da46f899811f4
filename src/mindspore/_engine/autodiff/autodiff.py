"""Reverse-mode differentiation behind grad, value_and_grad, GradOperation, vjp and Jacobians, in both modes.

``differentiate`` runs the function on a tape and then the backward pass. Eagerly that is one call per operator; in graph mode
forward and backward are traced into one graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from mindspore._engine.autodiff import forward_cache, local_norm
from mindspore._engine.autodiff.pipeline_marks import walking_back
from mindspore._engine.base import errors
from mindspore._engine.base.kernel import is_inexact
from mindspore._engine.base.pytree import LEAF, flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.backward import backward
from mindspore._engine.execution.tape import recording
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.tensor_hooks import zeros_like
from mindspore._engine.tracing.traced_kernel import ones_like, watch, watch_weight, written_through
from mindspore._utils.refusals import several


class Gradients(NamedTuple):
    outputs: Any
    inputs: tuple
    weights: tuple


def differentiate(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], positions: Sequence[int],
                  weights: Sequence[Parameter], sens: Any = None, has_aux: bool = False,
                  kept: forward_cache.Recorded | None = None) -> Gradients:  # fmt: skip
    """Run ``function`` and pull the cotangents ``sens`` of its outputs (only the first with ``has_aux``) back.

    ``kept``: the recorded forward pass of the same call, to be reused.
    """
    if kept is None or not kept.fits(tuple(args), weights):
        kept = forward_cache.take(function, tuple(args), kwargs, weights)
    if kept is not None:
        return _from_recorded(kept, function, args, positions, weights, sens, has_aux)
    with recording() as tape:
        start = len(tape.nodes)
        arguments, leaves, watched, aliases = list(args), [], [], []
        for position in positions:
            if arguments[position].__class__ is Tensor:  # fast path
                argument = arguments[position]
                watched.append(((argument,), LEAF))
                arguments[position], leaf = watch(tape, argument)
                aliases.append((argument, arguments[position], arguments[position]._value))
                leaves.append(leaf)
                continue
            inner, description = flatten(arguments[position])
            stand_ins = []
            for x in inner:
                if isinstance(x, Tensor):
                    alias, leaf = watch(tape, x)
                    aliases.append((x, alias, alias._value))
                    leaves.append(leaf)
                    stand_ins.append(alias)
                else:
                    stand_ins.append(x)
            arguments[position] = unflatten(description, iter(stand_ins))
            watched.append((inner, description))
        links = {weight: weight._link for weight in weights}
        weight_leaves = [watch_weight(tape, weight) for weight in weights]
        watched_links = {weight: weight._link for weight in weights}
        try:
            outputs = invoke.invoke(function, tuple(arguments), kwargs)
        finally:
            for weight, link in watched_links.items():
                if weight._link is link:  # otherwise the function assigned the weight
                    weight._link = links[weight]
        written_through(aliases)
        target = first_of(outputs) if has_aux else outputs
        _require_value(function, target)
        seeds = _seeds(tape, target, sens)
        with walking_back():
            found = iter(backward(tape, start, seeds, [*leaves, *weight_leaves], often=bool(weights)))
        input_grads = tuple(
            _gradient_of(args[p], one[0], one[1], found) for p, one in zip(positions, watched, strict=True)
        )
        weight_grads = _of_weights(weights, found)
    local_norm.count(weight_grads)
    return Gradients(outputs, input_grads, weight_grads)


def _from_recorded(kept: forward_cache.Recorded, function: Any, args: Sequence[Any], positions: Sequence[int],
                   weights: Sequence[Parameter], sens: Any, has_aux: bool) -> Gradients:  # fmt: skip
    """Gradients from the tape of a recorded forward pass."""
    target = first_of(kept.outputs) if has_aux else kept.outputs
    _require_value(function, target)
    sizes = [len(flatten(a)[0]) for a in args]
    starts = [sum(sizes[:i]) for i in range(len(args))]
    wanted = [leaf for p in positions for leaf in kept.inputs[starts[p] : starts[p] + sizes[p]] if leaf is not None]
    leaves = [*wanted, *[kept.weights[w][1] for w in weights]]
    found = iter(backward(kept.tape, 0, _seeds(kept.tape, target, sens), leaves, often=bool(weights)))
    input_grads = tuple(_gradient_of(args[p], *flatten(args[p]), found) for p in positions)
    weight_grads = _of_weights(weights, found)
    kept.tape.release()
    local_norm.count(weight_grads)
    return Gradients(kept.outputs, input_grads, weight_grads)


def _of_weights(weights: Sequence[Parameter], found: Iterator[Tensor | None]) -> tuple:
    """Gradients of the weights; outside of graphs zeros for those with ``requires_grad`` False, as in MindSpore."""
    eager = state.scope is None
    gradients = []
    for weight, gradient in zip(weights, found, strict=True):
        frozen = eager and not getattr(weight, "requires_grad", True)
        gradients.append(zeros_like(weight) if gradient is None or frozen else gradient)
    return tuple(gradients)


def _gradient_of(argument: Any, inner: list[Any], description: Any, found: Any) -> Any:
    """The gradients of an argument, in its form; values marked by ``mutable`` are unmarked again, with 0 for numbers."""
    gradients = _like(inner, description, found)
    if not getattr(argument, "__ms_mutable__", False):
        return gradients
    if isinstance(gradients, dict):
        return {name: _or_zero(argument[name], one) for name, one in gradients.items()}
    if isinstance(gradients, (tuple, list)):
        return (tuple if isinstance(gradients, tuple) else list)(map(_or_zero, argument, gradients))
    return gradients


def _or_zero(value: Any, gradient: Any) -> Any:
    return type(value)(0) if gradient is None and type(value) in (int, float) else gradient


def _like(inner: list[Any], description: Any, found: Any) -> Any:
    """Unflatten gradients like their argument; leaves that are not Tensors get None."""
    if description is LEAF:
        gradient = next(found)
        return zeros_like(inner[0]) if gradient is None else gradient
    gradients = []
    for x in inner:
        if isinstance(x, Tensor):
            gradient = next(found)
            gradients.append(zeros_like(x) if gradient is None else gradient)
        else:
            gradients.append(None)
    return unflatten(description, iter(gradients))


def first_of(outputs: Any) -> Any:
    """The output that is differentiated where others come after it."""
    if not isinstance(outputs, (tuple, list)) or len(outputs) < 2:
        raise ValueError(
            "When has_aux is True, origin fn requires more than one outputs: return the loss first and the rest after it."
        )
    return outputs[0]


def _require_value(function: Any, outputs: Any) -> None:
    if outputs is None:
        raise TypeError(
            f"For 'grad', the function must return a Tensor or a tuple of Tensors, but {errors.returned_nothing(function)}"
        )


def _seeds(tape: Any, outputs: Any, sens: Any) -> list:
    """Links of the outputs that depend on a leaf, each with its cotangent."""
    if sens is None and outputs.__class__ is Tensor:
        link = tape.link_of(outputs)
        return [] if link is None else [(link, ones_like(outputs))]
    leaves = [o for o in flatten(outputs)[0] if isinstance(o, Tensor)]
    if not leaves:
        return []  # non-Tensor outputs have no gradient
    if sens is None:
        cotangents = [None] * len(leaves)
    else:
        cotangents = flatten(sens)[0]
        if len(leaves) > 1 and isinstance(sens, (int, float)):
            cotangents = cotangents * len(leaves)
        if len(cotangents) != len(leaves):
            raise _WRONG_SENS(
                f"For 'grad', 'sens' must hold one Tensor per output: {len(leaves)}, but got {len(cotangents)}. Give a tuple "
                "with the gradient of each output."
            )
    pairs = []
    for output, cotangent in zip(leaves, cotangents, strict=True):
        seed = _checked_seed(output, cotangent)
        link = tape.link_of(output)
        if link is not None:
            pairs.append((link, seed))
    return pairs


_WRONG_SENS = several(ValueError, RuntimeError, TypeError)  # MindSpore finds some while it compiles, others later


def _checked_seed(output: Tensor, cotangent: Any) -> Tensor:
    if cotangent is None:
        return ones_like(output)
    if isinstance(cotangent, (int, float)) and not isinstance(cotangent, bool):
        return ones_like(output) * cotangent
    if not isinstance(cotangent, Tensor):
        raise TypeError(
            f"For 'grad', 'sens' must be a Tensor, but got {cotangent!r} of type {type(cotangent).__name__}."
        )
    if cotangent.shape != output.shape and cotangent.size == output.size == 1:
        cotangent = cotangent.reshape(output.shape)  # a scalar cotangent fits any output of one element
    if cotangent.shape != output.shape:
        raise _WRONG_SENS(
            f"For 'grad', 'sens' must have the shape of the output {output.shape}, but got {cotangent.shape}."
        )
    if cotangent.dtype != output.dtype:
        if is_inexact(output.dtype.np_dtype) and not is_inexact(cotangent.dtype.np_dtype):
            raise TypeError(
                f"For 'grad', 'sens' must have the dtype of the output {output.dtype}, but got {cotangent.dtype}."
            )
        return cotangent.astype(output.dtype)
    return cotangent
