"""A trace that keeps which operator each part of it came from: every kernel is a call with a name in the jaxpr."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import jax

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state

_PREFIX = "mindir_call_"


class MarkedCalls:
    """The kernels of a trace, by the names their calls have in it."""

    def __init__(self) -> None:
        self.kernels: list[Kernel] = []

    def __call__(self, kernel: Kernel, values: list[Any]) -> Any:
        def call(*flat: Any) -> Any:
            return kernel.jitted(*flat)

        call.__name__ = call.__qualname__ = f"{_PREFIX}{len(self.kernels)}"
        self.kernels.append(kernel)
        return jax.jit(call)(*values)

    def kernel_of(self, name: str) -> Kernel | None:
        """The kernel that a call of this name runs."""
        return self.kernels[int(name.removeprefix(_PREFIX))] if name.startswith(_PREFIX) else None


@contextlib.contextmanager
def marked() -> Iterator[MarkedCalls]:
    """Keep the calls of kernels apart in what is traced inside."""
    before, state.calls = state.calls, MarkedCalls()
    try:
        yield state.calls
    finally:
        state.calls = before
