"""A forward pass that is kept because its gradient is about to be asked for.

Old training cells write ``loss = net(x)`` and then ``grads = grad(net, weights)(x)``. MindSpore does not run the network
twice there: a Cell marked by ``set_grad`` records its call, and a gradient of the same Cell on the same inputs starts from
the recording. Moving averages then move once per step, and Dropout masks agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.tape import LeafNode, Tape
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.traced_kernel import watch, watch_weight

_PLACE = "_recorded"
_KEPT = 2  # calls of one Cell: a discriminator's on real and on made data


class Recorded:
    """One recorded call of a Cell."""

    def __init__(self, args: tuple, weights: Sequence[Parameter]):
        self.scope = state.scope
        self.tape = Tape()
        self.tape.depth = 1
        self.leaves, self.description = flatten(args)
        self.values = [x._read() if isinstance(x, Tensor) else x for x in self.leaves]
        self.trainable = tuple(weights)
        self.inputs: list[LeafNode | None] = []
        self.weights: dict[Parameter, tuple[Any, LeafNode]] = {}
        self.outputs: Any = None

    def unchanged(self) -> bool:
        """Whether the weights still are what the call saw."""
        return all(value is weight._value for weight, (value, _) in self.weights.items())

    def run(self, function: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        """Run the function with recording on."""
        links = {w: w._link for w in self.trainable}
        state.tape = self.tape
        try:
            watched = [watch(self.tape, x) if isinstance(x, Tensor) else (x, None) for x in self.leaves]
            self.inputs = [leaf for _, leaf in watched]
            self.weights = {w: (w._read(), watch_weight(self.tape, w)) for w in self.trainable}
            arguments = tuple(unflatten(self.description, iter([x for x, _ in watched])))
            self.outputs = invoke.invoke(function, arguments, kwargs)
        finally:
            state.tape = None
            for weight, link in links.items():
                weight._link = link
        return self.outputs

    def fits(self, args: tuple, weights: Sequence[Parameter]) -> bool:
        """Whether a gradient on these arguments and weights can start from this call."""
        leaves, description = flatten(args)
        return (
            self.scope is state.scope
            and description == self.description
            and all((x._value if isinstance(x, Tensor) else x) is v for x, v in zip(leaves, self.values, strict=True))
            and all(w in self.weights for w in weights)
            and self.unchanged()
        )


def applies(cell: Any) -> bool:
    """Whether a call of this Cell is kept: ``set_grad`` marked it. In a graph only in training, where it shows."""
    return state.tape is None and (cell.training or (state.scope is None and not state.evaluating))


def call(cell: Any, function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a Cell and keep the recording until later calls of it."""
    if kwargs:
        return function(*args, **kwargs)
    recorded = Recorded(args, cell.trainable_params())
    outputs = recorded.run(function, kwargs)
    kept = [one for one in cell.__dict__.get(_PLACE, ()) if one.scope is state.scope and one.unchanged()]
    _replace(cell, [*kept, recorded][-_KEPT:])
    return outputs


def start(function: Any, args: tuple, weights: Sequence[Parameter]) -> Recorded | None:
    """A call that is run now and differentiated later; None where something else is recorded already."""
    if state.tape is not None:
        return None
    kept = take(function, args, {}, weights)
    if kept is None:
        kept = Recorded(args, weights)
        kept.run(function, {})
    return kept


def take(function: Any, args: tuple, kwargs: dict[str, Any], weights: Sequence[Parameter]) -> Recorded | None:
    """The recording of a call that happened before, if the function is a Cell and was called on the same inputs."""
    recordings = getattr(function, "__dict__", {}).get(_PLACE)
    if not recordings or kwargs or state.tape is not None:
        return None
    found = next((one for one in reversed(recordings) if one.fits(args, weights)), None)
    if found is not None:
        recordings.remove(found)
    return found


def forget(cell: Any) -> None:
    """Drop recordings nobody asked for."""
    if _PLACE in cell.__dict__:
        _replace(cell, [])


def _replace(cell: Any, recordings: list[Recorded]) -> None:
    """Keep these, and drop those nobody asked for."""
    for one in cell.__dict__.get(_PLACE, ()):
        if one not in recordings:
            one.tape.release()
    cell.__dict__[_PLACE] = recordings


class evaluating:  # noqa: N801 - reads as a statement: with evaluating()
    """Calls whose gradients nobody will ask for."""

    def __enter__(self) -> None:
        self.before = state.evaluating
        state.evaluating = True

    def __exit__(self, *_: object) -> None:
        state.evaluating = self.before
