"""A forward pass that is kept because its gradient is about to be asked for.

Old training cells write ``loss = net(x)`` and then ``grads = grad(net, weights)(x)``. MindSpore does not run the network
twice there: a Cell marked by ``set_grad`` and in training mode records its call, and a gradient of the same Cell on the
same inputs starts from the recording. Moving averages then move once per step, and Dropout masks agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.parameter import Parameter
from mindspore._engine.state import state
from mindspore._engine.structure import flatten, unflatten
from mindspore._engine.tape import LeafNode, Tape
from mindspore._engine.tensor import Tensor
from mindspore._engine.traced import watch, watch_weight

_PLACE = "_recorded"


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

    def run(self, function: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
        """Run the function with recording on."""
        links = {w: w._link for w in self.trainable}
        state.tape = self.tape
        try:
            watched = [watch(self.tape, x) if isinstance(x, Tensor) else (x, None) for x in self.leaves]
            self.inputs = [leaf for _, leaf in watched]
            self.weights = {w: (w._read(), watch_weight(self.tape, w)) for w in self.trainable}
            self.outputs = function(*unflatten(self.description, iter([x for x, _ in watched])), **kwargs)
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
            and all(w in self.weights and self.weights[w][0] is w._value for w in weights)
        )


def call(cell: Any, function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a Cell and keep the recording until the next call of it."""
    forget(cell)
    if kwargs:
        return function(*args, **kwargs)
    recorded = Recorded(args, cell.trainable_params())
    outputs = recorded.run(function, kwargs)
    cell.__dict__[_PLACE] = recorded
    return outputs


def take(function: Any, args: tuple, kwargs: dict[str, Any], weights: Sequence[Parameter]) -> Recorded | None:
    """The recording of a call that just happened, if the function is a Cell and was called on the same inputs."""
    recorded = getattr(function, "__dict__", {}).pop(_PLACE, None)
    if recorded is None or kwargs or state.tape is not None or not recorded.fits(args, weights):
        return None
    return recorded


def forget(cell: Any) -> None:
    """Drop a recording nobody asked for."""
    recorded = cell.__dict__.pop(_PLACE, None)
    if recorded is not None:
        recorded.tape.release()
