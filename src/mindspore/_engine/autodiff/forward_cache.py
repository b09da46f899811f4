"""Reuse of a recorded forward pass by the gradient that follows it.

Old training cells write ``loss = net(x)`` and then ``grads = grad(net, weights)(x)``. MindSpore does not run the network
twice there: a Cell marked by ``set_grad`` records its call, and a gradient of the same Cell on the same inputs starts from
the recording. Moving averages are then updated once per step, and Dropout masks agree.
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
from mindspore._engine.tracing.traced_kernel import watch, watch_weight, written_through

_FIELD = "_recorded"
_KEPT = 2  # recordings per Cell: a discriminator is called on real and on generated data


class Recorded:
    """The recorded forward pass of one Cell call."""

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
        """Whether the weights still hold the arrays the call read."""
        return all(value is weight._value for weight, (value, _) in self.weights.items())

    def run(self, function: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        """Run the function under this recording's tape."""
        links = {w: w._link for w in self.trainable}
        state.tape = self.tape
        try:
            watched = [watch(self.tape, x) if isinstance(x, Tensor) else (x, None) for x in self.leaves]
            self.inputs = [leaf for _, leaf in watched]
            self.weights = {w: (w._read(), watch_weight(self.tape, w)) for w in self.trainable}
            aliases = [
                (x, alias, alias._value)
                for x, (alias, leaf) in zip(self.leaves, watched, strict=True)
                if leaf is not None
            ]
            arguments = tuple(unflatten(self.description, iter([x for x, _ in watched])))
            self.outputs = invoke.invoke(function, arguments, kwargs)
            written_through(aliases)
        finally:
            state.tape = None
            for weight, link in links.items():
                weight._link = link
        return self.outputs

    def fits(self, args: tuple, weights: Sequence[Parameter]) -> bool:
        """Whether a gradient with these arguments and weights can reuse this recording."""
        leaves, description = flatten(args)
        return (
            self.scope is state.scope
            and description == self.description
            and all((x._value if isinstance(x, Tensor) else x) is v for x, v in zip(leaves, self.values, strict=True))
            and all(w in self.weights for w in weights)
            and self.unchanged()
        )


def applies(cell: Any) -> bool:
    """Whether calls of this Cell are recorded (``set_grad``). In a graph only in training, where it has an effect."""
    return state.tape is None and (cell.training or (state.scope is None and not state.evaluating))


def call(cell: Any, function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a Cell and keep its recording for a later gradient."""
    if kwargs:
        return function(*args, **kwargs)
    recorded = Recorded(args, cell.trainable_params())
    outputs = recorded.run(function, kwargs)
    kept = [
        recording
        for recording in cell.__dict__.get(_FIELD, ())
        if recording.scope is state.scope and recording.unchanged()
    ]
    _replace(cell, [*kept, recorded][-_KEPT:])
    return outputs


def start(function: Any, args: tuple, weights: Sequence[Parameter]) -> Recorded | None:
    """Run and record a call that is differentiated later; None inside another recording."""
    if state.tape is not None:
        return None
    kept = take(function, args, {}, weights)
    if kept is None:
        kept = Recorded(args, weights)
        kept.run(function, {})
    return kept


def take(function: Any, args: tuple, kwargs: dict[str, Any], weights: Sequence[Parameter]) -> Recorded | None:
    """Pop the recording of an earlier call of this Cell on the same inputs, if there is one."""
    recordings = getattr(function, "__dict__", {}).get(_FIELD)
    if not recordings or kwargs or state.tape is not None:
        return None
    found = next((recording for recording in reversed(recordings) if recording.fits(args, weights)), None)
    if found is not None:
        recordings.remove(found)
    return found


def has(function: Any) -> bool:
    """Whether an earlier call of this Cell outside of a graph was recorded, for a gradient outside of one."""
    return bool(getattr(function, "__dict__", {}).get(_FIELD)) and state.scope is None


def forget(cell: Any) -> None:
    """Release all recordings of a Cell."""
    if _FIELD in cell.__dict__:
        _replace(cell, [])


def _replace(cell: Any, recordings: list[Recorded]) -> None:
    """Set the recordings of a Cell, releasing the tapes of dropped ones."""
    for recording in cell.__dict__.get(_FIELD, ()):
        if recording not in recordings:
            recording.tape.release()
    cell.__dict__[_FIELD] = recordings


class evaluating:  # noqa: N801 - reads as a statement: with evaluating()
    """Context manager: calls inside are not recorded."""

    def __enter__(self) -> None:
        self.before = state.evaluating
        state.evaluating = True

    def __exit__(self, *_: object) -> None:
        state.evaluating = self.before
