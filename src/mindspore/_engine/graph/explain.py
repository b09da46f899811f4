"""Where a network leaves its graph, on request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import random
from mindspore._engine.graph import breaks
from mindspore._engine.tracing import capture
from mindspore._utils.checks import check_callable


class Explanation(list[breaks.Break]):
    """The breaks of one call, each with ``file``, ``line``, ``reason`` and ``fix``; printed, they can be read."""

    def __init__(self, name: str, found: list[breaks.Break]):
        unique = {(one.file, one.line, one.reason): one for one in reversed(found)}
        super().__init__(reversed(unique.values()))
        self.name = name

    def __str__(self) -> str:
        if not self:
            return f"'{self.name}' is one graph: nothing of it runs as Python."
        lines = [f"{number}. {one}" for number, one in enumerate(self, 1)]
        return f"'{self.name}' has {len(self)} graph break(s):\n" + "\n".join(lines)


def explain(net: Callable[..., Any], *inputs: Any, **kwargs: Any) -> Explanation:
    """Call a Cell or function and list where it leaves its graph: line, reason, and what to write instead.

    The call is made as in graph mode, whatever the mode is. Parameters and random numbers are afterwards what they were
    before; what the program itself writes to lists, files or the screen is not undone.

    Args:
        net: a Cell, a function under ``jit``, or a gradient function.
        inputs: what it is called with.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> print(ms.explain(nn.ReLU(), Tensor([1.0])))
        'ReLU' is one graph: nothing of it runs as Python.
    """
    check_callable("explain", "net", net)
    name = getattr(net, "__name__", type(net).__name__)
    kept = {id(one): (one, one.init_data()._snapshot()) for one in capture.state_of(net)}
    random.started_from()  # it has a state from here on
    kept[id(random.generator)] = (random.generator, random.generator._snapshot())
    state.piecewise += 1
    try:
        with breaks.collecting() as found:
            net(*inputs, **kwargs)
    finally:
        state.piecewise -= 1
        for tensor, snapshot in kept.values():
            tensor._restore(snapshot)
    return Explanation(name, found)
